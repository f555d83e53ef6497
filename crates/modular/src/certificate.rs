//! Certificates: what was found out about every node, written down for the auditor.

use crate::Claims;
use audit::modular::{About, ModularWriter};
use logic::Truth;
use transition::VarId;

/// Writes the certificate.
pub fn certificate(about: &About, claims: &Claims, verdicts: &[Truth]) -> Vec<u8> {
    let claims = match claims {
        Claims::Nodes(claims) => claims,
        Claims::Contexts(proof) => return proof.clone().write(about),
    };
    // All bits from the highest of the last variable down, as sets that are tables are listed.
    let vars = about.program.data.vars.iter().rev();
    let order: Vec<(VarId, u32)> = vars
        .flat_map(|(var, declared)| (0..declared.domain.bits()).rev().map(move |bit| (var, bit)))
        .collect();
    let mut writer = ModularWriter::start(about, &order);
    for level in 0..about.closure.levels.len() {
        let claims = claims.get(level).into_iter().flatten();
        for claim in claims.filter(|claim| !claim.sets.is_empty()) {
            writer.claim(claim.node, claim.sets.iter().map(|(_, set)| set));
        }
        writer.end_level();
    }
    let verdict = |verdict: &Truth| match verdict {
        Truth::True => Some(true),
        Truth::False => Some(false),
        Truth::Unknown => None,
    };
    writer.finish(&verdicts.iter().map(verdict).collect::<Vec<_>>())
}
