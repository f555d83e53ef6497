//! A formula as a system of equations, for the game.
//!
//! The rules of C Fig. 1 lead from `ηZ.ψ` to `Z` to `ψ` without a choice. Here these are one
//! position, with the priority of Z, wherever that is the same game: always, unless ψ is itself a
//! fixpoint, whose own loops must not meet the priority of Z.

use logic::{ActionSetId, BlockId, Fix, Formula, Modality, Node, NodeId, PropId};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    Const(bool),
    Lit(PropId, bool),
    And(u32, u32),
    Or(u32, u32),
    Modal(Modality, ActionSetId, u32),
    /// A fixpoint directly around another one.
    Pass(u32),
}

#[derive(Clone, Copy, Debug)]
pub struct Equation {
    pub op: Op,
    pub priority: u32,
    /// The subformula that this stands for.
    pub node: NodeId,
}

/// Equations that depend on each other; `low..high` in [`Plan::equations`].
#[derive(Clone, Copy, Debug)]
pub struct Stage {
    pub low: u32,
    pub high: u32,
    /// Whether a play can stay here forever.
    pub recursive: bool,
    /// The kind of all fixpoints here, `None` if both kinds occur.
    pub witness: Option<Fix>,
    /// The least priority of a variable here.
    pub lowest: u32,
}

impl Stage {
    pub fn contains(&self, equation: u32) -> bool {
        (self.low..self.high).contains(&equation)
    }
}

/// The equations of a formula, inner stages first.
#[derive(Clone, Debug)]
pub struct Plan {
    pub equations: Vec<Equation>,
    pub stages: Vec<Stage>,
    pub root: u32,
    /// By equation: the equations in whose right side it stands.
    pub users: Vec<Vec<u32>>,
    of: Vec<u32>,
}

impl Plan {
    pub fn new(formula: &Formula) -> Self {
        let leaders = leaders(formula);
        let mut plan = Plan {
            equations: Vec::new(),
            stages: Vec::new(),
            root: 0,
            users: Vec::new(),
            of: vec![u32::MAX; formula.len()],
        };
        for (id, block) in formula.blocks().iter() {
            let members: Vec<NodeId> =
                block.nodes.iter().copied().filter(|&n| leaders[n.0 as usize] == n).collect();
            plan.add_stage(formula, id, &members);
        }
        for (node, leader) in leaders.iter().enumerate() {
            plan.of[node] = plan.of[leader.0 as usize];
        }
        plan.link(formula);
        plan
    }

    /// The equation of a subformula.
    pub fn equation_of(&self, node: NodeId) -> u32 {
        self.of[node.0 as usize]
    }

    pub fn stage_of(&self, equation: u32) -> &Stage {
        &self.stages[self.stages.partition_point(|stage| stage.high <= equation)]
    }

    pub fn len(&self) -> usize {
        self.equations.len()
    }

    pub fn is_empty(&self) -> bool {
        self.equations.is_empty()
    }

    fn add_stage(&mut self, formula: &Formula, block: BlockId, members: &[NodeId]) {
        if members.is_empty() {
            return;
        }
        let low = self.equations.len() as u32;
        for &node in members {
            self.of[node.0 as usize] = self.equations.len() as u32;
            let priority = formula.node_priority(node);
            // The right side is filled in by `link`, when all equations have their numbers.
            self.equations.push(Equation { op: Op::Const(false), priority, node });
        }
        let high = self.equations.len() as u32;
        let block = &formula.blocks()[block];
        let recursive = block.nodes.iter().any(|&n| matches!(formula.node(n), Node::Var(_)));
        let lowest = block.priorities.map_or(0, |(lowest, _)| lowest);
        self.stages.push(Stage { low, high, recursive, witness: block.witness, lowest });
    }

    fn link(&mut self, formula: &Formula) {
        for index in 0..self.equations.len() {
            self.equations[index].op = self.right_side(formula, self.equations[index].node);
        }
        self.users = vec![Vec::new(); self.equations.len()];
        for (user, equation) in self.equations.iter().enumerate() {
            let successors = match equation.op {
                Op::Const(_) | Op::Lit(..) => [None, None],
                Op::And(a, b) | Op::Or(a, b) => [Some(a), Some(b)],
                Op::Modal(_, _, body) | Op::Pass(body) => [Some(body), None],
            };
            for successor in successors.into_iter().flatten() {
                self.users[successor as usize].push(user as u32);
            }
        }
        self.root = self.equation_of(formula.root());
    }

    fn right_side(&self, formula: &Formula, node: NodeId) -> Op {
        let of = |node| self.equation_of(node);
        match formula.node(node) {
            Node::Const(value) => Op::Const(value),
            Node::Lit(prop, positive) => Op::Lit(prop, positive),
            Node::And(a, b) => Op::And(of(a), of(b)),
            Node::Or(a, b) => Op::Or(of(a), of(b)),
            Node::Modal(modality, actions, body) => Op::Modal(modality, actions, of(body)),
            Node::Fix(var) | Node::Var(var) => {
                let body = formula.var(var).body;
                match formula.node(body) {
                    Node::Fix(_) | Node::Var(_) => Op::Pass(of(body)),
                    _ => self.right_side(formula, body),
                }
            }
        }
    }
}

/// By node: the node that speaks for it. `ηZ.ψ` and, unless it is a fixpoint, ψ are spoken for by Z.
fn leaders(formula: &Formula) -> Vec<NodeId> {
    let mut leader: Vec<NodeId> = formula.nodes().map(|(id, _)| id).collect();
    for (id, node) in formula.nodes() {
        let Node::Fix(var) = node else { continue };
        let Some(representative) = formula.var(var).node else { continue };
        leader[id.0 as usize] = representative;
        let body = formula.var(var).body;
        if !matches!(formula.node(body), Node::Fix(_) | Node::Var(_)) {
            leader[body.0 as usize] = representative;
        }
    }
    leader
}
