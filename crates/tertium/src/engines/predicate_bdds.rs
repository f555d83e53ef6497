//! `symbolic` for programs over integers: their predicate abstraction as a monotone MixTS in BDDs (paper X, §5).
//!
//! The predicates are those that the text gives, what the properties speak of, and the guards. No others are looked
//! for: that is what the method `refine` does.

use crate::engine::{AUTO, Checked, Context, Engine, Estimate, Question};
use crate::error::Error;
use crate::integers::{self, IntegerModel, searching_solver};
use crate::options::Semantics as Wanted;
use crate::unsupported::Unsupported;
use ::symbolic::Policy;
use ::symbolic::mixed::{Mixed, MixedSemantics};
use cegar::Proposition;
use cegar::abstraction::{NotAbstracted, PredicateSet, SolverDecider, abstracted};
use explicit::{Outcome, Reason, Stats};
use logic::{Formula, Truth};
use transition::abstracted::{AbstractStart, Abstracted, Meaning};
use transition::integers::Predicate;

pub struct PredicateBdds;

/// Initial states are told apart by at most so many predicates.
const MOST_PREDICATES: usize = 64;

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
        let mut view = precision(subject)?;
        let mut solving = SolverDecider::new(solver);
        let certain = starts(subject, &mut view, &mut solving)?;
        let seen = abstracted(program, &view, &mut solving, context.monitor).map_err(refused)?;
        let queries = solver.counters().queries;
        let names: Vec<String> = seen.predicates.iter().map(|name| format!("`{name}`")).collect();
        let (count, names) = (names.len(), names.join(", "));
        context.detail(format!("{count} predicates, {queries} queries: {names}\n"));
        let semantics = match question.options.semantics {
            Some(Wanted::Sis) => MixedSemantics::Standard,
            _ => MixedSemantics::Reduced,
        };
        let mut mixed = Mixed::of_program(&seen, semantics, Policy::default(), context.monitor)?;
        Ok(answer(&seen, &certain, &mut mixed, formula)?.into())
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

/// The precision, without the starts.
fn precision(subject: &IntegerModel) -> Result<PredicateSet, Error> {
    let mut view = PredicateSet::default();
    for given in &subject.document.predicates {
        number_of(&mut view, &given.name, &given.condition);
    }
    for (name, meaning) in &subject.document.propositions {
        let meaning = match meaning {
            Proposition::At(places) => Meaning::At(places.clone()),
            Proposition::Holds(wanted) => Meaning::Predicate(number_of(&mut view, name, wanted)),
        };
        view.propositions.push((name.clone(), meaning));
    }
    for step in &subject.document.program.steps {
        if !matches!(step.guard, smt::LinearFormula::Constant(_)) {
            number_of(&mut view, &subject.shown_formula(&step.guard), &step.guard);
        }
    }
    match view.predicates.len() {
        0..=MOST_PREDICATES => Ok(view),
        many => Err(Error::message(format!(
            "there are {many} predicates, and at most {MOST_PREDICATES} are supported"
        ))
        .with_help("check fewer properties at a time, or use `--method refine`")),
    }
}

/// The number of a predicate, which is added if neither it nor its negation is there.
fn number_of(view: &mut PredicateSet, name: &str, condition: &smt::LinearFormula) -> u32 {
    let predicates = &mut view.predicates;
    let known = predicates.iter().position(|known| known.condition == *condition);
    known.unwrap_or_else(|| {
        predicates.push(Predicate { name: name.to_owned(), condition: condition.clone() });
        predicates.len() - 1
    }) as u32
}

/// Adds the initial states to the view; of each, whether it is certain that the program can begin there.
fn starts(
    subject: &IntegerModel,
    view: &mut PredicateSet,
    solving: &mut SolverDecider,
) -> Result<Vec<bool>, Error> {
    let start = &subject.document.start;
    let conditions: Vec<&smt::LinearFormula> =
        view.predicates.iter().map(|p| &p.condition).collect();
    let minterms = solving.minterms(&start.condition, &conditions).ok_or_else(|| {
        Error::message("the abstraction has too many initial states")
            .with_help("check fewer properties at a time, or use `--method refine`")
    })?;
    let literals = |bits: u64| (0..conditions.len() as u32).map(move |n| (n, bits >> n & 1 == 1));
    let starts = minterms
        .iter()
        .map(|&(bits, _)| AbstractStart { place: start.place, literals: literals(bits).collect() });
    view.starts = starts.collect();
    Ok(minterms.into_iter().map(|(_, is_certain)| is_certain).collect())
}

fn answer(
    seen: &Abstracted,
    certain: &[bool],
    mixed: &mut Mixed,
    formula: &Formula,
) -> Result<Outcome, Error> {
    let evaluated = mixed.evaluate(formula, &mut |_| {})?;
    let mut verdict = Truth::True;
    for (start, &is_certain) in seen.starts.iter().zip(certain) {
        // Where something is both true and false, nothing begins.
        match mixed.within(&evaluated, start)?.verdict() {
            Some(Truth::False) if is_certain => verdict = Truth::False,
            Some(Truth::False | Truth::Unknown) if verdict == Truth::True => {
                verdict = Truth::Unknown
            }
            _ => {}
        }
    }
    Ok(Outcome {
        reason: (verdict == Truth::Unknown).then_some(Reason::GivenPredicates),
        stats: Stats {
            iterations: Some(evaluated.all_iterations),
            diagram_nodes: Some(mixed.peak_nodes() as u64),
            ..Stats::default()
        },
        ..Outcome::new(verdict)
    })
}
