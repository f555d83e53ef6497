//! Predicate abstraction of programs over unbounded integers, with predicates found by refinement (CEGAR): as a whole
//! (`refine`), by processes (`compositional`) or block by block (`modular`).

use super::symbolic::COST;
use crate::engine::{AUTO, Checked, Context, Engine, Estimate, Question};
use crate::error::Error;
use crate::explanation::Explanation;
use crate::integers;
use crate::property::About;
use crate::transition_system::FiniteModel;
use crate::unsupported::Unsupported;

/// A variable of more values is better abstracted.
const WIDE: u128 = 1 << 10;

pub struct PredicateAbstraction {
    /// The method that it serves.
    pub name: &'static str,
}

impl Engine for PredicateAbstraction {
    fn name(&self) -> &'static str {
        self.name
    }

    fn supports(&self, question: &Question) -> Result<Estimate, Unsupported> {
        let Some((subject, _)) = integers::subject(question) else {
            let does = "on predicates needs a program over integers";
            return Err(Unsupported::Input { method: self.name, does, help: "" });
        };
        integers::supports(subject, question.options)?;
        if self.name == "modular" && subject.document.view.is_some() {
            return Err(Unsupported::Input {
                method: "modular",
                does: "is for while-programs, and this is not one",
                help: "a while-program is in a file that ends in .while",
            });
        }
        let by_blocks = question.options.modular_option().is_some();
        if let (About::Finite(text, _), AUTO, false) =
            (question.property.about(), &*question.options.method, by_blocks)
        {
            // Few values are enumerated sooner than abstracted.
            let suits = self.name == "refine" && has_wide_variable(text);
            return Ok(if suits { Estimate::of(COST - 2.0) } else { Estimate(Vec::new()) });
        }
        let suits = match self.name {
            "modular" => by_blocks,
            "compositional" => !by_blocks && subject.components().is_some(),
            _ => !by_blocks,
        };
        match question.options.method == AUTO && !suits {
            true => Ok(Estimate(Vec::new())),
            false => Ok(Estimate::of(1.0)),
        }
    }

    fn check(&self, question: &Question, context: &Context) -> Result<Checked, Error> {
        let by_blocks = question.options.modular_option().is_some();
        let method = if by_blocks { "modular" } else { self.name };
        integers::check(method, question, context)
    }

    fn explain(&self, question: &Question, context: &Context) -> Result<Explanation, Error> {
        integers::explain_by(self.name, question, context)
    }
}

fn has_wide_variable(text: &FiniteModel) -> bool {
    let program = text.transition_system().ok();
    let mut vars = program.iter().flat_map(|program| program.document.machine.vars.values());
    vars.any(|var| var.domain.size() > WIDE)
}
