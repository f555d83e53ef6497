//! The subformulas that are the labels of a game.

use report::FormulaPart;
use serde::Serialize;
use tertium::inspect::{NodeClass, Subformulas};

#[derive(Serialize, Debug)]
pub struct LabelPart {
    id: u32,
    text: String,
    owner: Option<&'static str>,
    priority: u32,
    #[serde(flatten)]
    part: FormulaPart,
}

/// The labels of a game, in their order.
pub fn parts(subformulas: &Subformulas, written: &[FormulaPart]) -> Vec<LabelPart> {
    let part = |id: u32| {
        let label = subformulas.get(id);
        let part = written[id as usize].clone();
        let (owner, text) = (owner(label.class), part.subformula.clone());
        LabelPart { id, text, owner, priority: label.priority, part }
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
