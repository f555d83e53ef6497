//! Symbolic models: SMV, Promela, and while-programs with finitely many values.
//!
//! Reading stops at the symbolic transition system ([`TransitionSystem`]). Every engine goes on from there in its own
//! way: the explicit ones have it enumerated into a model first ([`enumeration`]), the symbolic ones have it encoded
//! ([`encoded`]).

pub mod auditor;
pub mod components;
pub mod encoded;
pub mod enumeration;
mod invariant;
pub mod naming;
pub mod native;
pub mod reachability;
pub mod refinement;
pub mod runs;
pub mod vocabulary;

use crate::control_flow;
use crate::error::Error;
use crate::explicit_model::ExplicitStates;
use crate::integers::IntegerModel;
use crate::language::Language;
use crate::property::{self, About, NativeProperty, Property as Question};
use explicit::{Outcome, Reason};
use front::{
    Document, Form, GivenQuestion, IncludedText, MachineForm, Numbers, ProcessFairness,
    ProgramForm, Reading, SourceText, Specification,
};
use logic::{Distance, Surface};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};
use support::{Diagnostic, FileId, Monitor, SourceMap};

/// A text that was read, with the formulas about it.
pub struct FiniteModel {
    pub text: Arc<str>,
    pub language: Language,
    pub sources: SourceMap,
    /// All formulas.
    pub all: Vec<StatedProperty>,
    pub warnings: Vec<Diagnostic>,
    /// Constructs of the text that are not supported: what depends on them is left out.
    pub unsupported: Vec<Diagnostic>,
    /// Of a while-program: its control flow.
    pub control_flow: Option<ProgramGraph>,
    program: OnceLock<Result<TransitionSystem, Vec<Diagnostic>>>,
    /// The file, and the formulas that were asked instead of its own.
    main: FileId,
    asked: Vec<GivenQuestion>,
    /// The program over integers, of a text that can be read as one too.
    over_integers: OnceLock<Option<Arc<IntegerModel>>>,
    /// The results of the modular engine, with the questions that they answer.
    pub modular: Mutex<Option<Arc<control_flow::ModularResult>>>,
}

/// The formulas that states were enumerated for, and where unfair states were looked for, whether deadlock states
/// stutter.
type Enumerated = (Vec<usize>, Option<bool>);

/// A symbolic transition system with formulas about it, and what engines have made of it.
pub struct TransitionSystem {
    pub document: MachineForm,
    pub specifications: Vec<Specification>,
    pub sources: SourceMap,
    pub all: Vec<StatedProperty>,
    /// States by the formulas that they were enumerated for.
    pub enumerated: Mutex<FxHashMap<Enumerated, Arc<ExplicitStates>>>,
    /// The last search for states, by the formulas that it was made for.
    pub searched: Mutex<Option<(reachability::SearchKey, Arc<reachability::Searched>)>>,
    pub searched_runs: Mutex<Option<Arc<runs::SearchedRuns>>>,
    pub encoded: Mutex<Option<(Vec<usize>, encoded::Encoded)>>,
    pub in_parts: Mutex<Option<(String, components::EncodedComponents)>>,
    /// How many bits a state has in the cone of influence of some formulas: those that were asked last.
    bits: Mutex<Option<(Vec<usize>, u32)>>,
}

/// A while-program as a control-flow graph, with its properties.
#[derive(Clone)]
pub struct ProgramGraph {
    form: ProgramForm,
    pub properties: Vec<Specification>,
}

impl Deref for ProgramGraph {
    type Target = ProgramForm;

    fn deref(&self) -> &ProgramForm {
        &self.form
    }
}

impl DerefMut for ProgramGraph {
    fn deref_mut(&mut self) -> &mut ProgramForm {
        &mut self.form
    }
}

impl ProgramGraph {
    /// The program of a document, if it is one.
    pub fn of(document: Document) -> Option<Self> {
        let Form::Program(form) = document.form else { return None };
        Some(Self { form: *form, properties: document.properties })
    }
}

/// A formula about a symbolic transition system.
#[derive(Clone)]
pub struct StatedProperty {
    pub name: String,
    pub logic: &'static str,
    pub formula: String,
    pub span: support::Span,
    pub statement: String,
    pub not_supported: Option<Cow<'static, str>>,
    /// If the question is not whether the formula holds, but how long paths are.
    pub distance: Option<StatedDistance>,
    /// For those who ask it.
    pub warnings: Vec<Diagnostic>,
    /// The question to a model of states; `None` if the formula is not supported, or the question is another one.
    pub property: Option<NativeProperty>,
    /// Whether only fair paths count.
    pub is_fair: bool,
}

