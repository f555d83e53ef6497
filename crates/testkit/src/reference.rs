//! The 3-valued semantics of the µ-calculus as the papers write it (C §2, X Def. 2), and the reduced one (X
//! Def. 6): functions from states to truth values, fixpoints by iteration. Slow and obvious.
//!
//! This judges the engines in tests and is used by nothing else. It shares no algorithm with them.

use fixedbitset::FixedBitSet;
use logic::{ActionSet, Fix, FixpointVar, Formula, Modality, Node, NodeId, PropId, Truth, VarId};
use model::{EdgeClass, PartialModel, Upsets};
use support::IdVec;

/// The value of a formula in a state. In X's words: true in U, false outside O.
///
/// Where must is not within may, both can be: then no complete system refines the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Value {
    pub is_true: bool,
    pub is_false: bool,
}

impl Value {
    const TRUE: Value = Value { is_true: true, is_false: false };
    const FALSE: Value = Value { is_true: false, is_false: true };

    /// `None` if it is both true and false.
    pub fn truth(self) -> Option<Truth> {
        match (self.is_true, self.is_false) {
            (true, false) => Some(Truth::True),
            (false, true) => Some(Truth::False),
            (false, false) => Some(Truth::Unknown),
            (true, true) => None,
        }
    }

    fn and(self, other: Value) -> Value {
        Value { is_true: self.is_true && other.is_true, is_false: self.is_false || other.is_false }
    }

    fn or(self, other: Value) -> Value {
        Value { is_true: self.is_true || other.is_true, is_false: self.is_false && other.is_false }
    }
}

impl From<Truth> for Value {
    fn from(truth: Truth) -> Self {
        Value { is_true: truth == Truth::True, is_false: truth == Truth::False }
    }
}

/// S → {tt, ff, ⊥}.
type Function = Vec<Value>;

/// The value of every node of a formula in every state.
pub struct Values(IdVec<NodeId, Function>);

impl Values {
    /// That of ψ* (C Thm 2.4): variables that are free in ψ stand for their fixpoints.
    pub fn at(&self, node: NodeId, state: u32) -> Value {
        self.0[node][state as usize]
    }

    /// As [`at`](Self::at), where no contradiction is expected.
    pub fn truth(&self, node: NodeId, state: u32) -> Option<Truth> {
        self.at(node, state).truth()
    }

    /// A node that is both true and false in a state, the innermost one.
    pub fn contradiction(&self) -> Option<(NodeId, u32)> {
        self.0.iter().find_map(|(node, function)| {
            let state = function.iter().position(|value| value.truth().is_none())?;
            Some((node, state as u32))
        })
    }
}

/// The propositions of the formula are those of the model, by number; actions go by name.
pub fn evaluate(model: &PartialModel, formula: &Formula) -> Values {
    evaluate_with(model, formula, None)
}

/// RIS to the letter (X Def. 6), on a model as it stands, before a last RED.
pub fn evaluate_reduced(model: &PartialModel, formula: &Formula) -> Values {
    evaluate_with(model, formula, Some(Upsets::new(model)))
}

fn evaluate_with(model: &PartialModel, formula: &Formula, upsets: Option<Upsets>) -> Values {
    let bottom = vec![Value::FALSE; model.states()];
    let environment = formula.vars().map(|_| bottom.clone()).collect();
    let mut semantics = Semantics { model, formula, upsets, environment };
    // Outer fixpoints first, so that those within find their free variables bound to the end result.
    for (_, node) in formula.nodes().rev() {
        if let Node::Fix(var) = node {
            semantics.environment[var] = semantics.fixpoint(var);
        }
    }
    let environment = semantics.environment.clone();
    let values = formula.nodes().map(|(id, _)| {
        semantics.environment.clone_from(&environment);
        semantics.value(id)
    });
    Values(values.collect())
}

struct Semantics<'a> {
    model: &'a PartialModel,
    formula: &'a Formula,
    /// Only under the reduced semantics.
    upsets: Option<Upsets>,
    /// ρ.
    environment: IdVec<VarId, Function>,
}

