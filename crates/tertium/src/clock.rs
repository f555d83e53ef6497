//! The clock of a call: stops monitors at given times, all of them from one thread.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;
use support::{Monitor, StopReason};

#[derive(Default)]
pub struct Clock(Arc<Dial>);

#[derive(Default)]
struct Dial {
    hands: Mutex<Hands>,
    moved: Condvar,
}

#[derive(Default)]
struct Hands {
    /// By number: when to stop which monitor.
    alarms: Vec<(u64, Instant, Monitor)>,
    next: u64,
    has_thread: bool,
    /// When the thread looks again by itself.
    wakes: Option<Instant>,
    is_over: bool,
}

/// A time at which a monitor is stopped, unless this is dropped before.
pub struct Alarm<'a> {
    clock: &'a Clock,
    number: u64,
}

impl Clock {
    pub fn stop_at(&self, monitor: &Monitor, at: Instant) -> Alarm<'_> {
        let mut hands = self.0.hands();
        let number = hands.next;
        hands.next += 1;
        hands.alarms.push((number, at, monitor.clone()));
        if !std::mem::replace(&mut hands.has_thread, true) {
            let dial = self.0.clone();
            thread::spawn(move || dial.run());
        } else if hands.wakes.is_none_or(|wakes| at < wakes) {
            self.0.moved.notify_one();
        }
        Alarm { clock: self, number }
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        self.0.hands().is_over = true;
        self.0.moved.notify_one();
    }
}

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        self.clock.0.hands().alarms.retain(|(number, ..)| *number != self.number);
    }
}

impl Dial {
    fn hands(&self) -> MutexGuard<'_, Hands> {
        self.hands.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        let mut hands = self.hands();
        while !hands.is_over {
            let now = Instant::now();
            hands.alarms.retain(|(_, at, monitor)| {
                if *at <= now {
                    monitor.stop(StopReason::Timeout);
                }
                *at > now
            });
            hands.wakes = hands.alarms.iter().map(|(_, at, _)| *at).min();
            hands = match hands.wakes {
                Some(at) => {
                    let left = at.duration_since(now);
                    let woken = self.moved.wait_timeout(hands, left);
                    woken.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.moved.wait(hands).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_later_alarm_may_ring_first_and_a_dropped_one_never_rings() {
        let (clock, now) = (Clock::default(), Instant::now());
        let [late, early, dropped] = [(); 3].map(|()| Monitor::new());
        let _late = clock.stop_at(&late, now + Duration::from_secs(600));
        drop(clock.stop_at(&dropped, now + Duration::from_millis(20)));
        let _early = clock.stop_at(&early, now + Duration::from_millis(30));
        while early.check().is_ok() {
            thread::yield_now();
        }
        assert!(now.elapsed() >= Duration::from_millis(30));
        assert!(late.check().is_ok() && dropped.check().is_ok());
    }
}
