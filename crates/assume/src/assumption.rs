//! The assumption: the quotient of N by an equivalence (A §2).

use crate::lts::triples;
use model::{Kind, Mode, ModelBuilder, PartialModel, System};

/// N/≈ for a process N. A class is named after its first state.
pub fn quotient(process: &PartialModel, class_of: &[u32], count: u32) -> PartialModel {
    let mut builder = ModelBuilder::new(Kind::Lts, process.name.clone());
    let actions: Vec<_> = process.actions().names().map(|name| builder.action(name)).collect();
    let mut firsts = vec![None; count as usize];
    for (&class, state) in class_of.iter().zip(0..) {
        firsts[class as usize].get_or_insert(state);
    }
    for first in firsts.into_iter().flatten() {
        builder.state(process.state_name(first));
    }
    process.init().iter().for_each(|&state| builder.init(class_of[state as usize]));
    let mut edges: Vec<(u32, u32, u32)> = triples(process)
        .into_iter()
        .map(|(source, action, target)| {
            (class_of[source as usize], action, class_of[target as usize])
        })
        .collect();
    edges.sort_unstable();
    edges.dedup();
    for (source, action, target) in edges {
        builder.edge(source, Some(actions[action as usize]), Mode::BOTH, target);
    }
    builder.finish()
}

/// The system with one process replaced by its assumption.
pub fn replace(system: &System, process: usize, assumption: PartialModel) -> System {
    let mut replaced = system.clone();
    replaced.components[process].model = assumption;
    replaced
}
