//! Models by variables: SMV, Promela, and while-programs with finitely many values.
//!
//! Reading stops at the symbolic transition system ([`Program`]). Every engine goes on from there in its own way: the
//! explicit ones have it enumerated into a model first ([`states`]), the symbolic ones have it encoded ([`encoded`]).

pub mod auditing;
pub mod encoded;
pub mod explain;
pub mod native;
pub mod parts;
pub mod refined;
pub mod states;
pub mod vocabulary;

use crate::components::States;
use crate::error::Error;
use crate::language::Language;
use crate::program;
use crate::property::{self, About, Property as Question};
use front::{
    Claim, EitherDocument, EitherSmv, Property, SmvDocument, SmvLogic, SmvQuestion, Specification,
    WhileDocument,
};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, OnceLock};
use support::{Diagnostic, FileId, SourceMap};

/// A text that was read, with the formulas about it.
pub struct Text {
    pub text: Arc<str>,
    pub language: Language,
    pub sources: SourceMap,
    /// All formulas.
    pub all: Vec<Asked>,
    /// Whether the formulas were given in place of those of the text.
    pub is_given: bool,
    pub warnings: Vec<Diagnostic>,
    /// Of a while-program: its control flow.
    pub flow: Option<WhileDocument>,
    program: OnceLock<Result<Program, Vec<Diagnostic>>>,
    /// What the modular engine has found, with what it was asked.
    pub modular: Mutex<Option<Arc<program::Found>>>,
}

/// A symbolic transition system with formulas about it, and what engines have made of it.
pub struct Program {
    pub document: SmvDocument,
    pub sources: SourceMap,
    pub all: Vec<Asked>,
    pub language: Language,
    /// States by the formulas that they were enumerated for.
    pub enumerated: Mutex<FxHashMap<(Vec<usize>, bool), Arc<States>>>,
    pub encoded: Mutex<Option<(Vec<usize>, encoded::Encoded)>>,
    pub in_parts: Mutex<Option<(String, parts::InParts)>>,
}

/// A formula about a symbolic transition system.
#[derive(Clone)]
pub struct Asked {
    pub name: String,
    pub logic: &'static str,
    pub formula: String,
    pub span: support::Span,
    pub statement: String,
    pub not_supported: Option<&'static str>,
    /// What a model of states can be asked; `None` if the formula is not supported.
    pub property: Option<Property>,
    /// Whether only fair paths count.
    pub is_fair: bool,
}

/// A text of either kind.
pub enum Either {
    Finite(Box<Text>),
    Integers(Box<crate::integers::Subject>),
}

/// Reads a text. Formulas that are given take the place of its own.
pub fn read(
    language: Language,
    mut sources: SourceMap,
    file: FileId,
    given: &[(logic::Logic, String)],
) -> Result<Either, Error> {
    let text = sources.file(file).text.clone();
    let asked = self::given(given, &mut sources)?;
    let errors = |errors| Error::of(errors, &sources);
    if language == Language::While {
        let read = front::read_either_asking(file, &text, &asked).map_err(errors)?;
        return match read {
            EitherDocument::Integers(document) => {
                let subject = crate::integers::Subject::of_program(*document, sources, text)?;
                Ok(Either::Integers(Box::new(subject)))
            }
            EitherDocument::Finite(flow) => {
                let all = flow.properties.iter().map(Asked::of_program).collect();
                let warnings = flow.warnings.clone();
                let flow = Some(*flow);
                let is_given = !given.is_empty();
                let (program, modular) = (OnceLock::new(), Mutex::default());
                let text = Text {
                    text,
                    language,
                    sources,
                    all,
                    is_given,
                    warnings,
                    flow,
                    program,
                    modular,
                };
                Ok(Either::Finite(Box::new(text)))
            }
        };
    }
    let document = match language {
        Language::Promela => front::promela::read_promela_asking(file, &text, &asked),
        _ => match front::read_smv_either(file, &text, &asked).map_err(errors)? {
            EitherSmv::Finite(document) => Ok(*document),
            EitherSmv::Integers(document) => {
                let all = named(document.specifications.iter().map(|(one, _)| one), given);
                let subject = crate::integers::Subject::of_smv(*document, sources, text, &all);
                return Ok(Either::Integers(Box::new(subject)));
            }
        },
    };
    let document = document.map_err(errors)?;
    let all = named(document.specifications.iter(), given);
    let warnings = document.warnings.clone();
    let program = Program::new(document, sources.clone(), all.clone(), language);
    let (is_given, flow, modular) = (!given.is_empty(), None, Mutex::default());
    let program = OnceLock::from(Ok(program));
    let text = Text { text, language, sources, all, is_given, warnings, flow, program, modular };
    Ok(Either::Finite(Box::new(text)))
}

