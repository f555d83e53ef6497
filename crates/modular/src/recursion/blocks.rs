//! The blocks of a recursive program: the main program, and each procedure with each valuation with which it is called.
//!
//! A block is the graph of what a body does in one frame. What a call does in frames above is not in it, but the
//! valuations with which it comes back are, each with a node for the return: the table of pairs of a procedure and an
//! entry of Sharir and Pnueli's functional approach.

use rustc_hash::FxHashMap;
use support::{Monitor, Reservation, Stopped};
use transition::cfg::{
    Bodies, CommandId, CtlAtom, FramePoint, FrameStep, FrameSteps, ProcedureId, Program,
};

/// About how many bytes a node takes.
const NODE_BYTES: u64 = 256;

/// Numbers a valuation.
pub type ValuesId = u32;

/// The program counter of a node; the values of the caller's own variables are a valuation, too.
pub type At = FramePoint<ValuesId>;

#[derive(Debug)]
pub struct BlockNode {
    pub at: At,
    pub values: ValuesId,
    /// The next nodes in this frame, but for those behind a call.
    pub next: Vec<u32>,
    pub call: Option<CallEdge>,
}

/// A call that is made in a node.
#[derive(Debug)]
pub struct CallEdge {
    pub block: u32,
    /// The node of the return, for each exit of the block.
    pub returns: Vec<u32>,
}

#[derive(Debug)]
pub struct EntryBlock {
    /// `None` for the main program.
    pub procedure: Option<ProcedureId>,
    /// The first nodes: one if it is a procedure.
    pub entries: Vec<u32>,
    pub nodes: Vec<BlockNode>,
    /// The nodes at [`At::Exit`].
    pub exits: Vec<u32>,
    /// The nodes that call it.
    pub callers: Vec<(u32, u32)>,
    known: FxHashMap<(At, ValuesId), u32>,
}

/// All blocks; the first is the main program.
pub struct EntryBlocks<'p> {
    program: &'p Program,
    bodies: Bodies,
    pub all: Vec<EntryBlock>,
    index: FxHashMap<(ProcedureId, ValuesId), u32>,
    values: Vec<Box<[i64]>>,
    values_index: FxHashMap<Box<[i64]>, ValuesId>,
    /// Nodes whose successors are unknown.
    open: Vec<(u32, u32)>,
    room: Reservation,
}

impl<'p> EntryBlocks<'p> {
    /// Finds all that can be reached. These atoms are what is asked of a state.
    pub fn new(
        program: &'p Program,
        atoms: &[CtlAtom],
        monitor: &Monitor,
    ) -> Result<Self, Stopped> {
        let mut blocks = Self {
            program,
            bodies: Bodies::new(program),
            all: vec![EntryBlock::new(None)],
            index: FxHashMap::default(),
            values: Vec::new(),
            values_index: FxHashMap::default(),
            open: Vec::new(),
            room: monitor.reserve(0)?,
        };
        for values in blocks.steps().initial(atoms.iter().copied(), monitor)? {
            let entry = blocks.steps().entry(None);
            let entry = blocks.node(0, entry, values, monitor)?;
            blocks.all[0].entries.push(entry);
        }
        while let Some((block, node)) = blocks.open.pop() {
            monitor.step(1)?;
            blocks.expand(block, node, monitor)?;
        }
        Ok(blocks)
    }

    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// About how many bytes they take.
    pub fn bytes(&self) -> u64 {
        self.room.bytes()
    }

    pub fn values(&self, id: ValuesId) -> &[i64] {
        &self.values[id as usize]
    }

    /// Whether an atom holds in a node.
    pub fn holds(&self, block: u32, node: &BlockNode, atom: CtlAtom) -> bool {
        let procedure = self.all[block as usize].procedure;
        self.steps().holds(procedure, &node.at, self.values(node.values), atom)
    }

    /// The next command of a node, and whether it is a call that has just ended.
    pub fn command(&self, block: u32, node: &BlockNode) -> Option<(CommandId, bool)> {
        let (location, is_return) = match node.at {
            FramePoint::Location(location) => (location, false),
            FramePoint::Return(location, _) => (location, true),
            FramePoint::Exit | FramePoint::Error => return None,
        };
        let body = self.steps().body(self.all[block as usize].procedure);
        Some((body.locations[location].command, is_return))
    }

