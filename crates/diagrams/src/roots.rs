//! The functions that somebody outside of the kernel holds.

use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// How often every node is held.
#[derive(Default)]
pub(crate) struct Roots {
    counts: RefCell<FxHashMap<u32, u32>>,
}

impl Roots {
    pub fn hold(&self, node: u32) {
        if node != 0 {
            *self.counts.borrow_mut().entry(node).or_insert(0) += 1;
        }
    }

    pub fn let_go(&self, node: u32) {
        let mut counts = self.counts.borrow_mut();
        if let Some(count) = counts.get_mut(&node) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&node);
            }
        }
    }

    /// In order, so that what follows from it is the same every time.
    pub fn nodes(&self) -> Vec<u32> {
        let mut nodes: Vec<u32> = self.counts.borrow().keys().copied().collect();
        nodes.sort_unstable();
        nodes
    }
}
