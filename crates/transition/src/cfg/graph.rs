//! The control-flow graph of commands: locations, and the edges between them (M Def. A.2). Variables are left as they
//! are, so a location stands for all states that are there.
//!
//! M Def. A.1 takes the rest of the program as a location, so that two places of the text with the same rest
//! are one. Here every command has its own; states that the paper makes one are then only bisimilar.

use crate::cfg::assumed::{Assumed, HoleFormulaId, StageId, StageStep};
use crate::cfg::program::{
    Branch, CommandId, CommandKind, Effect, HoleId, Jump, LabelId, Program, Test,
};
use crate::{Exprs, NodeId, VarId};
use std::ops::Range;
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

/// A location in a hole: the edges are may edges. A program in the place of the hole is in one of the cases, and takes
/// some edge of each of its groups.
#[derive(Clone, Debug)]
pub struct HoleLocation {
    /// These may be true here or not: a program in the place of the hole may come back to its beginning.
    pub labels: Vec<LabelId>,
    /// For all values of the variables that it can be here with, the guard of some case holds.
    pub cases: Vec<HoleCase>,
}

#[derive(Clone, Debug)]
pub struct HoleCase {
    /// That of its edges.
    pub guard: Option<NodeId>,
    /// The first group has all steps that are possible, the others steps of which more is assumed.
    pub groups: Vec<HoleGroup>,
}

/// Edges of a location in a hole, by number.
#[derive(Clone, Debug)]
pub struct HoleGroup {
    pub edges: Range<usize>,
    /// The untils that an edge into the hole postpones: one back to the same location is not taken for ever.
    pub postponed: Vec<HoleFormulaId>,
}

impl HoleLocation {
    /// The untils that some edges postpone.
    pub fn postponed(&self) -> Vec<HoleFormulaId> {
        let groups = self.cases.iter().flat_map(|case| &case.groups);
        let mut found: Vec<HoleFormulaId> =
            groups.flat_map(|group| group.postponed.iter().copied()).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
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

    /// Where a hole is entered, one location for each stage of what is assumed of it, and one where it runs in any
    /// way. It takes at least one step, and no step of a program changes more than one variable.
    fn hole(
        &mut self,
        command: CommandId,
        hole: HoleId,
        frame: &[VarId],
        after: CfgTarget,
    ) -> CfgTarget {
        let own = &self.program.commands[command].labels;
        let assumed = self.assumed.iter().find(|assumed| assumed.hole == hole);
        let place = |labels: &[LabelId], uncertain: &[LabelId]| {
            let in_hole = Some(HoleLocation { labels: uncertain.to_vec(), cases: Vec::new() });
            Location { command, labels: labels.to_vec(), edges: Vec::new(), in_hole }
        };
        let free = self.locations.push(place(&[], own));
        let stages = assumed.map_or(0, |assumed| assumed.stages.len());
        let first = LocationId(free.0 + 1);
        (0..stages).for_each(|_| _ = self.locations.push(place(&[], own)));
        let entry = self.locations.push(place(own, &[]));
        let exprs = &self.program.data.exprs;
        let mut steps = HoleSteps { frame, after, first, exprs, locations: &mut self.locations };
        steps.add(free, None, &[StepTarget::Free(free)]);
        match assumed {
            None => steps.add(entry, None, &[StepTarget::Free(free)]),
            Some(assumed) => {
                for (stage, own) in assumed.stages.iter() {
                    let at_entry = (stage == StageId(0)).then_some(entry);
                    for from in
                        [Some(LocationId(first.0 + stage.0)), at_entry].into_iter().flatten()
                    {
                        for case in &own.cases {
                            let groups: Vec<StepTarget> = std::iter::once(&case.all)
                                .chain(&case.some)
                                .map(StepTarget::Stage)
                                .collect();
                            steps.add(from, Some(case.guard), &groups);
                        }
                    }
                }
                steps.add(entry, Some(assumed.applies_not), &[StepTarget::Free(free)]);
                if !self.program.processes.is_empty() {
                    // Where another process has changed what the hole relies on, it may do anything. There is one
                    // stage in such programs.
                    steps.add(first, Some(assumed.applies_not), &[StepTarget::Free(free)]);
                }
            }
        }
        CfgTarget::Inside(entry)
    }
}

/// Where steps of a hole lead.
enum StepTarget<'a> {
    /// To where nothing is assumed.
    Free(LocationId),
    Stage(&'a StageStep),
}

/// The edges of a hole.
struct HoleSteps<'a> {
    frame: &'a [VarId],
    /// Behind the hole.
    after: CfgTarget,
    /// The location of the first stage.
    first: LocationId,
    exprs: &'a Exprs,
    locations: &'a mut IdVec<LocationId, Location>,
}

impl HoleSteps<'_> {
    /// Adds a case to a location.
    fn add(&mut self, from: LocationId, guard: Option<NodeId>, groups: &[StepTarget]) {
        if guard.is_some_and(|guard| self.exprs.as_constant(guard) == Some(0)) {
            return;
        }
        let groups = groups.iter().map(|target| self.group(from, guard, target)).collect();
        if let Some(in_hole) = &mut self.locations[from].in_hole {
            in_hole.cases.push(HoleCase { guard, groups });
        }
    }

    /// All that a program over some variables can do in a step.
    fn group(&mut self, from: LocationId, guard: Option<NodeId>, to: &StepTarget) -> HoleGroup {
        let (inside, conditions, postponed) = match *to {
            StepTarget::Free(free) => (free, [None; 3], &[][..]),
            StepTarget::Stage(step) => {
                let conditions = [step.inside, step.exit, step.error].map(Some);
                (LocationId(self.first.0 + step.to.0), conditions, &step.postponed[..])
            }
        };
        let changes = || self.frame.iter().map(|&var| Effect::Any(var));
        let effects = || std::iter::once(Effect::Nothing).chain(changes());
        let own = &mut self.locations[from].edges;
        let begin = own.len();
        for (to, after) in [(CfgTarget::Inside(inside), conditions[0]), (self.after, conditions[1])]
        {
            own.extend(effects().map(|effect| CfgEdge { guard, effect, to, after }));
        }
        let (effect, to) = (Effect::Nothing, CfgTarget::Error);
        own.push(CfgEdge { guard, effect, to, after: conditions[2] });
        // Where a condition is never true, there is no such step.
        let can_be = |edge: &CfgEdge| {
            edge.after.is_none_or(|after| self.exprs.as_constant(after) != Some(0))
        };
        let kept: Vec<CfgEdge> = own.drain(begin..).filter(can_be).collect();
        own.extend(kept);
        HoleGroup { edges: begin..own.len(), postponed: postponed.to_vec() }
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
