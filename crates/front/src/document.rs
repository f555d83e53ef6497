//! Documents: the model and the properties of a file, whatever its language.

use crate::imperative::{IntegerStart, IntegerVariable, OpenProgram};
use crate::smv::{BackTranslation, NoErrorProperty};
use crate::symbols::Symbols;
use logic::{Distance, Expansion, Fairness, Family, Formula, Logic, PropId, Signature, Surface};
use model::{PartialModel, System};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::Arc;
use support::{Diagnostic, FileId, Interner, Span};
use transition::Machine;
use transition::cfg::{self, CtlAtom};
use transition::integers::{IntegerLocation, IntegerProgram, Mover, Predicate, Proposition};

/// A model with what is asked of it.
#[derive(Clone, Debug)]
pub struct Document {
    pub form: Form,
    /// In the order of the file, those of an instance where it is declared.
    pub properties: Vec<Specification>,
    pub safeties: Vec<Safety>,
    /// Fairness of actions of components.
    pub fairness: Vec<FairAction>,
    pub warnings: Vec<Diagnostic>,
    /// Constructs of the model that are not supported, as warnings. What depends on them is left out, and properties
    /// of it are unknown.
    pub unsupported: Vec<Diagnostic>,
    pub symbols: Symbols,
}

impl Document {
    /// Components without properties.
    pub fn of_components(system: System) -> Self {
        Self::new(Form::Components(Some(system)), Vec::new(), Vec::new(), Symbols::default())
    }

    pub(crate) fn new(
        form: Form,
        properties: Vec<Specification>,
        warnings: Vec<Diagnostic>,
        symbols: Symbols,
    ) -> Self {
        let (safeties, fairness, unsupported) = (Vec::new(), Vec::new(), Vec::new());
        Self { form, properties, safeties, fairness, warnings, unsupported, symbols }
    }
}

/// A model in the form that its language has.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Form {
    /// Explicit components; none if the file has properties only, to be checked on another file's system.
    Components(Option<System>),
    /// A symbolic transition system over variables with finitely many values.
    Machine(Box<MachineForm>),
    /// A control-flow graph over variables with finitely many values.
    Program(Box<ProgramForm>),
    /// A program over unbounded integers.
    Integers(Box<IntegerForm>),
}

/// A symbolic transition system, and what the formulas say of its states.
#[derive(Clone, Debug)]
pub struct MachineForm {
    pub machine: Machine,
    /// The largest parts of the formulas without temporal operators, each with its name as a proposition.
    pub propositions: Vec<transition::StateProperty>,
    /// The names of the propositions, in the same order.
    pub names: Interner<PropId>,
    /// Whether few states can be reached, however many bits they have.
    pub is_sparse: bool,
    /// Of a program: the statements that its steps execute.
    pub statements: Option<StatementMap>,
    /// Of processes that interleave: what their steps read and write.
    pub interleaving: Option<transition::InterleavedSteps>,
    /// The definitions of the file that are expressions, by name.
    pub definitions: Vec<(String, transition::NodeId)>,
    /// Whether formulas are about finite paths, too, as those about programs whose processes may wait for ever. Else
    /// they are about infinite paths only, as in NuSMV.
    pub counts_finite_paths: bool,
}

/// Which statements the steps of a program execute.
#[derive(Clone, Debug)]
pub struct StatementMap {
    /// The variable whose value determines the statement: an input of the step, or the program counter before it.
    pub determined_by: transition::VarId,
    /// By value: the statement, or the send and the receive of a rendezvous, each with its process.
    pub statements: FxHashMap<i64, Vec<(Option<String>, Span)>>,
    /// By value: the text that the statement prints.
    pub prints: FxHashMap<i64, Vec<PrintPart>>,
    /// The variables whose values have names, and the names.
    pub named: Vec<transition::VarId>,
    pub value_names: Vec<(i64, String)>,
    /// Variables for control, which are none of the program.
    pub control: Vec<transition::VarId>,
}

/// A part of a text that a statement prints.
#[derive(Clone, Debug)]
pub enum PrintPart {
    Text(String),
    /// The value in the state before the step.
    Value(transition::NodeId, PrintStyle),
}

/// How a value is printed.
#[derive(Clone, Debug)]
pub enum PrintStyle {
    Decimal,
    Hexadecimal,
    Octal,
    Character,
    /// By its name, if it has one.
    Name(Vec<(i64, String)>),
}

