//! Evidence that is one path through the model, perhaps with a loop at its end.

use super::digest::{Digest, DigestEdge};
use super::explanation::ShownStep;

/// The states of a path or lasso, in their order.
pub struct EvidencePath<'a> {
    pub rows: Vec<PathRow<'a>>,
    pub back: Option<PathBack<'a>>,
}

/// A state of the path.
pub struct PathRow<'a> {
    pub state: u32,
    /// The step that leads there.
    pub step: Option<&'a ShownStep>,
    /// The places that are passed in it.
    pub places: Vec<u32>,
    /// Positions that are reasons there and that need no path of their own.
    pub facts: Vec<u32>,
}

/// The step back into the path.
pub struct PathBack<'a> {
    pub row: usize,
    pub step: Option<&'a ShownStep>,
}

impl<'a> EvidencePath<'a> {
    /// Leads back into a row. If that row is come to without a step, the last one is in its state: it is that
    /// row again, and no further state.
    fn close(&mut self, row: usize, step: Option<&'a ShownStep>) {
        let again = (step.is_none() && row + 1 < self.rows.len()).then(|| self.rows.pop());
        let step = match again.flatten() {
            Some(again) => {
                self.rows[row].facts.extend(again.facts);
                again.step
            }
            None => step,
        };
        self.back = Some(PathBack { row, step });
    }
}

/// Reads the path off an explanation; `None` if the evidence branches.
pub fn path<'a>(digest: &Digest<'a>) -> Option<EvidencePath<'a>> {
    let [root] = digest.roots[..] else { return None };
    let (path, branches) = path_from(digest, root)?;
    (!branches).then_some(path)
}

/// Reads the path off an explanation as far as it does not branch, and whether it does; of several roots the first.
pub fn prefix<'a>(digest: &Digest<'a>) -> Option<(EvidencePath<'a>, bool)> {
    let (path, branches) = path_from(digest, *digest.roots.first()?)?;
    Some((path, branches || digest.roots.len() > 1))
}

fn path_from<'a>(digest: &Digest<'a>, root: u32) -> Option<(EvidencePath<'a>, bool)> {
    let mut row_of = vec![usize::MAX; digest.places.len()];
    let mut path = EvidencePath { rows: Vec::new(), back: None };
    let mut next = Some((root, None));
    while let Some((place, step)) = next {
        if row_of[place as usize] != usize::MAX {
            path.close(row_of[place as usize], step);
            break;
        }
        if step.is_some() || path.rows.is_empty() {
            let state = digest.node(digest.place(place).node).state;
            path.rows.push(PathRow { state, step, places: Vec::new(), facts: Vec::new() });
        }
        row_of[place as usize] = path.rows.len() - 1;
        let row = path.rows.last_mut()?;
        let Some(onward) = pass(digest, place, row) else { return Some((path, true)) };
        next = onward.map(|next| (next.place, next.step));
    }
    Some((path, false))
}

/// Notes a place in its row. The outer `None` if more than one way leads on.
fn pass<'a>(digest: &Digest<'a>, place: u32, row: &mut PathRow) -> Option<Option<DigestEdge<'a>>> {
    row.places.push(place);
    let here = digest.place(place);
    row.facts.extend(&here.facts);
    let is_reason =
        |next: &DigestEdge| next.step.is_none() && digest.place(next.place).moves.is_empty();
    let mut onward: Vec<DigestEdge> = Vec::new();
    for next in &here.moves {
        if is_reason(next) {
            row.facts.extend(&digest.place(next.place).facts);
        } else if !onward.iter().any(|other| is_same(other, next)) {
            onward.push(*next);
        }
    }
    // A step that only has to be there is shown if nothing else is.
    let (bare, onward): (Vec<DigestEdge>, Vec<DigestEdge>) =
        onward.into_iter().partition(|next| digest.is_bare(next));
    match (&onward[..], &bare[..]) {
        ([], []) => Some(None),
        ([only], _) | ([], [only]) => Some(Some(*only)),
        _ => None,
    }
}

fn is_same(a: &DigestEdge, b: &DigestEdge) -> bool {
    a.place == b.place && a.step == b.step
}
