//! Programs over unbounded integers: predicate abstraction with predicates that are found by refinement (CEGAR).

pub mod abstraction;
mod auditor;
pub mod explain;
pub mod mixts;
pub mod model;
mod source_states;
mod wording;

pub use auditor::{IntegerAuditor, NO_ERROR_CLAIM, about_integers};
pub use model::IntegerModel;

use crate::engine::{AUTO, Certified, Checked, ClaimBytes, Context, Question};
use crate::error::Error;
use crate::event::Event;
use crate::explanation::Explanation;
use crate::options::Options;
use crate::property::About;
use crate::solver::{self, Process};
use crate::unsupported::Unsupported;
use audit::CertificateKind;
use audit::integers::IntegerWriter;
use cegar::{CegarAnswer, CegarLimits, CegarRound, LocationPartition, ProcessLocations};
use explicit::{Outcome, Reason, Stats, UndecidedAbstraction};
use front::NoErrorProperty;
use logic::{Formula, Truth};
use report::TracedRound;
use smt::{CrossChecked, Embedded, LinearFormula, Piped, Solver};
use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use support::{Diagnostic, Monitor, Stopped};

/// A solver has so long for one query, of which there are many, and most can be done without.
const PATIENCE: Duration = Duration::from_secs(2);
/// And so long where every answer is needed.
const PATIENCE_IN_AUDITS: Duration = Duration::from_secs(10);

/// The program that a question is about, and the number of its property there. One with processes over finitely many
/// values is one over integers, too.
pub fn subject<'a>(question: &Question<'a>) -> Option<(&'a Arc<IntegerModel>, usize)> {
    match question.property.about() {
        About::Integers(subject, number) => Some((subject, *number)),
        About::Finite(text, number) => Some((text.over_integers()?, *number)),
        About::Components(..) => None,
    }
}

/// The subject under the assumptions on its holes that the options have.
pub fn assumed_subject(question: &Question) -> Result<(Arc<IntegerModel>, usize), Error> {
    let (subject, number) = subject(question).expect("the engine supports integers only");
    Ok((subject.assuming(&question.options.assume)?, number))
}

/// Refuses settings that would change nothing where numbers have no bounds.
pub fn supports(subject: &IntegerModel, options: &Options) -> Result<(), Unsupported> {
    let input = match subject.document.view {
        None => "programs over integers",
        Some(_) => "SMV files with unbounded integers",
    };
    let refine = options.refine_option().filter(|&option| option != "--log-refinement");
    let modules = options.modules_option();
    let given = [
        ("--values", options.values),
        ("--order", !options.order.is_empty()),
        ("--assume", !options.assume.is_empty() && subject.document.open.is_none()),
        ("--semantics", options.semantics.is_some() && options.method != "symbolic"),
        ("--log-refinement", options.log_refinement && subject.document.view.is_some()),
        (refine.unwrap_or_default(), refine.is_some()),
        (modules.unwrap_or_default(), modules.is_some()),
        ("--deadlock", options.deadlock != explicit::Deadlock::Warn),
    ];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => {
            let help = "give all variables ranges, or leave it out";
            Err(Unsupported::OptionNotFor { option, input, help })
        }
        None => Ok(()),
    }
}

/// The error that a method needs finite domains.
pub fn wants_ranges(method: &'static str) -> Unsupported {
    Unsupported::Input {
        method,
        does: "needs variables with finite domains",
        help: "for programs over integers there are `refine`, `compositional` for processes, of which `auto` \
               takes the one that suits, `modular`, and `symbolic` for given predicates",
    }
}

/// The solver that was asked for, to audit certificates.
pub fn auditing_solver(options: &Options) -> Result<Box<dyn Solver>, Error> {
    solver(options, PATIENCE_IN_AUDITS)
}

/// The solver that was asked for, to look for verdicts. One that does not answer is of no use.
pub fn searching_solver(options: &Options) -> Result<Box<dyn Solver>, Error> {
    let mut solver = solver(options, PATIENCE)?;
    let Some(name) = &options.solver else { return Ok(solver) };
    let question = smt::LinearFormula::at_most(&smt::Term::variable(smt::Variable(0)));
    match solver.check(&[question]) {
        smt::SatAnswer::Unknown(why) => {
            let message = format!("the solver `{name}` does not answer: {why}");
            Err(Error::message(message)
                .with_help("it has to read SMT-LIB 2 from its input, as z3 and cvc5 do"))
        }
        _ => Ok(solver),
    }
}

