//! The format of certificates, which every engine writes: the header of all kinds, claims, numbers and texts.
//! `docs/src/certificate.md` describes it.
//!
//! Numbers are written seven bits to a byte, low ones first, the high bit set in all but the last.

use crate::error::{AuditError, ensure};
use logic::{ActionSet, Fix, Formula, ListedFormula, Logic, Modality, Node, NodeId, PropId, VarId};
use std::convert::Infallible;

/// The words that the first line of every certificate begins with. Its kind and the version of that kind follow.
pub const MAGIC: &str = "tertium certificate";

/// The subject of a certificate, and the kind of its proofs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CertificateKind {
    /// Of a system, by positions of the game that are listed.
    Explicit,
    /// Of a symbolic transition system, by fixpoints whose sets of states are BDDs.
    Symbolic,
    /// Of a while-program, node by node of its partition (paper M).
    Modular,
    /// Of a program over unbounded integers, by a predicate abstraction.
    Integers,
    /// Of a safety property, by assumptions in the places of processes (paper A).
    Assumption,
    /// Of a system of components with explicit states, by fixpoints whose sets of states are BDDs (C §6.2).
    Components,
    /// Of a program with recursive calls, by contexts of its procedures.
    Recursion,
}

/// By kind: its name in the header, and the version of it that is written and read.
pub(crate) const KINDS: [(CertificateKind, &str, u32); 7] = [
    (CertificateKind::Explicit, "explicit", 1),
    (CertificateKind::Symbolic, "symbolic", 1),
    (CertificateKind::Modular, "modular", 1),
    (CertificateKind::Integers, "integers", 2),
    (CertificateKind::Assumption, "assumption", 2),
    (CertificateKind::Components, "components", 1),
    (CertificateKind::Recursion, "recursion", 1),
];

impl CertificateKind {
    /// Begins a certificate of this kind about the system, program or process with this digest.
    pub fn header(self, digest: u64) -> Vec<u8> {
        let (_, name, version) = KINDS[self as usize];
        let mut header = format!("{MAGIC} {name} {version}\n").into_bytes();
        header.extend_from_slice(&digest.to_le_bytes());
        header
    }

    /// Whether its certificates end with a checksum.
    pub(crate) fn has_checksum(self) -> bool {
        !matches!(self, CertificateKind::Explicit | CertificateKind::Symbolic)
    }
}

pub const END: u64 = 0;
pub const CLAIM: u64 = 1;

pub const PROVE: u64 = 1;
pub const OPEN: u64 = 2;
pub const OBLIGATION: u64 = 3;
pub const CLOSE: u64 = 4;
/// Of symbolic certificates only.
pub const KEEP: u64 = 5;

/// The proof of a claim is about the composition.
pub const COMPOSITION: u64 = 0;
/// The proof of a claim is about components, or abstractions of them, and products of these.
pub const PARTS: u64 = 1;

pub const COMPONENT: u64 = 1;
pub const PRODUCT: u64 = 2;

pub(crate) const LOGICS: [Logic; 5] =
    [Logic::Mu, Logic::Ctl, Logic::Mcf, Logic::Ltl, Logic::CtlStar];
pub(crate) const DEADLOCKS: [AfterDeadlock; 2] = [AfterDeadlock::Ends, AfterDeadlock::Stutters];

/// The successors of a state without a transition: none, or the state itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AfterDeadlock {
    Ends,
    Stutters,
}

/// The claim of a certificate. Its proof follows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The name of the property.
    pub property: String,
    pub logic: Logic,
    /// As the user wrote it.
    pub formula: String,
    /// Its normal form, so that the numbers of subformulas mean something to others.
    pub normal_form: Vec<u8>,
    pub deadlock: AfterDeadlock,
    pub verdict: bool,
}

impl Claim {
    pub fn new(property: &str, formula: &Formula, deadlock: AfterDeadlock, verdict: bool) -> Self {
        let (property, source) = (property.to_owned(), formula.source().to_owned());
        let (logic, normal_form) = (formula.logic, normal_form(formula));
        Self { property, logic, formula: source, normal_form, deadlock, verdict }
    }

