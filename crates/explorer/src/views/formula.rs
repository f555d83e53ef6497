//! The subformulas that are the labels of a game.

use game::{NodeClass, Subformulas};
use report::{FormulaPart, FormulaText};
use serde::Serialize;

#[derive(Serialize, Debug)]
pub struct Part {
    id: u32,
    text: String,
    owner: Option<&'static str>,
    priority: u32,
    #[serde(flatten)]
    part: FormulaPart,
}

/// The labels of a game, in their order.
pub fn parts(subformulas: &Subformulas, written: &FormulaText) -> Vec<Part> {
    let part = |id: u32| {
        let label = subformulas.get(id);
        let part = written.part(label.node);
        let (owner, text) = (owner(label.class), part.subformula.clone());
        Part { id, text, owner, priority: label.priority, part }
    };
    (0..subformulas.count()).map(part).collect()
}

/// Who moves.
pub fn owner(class: NodeClass) -> Option<&'static str> {
    match class {
        NodeClass::Literal | NodeClass::Deterministic => None,
        NodeClass::And | NodeClass::Box => Some("falsifier"),
        NodeClass::Or | NodeClass::Dia => Some("verifier"),
    }
}
