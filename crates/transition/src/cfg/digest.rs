//! Digests of programs and partitions.
//!
//! As that of a machine ([`Machine::digest`](crate::Machine::digest)), it detects accidents, not attacks.

use crate::cfg::partition::Partition;
use crate::cfg::program::{
    Branch, CommandId, CommandKind, Effect, Program, ProgramCommand, RecursiveCall, Test,
};
use crate::{NodeId, VarId, digest};

impl Partition {
    /// Taken over the derivation tree, whatever its parts are called in the code.
    pub fn digest(&self) -> u64 {
        let graphs: Vec<_> = self.graphs.values().collect();
        let procedures: Vec<_> = self.procedures.values().collect();
        digest((graphs, self.root, procedures))
    }
}

impl Program {
    /// Taken over the variables, the commands as they are numbered, and their labels. What the text looks like and
    /// what is asked does not matter.
    pub fn digest(&self) -> u64 {
        let commands: Vec<u64> =
            self.commands.values().map(|command| self.digest_of(command)).collect();
        let bodies: Vec<&[CommandId]> =
            self.procedures.values().map(|procedure| &procedure.body[..]).collect();
        digest((self.data.digest(), commands, &self.body, bodies))
    }

    fn digest_of(&self, command: &ProgramCommand) -> u64 {
        let labels: Vec<&str> = command.labels.iter().map(|&id| self.labels.name(id)).collect();
        let kind = match &command.kind {
            CommandKind::Fin => digest(0),
            CommandKind::Step(branches) => {
                let branches: Vec<u64> =
                    branches.iter().map(|b| self.digest_of_branch(b)).collect();
                digest((1, branches))
            }
            CommandKind::If { test, then, otherwise } => {
                digest((2, self.digest_of_test(test), then, otherwise))
            }
            CommandKind::While { test, body } => digest((3, self.digest_of_test(test), body)),
            CommandKind::Call(procedure) => digest((4, procedure)),
            CommandKind::Jump(jump) => digest((6, jump)),
            CommandKind::Recurse(call) => {
                let RecursiveCall { procedure, arguments, is_fine, results, saved } = call;
                let (vars, values): (Vec<VarId>, Vec<NodeId>) = arguments.iter().copied().unzip();
                let nodes = self.of(values.into_iter().chain([*is_fine]));
                digest((7, procedure, vars, nodes, results, saved))
            }
            CommandKind::Hole { hole, frame } => digest((5, self.holes.name(*hole), frame)),
        };
        digest((kind, labels))
    }

    fn digest_of_branch(&self, branch: &Branch) -> u64 {
        let effect = match branch.effect {
            Effect::Nothing => digest(0),
            Effect::Set(var, value) => digest((1, var, self.of([value]))),
            Effect::Any(var) => digest((2, var)),
            Effect::Fails => digest(3),
        };
        digest((self.of(branch.guard), effect))
    }

    fn digest_of_test(&self, test: &Test) -> u64 {
        let sides = [test.holds, test.fails_to_hold].into_iter().chain(test.error_condition);
        digest(self.of(sides))
    }

    fn of(&self, nodes: impl IntoIterator<Item = NodeId>) -> Vec<u64> {
        self.data.digests(nodes)
    }
}
