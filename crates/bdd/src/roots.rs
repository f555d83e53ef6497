//! The roots: functions that are referenced outside of the kernel.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// How often every node is held, by node as far as any has been.
#[derive(Default)]
pub(crate) struct Roots {
    counts: Mutex<Vec<u32>>,
}

impl Roots {
    #[inline]
    fn counts(&self) -> MutexGuard<'_, Vec<u32>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline]
    pub fn hold(&self, node: u32) {
        if node == 0 {
            return;
        }
        let mut counts = self.counts();
        if node as usize >= counts.len() {
            counts.resize(node as usize + 1, 0);
        }
        counts[node as usize] += 1;
    }

    #[inline]
    pub fn let_go(&self, node: u32) {
        if node != 0
            && let Some(count) = self.counts().get_mut(node as usize)
        {
            *count -= 1;
        }
    }

    /// In order, so that what follows from it is the same every time.
    pub fn nodes(&self) -> Vec<u32> {
        let counts = self.counts();
        let held = counts.iter().enumerate().filter(|&(_, &count)| count > 0);
        held.map(|(node, _)| node as u32).collect()
    }
}
