//! SMV and Promela files and while-programs: what they say, and what is asked of them.
//!
//! Reading stops at the machine ([`Program`]). Every method goes on from there in its own way: the explicit
//! ones have it enumerated into a model first ([`states`]), the symbolic one has it encoded ([`diagrams`]).

pub mod auditing;
mod beginning;
pub mod components;
pub mod diagrams;
pub mod native;
pub mod refined;
pub mod states;
pub mod vocabulary;

use crate::console::colour_of_stderr;
use crate::flags::{Limits, Questions};
use crate::input::{self, Trouble};
use crate::questions::{Question, no_such_property};
use front::{
    Claim, EitherDocument, EitherSmv, Property, SmvDocument, SmvLogic, SmvQuestion, Specification,
};
use logic::Logic;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use support::{FileId, Monitor, SourceMap};

/// A file that has been read, and what is asked of it.
pub struct Program {
    pub document: SmvDocument,
    pub sources: SourceMap,
    /// All specifications.
    pub all: Vec<Asked>,
    /// Which of them are to be answered, in this order.
    pub chosen: Vec<usize>,
    pub language: Language,
}

/// What is read into a machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    Smv,
    /// Few states of such a model can be reached, however many bits they have.
    Promela,
    While,
}

pub struct Asked {
    pub question: Question,
    /// What a model of states can be asked; `None` if the question is not supported.
    pub property: Option<Property>,
    /// Whether only fair paths count.
    pub is_fair: bool,
}

/// The file that a call is about, if it is about one that is read into a machine.
pub fn among(files: &[PathBuf]) -> Result<Option<&Path>, Trouble> {
    let Some(path) = files.iter().find(|path| is_smv(path)) else { return Ok(None) };
    if files.len() == 1 {
        return Ok(Some(path));
    }
    let message = format!("`{}` is a whole system, and there are other files", path.display());
    let kind = match language(path) {
        Some(Language::Promela) => "a Promela file",
        Some(Language::While) => "a while-program",
        _ => "an SMV file",
    };
    Err(Trouble::message(message).with_help(format!("{kind} is checked by itself")))
}

/// The language of what is read into a machine; `None` for other files. By the ending; standard input by how it
/// begins, so before it is read.
pub fn language(path: &Path) -> Option<Language> {
    if input::is_dash(path) {
        type IsSo = fn(&[u8]) -> bool;
        let known: [(IsSo, Language); 3] = [
            (beginning::is_smv, Language::Smv),
            (beginning::is_promela, Language::Promela),
            (beginning::is_while, Language::While),
        ];
        return known.into_iter().find(|(is_so, _)| begins(is_so)).map(|(_, language)| language);
    }
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    match &*ending {
        "smv" => Some(Language::Smv),
        "pml" | "prom" => Some(Language::Promela),
        "while" => Some(Language::While),
        _ => None,
    }
}

pub fn is_promela(path: &Path) -> bool {
    language(path) == Some(Language::Promela)
}

pub fn is_while(path: &Path) -> bool {
    language(path) == Some(Language::While)
}

/// Whether a file is read into a machine.
pub fn is_smv(path: &Path) -> bool {
    language(path).is_some()
}

/// Asks how standard input begins, and leaves it there.
fn begins(is_so: impl Fn(&[u8]) -> bool) -> bool {
    let without_mark = |start: &[u8]| is_so(start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start));
    input::at_the_start_of_standard_input(without_mark)
}

/// What is asked of a program over integers and is for others.
fn wants_ranges() -> Trouble {
    Trouble::message("this wants variables with finitely many values")
        .with_help("`check`, `explain` and `certify` know programs over integers")
}

/// Reads a file. The formulas of the command line take the place of its specifications.
pub fn read(
    path: &Path,
    given: &Questions,
    wanted: &[String],
    monitor: &Monitor,
) -> Result<Program, Trouble> {
    let language = language(path).unwrap_or(Language::Smv);
    let Texts { sources, file, text, asked } = Texts::read(path, given, monitor)?;
    let document = match language {
        Language::Promela => front::promela::read_promela_asking(file, &text, &asked),
        Language::Smv => front::read_smv_asking(file, &text, &asked),
        Language::While => match front::read_either_asking(file, &text, &asked) {
            Ok(EitherDocument::Finite(document)) => front::while_machine(&document, &text),
            Ok(EitherDocument::Integers(_)) => return Err(wants_ranges()),
            Err(errors) => Err(errors),
        },
    };
    match document {
        Ok(document) => Program::new(document, sources, (given, wanted), language),
        Err(errors) => Err(Trouble::Faults(errors, Box::new(sources))),
    }
}

/// A file that may have unbounded integers.
pub enum Either {
    Finite(Box<Program>),
    Integers(Box<front::SmvIntegers>, SourceMap, Vec<Asked>, Vec<usize>),
}

/// Reads a file as [`read`] does, unless it is an SMV file with unbounded integers: then it is told what is asked, and
/// which of it is to be answered.
pub fn read_either(
    path: &Path,
    given: &Questions,
    wanted: &[String],
    monitor: &Monitor,
) -> Result<Either, Trouble> {
    let language = language(path).unwrap_or(Language::Smv);
    if language != Language::Smv {
        return read(path, given, wanted, monitor).map(|program| Either::Finite(Box::new(program)));
    }
    let Texts { sources, file, text, asked } = Texts::read(path, given, monitor)?;
    match front::read_smv_either(file, &text, &asked) {
        Err(errors) => Err(Trouble::Faults(errors, Box::new(sources))),
        Ok(EitherSmv::Finite(document)) => {
            let program = Program::new(*document, sources, (given, wanted), language)?;
            Ok(Either::Finite(Box::new(program)))
        }
        Ok(EitherSmv::Integers(document)) => {
            let specifications = document.specifications.iter().map(|(one, _)| one);
            let (all, chosen) = asked_of(specifications, given, wanted)?;
            Ok(Either::Integers(document, sources, all, chosen))
        }
    }
}

