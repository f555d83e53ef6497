//! How a long computation is watched and stopped from outside.
//!
//! The core never reads a clock. It calls [`Monitor::step`] every few thousand operations and takes the
//! memory of what grows from the account of its check ([`Monitor::reserve`]) before it allocates it; the
//! owner of the clock and the keyboard calls [`Monitor::stop`].

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    Timeout,
    Memory,
    Cancelled,
    /// The question does not fit the engine's 32-bit ids.
    Size,
    /// There are more states than are to be enumerated.
    States,
    /// The BDDs need more nodes than there is room for.
    Nodes,
    /// The attempt was not to cost more.
    Effort,
    /// More processes run at a time than the model of the program has.
    Processes,
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
            StopReason::Nodes => "the BDDs exceeded the node limit",
            StopReason::Effort => "it was given up as too costly",
            StopReason::Processes => "more than 16 processes of one proctype run at a time",
        })
    }
}

impl std::error::Error for Stopped {}

/// Ends every computation that listens to it; any thread may pull it.
#[derive(Clone, Default, Debug)]
pub struct CancelFlag(Arc<AtomicBool>);

impl CancelFlag {
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the computations to end, for good.
    pub fn pull(&self) {
        self.0.store(true, Relaxed);
    }

    pub fn is_pulled(&self) -> bool {
        self.0.load(Relaxed)
    }
}

#[derive(Default)]
struct Shared {
    stop: AtomicU8,
    /// The memory that this computation may take, in bytes; 0: no limit of its own.
    limit: AtomicU64,
    cancel: CancelFlag,
    done: AtomicU64,
    total: AtomicU64,
    phase: Mutex<&'static str>,
}

/// The memory of one check and of its parts, in bytes.
#[derive(Default, Debug)]
struct Account {
    reserved: AtomicU64,
    /// Bytes in use by the whole process, if they are counted: the backstop for memory that is not reserved.
    in_use: AtomicU64,
}

impl Account {
    fn taken(&self) -> u64 {
        self.reserved.load(Relaxed).max(self.in_use.load(Relaxed))
    }
}

/// A handle that the computation and its watchers share: the memory that it may take, what stops it, how far
/// it has come. Two computations with a monitor each do not disturb each other.
#[derive(Clone, Default)]
pub struct Monitor {
    shared: Arc<Shared>,
    account: Arc<Account>,
    parent: Option<Arc<Parent>>,
}

/// Whom a monitor answers to.
struct Parent {
    monitor: Monitor,
    /// Whether the parent shows the progress.
    is_shown: bool,
}

/// Memory taken from a monitor's account, and given back when it is dropped.
#[must_use = "the memory is given back at once"]
#[derive(Default, Debug)]
pub struct Reservation {
    account: Option<Arc<Account>>,
    bytes: u64,
}

impl Reservation {
    /// Takes or gives back as much as is needed to hold `bytes` in all. To be called before the memory is
    /// allocated.
    pub fn cover(&mut self, bytes: u64, monitor: &Monitor) -> Result<(), Stopped> {
        let account = self.account.get_or_insert_with(|| monitor.account.clone());
        if let Some(more) = bytes.checked_sub(self.bytes) {
            let taken = account.taken().saturating_add(more);
            if monitor.memory_limit().is_some_and(|limit| taken > limit) {
                monitor.stop(StopReason::Memory);
            }
            monitor.check()?;
            account.reserved.fetch_add(more, Relaxed);
        } else {
            account.reserved.fetch_sub(self.bytes - bytes, Relaxed);
        }
        self.bytes = bytes;
        Ok(())
    }

    /// Takes so many bytes more; see [`Reservation::cover`].
    pub fn grow(&mut self, more: u64, monitor: &Monitor) -> Result<(), Stopped> {
        self.cover(self.bytes.saturating_add(more), monitor)
    }

