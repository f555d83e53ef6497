//! Any text: an answer or a message, never a panic.

use crate::generate::program;
use front::promela::{processes, read_promela, write_with_assumption};
use support::{FileId, Monitor, StopReason};
use testkit::Rng;

const TEXTS: u64 = 400;

/// A text with some of its words in other places, or without them.
fn disturbed(rng: &mut Rng) -> String {
    let text = program(rng);
    let mut words: Vec<&str> = text.split_inclusive([' ', '\n', ';', '(', ',', '{', ':']).collect();
    for _ in 0..rng.between(1, 4) {
        let (from, to) = (rng.below(words.len()), rng.below(words.len()));
        match rng.below(3) {
            0 => words.swap(from, to),
            1 => words[from] = words[to],
            _ => drop(words.remove(from)),
        }
    }
    words.concat()
}

#[test]
fn disturbed_texts_are_answered() {
    let mut accepted = 0;
    for seed in 0..TEXTS {
        let text = disturbed(&mut Rng::new(seed));
        let Ok(program) = read_promela(FileId(0), &text) else { continue };
        let Ok(apart) = processes(&program, &Monitor::new()) else { continue };
        accepted += 1;
        for component in 0..apart.system.components.len() {
            let model = &apart.system.components[component].model;
            let written = write_with_assumption(&text, &program, &apart, component, model, &[]);
            assert!(written.is_err() || component < program.processes.len());
            // A text that is not the one that was read.
            let half = text.len() / 2;
            let half = (half..).find(|&at| text.is_char_boundary(at)).unwrap_or(0);
            let _ = write_with_assumption(&text[half..], &program, &apart, component, model, &[]);
        }
    }
    println!("{accepted} of {TEXTS} texts were taken apart");
}

#[test]
fn a_monitor_can_stop_it_anywhere() {
    let program = crate::support::read(&program(&mut Rng::new(3)));
    let monitor = Monitor::new();
    monitor.stop(StopReason::Timeout);
    assert!(processes(&program, &monitor).is_err_and(|errors| errors.is_empty()));
}
