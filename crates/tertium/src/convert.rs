//! Models in other formats, and as models of a wider kind.

use crate::compare::system_of;
use crate::control_flow::partition;
use crate::error::Error;
use crate::explicit_model::compose;
use crate::integers::mixts::{WrittenMixts, mixts};
use crate::language::language_named;
use crate::model::{Form, Model};
use crate::options::{Cancel, Deadlock, MOST_STATES, Options};
use crate::property::About;
use crate::property::NativeProperty;
use crate::transition_system::TransitionSystem;
use front::{AutError, Numbers, Reading, SourceText};
use logic::Family;
use model::{Kind, ProcessEquivalence, System};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use support::{FileId, Monitor};

/// The target of a conversion.
#[derive(Clone, Debug, Default)]
pub struct ConvertOptions {
    /// A format, or kinds of model that say at least as much, by their names: see [`ConvertOptions::targets`].
    pub to: Vec<String>,
    /// The file that it is written to, whose ending names the format if [`to`](Self::to) does not.
    pub file: Option<PathBuf>,
    /// Not the model, but how a while-program is divided: `whole`, `statement`, `auto` or a file.
    pub partition: Option<String>,
    /// Not the model, but the smallest one that is equivalent to its composition, without its properties.
    pub minimised: Option<ProcessEquivalence>,
    /// The memory for one block of a partition, in bytes.
    pub memory: Option<u64>,
    /// A handle by which another thread can stop the conversion.
    pub cancel: Cancel,
}

/// A model in another format, ready to be written.
pub struct Converted(Content);

enum Content {
    Text(String),
    Aut(model::PartialModel),
    Dot(model::PartialModel),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Tm,
    Aut,
    Dot,
    Smv,
    While,
}

/// Formats with their names; the first is also the ending of files.
const FORMATS: [(Format, &[&str]); 5] = [
    (Format::Tm, &["tm"]),
    (Format::Aut, &["aut"]),
    (Format::Dot, &["dot", "gv"]),
    (Format::Smv, &["smv"]),
    (Format::While, &["while"]),
];

fn format_named(name: &str) -> Option<Format> {
    FORMATS.iter().find(|(_, names)| names.contains(&name)).map(|(format, _)| *format)
}

fn kind_named(name: &str) -> Option<Kind> {
    Kind::ALL.into_iter().find(|kind| kind.name() == name)
}

fn ending_of(path: &Path) -> &str {
    path.extension().and_then(|ending| ending.to_str()).unwrap_or_default()
}

impl ConvertOptions {
    /// Lists the names that [`to`](Self::to) can have: formats, then kinds of models.
    pub fn targets() -> Vec<&'static str> {
        let formats = FORMATS.iter().map(|(_, names)| names[0]);
        formats.chain(Kind::ALL.into_iter().map(Kind::name)).collect()
    }

    /// Finds out whether the options name a format.
    ///
    /// # Errors
    ///
    /// They name none, several, or something that is no format and no kind of model.
    pub fn validate(&self) -> Result<(), Error> {
        if self.partition.is_none() {
            self.format()?;
        }
        Ok(())
    }

    fn format(&self) -> Result<Format, Error> {
        let is_known = |name: &&String| format_named(name).is_some() || kind_named(name).is_some();
        if let Some(name) = self.to.iter().find(|name| !is_known(name)) {
            let help = support::did_you_mean(name, "there are", Self::targets().into_iter());
            return Err(Error::message(format!("`{name}` is no format and no kind of model"))
                .with_help(help));
        }
        let formats: Vec<Format> = self.to.iter().filter_map(|name| format_named(name)).collect();
        match (&formats[..], &self.file) {
            ([format], _) => Ok(*format),
            ([_, _, ..], _) => Err(Error::message("`--to` names two formats")),
            ([], None) => Err(Error::message("there is no file ending that would name the format")
                .with_help("add `--to tm`, `--to aut`, `--to smv`, `--to while` or `--to dot`")),
            ([], Some(path)) => format_named(ending_of(path)).ok_or_else(|| {
                let message = format!("the ending of `{}` names no format", path.display());
                Error::message(message).with_help(
                    "the endings are .tm, .aut, .smv, .while and .dot; `--to` names a format for any \
                     ending",
                )
            }),
        }
    }

    fn kinds(&self) -> Vec<Kind> {
        self.to.iter().filter_map(|name| kind_named(name)).collect()
    }
}