    /// Holds at least `bytes`, and somewhat more if it has to take any, so that it is cheap to call often.
    #[inline]
    pub fn keep_up(&mut self, bytes: u64, monitor: &Monitor) -> Result<(), Stopped> {
        if bytes <= self.bytes { Ok(()) } else { self.cover(bytes + bytes / 4, monitor) }
    }

    /// Makes sure that `additional` more fit into a vector, growing by halves at least.
    #[inline]
    pub fn make_room<T>(
        &mut self,
        vector: &mut Vec<T>,
        additional: usize,
        monitor: &Monitor,
    ) -> Result<(), Stopped> {
        if vector.capacity() - vector.len() < additional {
            let additional = additional.max(vector.len() / 2);
            self.grow((additional * size_of::<T>()) as u64, monitor)?;
            vector.reserve_exact(additional);
        }
        Ok(())
    }

    /// Takes over what another one holds, for what belongs together from now on.
    pub fn join(&mut self, other: Reservation) {
        if let Some(account) = &other.account {
            let own = self.account.get_or_insert_with(|| account.clone());
            own.reserved.fetch_add(other.bytes, Relaxed);
            self.bytes += other.bytes;
        }
    }

    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Counts the copy without a check: the next reservation meets the limit.
impl Clone for Reservation {
    fn clone(&self) -> Self {
        if let Some(account) = &self.account {
            account.reserved.fetch_add(self.bytes, Relaxed);
        }
        Self { account: self.account.clone(), bytes: self.bytes }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if let Some(account) = &self.account {
            account.reserved.fetch_sub(self.bytes, Relaxed);
        }
    }
}

impl Monitor {
    /// A monitor without limits and observers.
    pub fn new() -> Self {
        Self::default()
    }

    /// A monitor that stops when `cancel` is pulled.
    pub fn listening_to(cancel: &CancelFlag) -> Self {
        let shared = Shared { cancel: cancel.clone(), ..Shared::default() };
        Self { shared: Arc::new(shared), ..Self::default() }
    }

    /// A monitor for one of several computations that have the same end and the same memory: it stops when
    /// this one does, can be stopped by itself, and may get a lower limit. One of them may show its progress here.
    #[must_use]
    pub fn child(&self, is_shown: bool) -> Monitor {
        let parent = Arc::new(Parent { monitor: self.clone(), is_shown });
        Self { shared: Arc::default(), account: self.account.clone(), parent: Some(parent) }
    }

    /// The one that shows the progress of this one.
    fn shown_by(&self) -> Option<&Monitor> {
        self.parent.as_deref().filter(|parent| parent.is_shown).map(|parent| &parent.monitor)
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
            StopReason::Effort => 7,
            StopReason::Processes => 8,
        };
        let _ = self.shared.stop.compare_exchange(0, code, Relaxed, Relaxed);
    }

    pub fn check(&self) -> Result<(), Stopped> {
        let reason = match self.shared.stop.load(Relaxed) {
            0 if self.shared.cancel.is_pulled() => StopReason::Cancelled,
            0 if self.is_over(self.account.in_use.load(Relaxed)) => StopReason::Memory,
            0 => return self.parent.as_deref().map_or(Ok(()), |parent| parent.monitor.check()),
            1 => StopReason::Timeout,
            2 => StopReason::Memory,
            3 => StopReason::Cancelled,
            4 => StopReason::Size,
            5 => StopReason::States,
            6 => StopReason::Nodes,
            7 => StopReason::Effort,
            _ => StopReason::Processes,
        };
        Err(Stopped(reason))
    }

    /// Reports `work` more units done in this phase.
    pub fn step(&self, work: u64) -> Result<(), Stopped> {
        self.shared.done.fetch_add(work, Relaxed);
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
        *self.shared.phase.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = name;
        self.shared.done.store(0, Relaxed);
        self.shared.total.store(total, Relaxed);
    }

    /// Name, units done and units in all of the present phase.
    pub fn progress(&self) -> (&'static str, u64, u64) {
        let name = *self.shared.phase.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        (name, self.shared.done.load(Relaxed), self.shared.total.load(Relaxed))
    }

