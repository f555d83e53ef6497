//! The functions that somebody outside of the kernel holds.

use std::cell::RefCell;

/// How often every node is held, by node as far as any has been.
#[derive(Default)]
pub(crate) struct Roots {
    counts: RefCell<Vec<u32>>,
}

impl Roots {
    #[inline]
    pub fn hold(&self, node: u32) {
        if node == 0 {
            return;
        }
        let mut counts = self.counts.borrow_mut();
        if node as usize >= counts.len() {
            counts.resize(node as usize + 1, 0);
        }
        counts[node as usize] += 1;
    }

    #[inline]
    pub fn let_go(&self, node: u32) {
        if node != 0
            && let Some(count) = self.counts.borrow_mut().get_mut(node as usize)
        {
            *count -= 1;
        }
    }

    /// In order, so that what follows from it is the same every time.
    pub fn nodes(&self) -> Vec<u32> {
        let counts = self.counts.borrow();
        let held = counts.iter().enumerate().filter(|&(_, &count)| count > 0);
        held.map(|(node, _)| node as u32).collect()
    }
}
