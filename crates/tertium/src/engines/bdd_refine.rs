//! `refine` for symbolic models: the refinement loop over sets of states that are BDDs (paper C, §5 and §6.2).

use super::refine::{needs_states, refinement};
use super::{
    explain_explicit, has_transition_system, not_over_integers, symbolic, symbolic_question, warn,
};
use crate::engine::{AUTO, Certified, Checked, Context, Engine, Estimate, Question};
use crate::error::Error;
use crate::event::Event;
use crate::explanation::Explanation;
use crate::transition_system::components::ComponentChoice;
use crate::transition_system::encoded::most_nodes;
use crate::transition_system::enumeration::no_start;
use crate::transition_system::refinement::RefinementSetting;
use crate::unsupported::Unsupported;
use explicit::{Outcome, REFINE, Reason, Round};
use report::TracedRound;
use transition::Division;

pub struct BddRefine;

impl Engine for BddRefine {
    fn name(&self) -> &'static str {
        "refine"
    }

    fn supports(&self, question: &Question) -> Result<Estimate, Unsupported> {
        let Some(machine) = symbolic_question(question) else {
            let does = "on variables needs a symbolic transition system";
            return Err(Unsupported::Input { method: "refine", does, help: "" });
        };
        let options = question.options;
        not_over_integers(question)?;
        if let Some(option) = needs_states(options) {
            return Err(Unsupported::Composition(format!("{option} needs a list of states")));
        }
        if options.hyper {
            return Err(Unsupported::OptionForInput {
                option: "--hyper",
                input: "explicit models",
                help: "abstractions of symbolic models keep no hyper-transitions: leave it out",
            });
        }
        has_transition_system(&machine)?;
        super::direct_only_options(question)?;
        let is_wanted = options.method != AUTO || options.refine_option().is_some();
        Ok(if is_wanted { Estimate::of(1.0) } else { Estimate(Vec::new()) })
    }

    fn check(&self, question: &Question, context: &Context) -> Result<Checked, Error> {
        let machine = symbolic_question(question).expect("a symbolic model");
        let options = question.options;
        let program = machine.transition_system()?;
        let loader = question.model.loader();
        let parts = program.parts(options.components.as_deref(), &options.missing, loader)?;
        let composition =
            ComponentChoice { division: Division::Given(Vec::new()), missing: Vec::new() };
        let parts = parts.unwrap_or(composition);
        let asked = &program.all[machine.number];
        let watch = |round: &Round| {
            if options.rounds {
                let round = TracedRound::Refined(Box::new(round.clone()));
                context.observer.event(Event::Round(question.property, round));
            }
        };
        let manner = RefinementSetting {
            parts: &parts,
            refinement: refinement(options),
            most_nodes: most_nodes(options.memory),
            watch: &watch,
            monitor: context.monitor,
        };
        let name = &asked.name;
        let outcome = match program.refine(asked, &manner)? {
            Ok(refined) => {
                if !refined.components.is_empty() {
                    let names = refined.components.join(", ");
                    context.detail(format!("`{name}`: the components are {names}\n"));
                }
                if refined.has_no_start && machine.chosen.first() == Some(&machine.number) {
                    warn(context, vec![no_start()]);
                }
                refined.outcome
            }
            Err(why) if !parts.missing.is_empty() => Outcome::unknown(Reason::Inseparable(why)),
            Err(why) => {
                context.note(format!("Note: `{name}` is answered by `symbolic`: {why}\n"));
                return symbolic::instead(&machine, question, context);
            }
        };
        if !options.evidence || !outcome.verdict.is_definite() {
            return Ok(outcome.into());
        }
        if !parts.missing.is_empty() {
            let why = format!("`{name}` is not certified: a component is missing");
            return Ok(Checked::new(outcome, Certified::Unavailable(why)));
        }
        // Abstract states are sets that are not enumerated, so evidence comes from the monolithic model.
        context.detail(format!("Note: `{name}` is certified by `symbolic`, on the composition\n"));
        let certified = symbolic::with_encoded(&machine, question, context, |encoded| {
            symbolic::certify(encoded, program, machine.number, question, outcome.verdict)
        })?;
        Ok(Checked::new(outcome, certified))
    }

    fn explain(&self, question: &Question, context: &Context) -> Result<Explanation, Error> {
        // Abstract states are sets. Where there are too many states to enumerate, evidence is that of the monolithic
        // model.
        let machine = symbolic_question(question).expect("a symbolic model");
        let is_large = machine.transition_system()?.has_many_bits(&machine.chosen);
        match is_large && !question.options.shape.needs_positions() {
            true => symbolic::Symbolic.explain(question, context),
            false => explain_explicit(question, context, REFINE),
        }
    }
}
