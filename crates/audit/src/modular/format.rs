//! The form of a certificate about a while-program. `docs/src/certificate.md` describes it.

use super::cut::Cut;
use crate::error::AuditError;
use crate::format::{CertificateKind, Checksum, Codec, END, PROVE, bytes, index_of, number};
use crate::read::Reader;
use rustc_hash::FxHashMap;
use std::io::Read;
use transition::VarId;
use transition::cfg::{Closure, CtlAtom, CtlNode, Operator, Partition, Program, UnfoldedId};

/// The verdicts on a property; the last of them is none.
pub(crate) const VERDICTS: [Option<bool>; 3] = [Some(false), Some(true), None];

/// A property that a certificate is about.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NamedFormula {
    pub name: String,
    /// As the user wrote it, white space folded ([`logic::Surface::source`]).
    pub formula: String,
}

/// The header of a certificate, for the reader of its formulas and assumptions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ModularHead {
    /// Whether the closure was made for a program without holes.
    pub is_complete: bool,
    /// The formulas of the closure, in this order.
    pub properties: Vec<NamedFormula>,
    /// That of the closure.
    pub(crate) normal_form: Vec<u8>,
    /// The assumptions about holes, as the user wrote them.
    pub assumptions: Vec<String>,
}

impl ModularHead {
    pub fn read<R: Read>(reader: &mut Reader<R>) -> Result<Self, AuditError> {
        let mut head = Self::default();
        head.code(reader)?;
        Ok(head)
    }

    fn code<C: Codec>(&mut self, codec: &mut C) -> Result<(), C::Error> {
        const MOST: usize = 1 << 20;
        codec.flag(&mut self.is_complete, "neither complete nor incomplete")?;
        let limit = (MOST, "more properties than there can be");
        codec.list(&mut self.properties, limit, NamedFormula::default, |codec, property| {
            codec.string(&mut property.name)?;
            codec.string(&mut property.formula)
        })?;
        let limit = (1 << 30, "a text that is too long");
        codec.list(&mut self.normal_form, limit, u8::default, |codec, byte| {
            codec.octets(std::slice::from_mut(byte))
        })?;
        let limit = (MOST, "more assumptions than there can be");
        codec.list(&mut self.assumptions, limit, String::new, C::string)
    }
}

/// Atoms, formulas, temporal formulas and roots, each in the order of their numbers.
pub fn normal_form(program: &Program, closure: &Closure) -> Vec<u8> {
    let mut out = Vec::new();
    number(&mut out, closure.atoms.len() as u64);
    for &atom in closure.atoms.values() {
        match atom {
            CtlAtom::Holds(node) => {
                number(&mut out, 0);
                let digests = program.data.digests([node]);
                digests.iter().for_each(|digest| out.extend_from_slice(&digest.to_le_bytes()));
            }
            CtlAtom::At(label) => {
                number(&mut out, 1);
                bytes(&mut out, program.labels.name(label).as_bytes());
            }
            CtlAtom::Error => number(&mut out, 2),
            CtlAtom::End => number(&mut out, 3),
        }
    }
    let mut list = |numbers: &[u32]| numbers.iter().for_each(|&n| number(&mut out, u64::from(n)));
    list(&[closure.formulas.len() as u32]);
    for formula in closure.formulas.values() {
        match *formula {
            CtlNode::True => list(&[0]),
            CtlNode::Atom(atom, bound) => list(&[1, atom.0, bound as u32]),
            CtlNode::Not(a) => list(&[2, a.0]),
            CtlNode::Or(a, b) => list(&[3, a.0, b.0]),
            CtlNode::Temporal(id) => list(&[4, id.0]),
        }
    }
    list(&[closure.temporals.len() as u32]);
    for temporal in closure.temporals.values() {
        list(&[u32::from(temporal.is_all), temporal.bound as u32]);
        match temporal.operator {
            Operator::Next(a) => list(&[0, a.0]),
            Operator::Until(a, b) => list(&[1, a.0, b.0]),
        }
    }
    closure.roots.iter().for_each(|root| list(&[root.certain.0, root.maybe.0]));
    out
}

/// The subject of a certificate that is to be written.
#[derive(Clone, Copy)]
pub struct About<'a> {
    pub program: &'a Program,
    /// Of the formulas of the properties, in their order.
    pub closure: &'a Closure,
    /// As it was said when the closure was made. Only a program without holes is.
    pub is_complete: bool,
    pub properties: &'a [NamedFormula],
    pub assumptions: &'a [String],
    pub partition: &'a Partition,
}

