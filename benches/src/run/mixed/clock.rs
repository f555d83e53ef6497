//! The time that a thread has had a processor for.

use std::fs;
use std::time::{Duration, Instant};

/// Other programs hardly change it. It is told to the tick, so a short time is taken from the wall, and so is all where the
/// system tells nothing.
pub struct Clock {
    wall: Instant,
    used: Option<Duration>,
}

const SHORT: Duration = Duration::from_millis(20);

impl Clock {
    pub fn start() -> Self {
        Self { wall: Instant::now(), used: used() }
    }

    /// Since the start, in the same thread.
    pub fn seconds(&self) -> f64 {
        let wall = self.wall.elapsed();
        let used = self.used.zip(used()).map(|(before, now)| now.saturating_sub(before));
        used.filter(|_| wall > SHORT).unwrap_or(wall).as_secs_f64()
    }
}

/// By Linux, in nanoseconds.
fn used() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_forward_and_no_faster_than_the_wall() {
        let (wall, clock) = (Instant::now(), Clock::start());
        while wall.elapsed() < Duration::from_millis(30) {}
        let seconds = clock.seconds();
        assert!(seconds <= wall.elapsed().as_secs_f64() + 0.01, "{seconds}");
    }
}
