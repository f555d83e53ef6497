//! Evidence that branches, as numbered lines: each place once, further ways to it by its number.

use super::names::short_names;
use super::outline::{Outline, shown_moves};
use super::sorts::sorts;
use super::text::TextView;
use super::words::{and, arrow, claim, fact, facts, is_false, quoted, steps_of};
use super::wrap::wrap;
use logic::evidence::{Digest, DigestEdge, Justification};
use rustc_hash::FxHashSet;

/// Names in one line before the rest is counted.
const MOST_NAMES: usize = 6;
const LONGEST_NAME: usize = 40;
/// A claim that is not said again if the place above makes it too.
const LONG_CLAIM: usize = 24;

pub(crate) fn tree(digest: &Digest, view: TextView) -> String {
    let outline = Outline::new(digest);
    if let Some(text) = sorts(digest, &outline, view) {
        return text;
    }
    let shown = digest.places.len() - outline.hidden;
    let columns = shown.to_string().len();
    let names = short_names(digest.explanation, LONGEST_NAME);
    let out = String::new();
    let mut tree = Tree { digest, outline: &outline, names, view, columns, written: 0, out };
    tree.write();
    let mut out = tree.out;
    if outline.hidden > 0 {
        out.push_str(&format!("… {} more positions; --html shows all\n", outline.hidden));
    }
    out
}

struct Tree<'t> {
    digest: &'t Digest<'t>,
    outline: &'t Outline,
    /// Of the states.
    names: Vec<String>,
    view: TextView,
    /// Of the widest number.
    columns: usize,
    /// The last number that was written.
    written: u32,
    out: String,
}

/// A line to be written.
enum Line<'t> {
    Item(Item<'t>),
    /// How far in it stands, and what it says.
    Lead(usize, String),
    /// Of a place: the ways to places that stand elsewhere, and how many more there are.
    References {
        depth: usize,
        place: u32,
        moves: Vec<DigestEdge<'t>>,
        hidden: usize,
    },
}

/// A place, or a few that say the same, with what leads there.
struct Item<'t> {
    places: Vec<u32>,
    step: Option<DigestEdge<'t>>,
    depth: usize,
    /// Whether others stand beside it: then what follows it has to stand further in.
    is_branch: bool,
}

impl<'t> Tree<'t> {
    fn write(&mut self) {
        let roots = self.digest.roots.iter().rev().copied();
        let mut open: Vec<Line> = roots
            .filter(|&root| self.outline.is_shown(root))
            .map(|root| Item { places: vec![root], step: None, depth: 0, is_branch: false })
            .map(Line::Item)
            .collect();
        while let Some(line) = open.pop() {
            match line {
                Line::Item(item) => {
                    let (end, depth) = self.write_item(&item);
                    open.extend(self.below(end, depth).into_iter().rev());
                }
                Line::Lead(depth, text) => self.put(&[], depth, &text),
                Line::References { depth, place, moves, hidden } => {
                    for text in self.references(place, &moves, hidden) {
                        self.put(&[], depth, &text);
                    }
                }
            }
        }
    }

    /// Writes a line, and the run that follows it. Gives the place that it ends in, and how far in stands
    /// what follows that.
    fn write_item(&mut self, item: &Item<'t>) -> (u32, usize) {
        let first = item.places[0];
        let text = format!("{}: {}", self.lead(item), self.describe(first));
        self.put(&item.places, item.depth, &text);
        let branches = |place: u32| shown_moves(self.digest, place).count() > 1;
        let run = self.run_after(first);
        let Some(&end) = run.last() else {
            return (first, item.depth + usize::from(item.is_branch || branches(first)));
        };
        let (depth, below) = (item.depth + usize::from(item.is_branch), usize::from(branches(end)));
        self.put(&run, depth, &format!("{}: the same", self.steps(&run)));
        (end, depth + below)
    }

    /// `in s0`, `-> s1`, `-go-> s1, s2`
    fn lead(&self, item: &Item) -> String {
        let names = item.places.iter().take(MOST_NAMES).map(|&place| self.name(place));
        let mut names: Vec<String> = names.collect();
        if item.places.len() > MOST_NAMES {
            names.push(format!("… {} more", item.places.len() - MOST_NAMES));
        }
        let lead = item.step.and_then(|next| next.step).map_or("in".to_owned(), arrow);
        format!("{lead} {}", names.join(", "))
    }

