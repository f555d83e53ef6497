//! `direct`: compose the system, or enumerate the states of a symbolic model, and play the game on all of it.

use super::{
    check_explicit, explain_explicit, has_transition_system, not_for_components, not_over_integers,
    symbolic_question,
};
use crate::engine::{AUTO, Attempt, Checked, Context, Effort, Engine, Estimate, Question};
use crate::error::Error;
use crate::explanation::Explanation;
use crate::integers::wants_ranges;
use crate::property::About;
use crate::unsupported::Unsupported;
use explicit::{DIRECT, Deadlock, Refinement};

pub struct Direct;

/// The states of the composition that attempts build; the last one has no limit.
const STATES: [u64; 3] = [1 << 15, 1 << 18, 1 << 21];

/// A composition of more states is not built for the sake of a shorter path.
const STATES_FOR_A_SHORT_PATH: u64 = 1 << 18;

impl Engine for Direct {
    fn name(&self) -> &'static str {
        DIRECT.name
    }

    fn supports(&self, question: &Question) -> Result<Estimate, Unsupported> {
        let options = question.options;
        match question.property.about() {
            About::Integers(..) => Err(wants_ranges("direct")),
            About::Components(..) => {
                not_for_components(question)?;
                let mut estimate = Estimate::trying(STATES, 1.0).then_unlimited();
                if options.explains && options.shortest {
                    // The evidence of components need not contain the shortest path.
                    let effort = Effort::AtMost(STATES_FOR_A_SHORT_PATH);
                    estimate.0.insert(0, Attempt { cost: 0.0, effort });
                }
                Ok(estimate)
            }
            About::Finite(..) => {
                not_over_integers(question)?;
                let machine = symbolic_question(question).expect("a symbolic model");
                has_transition_system(&machine)?;
                let program = machine.transition_system().expect("it was just there");
                let bits = program.bits(&machine.chosen);
                let may_exceed = program.may_exceed(&machine.chosen, options.states);
                let is_only = options.values || options.deadlock == Deadlock::Stutter;
                let suits_bdds = may_exceed && program.has_many_bits(&machine.chosen);
                if options.method == AUTO && suits_bdds && !is_only {
                    return Err(Unsupported::Composition(
                        "the model may have more states than the limit `--states`".to_owned(),
                    ));
                }
                let cost = match program.has_many_bits(&machine.chosen) {
                    // Evidence is simpler from an explicit model.
                    true if (options.evidence || options.explains) && !may_exceed => 1.0,
                    true => f64::from(bits).exp2(),
                    false => f64::from(bits.min(11)).exp2(),
                };
                Ok(Estimate(vec![Attempt { cost, effort: Effort::Unlimited }]))
            }
        }
    }

    fn check(&self, question: &Question, context: &Context) -> Result<Checked, Error> {
        check_explicit(question, context, DIRECT, Refinement::default())
    }

    fn explain(&self, question: &Question, context: &Context) -> Result<Explanation, Error> {
        explain_explicit(question, context, DIRECT)
    }
}
