//! The form of a certificate: the numbers that stand in it. `docs/src/certificate.md` describes it, and
//! whoever finds verdicts writes it.
//!
//! Numbers are written seven bits to a byte, low ones first, the high bit set in all but the last.

use crate::fault::Fault;
use logic::{Fix, Formula, Logic, Modality, Node};

/// The first bytes of every certificate.
pub const MAGIC: &[u8] = b"tertium certificate\n";
/// Of certificates whose sets of states are lists of states.
pub const VERSION: u64 = 2;
/// Of certificates about a machine, whose sets of states are decision diagrams.
pub const VERSION_OF_DIAGRAMS: u64 = 3;
/// Of certificates about a process that an assumption stands for.
pub const VERSION_OF_ASSUMPTIONS: u64 = 4;
/// Of certificates about a while-program, shown node by node.
pub const VERSION_OF_PROGRAMS: u64 = 5;
/// Of certificates about a program over integers, whose sets of states are formulas.
pub const VERSION_OF_INTEGERS: u64 = 6;

pub const END: u64 = 0;
pub const CLAIM: u64 = 1;

pub const SHOW: u64 = 1;
pub const OPEN: u64 = 2;
pub const SUPPOSE: u64 = 3;
pub const CLOSE: u64 = 4;
/// With diagrams only.
pub const KEEP: u64 = 5;

pub const COMPONENT: u64 = 1;
pub const PRODUCT: u64 = 2;

pub const METHODS: [Method; 2] = [Method::Direct, Method::Parts];
pub const LOGICS: [Logic; 3] = [Logic::Mu, Logic::Ctl, Logic::Mcf];
pub const DEADLOCKS: [Deadlock; 2] = [Deadlock::Ends, Deadlock::Stutters];

/// What a state without a transition means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deadlock {
    Ends,
    Stutters,
}

/// What a claim is shown of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// The composition.
    Direct,
    /// Components, or abstractions of them, and products of these.
    Parts,
}

/// What a certificate says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The name of the property.
    pub property: String,
    pub logic: Logic,
    /// As the user wrote it.
    pub formula: String,
    /// Its normal form, so that the numbers of subformulas mean something to others.
    pub normal_form: Vec<u8>,
    pub deadlock: Deadlock,
    pub verdict: bool,
}

impl Claim {
    pub fn new(property: &str, formula: &Formula, deadlock: Deadlock, verdict: bool) -> Self {
        let (property, source) = (property.to_owned(), formula.source().to_owned());
        let (logic, normal_form) = (formula.logic, normal_form(formula));
        Self { property, logic, formula: source, normal_form, deadlock, verdict }
    }

    /// Writes what it says; what shows it follows.
    pub fn write(&self, out: &mut Vec<u8>) {
        bytes(out, self.property.as_bytes());
        number(out, index_of(&LOGICS, &self.logic));
        bytes(out, self.formula.as_bytes());
        bytes(out, &self.normal_form);
        number(out, index_of(&DEADLOCKS, &self.deadlock));
        number(out, u64::from(self.verdict));
    }

    /// Condition 1, of the formula.
    pub(crate) fn is_about(&self, formula: &Formula) -> Result<(), Fault> {
        let own = Claim::new(&self.property, formula, self.deadlock, self.verdict);
        if own == *self {
            return Ok(());
        }
        let [theirs, ours] = [self, &own].map(|c| format!("`{} {}`", c.logic.name(), c.formula));
        let problem = format!("the certificate is about the formula {theirs}, and this is {ours}");
        Err(Fault::Invalid(problem))
    }
}

/// All subformulas in the order of their numbers, then the number of the whole.
fn normal_form(formula: &Formula) -> Vec<u8> {
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

/// How a certificate begins that is about the system or machine with this digest.
pub fn start(version: u64, digest: u64) -> Vec<u8> {
    let mut head = MAGIC.to_vec();
    number(&mut head, version);
    head.extend_from_slice(&digest.to_le_bytes());
    head
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

    pub fn add_all(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.add(byte));
    }

    /// Ends a certificate of the later versions: that of all bytes after the number of the version.
    pub fn seal(certificate: &mut Vec<u8>) {
        let mut sum = Checksum::default();
        sum.add_all(&certificate[MAGIC.len() + 1..]);
        certificate.extend_from_slice(&sum.0.to_le_bytes());
    }
}

/// The number of one of a list.
pub fn index_of<T: PartialEq>(all: &[T], one: &T) -> u64 {
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