/// Where solvers differ, one of them is wrong, and what they say counts for nothing.
fn refuse_disagreement(solver: &dyn Solver) -> Result<(), Error> {
    match solver.disagreement() {
        None => Ok(()),
        Some(what) => Err(Error::message(what).with_help(crate::REPORT)),
    }
}

fn solver(options: &Options, patience: Duration) -> Result<Box<dyn Solver>, Error> {
    let Some(name) = &options.solver else { return Ok(Box::new(Embedded::new())) };
    let program = solver::find(name).ok_or_else(|| {
        Error::message(format!("there is no solver `{name}`"))
            .with_help("give a path, or install z3 (for example as Python's package z3-solver)")
    })?;
    let piped = Piped::new(Process::new(program, patience));
    match options.cross_check {
        true => Ok(Box::new(CrossChecked::new(Embedded::new(), piped))),
        false => Ok(Box::new(piped)),
    }
}

/// Divides a program for `modular`.
fn partition(options: &Options, subject: &IntegerModel) -> Result<LocationPartition, Unsupported> {
    /// Outside of loops, so many locations are a block.
    const ROW: usize = 16;
    let others = [
        (options.sets.is_some(), "--sets"),
        (options.resume.is_some(), "--resume"),
        (options.threads.is_some(), "--threads"),
    ];
    let for_finite = |option| Unsupported::OptionForInput {
        option,
        input: "programs whose variables have finitely many values",
        help: "over integers, `--partition auto`, `whole` or `statement` chooses the initial blocks",
    };
    if let Some((_, option)) = others.into_iter().find(|(is_given, _)| *is_given) {
        return Err(for_finite(option));
    }
    let program = &subject.document.program;
    match options.partition.as_deref() {
        None | Some("auto") => Ok(LocationPartition::loops(program, ROW)),
        Some("whole") => Ok(LocationPartition::single(program)),
        Some("statement") => Ok(LocationPartition::locations(program)),
        Some(_) => Err(for_finite("--partition FILE")),
    }
}

/// How a formula is looked at.
pub struct Search<'a> {
    pub subject: &'a IntegerModel,
    pub formula: &'a Formula,
    pub evidence: bool,
    /// The predicates that are there from the beginning.
    initial_predicates: Cow<'a, [LinearFormula]>,
    components: Option<ProcessLocations>,
    partition: Option<LocationPartition>,
}

impl<'a> Search<'a> {
    /// As a method goes about it.
    pub fn new(
        subject: &'a IntegerModel,
        formula: &'a Formula,
        method: &str,
        options: &Options,
    ) -> Result<Self, Unsupported> {
        let by_processes = matches!(method, AUTO | "compositional");
        let components = by_processes.then(|| subject.components()).flatten();
        let partition = (method == "modular").then(|| partition(options, subject)).transpose()?;
        let initial_predicates = match method {
            "symbolic" => Cow::Owned(abstraction::initial_predicates(subject)),
            _ => Cow::Borrowed(&subject.initial_predicates[..]),
        };
        Ok(Self {
            subject,
            formula,
            evidence: options.evidence,
            initial_predicates,
            components,
            partition,
        })
    }

    pub fn with_question<T>(
        &self,
        monitor: &Monitor,
        watch: &dyn Fn(&CegarRound),
        then: impl FnOnce(&cegar::CegarQuestion) -> T,
    ) -> T {
        let Self { subject, formula, evidence, ref initial_predicates, .. } = *self;
        let start = &subject.document.start;
        then(&cegar::CegarQuestion {
            program: &subject.document.program,
            start: (start.location, &start.condition),
            invariant: &subject.document.invariant,
            propositions: &subject.document.propositions,
            formula,
            initial_predicates,
            components: self.components.as_ref(),
            partition: self.partition.as_ref(),
            limits: CegarLimits::default(),
            evidence,
            watch,
            monitor,
        })
    }

