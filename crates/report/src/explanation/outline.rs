//! The places of a digest as a tree: each stands below the place that is nearest to a root and leads
//! there. What leads there as well refers to it by its number.

use super::words::{fact, facts};
use logic::evidence::{Digest, DigestEdge};

/// The most lines of an outline.
const MOST_LINES: usize = 60;
/// Places below one place, where there are too many lines.
const MOST_SUCCESSORS: usize = 12;
/// Levels of branching.
const DEEPEST: u32 = 12;

pub(crate) struct Outline {
    /// By entry: its parent. Roots have none, nor have targets of steps without an entry.
    pub parent: Vec<Option<u32>>,
    /// By place: the places that stand below it and are shown.
    pub successors: Vec<Vec<u32>>,
    /// By place: whether it says the same as the one before, which leads to nothing else.
    pub goes_on: Vec<bool>,
    /// By place: its number, from 1, in the order of the lines; 0 if it is not shown.
    pub number: Vec<u32>,
    /// By place: the number of the last place below it.
    last: Vec<u32>,
    /// How many lines all places would take.
    pub lines: usize,
    /// How many places are not shown.
    pub hidden: usize,
}

impl Outline {
    pub fn new(digest: &Digest) -> Self {
        let count = digest.places.len();
        let parent = parents(digest);
        let goes_on = runs(digest, &parent);
        let mut outline = Self {
            parent,
            successors: vec![Vec::new(); count],
            goes_on,
            number: vec![0; count],
            last: vec![0; count],
            lines: 0,
            hidden: 0,
        };
        let reported = (0..count as u32).filter(|&place| outline.has_line(digest, place));
        outline.lines = reported.filter(|&place| !outline.goes_on[place as usize]).count();
        let is_shown = outline.choose(digest);
        let reported = (0..count as u32).filter(|&place| outline.has_line(digest, place));
        outline.hidden = reported.filter(|&place| !is_shown[place as usize]).count();
        outline.enumerate(digest, &is_shown);
        outline
    }

    /// Whether a place has, or would have, a line of its own.
    pub fn has_line(&self, digest: &Digest, place: u32) -> bool {
        self.parent[place as usize].is_some() || digest.is_root(place)
    }

    pub fn is_shown(&self, place: u32) -> bool {
        self.number[place as usize] > 0
    }

    /// Whether `place` stands below `other`, or is it.
    pub fn is_below(&self, place: u32, other: u32) -> bool {
        let (place, other) = (place as usize, other as usize);
        (self.number[other]..=self.last[other]).contains(&self.number[place])
    }

    /// Which places are shown: the nearest ones, until there are enough lines.
    fn choose(&mut self, digest: &Digest) -> Vec<bool> {
        let count = digest.places.len();
        let most_successors = if self.lines > MOST_LINES { MOST_SUCCESSORS } else { usize::MAX };
        let mut is_shown = vec![false; count];
        let mut depth = vec![0; count];
        let mut lines = 0;
        for &root in &digest.roots {
            is_shown[root as usize] = lines < MOST_LINES;
            lines += 1;
        }
        for place in 0..count {
            let Some(parent) = self.parent[place].map(|parent| parent as usize) else { continue };
            let branches = |place: u32| shown_moves(digest, place).count() > 1;
            let goes_in = branches(parent as u32) || self.parent[parent].is_some_and(branches);
            depth[place] = depth[parent] + u32::from(goes_in && !self.goes_on[place]);
            let is_new = !self.goes_on[place];
            let fits = !is_new
                || (lines < MOST_LINES
                    && self.successors[parent].len() < most_successors
                    && depth[place] <= DEEPEST);
            if is_shown[parent] && fits {
                is_shown[place] = true;
                lines += usize::from(is_new);
                self.successors[parent].push(place as u32);
            }
        }
        is_shown
    }

    fn enumerate(&mut self, digest: &Digest, is_shown: &[bool]) {
        let mut order: Vec<u32> = Vec::new();
        let roots = digest.roots.iter().rev().copied();
        let mut open: Vec<u32> = roots.filter(|&root| is_shown[root as usize]).collect();
        while let Some(place) = open.pop() {
            order.push(place);
            self.number[place as usize] = order.len() as u32;
            open.extend(self.successors[place as usize].iter().rev());
        }
        for &place in order.iter().rev() {
            let below = self.successors[place as usize]
                .iter()
                .map(|&successor| self.last[successor as usize]);
            self.last[place as usize] = below.max().unwrap_or(self.number[place as usize]);
        }
    }
}

/// The moves that have lines of their own: a step that only has to be there has none.
pub(crate) fn shown_moves<'d, 'a>(
    digest: &'d Digest<'a>,
    place: u32,
) -> impl Iterator<Item = &'d DigestEdge<'a>> {
    digest.place(place).moves.iter().filter(|next| !digest.is_bare(next))
}

/// By place: the first one that leads there.
fn parents(digest: &Digest) -> Vec<Option<u32>> {
    let mut parent = vec![None; digest.places.len()];
    for from in 0..digest.places.len() as u32 {
        for next in shown_moves(digest, from).map(|next| next.place as usize) {
            if !digest.is_root(next as u32) && parent[next].is_none() {
                parent[next] = Some(from);
            }
        }
    }
    parent
}

/// Places that say the same as the only one that leads to them, which leads nowhere else.
fn runs(digest: &Digest, parent: &[Option<u32>]) -> Vec<bool> {
    let mut entries = vec![0; digest.places.len()];
    for next in digest.places.iter().flat_map(|place| &place.moves) {
        entries[next.place as usize] += 1;
    }
    let goes_on = |(place, parent): (u32, &Option<u32>)| {
        let Some(parent) = *parent else { return false };
        let moves = &digest.place(parent).moves;
        entries[place as usize] == 1
            && moves.len() == 1
            && moves[0].step.is_some()
            && matches!(digest.place(place).moves[..], [DigestEdge { step: Some(_), .. }])
            && claims_and_reasons(digest, place) == claims_and_reasons(digest, parent)
    };
    (0..).zip(parent).map(goes_on).collect()
}

/// Claims and reasons at a place, without its state.
fn claims_and_reasons<'a>(digest: &Digest<'a>, place: u32) -> (Vec<&'a str>, Vec<String>) {
    let here = digest.place(place);
    let claims = std::iter::once(&here.node).chain(&here.then);
    let claims = claims.map(|&node| digest.node(node).subformula.as_str()).collect();
    let reasons = match here.facts[..] {
        [] => Vec::new(),
        [only] => vec![fact(digest.node(only))],
        _ => facts(digest, &here.facts),
    };
    (claims, reasons)
}