impl Semantics<'_> {
    /// ⟦ψ⟧ρ.
    fn value(&mut self, id: NodeId) -> Function {
        match self.formula.node(id) {
            Node::Const(value) => vec![Truth::from(value).into(); self.model.states()],
            Node::Lit(prop, positive) => self.literal(prop, positive),
            Node::And(a, b) => pointwise(&self.value(a), &self.value(b), Value::and),
            Node::Or(a, b) => pointwise(&self.value(a), &self.value(b), Value::or),
            Node::Modal(modality, actions, body) => {
                let body = self.value(body);
                let body = self.red(body);
                let actions = self.formula.actions(actions);
                self.red(self.states().map(|s| self.modal(modality, actions, &body, s)).collect())
            }
            Node::Var(var) => self.environment[var].clone(),
            Node::Fix(var) => self.fixpoint(var),
        }
    }

    /// RED (X §4.2): as much true and as much false as means the same.
    fn red(&self, function: Function) -> Function {
        let Some(upsets) = &self.upsets else { return function };
        let where_it = |holds: fn(&Value) -> bool| -> FixedBitSet {
            let states = function.iter().enumerate().filter(|(_, value)| holds(value));
            upsets.reduce(&states.map(|(state, _)| state).collect())
        };
        let (is_true, is_false) =
            (where_it(|value| value.is_true), where_it(|value| value.is_false));
        let value = |s| Value { is_true: is_true.contains(s), is_false: is_false.contains(s) };
        (0..function.len()).map(value).collect()
    }

    fn states(&self) -> std::ops::Range<u32> {
        0..self.model.states() as u32
    }

    fn literal(&self, prop: PropId, positive: bool) -> Function {
        let label = |s| self.model.label(s, prop);
        self.states().map(|s| if positive { label(s) } else { !label(s) }.into()).collect()
    }

    /// Box as in C §2, with must transitions to sets as in X Def. 2; diamond is dual.
    fn modal(&self, modality: Modality, actions: &ActionSet, body: &Function, s: u32) -> Value {
        let is_true = |t: u32| body[t as usize].is_true;
        let is_false = |t: u32| body[t as usize].is_false;
        match modality {
            Modality::Box => Value {
                is_true: self.every_may(s, actions, is_true),
                is_false: self.some_must(s, actions, is_false),
            },
            Modality::Dia => Value {
                is_true: self.some_must(s, actions, is_true),
                is_false: self.every_may(s, actions, is_false),
            },
        }
    }

    fn every_may(&self, s: u32, actions: &ActionSet, holds: impl Fn(u32) -> bool) -> bool {
        let mut out = self.model.edges().out(s);
        out.all(|(t, class)| !class.mode.may || !actions.contains(self.action(class)) || holds(t))
    }

    fn some_must(&self, s: u32, actions: &ActionSet, holds: impl Fn(u32) -> bool) -> bool {
        let mut out = self.model.edges().out(s);
        let mut hyper = self.model.hyper_from(s).iter();
        out.any(|(t, class)| class.mode.must && actions.contains(self.action(class)) && holds(t))
            || hyper
                .any(|hyper| actions.contains(NAMELESS) && hyper.targets.iter().all(|&t| holds(t)))
    }

    fn action(&self, class: EdgeClass) -> &str {
        class.action.map_or(NAMELESS, |action| self.model.actions().name(action))
    }

    /// Least from below, greatest from above (Kleene); the lattice is finite.
    fn fixpoint(&mut self, var: VarId) -> Function {
        let &FixpointVar { kind, body, .. } = self.formula.var(var);
        let start = if kind == Fix::Mu { Value::FALSE } else { Value::TRUE };
        self.environment[var] = vec![start; self.model.states()];
        loop {
            let next = self.value(body);
            if next == self.environment[var] {
                return next;
            }
            self.environment[var] = next;
        }
    }
}

/// The action of a transition that carries none: in `any`, and in no set of named ones.
const NAMELESS: &str = "";

fn pointwise(a: &Function, b: &Function, join: fn(Value, Value) -> Value) -> Function {
    a.iter().zip(b).map(|(&a, &b)| join(a, b)).collect()
}
