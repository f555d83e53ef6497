//! `tertium explain`: why a property holds, why it fails, or what is missing to know.

mod diagrams;

use crate::console::{Console, colour_of_stderr, colour_of_stdout};
use crate::flags::{Explain, Form};
use crate::input::Trouble;
use crate::load::{Loaded, load};
use crate::questions::{Item, Question, Task, prepare};
use crate::smv::native::native_property;
use crate::smv::states::Scope;
use crate::smv::{self, Either};
use crate::supervisor::{self, Session};
use crate::{Status, input, integers, modular, output};
use explicit::{Deadlock, ExplainOptions, Method, Outcome, Reason, Request};
use front::Property;
use logic::evidence::Explanation;
use logic::{Family, Formula, Logic, Truth};
use model::System;
use report::explanation::{
    ExplanationHead, TextView, Unmentioned, dot, html, json, submodel, svg, text,
};
use report::{FormulaPart, FormulaText};
use std::path::Path;
use std::sync::Arc;
use support::{SourceMap, Stopped};

/// What the worker tells.
enum News {
    /// What is asked, once that is known.
    Question(Question),
    Content(String),
}

pub fn run(flags: Box<Explain>) -> Status {
    let flags = Arc::new(flags);
    let worker = flags.clone();
    let mut asked = None;
    let (ended, mut console) = supervisor::run(
        &flags.limits,
        move |session: &Session<News>| session.settle(explain(&worker, session)),
        |news, console| match news {
            News::Question(question) => asked = Some(question),
            News::Content(text) => console.out(&text),
        },
    );
    ended.unwrap_or_else(|stopped| {
        tell_stop(&flags, asked, stopped, &mut console);
        Status::Unknown
    })
}

/// Nothing is explained: in the form that was asked for, if that can say so.
fn tell_stop(flags: &Explain, asked: Option<Question>, stopped: Stopped, console: &mut Console) {
    let is_text = !flags.form.is_other_than_text();
    let Some(question) = asked.filter(|_| is_text || flags.form.json) else {
        console.err(&format!("unknown: {stopped}; nothing was written\n"));
        return;
    };
    let reason = Reason::Stopped(stopped);
    let files: Vec<String> = flags.files.iter().map(|path| input::name_of(path)).collect();
    let head = ExplanationHead { reason: Some(&reason), ..head(&files, &question) };
    console.out(&drawn(&flags.form, &head, &Explanation::bare(Truth::Unknown, Vec::new())));
}

fn explain(flags: &Explain, session: &Session<News>) -> Result<Status, Trouble> {
    if let Some(path) = flags.output.as_deref() {
        output::is_no_input(path, &flags.files)?;
    }
    let (content, status) = match (smv::among(&flags.files)?, flags.method) {
        (Some(path), _)
            if smv::is_while(path)
                && let Some(subject) = integers::story::read(flags, path, &session.monitor)? =>
        {
            of_integers(flags, path, &subject, session)?
        }
        (Some(path), Method::Auto | Method::Modular) if is_told(flags, path) => {
            of_pieces(flags, path, session)?
        }
        (_, Method::Modular) => {
            return Err(Trouble::message(
                "the method `modular` tells a way through a while-program",
            )
            .with_help("as text or with --json; other forms are drawn by `--method direct`"));
        }
        (Some(path), _) => of_program(flags, path, session)?,
        (None, Method::Symbolic) => {
            let message = "`explain` knows the method `symbolic` for SMV files only";
            return Err(Trouble::message(message)
                .with_help("the other methods find the same verdict and can explain it"));
        }
        (None, _) => {
            let (loaded, item) = ask(flags, session)?;
            of_states(flags, &loaded, &item, session)?
        }
    };
    match &flags.output {
        Some(path) if !input::is_dash(path) => {
            output::write(path, &content).map_err(|error| output::unwritable(path, &error))?;
        }
        _ => session.tell(News::Content(content)),
    }
    Ok(status)
}

/// The system and the one property that is meant.
fn ask(flags: &Explain, session: &Session<News>) -> Result<(Loaded, Item), Trouble> {
    integers::refuse_solver(&flags.solving)?;
    let mut loaded = load(&flags.files, flags.sync.as_deref(), &session.monitor)?;
    loaded.reduce(flags.semantics);
    let tasks = prepare(&flags.questions, flags.property.as_slice(), &mut loaded)?;
    let items = tasks.into_iter().map(|task| Item::Task(Box::new(task))).collect();
    let item = single(items)?;
    session.remark(loaded.warnings_for(&flags.limits));
    session.remark(if flags.limits.quiet { String::new() } else { loaded.starts_that_cover() });
    session.tell(News::Question(item.question().clone()));
    Ok((loaded, item))
}

