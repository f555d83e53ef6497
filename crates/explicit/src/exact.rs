//! When an unknown is exact: some complete system that refines the model satisfies the formula, and some refutes it.
//!
//! Resolve every open label in favour of the formula, and every open transition too: there is one where it is asked
//! for by diamonds and none where by boxes. If no proposition that is open somewhere occurs both positively
//! and negatively, and no action that is open somewhere both in a box and in a diamond, that is one complete
//! system, and a formula is true of it where it is not false of the model (by induction on the formula). Resolving
//! everything against the formula gives another. Formulas without mixed polarity are self-minimising on partial
//! Kripke structures for that reason (Gurfinkel and Chechik, "How thorough is thorough enough"; Godefroid and
//! Huth, "Model checking vs. generalized model checking"); here only what is open counts.
//!
//! A must transition to several states, or one that no may transition goes with, is resolved by no such rule.

use crate::{Deadlock, Request};
use fixedbitset::FixedBitSet;
use logic::{Formula, Modality, Node};
use model::{EdgeClass, Mode, PartialModel, Sync};

/// Whether an unknown verdict is certain to be exact. Of a composition it is not looked for.
pub(crate) fn is_exact(request: &Request) -> bool {
    let [single] = &request.system.components[..] else { return false };
    let model = &single.model;
    // Of states that cover others one choice binds another; without them the reduced model has none.
    request.system.sync == Sync::default()
        && model.covers().is_empty()
        && is_plain(model, &model.reachable())
        && labels_have_one_polarity(model, &model.reachable(), request.formula)
        && steps_have_one_polarity(model, &model.reachable(), request)
}

fn reached(states: &FixedBitSet) -> impl Iterator<Item = u32> {
    states.ones().map(|state| state as u32)
}

/// Whether every must transition is a may transition to one state.
fn is_plain(model: &PartialModel, states: &FixedBitSet) -> bool {
    reached(states).all(|state| {
        let mut out = model.edges().out(state);
        model.hyper_from(state).is_empty() && out.all(|(_, class)| class.mode != Mode::MUST)
    })
}

fn labels_have_one_polarity(model: &PartialModel, states: &FixedBitSet, formula: &Formula) -> bool {
    let occurs = |wanted: Node| formula.nodes().any(|(_, node)| node == wanted);
    let mut props = model.props().iter().map(|(prop, _)| prop);
    props.all(|prop| {
        let is_open = |state: u32| !model.label(state, prop).is_definite();
        let both_ways = occurs(Node::Lit(prop, true)) && occurs(Node::Lit(prop, false));
        !both_ways || !reached(states).any(is_open)
    })
}

fn steps_have_one_polarity(model: &PartialModel, states: &FixedBitSet, request: &Request) -> bool {
    let classes: FixedBitSet = reached(states)
        .flat_map(|state| model.edges().row(state))
        .map(|edge| model.edges().class(edge) as usize)
        .collect();
    let classes = classes.ones().map(|class| model.edges().classes()[class]);
    let mut open = classes.filter(|class| class.mode == Mode::MAY).peekable();
    // Without its open transitions a state could be a deadlock state, and what that means is another question.
    open.peek().is_none()
        || request.deadlock == Deadlock::Warn
            && open.all(|class| has_one_polarity(model, request.formula, class))
}

fn has_one_polarity(model: &PartialModel, formula: &Formula, class: EdgeClass) -> bool {
    let speaks_of_it = |modality: Modality| {
        formula.nodes().any(|(_, node)| match node {
            Node::Modal(other, actions, _) if other == modality => {
                class.action.is_none_or(|action| {
                    formula.actions(actions).contains(model.actions().name(action))
                })
            }
            _ => false,
        })
    };
    !(speaks_of_it(Modality::Box) && speaks_of_it(Modality::Dia))
}
