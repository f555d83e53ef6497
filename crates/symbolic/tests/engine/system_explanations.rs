//! Explanations of verdicts on random systems, against the reference semantics: every position that is shown has the
//! value that it is shown with, and every step that is shown is one of the composition.

use crate::systems::Question;
use logic::evidence::{Justification, ShownState, ShownStep, UnfoldedEvidence};
use logic::{Modality, Node, Truth};
use model::{Mode, PartialModel};
use std::cell::Cell;
use support::Monitor;
use symbolic::{ComposedSystem, EvidenceScope, Policy};
use testkit::for_seeds;
use testkit::reference::{Values, evaluate};

struct Judge<'a> {
    model: PartialModel,
    values: Values,
    question: &'a Question,
    shown: &'a UnfoldedEvidence,
}

impl Judge<'_> {
    /// The state of the composition that is shown.
    fn state(&self, shown: &ShownState) -> Result<u32, String> {
        let components = &self.question.system.components;
        let name = |(part, state): (&model::Component, u32)| part.model.state_name(state);
        let names = |state: u32| -> Vec<String> {
            components.iter().zip(self.model.members(state)).map(name).collect()
        };
        let wanted: Vec<String> =
            shown.members.iter().flatten().map(|member| member.name.clone()).collect();
        let mut all = 0..self.model.states() as u32;
        all.find(|&state| names(state) == wanted).ok_or_else(|| format!("no state {wanted:?}"))
    }

    /// The kind of the transitions between two states by the action of a step.
    fn mode(&self, from: u32, to: u32, step: &ShownStep) -> Mode {
        let is_it = |action: Option<model::ActionId>| {
            let name = action.map(|action| self.model.actions().name(action));
            name == step.action.as_deref()
        };
        let steps =
            self.model.edges().out(from).filter(|(t, class)| *t == to && is_it(class.action));
        steps.fold(Mode::NONE, |mode, (_, class)| mode.or(class.mode))
    }

    fn judge(&self) -> Result<usize, String> {
        let mut steps = 0;
        for node in &self.shown.nodes {
            let from = self.state(&self.shown.states[node.state as usize])?;
            let id = node.formula.ok_or("no subformula")?;
            let value = self.values.truth(id, from);
            if value != Some(node.value) {
                return Err(format!("`{}` is {value:?} and not {}", node.subformula, node.value));
            }
            let formula = &self.question.formula;
            let wins = match formula.node(formula.definition(id)) {
                Node::Modal(modality, ..) => {
                    (modality == Modality::Dia) == (node.value == Truth::True)
                }
                _ => false,
            };
            for successor in &node.successors {
                let Some(step) = &successor.step else { continue };
                let next = &self.shown.nodes[successor.node as usize];
                let to = self.state(&self.shown.states[next.state as usize])?;
                let mode = self.mode(from, to, step);
                if !mode.may || mode.must != step.is_must || wins && !mode.must {
                    return Err(format!("{step:?} from {from} to {to} is {mode:?}"));
                }
                steps += 1;
            }
            if node.why == Justification::One && node.successors.len() != 1 {
                return Err(format!("`{}` has no successor", node.subformula));
            }
        }
        Ok(steps)
    }
}

#[test]
fn what_is_shown_is_so() {
    let [explained, steps] = [Cell::new(0), Cell::new(0)];
    for_seeds("system-explanations", 0..6_000, |rng, case| {
        let Some(question) = Question::random(rng, case) else { return Ok(()) };
        let expected = question.expected();
        if !expected.is_definite() {
            return Ok(());
        }
        let monitor = Monitor::new();
        let made =
            ComposedSystem::new(&question.system, question.stutters, Policy::default(), &monitor);
        let mut composition = made.map_err(|refusal| format!("{refusal:?}"))?;
        let is_shortest = rng.chance(0.3);
        let scope = EvidenceScope { positions: 300, is_path: rng.chance(0.3), is_shortest };
        let is_true = expected == Truth::True;
        let shown = composition.explain(&question.system, &question.formula, is_true, scope);
        let shown = shown.expect("enough room").ok_or("nothing is shown")?;
        if shown.roots.is_empty() {
            return Err("no initial state is shown".to_owned());
        }
        let model = question.deadlock_composition();
        let values = evaluate(&model, &question.formula);
        let judge = Judge { model, values, question: &question, shown: &shown };
        steps.set(steps.get() + judge.judge()?);
        explained.set(explained.get() + 1);
        Ok(())
    });
    println!("{explained:?} explanations with {steps:?} steps");
    assert!(explained.get() > 4_000 && steps.get() > 4_000, "{explained:?} {steps:?}");
}