/// A question for the length of a path, with the formula whose parts it is between.
#[derive(Clone)]
pub struct StatedDistance {
    pub distance: Distance,
    surface: Surface,
}

impl StatedDistance {
    /// The formulas of the states at both ends.
    pub fn ends(&self) -> [Surface; 2] {
        let Distance { from, to, .. } = self.distance;
        [from, to].map(|root| {
            let exprs = self.surface.exprs.values().take(root.0 as usize + 1).cloned().collect();
            Surface { root, exprs, ..self.surface.clone() }
        })
    }
}

/// A text of either kind.
pub enum Either {
    Finite(Box<FiniteModel>),
    Integers(Box<IntegerModel>),
}

/// Reads a text. Formulas that are given take the place of its own.
pub fn read(
    language: Language,
    (mut sources, file): (SourceMap, FileId),
    fairness: Option<ProcessFairness>,
    given: &[(logic::Logic, String)],
    monitor: &Monitor,
) -> Result<Either, Error> {
    let text = sources.file(file).text.clone();
    let asked = self::given(given, &mut sources)?;
    let source = SourceText::new(file, &*sources.file(file).name, text.clone());
    let included = included(language, &sources);
    let reading = Reading { included: &included, fairness, ..Reading::new(monitor).asking(&asked) };
    let document = language.read(&source, reading).map_err(|errors| Error::of(errors, &sources))?;
    let all = named(document.properties.iter(), given);
    let (warnings, modular) = (document.warnings.clone(), Mutex::default());
    let unsupported = document.unsupported.clone();
    let (control_flow, program) = match document.form {
        Form::Integers(form) => {
            let read = (*form, document.properties, warnings);
            let subject = IntegerModel::new(language, read, sources, text, all)?;
            let subject = IntegerModel { unsupported, ..subject };
            return Ok(Either::Integers(Box::new(subject)));
        }
        Form::Machine(form) => {
            let program =
                TransitionSystem::new(*form, document.properties, sources.clone(), all.clone());
            (None, OnceLock::from(Ok(program)))
        }
        _ => (ProgramGraph::of(document), OnceLock::new()),
    };
    let (main, over_integers) = (file, OnceLock::new());
    Ok(Either::Finite(Box::new(FiniteModel {
        text,
        language,
        sources,
        all,
        warnings,
        unsupported,
        control_flow,
        program,
        main,
        asked,
        over_integers,
        modular,
    })))
}

/// The files that others include, by the names in them.
fn included(language: Language, sources: &SourceMap) -> Vec<IncludedText> {
    let files = || (0..).map(FileId).zip(sources.files());
    let mut all = Vec::new();
    for (includer, file) in files() {
        for name in language.includes(&file.text) {
            let path = Path::new(&file.name).with_file_name(&name).display().to_string();
            if let Some((id, found)) = files().find(|(_, other)| other.name == path) {
                let source = SourceText::new(id, path, found.text.clone());
                all.push(IncludedText { includer, name, source });
            }
        }
    }
    all
}

