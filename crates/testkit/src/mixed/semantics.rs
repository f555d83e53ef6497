//! The standard and the reduced inductive semantics (X Def. 2 and Def. 6), to the letter.

use super::partial::Partial;
use super::space::{Set, Space, members};
use logic::{Fix, Formula, Modality, Node, NodeId, Truth, VarId};

/// ⟨U, O⟩: true in U, false outside O.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Element {
    pub under: Set,
    pub over: Set,
}

impl Element {
    /// ~⟨U, O⟩.
    fn not(self, all: Set) -> Element {
        Element { under: all & !self.over, over: all & !self.under }
    }

    /// ⟨U₁, O₁⟩ ⊓ ⟨U₂, O₂⟩.
    fn and(self, other: Element) -> Element {
        Element { under: self.under & other.under, over: self.over & other.over }
    }

    /// `None` if it is both true and false.
    pub fn truth(self, state: u32) -> Option<Truth> {
        Truth::from_bounds(self.under >> state & 1 == 1, self.over >> state & 1 == 1)
    }

    /// e ⪯ᵢ e′: less informative.
    pub fn is_less_informative(self, other: Element) -> bool {
        self.under & !other.under == 0 && other.over & !self.over == 0
    }

    /// s₁ ⪯ s₂ ⇒ (s₁ ∈ U ⇒ s₂ ∈ U) ∧ (s₁ ∉ O ⇒ s₂ ∉ O) (X §4.2).
    pub fn is_monotone(self, space: &Space) -> bool {
        let within = |set: Set, s1: u32, s2: u32| set >> s1 & 1 <= set >> s2 & 1;
        let kept = |s1, s2| within(self.under, s1, s2) && within(!self.over, s1, s2);
        let above = |s1| space.states().filter(move |&s2| space.is_less_precise(s1, s2));
        space.states().all(|s1| above(s1).all(|s2| kept(s1, s2)))
    }

    /// Those values that are states of both; the states are the first so many.
    #[must_use]
    pub fn first(self, states: usize) -> Element {
        let all = everything(states);
        Element { under: self.under & all, over: self.over & all }
    }
}

fn everything(states: usize) -> Set {
    (1 << states) - 1
}

/// RED (X §4.2), by γ.
pub fn reduce(space: &Space, e: Element) -> Element {
    let all = everything(space.states().len());
    let (known, refuted) = (space.gamma_of(e.under), space.gamma_of(all & !e.over));
    let where_not_within = |set: Set| {
        let outside = space.states().filter(|&s| space.gamma(s) & !set != 0);
        super::space::set_of(outside)
    };
    Element { under: all & !where_not_within(known), over: where_not_within(refuted) }
}

/// ‖φ‖_c (X Def. 2).
pub fn sis(model: &Partial, formula: &Formula) -> Element {
    evaluate(model.states(), &model.labels, formula, |e| pre(model, e))
}

/// ‖φ‖_r (X Def. 6), before any final RED.
pub fn ris(model: &Partial, space: &Space, formula: &Formula) -> Element {
    let diamond = |e| reduce(space, pre(model, reduce(space, e)));
    evaluate(model.states(), &model.labels, formula, diamond)
}

/// ⟨pre_U(U), pre_O(O)⟩ (X Def. 2).
fn pre(model: &Partial, e: Element) -> Element {
    let must = |s: usize| model.must[s].iter().any(|set| set & !e.under == 0);
    let may = |s: usize| model.may[s] & e.over != 0;
    let collect = |holds: &dyn Fn(usize) -> bool| {
        (0..model.states()).filter(|&s| holds(s)).fold(0, |set, s| set | 1 << s)
    };
    Element { under: collect(&must), over: collect(&may) }
}

/// The formula in any model: what its propositions and what its diamond mean is given.
pub(super) fn evaluate(
    states: usize,
    labels: &[Element],
    formula: &Formula,
    diamond: impl Fn(Element) -> Element,
) -> Element {
    let all = everything(states);
    let environment = vec![Element { under: 0, over: 0 }; formula.vars().len()];
    Semantics { all, labels, formula, diamond, environment }.value(formula.root())
}

struct Semantics<'a, D> {
    all: Set,
    labels: &'a [Element],
    formula: &'a Formula,
    diamond: D,
    /// σ.
    environment: Vec<Element>,
}

impl<D: Fn(Element) -> Element> Semantics<'_, D> {
    fn value(&mut self, id: NodeId) -> Element {
        let all = self.all;
        match self.formula.node(id) {
            Node::Const(true) => Element { under: all, over: all },
            Node::Const(false) => Element { under: 0, over: 0 },
            Node::Lit(prop, true) => self.labels[prop.0 as usize],
            Node::Lit(prop, false) => self.labels[prop.0 as usize].not(all),
            Node::And(a, b) => self.value(a).and(self.value(b)),
            // φ ∨ ψ ≜ ¬(¬φ ∧ ¬ψ)
            Node::Or(a, b) => self.value(a).not(all).and(self.value(b).not(all)).not(all),
            Node::Modal(Modality::Dia, _, body) => {
                let body = self.value(body);
                (self.diamond)(body)
            }
            // □φ ≜ ¬◇¬φ
            Node::Modal(Modality::Box, _, body) => {
                let body = self.value(body).not(all);
                (self.diamond)(body).not(all)
            }
            Node::Var(var) => self.environment[var.0 as usize],
            Node::Fix(var) => self.fixpoint(var),
        }
    }

    /// Least and, dually, greatest fixpoints, of U and of O at once: in negation normal form neither
    /// depends on the other.
    fn fixpoint(&mut self, var: VarId) -> Element {
        let kind = self.formula.var(var).kind;
        let start = if kind == Fix::Mu { 0 } else { self.all };
        let mut value = Element { under: start, over: start };
        loop {
            self.environment[var.0 as usize] = value;
            let next = self.value(self.formula.var(var).body);
            if next == value {
                return value;
            }
            value = next;
        }
    }
}

impl std::fmt::Display for Element {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list = |set| members(set).map(|s| format!("s{s}")).collect::<Vec<_>>().join(", ");
        write!(f, "⟨{{{}}}, {{{}}}⟩", list(self.under), list(self.over))
    }
}
