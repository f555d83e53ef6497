//! The form of a certificate about a while-program. `docs/src/certificate.md` describes it.

use crate::fault::Fault;
use crate::format::{
    Checksum, END, MAGIC, SHOW, VERSION_OF_PROGRAMS, bytes, number, start as first_bytes,
};
use crate::programs::cut::Cut;
use crate::read::Reader;
use bdd::Link;
use rustc_hash::FxHashMap;
use std::io::Read;
use transition::VarId;
use transition::cfg::{Atom, Closure, Formula, Operator, Partition, PlaceId, Program};

/// What can be said of a property in the end; the last of them is nothing.
pub(crate) const VERDICTS: [Option<bool>; 3] = [Some(false), Some(true), None];

/// What a certificate speaks of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    pub name: String,
    /// As the user wrote it, white space folded ([`logic::Surface::source`]).
    pub formula: String,
}

/// What stands at the beginning of a certificate, for whoever looks up the formulas and reads the assumptions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Head {
    /// The formulas of the closure, in this order.
    pub properties: Vec<Property>,
    /// What is assumed of holes, as the user wrote it.
    pub assumptions: Vec<String>,
    /// Whether the closure was made for a program without holes.
    pub is_complete: bool,
    /// That of the closure.
    pub(crate) normal_form: Vec<u8>,
}

impl Head {
    pub fn read<R: Read>(reader: &mut Reader<R>) -> Result<Self, Fault> {
        const MOST: usize = 1 << 20;
        let is_complete = reader.one_of(&[false, true], "neither complete nor incomplete")?;
        let mut properties = Vec::new();
        for _ in 0..reader.below(MOST, "more properties than there can be")? {
            properties.push(Property { name: reader.text()?, formula: reader.text()? });
        }
        let normal_form = reader.bytes()?;
        let count = reader.below(MOST, "more assumptions than there can be")?;
        let assumptions = (0..count).map(|_| reader.text()).collect::<Result<_, _>>()?;
        Ok(Self { properties, assumptions, is_complete, normal_form })
    }

    fn write(&self, out: &mut Vec<u8>) {
        number(out, u64::from(self.is_complete));
        number(out, self.properties.len() as u64);
        for property in &self.properties {
            bytes(out, property.name.as_bytes());
            bytes(out, property.formula.as_bytes());
        }
        bytes(out, &self.normal_form);
        number(out, self.assumptions.len() as u64);
        self.assumptions.iter().for_each(|text| bytes(out, text.as_bytes()));
    }
}

/// Atoms, formulas, temporal formulas and roots, each in the order of their numbers.
pub fn normal_form(program: &Program, closure: &Closure) -> Vec<u8> {
    let mut out = Vec::new();
    number(&mut out, closure.atoms.len() as u64);
    for &atom in closure.atoms.values() {
        match atom {
            Atom::Holds(node) => {
                number(&mut out, 0);
                let digests = program.data.digests([node]);
                digests.iter().for_each(|digest| out.extend_from_slice(&digest.to_le_bytes()));
            }
            Atom::At(label) => {
                number(&mut out, 1);
                bytes(&mut out, program.labels.name(label).as_bytes());
            }
            Atom::Error => number(&mut out, 2),
            Atom::End => number(&mut out, 3),
        }
    }
    let mut list = |numbers: &[u32]| numbers.iter().for_each(|&n| number(&mut out, u64::from(n)));
    list(&[closure.formulas.len() as u32]);
    for formula in closure.formulas.values() {
        match *formula {
            Formula::True => list(&[0]),
            Formula::Atom(atom, view) => list(&[1, atom.0, view as u32]),
            Formula::Not(a) => list(&[2, a.0]),
            Formula::Or(a, b) => list(&[3, a.0, b.0]),
            Formula::Temporal(id) => list(&[4, id.0]),
        }
    }
    list(&[closure.temporals.len() as u32]);
    for temporal in closure.temporals.values() {
        list(&[u32::from(temporal.is_all), temporal.view as u32]);
        match temporal.operator {
            Operator::Next(a) => list(&[0, a.0]),
            Operator::Until(a, b) => list(&[1, a.0, b.0]),
        }
    }
    closure.roots.iter().for_each(|root| list(&[root.surely.0, root.maybe.0]));
    out
}

