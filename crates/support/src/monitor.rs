//! How a long computation is watched and stopped from outside.
//!
//! The core never reads a clock. It calls [`Monitor::step`] every few thousand operations and
//! [`Monitor::reserve`] before a large allocation; the owner of the clock, the allocator and the
//! keyboard calls [`Monitor::stop`].

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    Timeout,
    Memory,
    Cancelled,
    /// The question does not fit the engine's 32-bit ids.
    Size,
    /// There are more states than are to be enumerated.
    States,
    /// The decision diagrams need more nodes than there is room for.
    Nodes,
}

/// The computation was stopped before it had an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped(pub StopReason);

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self.0 {
            StopReason::Timeout => "the time limit was reached",
            StopReason::Memory => "the memory limit was reached",
            StopReason::Cancelled => "interrupted",
            StopReason::Size => "the game has more than 2^32 positions",
            StopReason::States => "there are more states than `--states` allows",
            StopReason::Nodes => "the decision diagrams got too large",
        })
    }
}

impl std::error::Error for Stopped {}

#[derive(Default)]
struct Shared {
    stop: AtomicU8,
    memory_limit: AtomicU64,
    memory_used: AtomicU64,
    done: AtomicU64,
    total: AtomicU64,
    phase: Mutex<&'static str>,
}

/// A handle that the computation and its watchers share.
#[derive(Clone, Default)]
pub struct Monitor(Arc<Shared>, Option<Arc<Parent>>);

/// Whom a monitor answers to.
struct Parent {
    monitor: Monitor,
    /// Whether the parent shows the progress.
    is_shown: bool,
}

impl Monitor {
    /// A monitor for one of several computations that have the same end: it stops when this one does, and
    /// can be stopped by itself. One of them may show its progress here.
    #[must_use]
    pub fn child(&self, is_shown: bool) -> Monitor {
        Self(Arc::default(), Some(Arc::new(Parent { monitor: self.clone(), is_shown })))
    }

    /// The one that shows the progress of this one.
    fn shown_by(&self) -> Option<&Monitor> {
        self.1.as_deref().filter(|parent| parent.is_shown).map(|parent| &parent.monitor)
    }

    /// The one that knows the memory.
    fn eldest(&self) -> &Monitor {
        self.1.as_deref().map_or(self, |parent| parent.monitor.eldest())
    }

    /// Nobody watches, nothing stops it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the computation to end. The first reason given stays.
    pub fn stop(&self, reason: StopReason) {
        let code = match reason {
            StopReason::Timeout => 1,
            StopReason::Memory => 2,
            StopReason::Cancelled => 3,
            StopReason::Size => 4,
            StopReason::States => 5,
            StopReason::Nodes => 6,
        };
        let _ = self.0.stop.compare_exchange(0, code, Relaxed, Relaxed);
    }

    pub fn check(&self) -> Result<(), Stopped> {
        match self.0.stop.load(Relaxed) {
            0 => self.1.as_deref().map_or(Ok(()), |parent| parent.monitor.check()),
            1 => Err(Stopped(StopReason::Timeout)),
            2 => Err(Stopped(StopReason::Memory)),
            3 => Err(Stopped(StopReason::Cancelled)),
            4 => Err(Stopped(StopReason::Size)),
            5 => Err(Stopped(StopReason::States)),
            _ => Err(Stopped(StopReason::Nodes)),
        }
    }

    /// Reports `work` more units done in this phase.
    pub fn step(&self, work: u64) -> Result<(), Stopped> {
        self.0.done.fetch_add(work, Relaxed);
        if let Some(parent) = self.shown_by() {
            parent.step(work)?;
        }
        self.check()
    }

    /// Begins a phase of about `total` units (0 if that is not known).
    pub fn phase(&self, name: &'static str, total: u64) {
        if let Some(parent) = self.shown_by() {
            parent.phase(name, total);
        }
        *self.0.phase.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = name;
        self.0.done.store(0, Relaxed);
        self.0.total.store(total, Relaxed);
    }

    /// Name, units done and units in all of the present phase.
    pub fn progress(&self) -> (&'static str, u64, u64) {
        let name = *self.0.phase.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        (name, self.0.done.load(Relaxed), self.0.total.load(Relaxed))
    }

    /// At most this many bytes (0: no limit).
    pub fn limit_memory(&self, bytes: u64) {
        self.0.memory_limit.store(bytes, Relaxed);
    }

    /// Tells how much memory is in use now; stops the computation if that is over the limit.
    pub fn memory_in_use(&self, bytes: u64) {
        self.0.memory_used.store(bytes, Relaxed);
        let limit = self.0.memory_limit.load(Relaxed);
        if limit != 0 && bytes > limit {
            self.stop(StopReason::Memory);
        }
    }

    /// To be asked before an allocation that is large for itself.
    pub fn reserve(&self, bytes: u64) -> Result<(), Stopped> {
        let Shared { memory_limit, memory_used, .. } = &*self.eldest().0;
        let limit = memory_limit.load(Relaxed);
        if limit != 0 && memory_used.load(Relaxed).saturating_add(bytes) > limit {
            self.stop(StopReason::Memory);
        }
        self.check()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_stays() {
        let monitor = Monitor::new();
        assert!(monitor.check().is_ok());
        monitor.stop(StopReason::Timeout);
        monitor.stop(StopReason::Cancelled);
        assert_eq!(monitor.step(1), Err(Stopped(StopReason::Timeout)));
    }

    #[test]
    fn a_child_stops_alone_and_with_its_parent() {
        let monitor = Monitor::new();
        let [first, second] = [true, false].map(|is_shown| monitor.child(is_shown));
        first.phase("playing", 9);
        assert!(first.step(2).is_ok() && second.step(5).is_ok());
        assert_eq!(monitor.progress(), ("playing", 2, 9));
        first.stop(StopReason::Cancelled);
        assert!(first.check().is_err() && second.check().is_ok() && monitor.check().is_ok());
        monitor.stop(StopReason::Timeout);
        assert_eq!(second.step(1), Err(Stopped(StopReason::Timeout)));
        assert_eq!(first.check(), Err(Stopped(StopReason::Cancelled)));
    }

    #[test]
    fn children_share_the_memory() {
        let monitor = Monitor::new();
        monitor.limit_memory(1000);
        monitor.memory_in_use(600);
        let child = monitor.child(false);
        assert_eq!(child.reserve(500), Err(Stopped(StopReason::Memory)));
        assert!(monitor.check().is_ok());
    }

    #[test]
    fn a_large_allocation_is_refused_before_it_is_made() {
        let monitor = Monitor::new();
        monitor.limit_memory(1000);
        monitor.memory_in_use(600);
        assert!(monitor.reserve(300).is_ok());
        assert_eq!(monitor.reserve(500), Err(Stopped(StopReason::Memory)));
    }
}
