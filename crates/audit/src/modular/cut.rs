//! The partition of a program, as a certificate has it.

use crate::error::AuditError;
use crate::format::number;
use crate::read::Reader;
use std::collections::BTreeSet;
use std::io::Read;
use transition::cfg::{CommandId, CommandKind, Cuts, GraphId, Partition, PartitionGraph, Program};

/// The commands that determine a partition.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cut {
    /// The compound commands that are taken apart.
    pub opened: BTreeSet<CommandId>,
    /// The commands that nodes begin with.
    pub begins: BTreeSet<CommandId>,
}

impl Cut {
    pub fn of(program: &Program, partition: &Partition) -> Self {
        let mut cut = Self::default();
        let bodies = partition.procedures.iter().filter_map(|(id, graph)| Some((id, (*graph)?)));
        let mut open: Vec<(GraphId, &[CommandId])> =
            bodies.map(|(id, graph)| (graph, &program.procedures[id].body[..])).collect();
        open.push((partition.root, &program.body));
        while let Some((graph, block)) = open.pop() {
            cut.add_block(program, partition, graph, block, &mut open);
        }
        cut
    }

    /// The graph of a block: parts that follow each other, each of some commands or of one that is taken apart.
    fn add_block<'p>(
        &mut self,
        program: &'p Program,
        partition: &Partition,
        graph: GraphId,
        block: &'p [CommandId],
        open: &mut Vec<(GraphId, &'p [CommandId])>,
    ) {
        let parts = match &partition.graphs[graph] {
            PartitionGraph::Seq(parts) => &parts[..],
            _ => &[graph],
        };
        let mut rest = block;
        for &part in parts {
            if let PartitionGraph::Block(block) = &partition.graphs[part] {
                self.begins.extend(block.first());
                rest = rest.get(block.len()..).unwrap_or_default();
                continue;
            }
            let Some((&command, after)) = rest.split_first() else { return };
            rest = after;
            self.opened.insert(command);
            match (&partition.graphs[part], &program.commands[command].kind) {
                (
                    PartitionGraph::If { then, otherwise, .. },
                    CommandKind::If { then: yes, otherwise: no, .. },
                ) => {
                    open.extend([(*then, &yes[..]), (*otherwise, &no[..])]);
                }
                (PartitionGraph::While { body, .. }, CommandKind::While { body: block, .. }) => {
                    open.push((*body, block));
                }
                _ => {}
            }
        }
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        for list in [&self.opened, &self.begins] {
            number(out, list.len() as u64);
            list.iter().for_each(|command| number(out, u64::from(command.0)));
        }
    }

    pub(crate) fn read<R: Read>(
        reader: &mut Reader<R>,
        program: &Program,
    ) -> Result<Self, AuditError> {
        let commands = program.commands.len();
        let mut list = || {
            let count = reader.below(commands + 1, "more commands than there are")?;
            let one = |_| Ok(CommandId(reader.below(commands, "a command that is not there")?));
            (0..count).map(one).collect::<Result<BTreeSet<CommandId>, AuditError>>()
        };
        Ok(Self { opened: list()?, begins: list()? })
    }
}

impl Cuts for Cut {
    fn opens(&mut self, _: &Program, command: CommandId) -> bool {
        self.opened.contains(&command)
    }

    fn begins(&mut self, _: &Program, _: &[CommandId], command: CommandId) -> bool {
        self.begins.contains(&command)
    }
}