/// A file with the formulas of the command line, not read yet.
struct Texts {
    sources: SourceMap,
    file: FileId,
    text: Arc<str>,
    asked: Vec<SmvQuestion>,
}

impl Texts {
    fn read(path: &Path, given: &Questions, monitor: &Monitor) -> Result<Self, Trouble> {
        monitor.phase("reading", 0);
        let text: Arc<str> = input::read_text(path, input::open(path)?, monitor)?.into();
        let mut sources = SourceMap::new();
        let file = sources.add(input::name_of(path), text.clone());
        let asked = self::given(given, &mut sources)?;
        Ok(Self { sources, file, text, asked })
    }
}

/// What is asked, and which of it is to be answered.
fn asked_of<'s>(
    specifications: impl Iterator<Item = &'s Specification>,
    given: &Questions,
    wanted: &[String],
) -> Result<(Vec<Asked>, Vec<usize>), Trouble> {
    let mut all: Vec<Asked> = specifications.map(Asked::new).collect();
    // A formula of the command line is its own name.
    for (asked, (_, text)) in all.iter_mut().zip(&given.0) {
        asked.question.name = text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    let chosen = choose(&all.iter().map(|asked| &asked.question).collect::<Vec<_>>(), wanted)?;
    Ok((all, chosen))
}

/// The formulas of the command line.
pub fn given(given: &Questions, sources: &mut SourceMap) -> Result<Vec<SmvQuestion>, Trouble> {
    let question = |(logic, text): &(Logic, String)| {
        if *logic == Logic::Mcf {
            return Err(Trouble::message("`--mcf` speaks of actions, and there are none here")
                .with_help("use `--ctl` or `--mu`"));
        }
        let text: Arc<str> = text.as_str().into();
        let file = sources.add(format!("<--{}>", logic.name()), text.clone());
        Ok(SmvQuestion { logic: *logic, file, text })
    };
    given.0.iter().map(question).collect()
}

/// Those that `--property` names: by name, as they are written, or by number from 1.
pub fn choose(all: &[&Question], wanted: &[String]) -> Result<Vec<usize>, Trouble> {
    if wanted.is_empty() {
        return Ok((0..all.len()).collect());
    }
    let mut chosen: Vec<usize> = Vec::new();
    for name in wanted {
        let folded = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_meant = |(index, question): (usize, &&Question)| {
            let Question { name: own, formula, .. } = question;
            let number = || (index + 1).to_string();
            (*own == folded || *formula == folded || number() == folded).then_some(index)
        };
        let before = chosen.len();
        chosen.extend(all.iter().enumerate().filter_map(is_meant));
        if chosen.len() == before {
            return Err(no_such_property(name, all.iter().map(|question| &*question.name)));
        }
    }
    let mut seen: Vec<usize> = Vec::new();
    chosen.retain(|index| {
        !seen.contains(index) && {
            seen.push(*index);
            true
        }
    });
    Ok(chosen)
}

impl Program {
    fn new(
        document: SmvDocument,
        sources: SourceMap,
        (given, wanted): (&Questions, &[String]),
        language: Language,
    ) -> Result<Self, Trouble> {
        let (all, chosen) = asked_of(document.specifications.iter(), given, wanted)?;
        Ok(Self { document, sources, all, chosen, language })
    }

    /// What is odd about the file, unless nobody wants to know.
    pub fn warnings_for(&self, limits: &Limits) -> String {
        if limits.quiet {
            return String::new();
        }
        report::render(&self.document.warnings, &self.sources, colour_of_stderr())
    }

    /// What is to be answered.
    pub fn asked(&self) -> impl Iterator<Item = &Asked> {
        self.chosen.iter().map(|&index| &self.all[index])
    }

    /// What is to be answered, which is something.
    pub fn questions(&self) -> Result<Vec<Question>, Trouble> {
        if self.chosen.is_empty() {
            return Err(nothing_asked());
        }
        Ok(self.asked().map(|asked| asked.question.clone()).collect())
    }
}

pub fn nothing_asked() -> Trouble {
    Trouble::message("there is no specification to check")
        .with_help("give a formula with --ctl or --mu, or write `SPEC AG p` into the file")
}

impl Asked {
    pub fn new(specification: &Specification) -> Self {
        let Specification { name, logic, text, spaced, instance, span, claim } = specification;
        let place = if instance.is_empty() { String::new() } else { format!("IN {instance}") };
        let formula = format!("{text} {place}").trim().to_owned();
        let kind = match logic {
            SmvLogic::Invar => "invariant",
            SmvLogic::Compute => "the result of",
            SmvLogic::Ctl | SmvLogic::Mu | SmvLogic::Ltl | SmvLogic::Psl => "specification",
        };
        let (surface, not_supported) = match claim {
            Claim::Formula(surface) => (Some(surface.clone()), None),
            Claim::NotSupported(why) => (None, Some(*why)),
        };
        let name = name.clone().unwrap_or_else(|| formula.clone());
        let property = surface.map(|surface| Property { name: name.clone(), span: *span, surface });
        let question = Question {
            name,
            logic: Some(logic.name()),
            formula,
            span: Some(*span),
            statement: format!("{kind} {spaced} {place}"),
            not_supported,
        };
        Self { question, property, is_fair: *logic == SmvLogic::Ctl }
    }
}
