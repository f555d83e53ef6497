//! Other variables in the place of some.

use super::node::Edge;
use super::{Kernel, Op};
use crate::Stop;

/// Renamings that were registered, each a map from variables to variables.
#[derive(Default)]
pub(crate) struct Renamings {
    maps: Vec<Vec<u32>>,
}

impl Kernel {
    /// Registers a renaming of variables into others of their groups; the others stay.
    pub fn add_renaming(&mut self, pairs: &[(u32, u32)]) -> u32 {
        let mut map: Vec<u32> = (0..self.tables.len() as u32).collect();
        for &(from, to) in pairs {
            debug_assert_eq!(self.groups[from as usize], self.groups[to as usize]);
            map[from as usize] = to;
        }
        self.renamings.maps.push(map);
        self.renamings.maps.len() as u32 - 1
    }

    /// The function of other variables. It depends on at most one of each group in which something is
    /// renamed; as groups keep together, the order of the variables stays the same.
    pub fn rename(&mut self, f: Edge, renaming: u32) -> Result<Edge, Stop> {
        if f.is_constant() {
            return Ok(f);
        }
        let (sign, f) = (f, f.positive());
        let key = Edge(renaming);
        if let Some(known) = self.cache.get(Op::Rename, f, key, key) {
            return Ok(known.with_sign_of(sign));
        }
        self.tick()?;
        let node = *self.node(f);
        let high = self.rename(node.high, renaming)?;
        let low = self.rename(node.low, renaming)?;
        let map = &self.renamings.maps[renaming as usize];
        let var = map.get(node.var as usize).copied().unwrap_or(node.var);
        let result = self.make(var, high, low)?;
        self.cache.put(Op::Rename, f, key, key, result);
        Ok(result.with_sign_of(sign))
    }
}