impl PrintStyle {
    pub fn show(&self, value: i64) -> String {
        match self {
            PrintStyle::Decimal => value.to_string(),
            PrintStyle::Hexadecimal => format!("{:x}", value as u32),
            PrintStyle::Octal => format!("{:o}", value as u32),
            PrintStyle::Character => char::from(value as u8).to_string(),
            PrintStyle::Name(names) => {
                let found = names.iter().find(|(own, _)| *own == value);
                found.map_or_else(|| value.to_string(), |(_, name)| name.clone())
            }
        }
    }
}

/// A while-program as a control-flow graph.
#[derive(Clone, Debug)]
pub struct ProgramForm {
    pub program: cfg::Program,
    /// The atoms of the formulas, each with its name as a proposition.
    pub propositions: Vec<(String, CtlAtom)>,
    pub text: Arc<str>,
}

/// A program over unbounded integers. Everything that is numbered in the program has the same number here.
#[derive(Clone, Debug)]
pub struct IntegerForm {
    pub program: IntegerProgram,
    pub variables: Vec<IntegerVariable>,
    pub locations: Vec<IntegerLocation>,
    /// The process that takes each step; `None` where the program stays for ever.
    pub movers: Vec<Option<Mover>>,
    /// The names of the processes; a program that is one sequence of commands has one without a name.
    pub processes: Vec<String>,
    pub start: IntegerStart,
    /// The atoms of the formulas, in the order of [`IntegerForm::names`].
    pub propositions: Vec<(String, Proposition)>,
    /// Those that the text gives.
    pub predicates: Vec<Predicate>,
    /// Holds always.
    pub invariant: smt::LinearFormula,
    /// A proof obligation that the file's meaning depends on.
    pub no_error: Option<NoErrorProperty>,
    /// Whether it is known that every state has a successor.
    pub is_total: bool,
    /// If it has holes, what it is made of.
    pub open: Option<Box<OpenProgram>>,
    /// States and steps of the program as states and steps of a transition system, if the file describes one.
    pub view: Option<BackTranslation>,
    /// Where formulas are about the states and steps of a transition system: what they are in the program.
    pub(crate) expansion: Option<StateExpansion>,
}

/// How formulas about a transition system become formulas about the program that stands for it.
#[derive(Clone, Debug)]
pub(crate) struct StateExpansion {
    pub names: Interner<PropId>,
    pub fairness: Fairness,
    pub expansion: Expansion,
}

impl ProgramForm {
    /// The atoms of the formulas, by name.
    pub fn atoms(&self) -> FxHashMap<&str, CtlAtom> {
        self.propositions.iter().map(|(name, atom)| (name.as_str(), *atom)).collect()
    }

    /// The name of a proposition in the formulas.
    pub fn name_of(&self, atom: CtlAtom) -> Option<&str> {
        let found = self.propositions.iter().find(|(_, known)| *known == atom);
        found.map(|(name, _)| name.as_str())
    }
}

impl IntegerForm {
    /// The names of the propositions, for [`logic::compile`].
    pub fn names(&self) -> Interner<PropId> {
        self.propositions.iter().map(|(name, _)| &**name).collect()
    }

    /// For each process its location at each location of the program: a number for the command that comes next.
    pub fn process_locations(&self) -> Vec<Vec<u32>> {
        let mut numbers: FxHashMap<Option<Span>, u32> = FxHashMap::default();
        let mut number = |span: Option<Span>| {
            let next = numbers.len() as u32;
            *numbers.entry(span).or_insert(next)
        };
        let mut of = |process: usize| -> Vec<u32> {
            self.locations
                .iter()
                .map(|location| number(location.next.get(process).copied()))
                .collect()
        };
        (0..self.processes.len()).map(&mut of).collect()
    }

    /// The atoms of the formulas of the document, which are about states and steps of a transition system if the file
    /// describes one.
    pub fn atoms(&self) -> Interner<PropId> {
        match &self.expansion {
            Some(expansion) => expansion.names.clone(),
            None => self.names(),
        }
    }

    /// The formula of a property of the document in normal form, into which `compile` brings it; `None` if it is not
    /// supported. It is about the atoms of the document.
    pub fn stated(
        &self,
        property: &Specification,
        compile: impl Fn(&Surface, &Signature, &Fairness) -> Result<Formula, Vec<Diagnostic>>,
    ) -> Result<Option<Formula>, Vec<Diagnostic>> {
        let Ok(surface) = &property.formula else { return Ok(None) };
        let signature = Signature { family: Family::Props, props: &self.atoms(), actions: &[] };
        let everywhere = Fairness { everywhere: true, ..Fairness::default() };
        let fairness = self.expansion.as_ref().map_or(&everywhere, |own| &own.fairness);
        compile(surface, &signature, fairness).map(Some)
    }