    /// The answer, and what was known before it.
    pub fn answer(
        &self,
        solver: &mut dyn Solver,
        monitor: &Monitor,
        watch: &dyn Fn(&CegarRound),
    ) -> Result<(CegarAnswer, Option<UndecidedAbstraction>), Stopped> {
        let last: RefCell<Option<UndecidedAbstraction>> = RefCell::new(None);
        let watch = |round: &CegarRound| {
            watch(round);
            if !round.new_predicates.is_empty() {
                *last.borrow_mut() = Some(self.subject.known(round));
            }
        };
        let answer =
            self.with_question(monitor, &watch, |question| cegar::run(question, solver))?;
        Ok((answer, last.into_inner()))
    }
}

/// Checks a property by a method.
pub fn check(method: &str, question: &Question, context: &Context) -> Result<Checked, Error> {
    let (subject, number) = assumed_subject(question)?;
    let subject = &*subject;
    let options = question.options;
    let own = if options.method == AUTO && method != "modular" { AUTO } else { method };
    if let Some(reason) = undetermined(subject, own, question, context)? {
        return Ok(Outcome::unknown(reason).into());
    }
    let Some(formula) = &subject.formulas[number] else {
        return Ok(subject.all[number].without_property().into());
    };
    let (outcome, answer) = search(subject, formula, own, question, context)?;
    let certified = certify(subject, number, &answer, options)?;
    Ok(Checked::new(outcome, certified))
}

/// Explains a property as a method goes about it.
pub fn explain_by(
    method: &str,
    question: &Question,
    context: &Context,
) -> Result<Explanation, Error> {
    if question.options.shape.needs_positions() {
        let why = "a trace of a program over integers cannot be drawn";
        let help = "it is available as text or with --json";
        return Err(Unsupported::Explanation { why, help }.into());
    }
    let (subject, number) = assumed_subject(question)?;
    explain::explain(&subject, number, method, question.options, context.monitor)
}

fn search(
    subject: &IntegerModel,
    formula: &Formula,
    method: &str,
    question: &Question,
    context: &Context,
) -> Result<(Outcome, CegarAnswer), Error> {
    let watch = |round: &CegarRound| {
        if question.options.rounds {
            let round = TracedRound::Found(Box::new(subject.predicate_round(round)));
            context.observer.event(Event::Round(question.property, round));
        }
        context.observer.event(Event::Known(question.property, subject.known(round)));
    };
    let search = Search::new(subject, formula, method, question.options)?;
    let mut solver = searching_solver(question.options)?;
    let (answer, known) = search.answer(&mut *solver, context.monitor, &watch)?;
    refuse_disagreement(&*solver)?;
    Ok((outcome(subject, &answer, known), answer))
}

/// Why nothing is known because a run-time error may happen; an error if it does.
pub fn undetermined(
    subject: &IntegerModel,
    method: &str,
    question: &Question,
    context: &Context,
) -> Result<Option<Reason>, Error> {
    let Some(no_error) = &subject.document.no_error else { return Ok(None) };
    let kept = || subject.no_error_answer.lock().unwrap_or_else(PoisonError::into_inner);
    let known = kept().as_ref().map(|(verdict, answer)| (*verdict, answer.is_some()));
    let verdict = match known {
        Some((verdict, has_evidence)) if has_evidence || !question.options.evidence => verdict,
        _ => {
            let (outcome, answer) = search(subject, &no_error.formula, method, question, context)?;
            let shown = question.options.evidence.then_some(answer);
            *kept() = Some((outcome.verdict, shown));
            outcome.verdict
        }
    };
    run_time_error(subject, no_error, verdict)
}

/// The reason of an unknown because of a possible run-time error; an error if there is one.
pub fn run_time_error(
    subject: &IntegerModel,
    no_error: &NoErrorProperty,
    verdict: Truth,
) -> Result<Option<Reason>, Error> {
    let line = |span: &support::Span| subject.sources.position(*span).0;
    let mut lines: Vec<usize> = no_error.spans.iter().map(line).collect();
    lines.dedup();
    match (verdict, no_error.spans.first()) {
        (Truth::True, _) => Ok(None),
        (Truth::False, Some(&first)) => {
            let message = "run-time error: a value out of range, a `case` without a matching branch, or a division by zero";
            let diagnostic = Diagnostic::error(message, first, "here, in a reachable state");
            let others = no_error.spans[1..].iter();
            let diagnostic =
                others.fold(diagnostic, |diagnostic, &span| diagnostic.with_label(span, "or here"));
            Err(Error::of(vec![diagnostic], &subject.sources))
        }
        _ => Ok(Some(Reason::RunTimeErrors(lines))),
    }
}

