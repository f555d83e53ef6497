//! Certificates about symbolic transition systems, whose sets of states are BDDs.
//!
//! Their proofs are as all proofs are (see the head of the crate), a set of states at a time, and the
//! theorem there is what makes them right. What is different, and all of it:
//!
//! - A claim begins with an order of bits. The variables that it names are a part of the system that can be
//!   looked at without the rest ([`transition::Machine::cone`]).
//! - `prove` and `add_obligation` name variables of the formula only. A set of states *follows* if it is contained in
//!   what the body of the fixpoint says, computed from the sets that are known: subformulas without
//!   variables need no steps of their own, as they could have been proved before.
//! - What is known already may be proved or obliged again: that changes nothing, and nothing has to follow.
//! - `keep`: these states contain the initial ones, no step leaves them, and in none of them and in no step from
//!   them an expression has no value. It is asked for if some expression may have none: where it is so, the
//!   system means nothing.
//!
//! Steps are taken from the system's own conditions, one after the other, by code that is shared with no engine
//! (`steps`). What is shared with the engine is how variables and expressions become truth functions
//! (the crate `encode`) and the operations on these (`bdd`).
//!
//! Of components with explicit states, complete or partial, the same is proved of their composition: see `components`.

mod components;
mod joint_steps;
mod known;
pub(crate) mod sets;
mod steps;

pub use components::{ComponentsSubject, audit_components};

use crate::error::{AuditError, ensure};
use crate::format::{AfterDeadlock, CertificateKind, Claim};
use crate::proof::{Audited, go_through};
use crate::read::Reader;
use bdd::{Manager, Policy};
use encode::Layout;
use known::Known;
use logic::Formula;
use sets::Sets;
use std::io::Read;
use steps::Steps;
use support::Monitor;
use transition::{Machine, Slice, StateProperty, VarId};

/// A symbolic transition system that certificates are checked against, as it was read.
#[derive(Clone, Copy)]
pub struct SymbolicSubject<'a> {
    pub machine: &'a Machine,
    /// The propositions of formulas, by number.
    pub labels: &'a [StateProperty],
    /// The conditions on steps that modalities speak of, by name.
    pub conditions: &'a [StateProperty],
    /// No more BDD nodes than this.
    pub most_nodes: usize,
}

impl SymbolicSubject<'_> {
    /// Whether a certificate is about this system.
    pub fn is_meant_by<R>(&self, reader: &Reader<R>) -> Result<(), AuditError> {
        let is_meant = reader.is_about(CertificateKind::Symbolic, self.machine.digest());
        ensure(is_meant, "the certificate is about another system")
    }
}

/// Checks the proof of a claim that was just read. If it is right, the reader stands at the next claim.
pub fn audit<R: Read>(
    subject: &SymbolicSubject,
    formula: &Formula,
    claim: &Claim,
    reader: &mut Reader<R>,
    monitor: &Monitor,
) -> Result<Audited, AuditError> {
    subject.is_meant_by(reader)?;
    claim.is_about(formula)?;
    let ends = claim.deadlock == AfterDeadlock::Ends;
    ensure(ends, "symbolic certificates do not support `--deadlock stutter`")?;
    monitor.phase("auditing", 0);
    let policy = Policy { most_nodes: subject.most_nodes, ..Policy::default() };
    let mut manager = Manager::new(monitor, policy);
    let (slice, order) = part(subject.machine, reader)?;
    let layout = Layout::in_order(subject.machine, &order, &mut manager);
    let sets = Sets::of_machine(subject.machine, &layout, &order);
    let steps = Steps::new(subject, &slice, &layout, manager, formula)?;
    let mut known = Known::new(steps, sets, formula, claim.verdict);
    let audited = go_through(&mut known, formula, claim.verdict, reader, monitor)?;
    conclude(&mut known, claim.verdict)?;
    Ok(audited)
}

/// Reads the bits that a certificate names, in their order, and the part of the system that they are.
fn part<R: Read>(
    machine: &Machine,
    reader: &mut Reader<R>,
) -> Result<(Slice, Vec<(VarId, u32)>), AuditError> {
    let order = sets::order(machine, reader)?;
    let mut with_reads = machine.clone();
    let roots: Vec<transition::NodeId> =
        order.iter().map(|&(var, _)| with_reads.now(var)).collect();
    let slice = with_reads.cone(roots);
    let named = machine.vars.ids().filter(|&var| slice.contains(var));
    let is_part = sets::has_all_bits(machine, &order, named);
    ensure(is_part, "its bits are not closed under dependencies of the transition relation")?;
    Ok((slice, order))
}

/// Condition 5, of the initial states, and that all expressions have values.
fn conclude(known: &mut Known<Steps>, verdict: bool) -> Result<(), AuditError> {
    let is_safe = known.is_kept || !known.system.choice_can_fail();
    ensure(is_safe, "it is not proved that all expressions are defined in all states")?;
    let init = known.system.init.clone();
    let proved = known.within(known.formula.root(), &init)?;
    let (is_proved, which) = match verdict {
        true => (proved == init, "all initial states"),
        false => (!proved.is_empty(), "an initial state"),
    };
    let problem = format_args!("it is not proved that the formula is {verdict} in {which}");
    ensure(is_proved, problem)
}
