//! Certificates about systems of components with explicit states, whose sets of states are BDDs.
//!
//! They are as those about symbolic transition systems (see the head of the folder), of the composition of all
//! components (C Def. 4.2; for actions C §6.1), which is never listed. What is different, and all of it:
//!
//! - A state of a component is its number, in as few bits as all numbers need. A claim begins with an order of all bits
//!   of all components.
//! - Components can be partial: P makes must steps, the opponent may steps, and an unknown label is right for neither.
//! - Deadlock states may stutter: one that nothing may follow follows itself, one that nothing must follow may.
//! - Nothing has run-time errors, so there is no `keep`.
//! - Where parts of the system are `unknown`, condition 5 is about each choice of the initial states of those.
//!
//! The certificate may have been found on a group of components (C §6.2): what its sets say of the others is nothing,
//! or that they are in states that they can reach. The auditor need not know, as it follows every step of the
//! composition.

use super::joint_steps::{ComponentBits, JointSteps};
use super::known::Known;
use super::sets::Sets;
use crate::error::{AuditError, ensure};
use crate::format::{CertificateKind, Claim};
use crate::proof::{Audited, go_through};
use crate::read::Reader;
use bdd::{Manager, Policy};
use logic::Formula;
use model::{Kind, PartialModel, System};
use std::io::Read;
use support::Monitor;

/// A system of components that certificates are checked against, as it was read.
#[derive(Clone, Copy)]
pub struct ComponentsSubject<'a> {
    pub system: &'a System,
    /// No more BDD nodes than this.
    pub most_nodes: usize,
}

impl ComponentsSubject<'_> {
    /// Whether a certificate is about this system.
    pub fn is_meant_by<R>(&self, reader: &Reader<R>) -> Result<(), AuditError> {
        let is_meant = reader.is_about(CertificateKind::Components, self.system.digest());
        ensure(is_meant, "the certificate is about another system")
    }
}

/// Checks the proof of a claim that was just read. If it is right, the reader stands at the next claim.
pub fn audit_components<R: Read>(
    subject: &ComponentsSubject,
    formula: &Formula,
    claim: &Claim,
    reader: &mut Reader<R>,
    monitor: &Monitor,
) -> Result<Audited, AuditError> {
    subject.is_meant_by(reader)?;
    claim.is_about(formula)?;
    let system = subject.system;
    let is_plain = |model: &PartialModel| {
        let has_single_musts = !matches!(model.kind, Kind::MixTs | Kind::Gkmts);
        has_single_musts && model.starts().is_empty()
    };
    let are_plain = system.components.iter().all(|part| is_plain(&part.model));
    ensure(are_plain, "proofs with sets of states do not support such components")?;
    monitor.phase("auditing", 0);
    let policy = Policy { most_nodes: subject.most_nodes, ..Policy::default() };
    let mut manager = Manager::new(monitor, policy);
    let order = order(system, reader)?;
    let bits = ComponentBits::in_order(system, &order, &mut manager);
    let sets = Sets::new(order.iter().map(|&(part, bit)| bits.now(part, bit)).collect());
    let steps = JointSteps::new(system, bits, claim.deadlock, manager)?;
    let mut known = Known::new(steps, sets, formula, claim.verdict);
    let audited = go_through(&mut known, formula, claim.verdict, reader, monitor)?;
    conclude(&mut known, system, claim.verdict)?;
    Ok(audited)
}

/// How many bits the number of a state of a component takes.
fn bits_of(model: &PartialModel) -> u32 {
    usize::BITS - model.states().saturating_sub(1).leading_zeros()
}

/// Reads an order of all bits of all components, from above: the component of each, and its number there, 0 for the
/// lowest.
fn order<R: Read>(
    system: &System,
    reader: &mut Reader<R>,
) -> Result<Vec<(usize, u32)>, AuditError> {
    let parts = system.components.iter().enumerate();
    let all = parts.flat_map(|(part, of)| (0..bits_of(&of.model)).map(move |bit| (part, bit)));
    let all: Vec<(usize, u32)> = all.collect();
    let count = reader.below(all.len() + 1, "more bits than the components have")?;
    let mut order = Vec::new();
    for _ in 0..count {
        let part = reader.below(system.components.len(), "a component that is not there")?;
        let most = bits_of(&system.components[part as usize].model) as usize;
        order.push((part as usize, reader.below(most, "a bit that the component does not have")?));
    }
    let mut given = order.clone();
    given.sort_unstable();
    ensure(given == all, "its bits are not those of the components")?;
    Ok(order)
}

/// Condition 5.
fn conclude(
    known: &mut Known<JointSteps>,
    system: &System,
    verdict: bool,
) -> Result<(), AuditError> {
    let init = known.system.init.clone();
    if init.is_empty() {
        return ensure(verdict && system.never_starts(), "there is no initial state");
    }
    let proved = known.within(known.formula.root(), &init)?;
    let (is_proved, which) = match verdict {
        true => (proved == init, "all initial states"),
        false => (known.system.is_falsified(&proved)?, "an initial state"),
    };
    let problem = format_args!("it is not proved that the formula is {verdict} in {which}");
    ensure(is_proved, problem)
}
