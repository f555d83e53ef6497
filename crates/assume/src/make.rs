//! Runs the refinement loop until something ends it. Whatever that is, there is an assumption: the smallest that was
//! found on the way, for a later one may be larger (merging by ≃_F adds paths, which ≃_B has to tell apart).

use crate::question::SafetyQuestion;
use crate::synthesis::{AnalysisPlan, Equivalence, InitialAbstraction, Synthesis};
use support::{Monitor, Stopped};

/// How to make an assumption.
#[derive(Clone, Copy, Debug)]
pub struct AssumptionRequest {
    pub start: InitialAbstraction,
    pub equivalences: EquivalenceChoice,
    /// At most this many refinement steps.
    pub steps: Option<u32>,
    /// Whether to end when the labels tell the verdict, or when the assumption hardly shrinks any more.
    pub until_flat: bool,
}

/// Which equivalences are made, of which the coarsest is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EquivalenceChoice {
    One(AnalysisPlan),
    /// All of them, a step of each in turn, and where the verdict is known those that keep this verdict only.
    Auto,
}

impl EquivalenceChoice {
    fn plans(self) -> Vec<AnalysisPlan> {
        match self {
            EquivalenceChoice::One(plan) => vec![plan],
            EquivalenceChoice::Auto => {
                vec![AnalysisPlan::Both, AnalysisPlan::Backward, AnalysisPlan::Forward]
            }
        }
    }
}

/// The reason why the loop ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndReason {
    /// Further steps would change nothing.
    Complete,
    /// So many steps were asked for.
    Steps,
    /// The curve is flat, or the verdict is known.
    Flat,
    Stopped(Stopped),
}

/// How far it is after some steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Point {
    pub step: u32,
    /// Of the smallest assumption for N so far.
    pub classes: u32,
    /// Of M, summed over its processes.
    pub environment: usize,
}

#[derive(Clone, Debug)]
pub struct Made {
    pub equivalence: Equivalence,
    pub steps: u32,
    pub environment: usize,
    pub ended: EndReason,
}

/// How many steps lie between two looks at whether the curve is flat.
const CHECK_INTERVAL: u32 = 10;

/// The work of the loop between two looks is at least so many times that of a look.
const CHECK_WORK_RATIO: u64 = 4;

/// Makes an assumption; `observe` hears of every step if it is there, which takes much longer. The sizes never
/// increase, and the last one is that of the assumption.
pub fn make(
    question: &SafetyQuestion,
    request: &AssumptionRequest,
    monitor: &Monitor,
    mut observe: Option<&mut dyn FnMut(Point)>,
) -> Made {
    monitor.phase("synthesising an assumption", 0);
    let mut maker = Maker::new(question, request.equivalences == EquivalenceChoice::Auto);
    // The point of the last step is told when the next one is made, as the end of the loop may still lower it.
    let mut last: Option<Point> = None;
    let mut sizes = Vec::new();
    let ended = 'refining: {
        for plan in request.equivalences.plans() {
            match Synthesis::new(question, request.start, plan, monitor) {
                Ok(synthesis) => maker.loops.push(Watched::new(synthesis)),
                Err(stopped) => break 'refining EndReason::Stopped(stopped),
            }
        }
        loop {
            let is_due = request.until_flat && maker.steps.is_multiple_of(CHECK_INTERVAL);
            maker.find_equivalences(observe.is_some() || is_due);
            if let Some(observe) = &mut observe
                && let Some(point) = last.replace(maker.point())
            {
                observe(point);
            }
            if request.steps == Some(maker.steps) {
                break if maker.is_complete() { EndReason::Complete } else { EndReason::Steps };
            }
            if is_due && is_flat(&maker.best, &mut sizes) {
                break EndReason::Flat;
            }
            match maker.step(monitor) {
                Ok(true) => {}
                Ok(false) => break EndReason::Complete,
                Err(stopped) => break EndReason::Stopped(stopped),
            }
        }
    };
    match ended {
        EndReason::Stopped(_) => maker.find_equivalences_within_budget(),
        _ => maker.find_equivalences(true),
    }
    if let (Some(observe), Some(_)) = (observe, last) {
        observe(maker.point());
    }
    let Point { step, environment, .. } = maker.point();
    Made { equivalence: maker.best, steps: step, environment, ended }
}

