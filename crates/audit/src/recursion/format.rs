//! The form of a certificate about a program with recursive calls. `docs/src/certificate.md` describes it.

use crate::error::AuditError;
use crate::format::{CertificateKind, Checksum, Codec};
use crate::modular::About;
use crate::read::Reader;
use std::io::Read;

/// Lists have fewer members, and numbers are smaller.
const MOST: usize = u32::MAX as usize;

/// The contents of a certificate behind its head.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RecursionProof {
    /// Of the procedures, numbered from 1: block 0 is the main program.
    pub blocks: Vec<ListedBlock>,
    /// The first is the main program.
    pub contexts: Vec<ListedContext>,
    /// The verdict on each property.
    pub verdicts: Vec<bool>,
}

/// A procedure with the values that it is entered with. Valuations are lists of the numbers of the values.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ListedBlock {
    pub procedure: u32,
    pub entry: Vec<u64>,
    /// The valuations that it ends with.
    pub exits: Vec<Vec<u64>>,
}

/// A block, with the temporal formulas that hold in its nodes. The nodes of a block are numbered breadth first, from
/// the entries: after a node come its steps in their order, after a call its returns in the order of the exits of the
/// block that is called.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ListedContext {
    pub block: u32,
    /// The context that each call leads to, in the order of the nodes.
    pub called: Vec<u32>,
    /// In the order of their numbers.
    pub temporals: Vec<ListedTemporal>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ListedTemporal {
    /// By node.
    pub values: Vec<NodeValue>,
    /// Of an until f U g, by exit: 0 if no f-path from the entry ends there, else a number above those of the passages
    /// through calls that the path needs. None of a next.
    pub passages: Vec<u32>,
}

/// The value of a temporal formula in a node, and of an until that holds a rank: it falls along the paths that show it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum NodeValue {
    #[default]
    False,
    /// The goal is reached before the procedure ends. On all paths: unless it ends. Of a next, any rank.
    Within(u32),
    /// Some path leads to an exit where the formula holds.
    Leaving(u32),
}

impl RecursionProof {
    /// Writes a certificate.
    pub fn write(mut self, about: &About) -> Vec<u8> {
        let mut out = about.head(CertificateKind::Recursion);
        let Ok(()) = self.code(&mut out);
        Checksum::seal(&mut out);
        out
    }

    pub(super) fn read<R: Read>(reader: &mut Reader<R>) -> Result<Self, AuditError> {
        let mut proof = Self::default();
        proof.code(reader)?;
        reader.end()?;
        Ok(proof)
    }

    fn code<C: Codec>(&mut self, codec: &mut C) -> Result<(), C::Error> {
        let limit = (MOST, "more blocks than there can be");
        codec.list(&mut self.blocks, limit, ListedBlock::default, |codec, block| {
            codec.id(&mut block.procedure, MOST, "a procedure that is not there")?;
            valuation(codec, &mut block.entry)?;
            let limit = (MOST, "more exits than there can be");
            codec.list(&mut block.exits, limit, Vec::new, valuation)
        })?;
        let limit = (MOST, "more contexts than there can be");
        codec.list(&mut self.contexts, limit, ListedContext::default, |codec, context| {
            codec.id(&mut context.block, MOST, "a block that is not there")?;
            numbers(codec, &mut context.called)?;
            let limit = (MOST, "more formulas than there can be");
            codec.list(&mut context.temporals, limit, ListedTemporal::default, |codec, temporal| {
                let limit = (MOST, "more nodes than there can be");
                codec.list(&mut temporal.values, limit, NodeValue::default, node_value)?;
                numbers(codec, &mut temporal.passages)
            })
        })?;
        let limit = (MOST, "more verdicts than there can be");
        codec.list(&mut self.verdicts, limit, bool::default, |codec, verdict| {
            codec.flag(verdict, "no verdict")
        })
    }
}

fn valuation<C: Codec>(codec: &mut C, values: &mut Vec<u64>) -> Result<(), C::Error> {
    codec.list(values, (MOST, "more variables than there can be"), u64::default, C::size)
}

fn numbers<C: Codec>(codec: &mut C, list: &mut Vec<u32>) -> Result<(), C::Error> {
    let limit = (MOST, "a list that is too long");
    codec.list(list, limit, u32::default, |codec, one| codec.id(one, MOST, "a number too large"))
}

/// In one number: 0, or twice the rank and one or two.
fn node_value<C: Codec>(codec: &mut C, value: &mut NodeValue) -> Result<(), C::Error> {
    let mut number = match *value {
        NodeValue::False => 0,
        NodeValue::Within(rank) => 2 * u64::from(rank) + 1,
        NodeValue::Leaving(rank) => 2 * u64::from(rank) + 2,
    };
    codec.size(&mut number)?;
    codec.check(number <= 2 * MOST as u64, "a rank that is too large")?;
    *value = match number {
        0 => NodeValue::False,
        _ if number % 2 == 1 => NodeValue::Within((number / 2) as u32),
        _ => NodeValue::Leaving((number / 2 - 1) as u32),
    };
    Ok(())
}
