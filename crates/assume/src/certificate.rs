//! Writing down why a verdict with assumptions in place is right, for the auditor.

use crate::explore::Run;
use audit::digest_of;
use audit::format::{Checksum, VERSION_OF_ASSUMPTIONS, bytes, number, start};
use model::{Model, System};

/// A process and the assumption that stands for it.
pub struct Stand<'a> {
    pub process: &'a Model,
    pub assumption: &'a Model,
    /// By state of the process: its class.
    pub class_of: &'a [u32],
}

/// A certificate about these processes, in the system in which all assumptions are in place. `error` is
/// a run of the processes themselves, if the property fails.
pub fn certificate(
    replaced: &System,
    stands: &[Stand],
    safety: &Model,
    error: Option<&Run>,
) -> Vec<u8> {
    let mut out = start(VERSION_OF_ASSUMPTIONS, replaced.digest());
    bytes(&mut out, safety.name.as_bytes());
    out.extend_from_slice(&digest_of(safety).to_le_bytes());
    number(&mut out, stands.len() as u64);
    stands.iter().for_each(|stand| write_stand(&mut out, stand));
    number(&mut out, u64::from(error.is_none()));
    if let Some(run) = error {
        write_run(&mut out, run);
    }
    Checksum::seal(&mut out);
    out
}

fn numbers(out: &mut Vec<u8>, all: &[u32]) {
    number(out, all.len() as u64);
    all.iter().for_each(|&one| number(out, u64::from(one)));
}

fn write_stand(out: &mut Vec<u8>, stand: &Stand) {
    let Stand { process, assumption, class_of } = stand;
    bytes(out, process.name.as_bytes());
    out.extend_from_slice(&digest_of(process).to_le_bytes());
    number(out, assumption.actions().len() as u64);
    assumption.actions().names().for_each(|name| bytes(out, name.as_bytes()));
    number(out, assumption.states() as u64);
    numbers(out, class_of);
    numbers(out, assumption.init());
    let edges = crate::lts::triples(assumption);
    number(out, edges.len() as u64);
    for (source, action, target) in edges {
        [source, action, target].into_iter().for_each(|one| number(out, u64::from(one)));
    }
}

fn write_run(out: &mut Vec<u8>, run: &Run) {
    let Run { states, steps, end } = run;
    let parts = end.len();
    states[0][..parts].iter().for_each(|&state| number(out, u64::from(state)));
    number(out, steps.len() as u64);
    for (at, step) in steps.iter().enumerate() {
        number(out, u64::from(step.rule));
        let after = states.get(at + 1).unwrap_or(end);
        step.parts.iter().for_each(|&(part, _)| number(out, u64::from(after[part])));
    }
}