/// An explanation in states that are listed.
fn of_states(
    flags: &Explain,
    loaded: &Loaded,
    item: &Item,
    session: &Session<News>,
) -> Result<(String, Status), Trouble> {
    match item {
        Item::Task(task) => answer(flags, loaded, task, session),
        Item::Unanswered(question, why) => {
            let reason = Reason::NotTried(why.clone());
            let explanation = Explanation::bare(Truth::Unknown, names(loaded));
            let content = content(flags, loaded, question, None, (explanation, Some(reason)))?;
            Ok((content, Status::Unknown))
        }
    }
}

/// Whether it is a program whose text tells it best.
fn is_told(flags: &Explain, path: &Path) -> bool {
    smv::is_while(path) && (flags.form.json || !flags.form.is_other_than_text())
}

/// A way through a while-program.
fn of_pieces(
    flags: &Explain,
    path: &Path,
    session: &Session<News>,
) -> Result<(String, Status), Trouble> {
    integers::refuse_solver(&flags.solving)?;
    let subject = modular::story::read(flags, path, &session.monitor)?;
    session.remark(subject.warnings_for(&flags.limits));
    let [question] = &subject.questions[..] else {
        return Err(one_at_a_time(subject.questions.iter().map(|question| &*question.name)));
    };
    session.tell(News::Question(question.clone()));
    let files = [input::name_of(path)];
    modular::story::explain(flags, &subject, &head(&files, question), &session.monitor)
}

/// A run of a program over integers.
fn of_integers(
    flags: &Explain,
    path: &Path,
    subject: &integers::Subject,
    session: &Session<News>,
) -> Result<(String, Status), Trouble> {
    session.remark(subject.warnings_for(&flags.limits));
    let question = match &subject.questions[..] {
        [question] => question,
        [] if subject.view.is_some() => return Err(smv::nothing_asked()),
        all => return Err(one_at_a_time(all.iter().map(|question| &*question.name))),
    };
    session.tell(News::Question(question.clone()));
    let files = [input::name_of(path)];
    integers::story::explain(flags, subject, &head(&files, question), &session.monitor)
}

/// The explanation of a specification of an SMV file: by its states where these can be listed, by diagrams where
/// they may be too many.
fn of_program(
    flags: &Explain,
    path: &Path,
    session: &Session<News>,
) -> Result<(String, Status), Trouble> {
    let monitor = &session.monitor;
    let read = smv::read_either(path, &flags.questions, flags.property.as_slice(), monitor)?;
    let program = match read {
        Either::Finite(program) => program,
        Either::Integers(document, sources, all, chosen) => {
            let subject = integers::Subject::of_smv(*document, sources, &all, &chosen);
            return of_integers(flags, path, &subject, session);
        }
    };
    integers::refuse_solver(&flags.solving)?;
    session.remark(program.warnings_for(&flags.limits));
    if let [only] = &program.questions()?[..] {
        session.tell(News::Question(only.clone()));
    }
    let deadlock = flags.deadlock.into();
    let by_diagrams = match flags.method {
        Method::Symbolic => true,
        Method::Auto => deadlock == Deadlock::Warn && program.may_exceed(flags.states),
        _ => false,
    };
    if by_diagrams {
        return diagrams::explain(flags, &program, session);
    }
    let mut loaded = program.enumerate(Scope::Asked, flags.states, monitor)?;
    session.remark(loaded.warnings_of_states(deadlock, &flags.limits));
    loaded.look_for_unfair_states(deadlock, monitor)?;
    let item = single(program.items(&mut loaded)?)?;
    of_states(flags, &loaded, &item, session)
}

/// The explanation in the form that is wanted.
fn answer(
    flags: &Explain,
    loaded: &Loaded,
    task: &Task,
    session: &Session<News>,
) -> Result<(String, Status), Trouble> {
    let request = Request {
        method: flags.method,
        deadlock: flags.deadlock.into(),
        ..Request::new(&loaded.system, &task.formula, &session.monitor)
    };
    let wish = ExplainOptions { positions: flags.positions, shortest: flags.shortest };
    let (outcome, explanation) = explicit::explain(&request, &wish)
        .map_err(|error| Trouble::message(format!("`{}`: {error}", task.property.name)))?;
    if loaded.dead_end.is_none() {
        warn_of_deadlock(flags, task, &outcome, session);
    }
    let status = Status::of(&[outcome.verdict]);
    let explanation =
        explanation.unwrap_or_else(|| Explanation::bare(outcome.verdict, names(loaded)));
    let property = native_property(task, loaded)?;
    let asked = Some((task, &property));
    let told = content(flags, loaded, &task.question, asked, (explanation, outcome.reason))?;
    Ok((told, status))
}

/// The one property that is meant.
fn single(mut items: Vec<Item>) -> Result<Item, Trouble> {
    if items.len() == 1 {
        return Ok(items.swap_remove(0));
    }
    Err(one_at_a_time(items.iter().map(|item| &*item.question().name)))
}

fn one_at_a_time<'a>(names: impl Iterator<Item = &'a str>) -> Trouble {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    Trouble::message("one property is explained at a time")
        .with_help(format!("choose one with --property: {}", names.join(", ")))
}

