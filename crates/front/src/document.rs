//! Documents: the model and the properties of a file, whatever its language.

use crate::imperative::{IntegerStart, IntegerVariable};
use crate::smv::{Assurance, IntegerView};
use crate::symbols::Symbols;
use logic::{Family, Formula, Logic, PropId, Signature, Surface};
use model::{PartialModel, System};
use rustc_hash::FxHashMap;
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
    pub warnings: Vec<Diagnostic>,
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
        Self { form, properties, safeties: Vec::new(), warnings, symbols }
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
    /// The definitions of the file that are expressions, by name.
    pub definitions: Vec<(String, transition::NodeId)>,
}

/// Which statements the steps of a program execute.
#[derive(Clone, Debug)]
pub struct StatementMap {
    /// The variable that tells: an input of the step, or the program counter before it.
    pub told_by: transition::VarId,
    /// By value: the statement, or the send and the receive of a rendezvous, each with its process.
    pub statements: FxHashMap<i64, Vec<(Option<String>, Span)>>,
    /// Variables for control, which are none of the program.
    pub control: Vec<transition::VarId>,
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
    pub places: Vec<IntegerLocation>,
    /// Who makes each step; nobody where the program stays for ever.
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
    pub assurance: Option<Assurance>,
    /// Whether it is known that every state has a successor.
    pub is_total: bool,
    /// States and steps of the program as states and steps of a transition system, if the file describes one.
    pub view: Option<IntegerView>,
    /// The formulas of the properties where a step of the file takes several of the program.
    pub(crate) expanded: Option<Vec<Option<Formula>>>,
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

    /// For each process its location at each place of the program, by a number: by the command that comes next.
    pub fn whereabouts(&self) -> Vec<Vec<u32>> {
        let mut numbers: FxHashMap<Option<Span>, u32> = FxHashMap::default();
        let mut number = |span: Option<Span>| {
            let next = numbers.len() as u32;
            *numbers.entry(span).or_insert(next)
        };
        let mut of = |process: usize| -> Vec<u32> {
            self.places.iter().map(|place| number(place.next.get(process).copied())).collect()
        };
        (0..self.processes.len()).map(&mut of).collect()
    }

    /// The formula of a property of the document, by its number; `None` if it is not supported.
    pub fn formula(
        &self,
        number: usize,
        property: &Specification,
    ) -> Result<Option<Formula>, Vec<Diagnostic>> {
        match (&self.expanded, &property.formula) {
            (Some(expanded), _) => Ok(expanded[number].clone()),
            (None, Err(_)) => Ok(None),
            (None, Ok(surface)) => {
                let names = self.names();
                let signature = Signature { family: Family::Props, props: &names, actions: &[] };
                logic::compile(surface, &signature, &mut Vec::new()).map(Some)
            }
        }
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
    /// The formula, an invariant as `AG p`, or why it cannot be checked.
    pub formula: Result<Surface, &'static str>,
    /// Whether only fair paths count.
    pub fair: bool,
    /// As NuSMV prints it.
    pub statement: String,
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

/// An LTS that says which sequences of its actions are allowed.
#[derive(Clone, Debug)]
pub struct Safety {
    pub name: String,
    /// Where it is named.
    pub span: Span,
    pub model: PartialModel,
}
