//! The form of a certificate, as it is written. `docs/src/certificate.md` describes it.
//!
//! Numbers are written seven bits to a byte, low ones first, the high bit set in all but the last.

use logic::{Logic, NodeId};
use std::io::{self, Write};
use std::ops::Range;

/// The first bytes of every certificate.
pub(crate) const MAGIC: &[u8] = b"tertium certificate\n";
pub const VERSION: u64 = 1;

pub(crate) const END: u64 = 0;
pub(crate) const CLAIM: u64 = 1;

pub(crate) const SHOW: u64 = 1;
pub(crate) const OPEN: u64 = 2;
pub(crate) const SUPPOSE: u64 = 3;
pub(crate) const CLOSE: u64 = 4;

pub(crate) const METHODS: [&str; 1] = ["direct"];
pub(crate) const LOGICS: [Logic; 3] = [Logic::Mu, Logic::Ctl, Logic::Mcf];
pub(crate) const DEADLOCKS: [Deadlock; 2] = [Deadlock::Ends, Deadlock::Stutters];

/// What a state without a transition means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deadlock {
    Ends,
    Stutters,
}

/// What a certificate says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The name of the property.
    pub property: String,
    pub logic: Logic,
    /// As the user wrote it.
    pub formula: String,
    pub deadlock: Deadlock,
    pub verdict: bool,
}

fn number(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn text(out: &mut Vec<u8>, text: &str) {
    number(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

fn index_of<T: PartialEq>(all: &[T], one: &T) -> u64 {
    all.iter().position(|other| other == one).unwrap_or(all.len()) as u64
}

/// Begins a certificate about the system with this [`digest`](crate::digest).
pub fn write_start(out: &mut impl Write, digest: u64) -> io::Result<()> {
    let mut head = MAGIC.to_vec();
    number(&mut head, VERSION);
    head.extend_from_slice(&digest.to_le_bytes());
    out.write_all(&head)
}

/// Adds a claim and what shows it.
pub fn write_claim(out: &mut impl Write, claim: &Claim, steps: &Steps) -> io::Result<()> {
    let mut head = Vec::new();
    number(&mut head, CLAIM);
    number(&mut head, 0);
    text(&mut head, &claim.property);
    number(&mut head, index_of(&LOGICS, &claim.logic));
    text(&mut head, &claim.formula);
    number(&mut head, index_of(&DEADLOCKS, &claim.deadlock));
    number(&mut head, u64::from(claim.verdict));
    out.write_all(&head)?;
    out.write_all(&steps.bytes)?;
    out.write_all(&[END as u8])
}

/// Ends the certificate.
pub fn write_end(out: &mut impl Write) -> io::Result<()> {
    out.write_all(&[END as u8])
}

/// The steps that show a claim, in the form in which they are written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Steps {
    pub(crate) bytes: Vec<u8>,
}

impl Steps {
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

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
