//! One run of the engine on one program and one property.

use super::clock::Clock;
use bdd::Policy;
use cegar::abstraction::blocks;
use logic::{Family, Formula, Logic, PropId, Signature, Truth};
use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};
use support::{FileId, Interner, Monitor, StopReason};
use symbolic::mixed::{Mixed, Reduction, Semantics};
use transition::abstracted::Abstracted;

/// What is asked of which program.
#[derive(Clone, Copy)]
pub struct Question {
    pub blocks: u32,
    /// By number.
    pub property: usize,
    pub semantics: Semantics,
}

/// What came out of one run. Seconds are those of the processor.
#[derive(Clone)]
pub struct Trial {
    /// Nodes of the relations.
    pub model: usize,
    /// Most nodes at a time.
    pub peak: usize,
    pub iterations: u64,
    /// In the states of I1 and of I2: `T`, `F` or `U`.
    pub verdicts: [char; 2],
    /// Making the tables, and making diagrams of them.
    pub encoding: f64,
    /// The evaluation alone.
    pub analysis: f64,
    /// All of it by the clock on the wall.
    pub wall: f64,
    /// Of the evaluation, the share within ABSREDU.
    pub share: f64,
}

impl Trial {
    pub fn in_all(&self) -> f64 {
        self.encoding + self.analysis
    }
}

/// Diagrams are computed by recursion along the variables, of which a predicate has at most four.
const VARS_A_PREDICATE: usize = 4;

impl Question {
    /// `None` if it takes longer than that. Looking at the clock takes time by itself, so only a run that `watches`
    /// knows the share of ABSREDU.
    pub fn run(self, limit: Duration, watches: bool) -> io::Result<Option<Trial>> {
        let monitor = Monitor::new();
        let (sender, receiver) = mpsc::channel();
        let variables = 2 * self.blocks as usize * VARS_A_PREDICATE + 1;
        let policy = Policy { reorder_at: None, most_vars: variables, ..Policy::default() };
        let theirs = monitor.clone();
        let thread = thread::Builder::new()
            .stack_size((8 << 20) + variables * Policy::STACK_A_VAR)
            // Nobody listens any more if it has taken too long.
            .spawn(move || drop(sender.send(self.compute(policy, &theirs, watches))))?;
        let done = receiver.recv_timeout(limit);
        monitor.stop(StopReason::Timeout);
        let is_broken = thread.join().is_err();
        match done {
            Ok(trial) => trial.map(Some),
            Err(RecvTimeoutError::Timeout) if !is_broken => Ok(None),
            Err(_) => Err(io::Error::other("the engine broke down")),
        }
    }

    fn compute(self, policy: Policy, monitor: &Monitor, watches: bool) -> io::Result<Trial> {
        let (wall, clock) = (Instant::now(), Clock::start());
        let program = blocks::abstracted(self.blocks, monitor).map_err(io::Error::other)?;
        let formula = formula(&program, blocks::PROPERTIES[self.property].1)?;
        let encoded = Mixed::of_program(&program, self.semantics, policy, monitor);
        let mut mixed = encoded.map_err(io::Error::other)?;
        let encoding = clock.seconds();
        let mut stopwatch = Stopwatch::default();
        let mut watch = |event| {
            if watches {
                stopwatch.tell(event);
            }
        };
        let (begin, clock) = (Instant::now(), Clock::start());
        let evaluated = mixed.evaluate(&formula, &mut watch).map_err(io::Error::other)?;
        let (analysis, elapsed) = (clock.seconds(), begin.elapsed());
        let wall = wall.elapsed().as_secs_f64();
        let mut verdicts = ['?'; 2];
        for (start, verdict) in program.starts.iter().zip(&mut verdicts) {
            let found = mixed.within(&evaluated, start).map_err(io::Error::other)?;
            *verdict = letter(found.verdict().ok_or_else(|| io::Error::other("a contradiction"))?);
        }
        Ok(Trial {
            model: mixed.relation_nodes(),
            peak: mixed.peak_nodes(),
            iterations: evaluated.iterations,
            verdicts,
            encoding,
            analysis,
            wall,
            share: stopwatch.total.as_secs_f64() / elapsed.as_secs_f64(),
        })
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (property, _) = blocks::PROPERTIES[self.property];
        write!(f, "{property}, n = {}, {:?}", self.blocks, self.semantics)
    }
}

fn letter(truth: Truth) -> char {
    match truth {
        Truth::True => 'T',
        Truth::False => 'F',
        Truth::Unknown => 'U',
    }
}

/// Time in ABSREDU: the engine says when it begins and when it ends, and has no clock.
#[derive(Default)]
struct Stopwatch {
    since: Option<Instant>,
    total: Duration,
}

impl Stopwatch {
    fn tell(&mut self, event: Reduction) {
        match event {
            Reduction::Begins => self.since = Some(Instant::now()),
            Reduction::Ends => {
                self.total += self.since.take().map_or(Duration::ZERO, |since| since.elapsed());
            }
        }
    }
}

fn formula(program: &Abstracted, text: &str) -> io::Result<Formula> {
    let text: Arc<str> = text.into();
    let whole = 0..text.len();
    let wrong = |errors| io::Error::other(format!("{text}: {errors:?}"));
    let surface = front::parse_formula(Logic::Mu, FileId(0), &text, whole).map_err(wrong)?;
    let mut props: Interner<PropId> = Interner::new();
    for (name, _) in &program.propositions {
        props.intern(name);
    }
    let signature = Signature { family: Family::Props, props: &props, actions: &[] };
    logic::compile(&surface, &signature, &mut Vec::new()).map_err(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_programs_have_the_verdicts_of_the_paper() {
        let expected = [["TU", "TT"], ["TU", "TT"], ["FF", "FF"]];
        for (property, row) in expected.into_iter().enumerate() {
            for (semantics, verdicts) in
                [Semantics::Standard, Semantics::Reduced].into_iter().zip(row)
            {
                let question = Question { blocks: 5, property, semantics };
                let trial = question.run(Duration::from_secs(60), true).expect("a run");
                let trial = trial.unwrap_or_else(|| panic!("{question} takes too long"));
                assert_eq!(trial.verdicts.iter().collect::<String>(), verdicts, "{question}");
                assert!((0.0..1.0).contains(&trial.share), "{question}");
            }
        }
    }

    #[test]
    fn what_takes_too_long_is_given_up() {
        let question = Question { blocks: 200, property: 0, semantics: Semantics::Standard };
        assert!(question.run(Duration::from_millis(1), false).expect("no error").is_none());
    }
}
