//! Failure paths of unknown verdicts on random systems, against the reference semantics.

use crate::systems::Question;
use logic::{Modality, Node, NodeId, Truth};
use model::{Mode, PartialModel};
use std::cell::Cell;
use support::Monitor;
use symbolic::{
    ComposedSystem, DecomposedSystem, FailurePath, OpenFact, Policy, SearchLimit, UnknownCause,
};
use testkit::for_seeds;
use testkit::reference::{Values, evaluate};

impl Question {
    /// As it is found with all components at once, or by groups.
    fn cause(&self, by_groups: bool) -> Option<UnknownCause> {
        let (policy, monitor) = (Policy::default(), Monitor::new());
        let cause = match by_groups {
            true => DecomposedSystem::new(
                &self.system,
                self.stutters,
                policy,
                SearchLimit::Unlimited,
                &monitor,
            )
            .expect("a system that can be composed")
            .unknown_cause(&self.formula),
            false => ComposedSystem::new(&self.system, self.stutters, policy, &monitor)
                .expect("a system that can be composed")
                .unknown_cause(&self.formula),
        };
        cause.expect("room enough")
    }
}

struct Judge<'a> {
    model: PartialModel,
    values: Values,
    question: &'a Question,
}

impl Judge<'_> {
    fn state(&self, tuple: &[u32]) -> Result<u32, String> {
        let found = (0..self.model.states() as u32).find(|&s| self.model.members(s) == tuple);
        found.ok_or_else(|| format!("{tuple:?} cannot be reached"))
    }

    /// The kind of the transitions between two states together, of those that a modality speaks of.
    fn mode(&self, node: NodeId, from: u32, to: u32) -> Mode {
        let formula = &self.question.formula;
        let Node::Modal(_, actions, _) = formula.node(node) else { return Mode::NONE };
        let is_meant = |action: Option<model::ActionId>| {
            let name = action.map_or("", |action| self.model.actions().name(action));
            formula.actions(actions).contains(name)
        };
        let steps =
            self.model.edges().out(from).filter(|(t, class)| *t == to && is_meant(class.action));
        steps.fold(Mode::NONE, |mode, (_, class)| mode.or(class.mode))
    }

    /// Whether one position may come after another on the path.
    fn follows(&self, (from, node): (u32, NodeId), (to, next): (u32, NodeId)) -> bool {
        let formula = &self.question.formula;
        match formula.node(node) {
            Node::And(a, b) | Node::Or(a, b) => from == to && (next == a || next == b),
            Node::Fix(var) | Node::Var(var) => from == to && next == formula.var(var).body,
            Node::Modal(_, _, body) => next == body && self.mode(node, from, to) == Mode::BOTH,
            Node::Const(_) | Node::Lit(..) => false,
        }
    }

    fn judge(&self, FailurePath { path, cause }: &FailurePath) -> Result<(), String> {
        let formula = &self.question.formula;
        let mut before: Option<(u32, NodeId)> = None;
        for (tuple, node) in path {
            let here = (self.state(tuple)?, *node);
            let value = self.values.truth(here.1, here.0);
            if value != Some(Truth::Unknown) {
                return Err(format!("`{}` is {value:?} in {tuple:?}", formula.show(here.1)));
            }
            let is_right = match before {
                None => here.1 == formula.root() && self.model.init().contains(&here.0),
                Some(before) => self.follows(before, here),
            };
            if !is_right {
                return Err(format!("{tuple:?} with `{}` does not follow", formula.show(here.1)));
            }
            before = Some(here);
        }
        let (state, node) = before.ok_or("an empty path")?;
        let is_open = match (cause, formula.node(node)) {
            (OpenFact::Label(prop), Node::Lit(of, _)) => *prop == of,
            (OpenFact::Transition { target, .. }, Node::Modal(modality, _, body)) => {
                let target = self.state(target)?;
                let useless = if modality == Modality::Dia { Truth::False } else { Truth::True };
                self.mode(node, state, target) == Mode::MAY
                    && self.values.truth(body, target) != Some(useless)
            }
            _ => false,
        };
        is_open.then_some(()).ok_or_else(|| format!("not a cause: {cause:?}"))
    }
}

#[test]
fn causes_end_paths_of_unknown_positions() {
    let counts: [Cell<u32>; 3] = Default::default();
    for_seeds("symbolic-causes", 0..16_000, |rng, case| {
        let Some(question) = Question::random(rng, case) else { return Ok(()) };
        if question.expected() != Truth::Unknown {
            return Ok(());
        }
        let cause = question.cause(rng.chance(0.5)).ok_or("no cause")?;
        let model = question.deadlock_composition();
        let values = evaluate(&model, &question.formula);
        let judge = Judge { model, values, question: &question };
        let sort = match &cause {
            UnknownCause::Path(path) => {
                judge.judge(path)?;
                usize::from(matches!(path.cause, OpenFact::Transition { .. }))
            }
            UnknownCause::Starts { satisfying, falsifying } => {
                for (tuple, value) in [(satisfying, Truth::True), (falsifying, Truth::False)] {
                    let state = judge.state(tuple)?;
                    if judge.values.truth(question.formula.root(), state) != Some(value) {
                        return Err(format!("not {value} in {tuple:?}"));
                    }
                }
                2
            }
        };
        counts[sort].set(counts[sort].get() + 1);
        Ok(())
    });
    println!("labels, transitions, initial states: {counts:?}");
    let least = [100, 400, 10];
    assert!(counts.iter().zip(least).all(|(count, least)| count.get() >= least), "{counts:?}");
}
