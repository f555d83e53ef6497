//! One number that tells a machine from others.
//!
//! It detects accidents, not attacks, as that of a system (`model::System::digest`): the claims of a certificate are
//! checked against the transition system at hand anyhow.

use crate::access::Role;
use crate::choice::{Choice, ChoiceId};
use crate::expr::{ExprNode, NodeId};
use crate::parts::Machine;
use rustc_hash::FxHashMap;
use std::hash::{Hash, Hasher};

/// FNV-1a, a byte at a time.
struct Fnv(u64);

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// One number for a value.
pub fn digest(value: impl Hash) -> u64 {
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    value.hash(&mut hash);
    hash.finish()
}

impl Machine {
    /// Taken over the variables and what is said of them, wherever it stands in the arenas. What does not
    /// change an answer, as what the file looks like and what is asked, does not matter.
    pub fn digest(&self) -> u64 {
        let mut known = Digests { machine: self, nodes: FxHashMap::default() };
        let symbols: Vec<&str> = self.symbols.names().collect();
        let vars: Vec<u64> =
            self.vars.values().map(|var| digest((&var.name, &var.domain, var.kind))).collect();
        let mut said: Vec<u64> = Vec::new();
        for conjunct in self.conjuncts() {
            let role = match conjunct.role {
                Role::Constraint(node) => digest((0, known.node(node))),
                Role::Assignment(var, choice) => digest((1, var, known.choice(choice))),
                Role::Frame(var) => digest((2, var)),
            };
            said.push(digest((conjunct.section, role)));
        }
        said.extend(self.fairness.iter().map(|fairness| known.node(fairness.node)));
        digest((symbols, vars, said, self.selector))
    }

    /// Of expressions, wherever they stand in the arena.
    pub fn digests(&self, roots: impl IntoIterator<Item = NodeId>) -> Vec<u64> {
        let mut known = Digests { machine: self, nodes: FxHashMap::default() };
        roots.into_iter().map(|root| known.node(root)).collect()
    }
}

/// The digests of expressions, by what they are made of.
struct Digests<'a> {
    machine: &'a Machine,
    nodes: FxHashMap<NodeId, u64>,
}

impl Digests<'_> {
    fn node(&mut self, root: NodeId) -> u64 {
        for id in self.machine.exprs.below([root]) {
            if !self.nodes.contains_key(&id) {
                let made = self.of(id);
                self.nodes.insert(id, made);
            }
        }
        self.nodes[&root]
    }

    /// That of an expression whose operands have theirs.
    fn of(&self, id: NodeId) -> u64 {
        let exprs = &self.machine.exprs;
        let ty = exprs.ty(id);
        let node = exprs.node(id);
        let operands: Vec<u64> = node.operands().map(|operand| self.nodes[&operand]).collect();
        let own = match node {
            ExprNode::Const(value) => digest((0, value)),
            ExprNode::Now(var) => digest((1, var)),
            ExprNode::Next(var) => digest((2, var)),
            ExprNode::Fault(site) => digest((3, self.machine.sites[site].reason)),
            ExprNode::Unary(op, _) => digest((4, op)),
            ExprNode::Cast(_) => digest(5),
            ExprNode::Extract(_, low) => digest((6, low)),
            ExprNode::Binary(op, ..) => digest((7, op)),
            ExprNode::Ite(..) => digest(8),
        };
        digest((own, ty, operands))
    }

    fn choice(&mut self, root: ChoiceId) -> u64 {
        let choices = &self.machine.choices;
        let mut known: FxHashMap<ChoiceId, u64> = FxHashMap::default();
        for id in choices.below(root) {
            let made = match choices.get(id) {
                Choice::One(node) => digest((0, self.node(*node))),
                Choice::Range(low, high) => digest((1, low, high)),
                Choice::Any(parts) => {
                    digest((2, parts.iter().map(|part| known[part]).collect::<Vec<u64>>()))
                }
                Choice::If(condition, then, otherwise) => {
                    digest((3, self.node(*condition), known[then], known[otherwise]))
                }
            };
            known.insert(id, made);
        }
        known[&root]
    }
}
