//! The blocks of a recursive program: the main program, and each procedure with each valuation with which it is called.
//!
//! A block is the graph of what a body does in one frame. What a call does in frames above is not in it, but the
//! valuations with which it comes back are, each with a node for the return: the table of pairs of a procedure and an
//! entry of Sharir and Pnueli's functional approach.

use rustc_hash::FxHashMap;
use support::{IdVec, Monitor, Reservation, StopReason, Stopped};
use transition::cfg::{
    Cfg, CfgEdge, CfgTarget, CommandKind, CtlAtom, Effect, LocationId, ProcedureId, Program,
    RecursiveCall,
};
use transition::{ExprNode, NodeId, Section, VarId};

/// About how many bytes a node takes.
const NODE_BYTES: u64 = 256;
/// More initial states than this are not enumerated.
const MOST_INITIAL: usize = 1 << 20;

/// Numbers a valuation.
pub type ValuesId = u32;

/// The program counter of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum At {
    Location(LocationId),
    /// Behind the call there, with the caller's variables as they were.
    Return(LocationId, ValuesId),
    /// The procedure has ended: the same state as the return of the caller.
    Exit,
    Error,
}

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
    procedure: Option<ProcedureId>,
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
    main: Cfg,
    bodies: IdVec<ProcedureId, Option<Cfg>>,
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
            main: Cfg::of(program, &[], &program.body),
            bodies: program.procedures.iter().map(|_| None).collect(),
            all: vec![EntryBlock::new(None)],
            index: FxHashMap::default(),
            values: Vec::new(),
            values_index: FxHashMap::default(),
            open: Vec::new(),
            room: monitor.reserve(0)?,
        };
        for values in blocks.initial(atoms, monitor)? {
            let values = blocks.intern(values);
            let entry = At::Location(blocks.main.entry);
            let entry = blocks.node(0, entry, values, monitor)?;
            blocks.all[0].entries.push(entry);
        }
        while let Some((block, node)) = blocks.open.pop() {
            monitor.step(1)?;
            blocks.expand(block, node, monitor)?;
        }
        Ok(blocks)
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
        match atom {
            CtlAtom::Holds(expr) => self.value(expr, self.values(node.values)) == 1,
            CtlAtom::Error => node.at == At::Error,
            CtlAtom::End => false,
            CtlAtom::At(label) => match node.at {
                At::Location(location) => {
                    self.body(block).locations[location].labels.contains(&label)
                }
                At::Return(..) | At::Exit | At::Error => false,
            },
        }
    }

    /// The initial valuations. A variable of a procedure is assigned before it is read, so unless a formula reads it,
    /// one initial value stands for all.
    fn initial(&self, atoms: &[CtlAtom], monitor: &Monitor) -> Result<Vec<Vec<i64>>, Stopped> {
        let data = &self.program.data;
        let asked = atoms.iter().filter_map(|atom| match atom {
            CtlAtom::Holds(node) => Some(*node),
            CtlAtom::At(_) | CtlAtom::Error | CtlAtom::End => None,
        });
        let asked = data.access(asked).now;
        let start = data.constraints.iter().filter(|one| one.section == Section::Init);
        // Each says something of one variable.
        let start: Vec<(Vec<VarId>, NodeId)> = start
            .map(|one| (data.access([one.node]).now.into_iter().collect(), one.node))
            .collect();
        let mut found = vec![vec![0; data.vars.len()]];
        for (var, described) in data.vars.iter() {
            let is_unread = described.name.contains('.') && !asked.contains(&var);
            let size = if is_unread { 1 } else { described.domain.size() };
            if size > MOST_INITIAL as u128 {
                return Err(Stopped(StopReason::States));
            }
            let own = start.iter().filter(|(vars, _)| vars.contains(&var));
            let own: Vec<NodeId> = own.map(|&(_, node)| node).collect();
            let mut values = Vec::new();
            for number in 0..size as u64 {
                monitor.step(1)?;
                let mut tried = vec![0; data.vars.len()];
                tried[var.0 as usize] = described.domain.value(number);
                if own.iter().all(|&node| self.value(node, &tried) == 1) {
                    values.push(tried[var.0 as usize]);
                }
            }
            if found.len().saturating_mul(values.len()) > MOST_INITIAL {
                return Err(Stopped(StopReason::States));
            }
            let with = |rest: &Vec<i64>, value: i64| {
                let mut with = rest.clone();
                with[var.0 as usize] = value;
                with
            };
            found = found
                .iter()
                .flat_map(|rest| values.iter().map(move |&value| with(rest, value)))
                .collect();
        }
        Ok(found)
    }

    pub fn body(&self, block: u32) -> &Cfg {
        let procedure = self.all[block as usize].procedure;
        procedure.and_then(|id| self.bodies[id].as_ref()).unwrap_or(&self.main)
    }

    fn value(&self, node: NodeId, values: &[i64]) -> i64 {
        let leaf =
            |leaf: ExprNode| if let ExprNode::Now(var) = leaf { values[var.0 as usize] } else { 0 };
        // Expressions of programs always have a value.
        self.program.data.exprs.evaluate(node, leaf).unwrap_or(0)
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
        at: At,
        values: ValuesId,
        monitor: &Monitor,
    ) -> Result<u32, Stopped> {
        let own = &mut self.all[block as usize];
        if let Some(&known) = own.known.get(&(at, values)) {
            return Ok(known);
        }
        let words = self.program.data.vars.len() as u64 * 8;
        self.room.grow(NODE_BYTES + words, monitor)?;
        let id = own.nodes.len() as u32;
        own.nodes.push(BlockNode { at, values, next: Vec::new(), call: None });
        own.known.insert((at, values), id);
        match at {
            At::Exit => {
                own.exits.push(id);
                for (caller, node) in own.callers.clone() {
                    self.add_return(caller, node, values, monitor)?;
                }
            }
            At::Error => own.nodes[id as usize].next.push(id),
            At::Location(_) | At::Return(..) => self.open.push((block, id)),
        }
        Ok(id)
    }

    fn target(
        &mut self,
        block: u32,
        to: CfgTarget,
        values: ValuesId,
        monitor: &Monitor,
    ) -> Result<u32, Stopped> {
        let at = match to {
            CfgTarget::Inside(location) => At::Location(location),
            CfgTarget::Exit(_) => At::Exit,
            CfgTarget::Error => At::Error,
        };
        self.node(block, at, values, monitor)
    }

    fn expand(&mut self, block: u32, node: u32, monitor: &Monitor) -> Result<(), Stopped> {
        let BlockNode { at, values, .. } = self.all[block as usize].nodes[node as usize];
        let (At::Location(location) | At::Return(location, _)) = at else { return Ok(()) };
        let program = self.program;
        let Cfg { locations, .. } = self.body(block);
        let (command, edges) = (locations[location].command, locations[location].edges.clone());
        let before = self.values(values).to_vec();
        let next = match (&program.commands[command].kind, at) {
            (CommandKind::Recurse(call), At::Return(_, frame)) => {
                let (to, values) = self.returned(call, edges[0].to, values, frame);
                vec![self.target(block, to, values, monitor)?]
            }
            (CommandKind::Recurse(call), _) if self.value(call.is_fine, &before) == 1 => {
                let mut inside = before.clone();
                for &(var, value) in &call.arguments {
                    inside[var.0 as usize] = self.value(value, &before);
                }
                let inside = self.intern(inside);
                return self.call((block, node), call.procedure, inside, monitor);
            }
            (CommandKind::Recurse(_), _) => {
                vec![self.target(block, CfgTarget::Error, values, monitor)?]
            }
            _ => {
                let mut next = Vec::new();
                for edge in edges {
                    for after in self.results(&edge, &before) {
                        let after = self.intern(after);
                        next.push(self.target(block, edge.to, after, monitor)?);
                    }
                }
                next
            }
        };
        self.all[block as usize].nodes[node as usize].next = next;
        Ok(())
    }

    fn results(&self, edge: &CfgEdge, before: &[i64]) -> Vec<Vec<i64>> {
        if edge.guard.is_some_and(|guard| self.value(guard, before) != 1) {
            return Vec::new();
        }
        let with = |var: VarId, value: i64| {
            let mut after = before.to_vec();
            after[var.0 as usize] = value;
            after
        };
        match edge.effect {
            Effect::Nothing | Effect::Fails => vec![before.to_vec()],
            Effect::Set(var, value) => vec![with(var, self.value(value, before))],
            Effect::Any(var) => {
                let domain = &self.program.data.vars[var].domain;
                (0..domain.size() as u64).map(|number| with(var, domain.value(number))).collect()
            }
        }
    }

    fn call(
        &mut self,
        (block, node): (u32, u32),
        procedure: ProcedureId,
        inside: ValuesId,
        monitor: &Monitor,
    ) -> Result<(), Stopped> {
        let called = match self.index.get(&(procedure, inside)) {
            Some(&known) => known,
            None => {
                let program = self.program;
                let body = || Cfg::of(program, &[], &program.procedures[procedure].body);
                let entry = self.bodies[procedure].get_or_insert_with(body).entry;
                let id = self.all.len() as u32;
                self.all.push(EntryBlock::new(Some(procedure)));
                self.index.insert((procedure, inside), id);
                let entry = self.node(id, At::Location(entry), inside, monitor)?;
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
        let BlockNode { at, values: before, .. } = self.all[block as usize].nodes[node as usize];
        let At::Location(location) = at else { return Ok(()) };
        let program = self.program;
        let command = self.body(block).locations[location].command;
        let CommandKind::Recurse(call) = &program.commands[command].kind else { return Ok(()) };
        let before = self.values(before);
        let frame = call.saved.iter().map(|var| before[var.0 as usize]).collect();
        let frame = self.intern(frame);
        let returned = self.node(block, At::Return(location, frame), values, monitor)?;
        if let Some(call) = &mut self.all[block as usize].nodes[node as usize].call {
            call.returns.push(returned);
        }
        Ok(())
    }

    /// The step back into the caller's frame.
    fn returned(
        &mut self,
        call: &RecursiveCall,
        after: CfgTarget,
        values: ValuesId,
        frame: ValuesId,
    ) -> (CfgTarget, ValuesId) {
        let inside = self.values(values);
        let mut outside = inside.to_vec();
        for (var, &value) in call.saved.iter().zip(self.values(frame)) {
            outside[var.0 as usize] = value;
        }
        for &(target, result) in &call.results {
            let value = inside[result.0 as usize];
            if !self.program.data.vars[target].domain.contains(value) {
                return (CfgTarget::Error, values);
            }
            outside[target.0 as usize] = value;
        }
        (after, self.intern(outside))
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
