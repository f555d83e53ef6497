//! `never` claims: automata that watch a model, written as processes.

use super::super::ast::{ExprKind, Proctype, Statement, Step};
use super::super::program::{ProcessId, PromelaProcess};
use super::finish::Control;
use super::{Builder, Waiting};
use crate::sink::Parsed;

impl<'f, 'a> Builder<'f, 'a> {
    /// The control graph of a claim, which is no process: it has no pid, and its location cannot be asked for.
    pub(in crate::promela) fn claim(&mut self, claim: &'f Proctype<'a>) -> Parsed<PromelaProcess> {
        let process = ProcessId(self.program.processes.len() as u32);
        let waiting = Waiting { process, proctype: 0, arguments: Vec::new() };
        let graph = self.drawn(claim, &waiting)?;
        let Control { locations, edges, start, end } = self.control(graph)?;
        Ok(PromelaProcess {
            name: claim.name.text.to_owned(),
            proctype: claim.name.text.to_owned(),
            is_active: true,
            locations,
            edges,
            start,
            end,
            pid: None,
            priority: None,
            span: claim.name.span,
        })
    }
}

/// Whether a claim changes nothing: it declares no variables, sends no messages and starts no processes.
pub(in crate::promela) fn only_watches(steps: &[Step]) -> bool {
    steps.iter().all(|step| match &step.statement {
        Statement::Wait(condition) => !matches!(condition.kind, ExprKind::Run { .. }),
        Statement::Pass
        | Statement::Print(_)
        | Statement::Assert(_)
        | Statement::Else
        | Statement::Break
        | Statement::Goto(_) => true,
        Statement::If(options) | Statement::Do(options) => {
            options.iter().all(|option| only_watches(option))
        }
        Statement::Block(inner) | Statement::Atomic(inner) | Statement::Dstep(inner) => {
            only_watches(inner)
        }
        _ => false,
    })
}
