//! Programs over unbounded integers: abstraction by predicates that are found on the way.

mod auditing;
mod certificate;
mod modules;
mod pieces;
mod refusal;
mod states;
pub mod story;
mod subject;
mod symbolic;
mod telling;

use crate::Status;
use crate::check::{News, Session, method};
use crate::flags::{Check, Solving};
use crate::input::Trouble;
use crate::questions::Question;
use crate::solver::{self, Process};
use crate::status::REPORT;
pub use auditing::{Auditing, about_integers};
use cegar::{Answer, Components, Limits, Pieces, Round};
use certificate::{Certifier, Told};
use explicit::{Method, Outcome, Reason, Stats};
use logic::{Formula, Truth};
pub use modules::answer_smv;
use report::{BestKnowledge, TracedRound};
use smt::{CrossChecked, Embedded, Piped, Solver};
use std::cell::RefCell;
use std::path::Path;
use std::time::{Duration, Instant};
pub use subject::Subject;
use support::{Monitor, Stopped};

/// A solver has so long for one question, of which there are many, and most can be done without.
const PATIENCE: Duration = Duration::from_secs(2);
/// And so long where every answer is needed.
const PATIENCE_IN_AUDITS: Duration = Duration::from_secs(10);

/// Answers all questions about a program over integers; nothing if it is not one.
pub fn answer_all(
    flags: &Check,
    path: &Path,
    session: &Session,
) -> Result<Option<Status>, Trouble> {
    let monitor = &session.monitor;
    let Some(subject) = Subject::read(path, &flags.questions, &flags.property, monitor)? else {
        return Ok(None);
    };
    refusal::refuse_flags(flags, refusal::In::Program)?;
    refuse_method(flags)?;
    pieces::pieces(flags, &subject)?;
    session.remark(subject.warnings_for(&flags.limits));
    session.tell(News::Plan(subject.questions.clone()));
    if method(flags) == Method::Symbolic {
        let solver = &mut *searching_solver(&flags.solving)?;
        return symbolic::answer_all(flags, &subject, solver, session).map(Some);
    }
    let certifier = Certifier::new(flags, &subject);
    answer_each(flags, &subject, certifier, None, session).map(Some)
}

/// Answers question after question, with what shows the answers. All are unknown if there is a doubt that they rest on.
fn answer_each(
    flags: &Check,
    subject: &Subject,
    mut certifier: Certifier,
    doubt: Option<String>,
    session: &Session,
) -> Result<Status, Trouble> {
    let mut both = subject.questions.iter().zip(&subject.formulas);
    let ended = both.try_for_each(|(question, formula)| {
        let started = Instant::now();
        let formula = match why_not(question, formula, doubt.as_deref()) {
            Ok(formula) => formula,
            Err(why) => {
                let outcome = Outcome::not_tried(Method::Refine, why.to_owned());
                session.tell(News::answer(question, outcome, started));
                return Ok(());
            }
        };
        let (outcome, answer) = ask(flags, subject, formula, flags.asks_for_evidence(), session)?;
        let told = certifier.certify(&question.name, &answer, &session.monitor);
        session.tell(News::answer(question, outcome, started));
        tell_audit(flags, told, session);
        Ok(())
    });
    // What was shown before a limit was reached is shown.
    if let Err(message) = certifier.finish() {
        session.tell(News::Unwritten(message));
    }
    ended.map(|()| Status::Good)
}

fn tell_audit(flags: &Check, told: Told, session: &Session) {
    match told {
        Ok(_) if flags.limits.quiet => {}
        Ok(told) => session.remark(told),
        Err(message) => session.tell(News::Unwritten(message)),
    }
}

/// The solver that was asked for, to audit certificates.
pub fn auditing_solver(flags: &Solving) -> Result<Box<dyn Solver>, Trouble> {
    solver(flags, PATIENCE_IN_AUDITS)
}

/// The solver that was asked for, to look for verdicts. One that does not answer is of no use.
fn searching_solver(flags: &Solving) -> Result<Box<dyn Solver>, Trouble> {
    let mut solver = solver(flags, PATIENCE)?;
    let Some(name) = &flags.solver else { return Ok(solver) };
    let question = smt::Formula::at_most(&smt::Term::variable(smt::Variable(0)));
    match solver.check(&[question]) {
        smt::SatAnswer::Unknown(why) => {
            let message = format!("the solver `{name}` does not answer: {why}");
            Err(Trouble::message(message)
                .with_help("it has to read SMT-LIB 2 from its input, as z3 and cvc5 do"))
        }
        _ => Ok(solver),
    }
}

/// Where solvers differ, one of them is wrong, and what they say counts for nothing.
fn refuse_disagreement(solver: &dyn Solver) -> Result<(), Trouble> {
    match solver.disagreement() {
        None => Ok(()),
        Some(what) => Err(Trouble::message(what).with_help(REPORT)),
    }
}

/// The solver that was asked for.
fn solver(flags: &Solving, patience: Duration) -> Result<Box<dyn Solver>, Trouble> {
    let Some(name) = &flags.solver else { return Ok(Box::new(Embedded::new())) };
    let program = solver::find(name).ok_or_else(|| {
        Trouble::message(format!("there is no solver `{name}`"))
            .with_help("give a path, or install z3 (for example as Python's package z3-solver)")
    })?;
    let piped = Piped::new(Process::new(program, patience));
    match flags.cross_check {
        true => Ok(Box::new(CrossChecked::new(Embedded::new(), piped))),
        false => Ok(Box::new(piped)),
    }
}

