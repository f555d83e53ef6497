//! `tertium convert`: between formats, and to a wider kind of model.

use crate::console::or_exit;
use crate::flags::{Convert, Questions};
use crate::input::{self, Trouble};
use crate::load::{Loaded, compose, load};
use crate::smv::states::{MOST_STATES, Scope};
use crate::smv::{self, Language};
use crate::supervisor::{self, Session};
use crate::{Status, modular, output};
use explicit::Deadlock;
use front::Property;
use logic::Family;
use model::{Kind, Model, System};
use std::io::{self, Write, stdout};
use std::path::Path;
use std::sync::Arc;
use support::{Monitor, SourceMap};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Tm,
    Aut,
    Dot,
    Smv,
    While,
}

impl Format {
    fn from_name(name: &str) -> Option<Self> {
        match name {
            "tm" => Some(Format::Tm),
            "aut" => Some(Format::Aut),
            "dot" | "gv" => Some(Format::Dot),
            "smv" => Some(Format::Smv),
            "while" => Some(Format::While),
            _ => None,
        }
    }
}

/// What is written: all that a `.tm` file can hold, or one model.
enum Content {
    Text(String),
    Aut(Model),
    Dot(Model),
}

pub fn run(flags: Convert) -> Status {
    let flags = Arc::new(flags);
    let worker = flags.clone();
    let (ended, mut console) = supervisor::run(
        &flags.limits,
        move |session: &Session<()>| session.settle(convert(&worker, session)),
        |(), _| {},
    );
    ended.unwrap_or_else(|stopped| {
        console.err(&format!("unknown: {stopped}; nothing was written\n"));
        Status::Unknown
    })
}

fn convert(flags: &Convert, session: &Session<()>) -> Result<Status, Trouble> {
    if let Some(partition) = &flags.partition {
        let content = Content::Text(modular::partition::text(flags, partition, &session.monitor)?);
        return put(&content, flags, session);
    }
    let format = format_of(flags)?;
    let kinds: Vec<Kind> = flags.to.iter().filter_map(|name| kind_named(name)).collect();
    let content = match (format, smv::language(&flags.input)) {
        (Format::While, Some(Language::While)) if kinds.is_empty() => of_program(flags, session)?,
        (Format::While, _) => return Err(no_program(&flags.input)),
        (_, Some(_)) => of_smv(format, &kinds, flags, session)?,
        (_, None) => of_system(format, &kinds, flags, session)?,
    };
    put(&content, flags, session)
}

fn put(content: &Content, flags: &Convert, session: &Session<()>) -> Result<Status, Trouble> {
    session.monitor.check()?;
    session.monitor.phase("writing", 0);
    if input::is_dash(&flags.output) {
        session.begin_writing();
        let mut out = stdout().lock();
        let written = write(content, &mut out)?;
        or_exit(written.and_then(|()| out.flush()));
        return Ok(Status::Good);
    }
    output::replace(&flags.output, |out| write(content, out))?
        .map_err(|error| output::unwritable(&flags.output, &error))?;
    Ok(Status::Good)
}

fn of_system(
    format: Format,
    kinds: &[Kind],
    flags: &Convert,
    session: &Session<()>,
) -> Result<Content, Trouble> {
    let mut loaded = load(std::slice::from_ref(&flags.input), None, &session.monitor)?;
    session.remark(loaded.warnings_for(&flags.limits));
    widen_all(&mut loaded, kinds)?;
    content(format, loaded, &session.monitor)
}

/// A program that can be read is laid out, and nothing else changes.
fn of_program(flags: &Convert, session: &Session<()>) -> Result<Content, Trouble> {
    let path = &flags.input;
    let text: Arc<str> = input::read_text(path, input::open(path)?, &session.monitor)?.into();
    let mut sources = SourceMap::new();
    let file = sources.add(input::name_of(path), text.clone());
    match front::read_either_asking(file, &text, &[]) {
        Ok(_) => Ok(Content::Text(front::write_while(&text))),
        Err(errors) => Err(Trouble::Faults(errors, Box::new(sources))),
    }
}

fn no_program(input: &Path) -> Trouble {
    Trouble::message(format!("`{}` cannot be written as a while-program", input.display()))
        .with_help("only a while-program can, which is then laid out")
}

/// From SMV or a program to SMV, the model is written as it is and not enumerated.
fn of_smv(
    format: Format,
    kinds: &[Kind],
    flags: &Convert,
    session: &Session<()>,
) -> Result<Content, Trouble> {
    let monitor = &session.monitor;
    let program = smv::read(&flags.input, &Questions::default(), &[], monitor)?;
    session.remark(program.warnings_for(&flags.limits));
    match program.language {
        Language::Smv if format == Format::Smv && kinds.is_empty() => {
            return Ok(Content::Text(front::write_smv(&program.document)));
        }
        Language::While if format == Format::Smv && kinds.is_empty() => {
            return Ok(Content::Text(front::write_while_smv(&program.document)));
        }
        Language::Smv | Language::Promela | Language::While => {}
    }
    let mut loaded = program.enumerate(Scope::File, MOST_STATES, monitor)?;
    loaded.look_for_unfair_states(Deadlock::Warn, monitor)?;
    loaded.properties = program.native(&mut loaded)?;
    widen_all(&mut loaded, kinds)?;
    let legend = legend(&loaded);
    Ok(match (format, content(format, loaded, monitor)?) {
        (Format::Tm, Content::Text(text)) => Content::Text(format!("{legend}{text}")),
        (_, content) => content,
    })
}

