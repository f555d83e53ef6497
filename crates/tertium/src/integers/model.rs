//! A program over unbounded integers, or an SMV file with some, and what is asked of it.

use crate::error::Error;
use crate::language::Language;
use crate::property::{self, About, Property as Question};
use crate::transition_system::StatedProperty;
use automata::Valuations;
use cegar::ProcessLocations;
use front::{IntegerForm, Specification};
use logic::{Fairness, Formula, PropId, Signature, Surface, Truth};
use smt::{LinearAtom, Term, Variable};
use std::sync::{Arc, Mutex};
use support::{Diagnostic, FileId, Interner, SourceMap};

pub struct IntegerModel {
    pub document: IntegerForm,
    /// The language that it was read from.
    pub language: Language,
    pub warnings: Vec<Diagnostic>,
    /// Constructs of the text that are not supported: what depends on them is left out.
    pub unsupported: Vec<Diagnostic>,
    pub sources: SourceMap,
    pub text: Arc<str>,
    /// The questions, as far as they are not in the formulas.
    pub all: Vec<StatedProperty>,
    /// Nothing for a question that is not supported.
    pub formulas: Vec<Option<Formula>>,
    /// The formulas of linear time, before they became formulas about the program, and their atoms.
    pub translations: Vec<Option<Formula>>,
    pub atoms: Interner<PropId>,
    pub initial_predicates: Vec<smt::LinearFormula>,
    /// Whether no run-time error occurs, once that is known, and the answer with its evidence.
    pub no_error_answer: Mutex<Option<(Truth, Option<cegar::CegarAnswer>)>>,
}

impl IntegerModel {
    /// A program with its properties.
    pub fn new(
        language: Language,
        (document, properties, warnings): (IntegerForm, Vec<Specification>, Vec<Diagnostic>),
        sources: SourceMap,
        text: Arc<str>,
        all: Vec<StatedProperty>,
    ) -> Result<Self, Error> {
        let compile = |surface: &Surface, signature: &Signature, fairness: &Fairness| {
            // The program's propositions have values, whatever an abstraction knows of them.
            let valuations = Valuations::Complete;
            automata::compile(surface, signature, fairness, valuations, &mut Vec::new())
        };
        let stated = properties.iter().map(|property| document.stated(property, compile));
        let stated = stated.collect::<Result<Vec<Option<Formula>>, _>>();
        let stated = stated.map_err(|errors| Error::of(errors, &sources))?;
        let is_linear = |formula: &Formula| formula.logic.has_linear_operators();
        let translations = stated.iter().map(|formula| formula.clone().filter(is_linear));
        let translations = translations.collect();
        let expanded = |formula: Option<Formula>| formula.map(|it| document.expanded(it));
        Ok(Self {
            text,
            all,
            initial_predicates: document
                .predicates
                .iter()
                .map(|given| given.condition.clone())
                .collect(),
            formulas: stated.into_iter().map(expanded).collect(),
            translations,
            atoms: document.atoms(),
            document,
            language,
            warnings,
            unsupported: Vec::new(),
            sources,
            no_error_answer: Mutex::default(),
        })
    }

    /// The program under assumptions on its holes.
    pub fn assuming(self: &Arc<Self>, assumptions: &[String]) -> Result<Arc<Self>, Error> {
        if assumptions.is_empty() {
            return Ok(self.clone());
        }
        let mut sources = self.sources.clone();
        let file = |text: &String| {
            let text: Arc<str> = text.as_str().into();
            (sources.add("<--assume>", text.clone()), text)
        };
        let texts: Vec<(FileId, Arc<str>)> = assumptions.iter().map(file).collect();
        let document = self.document.assuming(&texts);
        let document = document.map_err(|errors| Error::of(errors, &sources))?;
        Ok(Arc::new(Self {
            document,
            language: self.language,
            warnings: self.warnings.clone(),
            unsupported: self.unsupported.clone(),
            sources,
            text: self.text.clone(),
            all: self.all.clone(),
            formulas: self.formulas.clone(),
            translations: self.translations.clone(),
            atoms: self.atoms.clone(),
            initial_predicates: self.initial_predicates.clone(),
            no_error_answer: Mutex::default(),
        }))
    }

    /// The formulas as properties of a model.
    pub fn properties(self: &Arc<Self>) -> Vec<Question> {
        let property = |(number, asked): (usize, &StatedProperty)| {
            Question(Arc::new(property::Inner::of(asked, About::Integers(self.clone(), number))))
        };
        self.all.iter().enumerate().map(property).collect()
    }

    /// The processes of the program, if there are several.
    pub fn components(&self) -> Option<ProcessLocations> {
        let document = &self.document;
        (document.processes.len() > 1).then(|| ProcessLocations {
            locations: document.process_locations(),
            movers: document.movers.iter().map(|mover| Some(mover.as_ref()?.process)).collect(),
        })
    }

    /// That of the program, for certificates.
    pub fn digest(&self) -> u64 {
        let start = &self.document.start;
        self.document.program.digest((start.location, &start.condition))
    }

    /// An atom as the program would write it.
    pub fn shown(&self, atom: &LinearAtom) -> String {
        atom.show(&|variable: Variable| self.name(variable))
    }

    pub fn shown_formula(&self, formula: &smt::LinearFormula) -> String {
        formula.show(&|variable: Variable| self.name(variable))
    }

    pub fn shown_term(&self, term: &Term) -> String {
        term.show(&|variable: Variable| self.name(variable))
    }

    pub fn name(&self, variable: Variable) -> String {
        let names = &self.document.program.variables;
        names.get(variable.0 as usize).cloned().unwrap_or_else(|| "?".to_owned())
    }

    /// The description of a location.
    pub fn location_text(&self, place: u32) -> String {
        let spans = &self.document.locations[place as usize].next;
        let line = |span: &support::Span| {
            let (line, _) = self.sources.position(*span);
            format!("line {line}")
        };
        match &spans[..] {
            [] => self.document.program.locations[place as usize].clone(),
            spans => spans.iter().map(line).collect::<Vec<_>>().join(", "),
        }
    }
}