    /// Writes the claim without its proof.
    pub fn write(&self, out: &mut Vec<u8>) {
        bytes(out, self.property.as_bytes());
        number(out, index_of(&LOGICS, &self.logic));
        bytes(out, self.formula.as_bytes());
        bytes(out, &self.normal_form);
        number(out, index_of(&DEADLOCKS, &self.deadlock));
        number(out, u64::from(self.verdict));
    }

    /// Condition 1, of the formula.
    pub(crate) fn is_about(&self, formula: &Formula) -> Result<(), AuditError> {
        let own = Claim::new(&self.property, formula, self.deadlock, self.verdict);
        let [theirs, ours] = [self, &own].map(|c| format!("`{} {}`", c.logic.name(), c.formula));
        let problem =
            format_args!("the certificate is about the formula {theirs}, and this is {ours}");
        ensure(own == *self, problem)
    }
}

/// All subformulas in the order of their numbers, then the number of the composition.
pub(crate) fn normal_form(formula: &Formula) -> Vec<u8> {
    let mut out = Vec::new();
    number(&mut out, formula.len() as u64);
    for (_, node) in formula.nodes() {
        let (tag, operands) = match node {
            Node::Const(value) => (u32::from(value), vec![]),
            Node::Lit(prop, positive) => (2 + u32::from(!positive), vec![prop.0]),
            Node::And(a, b) => (4, vec![a.0, b.0]),
            Node::Or(a, b) => (5, vec![a.0, b.0]),
            Node::Modal(modality, _, body) => {
                (6 + u32::from(modality == Modality::Dia), vec![body.0])
            }
            Node::Var(var) => (8, vec![var.0]),
            Node::Fix(var) => {
                let var_is_nu = formula.var(var).kind == Fix::Nu;
                (9 + u32::from(var_is_nu), vec![var.0, formula.var(var).body.0])
            }
        };
        number(&mut out, u64::from(tag));
        operands.into_iter().for_each(|operand| number(&mut out, u64::from(operand)));
        if let Node::Modal(_, actions, _) = node {
            let actions = formula.actions(actions);
            number(&mut out, u64::from(actions.is_complement()));
            number(&mut out, actions.names().len() as u64);
            actions.names().iter().for_each(|name| bytes(&mut out, name.as_bytes()));
        }
    }
    number(&mut out, u64::from(formula.root().0));
    out
}

/// A normal form as a list, not checked further; `None` if it is none.
pub(crate) fn listed(mut normal_form: &[u8]) -> Option<ListedFormula> {
    let rest = &mut normal_form;
    let mut list = ListedFormula::default();
    let count = taken(rest)?;
    (count as usize <= rest.len()).then_some(())?;
    for _ in 0..count {
        let tag = taken(rest)?;
        let node = match tag {
            0 | 1 => Node::Const(tag == 1),
            2 | 3 => Node::Lit(PropId(taken(rest)?), tag == 2),
            4 => Node::And(NodeId(taken(rest)?), NodeId(taken(rest)?)),
            5 => Node::Or(NodeId(taken(rest)?), NodeId(taken(rest)?)),
            6 | 7 => {
                let body = NodeId(taken(rest)?);
                let is_complement = [false, true].get(taken(rest)? as usize).copied()?;
                let mut set = ActionSet::none();
                for _ in 0..taken(rest)? {
                    let length = taken(rest)? as usize;
                    let (name, left) = rest.split_at_checked(length)?;
                    set = set.or(ActionSet::one(std::str::from_utf8(name).ok()?));
                    *rest = left;
                }
                let set = if is_complement { set.complement() } else { set };
                let known = list.actions.iter().find(|(_, known)| **known == set).map(|(id, _)| id);
                let set = known.unwrap_or_else(|| list.actions.push(set));
                Node::Modal(if tag == 7 { Modality::Dia } else { Modality::Box }, set, body)
            }
            8 => Node::Var(VarId(taken(rest)?)),
            9 | 10 => {
                let (var, body) = (VarId(taken(rest)?), NodeId(taken(rest)?));
                (var.0 < count).then_some(())?;
                while list.fixpoints.len() <= var.0 as usize {
                    list.fixpoints.push(None);
                }
                let kind = if tag == 10 { Fix::Nu } else { Fix::Mu };
                list.fixpoints[var].replace((kind, body)).is_none().then_some(())?;
                Node::Fix(var)
            }
            _ => return None,
        };
        list.nodes.push(node);
    }
    let root = taken(rest)?;
    (rest.is_empty() && root.checked_add(1)? == count).then_some(list)
}