/// What the propositions are called in the SMV file, where that is no name.
fn legend(loaded: &Loaded) -> String {
    let (props, legal) = (loaded.system.props(), front::legal_props(&loaded.system));
    let renamed = props.names().zip(legal.names()).filter(|(name, legal)| name != legal);
    renamed.map(|(name, legal)| format!("// {legal}: {}\n", name.replace('\n', " "))).collect()
}

fn widen_all(loaded: &mut Loaded, kinds: &[Kind]) -> Result<(), Trouble> {
    for &kind in kinds {
        for component in &mut loaded.system.components {
            widen(&mut component.model, kind)?;
        }
    }
    Ok(())
}

/// What `--to` says, else the ending of the output.
fn format_of(flags: &Convert) -> Result<Format, Trouble> {
    let formats: Vec<Format> = flags.to.iter().filter_map(|name| Format::from_name(name)).collect();
    match *formats {
        [format] => return Ok(format),
        [_, _, ..] => return Err(Trouble::message("`--to` names two formats")),
        [] => {}
    }
    if input::is_dash(&flags.output) {
        return Err(Trouble::message("there is no file ending that would name the format")
            .with_help("add `--to tm`, `--to aut`, `--to smv`, `--to while` or `--to dot`"));
    }
    let ending = flags.output.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    Format::from_name(ending).ok_or_else(|| unknown_ending(&flags.output))
}

fn unknown_ending(path: &Path) -> Trouble {
    Trouble::message(format!("the ending of `{}` names no format", path.display())).with_help(
        "the endings are .tm, .aut, .smv, .while and .dot; `--to` names a format for any ending",
    )
}

fn kind_named(name: &str) -> Option<Kind> {
    Kind::ALL.into_iter().find(|kind| kind.name() == name)
}

/// The same model as one of a kind that can say more, or that can say all that it says.
fn widen(model: &mut Model, to: Kind) -> Result<(), Trouble> {
    let from = model.kind;
    if let (Kind::Gkmts, Kind::MixTs | Kind::Kmts) = (from, to) {
        *model = model.gtom();
    }
    if let (Kind::MixTs, Kind::Kmts) = (model.kind, to) {
        *model = model.mtok();
    }
    let from = if model.kind == to { to } else { from };
    let is_wider = match (from, to) {
        (Kind::Kripke, Kind::Kmts | Kind::MixTs | Kind::Gkmts)
        | (Kind::Kmts, Kind::MixTs | Kind::Gkmts)
        | (Kind::MixTs, Kind::Gkmts)
        | (Kind::Lts, Kind::Mts) => true,
        (Kind::Kmts | Kind::MixTs | Kind::Gkmts, Kind::Kripke) | (Kind::Mts, Kind::Lts) => {
            model.is_complete() && model.covers().is_empty()
        }
        _ => from == to,
    };
    if !is_wider {
        return Err(cannot_become(model, to));
    }
    model.kind = to;
    Ok(())
}

fn cannot_become(model: &Model, to: Kind) -> Trouble {
    let (name, from, into) = (&model.name, with_article(model.kind), with_article(to));
    let why = if to.is_complete() && to.family() == model.kind.family() {
        "because it leaves something open".to_owned()
    } else {
        format!("as {from} says what {into} cannot say")
    };
    Trouble::message(format!("the component `{name}` cannot become {into}, {why}")).with_help(
        "a kripke can become a kmts, a mixts or a gkmts, and each of these another; an lts can become \
         an mts",
    )
}

/// `an lts`, letter by letter.
fn with_article(kind: Kind) -> String {
    let article = if kind.family() == Family::Actions { "an" } else { "a" };
    format!("{article} {}", kind.name())
}

fn content(format: Format, loaded: Loaded, monitor: &Monitor) -> Result<Content, Trouble> {
    let Loaded { system, safeties, properties, .. } = loaded;
    Ok(match format {
        Format::Tm => Content::Text(front::write_tm(&system, &safeties, &properties)),
        Format::Dot => Content::Dot(compose(system, monitor)?),
        Format::Smv => Content::Text(as_smv(system, &properties, monitor)?),
        Format::Aut if system.components.len() > 1 => {
            return Err(Trouble::message("an .aut file holds one lts, and this is a composition")
                .with_help("convert the components one by one"));
        }
        Format::Aut => Content::Aut(compose(system, monitor)?),
        Format::While => return Err(Trouble::message("a model of states is no while-program")),
    })
}

fn as_smv(system: System, properties: &[Property], monitor: &Monitor) -> Result<String, Trouble> {
    let model = compose(system, monitor)?;
    front::write_smv_model(&model, properties).map_err(|error| {
        Trouble::message(format!("this cannot be written as SMV: {error}"))
            .with_help("a complete system with propositions can, of the kind `kripke`")
    })
}

/// The outer error says that the content cannot be written in this format.
fn write(content: &Content, out: &mut impl Write) -> Result<io::Result<()>, Trouble> {
    match content {
        Content::Text(text) => Ok(out.write_all(text.as_bytes())),
        Content::Dot(model) => Ok(front::write_dot(model, out)),
        Content::Aut(model) => output::write_aut(model, out),
    }
}
