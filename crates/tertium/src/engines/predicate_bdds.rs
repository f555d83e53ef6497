//! `symbolic` for programs over integers: their predicate abstraction as a monotone MixTS in BDDs (paper X, §5).

use crate::engine::{AUTO, Checked, Context, Engine, Estimate, Question};
use crate::error::Error;
use crate::explanation::Explanation;
use crate::integers::abstraction::{StartCertainty, abstraction};
use crate::integers::{self, searching_solver};
use crate::options::Semantics as Wanted;
use crate::unsupported::Unsupported;
use ::symbolic::Policy;
use ::symbolic::mixed::{IterationOrder, Mixed, MixedSemantics, MixedValues};
use explicit::{Outcome, Reason, Stats};
use logic::{Formula, Truth};
use support::Monitor;
use transition::abstracted::Abstracted;

pub struct PredicateBdds;

impl Engine for PredicateBdds {
    fn name(&self) -> &'static str {
        "symbolic"
    }

    fn supports(&self, question: &Question) -> Result<Estimate, Unsupported> {
        let Some((subject, _)) = integers::subject(question) else {
            let does = "on predicates needs a program over integers";
            return Err(Unsupported::Input { method: "symbolic", does, help: "" });
        };
        integers::supports(subject, question.options)?;
        Ok(if question.options.method == AUTO { Estimate(Vec::new()) } else { Estimate::of(1.0) })
    }

    fn check(&self, question: &Question, context: &Context) -> Result<Checked, Error> {
        let (subject, number) = integers::assumed_subject(question)?;
        let subject = &*subject;
        let undetermined = integers::undetermined(subject, "refine", question, context)?;
        let formula = match (undetermined, &subject.formulas[number]) {
            (Some(reason), _) => {
                return Ok(Outcome::unknown(reason).into());
            }
            (None, Some(formula)) => formula,
            (None, None) => {
                return Ok(subject.all[number].without_property().into());
            }
        };
        let solver = &mut *searching_solver(question.options)?;
        let (seen, beginning) = abstraction(subject, solver, context.monitor)?;
        let queries = solver.counters().queries;
        let names: Vec<String> = seen.predicates.iter().map(|name| format!("`{name}`")).collect();
        let (count, names) = (names.len(), names.join(", "));
        context.detail(format!("{count} predicates, {queries} queries: {names}\n"));
        let semantics = match question.options.semantics {
            Some(Wanted::Sis) => MixedSemantics::Standard,
            _ => MixedSemantics::Reduced,
        };
        let (values, stats) = evaluate(&seen, formula, semantics, context.monitor)?;
        let outcome = answer(values, stats, beginning);
        let certified = integers::certify_symbolic(question, outcome.verdict, context.monitor)?;
        Ok(Checked::new(outcome, certified))
    }

    /// Explains a definite verdict by states, from the same predicates.
    fn explain(&self, question: &Question, context: &Context) -> Result<Explanation, Error> {
        let outcome = self.check(question, context)?.outcome;
        if !outcome.verdict.is_definite() {
            return Ok(Explanation::bare(outcome, Vec::new()));
        }
        integers::explain_by(self.name(), question, context)
    }
}

/// The order of the variables is left alone with fewer nodes.
const NODES_A_VARIABLE: usize = 256;

/// Evaluates a formula, on a stack that is deep enough for the variables.
fn evaluate(
    seen: &Abstracted,
    formula: &Formula,
    semantics: MixedSemantics,
    monitor: &Monitor,
) -> Result<(MixedValues, Stats), Error> {
    let mut policy = Policy::default();
    let variables = seen.predicates.len() * 4 + 1;
    // The order of the commands is a good one as long as there are few nodes for each variable.
    policy.reorder_at = policy.reorder_at.map(|at| at.max(variables * NODES_A_VARIABLE));
    let run = |policy: Policy| -> Result<(MixedValues, Stats), Error> {
        let mut mixed = Mixed::of_program(seen, semantics, policy, monitor)?;
        let evaluated = mixed.evaluate(formula, IterationOrder::ByComponents, &mut |_| {})?;
        let values = mixed.within(&evaluated, &seen.starts[0])?;
        let stats = Stats {
            iterations: Some(evaluated.all_iterations),
            bdd_nodes: Some(mixed.peak_nodes() as u64),
            ..Stats::default()
        };
        Ok((values, stats))
    };
    if variables <= policy.most_vars {
        return run(policy);
    }
    policy.most_vars = variables;
    let stack = (2 << 20) + variables * Policy::STACK_A_VAR;
    let outcome = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(stack);
        let thread = thread.spawn_scoped(scope, || run(policy)).ok()?;
        thread.join().ok()
    });
    let too_many = || Error::message(format!("there is no room for {variables} variables of BDDs"));
    outcome.ok_or_else(too_many)?
}

fn answer(values: MixedValues, stats: Stats, beginning: StartCertainty) -> Outcome {
    let verdict = match beginning {
        StartCertainty::Each => values.verdict(),
        StartCertainty::Some => values.reduced(),
        StartCertainty::Unknown => values.reduced().filter(|&truth| truth == Truth::True),
    };
    // Where something is both true and false, nothing begins: but that is not known of the others.
    let verdict = verdict.unwrap_or(Truth::Unknown);
    Outcome {
        reason: (verdict == Truth::Unknown).then_some(Reason::GivenPredicates),
        stats,
        ..Outcome::new(verdict)
    }
}