    fn steps(&self) -> FrameSteps<'_> {
        FrameSteps { program: self.program, bodies: &self.bodies }
    }

    fn intern(&mut self, values: Vec<i64>) -> ValuesId {
        let values: Box<[i64]> = values.into();
        if let Some(&known) = self.values_index.get(&values) {
            return known;
        }
        let id = self.values.len() as ValuesId;
        self.values.push(values.clone());
        self.values_index.insert(values, id);
        id
    }

    fn node(
        &mut self,
        block: u32,
        point: FramePoint<Vec<i64>>,
        values: Vec<i64>,
        monitor: &Monitor,
    ) -> Result<u32, Stopped> {
        let at = match point {
            FramePoint::Location(location) => At::Location(location),
            FramePoint::Return(location, frame) => At::Return(location, self.intern(frame)),
            FramePoint::Exit => At::Exit,
            FramePoint::Error => At::Error,
        };
        let values = self.intern(values);
        let own = &mut self.all[block as usize];
        if let Some(&known) = own.known.get(&(at, values)) {
            return Ok(known);
        }
        let words = self.program.data.vars.len() as u64 * 8;
        self.room.grow(NODE_BYTES + words, monitor)?;
        let id = own.nodes.len() as u32;
        own.nodes.push(BlockNode { at, values, next: Vec::new(), call: None });
        own.known.insert((at, values), id);
        self.open.push((block, id));
        if at == At::Exit {
            own.exits.push(id);
            for (caller, node) in own.callers.clone() {
                self.add_return(caller, node, values, monitor)?;
            }
        }
        Ok(id)
    }

    fn expand(&mut self, block: u32, node: u32, monitor: &Monitor) -> Result<(), Stopped> {
        let own = &self.all[block as usize];
        let BlockNode { at, values, .. } = own.nodes[node as usize];
        let at = match at {
            At::Return(location, frame) => FramePoint::Return(location, self.values(frame)),
            At::Location(location) => FramePoint::Location(location),
            At::Exit => FramePoint::Exit,
            At::Error => FramePoint::Error,
        };
        match self.steps().step(own.procedure, at, self.values(values)) {
            FrameStep::Call(procedure, inside) => {
                self.call((block, node), procedure, inside, monitor)
            }
            FrameStep::Within(after) => {
                let mut next = Vec::new();
                for (point, values) in after {
                    next.push(self.node(block, point, values, monitor)?);
                }
                self.all[block as usize].nodes[node as usize].next = next;
                Ok(())
            }
        }
    }

    fn call(
        &mut self,
        (block, node): (u32, u32),
        procedure: ProcedureId,
        inside: Vec<i64>,
        monitor: &Monitor,
    ) -> Result<(), Stopped> {
        let entry = self.intern(inside.clone());
        let called = match self.index.get(&(procedure, entry)) {
            Some(&known) => known,
            None => {
                let id = self.all.len() as u32;
                self.all.push(EntryBlock::new(Some(procedure)));
                self.index.insert((procedure, entry), id);
                let entry = self.steps().entry(Some(procedure));
                let entry = self.node(id, entry, inside, monitor)?;
                self.all[id as usize].entries.push(entry);
                id
            }
        };
        let own = &mut self.all[block as usize].nodes[node as usize];
        own.call = Some(CallEdge { block: called, returns: Vec::new() });
        let callee = &mut self.all[called as usize];
        callee.callers.push((block, node));
        let exits: Vec<ValuesId> =
            callee.exits.iter().map(|&exit| callee.nodes[exit as usize].values).collect();
        for exit in exits {
            self.add_return(block, node, exit, monitor)?;
        }
        Ok(())
    }

    /// Adds values with which a call in a node can return.
    fn add_return(
        &mut self,
        block: u32,
        node: u32,
        values: ValuesId,
        monitor: &Monitor,
    ) -> Result<(), Stopped> {
        let own = &self.all[block as usize];
        let BlockNode { at, values: before, .. } = own.nodes[node as usize];
        let At::Location(location) = at else { return Ok(()) };
        let point = self.steps().return_of(own.procedure, location, self.values(before));
        let returned = self.node(block, point, self.values(values).to_vec(), monitor)?;
        if let Some(call) = &mut self.all[block as usize].nodes[node as usize].call {
            call.returns.push(returned);
        }
        Ok(())
    }
}

impl EntryBlock {
    fn new(procedure: Option<ProcedureId>) -> Self {
        Self {
            procedure,
            entries: Vec::new(),
            nodes: Vec::new(),
            exits: Vec::new(),
            callers: Vec::new(),
            known: FxHashMap::default(),
        }
    }
}