impl About<'_> {
    /// Begins a certificate.
    pub(crate) fn head(&self, kind: CertificateKind) -> Vec<u8> {
        let mut out = kind.header(self.program.digest());
        let mut head = ModularHead {
            is_complete: self.is_complete,
            properties: self.properties.to_vec(),
            normal_form: normal_form(self.program, self.closure),
            assumptions: self.assumptions.to_vec(),
        };
        let Ok(()) = head.code(&mut out);
        out
    }
}

/// A set of valuations: the nodes of its BDD, successors first, and a link to its root. A link is twice the number of a
/// node, plus one if it is negated; node 0 is what is true everywhere, the others are numbered from 1 as they stand
/// here. Patterns of bits that are no value of a variable may be in it or not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ListedSet {
    pub nodes: Vec<ListedNode>,
    pub root: u32,
}

/// A node of a BDD: if this bit of the number of the variable's value is set (0 is the lowest) the one function, else
/// the other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ListedNode {
    pub var: VarId,
    pub bit: u32,
    pub high: u32,
    pub low: u32,
}

/// Writes a certificate: for each level in turn claims and [`ModularWriter::end_level`], then
/// [`ModularWriter::finish`].
pub struct ModularWriter {
    out: Vec<u8>,
    /// The places of the bits in the order.
    places: FxHashMap<(VarId, u32), u64>,
    /// The nodes that were written, each once.
    numbers: FxHashMap<(u64, u64, u64), u64>,
}

impl ModularWriter {
    /// The order is one of all bits of all variables of the program, from above.
    pub fn start(about: &About, order: &[(VarId, u32)]) -> Self {
        let mut out = about.head(CertificateKind::Modular);
        Cut::of(about.program, about.partition).write(&mut out);
        number(&mut out, order.len() as u64);
        for &(var, bit) in order {
            number(&mut out, u64::from(var.0));
            number(&mut out, u64::from(bit));
        }
        let places = order.iter().copied().zip(0..).collect();
        Self { out, places, numbers: FxHashMap::default() }
    }

    /// That the untils of the level, in the order of [`Closure::levels`], hold at the entry of a place at least with
    /// these valuations.
    pub fn claim<'s>(&mut self, place: UnfoldedId, sets: impl IntoIterator<Item = &'s ListedSet>) {
        number(&mut self.out, PROVE);
        number(&mut self.out, u64::from(place.0));
        sets.into_iter().for_each(|set| self.set(set));
    }

    /// Nothing more of this level.
    pub fn end_level(&mut self) {
        number(&mut self.out, END);
    }

    /// The verdict on each property, if there is one.
    pub fn finish(mut self, verdicts: &[Option<bool>]) -> Vec<u8> {
        verdicts.iter().for_each(|verdict| number(&mut self.out, index_of(&VERDICTS, verdict)));
        Checksum::seal(&mut self.out);
        self.out
    }

    /// Nodes that were written before are not written again.
    fn set(&mut self, set: &ListedSet) {
        // By node of the list: its number among all, in twos, as in the certificate but counted from the first.
        let mut known: Vec<u64> = vec![0];
        let of = |known: &[u64], link: u32| known[link as usize / 2] ^ u64::from(link % 2);
        let mut new: Vec<(u64, u64, u64)> = Vec::new();
        let before = self.numbers.len() as u64;
        for node in &set.nodes {
            let place = self.places[&(node.var, node.bit)];
            let key = (place, of(&known, node.high), of(&known, node.low));
            let number = *self.numbers.entry(key).or_insert_with(|| {
                new.push(key);
                before + new.len() as u64
            });
            known.push(2 * number);
        }
        number(&mut self.out, new.len() as u64);
        for (listed, (place, high, low)) in (before..).zip(&new) {
            number(&mut self.out, *place);
            [high, low].into_iter().for_each(|&link| number(&mut self.out, back(link, listed)));
        }
        let root = back(of(&known, set.root), before + new.len() as u64);
        number(&mut self.out, root);
    }
}

/// A function as it is written when so many nodes are listed.
fn back(link: u64, listed: u64) -> u64 {
    match link / 2 {
        0 => link,
        number => 2 * (listed + 1 - number) + link % 2,
    }
}