/// What is not over integers has no arithmetic that somebody could decide.
pub fn refuse_solver(flags: &Solving) -> Result<(), Trouble> {
    match flags.solver {
        None => Ok(()),
        Some(_) => Err(Trouble::message("`--solver` is for programs over integers")
            .with_help("what has finitely many states needs none: leave it out")),
    }
}

fn refuse_method(flags: &Check) -> Result<(), Trouble> {
    match method(flags) {
        Method::Direct => Err(not_for_integers(Method::Direct)),
        _ => Ok(()),
    }
}

fn not_for_integers(method: Method) -> Trouble {
    let message =
        format!("the method `{}` wants variables with finitely many values", method.name());
    let help = "for programs over integers there are `refine`, `compositional` for processes, of which `auto` \
                takes the one that suits, `modular`, and `symbolic` for given predicates";
    Trouble::message(message).with_help(help)
}

/// The formula of a question, or why it is not asked.
fn why_not<'a>(
    question: &Question,
    formula: &'a Option<Formula>,
    doubt: Option<&'a str>,
) -> Result<&'a Formula, &'a str> {
    match (formula, doubt) {
        (None, _) => Err(question.not_supported.unwrap_or_default()),
        (Some(_), Some(doubt)) => Err(doubt),
        (Some(formula), None) => Ok(formula),
    }
}

/// Answers one question, with what shows it if that is wanted.
fn ask(
    flags: &Check,
    subject: &Subject,
    formula: &Formula,
    evidence: bool,
    session: &Session,
) -> Result<(Outcome, Answer), Trouble> {
    let watch = |round: &Round| {
        if flags.watches_rounds() {
            let round = TracedRound::Found(Box::new(subject.told(round)));
            session.tell(News::Round(round));
        }
        session.tell(News::Known(Box::new(subject.known(round))));
    };
    let pieces = pieces::pieces(flags, subject)?;
    let asked = Asked { evidence, pieces, ..Asked::new(subject, formula, method(flags)) };
    let mut solver = searching_solver(&flags.solving)?;
    let (answer, known) = asked.answer(&mut *solver, &session.monitor, &watch)?;
    refuse_disagreement(&*solver)?;
    Ok((outcome(subject, &answer, known), answer))
}

/// One of the questions about a program.
struct Asked<'a> {
    subject: &'a Subject,
    formula: &'a Formula,
    evidence: bool,
    components: Option<Components>,
    pieces: Option<Pieces>,
}

impl<'a> Asked<'a> {
    /// As a method goes about it, without evidence.
    fn new(subject: &'a Subject, formula: &'a Formula, method: Method) -> Self {
        let by_processes = matches!(method, Method::Auto | Method::Compositional);
        let components = by_processes.then(|| subject.components()).flatten();
        let pieces = (method == Method::Modular).then(|| pieces::loops(subject));
        Self { subject, formula, evidence: false, components, pieces }
    }

    fn with_question<T>(
        &self,
        monitor: &Monitor,
        watch: &dyn Fn(&Round),
        then: impl FnOnce(&cegar::Question) -> T,
    ) -> T {
        let Self { subject, formula, evidence, .. } = *self;
        let start = &subject.document.start;
        then(&cegar::Question {
            program: &subject.document.program,
            start: (start.place, &start.condition),
            invariant: &subject.invariant,
            propositions: &subject.propositions,
            formula,
            given: &subject.given,
            components: self.components.as_ref(),
            pieces: self.pieces.as_ref(),
            limits: Limits::default(),
            evidence,
            watch,
            monitor,
        })
    }

    /// The answer, and what was known before it.
    fn answer(
        &self,
        solver: &mut dyn Solver,
        monitor: &Monitor,
        watch: &dyn Fn(&Round),
    ) -> Result<(Answer, Option<BestKnowledge>), Stopped> {
        let last: RefCell<Option<BestKnowledge>> = RefCell::new(None);
        let watch = |round: &Round| {
            watch(round);
            if !round.found.is_empty() {
                *last.borrow_mut() = Some(self.subject.known(round));
            }
        };
        let answer =
            self.with_question(monitor, &watch, |question| cegar::run(question, solver))?;
        Ok((answer, last.into_inner()))
    }
}

fn outcome(subject: &Subject, answer: &Answer, known: Option<BestKnowledge>) -> Outcome {
    let is_open = answer.verdict == Truth::Unknown;
    let reason = is_open.then(|| Reason::NotTried(subject.reason(answer, known)));
    let pieces = answer.pieces;
    let method = if pieces.is_some() { Method::Modular } else { Method::Refine };
    Outcome {
        reason,
        stats: Stats {
            states: Some(answer.states as u64),
            iterations: Some(u64::from(answer.rounds)),
            pieces: pieces.map(|figures| figures.pieces as u64),
            checked_pieces: pieces.map(|figures| figures.looked_at),
            reused_pieces: pieces.map(|figures| figures.reused),
            passes: pieces.map(|figures| figures.passes),
            piece_states: pieces.map(|figures| figures.largest as u64),
            ..Stats::default()
        },
        ..Outcome::new(answer.verdict, method)
    }
}
