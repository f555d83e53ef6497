//! `symbolic` for programs over integers: their predicate abstraction as a monotone MixTS in BDDs (paper X, §5).
//!
//! The predicates are those of the text, the atoms of the properties, and the guards. There is no refinement: `refine`
//! discovers predicates.

use crate::engine::{AUTO, Checked, Context, Engine, Estimate, Question};
use crate::error::Error;
use crate::integers::{self, IntegerModel, searching_solver};
use crate::options::Semantics as Wanted;
use crate::unsupported::Unsupported;
use ::symbolic::Policy;
use ::symbolic::mixed::{Mixed, MixedSemantics, MixedValues};
use cegar::Proposition;
use cegar::abstraction::{
    NotAbstracted, PredicateCollector, PredicateSet, SolverDecider, abstracted, contradictions,
};
use explicit::{Outcome, Reason, Stats};
use logic::{Formula, Truth};
use support::Monitor;
use transition::abstracted::{AbstractStart, Abstracted, Meaning};

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
        if question.options.evidence {
            let why = "the method `symbolic` has no certificates for programs over integers";
            let help = "use `--method refine`, which writes and audits them";
            return Err(Unsupported::Certificate { why, help });
        }
        Ok(if question.options.method == AUTO { Estimate(Vec::new()) } else { Estimate::of(1.0) })
    }

    fn check(&self, question: &Question, context: &Context) -> Result<Checked, Error> {
        let (subject, number) = integers::subject(question).expect("a program over integers");
        let undetermined = integers::undetermined(subject, "refine", question, context)?;
        let formula = match (undetermined, &subject.formulas[number]) {
            (Some(reason), _) => {
                let unknown = Outcome::new(Truth::Unknown);
                return Ok(Outcome { reason: Some(reason), ..unknown }.into());
            }
            (None, Some(formula)) => formula,
            (None, None) => {
                let why = subject.all[number].not_supported.unwrap_or_default();
                return Ok(Outcome::not_tried(why).into());
            }
        };
        let solver = &mut *searching_solver(question.options)?;
        solver.push(&subject.document.invariant);
        let program = &subject.document.program;
        let mut view = precision(subject, solver);
        let beginning = begin(subject, &mut view, solver, context.monitor)?;
        let mut solving = SolverDecider::new(solver);
        let seen = abstracted(program, &view, &mut solving, context.monitor).map_err(refused)?;
        let queries = solver.counters().queries;
        let names: Vec<String> = seen.predicates.iter().map(|name| format!("`{name}`")).collect();
        let (count, names) = (names.len(), names.join(", "));
        context.detail(format!("{count} predicates, {queries} queries: {names}\n"));
        let semantics = match question.options.semantics {
            Some(Wanted::Sis) => MixedSemantics::Standard,
            _ => MixedSemantics::Reduced,
        };
        let (values, stats) = evaluate(&seen, formula, semantics, context.monitor)?;
        Ok(answer(values, stats, beginning).into())
    }

    fn explain(&self, _: &Question, _: &Context) -> Result<crate::explanation::Explanation, Error> {
        let why = "the method `symbolic` explains nothing for programs over integers";
        let help = "`refine`, `compositional` and `modular` explain what they find";
        Err(Unsupported::Explanation { why, help }.into())
    }
}

fn refused(error: NotAbstracted) -> Error {
    match error {
        NotAbstracted::Stopped(stopped) => Error::Stopped(stopped),
        other => Error::message(other.to_string())
            .with_help("`--method refine` keeps predicates per location"),
    }
}

/// The predicates and propositions; the initial states are still to come.
fn precision(subject: &IntegerModel, solver: &mut dyn smt::Solver) -> PredicateSet {
    let mut collected = PredicateCollector::new(solver, &subject.document.invariant);
    for given in &subject.document.predicates {
        collected.literal(&given.name, &given.condition);
    }
    let mut propositions = Vec::new();
    for (name, meaning) in &subject.document.propositions {
        let meaning = match meaning {
            Proposition::At(places) => Meaning::At(places.clone()),
            Proposition::Holds(wanted) => {
                let (number, value) = collected.literal(name, wanted);
                Meaning::Literal(number, value)
            }
        };
        propositions.push((name.clone(), meaning));
    }
    for step in &subject.document.program.steps {
        if !matches!(step.guard, smt::LinearFormula::Constant(_)) {
            collected.literal(&subject.shown_formula(&step.guard), &step.guard);
        }
    }
    PredicateSet { predicates: collected.finish(), propositions, ..PredicateSet::default() }
}

/// How certain it is that the program can begin in the initial states of the abstraction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beginning {
    /// In each of them.
    Each,
    /// In some of them.
    Some,
    Unknown,
}

/// Adds the contradictions among the predicates and the initial states.
fn begin(
    subject: &IntegerModel,
    view: &mut PredicateSet,
    solver: &mut dyn smt::Solver,
    monitor: &Monitor,
) -> Result<Beginning, Error> {
    let start = &subject.document.start;
    let always = smt::LinearFormula::Constant(true);
    let of_all = contradictions(solver, &always, &view.predicates, monitor)?;
    let of_start = match start.condition == always {
        true => of_all.clone(),
        false => contradictions(solver, &start.condition, &view.predicates, monitor)?,
    };
    view.contradictions = of_all.all;
    view.starts = vec![AbstractStart {
        place: start.place,
        literals: Vec::new(),
        contradictions: of_start.all,
    }];
    Ok(match of_start.are_complete {
        true => Beginning::Each,
        false => match solver.check(std::slice::from_ref(&start.condition)) {
            smt::SatAnswer::Sat(_) => Beginning::Some,
            _ => Beginning::Unknown,
        },
    })
}

/// Evaluates a formula, on a stack that is deep enough for the variables.
fn evaluate(
    seen: &Abstracted,
    formula: &Formula,
    semantics: MixedSemantics,
    monitor: &Monitor,
) -> Result<(MixedValues, Stats), Error> {
    let mut policy = Policy::default();
    let variables = seen.predicates.len() * 4 + 1;
    let run = |policy: Policy| -> Result<(MixedValues, Stats), Error> {
        let mut mixed = Mixed::of_program(seen, semantics, policy, monitor)?;
        let evaluated = mixed.evaluate(formula, &mut |_| {})?;
        let values = mixed.within(&evaluated, &seen.starts[0])?;
        let stats = Stats {
            iterations: Some(evaluated.all_iterations),
            diagram_nodes: Some(mixed.peak_nodes() as u64),
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

fn answer(values: MixedValues, stats: Stats, beginning: Beginning) -> Outcome {
    let verdict = match beginning {
        Beginning::Each => values.verdict(),
        Beginning::Some => values.reduced(),
        Beginning::Unknown => values.reduced().filter(|&truth| truth == Truth::True),
    };
    // Where something is both true and false, nothing begins: but that is not known of the others.
    let verdict = verdict.unwrap_or(Truth::Unknown);
    Outcome {
        reason: (verdict == Truth::Unknown).then_some(Reason::GivenPredicates),
        stats,
        ..Outcome::new(verdict)
    }
}