/// Converts a model: to another format, or to a kind that can say more.
///
/// ```
/// let model = tertium::Model::read("tm", "m.tm", "component M lts { init s; s: -a-> s; }")?;
/// let to = vec!["aut".to_owned()];
/// let options = tertium::ConvertOptions { to, ..Default::default() };
/// let mut text = Vec::new();
/// tertium::convert(&model, &options)?.write(&mut text).unwrap();
/// assert!(text.starts_with(b"des (0,1,1)"));
/// # Ok::<(), tertium::Error>(())
/// ```
///
/// # Errors
///
/// The format or the kind cannot say what the model says, or a limit was reached.
pub fn convert(model: &Model, options: &ConvertOptions) -> Result<Converted, Error> {
    model.refuse_unsupported("converted")?;
    let monitor = options.cancel.monitor();
    let converted = match (&options.partition, options.minimised) {
        (Some(partition), _) => divided(model, partition, options)?,
        (None, Some(equivalence)) => {
            let small = minimised(model, equivalence, monitor)?;
            content(options.format()?, System::single(small), &[], &[], monitor)?
        }
        (None, None) => of_model(model, options.format()?, &options.kinds(), monitor)?,
    };
    monitor.check()?;
    monitor.phase("writing", 0);
    Ok(converted)
}

/// The smallest model that is equivalent to the composition.
fn minimised(
    model: &Model,
    equivalence: ProcessEquivalence,
    monitor: &Monitor,
) -> Result<model::PartialModel, Error> {
    let name = model.names().join(", ");
    let composition = compose(system_of(model, monitor)?, monitor)?;
    if !composition.is_complete() {
        let message = format!("only complete models are minimised; `{name}` is partial");
        let help = "`tertium compare` decides whether a smaller partial model abstracts it";
        return Err(Error::message(message).with_help(help));
    }
    if equivalence != ProcessEquivalence::Strong && composition.kind.family() == Family::Props {
        let what = equivalence.name();
        let message = format!("`{what}` is about actions, and `{name}` has propositions");
        return Err(Error::message(message).with_help("take `strong`, which keeps propositions"));
    }
    Ok(model::minimise(&composition, equivalence, monitor)?)
}

/// How a while-program is divided: a drawing, or a list that can be read again.
fn divided(model: &Model, partition: &str, options: &ConvertOptions) -> Result<Converted, Error> {
    let text = match model.form() {
        Form::Finite(text) if text.control_flow.is_some() => text,
        Form::Integers(subject) if subject.document.view.is_none() => return Err(wants_ranges()),
        _ => return Err(Error::message("`--partition` is for while-programs")),
    };
    let is_drawn = options.file.as_deref().is_some_and(|file| {
        let ending = ending_of(file);
        format_named(ending) == Some(Format::Dot)
    });
    let modular = Options { memory: options.memory, ..Options::default() };
    let text = partition::text(text, partition, is_drawn, modular, model.loader())?;
    Ok(Converted::text(text))
}