/// Takes a number that is small.
fn taken(bytes: &mut &[u8]) -> Option<u32> {
    let mut value = 0u64;
    for shift in (0..35).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return u32::try_from(value).ok();
        }
    }
    None
}

/// Of bytes, against accidents (FNV-1a).
#[derive(Clone, Copy, Debug)]
pub struct Checksum(pub u64);

impl Default for Checksum {
    fn default() -> Self {
        Checksum(0xcbf2_9ce4_8422_2325)
    }
}

impl Checksum {
    #[inline]
    pub fn add(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }

    /// Ends a certificate of a kind that has one: that of all bytes after the first line.
    pub fn seal(certificate: &mut Vec<u8>) {
        let mut sum = Checksum::default();
        let line = certificate.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        certificate[line..].iter().for_each(|&byte| sum.add(byte));
        certificate.extend_from_slice(&sum.0.to_le_bytes());
    }
}

/// The number of one of a list.
pub(crate) fn index_of<T: PartialEq>(all: &[T], one: &T) -> u64 {
    all.iter().position(|other| other == one).unwrap_or(all.len()) as u64
}

/// Writes a number.
pub fn number(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Writes how many bytes there are, and the bytes.
pub fn bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    number(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// Writes values, or reads them in their places and checks them, so that a part of the format is described once.
pub(crate) trait Codec {
    type Error;

    fn size(&mut self, value: &mut u64) -> Result<(), Self::Error>;
    fn octets(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error>;
    /// A condition on what was read.
    fn check(&self, holds: bool, problem: &str) -> Result<(), Self::Error>;
    fn string(&mut self, text: &mut String) -> Result<(), Self::Error>;

    /// A number below a limit.
    fn id(&mut self, id: &mut u32, limit: usize, problem: &str) -> Result<(), Self::Error> {
        let mut value = u64::from(*id);
        self.size(&mut value)?;
        self.check(value < limit as u64, problem)?;
        *id = value as u32;
        Ok(())
    }

    fn flag(&mut self, flag: &mut bool, problem: &str) -> Result<(), Self::Error> {
        let mut id = u32::from(*flag);
        self.id(&mut id, 2, problem)?;
        *flag = id == 1;
        Ok(())
    }

    /// The length, which is below a limit, and each value. Whatever the length says, there is room for what was read
    /// only.
    fn list<T>(
        &mut self,
        list: &mut Vec<T>,
        (limit, problem): (usize, &str),
        blank: impl Fn() -> T,
        mut each: impl FnMut(&mut Self, &mut T) -> Result<(), Self::Error>,
    ) -> Result<(), Self::Error> {
        let mut length = list.len() as u32;
        self.id(&mut length, limit, problem)?;
        for at in 0..length as usize {
            if at == list.len() {
                list.push(blank());
            }
            each(self, &mut list[at])?;
        }
        Ok(())
    }
}

impl Codec for Vec<u8> {
    type Error = Infallible;

    fn size(&mut self, value: &mut u64) -> Result<(), Infallible> {
        number(self, *value);
        Ok(())
    }

    fn octets(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.extend_from_slice(bytes);
        Ok(())
    }

    fn check(&self, _: bool, _: &str) -> Result<(), Infallible> {
        Ok(())
    }

    fn string(&mut self, text: &mut String) -> Result<(), Infallible> {
        bytes(self, text.as_bytes());
        Ok(())
    }
}
