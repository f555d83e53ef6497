//! `tertium explain`: why a property holds, why it fails, or what is missing to know.

use crate::check::given;
use crate::console::{Console, colour_of_stdout};
use crate::flags::{Explain, ExplainFormat};
use crate::input::{self, Files, is_dash, name_of};
use crate::supervisor::{self, Session};
use crate::{Status, output};
use report::FormulaPart;
use report::explanation::{ExplanationHead, TextView, dot, html, json, svg, text};
use report::trace;
use std::sync::Arc;
use tertium::{Error, Event, Explanation, Model, Options, Property, Stopped, Verdict};

/// Messages of the worker.
enum News {
    /// The property, once it is known.
    Question(Property),
    Content(String),
}

pub fn run(flags: Box<Explain>, loader: &Files) -> Status {
    let flags = Arc::new(flags);
    let (worker, loader) = (flags.clone(), loader.clone());
    let is_json = flags.form.json || flags.form.format == Some(ExplainFormat::Json);
    let mut asked = None;
    let (ended, mut console) = supervisor::run(
        &flags.limits,
        move |session: &Session<News>| session.settle(explain(&worker, &loader, session), is_json),
        |news, console| match news {
            News::Question(property) => asked = Some(property),
            News::Content(text) => console.out(&text),
        },
    );
    ended.unwrap_or_else(|stopped| {
        tell_stop(&flags, asked, stopped, &mut console);
        Status::Unknown
    })
}

/// Nothing is explained: in the form that was asked for, if that can say so.
fn tell_stop(flags: &Explain, asked: Option<Property>, stopped: Stopped, console: &mut Console) {
    let format = flags.form.chosen(flags.output.as_deref()).ok();
    let format = format.filter(|own| matches!(own, ExplainFormat::Text | ExplainFormat::Json));
    let Some((property, format)) = asked.zip(format) else {
        console.err(&format!("unknown: {stopped}; nothing was written\n"));
        return;
    };
    let explanation = Explanation::stopped(stopped);
    let files: Vec<String> = flags.files.iter().map(|path| name_of(path)).collect();
    let head = head(&files, &property, Vec::new(), &explanation);
    console.out(&drawn(format, &head, &explanation, None));
}

fn explain(flags: &Explain, loader: &Files, session: &Session<News>) -> Result<Status, Error> {
    let format = flags.form.chosen(flags.output.as_deref())?;
    input::is_one_system(&flags.files, flags.sync.as_deref(), flags.compose)?;
    if let Some(path) = flags.output.as_deref() {
        output::is_no_input(path, &flags.files)?;
    }
    let (sync, language) = (flags.sync.as_deref(), flags.language.as_deref());
    let model = input::input(&flags.files, sync, language, loader, &session.cancel).read()?;
    let property = single(model.select(&flags.questions.0, flags.property.as_slice())?)?;
    session.tell(News::Question(property.clone()));
    let hear = |event: Event| match event {
        Event::Warnings(warnings) => session.warn(warnings, &flags.limits),
        Event::Note(text) if !flags.limits.quiet => session.remark(text),
        _ => {}
    };
    let options = options(flags).cancel(&session.cancel).shape(shape(format));
    let explanation = model.explain_watched(&property, &options, &hear)?;
    warn_of_deadlock(flags, &property, &explanation, session);
    let content = content(flags, format, &model, &property, &explanation)?;
    match &flags.output {
        Some(path) if !is_dash(path) => {
            output::write(path, &content).map_err(|error| output::unwritable(path, &error))?;
        }
        _ => session.tell(News::Content(content)),
    }
    Ok(Status::of(&[explanation.verdict()]))
}

fn options(flags: &Explain) -> Options {
    let options = Options::default()
        .method(&flags.method)
        .deadlock(flags.deadlock.into())
        .assume(flags.assume.clone())
        .states(flags.states)
        .positions(flags.positions)
        .shortest(flags.shortest)
        .cross_check(flags.solving.cross_check);
    let options =
        given(options, &flags.semantics.map(tertium::Semantics::from), Options::semantics);
    let options = given(options, &flags.solving.solver, Options::solver);
    given(options, &flags.limits.memory, Options::memory)
}

/// The shape that a format needs.
fn shape(format: ExplainFormat) -> tertium::Wanted {
    match format {
        ExplainFormat::Tm | ExplainFormat::Aut => tertium::Wanted::SubModel,
        ExplainFormat::Html | ExplainFormat::Svg | ExplainFormat::Dot => tertium::Wanted::Graph,
        _ => tertium::Wanted::Any,
    }
}