    fn name(&self, place: u32) -> String {
        self.names[self.digest.node(self.digest.place(place).node).state as usize].clone()
    }

    /// The claims at a place and their reasons, in one line.
    fn describe(&self, place: u32) -> String {
        let here = self.digest.place(place);
        let node = self.digest.node(here.node);
        if here.facts == [here.node] && here.moves.is_empty() {
            return fact(node);
        }
        let first = if self.repeats(place) { "the same".to_owned() } else { claim(node) };
        let then = here.then.iter().map(|&node| claim(self.digest.node(node)));
        let claims: Vec<String> = std::iter::once(first).chain(then).collect();
        let mut reasons = facts(self.digest, &here.facts);
        reasons.extend(self.move_reasons(place));
        let because = if reasons.is_empty() { "" } else { ", because " };
        let colon = if shown_moves(self.digest, place).next().is_none() { "" } else { ":" };
        format!("{}{because}{}{colon}", claims.join(", because "), and(&reasons))
    }

    /// Whether it claims at length what the place above it does.
    fn repeats(&self, place: u32) -> bool {
        let text = |place: u32| self.digest.node(self.digest.place(place).node).subformula.as_str();
        let parent = self.outline.parent[place as usize];
        text(place).chars().count() > LONG_CLAIM
            && parent.is_some_and(|parent| text(parent) == text(place))
    }

    /// ``the transition -> s1 exists``, `` `EF p` holds (7)``, `after each of 3 transitions`
    fn move_reasons(&self, place: u32) -> Vec<String> {
        let mut move_reasons: Vec<String> = Vec::new();
        for group in self.groups(place) {
            let is_bare = group.iter().all(|next| self.digest.is_bare(next));
            let move_text = match (group[0].step, group) {
                (Some(_), [bare]) if is_bare => {
                    format!("the transition {} exists", self.move_text(bare))
                }
                (Some(_), _) if is_bare => format!("{} exists", self.one_step(group)),
                (Some(_), _) => self.after(group),
                (None, _) => self.inner(&group[0]),
            };
            if !move_reasons.contains(&move_text) {
                move_reasons.push(move_text);
            }
        }
        move_reasons
    }

