//! Runs that would take all time and all memory, within limits.

use std::thread;
use std::time::{Duration, Instant};
use support::{CancelFlag, Monitor, StopReason, Stopped};

/// How long a run may go on after it was cancelled.
const SOON: Duration = Duration::from_millis(200);
/// How often a machine that is busy with other things may be too slow.
const TRIES: usize = 5;

/// Runs something twice at once, that needs more than `bytes` and takes longer than anybody waits: the run that has
/// so many bytes stops for want of memory, the other does not notice, and stops soon when it is cancelled.
pub fn keeps_its_limits<T>(bytes: u64, run: impl Fn(&Monitor) -> Result<T, Stopped> + Sync) {
    let mut delays = Vec::new();
    while delays.last().is_none_or(|&delay| delay > SOON) {
        assert!(delays.len() < TRIES, "cancelled, but it went on for {delays:?}");
        delays.push(delay(bytes, &run));
    }
}

/// How long the second run goes on after it was cancelled.
fn delay<T>(bytes: u64, run: &(impl Fn(&Monitor) -> Result<T, Stopped> + Sync)) -> Duration {
    let cancel = CancelFlag::new();
    let (small, large) = (Monitor::new(), Monitor::listening_to(&cancel));
    small.limit_memory(bytes);
    let delay = thread::scope(|scope| {
        let other = scope.spawn(|| (run(&large).err(), Instant::now()));
        assert_eq!(run(&small).err(), Some(Stopped(StopReason::Memory)));
        thread::sleep(Duration::from_millis(50));
        assert!(!other.is_finished(), "it has more than {bytes} bytes");
        let pulled = Instant::now();
        cancel.pull();
        let (ended, at) = other.join().expect("no panic");
        assert_eq!(ended, Some(Stopped(StopReason::Cancelled)));
        at.duration_since(pulled)
    });
    assert_eq!((small.reserved(), large.reserved()), (0, 0), "all is given back");
    delay
}
