//! `compositional` for explicit models: decide by the components, and combine only ?-subgraphs (paper C, Fig. 4).

use super::{check_explicit, explain_explicit, not_for_components};
use crate::engine::{AUTO, Checked, Context, Engine, Estimate, Question};
use crate::error::Error;
use crate::explanation::Explanation;
use crate::explicit_model::ExplicitStates;
use crate::property::About;
use crate::unsupported::Unsupported;
use explicit::{COMPOSITIONAL, Refinement};

pub struct Compositional;

/// Nodes of products: up to the first they cost next to nothing; beyond the last the composition is cheaper.
const PRODUCTS: [u64; 4] = [1 << 11, 1 << 12, 1 << 14, 1 << 17];

/// The cost of a node of a product, in states of a composition.
const COST: f64 = 8.0;

impl Engine for Compositional {
    fn name(&self) -> &'static str {
        COMPOSITIONAL.name
    }

    fn supports(&self, question: &Question) -> Result<Estimate, Unsupported> {
        match question.property.about() {
            About::Components(..) => {
                not_for_components(question)?;
                let of_components = question.model.states(question.options.semantics);
                let suits = |states: &ExplicitStates| {
                    COMPOSITIONAL.suits(&states.system, question.options.values)
                };
                match question.options.method == AUTO && !of_components.is_ok_and(|s| suits(&s)) {
                    true => Ok(Estimate(Vec::new())),
                    false => Ok(Estimate::trying(PRODUCTS, COST)),
                }
            }
            _ => Err(super::explicit_only("compositional")),
        }
    }

    fn check(&self, question: &Question, context: &Context) -> Result<Checked, Error> {
        check_explicit(question, context, COMPOSITIONAL, Refinement::default())
    }

    fn explain(&self, question: &Question, context: &Context) -> Result<Explanation, Error> {
        explain_explicit(question, context, COMPOSITIONAL)
    }
}
