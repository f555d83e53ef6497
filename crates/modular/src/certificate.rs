//! Certificates: what was found out about every node, written down for the auditor.

use crate::claims::NodeClaim;
use crate::sets::Written;
use audit::programs::{About, Listed, Node, Property, Writer};
use bdd::Link;
use logic::Truth;
use transition::VarId;
use transition::cfg::{Closure, Partition, Program};

/// What a certificate is about, besides what was found out.
pub struct Matter<'a> {
    pub program: &'a Program,
    pub partition: &'a Partition,
    pub closure: &'a Closure,
    /// Name and text of each property.
    pub properties: &'a [(String, String)],
    /// What is assumed of holes, as the user wrote it.
    pub assumptions: &'a [String],
}

/// The whole certificate.
pub fn certificate(matter: &Matter, claims: &[Vec<NodeClaim>], verdicts: &[Truth]) -> Vec<u8> {
    let Matter { program, partition, closure, properties, assumptions } = *matter;
    let property = |(name, formula): &(String, String)| Property {
        name: name.clone(),
        formula: formula.clone(),
    };
    let properties: Vec<Property> = properties.iter().map(property).collect();
    let mut writer = Writer::start(&About {
        program,
        closure,
        is_complete: !program.has_holes(),
        properties: &properties,
        assumptions,
        partition,
        order: &order(program),
    });
    for level in 0..closure.levels.len() {
        for claim in claims.get(level).into_iter().flatten().filter(|claim| !claim.sets.is_empty())
        {
            let sets: Vec<Listed> = claim.sets.iter().map(|(_, set)| listed(set)).collect();
            writer.claim(claim.place, &sets);
        }
        writer.end_level();
    }
    let verdicts: Vec<Option<bool>> = verdicts
        .iter()
        .map(|verdict| match verdict {
            Truth::True => Some(true),
            Truth::False => Some(false),
            Truth::Unknown => None,
        })
        .collect();
    writer.finish(&verdicts)
}

/// All bits from the highest of the last variable down, as sets that are tables are listed.
fn order(program: &Program) -> Vec<(VarId, u32)> {
    let vars = program.data.vars.iter().rev();
    vars.flat_map(|(var, declared)| (0..declared.domain.bits()).rev().map(move |bit| (var, bit)))
        .collect()
}

fn listed(set: &Written) -> Listed {
    let link = |number: u32| Link { node: number / 2, is_negated: number % 2 == 1 };
    let node = |node: &crate::WrittenNode| Node {
        var: node.var,
        bit: node.bit,
        high: link(node.high),
        low: link(node.low),
    };
    Listed { nodes: set.nodes.iter().map(node).collect(), root: link(set.root) }
}
