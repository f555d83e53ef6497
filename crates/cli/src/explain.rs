//! `tertium explain`: why a property holds, why it fails, or what is missing to know.

use crate::check::given;
use crate::console::{Console, colour_of_stdout};
use crate::flags::{Explain, ExplainFormat};
use crate::input::{self, Files, is_dash, name_of};
use crate::supervisor::{self, Session};
use crate::{Status, output};
use report::FormulaPart;
use report::explanation::{ExplanationHead, TextView, dot, html, json, json_of_several, svg, text};
use std::sync::Arc;
use tertium::{Error, Event, Explanation, Model, Options, Property, Stopped, Trace, Verdict};

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
        print_stop(&flags, asked, stopped, &mut console);
        Status::Unknown
    })
}

/// Nothing is explained: in the form that was asked for, if that can say so.
fn print_stop(flags: &Explain, asked: Option<Property>, stopped: Stopped, console: &mut Console) {
    let format = flags.form.chosen(flags.output.as_deref()).ok();
    let format = format.filter(|own| matches!(own, ExplainFormat::Text | ExplainFormat::Json));
    let Some((property, format)) = asked.zip(format) else {
        console.err(&format!("unknown: {stopped}; nothing was written\n"));
        return;
    };
    let explanation = Explanation::stopped(stopped);
    let files: Vec<String> = flags.files.iter().map(|path| name_of(path)).collect();
    let head = head(&files, &property, Vec::new(), &explanation, None);
    console.out(&drawn(format, &head, &explanation));
}

fn explain(flags: &Explain, loader: &Files, session: &Session<News>) -> Result<Status, Error> {
    let format = flags.form.chosen(flags.output.as_deref())?;
    if let Some(path) = flags.output.as_deref() {
        output::is_no_input(path, &flags.files)?;
    }
    let input = input::system(&flags.files, &flags.reading, loader, &session.cancel)?;
    let model = flags.fair.of(input).read()?;
    let forward = |event: Event| match event {
        Event::Warnings(warnings) => session.warn(warnings, &flags.limits),
        Event::Note(text) if !flags.limits.quiet => session.remark(text),
        _ => {}
    };
    let is_nusmv = matches!(format, ExplainFormat::Nusmv | ExplainFormat::NusmvXml);
    let options = options(flags).cancel(&session.cancel).shape(shape(format));
    let options = options.all_variables(is_nusmv);
    let asked = model.select(&flags.questions.0, flags.property.as_slice())?;
    let asked = if asked.len() == 1 { asked } else { undecided_or_false(&model, asked, &options)? };
    if asked.len() > 1 && !matches!(format, ExplainFormat::Text | ExplainFormat::Json) {
        return Err(several(&asked));
    }
    let path = flags.output.as_deref().filter(|path| !is_dash(path));
    let (mut verdicts, mut contents) = (Vec::new(), Vec::new());
    for property in &asked {
        session.tell(News::Question(property.clone()));
        let explanation = model.explain_watched(property, &options, &forward)?;
        warn_of_deadlock(flags, property, &explanation, session);
        let content = content(flags, format, &model, property, &explanation)?;
        verdicts.push(explanation.verdict());
        let is_kept = path.is_some() || format == ExplainFormat::Json;
        match is_kept {
            true => contents.push(content),
            false if verdicts.len() > 1 => session.tell(News::Content(format!("\n{content}"))),
            false => session.tell(News::Content(content)),
        }
    }
    let content = match (format, &contents[..]) {
        (ExplainFormat::Json, [_, _, ..]) => {
            let files: Vec<String> = flags.files.iter().map(|path| name_of(path)).collect();
            json_of_several(env!("CARGO_PKG_VERSION"), &files, &contents)
        }
        _ => contents.join("\n"),
    };
    match path {
        Some(path) => {
            output::write(path, &content).map_err(|error| output::unwritable(path, &error))?;
        }
        None => session.tell(News::Content(content)),
    }
    Ok(Status::of(&verdicts))
}

