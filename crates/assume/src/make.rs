//! Runs the refinement loop until something ends it. Whatever that is, there is an assumption.

use crate::question::SafetyQuestion;
use crate::synthesis::{AnalysisPlan, Equivalence, InitialAbstraction, Synthesis};
use support::{Monitor, Stopped};

/// How to make an assumption.
#[derive(Clone, Copy, Debug)]
pub struct AssumptionRequest {
    pub start: InitialAbstraction,
    pub plan: AnalysisPlan,
    /// At most this many refinement steps.
    pub steps: Option<u32>,
    /// Whether to end when the labels tell the verdict, or when the assumption hardly gets smaller any more.
    pub until_flat: bool,
}

/// The reason why the loop ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
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
    /// Of N.
    pub classes: u32,
    /// Of M, summed over its processes.
    pub environment: usize,
}

#[derive(Clone, Debug)]
pub struct Made {
    pub equivalence: Equivalence,
    pub steps: u32,
    pub environment: usize,
    pub ended: Ended,
}

/// How many steps lie between two looks at the size of the assumption.
const LOOK: u32 = 10;

/// Makes an assumption; `observe` hears of every step if it is there, which takes much longer.
pub fn make(
    question: &SafetyQuestion,
    request: &AssumptionRequest,
    monitor: &Monitor,
    mut observe: Option<&mut dyn FnMut(Point)>,
) -> Made {
    monitor.phase("synthesising an assumption", 0);
    let mut synthesis = match Synthesis::new(question, request.start, request.plan, monitor) {
        Ok(synthesis) => synthesis,
        Err(stopped) => {
            let equivalence = Equivalence::identity(question);
            return Made { equivalence, steps: 0, environment: 0, ended: Ended::Stopped(stopped) };
        }
    };
    let mut sizes = Vec::new();
    let ended = loop {
        if let Some(observe) = &mut observe {
            observe(point(&synthesis));
        }
        if request.steps == Some(synthesis.steps()) {
            break if synthesis.is_complete() { Ended::Complete } else { Ended::Steps };
        }
        if request.until_flat && synthesis.steps() % LOOK == 0 && is_flat(&synthesis, &mut sizes) {
            break Ended::Flat;
        }
        match synthesis.step(monitor) {
            Ok(true) => {}
            Ok(false) => break Ended::Complete,
            Err(stopped) => break Ended::Stopped(stopped),
        }
    };
    let (steps, environment) = (synthesis.steps(), synthesis.environment_classes());
    let equivalence = match ended {
        Ended::Stopped(_) => {
            synthesis.equivalence_soon().unwrap_or_else(|| Equivalence::identity(question))
        }
        _ => synthesis.equivalence(),
    };
    Made { equivalence, steps, environment, ended }
}

fn point(synthesis: &Synthesis) -> Point {
    Point {
        step: synthesis.steps(),
        classes: synthesis.equivalence().count,
        environment: synthesis.environment_classes(),
    }
}

/// A §7: an assumption for a single run need not be the smallest. Over the last two looks it has lost less
/// than a twentieth; or it is not needed, as the verdict is known.
fn is_flat(synthesis: &Synthesis, sizes: &mut Vec<u64>) -> bool {
    let Equivalence { count, holds, .. } = synthesis.equivalence();
    sizes.push(u64::from(count));
    let is_level = match **sizes {
        [.., before, _, now] => now * 20 > before * 19,
        _ => false,
    };
    holds.is_some() || is_level
}