fn of_model(
    model: &Model,
    format: Format,
    kinds: &[Kind],
    monitor: &Monitor,
) -> Result<Converted, Error> {
    let laid_out = |text: &str| model.laid_out(text).filter(|_| kinds.is_empty());
    let text = match model.form() {
        Form::Finite(text) => laid_out(&text.text),
        Form::Integers(subject) => laid_out(&subject.text),
        Form::Components(_) => None,
    };
    match (format, model.form()) {
        // A program that can be read is laid out, and nothing else changes.
        (Format::While, _) if text.is_some() => Ok(Converted::text(text.unwrap_or_default())),
        (Format::While, _) => {
            let name = model.names().join(", ");
            Err(Error::message(format!("`{name}` cannot be written as a while-program"))
                .with_help("only a while-program can, which is then laid out"))
        }
        (_, Form::Components(_)) if model.has_fair_actions() => {
            let message = "fairness of actions cannot be written";
            Err(Error::message(message).with_help("take the lines that begin with `fair` out"))
        }
        (_, Form::Components(system)) => {
            let property = |property: &crate::Property| match property.about() {
                About::Components(surface, _) => Some(NativeProperty {
                    name: property.name().to_owned(),
                    span: surface.span,
                    surface: surface.clone(),
                }),
                _ => None,
            };
            let properties: Vec<NativeProperty> =
                model.properties().iter().filter_map(property).collect();
            let mut system = (**system).clone();
            widen_all(&mut system, kinds)?;
            content(format, system, model.safeties(), &properties, monitor)
        }
        (Format::Tm | Format::Dot, Form::Integers(subject)) if subject.document.view.is_none() => {
            let WrittenMixts { mut system, properties, legend } = mixts(subject, monitor)?;
            widen_all(&mut system, kinds)?;
            let legend = legend + &renamed_props(&system);
            Ok(content(format, system, &[], &properties, monitor)?.under(&legend))
        }
        (_, Form::Finite(_) | Form::Integers(_)) => of_program(model, format, kinds, monitor),
    }
}

/// From SMV or a program to SMV, the model is written as it is and not enumerated.
fn of_program(
    model: &Model,
    format: Format,
    kinds: &[Kind],
    monitor: &Monitor,
) -> Result<Converted, Error> {
    let program = program_of(model)?;
    // Where few states can be reached, those are written.
    if format == Format::Smv && kinds.is_empty() && !program.document.is_sparse {
        let language = language_named("smv")?;
        let text = language.write_machine(&program.document, &program.specifications);
        return Ok(Converted::text(text.unwrap_or_default()));
    }
    let all: Vec<usize> = (0..program.all.len()).collect();
    let states = program.states(&all, Deadlock::Warn, false, MOST_STATES, monitor)?;
    let mut states = Arc::unwrap_or_clone(states);
    states.look_for_unfair_states(Deadlock::Warn, monitor)?;
    let properties = program.native(&states)?;
    let mut system = Arc::unwrap_or_clone(states.system);
    widen_all(&mut system, kinds)?;
    let legend = renamed_props(&system);
    let converted = content(format, system, &[], &properties, monitor)?;
    Ok(if format == Format::Tm { converted.under(&legend) } else { converted })
}

/// The symbolic transition system of a symbolic model with finitely many values.
pub(crate) fn program_of(model: &Model) -> Result<&TransitionSystem, Error> {
    match model.form() {
        Form::Finite(text) => text.transition_system(),
        // Read as a finite model, an SMV text says where the unbounded variable is.
        Form::Integers(subject) if subject.document.view.is_some() => {
            let source = SourceText::new(FileId(0), "text", subject.text.clone());
            let monitor = Monitor::new();
            let reading = Reading { numbers: Numbers::Finite, ..Reading::new(&monitor) };
            let read = subject.language.read(&source, reading);
            let errors = |errors| Error::of(errors, &subject.sources);
            Err(read.err().map_or_else(wants_ranges, errors))
        }
        _ => Err(wants_ranges()),
    }
}

/// A model over integers where one with finitely many values is needed.
fn wants_ranges() -> Error {
    Error::message("this needs variables with finite domains")
        .with_help("`check`, `explain` and `certify` know programs over integers")
}

fn specifications(properties: &[NativeProperty]) -> Vec<front::Specification> {
    properties.iter().map(NativeProperty::specification).collect()
}

/// The names of the propositions in the text, where they are no names in the native language.
fn renamed_props(system: &System) -> String {
    let (props, legal) = (system.props(), front::legal_props(system));
    let renamed = props.names().zip(legal.names()).filter(|(name, legal)| name != legal);
    renamed.map(|(name, legal)| format!("// {legal}: {}\n", name.replace('\n', " "))).collect()
}

