//! Renaming of variables.

use super::node::Edge;
use super::{Kernel, Op};
use crate::Stop;

/// Renamings that were registered.
#[derive(Default)]
pub(crate) struct Renamings {
    known: Vec<Renaming>,
}

struct Renaming {
    /// The variables that become others.
    changed: Vec<u32>,
    /// The first of them by number.
    first: u32,
    /// By variable from the first on, as far as the last that becomes another.
    becomes: Vec<u32>,
}

impl Renaming {
    fn of(&self, var: u32) -> u32 {
        let place = var.checked_sub(self.first);
        place.and_then(|place| self.becomes.get(place as usize)).copied().unwrap_or(var)
    }
}

impl Kernel {
    /// Registers a renaming of variables into others of their groups; the others stay.
    pub fn add_renaming(&mut self, pairs: &[(u32, u32)]) -> u32 {
        let changed: Vec<u32> = pairs.iter().map(|&(from, _)| from).collect();
        let first = changed.iter().copied().min().unwrap_or(0);
        let last = changed.iter().copied().max().unwrap_or(0);
        let mut becomes: Vec<u32> = (first..=last).collect();
        for &(from, to) in pairs {
            debug_assert_eq!(self.groups[from as usize], self.groups[to as usize]);
            becomes[(from - first) as usize] = to;
        }
        self.renamings.known.push(Renaming { changed, first, becomes });
        self.renamings.known.len() as u32 - 1
    }

    /// The function of other variables. Within a group, those that it depends on keep their order; as groups
    /// keep together, so do all.
    pub fn rename(&mut self, f: Edge, renaming: u32) -> Result<Edge, Stop> {
        let changed = &self.renamings.known[renaming as usize].changed;
        let lowest = changed.iter().map(|&var| self.levels[var as usize]).max();
        lowest.map_or(Ok(f), |lowest| self.rename_above(f, renaming, lowest))
    }

    /// Below the lowest of the variables that are renamed, all stays.
    fn rename_above(&mut self, f: Edge, renaming: u32, lowest: u32) -> Result<Edge, Stop> {
        if self.level(f) > lowest {
            return Ok(f);
        }
        let (sign, f) = (f, f.positive());
        let key = Edge(renaming);
        if let Some(known) = self.cache.get(Op::Rename, f, key, key) {
            return Ok(known.with_sign_of(sign));
        }
        self.tick()?;
        let node = *self.node(f);
        let high = self.rename_above(node.high, renaming, lowest)?;
        let low = self.rename_above(node.low, renaming, lowest)?;
        let var = self.renamings.known[renaming as usize].of(node.var);
        let result = self.make(var, high, low)?;
        self.cache.put(Op::Rename, f, key, key, result);
        Ok(result.with_sign_of(sign))
    }
}