/// As `check` does.
fn warn_of_deadlock(flags: &Explain, task: &Task, outcome: &Outcome, session: &Session<News>) {
    let is_ctl = task.property.surface.logic == Logic::Ctl;
    let found = outcome.dead_end.as_ref().filter(|_| is_ctl && !flags.limits.quiet);
    if let Some(dead_end) = found {
        let warning = report::deadlock_warning(&task.property.name, dead_end);
        session.remark(report::render(&[warning], &SourceMap::new(), colour_of_stderr()));
    }
}

fn names(loaded: &Loaded) -> Vec<String> {
    loaded.system.components.iter().map(|part| part.model.name.clone()).collect()
}

fn head<'a>(files: &'a [String], question: &'a Question) -> ExplanationHead<'a> {
    ExplanationHead {
        version: env!("CARGO_PKG_VERSION"),
        files,
        property: &question.name,
        logic: question.logic.unwrap_or_default(),
        formula: &question.formula,
        parts: Vec::new(),
        reason: None,
    }
}

/// The parts of a formula, for programs: people see the whole.
fn parts(
    flags: &Explain,
    question: &Question,
    formula: &Formula,
    sources: &SourceMap,
) -> Vec<FormulaPart> {
    if !flags.form.json {
        return Vec::new();
    }
    FormulaText { formula, text: &question.formula, span: question.span, sources }.parts()
}

/// A part of the model has the verdict only if nothing was left out.
fn part(
    loaded: &Loaded,
    explanation: &Explanation,
    reason: Option<&Reason>,
    rest: Unmentioned,
) -> Result<System, Trouble> {
    if explanation.cut > 0 {
        let cut = explanation.cut;
        return Err(Trouble::message(format!(
            "the evidence has {cut} positions or more that were not looked at, so its part of the \
             model would not have the verdict"
        ))
        .with_help("allow more with --positions"));
    }
    if explanation.roots.is_empty() {
        let why = match reason {
            Some(Reason::Stopped(stopped)) => format!(": {stopped}"),
            _ => String::new(),
        };
        return Err(Trouble::message(format!("there is no part of the model to show{why}")));
    }
    submodel(explanation, &loaded.system, rest).map(System::single).ok_or_else(|| {
        Trouble::message("the evidence is told in several components, which no one model can say")
            .with_help("with more --positions it is told in states of the whole")
    })
}

/// Steps that the explanation does not mention are left out: an Aldebaran file cannot say less.
fn part_as_aut(
    loaded: &Loaded,
    explanation: &Explanation,
    reason: Option<&Reason>,
) -> Result<String, Trouble> {
    if loaded.system.family() == Family::Props {
        return Err(Trouble::message("an .aut file has actions, and this system has propositions")
            .with_help("`--tm` gives the part of the model in the native language"));
    }
    let part = part(loaded, explanation, reason, Unmentioned::Absent)?;
    let mut bytes = Vec::new();
    front::write_aut(&part.components[0].model, &mut bytes)
        .map_err(|error| Trouble::message(error.to_string()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

const ABOUT_THE_PART: &str = "\
// The part of the model that the verdict rests on, written by `tertium explain`. `rest` stands for
// everything that it does not need; nothing is known of it.
";

/// In a form that needs nothing but the explanation.
pub fn drawn(form: &Form, head: &ExplanationHead, explanation: &Explanation) -> String {
    match form {
        Form { html: true, .. } => html(head, explanation),
        Form { svg: true, .. } => svg(head, explanation),
        Form { dot: true, .. } => dot(head, explanation),
        Form { json: true, .. } => json(head, explanation),
        _ => text(head, explanation, TextView { colour: colour_of_stdout(), width: 100 }),
    }
}

fn content(
    flags: &Explain,
    loaded: &Loaded,
    question: &Question,
    asked: Option<(&Task, &Property)>,
    (mut explanation, reason): (Explanation, Option<Reason>),
) -> Result<String, Trouble> {
    let files: Vec<String> = flags.files.iter().map(|path| input::name_of(path)).collect();
    let parts = asked.map(|(task, _)| parts(flags, question, &task.formula, &loaded.sources));
    let (parts, reason) = (parts.unwrap_or_default(), reason.as_ref());
    let head = ExplanationHead { parts, reason, ..head(&files, question) };
    explanation.constants = loaded.constants.clone();
    match flags.form {
        Form { tm: true, .. } => {
            let part = part(loaded, &explanation, reason, Unmentioned::Unknown)?;
            let property = asked.map(|(_, property)| property);
            let text = front::write_tm(&part, &[], property.map_or(&[], std::slice::from_ref));
            Ok(format!("{ABOUT_THE_PART}{text}"))
        }
        Form { aut: true, .. } => part_as_aut(loaded, &explanation, reason),
        _ => Ok(drawn(&flags.form, &head, &explanation)),
    }
}