/// What a certificate is written about.
#[derive(Clone, Copy)]
pub struct About<'a> {
    pub program: &'a Program,
    /// Of the formulas of the properties, in their order.
    pub closure: &'a Closure,
    /// As it was said when the closure was made. Only a program without holes is.
    pub is_complete: bool,
    pub properties: &'a [Property],
    pub assumptions: &'a [String],
    pub partition: &'a Partition,
    /// All bits of all variables of the program, from above.
    pub order: &'a [(VarId, u32)],
}

/// A node of a diagram: if the bit is true the one function, else the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    pub var: VarId,
    /// 0 is the lowest.
    pub bit: u32,
    pub high: Link,
    pub low: Link,
}

/// A set of valuations: the nodes of its diagram, sons before fathers, and which function it is. Node 0 is what is
/// true everywhere; the others are numbered from 1 as they stand here. Patterns of bits that are no value of a
/// variable may be in it or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    pub nodes: Vec<Node>,
    pub root: Link,
}

/// Writes a certificate: for each level in turn claims and [`Writer::end_level`], then [`Writer::finish`].
pub struct Writer {
    out: Vec<u8>,
    sum: Checksum,
    /// How many of the bytes the checksum has seen, or does not see.
    summed: usize,
    /// The places of the bits in the order.
    places: FxHashMap<(VarId, u32), u64>,
    /// The nodes that were written, each once.
    numbers: FxHashMap<(u64, u64, u64), u64>,
}

impl Writer {
    pub fn start(about: &About) -> Self {
        let mut out = first_bytes(VERSION_OF_PROGRAMS, about.program.digest());
        let head = Head {
            properties: about.properties.to_vec(),
            assumptions: about.assumptions.to_vec(),
            is_complete: about.is_complete,
            normal_form: normal_form(about.program, about.closure),
        };
        head.write(&mut out);
        Cut::of(about.program, about.partition).write(&mut out);
        number(&mut out, about.order.len() as u64);
        for &(var, bit) in about.order {
            number(&mut out, u64::from(var.0));
            number(&mut out, u64::from(bit));
        }
        let places = about.order.iter().copied().zip(0..).collect();
        let summed = MAGIC.len() + 1;
        Self { out, sum: Checksum::default(), summed, places, numbers: FxHashMap::default() }
    }

    /// That the untils of the level, in the order of [`Closure::levels`], hold at the entry of a place at least with
    /// these valuations.
    pub fn claim(&mut self, place: PlaceId, sets: &[Listed]) {
        number(&mut self.out, SHOW);
        number(&mut self.out, u64::from(place.0));
        sets.iter().for_each(|set| self.set(set));
    }

    /// Nothing more of this level.
    pub fn end_level(&mut self) {
        number(&mut self.out, END);
    }

    /// What was written since this was asked last.
    fn take(&mut self) -> Vec<u8> {
        self.sum.add_all(&self.out[self.summed..]);
        self.summed = 0;
        std::mem::take(&mut self.out)
    }

    /// The verdict on each property, or that nothing is said of it. Gives what was not taken before.
    pub fn finish(mut self, verdicts: &[Option<bool>]) -> Vec<u8> {
        for verdict in verdicts {
            number(&mut self.out, crate::format::index_of(&VERDICTS, verdict));
        }
        let mut rest = self.take();
        rest.extend_from_slice(&self.sum.0.to_le_bytes());
        rest
    }

    /// Nodes that were written before are not written again.
    fn set(&mut self, set: &Listed) {
        // By node of the list: its number among all, in twos, as in the certificate but counted from the first.
        let mut known: Vec<u64> = vec![0];
        let of = |known: &[u64], link: Link| known[link.node as usize] ^ u64::from(link.is_negated);
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
