//! Evidence that is large and monotonous, printed by classes of positions: those with the same claims and the same
//! kinds of successors are one class. An invariant is then one sentence, however many states it holds in.

use super::names::short_names;
use super::outline::Outline;
use super::text::TextView;
use super::words::{and, claim, facts, steps_of};
use super::wrap::wrap;
use logic::evidence::{Digest, DigestEdge, Justification};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Fewer lines are printed one by one.
const FEW: usize = 20;
/// How many places a sort has at least, on average, if that is worth its while.
const WORTH: usize = 4;
const MOST_NAMES: usize = 6;
const LONGEST_NAME: usize = 30;

/// Of a step that only has to be there.
const BARE: &str = "such a transition exists";

/// Claims, facts and moves that the places of a group share.
#[derive(PartialEq, Eq, Hash)]
struct Sort {
    claims: Vec<String>,
    facts: Vec<String>,
    moves_texts: Vec<String>,
}

/// `None` if it is better printed line by line.
pub(crate) fn sorts(digest: &Digest, outline: &Outline, view: TextView) -> Option<String> {
    if outline.lines <= FEW {
        return None;
    }
    let has_line = |&place: &u32| outline.has_line(digest, place);
    let places: Vec<u32> = (0..digest.places.len() as u32).filter(has_line).collect();
    Some(Sorts::new(digest, &places)?.to_text(places.len(), view))
}

struct Sorts<'s> {
    digest: &'s Digest<'s>,
    sorts: Vec<Sort>,
    /// By place that is printed.
    sort_of: Vec<usize>,
    /// Of the states.
    names: Vec<String>,
    /// By sort.
    places: Vec<Vec<u32>>,
}

impl<'s> Sorts<'s> {
    fn new(digest: &'s Digest<'s>, reported: &[u32]) -> Option<Self> {
        let most = reported.len() / WORTH;
        let mut numbers: FxHashMap<Sort, usize> = FxHashMap::default();
        let mut places: Vec<Vec<u32>> = Vec::new();
        let mut sort_of = vec![usize::MAX; digest.places.len()];
        for &place in reported {
            let number = *numbers.entry(sort(digest, place)).or_insert(places.len());
            if number == places.len() {
                places.push(Vec::new());
            }
            places[number].push(place);
            sort_of[place as usize] = number;
            if places.len() > most {
                return None;
            }
        }
        let mut sorts: Vec<(Sort, usize)> = numbers.into_iter().collect();
        sorts.sort_by_key(|(_, number)| *number);
        let sorts = sorts.into_iter().map(|(sort, _)| sort).collect();
        let names = short_names(digest.explanation, LONGEST_NAME);
        Some(Self { digest, sorts, sort_of, names, places })
    }

    fn to_text(&self, count: usize, view: TextView) -> String {
        let columns = self.sorts.len().to_string().len();
        let mut out = String::new();
        for (number, sort) in self.sorts.iter().enumerate() {
            let number = number + 1;
            let line = format!("{number:>columns$}  {}", self.describe(number - 1, sort));
            out.push_str(&wrap(&line, view.width, columns + 6));
            out.push('\n');
            let line = format!("{}{}", " ".repeat(columns + 4), self.states(number - 1));
            out.push_str(&wrap(&line, view.width, columns + 4));
            out.push('\n');
        }
        out.push_str(&format!("{count} positions, grouped; --html shows each\n"));
        out
    }

    /// ``in 9 states: `AG p` holds, because `p` is true and every such step leads to (1)``
    fn describe(&self, number: usize, sort: &Sort) -> String {
        let states = match self.places[number].len() {
            1 => "in 1 state".to_owned(),
            more => format!("in {more} states"),
        };
        let mut reasons = sort.facts.clone();
        reasons.extend(sort.moves_texts.iter().map(|text| self.leads(number, text)));
        let because = if reasons.is_empty() { "" } else { ", because " };
        format!("{states}: {}{because}{}", sort.claims.join(", because "), and(&reasons))
    }

    /// The sorts that an edge leads to.
    fn leads(&self, number: usize, text: &str) -> String {
        if text == BARE {
            return text.to_owned();
        }
        let mut targets = BTreeSet::new();
        for &place in &self.places[number] {
            let moves = self.digest.place(place).moves.iter();
            let moves = moves.filter(|next| moves_text(self.digest, next) == text);
            targets.extend(moves.map(|next| self.sort_of[next.place as usize] + 1));
        }
        let targets: Vec<String> = targets.iter().map(|target| format!("({target})")).collect();
        format!("{text} {}", targets.join(" or "))
    }

    fn states(&self, number: usize) -> String {
        let places = &self.places[number];
        let state = |place: u32| self.digest.node(self.digest.place(place).node).state;
        let name = |&place: &u32| self.names[state(place) as usize].clone();
        let mut names: Vec<String> = places.iter().take(MOST_NAMES).map(name).collect();
        if places.len() > MOST_NAMES {
            names.push(format!("… {} more", places.len() - MOST_NAMES));
        }
        names.join("; ")
    }
}

fn sort(digest: &Digest, place: u32) -> Sort {
    let here = digest.place(place);
    let claims = std::iter::once(&here.node).chain(&here.then);
    let mut moves_texts: Vec<String> =
        here.moves.iter().map(|next| moves_text(digest, next)).collect();
    moves_texts.sort_unstable();
    moves_texts.dedup();
    Sort {
        claims: claims.map(|&node| claim(digest.node(node))).collect(),
        facts: facts(digest, &here.facts),
        moves_texts,
    }
}

fn moves_text(digest: &Digest, next: &DigestEdge) -> String {
    let via = digest.node(next.via);
    match (next.step, via.why) {
        (None, _) => "the state is in".to_owned(),
        (Some(_), _) if digest.is_bare(next) => BARE.to_owned(),
        (Some(step), _) if step.is_hyper => "one transition leads to".to_owned(),
        (Some(_), Justification::All) => format!("every {} leads to", steps_of(via)),
        (Some(_), Justification::Missing) => "a may transition leads to".to_owned(),
        (Some(_), _) => "one transition leads to".to_owned(),
    }
}
