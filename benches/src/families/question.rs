//! The properties of a family as questions: what is asked, what the answer is, and what kind of step
//! decides it.

use super::{Family, Logic, Property, Wish, make};
use front::Document;
use logic::{Formula, Modality, Node, Signature};
use model::System;
use std::fmt;
use std::sync::Arc;
use support::{FileId, Monitor};

pub struct Question {
    pub name: &'static str,
    /// For all tools that read modal formulas; empty where there are propositions.
    pub mcf: String,
    pub holds: bool,
    pub sort: Sort,
    pub shape: Shape,
    /// Whether the fault turns the verdict round.
    pub sees_the_fault: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    Local,
    TwoParty,
    Global,
}

/// Which modalities a formula has, in negation normal form. A truth with boxes only, and a falsehood
/// with diamonds only, needs no step to be certain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    Universal,
    Existential,
    Mixed,
}

impl Question {
    fn new(property: &Property, last: u32, broken: bool, formula: &Formula) -> Self {
        let sort = match property.name.split_once(": ") {
            Some(("local", _)) => Sort::Local,
            Some(("two-party", _)) => Sort::TwoParty,
            _ => Sort::Global,
        };
        let mcf = match property.logic {
            Logic::Ctl => String::new(),
            Logic::Mu | Logic::Mcf => property.text(last).replace(" | ", " || "),
        };
        Self {
            name: property.name,
            mcf,
            holds: property.verdict(broken),
            sort,
            shape: Shape::of(formula),
            sees_the_fault: property.holds != property.holds_if_broken,
        }
    }

    /// `existential truth`
    pub fn kind(&self) -> String {
        format!("{} {}", self.shape, if self.holds { "truth" } else { "falsehood" })
    }

    /// Whether some step has to be certain.
    pub fn needs_musts(&self) -> bool {
        match self.shape {
            Shape::Universal => !self.holds,
            Shape::Existential => self.holds,
            Shape::Mixed => true,
        }
    }
}

impl Shape {
    fn of(formula: &Formula) -> Self {
        let has = |wanted| {
            let mut nodes = formula.nodes();
            nodes.any(|(_, node)| matches!(node, Node::Modal(found, ..) if found == wanted))
        };
        match (has(Modality::Box), has(Modality::Dia)) {
            (true, true) => Shape::Mixed,
            (false, true) => Shape::Existential,
            (_, false) => Shape::Universal,
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Shape::Universal => "universal",
            Shape::Existential => "existential",
            Shape::Mixed => "mixed",
        })
    }
}

/// The properties of a family at a size.
pub fn questions(family: Family, size: u32, broken: bool) -> Vec<Question> {
    let (system, properties) = read(&make(&Wish::new(family, size, broken)));
    let stated = family.plan().properties.iter();
    stated
        .zip(&properties)
        .map(|(stated, read)| Question::new(stated, size - 1, broken, &compile(&system, read)))
        .collect()
}

/// Reads what a family has written.
pub fn read(text: &str) -> (System, Vec<front::Property>) {
    let text: Arc<str> = text.into();
    let Document { system, properties, warnings, .. } = front::read_tm(
        FileId(0),
        &text,
        &Monitor::new(),
        &mut |_| Err("no other files".to_owned()),
    )
    .unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    assert!(warnings.is_empty(), "{warnings:?}");
    (system.expect("components"), properties)
}

pub fn compile(system: &System, property: &front::Property) -> Formula {
    let (props, actions) = (system.props(), system.actions());
    let signature = Signature { family: system.family(), props: &props, actions: &actions };
    logic::compile(&property.surface, &signature, &mut Vec::new())
        .unwrap_or_else(|errors| panic!("{}: {errors:?}", property.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(family: Family, name: &str) -> String {
        let questions = questions(family, 3, false);
        let found = questions.iter().find(|question| question.name.ends_with(name));
        let question = found.expect("a property of this name");
        format!("{}, {}", question.kind(), question.needs_musts())
    }

    #[test]
    fn negations_are_seen_through() {
        let ring = |name| kind(Family::TokenRing, name);
        assert_eq!(ring("who works has stopped waiting"), "universal truth, false");
        assert_eq!(ring("what comes is always used"), "universal falsehood, true");
        assert_eq!(ring("station 0 can work"), "existential truth, true");
        assert_eq!(ring("the token is lost on the way"), "existential falsehood, false");
        assert_eq!(ring("station 0 can always work again"), "mixed truth, true");
        let table = |name| kind(Family::Philosophers, name);
        assert_eq!(table("neighbours never eat together"), "universal truth, false");
        assert_eq!(table("a philosopher can think forever"), "existential truth, true");
    }

    #[test]
    fn modal_formulas_are_written_for_all_tools() {
        let questions = questions(Family::ClientServer, 4, false);
        let last = questions.iter().find(|question| question.name.contains("push in"));
        assert_eq!(last.map(|q| &*q.mcf), Some("[true*.req0.(!rep0)*.rep3] false"));
        assert!(questions.iter().all(|question| !question.mcf.contains(" | ")));
    }
}