    /// The moves of a place: those together that are the steps of one modality.
    fn groups(&self, place: u32) -> impl Iterator<Item = &'t [DigestEdge<'t>]> {
        let moves = &self.digest.place(place).moves;
        moves.chunk_by(|a, b| a.via == b.via && a.step.is_some() && b.step.is_some())
    }

    /// A claim in the same state that has a line of its own.
    fn inner(&self, next: &DigestEdge) -> String {
        let claim = claim(self.digest.node(self.digest.place(next.place).node));
        match self.outline.number[next.place as usize] {
            0 => claim,
            number => format!("{claim} ({number})"),
        }
    }

    fn after(&self, group: &[DigestEdge]) -> String {
        let via = self.digest.node(group[0].via);
        let may_be = |next: &DigestEdge| next.step.is_some_and(|step| !step.is_must);
        let steps = steps_of(via);
        match (via.why, group.len()) {
            _ if is_hyper(group) => format!("after {}", self.one_step(group)),
            (Justification::Missing, _) if group.iter().all(may_be) => {
                "after a may transition".to_owned()
            }
            (Justification::All, 1) => format!("after the only {steps}"),
            (Justification::All, many) => {
                format!("after each of {many} {}", steps.replacen("transition", "transitions", 1))
            }
            _ => "after one transition".to_owned(),
        }
    }

    /// `one transition to t or u`
    fn one_step(&self, group: &[DigestEdge]) -> String {
        let names: Vec<String> = group.iter().map(|next| self.name(next.place)).collect();
        match &names[..] {
            [before @ .., last] if (1..MOST_NAMES).contains(&before.len()) => {
                format!("one transition to {} or {last}", before.join(", "))
            }
            _ => format!("one transition to one of {} states", names.len()),
        }
    }

    /// The places after this one that say the same.
    fn run_after(&self, place: u32) -> Vec<u32> {
        let next = |&place: &u32| match self.outline.successors[place as usize][..] {
            [successor] if self.outline.goes_on[successor as usize] => Some(successor),
            _ => None,
        };
        std::iter::successors(next(&place), next).collect()
    }

    /// `-> s1 -> s2 … 30 more … -> s33`
    fn steps(&self, run: &[u32]) -> String {
        let step = |&place: &u32| {
            let from = self.outline.parent[place as usize];
            let moves = from.map(|from| &self.digest.place(from).moves[..]).unwrap_or_default();
            let arrow = moves.first().and_then(|next| next.step).map(arrow).unwrap_or_default();
            format!("{arrow} {}", self.name(place))
        };
        let reported = |run: &[u32]| run.iter().map(step).collect::<Vec<String>>().join(" ");
        if run.len() <= MOST_NAMES + 1 {
            return reported(run);
        }
        let (start, end) = run.split_at(MOST_NAMES / 2);
        let (hidden, end) = end.split_at(end.len() - MOST_NAMES / 2);
        format!("{} … {} more … {}", reported(start), hidden.len(), reported(end))
    }

    /// The lines below a place. Where the steps of several modalities are printed, each has its own heading.
    fn below(&self, place: u32, depth: usize) -> Vec<Line<'t>> {
        let is_branch = shown_moves(self.digest, place).count() > 1;
        let reported = |group: &&[DigestEdge]| group.iter().any(|next| !self.digest.is_bare(next));
        let groups: Vec<&[DigestEdge]> = self.groups(place).filter(reported).collect();
        let steps = groups.iter().filter(|group| group[0].step.is_some()).count();
        let mut lines: Vec<Line> = Vec::new();
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        if steps < 2 {
            let all = groups.concat();
            self.put_below(place, &all, (depth, is_branch), &mut seen, &mut lines);
            return lines;
        }
        for group in groups {
            let mut depth = depth;
            if group[0].step.is_some() {
                lines.push(Line::Lead(depth, self.lead_of(group)));
                depth += 1;
            }
            self.put_below(place, group, (depth, is_branch), &mut seen, &mut lines);
        }
        lines
    }

    /// ``for `[] p`, after each of 2 steps:``, and ``in every successor, `AF p`:`` for what unfolds a formula of
    /// branching or linear time.
    fn lead_of(&self, group: &[DigestEdge]) -> String {
        let via = self.digest.node(group[0].via);
        let is_next = ["X ", "AX ", "EX "].iter().any(|next| via.subformula.starts_with(next));
        let which = match via.why {
            Justification::All if !is_hyper(group) => Some("every"),
            Justification::One => Some("some"),
            _ => None,
        };
        match (which.filter(|_| is_next), via.successors.first()) {
            (Some(which), Some(next)) => {
                let body = quoted(&self.digest.node(next.node).subformula);
                format!("in {which} successor, {body}:")
            }
            _ => format!("for {}, {}:", quoted(&via.subformula), self.after(group)),
        }
    }

    /// References to what stands elsewhere, then what stands here, those together that say the same and lead
    /// nowhere. Those in `seen` are printed already.
    fn put_below(
        &self,
        place: u32,
        moves: &[DigestEdge<'t>],
        (depth, is_branch): (usize, bool),
        seen: &mut FxHashSet<u32>,
        lines: &mut Vec<Line<'t>>,
    ) {
        let is_successor = |next: u32| self.outline.parent[next as usize] == Some(place);
        let (here, elsewhere): (Vec<DigestEdge>, Vec<DigestEdge>) = moves
            .iter()
            .filter(|next| !self.digest.is_bare(next))
            .partition(|next| is_successor(next.place) && seen.insert(next.place));
        let (here, hidden): (Vec<DigestEdge>, Vec<DigestEdge>) =
            here.into_iter().partition(|next| self.outline.is_shown(next.place));
        lines.push(Line::References { depth, place, moves: elsewhere, hidden: hidden.len() });
        let mut items: Vec<Item> = Vec::new();
        for step in here {
            match items.last_mut() {
                Some(item) if self.is_alike(item, &step) => item.places.push(step.place),
                _ => items.push(Item {
                    places: vec![step.place],
                    step: Some(step),
                    depth,
                    is_branch,
                }),
            }
        }
        lines.extend(items.into_iter().map(Line::Item));
    }

    fn is_alike(&self, item: &Item, next: &DigestEdge) -> bool {
        let arrow_of = |next: &DigestEdge| next.step.map(arrow);
        let ends = |place: u32| self.digest.place(place).moves.is_empty();
        let other = item.places[0];
        ends(next.place)
            && ends(other)
            && item.step.as_ref().is_some_and(|step| arrow_of(step) == arrow_of(next))
            && self.describe(next.place) == self.describe(other)
    }

    /// The ways to places that stand elsewhere, or nowhere.
    fn references(&self, place: u32, moves: &[DigestEdge], hidden: usize) -> Vec<String> {
        let others = moves.iter().filter(|next| next.step.is_some()).copied();
        let (shown, unshown): (Vec<DigestEdge>, Vec<DigestEdge>) =
            others.partition(|next| self.outline.is_shown(next.place));
        let (back, see): (Vec<DigestEdge>, Vec<DigestEdge>) =
            shown.into_iter().partition(|next| self.outline.is_below(place, next.place));
        let mut lines: Vec<String> = back.iter().map(|next| self.back_to(place, next)).collect();
        lines.extend(self.crossing(&see));
        if hidden + unshown.len() > 0 {
            lines.push(format!("… {} more", hidden + unshown.len()));
        }
        lines
    }

    fn back_to(&self, place: u32, next: &DigestEdge) -> String {
        let number = self.outline.number[next.place as usize];
        let lead = self.move_text(next);
        match self.violated(next.place, place) {
            Some(condition) => format!(
                "{lead}: back to {number}; repeating this cycle forever violates the fairness condition {}",
                quoted(condition)
            ),
            None => format!("{lead}: back to {number} (already shown)"),
        }
    }

    /// A fairness condition that is false in all states of the cycle from one place down to another.
    fn violated(&self, first: u32, last: u32) -> Option<&str> {
        let parent = |&place: &u32| self.outline.parent[place as usize].filter(|_| place != first);
        let cycle: Vec<u32> = std::iter::successors(Some(last), parent).collect();
        let is_false_at = |place: u32, condition: &str| {
            let facts = &self.digest.place(place).facts;
            facts.iter().any(|&fact| is_false(self.digest.node(fact), condition))
        };
        let mut conditions = self.digest.explanation.fairness.iter();
        let found = conditions.find(|one| cycle.iter().all(|&place| is_false_at(place, one)));
        found.map(String::as_str)
    }

    fn move_text(&self, next: &DigestEdge) -> String {
        let lead = next.step.map_or("in".to_owned(), arrow);
        format!("{lead} {}", self.name(next.place))
    }

    fn crossing(&self, see: &[DigestEdge]) -> Vec<String> {
        let where_to = |next: &DigestEdge| {
            let number = self.outline.number[next.place as usize];
            let side = if number <= self.written { "above" } else { "below" };
            format!("see {number} {side}")
        };
        if see.len() <= 3 {
            let texts =
                see.iter().map(|next| format!("{}: {}", self.move_text(next), where_to(next)));
            return texts.collect();
        }
        let reported = see.iter().take(2 * MOST_NAMES);
        let reported = reported
            .map(|n| format!("{} ({})", self.move_text(n), self.outline.number[n.place as usize]));
        let mut reported: Vec<String> = reported.collect();
        if see.len() > 2 * MOST_NAMES {
            reported.push(format!("… {} more", see.len() - 2 * MOST_NAMES));
        }
        vec![format!("see also: {}", reported.join(", "))]
    }

    /// A line with its number, or with the numbers of the first and the last place.
    fn put(&mut self, places: &[u32], depth: usize, text: &str) {
        let number = |place: &u32| self.outline.number[*place as usize];
        self.written = places.last().map_or(self.written, number);
        let numbers = match places {
            [] => String::new(),
            [only] => number(only).to_string(),
            [first, .., last] => format!("{}-{}", number(first), number(last)),
        };
        let indent = self.columns * 2 + 3;
        let numbers = format!("{numbers:>0$}  ", self.columns * 2 + 1);
        let hanging = indent + 2 * depth + 4;
        let line = format!("{}{}{text}", self.view.colour.dim(numbers), "  ".repeat(depth));
        self.out.push_str(&wrap(&line, self.view.width, hanging));
        self.out.push('\n');
    }
}

/// Whether these are the targets of one step.
fn is_hyper(group: &[DigestEdge]) -> bool {
    group.iter().all(|next| next.step.is_some_and(|step| step.is_hyper))
}
