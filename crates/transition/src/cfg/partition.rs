//! Partition graphs (M §4 and Def. A.3): which commands of a program are looked at together.
//!
//! The graph is kept as the tree by which Def. A.3 makes it. A call is taken apart as its body would be in its
//! place; the body of a procedure is taken apart in one way for all calls, so that what is found out about it can
//! be used again. In Def. A.3, the body of a `while` stands in the context of the loop; here a node knows its
//! context by where it stands in the tree.

use crate::cfg::program::{CommandId, CommandKind, LabelId, ProcedureId, Program, Weights};
use support::{IdVec, define_id};

define_id!(GraphId, "g");

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PartitionGraph {
    /// One node, the structure of these commands; they follow each other in a block.
    Piece(Vec<CommandId>),
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

/// Where a program is taken apart. All of pg(P) can be had in this way.
pub trait Cuts {
    /// Whether an `if`, a `while` or a call is taken apart; otherwise it is within one node. It is not called for those
    /// that a jump leads out of ([`Program::kept_whole`]).
    fn opens(&mut self, program: &Program, command: CommandId) -> bool;
    /// Whether a node ends before this command, which follows on the commands of the node in one block.
    fn begins(&mut self, program: &Program, node: &[CommandId], command: CommandId) -> bool;
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Partition {
    pub graphs: IdVec<GraphId, PartitionGraph>,
    pub root: GraphId,
    /// The graphs of the bodies that are called somewhere outside of a node.
    pub procedures: IdVec<ProcedureId, Option<GraphId>>,
}

impl Partition {
    pub fn new(program: &Program, cuts: &mut impl Cuts) -> Self {
        let procedures = program.procedures.iter().map(|_| None).collect();
        let kept_whole = program.kept_whole();
        let mut maker = Maker { program, cuts, graphs: IdVec::new(), procedures, kept_whole };
        let root = maker.block(&program.body);
        let Maker { graphs, procedures, .. } = maker;
        Self { graphs, root, procedures }
    }
}

impl Partition {
    /// The labels of where a graph begins.
    pub fn labels_at(&self, program: &Program, id: GraphId) -> Vec<LabelId> {
        match &self.graphs[id] {
            PartitionGraph::Piece(commands) => program.labels_of(commands[0]),
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
    kept_whole: IdVec<CommandId, bool>,
}

impl<C: Cuts> Maker<'_, C> {
    fn block(&mut self, commands: &[CommandId]) -> GraphId {
        let mut parts: Vec<GraphId> = Vec::new();
        let mut piece: Vec<CommandId> = Vec::new();
        for &command in commands {
            let is_opened = self.is_compound(command) && self.cuts.opens(self.program, command);
            if !piece.is_empty() && (is_opened || self.cuts.begins(self.program, &piece, command)) {
                parts.push(self.graphs.push(PartitionGraph::Piece(std::mem::take(&mut piece))));
            }
            match is_opened {
                true => parts.push(self.opened(command)),
                false => piece.push(command),
            }
        }
        if !piece.is_empty() {
            parts.push(self.graphs.push(PartitionGraph::Piece(piece)));
        }
        match parts.len() {
            1 => parts[0],
            _ => self.graphs.push(PartitionGraph::Seq(parts)),
        }
    }

    fn is_compound(&self, command: CommandId) -> bool {
        let kind = &self.program.commands[command].kind;
        !self.kept_whole[command]
            && matches!(
                kind,
                CommandKind::If { .. } | CommandKind::While { .. } | CommandKind::Call(_)
            )
    }

    fn opened(&mut self, command: CommandId) -> GraphId {
        let program = self.program;
        let graph = match &program.commands[command].kind {
            CommandKind::If { then, otherwise, .. } => PartitionGraph::If {
                command,
                then: self.block(then),
                otherwise: self.block(otherwise),
            },
            CommandKind::While { body, .. } => {
                PartitionGraph::While { command, body: self.block(body) }
            }
            CommandKind::Call(procedure) => {
                if self.procedures[*procedure].is_none() {
                    let body = self.block(&program.procedures[*procedure].body);
                    self.procedures[*procedure] = Some(body);
                }
                PartitionGraph::Call { command, procedure: *procedure }
            }
            CommandKind::Fin
            | CommandKind::Step(_)
            | CommandKind::Jump(_)
            | CommandKind::Recurse(_)
            | CommandKind::Hole { .. } => PartitionGraph::Piece(vec![command]),
        };
        self.graphs.push(graph)
    }
}

/// Everything in one node.
pub struct OneBlock;

impl Cuts for OneBlock {
    fn opens(&mut self, _: &Program, _: CommandId) -> bool {
        false
    }

    fn begins(&mut self, _: &Program, _: &[CommandId], _: CommandId) -> bool {
        false
    }
}

/// Every command in a node of its own.
pub struct Statements;

impl Cuts for Statements {
    fn opens(&mut self, _: &Program, _: CommandId) -> bool {
        true
    }

    fn begins(&mut self, _: &Program, _: &[CommandId], _: CommandId) -> bool {
        true
    }
}

/// Nodes of a good size: what follows each other is cut into rows of so many locations, since that costs nothing, but
/// a loop is in one node as long as there is room for it, since a loop that is taken apart is passed over again and
/// again. A body that is called from several places is one by itself, so that it is looked at once.
pub struct Weighed {
    row: u64,
    most: u64,
    weights: Weights,
    /// How many locations the node that is being made has.
    so_far: u64,
    /// How often each procedure is called.
    calls: IdVec<ProcedureId, u32>,
}

impl Weighed {
    /// With about `row` locations in a node, and at most `most` if that can be had.
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

    fn begins(&mut self, _: &Program, node: &[CommandId], command: CommandId) -> bool {
        if let [only] = node {
            self.so_far = self.weights.of(*only);
        }
        self.so_far = self.so_far.saturating_add(self.weights.of(command));
        self.so_far > self.row
    }
}