/// Specifications by their names; a formula that was given is its own name.
fn named<'s>(
    specifications: impl Iterator<Item = &'s Specification>,
    given: &[(logic::Logic, String)],
) -> Vec<Asked> {
    let mut all: Vec<Asked> = specifications.map(Asked::new).collect();
    for (asked, (_, text)) in all.iter_mut().zip(given) {
        asked.name = text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    all
}

/// Formulas that take the place of those of a text.
fn given(
    given: &[(logic::Logic, String)],
    sources: &mut SourceMap,
) -> Result<Vec<SmvQuestion>, Error> {
    let question = |(logic, text): &(logic::Logic, String)| {
        if !logic.is_about_states() {
            return Err(Error::message(format!(
                "`--{}` speaks of actions, and there are none here",
                logic.name()
            ))
            .with_help("use `--ctl` or `--mu`"));
        }
        let text: Arc<str> = text.as_str().into();
        let file = sources.add(format!("<--{}>", logic.name()), text.clone());
        Ok(SmvQuestion { logic: *logic, file, text })
    };
    given.iter().map(question).collect()
}

impl Text {
    /// The symbolic transition system. A while-program with holes has none, nor has one that is too large once its
    /// procedures are written out.
    pub fn program(&self) -> Result<&Program, Error> {
        let made = self.program.get_or_init(|| {
            let flow = self.flow.as_ref().expect("only programs wait for their machine");
            let document = front::while_machine(flow, &self.text)?;
            Ok(Program::new(document, self.sources.clone(), self.all.clone(), self.language))
        });
        made.as_ref().map_err(|errors| Error::of(errors.clone(), &self.sources))
    }

    /// The formulas as properties of a model.
    pub fn properties(self: &Arc<Self>) -> Vec<Question> {
        let property = |(number, asked): (usize, &Asked)| {
            Question(Arc::new(property::Inner::of(asked, About::Machine(self.clone(), number))))
        };
        self.all.iter().enumerate().map(property).collect()
    }
}

impl Program {
    fn new(document: SmvDocument, sources: SourceMap, all: Vec<Asked>, language: Language) -> Self {
        let (enumerated, encoded, in_parts) = Default::default();
        Self { document, sources, all, language, enumerated, encoded, in_parts }
    }

    /// The formulas of these numbers.
    pub fn asked(&self, chosen: &[usize]) -> Vec<&Asked> {
        chosen.iter().map(|&index| &self.all[index]).collect()
    }
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
        Self {
            name,
            logic: logic.name(),
            formula,
            span: *span,
            statement: format!("{kind} {spaced} {place}"),
            not_supported,
            property,
            is_fair: *logic == SmvLogic::Ctl,
        }
    }

    pub fn of_program(property: &front::WhileProperty) -> Self {
        let front::WhileProperty { logic, text, span, surface, .. } = property;
        let name = property.title().to_owned();
        let own = Property { name: name.clone(), span: *span, surface: surface.clone() };
        Self {
            name,
            logic: logic.name(),
            formula: text.clone(),
            span: *span,
            statement: format!("specification {text} "),
            not_supported: None,
            property: Some(own),
            is_fair: logic.is_about_paths(),
        }
    }
}
