//! The control-flow graph of commands: locations, and the edges between them (M Def. A.2). Variables are left as they
//! are, so a location stands for all states that are there.
//!
//! M Def. A.1 takes the rest of the program as a location, so that two places of the text with the same rest
//! are one. Here every command has its own; states that the paper makes one are then only bisimilar.

use crate::cfg::program::{
    Assumed, Branch, CommandId, CommandKind, Effect, HoleId, Jump, LabelId, Program, Test,
};
use crate::{NodeId, VarId};
use support::{IdVec, define_id};

define_id!(LocationId, "loc");

/// Where a step leads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CfgTarget {
    Inside(LocationId),
    /// One of the exits, by number. Commands have one, number 0.
    Exit(u32),
    /// The error location, which is never left.
    Error,
}

#[derive(Clone, Copy, Debug)]
pub struct CfgEdge {
    /// When it is there; always, if nothing is said.
    pub guard: Option<NodeId>,
    /// Never [`Effect::Fails`]: then the edge leads to [`CfgTarget::Error`].
    pub effect: Effect,
    pub to: CfgTarget,
    /// The postcondition of the step, where one is assumed.
    pub after: Option<NodeId>,
}

#[derive(Clone, Debug)]
pub struct Location {
    pub command: CommandId,
    pub labels: Vec<LabelId>,
    pub edges: Vec<CfgEdge>,
    /// Set inside of a hole.
    pub in_hole: Option<HoleLocation>,
}

/// A location in a hole: the edges are may edges.
#[derive(Clone, Debug)]
pub struct HoleLocation {
    /// These may be true here or not: a program in the place of the hole may come back to its beginning.
    pub labels: Vec<LabelId>,
    /// Whether the hole is assumed to end: its edges to itself are not taken for ever.
    pub ends: bool,
}

/// The meaning of some commands. What follows has smaller numbers than what it follows on, except where a loop
/// goes back.
#[derive(Clone, Debug)]
pub struct Cfg {
    pub locations: IdVec<LocationId, Location>,
    /// Where it begins.
    pub entry: LocationId,
}

impl Cfg {
    /// Of commands that follow each other, at least one, with one way out. A recursive call has one edge, to where it
    /// returns to, and what it does is left to the reader of the graph.
    pub fn of(program: &Program, assumed: &[Assumed], commands: &[CommandId]) -> Self {
        let mut builder = Builder::new(program, assumed);
        let entry = match builder.block(commands, CfgTarget::Exit(0)) {
            CfgTarget::Inside(entry) => entry,
            CfgTarget::Exit(_) | CfgTarget::Error => LocationId(0),
        };
        Self { locations: builder.locations, entry }
    }

    /// Of the condition of an `if` or `while` alone: out by 0 where it holds, by 1 where it does not.
    pub fn of_test(program: &Program, command: CommandId) -> Self {
        let mut builder = Builder::new(program, &[]);
        let entry = builder.place(command);
        if let CommandKind::If { test, .. } | CommandKind::While { test, .. } =
            &program.commands[command].kind
        {
            builder.locations[entry].edges =
                edges_of_test(*test, CfgTarget::Exit(0), CfgTarget::Exit(1));
        }
        Self { locations: builder.locations, entry }
    }

    /// The locations from which an edge leads to each, without repetition.
    pub fn sources(&self) -> IdVec<LocationId, Vec<LocationId>> {
        let mut sources: IdVec<LocationId, Vec<LocationId>> =
            self.locations.iter().map(|_| Vec::new()).collect();
        for (from, location) in self.locations.iter() {
            for edge in &location.edges {
                if let CfgTarget::Inside(to) = edge.to
                    && sources[to].last() != Some(&from)
                {
                    sources[to].push(from);
                }
            }
        }
        sources
    }
}

struct Builder<'p> {
    program: &'p Program,
    assumed: &'p [Assumed],
    locations: IdVec<LocationId, Location>,
    /// Behind the loops around the command, with their conditions, the innermost last.
    loops: Vec<[CfgTarget; 2]>,
    /// Behind the calls around the command, with how many loops are around each.
    calls: Vec<(CfgTarget, usize)>,
}

impl<'p> Builder<'p> {
    fn new(program: &'p Program, assumed: &'p [Assumed]) -> Self {
        let (loops, calls) = (Vec::new(), Vec::new());
        Self { program, assumed, locations: IdVec::new(), loops, calls }
    }

    /// Where a jump leads; a reader refuses those that lead nowhere.
    fn jump(&self, jump: Jump, after: CfgTarget) -> CfgTarget {
        let outer = self.calls.last().map_or(0, |&(_, outer)| outer);
        let innermost = self.loops[outer..].last();
        let target = match jump {
            Jump::Break => innermost.map(|&[after, _]| after),
            Jump::Continue => innermost.map(|&[_, head]| head),
            // A body by itself ends.
            Jump::Return => Some(self.calls.last().map_or(CfgTarget::Exit(0), |&(after, _)| after)),
        };
        target.unwrap_or(after)
    }

    /// From the last command to the first: each has to know where it leads. Gives where the block begins.
    fn block(&mut self, commands: &[CommandId], after: CfgTarget) -> CfgTarget {
        commands.iter().rev().fold(after, |after, &command| self.command(command, after))
    }

