//! A program over unbounded integers, or an SMV file with some, and what is asked of it.

use crate::console::colour_of_stderr;
use crate::flags::{Limits, Questions};
use crate::input::{self, Trouble};
use crate::questions::Question;
use crate::smv;
use cegar::{Components, Proposition};
use front::{Assurance, EitherDocument, IntegerDocument, SmvIntegers, SmvQuestion, SmvView};
use logic::{Family, Formula, Signature};
use smt::{Atom, Term, Variable};
use std::path::Path;
use std::sync::Arc;
use support::{Monitor, SourceMap};

pub struct Subject {
    pub document: IntegerDocument,
    pub sources: SourceMap,
    pub questions: Vec<Question>,
    /// Nothing for a question that is not supported.
    pub formulas: Vec<Option<Formula>>,
    pub invariant: smt::Formula,
    /// What has to be true for the rest to mean something.
    pub assurance: Option<Assurance>,
    pub propositions: Vec<(String, Proposition)>,
    pub given: Vec<smt::Formula>,
    /// How an SMV file says it, if it is one.
    pub view: Option<SmvView>,
}

impl Subject {
    /// Reads a program with what is asked of it; nothing if it is not one over integers.
    pub fn read(
        path: &Path,
        given: &Questions,
        wanted: &[String],
        monitor: &Monitor,
    ) -> Result<Option<Self>, Trouble> {
        monitor.phase("reading", 0);
        let text: Arc<str> = input::read_text(path, input::open(path)?, monitor)?.into();
        let mut sources = SourceMap::new();
        let file = sources.add(input::name_of(path), text.clone());
        let asked: Vec<SmvQuestion> = smv::given(given, &mut sources)?;
        let document = match front::read_either_asking(file, &text, &asked) {
            Ok(EitherDocument::Integers(document)) => *document,
            Ok(EitherDocument::Finite(_)) => {
                input::put_back(path, &text);
                return Ok(None);
            }
            Err(errors) => return Err(Trouble::Faults(errors, Box::new(sources))),
        };
        Self::of(document, sources, wanted).map(Some)
    }

    fn of(
        mut document: IntegerDocument,
        sources: SourceMap,
        wanted: &[String],
    ) -> Result<Self, Trouble> {
        let all = questions(&document);
        let meant = smv::choose(&all.iter().collect::<Vec<_>>(), wanted)?;
        let mut numbers = 0..;
        document.properties.retain(|_| numbers.next().is_some_and(|n| meant.contains(&n)));
        let names = document.names();
        let signature = Signature { family: Family::Props, props: &names, actions: &[] };
        let compile = |property: &front::WhileProperty| {
            logic::compile(&property.surface, &signature, &mut Vec::new()).map(Some)
        };
        let formulas: Result<Vec<Option<Formula>>, _> =
            document.properties.iter().map(compile).collect();
        let formulas =
            formulas.map_err(|errors| Trouble::Faults(errors, Box::new(sources.clone())))?;
        Ok(Self {
            questions: questions(&document),
            invariant: document.invariant.clone(),
            assurance: None,
            propositions: document.propositions.clone(),
            given: document.predicates.iter().map(|given| given.condition.clone()).collect(),
            formulas,
            document,
            sources,
            view: None,
        })
    }

    /// The processes of the program, if there are several.
    pub fn components(&self) -> Option<Components> {
        let document = &self.document;
        (document.processes.len() > 1).then(|| Components {
            places: document.whereabouts(),
            movers: document.movers.iter().map(|mover| Some(mover.as_ref()?.process)).collect(),
        })
    }

    /// That of the program, for certificates.
    pub fn digest(&self) -> u64 {
        let start = &self.document.start;
        self.document.program.digest((start.place, &start.condition))
    }

    /// An SMV file: those of its questions that are chosen.
    pub fn of_smv(
        read: SmvIntegers,
        sources: SourceMap,
        all: &[smv::Asked],
        chosen: &[usize],
    ) -> Self {
        let SmvIntegers { document, specifications, assurance, view, .. } = read;
        Self {
            questions: chosen.iter().map(|&index| all[index].question.clone()).collect(),
            formulas: chosen.iter().map(|&index| specifications[index].1.clone()).collect(),
            propositions: document.propositions.clone(),
            given: Vec::new(),
            invariant: document.invariant.clone(),
            document,
            sources,
            assurance,
            view: Some(view),
        }
    }

    /// What is odd about the file, unless nobody wants to know.
    pub fn warnings_for(&self, limits: &Limits) -> String {
        if limits.quiet {
            return String::new();
        }
        report::render(&self.document.warnings, &self.sources, colour_of_stderr())
    }

    /// An atom as the program would write it.
    pub fn shown(&self, atom: &Atom) -> String {
        atom.show(&|variable: Variable| self.name(variable))
    }

    pub fn shown_formula(&self, formula: &smt::Formula) -> String {
        formula.show(&|variable: Variable| self.name(variable))
    }

    pub fn shown_term(&self, term: &Term) -> String {
        term.show(&|variable: Variable| self.name(variable))
    }

    pub fn name(&self, variable: Variable) -> String {
        let names = &self.document.program.variables;
        names.get(variable.0 as usize).cloned().unwrap_or_else(|| "?".to_owned())
    }

    /// Where a place is, in words.
    pub fn place(&self, place: u32) -> String {
        let spans = &self.document.places[place as usize].next;
        let line = |span: &support::Span| {
            let (line, _) = self.sources.position(*span);
            format!("line {line}")
        };
        match &spans[..] {
            [] => self.document.program.places[place as usize].clone(),
            spans => spans.iter().map(line).collect::<Vec<_>>().join(", "),
        }
    }
}

fn questions(document: &IntegerDocument) -> Vec<Question> {
    let question = |property: &front::WhileProperty| {
        Question::new(property.title(), Some(property.logic), &property.text, Some(property.span))
    };
    document.properties.iter().map(question).collect()
}