    /// At most this many bytes (0: no limit).
    pub fn limit_memory(&self, bytes: u64) {
        self.shared.limit.store(bytes, Relaxed);
    }

    /// Whether so many bytes are over the limit of this computation itself.
    fn is_over(&self, bytes: u64) -> bool {
        let limit = self.shared.limit.load(Relaxed);
        limit != 0 && bytes > limit
    }

    /// Tells how much memory the process has in use now, if the owner of its allocator counts that; stops the
    /// computation if that is over the limit.
    pub fn memory_in_use(&self, bytes: u64) {
        self.account.in_use.store(bytes, Relaxed);
        if self.is_over(bytes) {
            self.stop(StopReason::Memory);
        }
    }

    /// Takes memory from the account, before it is allocated.
    pub fn reserve(&self, bytes: u64) -> Result<Reservation, Stopped> {
        let mut reservation = Reservation::default();
        reservation.cover(bytes, self)?;
        Ok(reservation)
    }

    /// The bytes reserved now.
    pub fn reserved(&self) -> u64 {
        self.account.reserved.load(Relaxed)
    }

    /// The limit of the memory, if there is one: its own or the parent's, whichever is lower.
    pub fn memory_limit(&self) -> Option<u64> {
        let own = Some(self.shared.limit.load(Relaxed)).filter(|&limit| limit != 0);
        let parents = self.parent.as_deref().and_then(|parent| parent.monitor.memory_limit());
        own.into_iter().chain(parents).min()
    }

    /// The bytes that are left, if there is a limit.
    pub fn memory_left(&self) -> Option<u64> {
        Some(self.memory_limit()?.saturating_sub(self.account.taken()))
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
        assert_eq!(child.reserve(500).err(), Some(Stopped(StopReason::Memory)));
        assert!(monitor.check().is_ok());
    }

    #[test]
    fn a_child_may_have_less_of_it() {
        let monitor = Monitor::new();
        monitor.limit_memory(1000);
        let child = monitor.child(false);
        child.limit_memory(500);
        assert_eq!((monitor.memory_limit(), child.memory_limit()), (Some(1000), Some(500)));
        monitor.memory_in_use(600);
        assert_eq!(child.check(), Err(Stopped(StopReason::Memory)));
        assert_eq!(child.reserve(1).err(), Some(Stopped(StopReason::Memory)));
        assert!(monitor.reserve(300).is_ok());
    }

    #[test]
    fn a_large_allocation_is_refused_before_it_is_made() {
        let monitor = Monitor::new();
        monitor.limit_memory(1000);
        monitor.memory_in_use(600);
        assert!(monitor.reserve(300).is_ok());
        assert_eq!(monitor.reserve(500).err(), Some(Stopped(StopReason::Memory)));
    }

    #[test]
    fn what_is_reserved_is_given_back() {
        let [one, other] = [Monitor::new(), Monitor::new()];
        one.limit_memory(1000);
        let mut held = one.reserve(600).unwrap();
        held.cover(900, &one).unwrap();
        held.cover(500, &one).unwrap();
        let copy = held.clone();
        assert_eq!((one.reserved(), other.reserved(), one.memory_left()), (1000, 0, Some(0)));
        drop((held, copy));
        assert_eq!((one.reserved(), other.memory_left()), (0, None));
        let all = one.child(false).reserve(1000).unwrap();
        assert!(other.reserve(u64::MAX).is_ok());
        assert_eq!(one.reserve(1).err(), Some(Stopped(StopReason::Memory)));
        assert_eq!(all.bytes(), 1000);
    }

    #[test]
    fn cancelling_stops_all_monitors() {
        let cancel = CancelFlag::new();
        let [first, second] = [Monitor::listening_to(&cancel), Monitor::new()];
        let child = first.child(false);
        std::thread::scope(|scope| {
            scope.spawn(|| cancel.pull());
        });
        assert_eq!(first.step(1), Err(Stopped(StopReason::Cancelled)));
        assert_eq!(child.check(), first.check());
        assert!(second.check().is_ok());
    }
}
