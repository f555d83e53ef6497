//! The proof of a verdict on a transition system, written as a certificate. The crate `audit` owns the format and
//! re-checks it.

use crate::checker::SymbolicChecker;
use crate::proof::{Proof, prove};
use crate::record::Step;
use crate::structure::Structure;
use audit::Claim;
use audit::format::{CLAIM, CLOSE, END, KEEP, OBLIGATION, OPEN, PROVE, number};
use bdd::{Bdd, BddVar, SerializedEdge, SerializedNode, Serializer, Stop};
use encode::Layout;
use logic::{Formula, VarId};
use rustc_hash::FxHashMap;

impl SymbolicChecker {
    /// A claim with all that shows it. `None` if the formula has another value than is claimed.
    ///
    /// The claim may be made about the same formula with other numbers of propositions.
    pub fn certificate(
        &mut self,
        formula: &Formula,
        claim: &Claim,
    ) -> Result<Option<Vec<u8>>, Stop> {
        let Self { structure, layout, reached, .. } = self;
        let keep = self.choice_can_fail.then_some(&*reached);
        let proof = prove(structure, formula, claim.verdict, reached)?;
        Ok(proof.map(|proof| {
            let bits = bits_of_machine(structure, layout);
            written(structure, &bits, (formula, claim), &proof, keep)
        }))
    }
}

/// A bit of a state as a certificate names it: by the number of its variable or component, and its own there, 0 for the
/// lowest.
pub(crate) struct NamedBit {
    pub of: u32,
    pub bit: u32,
    pub now: BddVar,
}

/// The bits of a machine, from above.
pub(crate) fn bits_of_machine(structure: &Structure, layout: &Layout) -> Vec<NamedBit> {
    let order = layout.order(&structure.manager).into_iter();
    let named = |(var, bit): (transition::VarId, u32)| NamedBit {
        of: var.0,
        bit,
        now: layout.bits(var)[bit as usize].now,
    };
    order.map(named).collect()
}

/// A claim with the steps that prove it; `keep` are states that are never left, if the proof needs them.
pub(crate) fn written(
    structure: &Structure,
    bits: &[NamedBit],
    (formula, claim): (&Formula, &Claim),
    proof: &Proof,
    keep: Option<&Bdd>,
) -> Vec<u8> {
    let mut writer = Writer::new(structure, bits);
    number(&mut writer.bytes, CLAIM);
    claim.write(&mut writer.bytes);
    writer.order(bits);
    if let Some(keep) = keep {
        number(&mut writer.bytes, KEEP);
        writer.set(keep);
    }
    proof.steps.iter().for_each(|step| writer.step(formula, step));
    number(&mut writer.bytes, END);
    writer.bytes
}

struct Writer<'a> {
    bytes: Vec<u8>,
    listing: Serializer<'a>,
    /// How many nodes have been listed.
    listed: u32,
    /// The places of the truth variables in the order that is written.
    places: FxHashMap<BddVar, u64>,
}

impl<'a> Writer<'a> {
    fn new(structure: &'a Structure, bits: &[NamedBit]) -> Self {
        let places = bits.iter().map(|bit| bit.now).zip(0..).collect();
        let listing = Serializer::new(&structure.manager);
        Self { bytes: Vec::new(), listing, listed: 0, places }
    }

    fn order(&mut self, bits: &[NamedBit]) {
        number(&mut self.bytes, bits.len() as u64);
        for NamedBit { of, bit, .. } in bits {
            number(&mut self.bytes, u64::from(*of));
            number(&mut self.bytes, u64::from(*bit));
        }
    }

    fn step(&mut self, formula: &Formula, step: &Step) {
        match step {
            Step::Prove(var, set) => self.states(PROVE, formula, *var, set),
            Step::Assume(var, set) => self.states(OBLIGATION, formula, *var, set),
            Step::Open(var) => {
                number(&mut self.bytes, OPEN);
                number(&mut self.bytes, u64::from(formula.priority(*var)));
            }
            Step::Close => number(&mut self.bytes, CLOSE),
        }
    }

    fn states(&mut self, step: u64, formula: &Formula, var: VarId, set: &Bdd) {
        // A fixpoint whose variable does not occur is its body and needs no steps.
        let Some(node) = formula.var(var).node else { return };
        number(&mut self.bytes, step);
        number(&mut self.bytes, u64::from(node.0));
        self.set(set);
    }

    /// The nodes that have not been listed before, and which one the set is.
    fn set(&mut self, set: &Bdd) {
        let (nodes, root) = self.listing.add(set);
        number(&mut self.bytes, nodes.len() as u64);
        for SerializedNode { var, high, low } in nodes {
            number(&mut self.bytes, self.places[&var]);
            self.link(high);
            self.link(low);
            self.listed += 1;
        }
        self.link(root);
    }

    /// Nodes are numbered by how far back they are.
    fn link(&mut self, link: SerializedEdge) {
        let back = if link.node == 0 { 0 } else { self.listed + 1 - link.node };
        number(&mut self.bytes, u64::from(back) << 1 | u64::from(link.is_negated));
    }
}
