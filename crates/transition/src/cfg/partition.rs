//! Partition graphs (M §4 and Def. A.3): the division of a program into blocks, one of which is in memory at a time.
//!
//! The graph is stored as the derivation tree of Def. A.3. A call is divided as its body would be in its place;
//! the body of a procedure is divided once for all calls, so that the results about it are reused. In Def. A.3,
//! the body of a `while` stands in the context of the loop; here the position of a node in the tree is its context.

use crate::cfg::program::{CommandId, CommandKind, LabelId, ProcedureId, Program, Weights};
use support::{IdVec, define_id};

define_id!(GraphId, "g");

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum PartitionGraph {
    /// One node, the structure of these consecutive commands.
    Block(Vec<CommandId>),
    /// Graphs that follow each other, with null edges between them.
    Seq(Vec<GraphId>),
    /// A node for the condition, with a yes-edge and a no-edge.
    If {
        command: CommandId,
        then: GraphId,
        otherwise: GraphId,
    },
    While {
        command: CommandId,
        body: GraphId,
    },
    /// The graph of a procedure's body.
    Call {
        command: CommandId,
        procedure: ProcedureId,
    },
}

/// A choice of where to divide a program. Every element of pg(P) is the result of some choice.
pub trait Cuts {
    /// Whether an `if`, a `while` or a call is divided; otherwise it is within one block. It is not called for those
    /// that a jump leads out of ([`Program::indivisible`]).
    fn opens(&mut self, program: &Program, command: CommandId) -> bool;
    /// Whether a block ends before this command, which follows the commands of the block.
    fn begins(&mut self, program: &Program, block: &[CommandId], command: CommandId) -> bool;
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Partition {
    pub graphs: IdVec<GraphId, PartitionGraph>,
    pub root: GraphId,
    /// The graphs of the bodies that are called outside of a block.
    pub procedures: IdVec<ProcedureId, Option<GraphId>>,
}

impl Partition {
    pub fn new(program: &Program, cuts: &mut impl Cuts) -> Self {
        let procedures = program.procedures.iter().map(|_| None).collect();
        let indivisible = program.indivisible();
        let mut maker = Maker { program, cuts, graphs: IdVec::new(), procedures, indivisible };
        let root = maker.graph_of(&program.body);
        let Maker { graphs, procedures, .. } = maker;
        Self { graphs, root, procedures }
    }
}

impl Partition {
    /// The labels at the entry of a graph.
    pub fn labels_at(&self, program: &Program, id: GraphId) -> Vec<LabelId> {
        match &self.graphs[id] {
            PartitionGraph::Block(commands) => program.labels_of(commands[0]),
            PartitionGraph::Seq(parts) => self.labels_at(program, parts[0]),
            PartitionGraph::If { command, .. } | PartitionGraph::While { command, .. } => {
                program.labels_of(*command)
            }
            PartitionGraph::Call { procedure, .. } => {
                program.labels_of(program.procedures[*procedure].body[0])
            }
        }
    }
}

struct Maker<'p, C> {
    program: &'p Program,
    cuts: &'p mut C,
    graphs: IdVec<GraphId, PartitionGraph>,
    procedures: IdVec<ProcedureId, Option<GraphId>>,
    indivisible: IdVec<CommandId, bool>,
}

impl<C: Cuts> Maker<'_, C> {
    fn graph_of(&mut self, commands: &[CommandId]) -> GraphId {
        let mut parts: Vec<GraphId> = Vec::new();
        let mut block: Vec<CommandId> = Vec::new();
        for &command in commands {
            let is_divided = self.is_compound(command) && self.cuts.opens(self.program, command);
            if !block.is_empty() && (is_divided || self.cuts.begins(self.program, &block, command))
            {
                parts.push(self.graphs.push(PartitionGraph::Block(std::mem::take(&mut block))));
            }
            match is_divided {
                true => parts.push(self.divided(command)),
                false => block.push(command),
            }
        }
        if !block.is_empty() {
            parts.push(self.graphs.push(PartitionGraph::Block(block)));
        }
        match parts.len() {
            1 => parts[0],
            _ => self.graphs.push(PartitionGraph::Seq(parts)),
        }
    }

    fn is_compound(&self, command: CommandId) -> bool {
        let kind = &self.program.commands[command].kind;
        !self.indivisible[command]
            && matches!(
                kind,
                CommandKind::If { .. } | CommandKind::While { .. } | CommandKind::Call(_)
            )
    }

    fn divided(&mut self, command: CommandId) -> GraphId {
        let program = self.program;
        let graph = match &program.commands[command].kind {
            CommandKind::If { then, otherwise, .. } => PartitionGraph::If {
                command,
                then: self.graph_of(then),
                otherwise: self.graph_of(otherwise),
            },
            CommandKind::While { body, .. } => {
                PartitionGraph::While { command, body: self.graph_of(body) }
            }
            CommandKind::Call(procedure) => {
                if self.procedures[*procedure].is_none() {
                    let body = self.graph_of(&program.procedures[*procedure].body);
                    self.procedures[*procedure] = Some(body);
                }
                PartitionGraph::Call { command, procedure: *procedure }
            }
            CommandKind::Fin
            | CommandKind::Step(_)
            | CommandKind::Jump(_)
            | CommandKind::Recurse(_)
            | CommandKind::Hole { .. } => PartitionGraph::Block(vec![command]),
        };
        self.graphs.push(graph)
    }
}

/// Puts the program into one block.
pub struct OneBlock;

impl Cuts for OneBlock {
    fn opens(&mut self, _: &Program, _: CommandId) -> bool {
        false
    }

    fn begins(&mut self, _: &Program, _: &[CommandId], _: CommandId) -> bool {
        false
    }
}

/// Puts every command into a block of its own.
pub struct Statements;

impl Cuts for Statements {
    fn opens(&mut self, _: &Program, _: CommandId) -> bool {
        true
    }

    fn begins(&mut self, _: &Program, _: &[CommandId], _: CommandId) -> bool {
        true
    }
}

/// Bounds the blocks by their number of locations. Sequences are cut into short blocks, which costs nothing. A loop
/// stays in one block as long as memory suffices, since a divided loop takes several passes to a fixpoint. A body with
/// several calls is a block of its own, so that it is checked once.
pub struct Weighed {
    row: u64,
    most: u64,
    weights: Weights,
    /// The number of locations of the block under construction.
    so_far: u64,
    /// The number of calls of each procedure.
    calls: IdVec<ProcedureId, u32>,
}

impl Weighed {
    /// With about `row` locations in a block, and at most `most` where the program allows it.
    pub fn new(program: &Program, row: u64, most: u64) -> Self {
        let mut calls: IdVec<ProcedureId, u32> = program.procedures.iter().map(|_| 0).collect();
        for command in program.commands.values() {
            if let CommandKind::Call(procedure) = command.kind {
                calls[procedure] += 1;
            }
        }
        Self { row: row.min(most), most, weights: Weights::new(program), so_far: 0, calls }
    }
}

impl Cuts for Weighed {
    fn opens(&mut self, program: &Program, command: CommandId) -> bool {
        let weight = self.weights.of(command);
        match program.commands[command].kind {
            CommandKind::Call(procedure) => self.calls[procedure] > 1 || weight > self.row,
            CommandKind::If { .. } => weight > self.row,
            _ => weight > self.most,
        }
    }

    fn begins(&mut self, _: &Program, block: &[CommandId], command: CommandId) -> bool {
        if let [only] = block {
            self.so_far = self.weights.of(*only);
        }
        self.so_far = self.so_far.saturating_add(self.weights.of(command));
        self.so_far > self.row
    }
}
