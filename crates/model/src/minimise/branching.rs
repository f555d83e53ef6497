//! Branching bisimulation by signatures (Blom and van de Pol, "Distributed branching bisimulation minimization by
//! inductive signatures", 2009).

use super::lts::Lts;
use crate::compare::JointAction;
use crate::partition::Partition;
use support::{Monitor, Stopped};

/// The block that stands for doing `tau` for ever, with the action that no step has.
const DIVERGES: [u32; 2] = [u32::MAX, u32::MAX];

/// The blocks of the states, of which none reaches itself by `tau` ([`Lts::collapsed`]).
pub fn blocks(lts: &Lts, tau: JointAction, monitor: &Monitor) -> Result<Vec<u32>, Stopped> {
    let states = lts.graph.states();
    let mut search = Search {
        lts,
        tau,
        partition: Partition::new(states),
        signatures: vec![Vec::new(); states],
    };
    let mut touched: Vec<u32> = (0..states as u32).collect();
    let mut round = 0;
    while !touched.is_empty() {
        monitor.step(touched.len() as u64)?;
        for &state in &touched {
            search.signatures[state as usize] = search.signature(state);
        }
        let signatures =
            touched.iter().map(|&state| search.signatures[state as usize].concat()).collect();
        let moved = search.partition.split(&touched, signatures, round);
        touched = search.touched_by(moved);
        round += 1;
    }
    Ok(search.partition.block_of)
}

struct Search<'a> {
    lts: &'a Lts,
    tau: JointAction,
    partition: Partition,
    /// By state: actions with blocks, in rising order.
    signatures: Vec<Vec<[u32; 2]>>,
}

impl Search<'_> {
    /// The steps that a state can take, after inert ones.
    fn signature(&self, state: u32) -> Vec<[u32; 2]> {
        let block_of = &self.partition.block_of;
        let own = block_of[state as usize];
        let mut signature = Vec::new();
        if self.lts.diverging.contains(state as usize) {
            signature.push(DIVERGES);
        }
        for &(action, target) in self.lts.graph.moves(state) {
            let block = block_of[target as usize];
            match action == self.tau && block == own {
                // It has a smaller number, so that its signature is known.
                true => signature.extend_from_slice(&self.signatures[target as usize]),
                false => signature.push([action.0, block]),
            }
        }
        signature.sort_unstable();
        signature.dedup();
        signature
    }

    /// The states whose signature can be another one, in rising order: those that have moved, those that lead to them,
    /// and those that lead to such by inert steps. Those of a block that are not among them have kept the signature
    /// that none of the others has now, since no number of a new block is in it.
    fn touched_by(&self, moved: Vec<u32>) -> Vec<u32> {
        let graph = &self.lts.graph;
        let mut seen = vec![false; graph.states()];
        let sources = moved.iter().flat_map(|&state| graph.sources(state)).copied();
        let mut open: Vec<u32> = moved.iter().copied().chain(sources).collect();
        open.retain(|&state| !std::mem::replace(&mut seen[state as usize], true));
        let mut touched = open.clone();
        while let Some(state) = open.pop() {
            for &source in graph.sources(state) {
                if !seen[source as usize] && self.leads_inertly(source, state) {
                    seen[source as usize] = true;
                    open.push(source);
                    touched.push(source);
                }
            }
        }
        touched.sort_unstable();
        touched
    }

    fn leads_inertly(&self, source: u32, target: u32) -> bool {
        let block_of = &self.partition.block_of;
        block_of[source as usize] == block_of[target as usize]
            && self.lts.graph.moves(source).binary_search(&(self.tau, target)).is_ok()
    }
}