/// The properties that fail or are unknown.
fn undecided_or_false(
    model: &Model,
    asked: Vec<Property>,
    options: &Options,
) -> Result<Vec<Property>, Error> {
    let answers = model.check_all(&asked, options, &())?;
    let is_true = |answer: &Result<tertium::Answer, Error>| {
        answer.as_ref().is_ok_and(|answer| answer.verdict() == Verdict::True)
    };
    let rest = asked.iter().zip(&answers).filter(|(_, answer)| !is_true(answer));
    let rest: Vec<Property> = rest.map(|(property, _)| property.clone()).collect();
    match rest.is_empty() {
        true => {
            Err(Error::wrong("every property holds: which is to be explained?", &choose(&asked)))
        }
        false => Ok(rest),
    }
}

fn options(flags: &Explain) -> Options {
    let options = Options::default()
        .method(&flags.method)
        .deadlock(flags.deadlock.into())
        .assume(flags.assume.clone())
        .missing(flags.unknown.clone())
        .states(flags.states)
        .positions(flags.positions)
        .shortest(flags.shortest)
        .defines(flags.defines)
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

/// Refuses to put several explanations into one document.
fn several(properties: &[Property]) -> Error {
    Error::wrong("one property is explained at a time in this form", &choose(properties))
}

fn choose(properties: &[Property]) -> String {
    let names: Vec<String> =
        properties.iter().map(|property| format!("`{}`", property.name())).collect();
    format!("choose one with --property: {}", names.join(", "))
}

/// As `check` does.
fn warn_of_deadlock(
    flags: &Explain,
    property: &Property,
    explanation: &Explanation,
    session: &Session<News>,
) {
    let Some(found) = &explanation.outcome().deadlock_state else { return };
    let warning = report::deadlock_warning(property.name(), property.logic(), found);
    if let Some(warning) = warning.filter(|_| !flags.limits.quiet) {
        let messages = vec![warning];
        session.warn(&tertium::Diagnostics { messages, ..Default::default() }, &flags.limits);
    }
}

fn head<'a>(
    files: &'a [String],
    property: &'a Property,
    parts: Vec<FormulaPart>,
    explained: &'a Explanation,
    trace: Option<&'a Trace>,
) -> ExplanationHead<'a> {
    ExplanationHead {
        version: env!("CARGO_PKG_VERSION"),
        files,
        property: property.name(),
        logic: property.logic(),
        formula: property.formula(),
        parts,
        reason: explained.outcome().reason.as_ref(),
        trace,
    }
}

/// In a format that shows any evidence.
fn drawn(format: ExplainFormat, head: &ExplanationHead, explained: &Explanation) -> String {
    let explanation = &explained.graph;
    match format {
        ExplainFormat::Html => html(head, explanation),
        ExplainFormat::Svg => svg(head, explanation),
        ExplainFormat::Dot => dot(head, explanation),
        ExplainFormat::Json => json(head, explanation),
        _ => text(head, explanation, TextView { colour: colour_of_stdout(), width: 100 }),
    }
}

/// In a format for traces, if it is one.
fn traced(
    format: ExplainFormat,
    property: &Property,
    explained: &Explanation,
) -> Option<Result<String, Error>> {
    let title = report::nusmv_title(property.logic(), explained.verdict());
    let about = format!("{title}: {}", property.name());
    let write: &dyn Fn(&Trace) -> String = match format {
        ExplainFormat::Vcd => &|found| report::vcd(found, &about),
        ExplainFormat::Itf => &|found| report::to_json(&report::itf(found, &about)),
        ExplainFormat::Nusmv => &|found| report::nusmv_text(found, &title, 1),
        ExplainFormat::NusmvXml => &|found| report::nusmv_xml(found, &title),
        ExplainFormat::Spin => &report::spin_steps,
        _ => return None,
    };
    let none = || {
        let message =
            format!("the evidence of `{}` is no single path: it has no trace", property.name());
        Error::wrong(message, "`--html`, `--json` and text show evidence of every shape")
    };
    Some(path_of(explained).map(|found| write(&found)).ok_or_else(none))
}

/// The path that shows the verdict; of a run that was found by search also one that needs a proof beside it.
fn path_of(explained: &Explanation) -> Option<Trace> {
    match explained.graph.run {
        Some(_) => explained.trace_prefix(),
        None => explained.trace(),
    }
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
    let trace = path_of(explained);
    Ok(drawn(format, &head(&files, property, parts, explained, trace.as_ref()), explained))
}
