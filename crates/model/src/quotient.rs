//! The abstraction of a model in which blocks of its states are states (C Def. 5.1), with exact may and
//! must: a block may go where one of its states may, and must where each of them must.

use crate::edges::Mode;
use crate::partial::{ActionId, Kind, Model, ModelBuilder};
use logic::{Family, PropId, Truth};
use rustc_hash::FxHashMap;

/// The block of a state that is left out.
pub const NO_BLOCK: u32 = u32::MAX;

/// Why a partition gives no abstraction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum QuotientFault {
    /// An initial state, or one that follows a state of a block, is in no block.
    LeftOut(u32),
    /// No state is in this block.
    Empty(u32),
}

/// The quotient of a model by the blocks of its states, numbered from 0 to `count`. The model abstracts
/// to it: each state that is in a block is related to the block (C Def. 2.2, 5.1).
pub fn quotient(model: &Model, blocks: &[u32], count: u32) -> Result<Model, QuotientFault> {
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
        NO_BLOCK => Err(QuotientFault::LeftOut(state)),
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
fn label(model: &Model, blocks: &[u32], sizes: &[u32], builder: &mut ModelBuilder) {
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
