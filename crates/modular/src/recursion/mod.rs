//! Programs with recursive calls: CTL on the infinite graph of all stacks, decided exactly.
//!
//! A state is a location, values, and a stack of calls, each with the values that its caller's variables get back. The
//! values are finite, so summaries reach a fixpoint: [`blocks`] finds with which values a procedure ends for each
//! entry, [`contexts`] which formulas hold at its entry for each assumption on its exits.

mod blocks;
mod contexts;
mod paths;
mod proof;

use crate::path::{PathSearch, ProgramPath};
use crate::{Claims, ModularEvidence, ModularOutcome, ModularRequest, ModularStats};
use blocks::EntryBlocks;
use contexts::Contexts;
use logic::Truth;
use paths::StackStates;
use support::Stopped;
use transition::cfg::{CtlAtom, Root};

/// The verdicts for a program without holes. Its partition does not matter.
pub fn check(request: &ModularRequest) -> Result<ModularOutcome, Stopped> {
    let ModularRequest { program, closure, monitor, .. } = *request;
    monitor.phase("summarising procedures", 0);
    let atoms: Vec<CtlAtom> = closure.atoms.values().copied().collect();
    let blocks = EntryBlocks::new(program, &atoms, monitor)?;
    let mut contexts = Contexts::new(&blocks, closure, monitor)?;
    contexts.solve()?;
    let main = &blocks.all[0];
    let falsified = |root: &Root| {
        let mut entries = main.entries.iter().copied();
        entries.find(|&node| !contexts.holds(0, node, root.certain))
    };
    let falsified: Vec<Option<u32>> = closure.roots.iter().map(falsified).collect();
    let paths = closure.roots.iter().zip(&falsified).filter(|_| request.wish.paths);
    let paths: Vec<Option<ProgramPath>> = paths
        .map(|(root, found)| {
            let first = found.or(main.entries.first().copied())?;
            let search = PathSearch::new(StackStates::new(&contexts));
            search.run(StackStates::first(first), root.certain, found.is_none()).ok()
        })
        .collect();
    let values = |node: u32| blocks.values(main.nodes[node as usize].values).to_vec();
    let falsified_in: Vec<Option<Vec<i64>>> =
        falsified.into_iter().map(|found| found.map(values)).collect();
    let holds: Vec<bool> = falsified_in.iter().map(Option::is_none).collect();
    // The verdicts are there: if there is no room for a proof, that is what is missing.
    let claims = request.wish.claims.then(|| proof::proof(&contexts, holds.clone(), monitor).ok());
    let claims = claims.flatten().map(Claims::Contexts);
    let stats = ModularStats {
        checked: contexts.looked_at,
        largest_bytes: blocks.bytes(),
        ..ModularStats::default()
    };
    Ok(ModularOutcome {
        verdicts: holds.into_iter().map(Truth::from).collect(),
        falsified_in,
        is_impossible: false,
        stats,
        evidence: Some(ModularEvidence { paths, claims, sufficient_assumptions: Vec::new() }),
    })
}