/// A loop, and when it was looked at.
struct Watched<'q> {
    synthesis: Synthesis<'q>,
    /// Whether nothing has changed since the last look.
    is_seen: bool,
    /// The work of the loop after which the next look is due.
    due: u64,
}

impl<'q> Watched<'q> {
    fn new(synthesis: Synthesis<'q>) -> Self {
        Watched { synthesis, is_seen: false, due: 0 }
    }
}

/// The loops that take turns, and the best that they have found.
struct Maker<'q> {
    loops: Vec<Watched<'q>>,
    best: Equivalence,
    /// Whether equivalences that keep no more than the verdict are made, too.
    uses_verdict: bool,
    turn: usize,
    steps: u32,
}

impl Maker<'_> {
    fn new(question: &SafetyQuestion, uses_verdict: bool) -> Self {
        let best = Equivalence::identity(question.states());
        Maker { loops: Vec::new(), best, uses_verdict, turn: 0, steps: 0 }
    }

    /// Nothing is smaller than one class.
    fn is_complete(&self) -> bool {
        self.best.count <= 1 || self.loops.iter().all(|one| one.synthesis.is_complete())
    }

    fn point(&self) -> Point {
        let environment = self.loops.iter().map(|one| one.synthesis.environment_classes());
        Point {
            step: self.steps,
            classes: self.best.count,
            environment: environment.max().unwrap_or(0),
        }
    }

    /// One step of the loop whose turn it is, if there is one to make.
    fn step(&mut self, monitor: &Monitor) -> Result<bool, Stopped> {
        while !self.is_complete() {
            self.turn = (self.turn + 1) % self.loops.len();
            let one = &mut self.loops[self.turn];
            if one.synthesis.is_complete() {
                continue;
            }
            one.is_seen = false;
            if one.synthesis.step(monitor)? {
                self.steps += 1;
                return Ok(true);
            }
            self.find_equivalences(true);
        }
        Ok(false)
    }

    /// Computes the equivalences of the loops that have changed, if they are due or all are wanted.
    fn find_equivalences(&mut self, is_wanted: bool) {
        for at in 0..self.loops.len() {
            let one = &mut self.loops[at];
            let work = one.synthesis.work();
            // Nothing is passed on before the first step.
            let is_due = self.steps > 0 && work >= one.due;
            if one.is_seen || !(is_wanted || is_due) {
                continue;
            }
            let mut left = u64::MAX;
            let found = one.synthesis.equivalences_within(&mut left, self.uses_verdict);
            (one.is_seen, one.due) =
                (true, work.saturating_add(CHECK_WORK_RATIO * (u64::MAX - left)));
            found.into_iter().for_each(|found| self.take(found));
        }
    }

    /// Computes those that do not take longer than the loop has taken so far.
    fn find_equivalences_within_budget(&mut self) {
        const AT_LEAST: u64 = 1 << 16;
        for at in 0..self.loops.len() {
            let one = &self.loops[at];
            let mut left = one.synthesis.work().max(AT_LEAST);
            let found = match one.is_seen {
                true => Vec::new(),
                false => one.synthesis.equivalences_within(&mut left, self.uses_verdict),
            };
            found.into_iter().for_each(|found| self.take(found));
        }
    }

    /// Keeps the smaller one, the later of two that are equally small, and whatever is known of the verdict.
    fn take(&mut self, found: Equivalence) {
        let holds = self.best.holds.or(found.holds);
        if found.count <= self.best.count {
            self.best = found;
        }
        self.best.holds = holds;
    }
}

/// A §7: an assumption for a single run need not be the smallest. Over the last two looks it has lost less
/// than a twentieth; or it is not needed, as the verdict is known.
fn is_flat(best: &Equivalence, sizes: &mut Vec<u64>) -> bool {
    sizes.push(u64::from(best.count));
    let is_level = match **sizes {
        [.., before, _, now] => now * 20 > before * 19,
        _ => false,
    };
    best.holds.is_some() || is_level
}