    fn command(&mut self, command: CommandId, after: CfgTarget) -> CfgTarget {
        let program = self.program;
        match &program.commands[command].kind {
            CommandKind::Call(procedure) => {
                self.calls.push((after, self.loops.len()));
                let entry = self.block(&program.procedures[*procedure].body, after);
                self.calls.pop();
                entry
            }
            CommandKind::Jump(jump) => {
                let to = self.jump(*jump, after);
                let head = self.place(command);
                self.locations[head].edges = vec![CfgEdge::plain(to)];
                CfgTarget::Inside(head)
            }
            CommandKind::Recurse(_) => {
                let head = self.place(command);
                self.locations[head].edges = vec![CfgEdge::plain(after)];
                CfgTarget::Inside(head)
            }
            CommandKind::Hole { hole, frame } => self.hole(command, *hole, frame, after),
            CommandKind::If { test, then, otherwise } => {
                let then = self.block(then, after);
                let otherwise = self.block(otherwise, after);
                let head = self.place(command);
                self.locations[head].edges = edges_of_test(*test, then, otherwise);
                CfgTarget::Inside(head)
            }
            CommandKind::While { test, body } => {
                let head = self.place(command);
                self.loops.push([after, CfgTarget::Inside(head)]);
                let body = self.block(body, CfgTarget::Inside(head));
                self.loops.pop();
                self.locations[head].edges = edges_of_test(*test, body, after);
                CfgTarget::Inside(head)
            }
            CommandKind::Step(branches) => {
                let head = self.place(command);
                self.locations[head].edges =
                    branches.iter().map(|branch| edge_of(branch, after)).collect();
                CfgTarget::Inside(head)
            }
            CommandKind::Fin => {
                let head = self.place(command);
                self.locations[head].edges = vec![CfgEdge::plain(CfgTarget::Inside(head))];
                CfgTarget::Inside(head)
            }
        }
    }

    fn place(&mut self, command: CommandId) -> LocationId {
        let labels = self.program.commands[command].labels.clone();
        self.locations.push(Location { command, labels, edges: Vec::new(), in_hole: None })
    }

    /// Where a hole is entered, where it runs as is assumed of it, and where it runs in any way. It takes at least
    /// one step, and no step of a program changes more than one variable.
    fn hole(
        &mut self,
        command: CommandId,
        hole: HoleId,
        frame: &[VarId],
        after: CfgTarget,
    ) -> CfgTarget {
        let assumed = self.assumed.iter().find(|assumed| assumed.hole == hole).copied();
        let labels = &self.program.commands[command].labels;
        let in_hole = |ends: bool| Some(HoleLocation { labels: labels.clone(), ends });
        let inside = |in_hole: Option<HoleLocation>| Location {
            command,
            labels: Vec::new(),
            edges: Vec::new(),
            in_hole,
        };
        let free = self.locations.push(inside(in_hole(false)));
        self.locations[free].edges = edges_of_hole(frame, free, after, None, None);
        let entry = match assumed {
            None => edges_of_hole(frame, free, after, None, None),
            Some(assumed) => {
                let kept = self.locations.push(inside(in_hole(assumed.ends)));
                self.locations[kept].edges =
                    edges_of_hole(frame, kept, after, None, Some(&assumed));
                let mut entry =
                    edges_of_hole(frame, kept, after, Some(assumed.inside), Some(&assumed));
                entry.extend(edges_of_hole(frame, free, after, Some(assumed.outside), None));
                entry
            }
        };
        let labels = labels.clone();
        let known = Some(HoleLocation { labels: Vec::new(), ends: false });
        CfgTarget::Inside(self.locations.push(Location {
            command,
            labels,
            edges: entry,
            in_hole: known,
        }))
    }
}

impl CfgEdge {
    fn plain(to: CfgTarget) -> Self {
        Self { guard: None, effect: Effect::Nothing, to, after: None }
    }
}

// M Def. A.2, assignment.
fn edge_of(branch: &Branch, after: CfgTarget) -> CfgEdge {
    match branch.effect {
        Effect::Fails => CfgEdge { guard: branch.guard, ..CfgEdge::plain(CfgTarget::Error) },
        effect => CfgEdge { guard: branch.guard, effect, ..CfgEdge::plain(after) },
    }
}

// M Def. A.4.
fn edges_of_test(test: Test, yes: CfgTarget, no: CfgTarget) -> Vec<CfgEdge> {
    let edge = |guard: NodeId, to: CfgTarget| CfgEdge { guard: Some(guard), ..CfgEdge::plain(to) };
    let mut edges = vec![edge(test.holds, yes), edge(test.fails_to_hold, no)];
    edges.extend(test.error_condition.map(|guard| edge(guard, CfgTarget::Error)));
    edges
}

/// All that a program over some variables can do in a step.
fn edges_of_hole(
    frame: &[VarId],
    inside: LocationId,
    after: CfgTarget,
    guard: Option<NodeId>,
    assumed: Option<&Assumed>,
) -> Vec<CfgEdge> {
    let effects = || {
        let changes = frame.iter().map(|&var| Effect::Any(var));
        std::iter::once(Effect::Nothing).chain(changes)
    };
    let leading = |to: CfgTarget, condition: Option<NodeId>| {
        effects().map(move |effect| CfgEdge { guard, effect, to, after: condition })
    };
    let mut edges: Vec<CfgEdge> =
        leading(CfgTarget::Inside(inside), assumed.map(|assumed| assumed.inside)).collect();
    edges.extend(leading(after, assumed.map(|assumed| assumed.exit)));
    // A program that terminates has no run-time error.
    if !assumed.is_some_and(|assumed| assumed.ends) {
        let after = assumed.map(|assumed| assumed.error);
        edges.push(CfgEdge { guard, effect: Effect::Nothing, to: CfgTarget::Error, after });
    }
    edges
}