    /// A formula about the atoms of the document, as one about the propositions of the program.
    pub fn expanded(&self, stated: Formula) -> Formula {
        match &self.expansion {
            Some(StateExpansion { expansion, .. }) => stated.expanded(expansion),
            None => stated,
        }
    }

    /// The formula of a property about the propositions of the program: [`Self::stated`], then [`Self::expanded`].
    pub fn formula(
        &self,
        property: &Specification,
        compile: impl Fn(&Surface, &Signature, &Fairness) -> Result<Formula, Vec<Diagnostic>>,
    ) -> Result<Option<Formula>, Vec<Diagnostic>> {
        let stated = self.stated(property, compile)?;
        Ok(stated.map(|stated| self.expanded(stated)))
    }
}

/// The logic of a property, as files call it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SpecLogic {
    Ctl,
    Mu,
    Mcf,
    /// An invariant of the reachable states.
    Invar,
    Ltl,
    CtlStar,
    Psl,
    Compute,
    /// A `never` claim of Promela.
    Never,
    /// A `trace` or `notrace` assertion of Promela.
    Trace,
}

impl SpecLogic {
    pub fn name(self) -> &'static str {
        match self {
            SpecLogic::Ctl => "ctl",
            SpecLogic::Mu => "mu",
            SpecLogic::Mcf => "mcf",
            SpecLogic::Invar => "invar",
            SpecLogic::Ltl => "ltl",
            SpecLogic::CtlStar => "ctlstar",
            SpecLogic::Psl => "psl",
            SpecLogic::Compute => "compute",
            SpecLogic::Never => "never",
            SpecLogic::Trace => "trace",
        }
    }
}

impl From<Logic> for SpecLogic {
    fn from(logic: Logic) -> Self {
        match logic {
            Logic::Ctl => SpecLogic::Ctl,
            Logic::Mu => SpecLogic::Mu,
            Logic::Mcf => SpecLogic::Mcf,
            Logic::Ltl => SpecLogic::Ltl,
            Logic::CtlStar => SpecLogic::CtlStar,
        }
    }
}

/// A property of a model, as it is asked.
#[derive(Clone, Debug)]
pub struct Specification {
    /// A formula that is asked besides the file has none.
    pub name: Option<String>,
    pub logic: SpecLogic,
    /// On one line, with the instance that it is about.
    pub text: String,
    /// Where the formula stands.
    pub span: Span,
    /// Where its name stands, or else the formula.
    pub named: Span,
    /// The formula, an invariant as `AG p`, or why it cannot be checked: a construct that is not supported, in it or in
    /// what it depends on.
    pub formula: Result<Surface, Cow<'static, str>>,
    /// If the question is not whether the formula holds, but how long paths are.
    pub distance: Option<Distance>,
    /// Whether only fair paths count.
    pub fair: bool,
    /// As NuSMV prints it.
    pub statement: String,
    /// For those who ask it.
    pub warnings: Vec<Diagnostic>,
}

impl Specification {
    /// A formula that stands in a text as it is.
    pub fn new(name: Option<String>, named: Span, surface: Surface) -> Self {
        let text = surface.source();
        Self {
            name,
            logic: surface.logic.into(),
            statement: format!("specification {text} "),
            text,
            span: surface.span,
            named,
            fair: surface.logic.is_about_paths(),
            formula: Ok(surface),
            distance: None,
            warnings: Vec::new(),
        }
    }

    /// The formula, if it can be checked.
    pub fn surface(&self) -> Option<&Surface> {
        self.formula.as_ref().ok()
    }

    /// Its name; a formula without one is its own.
    pub fn title(&self) -> &str {
        self.name.as_ref().unwrap_or(&self.text)
    }
}

/// A formula that is asked instead of the properties of a file.
#[derive(Clone, Debug)]
pub struct GivenQuestion {
    pub logic: Logic,
    pub file: FileId,
    pub text: Arc<str>,
}

impl GivenQuestion {
    /// A formula of CTL.
    pub(crate) fn ctl(file: FileId, text: &str) -> Self {
        Self { logic: Logic::Ctl, file, text: text.into() }
    }
}

/// Fairness of an action of a component, or of all its actions.
#[derive(Clone, Debug)]
pub struct FairAction {
    pub is_strong: bool,
    pub component: String,
    pub action: Option<String>,
    pub span: Span,
}

/// An LTS that says which sequences of its actions are allowed.
#[derive(Clone, Debug)]
pub struct Safety {
    pub name: String,
    /// Where it is named.
    pub span: Span,
    pub model: PartialModel,
}