fn widen_all(system: &mut System, kinds: &[Kind]) -> Result<(), Error> {
    for &kind in kinds {
        for component in &mut system.components {
            widen(&mut component.model, kind)?;
        }
    }
    Ok(())
}

/// Makes a model one of a kind that can say more, or that can say all that it says.
fn widen(model: &mut model::PartialModel, to: Kind) -> Result<(), Error> {
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

fn cannot_become(model: &model::PartialModel, to: Kind) -> Error {
    let (name, from, into) = (&model.name, with_article(model.kind), with_article(to));
    let why = if to.is_complete() && to.family() == model.kind.family() {
        "because it is partial".to_owned()
    } else {
        format!("as {into} cannot express {from}")
    };
    Error::message(format!("the component `{name}` cannot become {into}, {why}")).with_help(
        "a kripke can become a kmts, a mixts or a gkmts, and each of these another; an lts can become \
         an mts",
    )
}

/// `an lts`, letter by letter.
fn with_article(kind: Kind) -> String {
    let article = if kind.family() == Family::Actions { "an" } else { "a" };
    format!("{article} {}", kind.name())
}

fn content(
    format: Format,
    system: System,
    safeties: &[front::Safety],
    properties: &[NativeProperty],
    monitor: &Monitor,
) -> Result<Converted, Error> {
    match format {
        Format::Tm => {
            Ok(Converted::text(front::write_tm(&system, safeties, &specifications(properties))))
        }
        Format::Dot => Ok(Converted::dot(compose(system, monitor)?)),
        Format::Smv => {
            let can_deadlock = can_deadlock(&system, monitor)?;
            let written = language_named("smv")?.write_system(
                &system,
                can_deadlock,
                &specifications(properties),
            );
            let text = written.transpose().map_err(|error| {
                Error::message(format!("this cannot be written as SMV: {error}"))
                    .with_help("a complete system with propositions can, of the kind `kripke`")
            })?;
            Ok(Converted::text(text.unwrap_or_default()))
        }
        Format::Aut => Converted::aut(compose(system, monitor)?),
        Format::While => {
            Err(Error::message("an explicit model cannot be written as a while-program"))
        }
    }
}

/// Compositions of more states are not built to look for a deadlock.
const COMPOSED: f64 = 1e5;

/// Whether the composition may have a deadlock state. That it has none is found out if that is not much work.
fn can_deadlock(system: &System, monitor: &Monitor) -> Result<bool, Error> {
    if explicit::cannot_deadlock(system) {
        return Ok(false);
    }
    let states: f64 = system.components.iter().map(|part| part.model.states() as f64).product();
    match states <= COMPOSED {
        true => Ok(compose(system.clone(), monitor)?.deadlock_state().is_some()),
        false => Ok(true),
    }
}

impl Converted {
    pub(crate) fn text(text: String) -> Self {
        Self(Content::Text(text))
    }

    /// With comments before a text.
    fn under(self, comments: &str) -> Self {
        match self.0 {
            Content::Text(text) => Self::text(format!("{comments}{text}")),
            other => Self(other),
        }
    }

    pub(crate) fn dot(model: model::PartialModel) -> Self {
        Self(Content::Dot(model))
    }

    /// An Aldebaran file, if the model can be written as one.
    pub(crate) fn aut(model: model::PartialModel) -> Result<Self, Error> {
        // What the format cannot say is found before the first byte, for which there is no room.
        let mut full: &mut [u8] = &mut [];
        match front::write_aut(&model, &mut full) {
            Ok(()) | Err(AutError::Io(_)) => Ok(Self(Content::Aut(model))),
            Err(error) => Err(Error::message(error.to_string())),
        }
    }

    /// Writes it.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write(&self, mut out: &mut dyn Write) -> io::Result<()> {
        match &self.0 {
            Content::Text(text) => out.write_all(text.as_bytes()),
            Content::Dot(model) => front::write_dot(model, &mut out),
            Content::Aut(model) => match front::write_aut(model, &mut out) {
                Err(AutError::Io(error)) => Err(error),
                Ok(()) => Ok(()),
                Err(error) => Err(io::Error::other(error.to_string())),
            },
        }
    }
}