/// The certificate of a verdict of `symbolic`. Sets of abstract states in BDDs are no proof: the evidence is that of an
/// abstraction by states that begins with the same predicates.
pub fn certify_symbolic(
    question: &Question,
    verdict: Truth,
    monitor: &Monitor,
) -> Result<Certified, Error> {
    let (subject, number) = assumed_subject(question)?;
    let subject = &*subject;
    let Some(formula) = &subject.formulas[number] else { return Ok(Certified::NotRequested) };
    if !question.options.evidence || !verdict.is_definite() {
        return Ok(Certified::NotRequested);
    }
    let search = Search::new(subject, formula, "symbolic", question.options)?;
    let mut solver = searching_solver(question.options)?;
    let (answer, _) = search.answer(&mut *solver, monitor, &|_| {})?;
    refuse_disagreement(&*solver)?;
    let name = question.property.name();
    match answer.verdict {
        Truth::Unknown => {
            let why = "no abstraction by states that begins with the same predicates decides it";
            Ok(Certified::Unavailable(format!("`{name}` is not certified: {why}")))
        }
        found if found != verdict => {
            let message = format!("`{name}` is {verdict} by BDDs and {found} by states");
            Err(Error::message(message).with_help(crate::REPORT))
        }
        _ => certify(subject, number, &answer, question.options),
    }
}

/// The certificate of an answer, before it that there are no run-time errors.
fn certify(
    subject: &IntegerModel,
    number: usize,
    answer: &CegarAnswer,
    options: &Options,
) -> Result<Certified, Error> {
    if !options.evidence || !answer.verdict.is_definite() {
        return Ok(Certified::NotRequested);
    }
    let name = &subject.all[number].name;
    if !options.assume.is_empty() {
        let why = "assumptions on holes have certificates in programs of one process and finite data only";
        return Ok(Certified::Unavailable(format!("`{name}` is not certified: {why}")));
    }
    let header = CertificateKind::Integers.header(subject.digest());
    let claim = |name: &str, translation, answer: &CegarAnswer| {
        let mut writer = IntegerWriter::start(subject.digest());
        let propositions = &subject.document.propositions;
        let is_written =
            cegar::certificate::write(&mut writer, name, propositions, translation, answer);
        // Behind the claim are the end and the checksum.
        let bytes = writer.finish();
        is_written.then(|| bytes[header.len()..bytes.len() - 9].to_vec())
    };
    let mut before = Vec::new();
    if subject.document.no_error.is_some() {
        let proved = subject.no_error_answer.lock().unwrap_or_else(PoisonError::into_inner);
        let shown = proved.as_ref().and_then(|(_, answer)| answer.as_ref());
        let Some(shown) = shown.and_then(|answer| claim(NO_ERROR_CLAIM, None, answer)) else {
            let why = format!("`{name}` is not certified: it is not proved that {NO_ERROR_CLAIM}");
            return Ok(Certified::Unavailable(why));
        };
        before = shown;
    }
    let translation =
        subject.translations[number].as_ref().map(|formula| (formula, &subject.atoms));
    let Some(claim) = claim(name, translation, answer) else {
        let why = format!(
            "`{name}` is not certified: a limit was reached before its evidence was complete"
        );
        return Ok(Certified::Unavailable(why));
    };
    Ok(Certified::Claim(Arc::new(ClaimBytes { header, before, claim, is_sealed: true })))
}

fn outcome(
    subject: &IntegerModel,
    answer: &CegarAnswer,
    known: Option<UndecidedAbstraction>,
) -> Outcome {
    let reason = subject.reason(answer, known);
    let partition = answer.partition;
    Outcome {
        reason,
        stats: Stats {
            states: Some(answer.states as u64),
            iterations: Some(u64::from(answer.rounds)),
            blocks: partition.map(|figures| figures.blocks as u64),
            checked_blocks: partition.map(|figures| figures.checked),
            reused_blocks: partition.map(|figures| figures.reused),
            passes: partition.map(|figures| figures.passes),
            largest_block_states: partition.map(|figures| figures.largest as u64),
            ..Stats::default()
        },
        ..Outcome::new(answer.verdict)
    }
}
