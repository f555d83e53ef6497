//! The abstraction of a model in which blocks of its states are states (C Def. 5.1), with exact may and
//! must: a block may go where one of its states may, and must where each of them must.

use crate::edges::Mode;
use crate::joint::JointLabels;
use crate::partial::{ActionId, Kind, ModelBuilder, PartialModel};
use crate::system::{Component, System};
use logic::{Family, PropId, Truth};
use rustc_hash::FxHashMap;
use std::fmt;

/// The block of a state that is left out.
pub const NO_BLOCK: u32 = u32::MAX;

/// The blocks of the states of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blocks {
    /// By state: its block, or [`NO_BLOCK`].
    pub of: Vec<u32>,
    pub count: u32,
}

/// Why blocks give no abstraction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum QuotientFault {
    /// An initial state, or one that follows a state of a block, is in no block.
    LeftOut(String),
    /// No state is in this block.
    Empty(u32),
    /// States of this block differ in a joint proposition.
    Differ(u32),
}

impl fmt::Display for QuotientFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            QuotientFault::LeftOut(state) => write!(f, "the state `{state}` is in no block"),
            QuotientFault::Empty(block) => write!(f, "block {block} is empty"),
            QuotientFault::Differ(block) => {
                write!(f, "the states of block {block} have different joint labels")
            }
        }
    }
}

impl System {
    /// The system of the blocks of its components, where these have any: appropriate abstractions (C Def.
    /// 5.3), so that it abstracts the system (C Thm 5.4). A fault comes with the component.
    pub fn quotient(&self, blocks: &[Option<Blocks>]) -> Result<System, (usize, QuotientFault)> {
        let joint = JointLabels::new(self);
        let of = |(index, part): (usize, &Component)| {
            let Some(own) = &blocks[index] else { return Ok(part.clone()) };
            let mut labels: Vec<Option<&[u64]>> = vec![None; own.count as usize];
            for (&block, state) in own.of.iter().zip(0..).filter(|(block, _)| **block != NO_BLOCK) {
                let label = joint.of(index, state);
                if *labels[block as usize].get_or_insert(label) != label {
                    return Err((index, QuotientFault::Differ(block)));
                }
            }
            let model = quotient(&part.model, own).map_err(|fault| (index, fault))?;
            Ok(Component { model, is_unknown: part.is_unknown })
        };
        let components: Result<Vec<Component>, _> =
            self.components.iter().enumerate().map(of).collect();
        Ok(System { components: components?, sync: self.sync.clone() })
    }
}

/// The quotient of a model by the blocks of its states. The model abstracts
/// to it: each state that is in a block is related to the block (C Def. 2.2, 5.1).
pub fn quotient(
    model: &PartialModel,
    Blocks { of: blocks, count }: &Blocks,
) -> Result<PartialModel, QuotientFault> {
    let count = *count;
    let kind = match model.kind.family() {
        Family::Props => Kind::Kmts,
        Family::Actions => Kind::Mts,
    };
    let mut sizes = vec![0u32; count as usize];
    blocks.iter().filter(|&&block| block != NO_BLOCK).for_each(|&b| sizes[b as usize] += 1);
    if let Some(empty) = sizes.iter().position(|&size| size == 0) {
        return Err(QuotientFault::Empty(empty as u32));
    }
    let mut builder = ModelBuilder::new(kind, model.name.clone());
    model.props().names().for_each(|name| _ = builder.prop(name));
    model.actions().names().for_each(|name| _ = builder.action(name));
    (0..count).for_each(|block| _ = builder.state(format!("a{block}")));
    let block_of = |state: u32| match blocks[state as usize] {
        NO_BLOCK => Err(QuotientFault::LeftOut(model.state_name(state))),
        block => Ok(block),
    };
    for &state in model.init() {
        builder.init(block_of(state)?);
    }
    label(model, blocks, &sizes, &mut builder);
    let mut found: FxHashMap<(u32, Option<ActionId>, u32), u32> = FxHashMap::default();
    for state in (0..model.states() as u32).filter(|&s| blocks[s as usize] != NO_BLOCK) {
        let mut own = Vec::new();
        for (target, class) in model.edges().out(state) {
            own.push((class.action, block_of(target)?, class.mode.must));
        }
        own.sort_unstable();
        own.dedup();
        for (action, target, must) in own {
            let sure = found.entry((blocks[state as usize], action, target)).or_default();
            *sure += u32::from(must);
        }
    }
    for ((block, action, target), sure) in found {
        let mode = Mode { may: true, must: sure == sizes[block as usize] };
        builder.edge(block, action, mode, target);
    }
    Ok(builder.finish())
}

/// A block has the label that all its states have.
fn label(model: &PartialModel, blocks: &[u32], sizes: &[u32], builder: &mut ModelBuilder) {
    for prop in (0..model.props().len() as u32).map(PropId) {
        for (value, set) in
            [(Truth::True, model.true_in(prop)), (Truth::False, model.false_in(prop))]
        {
            let mut counts = vec![0; sizes.len()];
            let members = set.ones().map(|state| blocks[state]).filter(|&block| block != NO_BLOCK);
            members.for_each(|block| counts[block as usize] += 1);
            let all = (0..sizes.len()).filter(|&block| counts[block] == sizes[block]);
            all.for_each(|block| builder.label(block as u32, prop, value));
        }
    }
}
