//! The proof of a verdict, and writing it as a certificate. [`audit`] owns the format and checks it.

use audit::Claim;
use audit::format::{
    CLAIM, CLOSE, COMPONENT, COMPOSITION, CertificateKind, END, OBLIGATION, OPEN, PARTS, PRODUCT,
    PROVE, number,
};
use logic::NodeId;
use model::Blocks;
use std::io::{self, Write};
use std::ops::Range;

/// The proof of a claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// Steps in the composition.
    Direct(Steps),
    Compositional(CompositionalProof),
}

/// Steps in components and in products of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CompositionalProof {
    /// By component: the blocks that stand for its states, if it is abstracted.
    pub blocks: Vec<Option<Blocks>>,
    pub parts: Vec<GameProof>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameProof {
    pub states: ProofStates,
    pub steps: Steps,
}

/// The states of a part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProofStates {
    /// Those of a component, or its blocks.
    Component(usize),
    /// These pairs of states of two earlier parts, numbered as they stand here.
    Product { left: usize, right: usize, pairs: Vec<(u32, u32)> },
}

/// The steps that show a claim, in the form in which they are written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Steps {
    bytes: Vec<u8>,
}

impl Steps {
    /// States in rising order, as ranges that do not touch.
    pub fn show(&mut self, node: NodeId, states: &[Range<u32>]) {
        self.positions(PROVE, node, states);
    }

    pub fn assume(&mut self, node: NodeId, states: &[Range<u32>]) {
        self.positions(OBLIGATION, node, states);
    }

    pub fn open(&mut self, level: u32) {
        number(&mut self.bytes, OPEN);
        number(&mut self.bytes, u64::from(level));
    }

    pub fn close(&mut self) {
        number(&mut self.bytes, CLOSE);
    }

    /// As they are written.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
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

    /// Visits the steps, each of one range of states if it speaks of any.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(Step)) {
        let mut numbers = Numbers(&self.bytes);
        while let Some(kind) = numbers.next() {
            match kind {
                OPEN => {
                    numbers.next();
                    visit(Step::Open);
                }
                CLOSE => visit(Step::Close),
                _ => {
                    let node = NodeId(numbers.next().unwrap_or(0) as u32);
                    let (runs, mut end) = (numbers.next().unwrap_or(0), 0);
                    for _ in 0..runs {
                        let start = end + numbers.next().unwrap_or(0) as u32;
                        end = start + numbers.next().unwrap_or(0) as u32 + 1;
                        let run = start..end;
                        let is_shown = kind == PROVE;
                        visit(if is_shown {
                            Step::Prove(node, run)
                        } else {
                            Step::Assume(node, run)
                        });
                    }
                }
            }
        }
    }
}

pub(crate) enum Step {
    Prove(NodeId, Range<u32>),
    Open,
    Assume(NodeId, Range<u32>),
    Close,
}

/// Numbers as they are written.
struct Numbers<'a>(&'a [u8]);

impl Iterator for Numbers<'_> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let length = self.0.iter().position(|&byte| byte < 0x80)? + 1;
        let (number, rest) = self.0.split_at(length);
        self.0 = rest;
        Some(number.iter().rev().fold(0, |value, &byte| value << 7 | u64::from(byte & 0x7f)))
    }
}

/// Begins a certificate about the system with this digest.
pub fn write_start(out: &mut impl Write, digest: u64) -> io::Result<()> {
    out.write_all(&CertificateKind::Explicit.header(digest))
}

/// Adds a claim and what shows it.
pub fn write_claim(out: &mut impl Write, claim: &Claim, evidence: &Evidence) -> io::Result<()> {
    let mut head = Vec::new();
    number(&mut head, CLAIM);
    number(&mut head, if matches!(evidence, Evidence::Direct(_)) { COMPOSITION } else { PARTS });
    claim.write(&mut head);
    out.write_all(&head)?;
    match evidence {
        Evidence::Direct(steps) => out.write_all(&steps.bytes)?,
        Evidence::Compositional(parts) => write_parts(out, parts)?,
    }
    out.write_all(&[END as u8])
}

fn write_parts(out: &mut impl Write, parts: &CompositionalProof) -> io::Result<()> {
    let mut head = Vec::new();
    for blocks in &parts.blocks {
        number(&mut head, blocks.as_ref().map_or(0, |blocks| u64::from(blocks.count)));
        let of = blocks.iter().flat_map(|blocks| &blocks.of);
        // No block is 0.
        of.for_each(|&block| number(&mut head, u64::from(block.wrapping_add(1))));
    }
    out.write_all(&head)?;
    for GameProof { states, steps } in &parts.parts {
        head.clear();
        match states {
            ProofStates::Component(component) => {
                number(&mut head, COMPONENT);
                number(&mut head, *component as u64);
            }
            ProofStates::Product { left, right, pairs } => {
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
