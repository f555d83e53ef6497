//! `modular`: while-programs one block at a time, under assumptions (paper M).

use super::symbolic_question;
use crate::control_flow::{self, question};
use crate::engine::{Certified, Checked, Context, Engine, Estimate, Question};
use crate::error::Error;
use crate::explanation::Explanation;
use crate::property::About;
use crate::unsupported::Unsupported;

pub struct Modular;

impl Engine for Modular {
    fn name(&self) -> &'static str {
        "modular"
    }

    fn supports(&self, question: &Question) -> Result<Estimate, Unsupported> {
        let machine =
            symbolic_question(question).filter(|machine| machine.model.control_flow.is_some());
        let Some(machine) = machine else {
            return Err(Unsupported::Input {
                method: "modular",
                does: "is for while-programs, and this is not one",
                help: "a while-program is in a file that ends in .while",
            });
        };
        let options = question.options;
        if options.solver.is_some() {
            super::not_over_integers(question)?;
        }
        question::supports(machine.model, &[machine.number])?;
        if options.method == "auto" {
            super::direct_only_options(question)?;
        }
        Ok(Estimate::of(0.0))
    }

    fn check(&self, question: &Question, context: &Context) -> Result<Checked, Error> {
        let machine = symbolic_question(question).expect("a program");
        let ctl: Vec<usize> = machine
            .chosen
            .iter()
            .copied()
            .filter(|&number| question::supports(machine.model, &[number]).is_ok())
            .collect();
        let loader = question.model.loader();
        let found = context.sharing(|| {
            control_flow::check(machine.model, &ctl, question.options, loader, context)
        })?;
        let outcome = found.outcome(machine.number, question.options, context.monitor);
        let certified = match (question.options.evidence, outcome.verdict.is_definite()) {
            (true, true) => match found.certificate() {
                Some(bytes) => Certified::Joint(bytes),
                None => Certified::Unavailable(format!(
                    "no certificate: {}",
                    found.why_no_certificate()
                )),
            },
            _ => Certified::NotRequested,
        };
        Ok(Checked::new(outcome, certified))
    }

    fn explain(&self, question: &Question, context: &Context) -> Result<Explanation, Error> {
        if question.options.shape.needs_positions() {
            let why = "the method `modular` explains by a trace of a while-program";
            let help = "as text or with --json; use `--method direct` for other forms";
            return Err(Unsupported::Explanation { why, help }.into());
        }
        let About::Finite(text, number) = question.property.about() else {
            unreachable!("it supports programs only")
        };
        let loader = question.model.loader();
        control_flow::explain::explain(text, *number, question.options, loader, context.monitor)
    }
}
