//! Model checking outright (A §2): whether π is reachable when all processes run with P̄.

use crate::lts::Lts;
use crate::question::{Letter, SafetyQuestion};
use crate::tuples::Tuples;
use support::{Monitor, Reservation, StopReason, Stopped};

/// A shortest run into an error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ErrorRun {
    /// The states of the components and of the property, before each step; the last step has no
    /// allowed end.
    pub states: Vec<Vec<u32>>,
    pub steps: Vec<JointStep>,
    /// Where the components are after the last step.
    pub end: Vec<u32>,
}

/// A step of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JointStep {
    /// Its number among the rules of the system.
    pub rule: u32,
    /// The action that it shows.
    pub shown: String,
    /// The components that make it, and their actions.
    pub parts: Vec<(usize, u32)>,
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SafetySearch {
    /// How many states were seen.
    pub states: usize,
    /// `None` if P is satisfied.
    pub error: Option<ErrorRun>,
}

/// Whether M‖N satisfies P, by looking at all reachable states, nearest first.
pub fn search(question: &SafetyQuestion, monitor: &Monitor) -> Result<SafetySearch, Stopped> {
    let mut explorer = Explorer::new(question);
    explorer.start(monitor)?;
    let (mut next, mut room) = (0, Reservation::default());
    while next < explorer.len() {
        room.keep_up(explorer.tuples.bytes() + explorer.len() as u64 * 8, monitor)?;
        if next % 256 == 0 {
            monitor.step(256)?;
        }
        if let Some((letter, end)) = explorer.expand(next)? {
            let error = Some(explorer.run_to(next, letter, end));
            return Ok(SafetySearch { states: explorer.len(), error });
        }
        next += 1;
    }
    Ok(SafetySearch { states: explorer.len(), error: None })
}

struct Explorer<'q> {
    question: &'q SafetyQuestion,
    /// By part and action: the letters whose first part it is.
    begun: Vec<Vec<Vec<u32>>>,
    /// The states: the parts, then P.
    tuples: Tuples,
    /// How each state was found: from where and by which letter.
    parents: Vec<(u32, u32)>,
}

/// The parent of an initial state.
const NO_PARENT: u32 = u32::MAX;

impl<'q> Explorer<'q> {
    fn new(question: &'q SafetyQuestion) -> Explorer<'q> {
        let mut begun: Vec<Vec<Vec<u32>>> =
            question.parts.iter().map(|part| vec![Vec::new(); part.actions as usize]).collect();
        for (letter, number) in question.letters.iter().zip(0..) {
            if let Some(&(part, action)) = letter.parts.first() {
                begun[part][action as usize].push(number);
            }
        }
        Explorer {
            question,
            begun,
            tuples: Tuples::new(question.parts.len() + 1),
            parents: Vec::new(),
        }
    }

    fn len(&self) -> usize {
        self.parents.len()
    }

    fn row(&self, state: usize) -> &[u32] {
        self.tuples.of(state as u32)
    }

    fn start(&mut self, monitor: &Monitor) -> Result<(), Stopped> {
        let lists: Vec<&[u32]> = self
            .question
            .parts
            .iter()
            .chain([&self.question.safety])
            .map(|lts| &*lts.init)
            .collect();
        let mut row = Vec::with_capacity(lists.len());
        self.start_with(&lists, &mut row, monitor)
    }

    fn start_with(
        &mut self,
        lists: &[&[u32]],
        row: &mut Vec<u32>,
        monitor: &Monitor,
    ) -> Result<(), Stopped> {
        let Some((first, rest)) = lists.split_first() else {
            monitor.step(1)?;
            return self.add(row, (NO_PARENT, 0));
        };
        for &state in *first {
            row.push(state);
            self.start_with(rest, row, monitor)?;
            row.pop();
        }
        Ok(())
    }

    fn add(&mut self, row: &[u32], parent: (u32, u32)) -> Result<(), Stopped> {
        let (_, is_new) = self.tuples.number(row).ok_or(Stopped(StopReason::Size))?;
        if is_new {
            self.parents.push(parent);
        }
        Ok(())
    }

    /// Adds what follows a state, unless one of its steps is an error: that letter, and where it leads.
    fn expand(&mut self, state: usize) -> Result<Option<(u32, Vec<u32>)>, Stopped> {
        let row = self.row(state).to_vec();
        let question = self.question;
        for (part, lts) in question.parts.iter().enumerate() {
            let enabled: Vec<u32> = lts.enabled(row[part]).collect();
            for action in enabled {
                for at in 0..self.begun[part][action as usize].len() {
                    let letter = self.begun[part][action as usize][at];
                    if let Some(end) = self.follow(state as u32, &row, letter)? {
                        return Ok(Some((letter, end)));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Makes one joint step in every way; if P does not allow it, one of the ways.
    fn follow(&mut self, from: u32, row: &[u32], letter: u32) -> Result<Option<Vec<u32>>, Stopped> {
        let question = self.question;
        let Letter { parts, seen } = &question.letters[letter as usize];
        let ends = |&(part, action): &(usize, u32)| question.parts[part].out.by(row[part], action);
        if parts.iter().any(|part| ends(part).is_empty()) {
            return Ok(None);
        }
        let mut next = row.to_vec();
        if let Some(action) = *seen {
            let allowed = row.len() - 1;
            match next_of(&question.safety, row[allowed], action) {
                Some(after) => next[allowed] = after,
                None => {
                    parts.iter().for_each(|part| next[part.0] = ends(part)[0].1);
                    next.pop();
                    return Ok(Some(next));
                }
            }
        }
        self.combine(&mut next, parts, row, (from, letter))?;
        Ok(None)
    }

    fn combine(
        &mut self,
        next: &mut Vec<u32>,
        parts: &[(usize, u32)],
        row: &[u32],
        parent: (u32, u32),
    ) -> Result<(), Stopped> {
        let Some((&(part, action), rest)) = parts.split_first() else {
            return self.add(next, parent);
        };
        let question = self.question;
        for &(_, target) in question.parts[part].out.by(row[part], action) {
            next[part] = target;
            self.combine(next, rest, row, parent)?;
        }
        Ok(())
    }

    fn run_to(&self, last: usize, letter: u32, end: Vec<u32>) -> ErrorRun {
        let mut letters = vec![letter];
        let mut states = vec![self.row(last).to_vec()];
        let mut at = last;
        while let (parent, letter) = self.parents[at]
            && parent != NO_PARENT
        {
            letters.push(letter);
            at = parent as usize;
            states.push(self.row(at).to_vec());
        }
        letters.reverse();
        states.reverse();
        let step = |&rule: &u32| JointStep {
            rule,
            shown: self.question.shown[rule as usize].clone(),
            parts: self.question.letters[rule as usize].parts.clone(),
        };
        ErrorRun { states, steps: letters.iter().map(step).collect(), end }
    }
}

/// Where a property goes by an action, if it allows it.
fn next_of(safety: &Lts, state: u32, action: u32) -> Option<u32> {
    safety.out.by(state, action).first().map(|&(_, target)| target)
}
