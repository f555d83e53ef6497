//! Counts the memory in use, and keeps it within `--memory`.
//!
//! A worker that comes over the limit is first asked to stop, through the [`Cancel`]. One that goes
//! on, or that asks for a piece which is too large for itself, gets nothing any more: it stands still
//! in the middle of its request. The main thread, which may always allocate, then tells the user and
//! ends the process. So neither the limit nor an exhausted machine ends in an abort.
#![expect(unsafe_code, reason = "GlobalAlloc is an unsafe trait; every method forwards to System")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr::null_mut;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use tertium::{Cancel, StopReason};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

static IN_USE: AtomicU64 = AtomicU64::new(0);
static PEAK: AtomicU64 = AtomicU64::new(0);
/// The amount last reported to the monitor.
static REPORTED: AtomicU64 = AtomicU64::new(0);
/// Nothing is given to a worker beyond this.
static CEILING: AtomicU64 = AtomicU64::new(u64::MAX);
static MONITOR: OnceLock<Cancel> = OnceLock::new();

thread_local! {
    // Const and without a destructor: reading it allocates nothing.
    static IS_EXEMPT: Cell<bool> = const { Cell::new(false) };
}

/// A reserve for the messages of the main thread once the machine is out of memory.
static RESERVE: AtomicPtr<u8> = AtomicPtr::new(null_mut());
const RESERVE_LAYOUT: Layout = Layout::new::<[u64; 1 << 19]>();

/// The monitor is told whenever the memory in use has changed by this much.
const GRAIN: u64 = 1 << 20;

/// Lets the monitor know of the memory in use from now on, and sets its limit.
pub fn watch(monitor: &Cancel, limit: Option<u64>) {
    if let Some(bytes) = limit {
        monitor.limit_memory(bytes);
        let slack = (bytes / 16).max(4 * GRAIN);
        CEILING.store(bytes.saturating_add(slack), Relaxed);
    }
    if MONITOR.set(monitor.clone()).is_ok() {
        // SAFETY: the layout is not of size zero.
        RESERVE.store(unsafe { System.alloc(RESERVE_LAYOUT) }, Relaxed);
        monitor.memory_in_use(IN_USE.load(Relaxed));
    }
}

/// Exempts this thread, which writes messages, from being suspended when memory runs out.
pub fn exempt_this_thread() {
    IS_EXEMPT.set(true);
}

/// The memory in use now.
pub fn bytes_in_use() -> u64 {
    IN_USE.load(Relaxed)
}

/// The most memory that was in use so far.
pub fn peak_bytes() -> u64 {
    PEAK.load(Relaxed).max(IN_USE.load(Relaxed))
}

struct Counting;

// SAFETY: every method returns what `System` returns for the same layout, so `System`'s guarantees
// carry over. The counting beside it touches atomics and a plain thread-local only: it neither
// allocates nor unwinds. Not to return at all is allowed to an allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise about `layout` is passed on.
        obtain(layout.size(), || unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise about `layout` is passed on.
        obtain(layout.size(), || unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: `pointer` came from `System` with this layout, by the methods around this one.
        unsafe { System.dealloc(pointer, layout) };
        forget(layout.size());
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // What grows is counted by its growth: large pieces are moved by the page table, not copied.
        let more = new_size.saturating_sub(layout.size());
        // SAFETY: as for `dealloc`; the caller's promise about `new_size` is passed on. A call that
        // failed has left `pointer` as it was, so that a second one is as good as the first.
        let moved = obtain(more, || unsafe { System.realloc(pointer, layout, new_size) });
        if !moved.is_null() {
            forget(layout.size().saturating_sub(new_size));
        }
        moved
    }
}

/// Tries once more if the first attempt fails and this thread may have the reserve.
#[inline]
fn obtain(bytes: usize, attempt: impl Fn() -> *mut u8) -> *mut u8 {
    if IN_USE.load(Relaxed).saturating_add(bytes as u64) > CEILING.load(Relaxed) {
        refuse();
    }
    let mut pointer = attempt();
    if pointer.is_null() {
        give_reserve();
        refuse();
        pointer = attempt();
    }
    if !pointer.is_null() {
        count(bytes);
    }
    pointer
}

#[inline]
fn count(bytes: usize) {
    let in_use = IN_USE.fetch_add(bytes as u64, Relaxed) + bytes as u64;
    if in_use.abs_diff(REPORTED.load(Relaxed)) >= GRAIN {
        tell(in_use);
    }
}

#[inline]
fn forget(bytes: usize) {
    let in_use = IN_USE.fetch_sub(bytes as u64, Relaxed) - bytes as u64;
    if in_use.abs_diff(REPORTED.load(Relaxed)) >= GRAIN {
        tell(in_use);
    }
}

#[cold]
fn tell(in_use: u64) {
    REPORTED.store(in_use, Relaxed);
    PEAK.fetch_max(in_use, Relaxed);
    if let Some(monitor) = MONITOR.get() {
        monitor.memory_in_use(in_use);
    }
}

#[cold]
fn give_reserve() {
    let reserve = RESERVE.swap(null_mut(), Relaxed);
    if !reserve.is_null() {
        // SAFETY: it came from `System` with this layout, and the swap gave it to one thread only.
        unsafe { System.dealloc(reserve, RESERVE_LAYOUT) };
    }
}

/// Returns to trusted threads, and to all threads while there is no limit.
#[cold]
fn refuse() {
    let Some(monitor) = MONITOR.get() else { return };
    monitor.stop(StopReason::Memory);
    while !IS_EXEMPT.get() {
        std::thread::sleep(Duration::from_secs(1));
    }
}
