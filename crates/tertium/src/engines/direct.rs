//! `direct`: compose the system, or enumerate the states of a model by variables, and play the game on all of it.

use super::{
    check_explicit, explain_explicit, has_machine, machine, not_for_components, not_over_integers,
};
use crate::engine::{AUTO, Attempt, Checked, Context, Effort, Engine, Estimate, Question};
use crate::error::Error;
use crate::explanation::Explained;
use crate::integers::wants_ranges;
use crate::property::About;
use crate::unsupported::Unsupported;
use explicit::{Method, Refinement};

pub struct Direct;

/// A composition of so many states is built without asking further.
const FEW_STATES: u64 = 1 << 15;

impl Engine for Direct {
    fn name(&self) -> &'static str {
        "direct"
    }

    fn supports(&self, question: &Question) -> Result<Estimate, Unsupported> {
        let options = question.options;
        match question.property.about() {
            About::Integers(..) => Err(wants_ranges("direct")),
            About::Components(_) => {
                not_for_components(question)?;
                Ok(Estimate::of(FEW_STATES as f64))
            }
            About::Machine(..) => {
                not_over_integers(question)?;
                let machine = machine(question).expect("a model by variables");
                has_machine(&machine)?;
                let program = machine.program().expect("it was just there");
                let bits = program.bits(&machine.chosen);
                let may_exceed = program.may_exceed(&machine.chosen, options.states);
                if options.method == AUTO && may_exceed && program.has_many_bits(&machine.chosen) {
                    return Err(Unsupported::Composition(
                        "there may be more states than are enumerated".to_owned(),
                    ));
                }
                let cost = match program.has_many_bits(&machine.chosen) {
                    // Who wants evidence gets it more simply from a list of states.
                    true if (options.evidence || options.explains) && !may_exceed => 1.0,
                    true => f64::from(bits).exp2(),
                    false => f64::from(bits.min(11)).exp2(),
                };
                Ok(Estimate(vec![Attempt { cost, effort: Effort::Unlimited }]))
            }
        }
    }

    fn check(&self, question: &Question, context: &Context) -> Result<Checked, Error> {
        let is_auto = question.options.method == AUTO;
        let by_components = matches!(question.property.about(), About::Components(_));
        let method = if is_auto && by_components { Method::Auto } else { Method::Direct };
        check_explicit(question, context, method, Refinement::default())
    }

    fn explain(&self, question: &Question, context: &Context) -> Result<Explained, Error> {
        let is_auto = question.options.method == AUTO;
        let by_components = matches!(question.property.about(), About::Components(_));
        let method = if is_auto && by_components { Method::Auto } else { Method::Direct };
        explain_explicit(question, context, method)
    }
}
