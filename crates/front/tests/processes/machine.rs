//! Random models against their machines: whether something goes wrong, in the model taken apart, and in the
//! text with an assumption for one process.

use crate::agreement::agrees;
use crate::generate::program;
use std::sync::Arc;
use support::{FileId, Monitor};
use testkit::Rng;
use testkit::read_promela_asking;
use transition::{StepError, enumerate};

const MODELS: u64 = 150;
const MOST_STATES: usize = 20_000;

/// Whether an assertion fails or something else goes wrong; what there is to say if the text is refused, and
/// `None` if there are too many states.
fn fails(text: &str) -> Result<Option<bool>, String> {
    // Which channel a name stands for cannot change here.
    if text.contains("gate_") {
        return Ok(None);
    }
    let text: Arc<str> = text.into();
    let document =
        read_promela_asking(FileId(0), &text, &[]).map_err(|errors| format!("{errors:?}"))?;
    let composition = document.machine.unsliced();
    let (machine, propositions) = (&document.machine, &document.propositions);
    let model = match enumerate(machine, &composition, propositions, MOST_STATES, &Monitor::new()) {
        Ok(enumeration) => enumeration.model,
        Err(StepError::Fault(fault)) => {
            return Err(format!("{:?}", fault.diagnostic(machine)));
        }
        Err(_) => return Ok(None),
    };
    let wrong = ["assertion_failed", "runtime_error"].map(|name| model.props().get(name));
    let is_reached = |prop| model.true_in(prop).count_ones(..) > 0;
    Ok(Some(wrong.into_iter().flatten().any(is_reached)))
}

#[test]
fn random_models_and_assumptions_are_what_machines_say() {
    let checked = (0..MODELS).filter(|&seed| {
        let text = program(&mut Rng::new(seed));
        agrees(seed, &text, &fails).is_some()
    });
    let checked = checked.count();
    println!("{checked} of {MODELS} models could be taken apart and written");
    assert!(checked as u64 * 3 > MODELS, "many models can be taken apart");
}
