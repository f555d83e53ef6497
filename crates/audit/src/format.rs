//! The form of a certificate, as it is written. `docs/src/certificate.md` describes it.
//!
//! Numbers are written seven bits to a byte, low ones first, the high bit set in all but the last.

use logic::{Fix, Formula, Logic, Modality, Node, NodeId};
use std::io::{self, Write};
use std::ops::Range;

/// The first bytes of every certificate.
pub(crate) const MAGIC: &[u8] = b"tertium certificate\n";
pub const VERSION: u64 = 2;

pub(crate) const END: u64 = 0;
pub(crate) const CLAIM: u64 = 1;

pub(crate) const SHOW: u64 = 1;
pub(crate) const OPEN: u64 = 2;
pub(crate) const SUPPOSE: u64 = 3;
pub(crate) const CLOSE: u64 = 4;

pub(crate) const COMPONENT: u64 = 1;
pub(crate) const PRODUCT: u64 = 2;

pub(crate) const METHODS: [Method; 2] = [Method::Direct, Method::Parts];
pub(crate) const LOGICS: [Logic; 3] = [Logic::Mu, Logic::Ctl, Logic::Mcf];
pub(crate) const DEADLOCKS: [Deadlock; 2] = [Deadlock::Ends, Deadlock::Stutters];

/// What a state without a transition means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deadlock {
    Ends,
    Stutters,
}

/// What a claim is shown of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Method {
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
            actions.names().iter().for_each(|name| text(&mut out, name));
        }
    }
    number(&mut out, u64::from(formula.root().0));
    out
}

fn number(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn text(out: &mut Vec<u8>, text: &str) {
    bytes(out, text.as_bytes());
}

fn bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    number(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

fn index_of<T: PartialEq>(all: &[T], one: &T) -> u64 {
    all.iter().position(|other| other == one).unwrap_or(all.len()) as u64
}

/// Begins a certificate about the system with this digest.
pub fn write_start(out: &mut impl Write, digest: u64) -> io::Result<()> {
    let mut head = MAGIC.to_vec();
    number(&mut head, VERSION);
    head.extend_from_slice(&digest.to_le_bytes());
    out.write_all(&head)
}

/// Adds a claim and what shows it.
pub fn write_claim(out: &mut impl Write, claim: &Claim, evidence: &Evidence) -> io::Result<()> {
    let method = match evidence {
        Evidence::Direct(_) => Method::Direct,
        Evidence::Parts(_) => Method::Parts,
    };
    let mut head = Vec::new();
    number(&mut head, CLAIM);
    number(&mut head, index_of(&METHODS, &method));
    text(&mut head, &claim.property);
    number(&mut head, index_of(&LOGICS, &claim.logic));
    text(&mut head, &claim.formula);
    bytes(&mut head, &claim.normal_form);
    number(&mut head, index_of(&DEADLOCKS, &claim.deadlock));
    number(&mut head, u64::from(claim.verdict));
    out.write_all(&head)?;
    match evidence {
        Evidence::Direct(steps) => out.write_all(&steps.bytes)?,
        Evidence::Parts(parts) => write_parts(out, parts)?,
    }
    out.write_all(&[END as u8])
}

fn write_parts(out: &mut impl Write, parts: &Parts) -> io::Result<()> {
    let mut head = Vec::new();
    for blocks in &parts.blocks {
        number(&mut head, blocks.as_ref().map_or(0, |blocks| u64::from(blocks.count)));
        let of = blocks.iter().flat_map(|blocks| &blocks.of);
        // No block is 0.
        of.for_each(|&block| number(&mut head, u64::from(block.wrapping_add(1))));
    }
    out.write_all(&head)?;
    for Part { states, steps } in &parts.parts {
        head.clear();
        match states {
            States::Component(component) => {
                number(&mut head, COMPONENT);
                number(&mut head, *component as u64);
            }
            States::Product { left, right, pairs } => {
                let numbers = [PRODUCT, *left as u64, *right as u64, pairs.len() as u64];
                numbers.into_iter().for_each(|value| number(&mut head, value));
                let both = pairs.iter().flat_map(|&(left, right)| [left, right]);
                both.for_each(|state| number(&mut head, u64::from(state)));
            }
        }
        out.write_all(&head)?;
        out.write_all(&steps.bytes)?;
        out.write_all(&[END as u8])?;
    }
    Ok(())
}

/// Ends the certificate.
pub fn write_end(out: &mut impl Write) -> io::Result<()> {
    out.write_all(&[END as u8])
}

/// What shows a claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// Steps in the composition.
    Direct(Steps),
    Parts(Parts),
}

/// Steps in components and in products of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Parts {
    /// By component: the blocks that stand for its states, if it is abstracted.
    pub blocks: Vec<Option<Blocks>>,
    pub parts: Vec<Part>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blocks {
    /// By state: its block, or [`model::NO_BLOCK`].
    pub of: Vec<u32>,
    pub count: u32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    pub states: States,
    pub steps: Steps,
}

/// What the states of a part are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum States {
    /// Those of a component, or its blocks.
    Component(usize),
    /// These pairs of states of two earlier parts, numbered as they stand here.
    Product { left: usize, right: usize, pairs: Vec<(u32, u32)> },
}

/// The steps that show a claim, in the form in which they are written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Steps {
    pub(crate) bytes: Vec<u8>,
}

impl Steps {
    /// States in rising order, as ranges that do not touch.
    pub fn show(&mut self, node: NodeId, states: &[Range<u32>]) {
        self.positions(SHOW, node, states);
    }

    pub fn suppose(&mut self, node: NodeId, states: &[Range<u32>]) {
        self.positions(SUPPOSE, node, states);
    }

    pub fn open(&mut self, level: u32) {
        number(&mut self.bytes, OPEN);
        number(&mut self.bytes, u64::from(level));
    }

    pub fn close(&mut self) {
        number(&mut self.bytes, CLOSE);
    }

    fn positions(&mut self, step: u64, node: NodeId, states: &[Range<u32>]) {
        number(&mut self.bytes, step);
        number(&mut self.bytes, u64::from(node.0));
        number(&mut self.bytes, states.len() as u64);
        let mut end = 0;
        for run in states {
            number(&mut self.bytes, u64::from(run.start - end));
            number(&mut self.bytes, u64::from(run.end - run.start - 1));
            end = run.end;
        }
    }
}
