//! Other variables in the place of some.

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
    /// By variable.
    becomes: Vec<u32>,
}

impl Kernel {
    /// Registers a renaming of variables into others of their groups; the others stay.
    pub fn add_renaming(&mut self, pairs: &[(u32, u32)]) -> u32 {
        let mut becomes: Vec<u32> = (0..self.tables.len() as u32).collect();
        for &(from, to) in pairs {
            debug_assert_eq!(self.groups[from as usize], self.groups[to as usize]);
            becomes[from as usize] = to;
        }
        let changed = pairs.iter().map(|&(from, _)| from).collect();
        self.renamings.known.push(Renaming { changed, becomes });
        self.renamings.known.len() as u32 - 1
    }

    /// The function of other variables. It depends on at most one of each group in which something is
    /// renamed; as groups keep together, the order of the variables stays the same.
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
        let becomes = &self.renamings.known[renaming as usize].becomes;
        let var = becomes.get(node.var as usize).copied().unwrap_or(node.var);
        let result = self.make(var, high, low)?;
        self.cache.put(Op::Rename, f, key, key, result);
        Ok(result.with_sign_of(sign))
    }
}
