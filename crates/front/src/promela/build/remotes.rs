//! Remote references: where another process is, and what its variables are.

use super::super::ast::{Name, Reference};
use super::super::program::{ChannelId, ExprId, ProcessId, PromelaBinary, PromelaExpr};
use super::Builder;
use crate::sink::{Parsed, Reported};
use support::Diagnostic;

/// Stands in the place of what is not known before all processes are built.
pub(super) const UNRESOLVED: PromelaExpr = PromelaExpr::Len(ChannelId(u32::MAX));

/// A remote reference that is not resolved yet.
pub(super) struct Remote<'a> {
    pub expr: ExprId,
    pub process: Name<'a>,
    pub pid: Option<ExprId>,
    pub asked: Asked<'a>,
}

/// The object of a remote reference: a label, or a variable.
#[derive(Clone)]
pub(super) enum Asked<'a> {
    Label(Name<'a>),
    Var(Reference<'a>),
}

impl<'a> Builder<'_, 'a> {
    /// A reference to another process, which is resolved when all are built.
    pub(super) fn remote(
        &mut self,
        process: Name<'a>,
        pid: Option<ExprId>,
        asked: Asked<'a>,
    ) -> Parsed<ExprId> {
        let expr = self.program.exprs.push(UNRESOLVED);
        let remote = Remote { expr, process, pid, asked };
        match self.is_finished {
            true => self.resolve(remote)?,
            false => self.remotes.push(remote),
        }
        Ok(expr)
    }

    pub(super) fn resolve_remotes(&mut self) {
        for remote in std::mem::take(&mut self.remotes) {
            let _ = self.resolve(remote);
        }
    }

    /// Without a pid, the process that was started first is meant, as in Spin.
    fn resolve(&mut self, Remote { expr, process, pid, asked }: Remote<'a>) -> Parsed<()> {
        let of_it = self.instances(process, pid)?;
        // The variables of a process that has died are 0, as in Spin.
        self.observes_count |=
            matches!(asked, Asked::Var(_)) && of_it.iter().any(|&id| self.may_end(id));
        if let Asked::Label(label) = asked
            && !of_it.iter().any(|&process| self.has_label(process, label.text))
        {
            return Err(self.no_label(process.text, label));
        }
        let is_meant = |builder: &mut Self, process: ProcessId| match pid {
            Some(pid) => {
                let own = builder.pid_of(process);
                let is_it = builder.binary(PromelaBinary::Eq, pid, own);
                let is_there = builder.is_there(process);
                builder.binary(PromelaBinary::And, is_there, is_it)
            }
            None => builder.is_there(process),
        };
        let is_label = matches!(asked, Asked::Label(_));
        let is_only =
            pid.is_none() && of_it.len() == 1 && (is_label || self.program.count.is_none());
        let mut result = self.number(0);
        for &process in of_it.iter().rev() {
            let value = self.asked(process, &asked)?;
            result = match is_only {
                true => value,
                false => {
                    let is_meant = is_meant(self, process);
                    self.program.choice(is_meant, value, result)
                }
            };
        }
        self.program.exprs[expr] = self.program.exprs[result].clone();
        Ok(())
    }

    /// The processes of a proctype that a reference can be to, in the order in which they start.
    fn instances(&mut self, name: Name<'a>, pid: Option<ExprId>) -> Parsed<Vec<ProcessId>> {
        let processes = self.program.processes.iter();
        let of_it: Vec<ProcessId> =
            processes.filter(|(_, own)| own.proctype == name.text).map(|(id, _)| id).collect();
        if of_it.is_empty() {
            let names = self.program.processes.values().map(|process| &*process.proctype);
            let message = format!("there is no process `{}`", name.text);
            let error = Diagnostic::error(message, name.span, "it is never started")
                .with_nearest(name.text, names);
            return Err(self.sink.error(|| error));
        }
        self.observes_pids |= of_it.len() > 1 || pid.is_some();
        let Some(pid) = pid.and_then(|pid| self.program.constant(pid)) else { return Ok(of_it) };
        if self.program.count.is_some() {
            return Ok(of_it);
        }
        match of_it.iter().find(|id| id.0 as i32 == pid) {
            Some(&found) => Ok(vec![found]),
            None => {
                let names: Vec<String> =
                    of_it.iter().map(|id| format!("`{}[{}]`", name.text, id.0)).collect();
                let help = format!("with its pid it is one of {}", names.join(", "));
                let message = format!("there is no process `{}[{pid}]`", name.text);
                Err(self
                    .sink
                    .error(|| Diagnostic::error(message, name.span, "which one?").with_help(help)))
            }
        }
    }

    fn asked(&mut self, process: ProcessId, asked: &Asked<'a>) -> Parsed<ExprId> {
        match asked {
            Asked::Label(label) => {
                let at = self.is_at(process, label.text);
                Ok(self.program.exprs.push(at))
            }
            Asked::Var(var) => {
                let Some(symbol) = self.locals[process].get(var.name.text).cloned() else {
                    return Err(self.unknown_local(process, var.name));
                };
                let found = self.within(&symbol, var)?;
                self.value_of(found)
            }
        }
    }

    fn has_label(&self, process: ProcessId, label: &str) -> bool {
        let mut locations = self.program.processes[process].locations.values();
        locations.any(|location| location.labels.iter().any(|own| own == label))
    }

    fn is_at(&self, process: ProcessId, label: &str) -> PromelaExpr {
        let locations = self.program.processes[process].locations.iter();
        let there = locations.filter(|(_, location)| location.labels.iter().any(|l| l == label));
        PromelaExpr::At(process, there.map(|(id, _)| id).collect())
    }

    fn no_label(&mut self, process: &str, label: Name<'a>) -> Reported {
        let of_it = self.program.processes.values().filter(|other| other.proctype == process);
        let locations = of_it.flat_map(|process| process.locations.values());
        let names: Vec<&str> = locations.flat_map(|l| l.labels.iter().map(|s| &**s)).collect();
        let message = format!("`{process}` has no label `{}` that can be reached", label.text);
        let error =
            Diagnostic::error(message, label.span, "not there").with_nearest(label.text, names);
        self.sink.error(|| error)
    }

    fn unknown_local(&mut self, process: ProcessId, name: Name<'a>) -> Reported {
        let process_name = &self.program.processes[process].name;
        let message = format!("`{process_name}` has no variable `{}`", name.text);
        let error = Diagnostic::error(message, name.span, "not declared")
            .with_nearest(name.text, self.locals[process].names());
        self.sink.error(|| error)
    }
}