/// The one property that is meant.
fn single(mut properties: Vec<Property>) -> Result<Property, Error> {
    if properties.len() == 1 {
        return Ok(properties.swap_remove(0));
    }
    let names: Vec<String> =
        properties.iter().map(|property| format!("`{}`", property.name())).collect();
    let help = format!("choose one with --property: {}", names.join(", "));
    Err(Error::wrong("one property is explained at a time", &help))
}

/// As `check` does.
fn warn_of_deadlock(
    flags: &Explain,
    property: &Property,
    explanation: &Explanation,
    session: &Session<News>,
) {
    let is_ctl = property.logic() == "ctl";
    let found = explanation.outcome().dead_end.as_ref();
    if let Some(dead_end) = found.filter(|_| is_ctl && !flags.limits.quiet) {
        let warning = report::deadlock_warning(property.name(), dead_end);
        let messages = vec![warning];
        session.warn(&tertium::Diagnostics { messages, ..Default::default() }, &flags.limits);
    }
}

fn head<'a>(
    files: &'a [String],
    property: &'a Property,
    parts: Vec<FormulaPart>,
    explained: &'a Explanation,
) -> ExplanationHead<'a> {
    ExplanationHead {
        version: env!("CARGO_PKG_VERSION"),
        files,
        property: property.name(),
        logic: property.logic(),
        formula: property.formula(),
        parts,
        reason: explained.outcome().reason.as_ref(),
    }
}

/// In a format that shows any evidence.
fn drawn(
    format: ExplainFormat,
    head: &ExplanationHead,
    explained: &Explanation,
    trace: Option<&tertium::Trace>,
) -> String {
    let explanation = &explained.graph;
    match format {
        ExplainFormat::Html => html(head, explanation),
        ExplainFormat::Svg => svg(head, explanation),
        ExplainFormat::Dot => dot(head, explanation),
        ExplainFormat::Json => json(head, explanation, trace),
        _ => text(head, explanation, TextView { colour: colour_of_stdout(), width: 100 }),
    }
}

/// In a format for traces, if it is one.
fn traced(
    format: ExplainFormat,
    property: &Property,
    explained: &Explanation,
) -> Option<Result<String, Error>> {
    let kind = match explained.verdict() {
        Verdict::False => "Counterexample",
        Verdict::True => "Witness",
        Verdict::Unknown => "Diagnosis",
    };
    let title = format!("{} {kind}", property.logic().to_uppercase());
    let about = format!("{title}: {}", property.name());
    let write: &dyn Fn(&tertium::Trace) -> String = match format {
        ExplainFormat::Vcd => &|found| trace::vcd(found, &about),
        ExplainFormat::Itf => &|found| report::to_json(&trace::itf(found, &about)),
        ExplainFormat::Nusmv => &|found| trace::nusmv_text(found, &title),
        ExplainFormat::NusmvXml => &|found| trace::nusmv_xml(found, &title),
        ExplainFormat::Spin => &|found| trace::spin_steps(found),
        _ => return None,
    };
    let none = || {
        let message =
            format!("the evidence of `{}` is no single path: it has no trace", property.name());
        Error::wrong(message, "`--html`, `--json` and text show evidence of every shape")
    };
    Some(explained.trace().map(|found| write(&found)).ok_or_else(none))
}

const ABOUT_THE_PART: &str = "\
// The sub-model that the verdict depends on, written by `tertium explain`. `rest` abstracts all other
// states; its behaviour is unknown.
";

fn content(
    flags: &Explain,
    format: ExplainFormat,
    model: &Model,
    property: &Property,
    explained: &Explanation,
) -> Result<String, Error> {
    if let Some(written) = traced(format, property, explained) {
        return written;
    }
    let files: Vec<String> = flags.files.iter().map(|path| name_of(path)).collect();
    let parts = match format {
        ExplainFormat::Json => explained.formula_parts(model, property),
        ExplainFormat::Tm => return Ok(format!("{ABOUT_THE_PART}{}", explained.sub_model()?)),
        ExplainFormat::Aut => return explained.sub_lts(),
        _ => Vec::new(),
    };
    let trace = explained.trace().filter(|_| format == ExplainFormat::Json);
    Ok(drawn(format, &head(&files, property, parts, explained), explained, trace.as_ref()))
}
