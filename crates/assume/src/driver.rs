//! Runs the refinement loop until it is complete or reaches a limit. Either way there is an assumption: the smallest
//! that was found, for a later one may be larger (merging by ≃_F adds paths, which ≃_B has to tell apart).

use crate::question::SafetyQuestion;
use crate::synthesis::{AnalysisPlan, Equivalence, InitialAbstraction, Synthesis};
use support::{Monitor, Stopped};

/// How to synthesise an assumption.
#[derive(Clone, Copy, Debug)]
pub struct AssumptionRequest {
    pub start: InitialAbstraction,
    pub equivalences: EquivalenceChoice,
    /// At most this many refinement steps.
    pub steps: Option<u32>,
    /// Whether to end when the labels tell the verdict, or when the assumption hardly shrinks any more.
    pub until_flat: bool,
}

/// The analyses that run; the coarsest of their equivalences is taken.
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

/// The sizes after a refinement step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    pub step: u32,
    /// Of the smallest assumption for N so far.
    pub classes: u32,
    /// Of M, summed over its processes.
    pub environment: usize,
}

#[derive(Clone, Debug)]
pub struct SynthesisResult {
    pub equivalence: Equivalence,
    pub steps: u32,
    pub environment: usize,
    pub ended: EndReason,
}

/// The steps between two checks whether the curve is flat.
const CHECK_INTERVAL: u32 = 10;

/// The work of the loop between two checks is at least this many times that of a check.
const CHECK_WORK_RATIO: u64 = 4;

/// Synthesises an assumption. `observe` is called after every step, which takes much longer. The sizes never
/// increase, and the last one is that of the assumption.
pub fn synthesise(
    question: &SafetyQuestion,
    request: &AssumptionRequest,
    monitor: &Monitor,
    mut observe: Option<&mut dyn FnMut(Progress)>,
) -> SynthesisResult {
    monitor.phase("synthesising an assumption", 0);
    let mut driver = Driver::new(question, request.equivalences == EquivalenceChoice::Auto);
    // The sizes after a step are reported with the next step, as the end of the loop may still lower them.
    let mut last: Option<Progress> = None;
    let mut sizes = Vec::new();
    let ended = 'refining: {
        for plan in request.equivalences.plans() {
            match Synthesis::new(question, request.start, plan, monitor) {
                Ok(synthesis) => driver.loops.push(LoopState::new(synthesis)),
                Err(stopped) => break 'refining EndReason::Stopped(stopped),
            }
        }
        loop {
            let is_due = request.until_flat && driver.steps.is_multiple_of(CHECK_INTERVAL);
            driver.find_equivalences(observe.is_some() || is_due);
            if let Some(observe) = &mut observe
                && let Some(progress) = last.replace(driver.progress())
            {
                observe(progress);
            }
            if request.steps == Some(driver.steps) {
                break if driver.is_complete() { EndReason::Complete } else { EndReason::Steps };
            }
            if is_due && is_flat(&driver.best, &mut sizes) {
                break EndReason::Flat;
            }
            match driver.step(monitor) {
                Ok(true) => {}
                Ok(false) => break EndReason::Complete,
                Err(stopped) => break EndReason::Stopped(stopped),
            }
        }
    };
    match ended {
        EndReason::Stopped(_) => driver.find_equivalences_within_budget(),
        _ => driver.find_equivalences(true),
    }
    if let (Some(observe), Some(_)) = (observe, last) {
        observe(driver.progress());
    }
    let Progress { step, environment, .. } = driver.progress();
    SynthesisResult { equivalence: driver.best, steps: step, environment, ended }
}

/// A refinement loop, and when its equivalences were last computed.
struct LoopState<'q> {
    synthesis: Synthesis<'q>,
    /// Whether nothing has changed since its equivalences were computed.
    is_current: bool,
    /// The work of the loop after which they are due again.
    due: u64,
}

impl<'q> LoopState<'q> {
    fn new(synthesis: Synthesis<'q>) -> Self {
        LoopState { synthesis, is_current: false, due: 0 }
    }
}

/// Runs the loops in turn, and keeps the smallest equivalence.
struct Driver<'q> {
    loops: Vec<LoopState<'q>>,
    best: Equivalence,
    /// Whether equivalences that keep no more than the verdict are computed, too.
    uses_verdict: bool,
    turn: usize,
    steps: u32,
}

impl Driver<'_> {
    fn new(question: &SafetyQuestion, uses_verdict: bool) -> Self {
        let best = Equivalence::identity(question.states());
        Driver { loops: Vec::new(), best, uses_verdict, turn: 0, steps: 0 }
    }

    /// Nothing is smaller than one class.
    fn is_complete(&self) -> bool {
        self.best.count <= 1 || self.loops.iter().all(|one| one.synthesis.is_complete())
    }

    fn progress(&self) -> Progress {
        let environment = self.loops.iter().map(|one| one.synthesis.environment_classes());
        Progress {
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
            one.is_current = false;
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
            // Nothing is propagated before the first step.
            let is_due = self.steps > 0 && work >= one.due;
            if one.is_current || !(is_wanted || is_due) {
                continue;
            }
            let mut left = u64::MAX;
            let found = one.synthesis.equivalences_within(&mut left, self.uses_verdict);
            (one.is_current, one.due) =
                (true, work.saturating_add(CHECK_WORK_RATIO * (u64::MAX - left)));
            found.into_iter().for_each(|found| self.keep_smaller(found));
        }
    }

    /// Computes those that take no longer than the loop has taken so far.
    fn find_equivalences_within_budget(&mut self) {
        const AT_LEAST: u64 = 1 << 16;
        for at in 0..self.loops.len() {
            let one = &self.loops[at];
            let mut left = one.synthesis.work().max(AT_LEAST);
            let found = match one.is_current {
                true => Vec::new(),
                false => one.synthesis.equivalences_within(&mut left, self.uses_verdict),
            };
            found.into_iter().for_each(|found| self.keep_smaller(found));
        }
    }

    /// Keeps the smaller equivalence, the later of two of equal size, and the verdict if either has it.
    fn keep_smaller(&mut self, found: Equivalence) {
        let holds = self.best.holds.or(found.holds);
        if found.count <= self.best.count {
            self.best = found;
        }
        self.best.holds = holds;
    }
}

/// A §7: an assumption for a single run need not be the smallest. Over the last two checks it has lost less
/// than a twentieth; or it is not needed, as the verdict is known.
fn is_flat(best: &Equivalence, sizes: &mut Vec<u64>) -> bool {
    sizes.push(u64::from(best.count));
    let is_level = match **sizes {
        [.., before, _, now] => now * 20 > before * 19,
        _ => false,
    };
    best.holds.is_some() || is_level
}
