//! Subformulas that label the nodes of a game graph.

use crate::plan::{Op, Plan};
use logic::{Fix, Formula, Modality, Node, NodeId};

/// The classes of C §2.1, by subformula. Deterministic nodes belong to the verifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeClass {
    Literal,
    And,
    Or,
    Box,
    Dia,
    Deterministic,
}

impl NodeClass {
    /// Whether the falsifier moves here.
    pub fn is_universal(self) -> bool {
        matches!(self, NodeClass::And | NodeClass::Box)
    }

    pub fn is_modal(self) -> bool {
        matches!(self, NodeClass::Box | NodeClass::Dia)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Subformula {
    pub class: NodeClass,
    pub priority: u32,
    /// The kind of the fixpoint whose variable this is.
    pub witness: Option<Fix>,
    pub node: NodeId,
}

impl Subformula {
    /// A must hyper-transition leads somewhere among its members, so who did not choose it chooses
    /// the member. The modality comes just before, so its priority changes no play.
    fn choice(&self) -> Self {
        let class = if self.class.is_universal() { NodeClass::Or } else { NodeClass::And };
        Self { class, witness: None, ..*self }
    }
}

/// The subformulas of a formula, either all of them, as in C Fig. 1, or the equations of a plan, in
/// which moves without a choice are left out.
#[derive(Clone, Debug)]
pub struct Subformulas {
    /// First the subformulas, then, for each, the choice of its hyper-transitions.
    all: Vec<Subformula>,
    pub root: u32,
    pub alternation_free: bool,
}

impl Subformulas {
    pub fn of_formula(formula: &Formula) -> Self {
        let subformula = |(node, kind): (NodeId, Node)| Subformula {
            class: match kind {
                Node::Const(_) | Node::Lit(..) => NodeClass::Literal,
                Node::And(..) => NodeClass::And,
                Node::Or(..) => NodeClass::Or,
                Node::Modal(Modality::Box, ..) => NodeClass::Box,
                Node::Modal(Modality::Dia, ..) => NodeClass::Dia,
                Node::Fix(_) | Node::Var(_) => NodeClass::Deterministic,
            },
            priority: formula.node_priority(node),
            witness: witness(formula, node),
            node,
        };
        let all = formula.nodes().map(subformula).collect();
        Self::new(all, formula.root().0, formula.is_alternation_free())
    }

    pub fn of_plan(formula: &Formula, plan: &Plan) -> Self {
        let subformula = |equation: &crate::plan::Equation| Subformula {
            class: match equation.op {
                Op::Const(_) | Op::Lit(..) => NodeClass::Literal,
                Op::And(..) => NodeClass::And,
                Op::Or(..) => NodeClass::Or,
                Op::Modal(Modality::Box, ..) => NodeClass::Box,
                Op::Modal(Modality::Dia, ..) => NodeClass::Dia,
                Op::Pass(_) => NodeClass::Deterministic,
            },
            priority: equation.priority,
            witness: witness(formula, equation.node),
            node: equation.node,
        };
        let all = plan.equations.iter().map(subformula).collect();
        Self::new(all, plan.root, formula.is_alternation_free())
    }

    /// Of these, the `root`-th being the composition.
    pub fn new(mut all: Vec<Subformula>, root: u32, alternation_free: bool) -> Self {
        let choices: Vec<Subformula> = all.iter().map(Subformula::choice).collect();
        all.extend(choices);
        Self { all, root, alternation_free }
    }

    /// How many there are, without the choices of hyper-transitions.
    pub fn count(&self) -> u32 {
        self.all.len() as u32 / 2
    }

    /// The label of a node in which a hyper-transition of a modality has been taken and the other
    /// player chooses a member.
    pub fn choice_of(&self, modality: u32) -> u32 {
        modality + self.count()
    }

    /// The modality whose hyper-transitions a label is the choice of.
    pub fn chosen_by(&self, label: u32) -> Option<u32> {
        label.checked_sub(self.count())
    }

    #[inline]
    pub fn get(&self, index: u32) -> &Subformula {
        &self.all[index as usize]
    }
}

fn witness(formula: &Formula, node: NodeId) -> Option<Fix> {
    match formula.node(node) {
        Node::Var(var) => Some(formula.var(var).kind),
        _ => None,
    }
}
