//! Programs with recursive calls: CTL on the infinite graph of all stacks, decided exactly.
//!
//! A state is a location, values, and a stack of calls, each with the values that its caller's variables get back. The
//! values are finite, so summaries reach a fixpoint: [`blocks`] finds with which values a procedure ends for each
//! entry, [`contexts`] which formulas hold at its entry for each assumption on its exits.

mod blocks;
mod contexts;

use crate::{ModularOutcome, ModularRequest, ModularStats};
use blocks::EntryBlocks;
use contexts::Contexts;
use logic::Truth;
use support::Stopped;
use transition::cfg::CtlAtom;

/// The verdicts for a program without holes. Its partition does not matter.
pub fn check(request: &ModularRequest) -> Result<ModularOutcome, Stopped> {
    let ModularRequest { program, closure, monitor, .. } = *request;
    monitor.phase("summarising procedures", 0);
    let atoms: Vec<CtlAtom> = closure.atoms.values().copied().collect();
    let blocks = EntryBlocks::new(program, &atoms, monitor)?;
    let mut contexts = Contexts::new(&blocks, closure, monitor)?;
    contexts.solve()?;
    let main = &blocks.all[0];
    let falsified_in: Vec<Option<Vec<i64>>> = closure
        .roots
        .iter()
        .map(|root| {
            let mut entries = main.entries.iter();
            let found = entries.find(|&&node| !contexts.holds_in_main(node, root.certain))?;
            Some(blocks.values(main.nodes[*found as usize].values).to_vec())
        })
        .collect();
    let verdict = |found: &Option<Vec<i64>>| Truth::from(found.is_none());
    let stats = ModularStats {
        checked: contexts.looked_at,
        largest_bytes: blocks.bytes(),
        ..ModularStats::default()
    };
    Ok(ModularOutcome {
        verdicts: falsified_in.iter().map(verdict).collect(),
        falsified_in,
        is_impossible: false,
        stats,
        evidence: None,
    })
}
