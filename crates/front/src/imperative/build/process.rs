//! Processes of programs.

use super::Builder;
use crate::imperative::ast::{File, Process as Written};
use crate::imperative::complaints::twice;
use rustc_hash::{FxHashMap, FxHashSet};
use support::{Diagnostic, FileId, Span};
use transition::cfg::{CommandId, CommandKind, Effect, ProgramProcess};
use transition::{NodeId, VarId};

impl<'f, 'a> Builder<'f, 'a> {
    /// Reads all processes: one without a name, if the program is one sequence of commands.
    pub(super) fn processes(&mut self, file: &'f File<'a>, id: FileId) {
        if file.processes.is_empty() {
            let body = self.body(&file.body, id);
            let (name, span) = (String::new(), Span::new(id, 0..0));
            self.program.processes.push(ProgramProcess {
                name,
                span,
                body,
                own: FxHashMap::default(),
            });
        }
        for written in &file.processes {
            self.declare_process(written);
            self.inside = Some(written.name.text);
            let body = self.body(&written.body, id);
            self.inside = None;
            let (name, span) = (written.name.text.to_owned(), written.name.span);
            self.program.processes.push(ProgramProcess {
                name,
                span,
                body,
                own: FxHashMap::default(),
            });
        }
    }

    /// Declares the variables of a process, whose name nothing else has.
    fn declare_process(&mut self, written: &Written<'a>) {
        let name = written.name;
        let first = self.program.processes.iter().find(|process| process.name == name.text);
        if let Some(first) = first {
            let first = first.span;
            self.sink.error(|| twice("the process", name, first));
            return;
        }
        if let Some(known) = self.procedures.get(name.text) {
            let span = known.written.name.span;
            self.sink.error(|| {
                let message = format!("`{}` is a procedure", name.text);
                Diagnostic::error(message, name.span, "cannot be a process too")
                    .with_label(span, "declared here")
                    .with_help("choose another name")
            });
        }
        self.declare(&written.locals, Some(name.text));
        self.initial_values(&written.locals, Some(name.text));
    }

    /// Variables of procedures that several processes call become variables of each of these.
    pub(super) fn separate(&mut self) {
        let used: Vec<FxHashSet<VarId>> =
            self.program.processes.iter().map(|process| self.vars_of(&process.body)).collect();
        let vars: Vec<VarId> = self.program.data.vars.ids().collect();
        for var in vars.into_iter().filter(|_| used.len() > 1) {
            let users: Vec<usize> =
                (0..used.len()).filter(|&user| used[user].contains(&var)).collect();
            let described = self.program.data.vars[var].clone();
            let owner = described.name.split_once('.');
            if users.len() < 2
                || owner.is_none_or(|(owner, _)| !self.procedures.contains_key(owner))
            {
                continue;
            }
            self.scope.remove(&described.name);
            for &user in &users {
                let name = format!("{}.{}", self.program.processes[user].name, described.name);
                let own = match user == users[0] {
                    // The first one keeps the number.
                    true => {
                        self.program.data.vars[var].name = name.clone();
                        Ok(var)
                    }
                    false => self.var(name.clone(), described.domain.clone(), described.span),
                };
                if let Ok(own) = own {
                    self.scope.insert(name, super::scope::Entry::Var(own));
                    self.program.processes[user].own.insert(var, own);
                }
            }
        }
    }

    /// The variables that some commands read or change, in the procedures that they call, too.
    fn vars_of(&self, block: &[CommandId]) -> FxHashSet<VarId> {
        let (mut nodes, mut found): (Vec<NodeId>, FxHashSet<VarId>) = Default::default();
        let mut called = FxHashSet::default();
        let mut open: Vec<CommandId> = block.to_vec();
        while let Some(command) = open.pop() {
            let test = match &self.program.commands[command].kind {
                // Programs with processes have no recursion.
                CommandKind::Fin | CommandKind::Jump(_) | CommandKind::Recurse(_) => continue,
                CommandKind::Hole { frame, .. } => {
                    found.extend(frame);
                    continue;
                }
                CommandKind::Call(procedure) => {
                    if called.insert(*procedure) {
                        open.extend(&self.program.procedures[*procedure].body);
                    }
                    continue;
                }
                CommandKind::Step(branches) => {
                    for branch in branches {
                        nodes.extend(branch.guard);
                        match branch.effect {
                            Effect::Set(var, node) => {
                                found.insert(var);
                                nodes.push(node);
                            }
                            Effect::Any(var) => _ = found.insert(var),
                            Effect::Nothing | Effect::Fails => {}
                        }
                    }
                    continue;
                }
                CommandKind::If { test, then, otherwise } => {
                    open.extend(then.iter().chain(otherwise));
                    test
                }
                CommandKind::While { test, body } => {
                    open.extend(body);
                    test
                }
            };
            nodes.extend([test.holds, test.fails_to_hold]);
            nodes.extend(test.error_condition);
        }
        found.extend(self.program.data.access(nodes).now);
        found
    }
}
