//! Certificates of programs with recursive calls: the final contexts, with ranks of the untils.

use super::blocks::{At, EntryBlock};
use super::contexts::{Contexts, Ranks, Reach};
use audit::recursion::{ListedBlock, ListedContext, ListedTemporal, NodeValue, RecursionProof};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use support::{Monitor, Stopped};
use transition::cfg::{FormulaId, Operator, TemporalId};

/// An until that was computed once more, in the final contexts.
struct SolvedUntil {
    is_all: bool,
    left_only: Vec<FixedBitSet>,
    reach: Reach,
    certain: Ranks,
}

/// The proof of the verdicts, when all levels are computed.
pub fn proof(
    contexts: &Contexts,
    verdicts: Vec<bool>,
    monitor: &Monitor,
) -> Result<RecursionProof, Stopped> {
    let blocks = &contexts.blocks().all;
    let mut room = monitor.reserve(0)?;
    let orders: Vec<Vec<u32>> = blocks.iter().map(breadth_first).collect();
    let mut found = RecursionProof {
        blocks: blocks.iter().skip(1).map(|block| listed(contexts, block)).collect(),
        contexts: (0..contexts.len()).map(|number| in_order(contexts, number, &orders)).collect(),
        verdicts,
    };
    for (id, temporal) in contexts.closure().temporals.iter() {
        match temporal.operator {
            Operator::Next(_) => {
                for (number, context) in (0..).zip(&mut found.contexts) {
                    let value = |&node: &u32| match contexts.is_set(number, node, id) {
                        true => NodeValue::Within(0),
                        false => NodeValue::False,
                    };
                    let values = orders[context.block as usize].iter().map(value).collect();
                    context.temporals.push(ListedTemporal { values, passages: Vec::new() });
                }
            }
            Operator::Until(f, g) => {
                let solved = solved(contexts, temporal.is_all, f, g)?;
                for (number, context) in (0..).zip(&mut found.contexts) {
                    let values = values(contexts, number, id, &solved)?;
                    let order = orders[context.block as usize].iter();
                    let values = order.map(|&node| values[node as usize]).collect();
                    let passages = solved.reach[number as usize].clone();
                    room.grow(8 * contexts.nodes_of(number).len() as u64, monitor)?;
                    context.temporals.push(ListedTemporal { values, passages });
                }
            }
        }
    }
    Ok(found)
}

/// The nodes of a block as a certificate numbers them.
fn breadth_first(block: &EntryBlock) -> Vec<u32> {
    let mut order = block.entries.clone();
    let mut seen: FixedBitSet = order.iter().map(|&node| node as usize).collect();
    seen.grow(block.nodes.len());
    let mut at = 0;
    while let Some(&node) = order.get(at) {
        at += 1;
        let node = &block.nodes[node as usize];
        let returns = node.call.iter().flat_map(|call| &call.returns);
        order.extend(node.next.iter().chain(returns).filter(|&&to| !seen.put(to as usize)));
    }
    order
}

fn listed(contexts: &Contexts, block: &EntryBlock) -> ListedBlock {
    let numbers = |node: u32| -> Vec<u64> {
        let blocks = contexts.blocks();
        let values = blocks.values(block.nodes[node as usize].values);
        let vars = blocks.program().data.vars.values();
        vars.zip(values).map(|(var, &value)| var.domain.number(value).unwrap_or(0)).collect()
    };
    ListedBlock {
        procedure: block.procedure.map_or(0, |procedure| procedure.0),
        entry: block.entries.first().map(|&entry| numbers(entry)).unwrap_or_default(),
        exits: block.exits.iter().map(|&exit| numbers(exit)).collect(),
    }
}

/// A context without its formulas.
fn in_order(contexts: &Contexts, number: u32, orders: &[Vec<u32>]) -> ListedContext {
    let block = contexts.block_of(number);
    let order = orders[block as usize].iter();
    let called = order.filter_map(|&node| Some(contexts.called(number, node)?.0)).collect();
    ListedContext { block, called, temporals: Vec::new() }
}

fn solved(
    contexts: &Contexts,
    is_all: bool,
    f: FormulaId,
    g: FormulaId,
) -> Result<SolvedUntil, Stopped> {
    let (left_only, goal) = (contexts.left_only(f, g)?, contexts.everywhere(g)?);
    let reach = contexts.reach(&left_only)?;
    let certain = contexts.certain(is_all, &left_only, &goal, &reach)?;
    Ok(SolvedUntil { is_all, left_only, reach, certain })
}

/// The values of an until in the nodes of a context, with their ranks.
fn values(
    contexts: &Contexts,
    number: u32,
    id: TemporalId,
    solved: &SolvedUntil,
) -> Result<Vec<NodeValue>, Stopped> {
    let nodes = contexts.nodes_of(number);
    let certain = &solved.certain[number as usize];
    let holds = |node: usize| contexts.is_set(number, node as u32, id);
    let mut values = vec![NodeValue::False; nodes.len()];
    let mut before: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    let mut open: VecDeque<(u32, u32)> = VecDeque::new();
    for (node, value) in values.iter_mut().enumerate().filter(|(node, _)| holds(*node)) {
        if certain[node] > 0 {
            *value = NodeValue::Within(certain[node]);
        } else if nodes[node].at == At::Exit && !solved.is_all {
            *value = NodeValue::Leaving(0);
            open.push_back((node as u32, 0));
        }
    }
    for node in solved.left_only[number as usize].ones().map(|node| node as u32) {
        let next = contexts.within(number, node, &solved.reach);
        next.for_each(|to| before.entry(to).or_default().push(node));
        contexts.step()?;
    }
    while let Some((node, rank)) = open.pop_front() {
        for &source in before.get(&node).into_iter().flatten() {
            if values[source as usize] == NodeValue::False {
                values[source as usize] = NodeValue::Leaving(rank + 1);
                open.push_back((source, rank + 1));
            }
        }
    }
    Ok(values)
}