/// Specifications by their names; a formula that was given is its own name.
fn named<'s>(
    specifications: impl Iterator<Item = &'s Specification>,
    given: &[(logic::Logic, String)],
) -> Vec<StatedProperty> {
    let mut all: Vec<StatedProperty> = specifications.map(StatedProperty::new).collect();
    for (asked, (_, text)) in all.iter_mut().zip(given) {
        asked.name = text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    all
}

/// Formulas that take the place of those of a text.
fn given(
    given: &[(logic::Logic, String)],
    sources: &mut SourceMap,
) -> Result<Vec<GivenQuestion>, Error> {
    let question = |(logic, text): &(logic::Logic, String)| {
        if logic.has_regular_formulas() {
            return Err(Error::message(format!(
                "`--{}` is about actions, and this model has none",
                logic.name()
            ))
            .with_help("use `--ctl` or `--mu`"));
        }
        let text: Arc<str> = text.as_str().into();
        let file = sources.add(format!("<--{}>", logic.name()), text.clone());
        Ok(GivenQuestion { logic: *logic, file, text })
    };
    given.iter().map(question).collect()
}

impl FiniteModel {
    /// The symbolic transition system. A while-program with holes has none, nor has one that is too large once its
    /// procedures are written out.
    pub fn transition_system(&self) -> Result<&TransitionSystem, Error> {
        let made = self.program.get_or_init(|| {
            let cfg = self.control_flow.as_ref().expect("only programs wait for their machine");
            let specifications = cfg.properties.clone();
            Ok(TransitionSystem::new(
                cfg.machine()?,
                specifications,
                self.sources.clone(),
                self.all.clone(),
            ))
        });
        made.as_ref().map_err(|errors| Error::of(errors.clone(), &self.sources))
    }

    /// The program with processes over integers, their ranges being invariants.
    pub fn over_integers(&self) -> Option<&Arc<IntegerModel>> {
        let has_processes = |program: &TransitionSystem| program.document.counts_finite_paths;
        if self.control_flow.is_some() || !self.transition_system().is_ok_and(has_processes) {
            return None;
        }
        let read = || {
            let name = &*self.sources.file(self.main).name;
            let source = SourceText::new(self.main, name, self.text.clone());
            let monitor = Monitor::new();
            let reading = Reading::new(&monitor).asking(&self.asked);
            let reading = Reading { numbers: Numbers::Unbounded, ..reading };
            let document = self.language.read(&source, reading).ok()?;
            let Form::Integers(form) = document.form else { return None };
            let read = (*form, document.properties, document.warnings);
            let (sources, text, all) = (self.sources.clone(), self.text.clone(), self.all.clone());
            IntegerModel::new(self.language, read, sources, text, all).ok().map(Arc::new)
        };
        self.over_integers.get_or_init(read).as_ref()
    }

    /// The formulas as properties of a model.
    pub fn properties(self: &Arc<Self>) -> Vec<Question> {
        let property = |(number, asked): (usize, &StatedProperty)| {
            Question(Arc::new(property::Inner::of(asked, About::Finite(self.clone(), number))))
        };
        self.all.iter().enumerate().map(property).collect()
    }
}

impl TransitionSystem {
    /// Whether some fairness is about steps: it reads inputs, such as which process runs.
    pub fn has_fair_steps(&self) -> bool {
        let machine = &self.document.machine;
        machine.fairness.iter().any(|fairness| machine.exprs.reads_input(fairness.node))
    }

    fn new(
        document: MachineForm,
        specifications: Vec<Specification>,
        sources: SourceMap,
        all: Vec<StatedProperty>,
    ) -> Self {
        let (enumerated, searched, searched_runs, encoded, in_parts, bits) = Default::default();
        Self {
            document,
            specifications,
            sources,
            all,
            enumerated,
            searched,
            searched_runs,
            encoded,
            in_parts,
            bits,
        }
    }

    /// The formula of this name.
    pub fn asked_by_name(&self, name: &str) -> Option<&StatedProperty> {
        self.all.iter().find(|asked| asked.name == name)
    }

    /// The formulas of these numbers.
    pub fn asked(&self, chosen: &[usize]) -> Vec<&StatedProperty> {
        chosen.iter().map(|&index| &self.all[index]).collect()
    }
}

impl StatedProperty {
    /// The formula that it states, or is about.
    pub fn surface(&self) -> Option<&Surface> {
        let of_distance = self.distance.as_ref().map(|stated| &stated.surface);
        self.property.as_ref().map(|property| &property.surface).or(of_distance)
    }

    /// The outcome of a formula that is not supported.
    pub fn without_property(&self) -> Outcome {
        Outcome::unknown(Reason::Unsupported(self.not_supported.clone().unwrap_or_default()))
    }

    pub fn new(specification: &Specification) -> Self {
        let Specification { logic, text, span, statement, fair, .. } = specification;
        let name = specification.title().to_owned();
        let surface = specification.formula.as_ref().ok();
        let distance = specification.distance.zip(surface);
        let named = |surface: &Surface| NativeProperty {
            name: name.clone(),
            span: *span,
            surface: surface.clone(),
        };
        Self {
            logic: logic.name(),
            formula: text.clone(),
            span: *span,
            statement: statement.clone(),
            not_supported: specification.formula.as_ref().err().cloned(),
            distance: distance
                .map(|(distance, surface)| StatedDistance { distance, surface: surface.clone() }),
            warnings: specification.warnings.clone(),
            property: surface.filter(|_| distance.is_none()).map(named),
            is_fair: *fair,
            name,
        }
    }
}
