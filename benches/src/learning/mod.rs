//! Assumptions by learning, to measure against: Cobleigh, Giannakopoulou, Păsăreanu, "Learning Assumptions
//! for Compositional Verification" (TACAS 2003).
//!
//! L* learns the weakest assumption under which M satisfies P, over the joint steps of N with M or P. Whether a
//! word may happen is asked of M‖P̄. A conjecture A is asked about twice: M‖A ⊨ P, and N ⊨ A. If both
//! hold, so does P; if N does a word that M‖P̄ cannot bear, P is violated.

mod table;
mod teacher;
#[cfg(test)]
mod tests;
mod world;

use model::{Model, System};
use rustc_hash::FxHashMap;
use std::time::Instant;
use support::{Monitor, Stopped};
use table::Table;
use teacher::Teacher;
use world::{Letter, World};

#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Of a conjecture.
    pub states: usize,
    /// About words, each asked once.
    pub queries: usize,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Answer {
    Holds,
    Violated,
    GaveUp(Why),
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Why {
    States,
    Queries,
    Stopped(Stopped),
}

impl From<Stopped> for Why {
    fn from(stopped: Stopped) -> Self {
        Why::Stopped(stopped)
    }
}

/// The result of learning.
#[derive(Debug)]
pub struct Learned {
    pub answer: Answer,
    /// Of the last conjecture.
    pub states: usize,
    /// Joint steps of N with M or P.
    pub letters: u32,
    pub queries: usize,
    pub conjectures: usize,
    pub seconds: f64,
}

/// Whether the system satisfies the property, by an assumption about the component numbered `process`.
pub fn learn(
    system: &System,
    process: usize,
    safety: &Model,
    limits: Limits,
    monitor: &Monitor,
) -> Learned {
    let start = Instant::now();
    let world = World::new(system, process, safety);
    let letters = world.letters();
    let mut learned = Learned {
        answer: Answer::Holds,
        states: 0,
        letters,
        queries: 0,
        conjectures: 0,
        seconds: 0.0,
    };
    let answer = Learner::new(world, limits, monitor).and_then(|mut learner| {
        let answer = learner.run(&mut learned);
        learned.queries = learner.memory.len();
        answer
    });
    learned.answer = answer.unwrap_or_else(Answer::GaveUp);
    learned.seconds = start.elapsed().as_secs_f64();
    learned
}

struct Learner<'a> {
    teacher: Teacher<'a>,
    /// Every word that has been asked about.
    memory: FxHashMap<Vec<Letter>, bool>,
    limits: Limits,
}

impl<'a> Learner<'a> {
    fn new(world: World<'a>, limits: Limits, monitor: &'a Monitor) -> Result<Self, Why> {
        let teacher = Teacher::new(world, monitor)?;
        Ok(Self { teacher, memory: FxHashMap::default(), limits })
    }

    fn run(&mut self, figures: &mut Learned) -> Result<Answer, Why> {
        let mut table = Table::new(figures.letters);
        loop {
            let conjecture = table.conjecture(self.limits.states, |word| self.allows(word))?;
            figures.conjectures += 1;
            figures.states = conjecture.states();
            let word = match self.teacher.error_under(&conjecture)? {
                Some(word) => word,
                None => match self.teacher.escape_from(&conjecture)? {
                    None => return Ok(Answer::Holds),
                    Some(word) if !self.allows(&word)? => return Ok(Answer::Violated),
                    Some(word) => word,
                },
            };
            table.learn(&conjecture, &word, |word| self.allows(word))?;
        }
    }

    fn allows(&mut self, word: &[Letter]) -> Result<bool, Why> {
        if let Some(&known) = self.memory.get(word) {
            return Ok(known);
        }
        if self.memory.len() >= self.limits.queries {
            return Err(Why::Queries);
        }
        let allowed = self.teacher.allows(word)?;
        self.memory.insert(word.to_vec(), allowed);
        Ok(allowed)
    }
}
