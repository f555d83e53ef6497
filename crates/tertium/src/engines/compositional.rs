//! `compositional` for models by states: decide by the components, and combine only ?-subgraphs (paper C, Fig. 4).

use super::{check_explicit, explain_explicit, not_for_components};
use crate::engine::{Checked, Context, Engine, Estimate, Question};
use crate::error::Error;
use crate::explanation::Explained;
use crate::property::About;
use crate::unsupported::Unsupported;
use explicit::{Method, Refinement};

pub struct Compositional;

/// Nodes of products: up to the first they cost next to nothing; beyond the last the composition is cheaper.
const PRODUCTS: [u64; 4] = [1 << 11, 1 << 12, 1 << 14, 1 << 17];

impl Engine for Compositional {
    fn name(&self) -> &'static str {
        "compositional"
    }

    fn supports(&self, question: &Question) -> Result<Estimate, Unsupported> {
        match question.property.about() {
            About::Components(_) => {
                not_for_components(question)?;
                Ok(Estimate::trying(PRODUCTS))
            }
            _ => Err(super::by_states_only("compositional")),
        }
    }

    fn check(&self, question: &Question, context: &Context) -> Result<Checked, Error> {
        check_explicit(question, context, Method::Compositional, Refinement::default())
    }

    fn explain(&self, question: &Question, context: &Context) -> Result<Explained, Error> {
        explain_explicit(question, context, Method::Compositional)
    }
}
