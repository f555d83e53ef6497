//! The last passes over the graph of a process, and over the model.

use super::super::program::{
    Action, ExprId, LocationId, LocationMarks, ProcessId, PromelaBinary, PromelaEdge,
    PromelaLocation, PromelaModel, PromelaUnary,
};
use super::Builder;
use super::graph::{DraftEdge, DraftEffect, Graph, STARTED};
use crate::sink::Parsed;
use std::collections::BTreeMap;
use support::{Diagnostic, IdVec};

/// The places of a process, and how it goes from one to another.
pub(super) struct Control {
    pub locations: IdVec<LocationId, PromelaLocation>,
    pub edges: Vec<PromelaEdge>,
    pub start: LocationId,
    pub end: LocationId,
}

impl<'a> Builder<'_, 'a> {
    /// Makes one graph of what has been drawn.
    pub(super) fn finish_graph(&mut self, mut graph: Graph<'a>) -> Parsed<Graph<'a>> {
        graph.settle();
        self.resolve_else(&mut graph, 0)?;
        Ok(graph)
    }

    /// The lines from each place, by number, from the one with the number `first` on.
    fn by_source(graph: &Graph<'a>, first: usize) -> BTreeMap<LocationId, Vec<usize>> {
        let mut groups: BTreeMap<LocationId, Vec<usize>> = BTreeMap::new();
        for (index, line) in graph.lines.iter().enumerate().skip(first) {
            groups.entry(graph.find(line.source)).or_default().push(index);
        }
        groups
    }

    /// `else` can be executed where nothing else can.
    pub(super) fn resolve_else(&mut self, graph: &mut Graph<'a>, first: usize) -> Parsed<()> {
        for lines in Self::by_source(graph, first).into_values() {
            let mut elses = lines.iter().filter(|&&line| graph.lines[line].guard.is_none());
            let Some(&own) = elses.next() else { continue };
            if let Some(&second) = elses.next() {
                let (first, second) = (graph.lines[own].span, graph.lines[second].span);
                return Err(self.sink.error(|| {
                    Diagnostic::error("two `else` in one place", second, "the second one")
                        .with_label(first, "the first one")
                }));
            }
            let mut any = self.number(0);
            for line in lines.iter().map(|&line| &graph.lines[line]) {
                let Some(guard) = line.guard else { continue };
                self.refuse_handshake(line, graph.lines[own].span)?;
                any = match self.program.constant(any) {
                    Some(0) => guard,
                    _ => self.binary(PromelaBinary::Or, any, guard),
                };
            }
            graph.lines[own].guard = Some(self.unary(PromelaUnary::Not, any));
        }
        Ok(())
    }

    /// Whether a rendezvous is possible is not known to those who take part.
    fn refuse_handshake(&mut self, line: &DraftEdge, place: support::Span) -> Parsed<()> {
        if !self.is_handshake(line) {
            return Ok(());
        }
        let message = "`else` beside a rendezvous is not supported";
        let error = Diagnostic::error(message, place, "this `else`")
            .with_label(line.span, "whether this can be executed depends on another process");
        Err(self.sink.unsupported(message, error))
    }

    /// `provided`: nothing is executable unless this holds. A `d_step` is one statement.
    pub(super) fn provide(&mut self, condition: ExprId, graph: &mut Graph<'a>) {
        for index in 0..graph.lines.len() {
            let DraftEdge { source, guard: Some(guard), .. } = graph.lines[index] else { continue };
            if !graph.places[source].is_in_dstep {
                let both = self.binary(PromelaBinary::And, condition, guard);
                graph.lines[index].guard = Some(both);
            }
        }
    }

    /// `{ main } unless { escape }`, whose lines are those from `first` and from `second` on, the latter from `entry`:
    /// where the escape can be executed, nothing of the main statement can.
    pub(super) fn add_escapes(
        &mut self,
        graph: &mut Graph<'a>,
        [first, second]: [usize; 2],
        entry: LocationId,
    ) -> Parsed<()> {
        let escapes = graph.lines[second..].iter().filter(|line| graph.find(line.source) == entry);
        let escapes: Vec<DraftEdge> = escapes.cloned().collect();
        let mut can_escape = self.number(0);
        for line in &escapes {
            let is_handshake = self.is_handshake(line);
            let Some(guard) = line.guard.filter(|_| !is_handshake) else {
                let message = "`unless` before `else` or a rendezvous is not supported";
                return Err(self.unsupported(line.span, message, "when can this be executed?"));
            };
            can_escape = self.binary(PromelaBinary::Or, can_escape, guard);
        }
        let stays = self.unary(PromelaUnary::Not, can_escape);
        let mut sources: Vec<LocationId> = Vec::new();
        for index in first..second {
            let source = graph.find(graph.lines[index].source);
            if graph.places[source].is_in_dstep {
                continue;
            }
            if let Some(guard) = graph.lines[index].guard {
                graph.lines[index].guard = Some(self.binary(PromelaBinary::And, stays, guard));
            }
            if !sources.contains(&source) {
                sources.push(source);
            }
        }
        for source in sources {
            graph.lines.extend(escapes.iter().map(|line| DraftEdge { source, ..line.clone() }));
        }
        Ok(())
    }

    fn is_handshake(&self, line: &DraftEdge) -> bool {
        match &line.effect {
            DraftEffect::Action(Action::Send { channel, .. } | Action::Receive { channel, .. }) => {
                self.described(*channel).is_rendezvous()
            }
            _ => false,
        }
    }

    /// Lets every line wait for those before it to be impossible.
    pub(super) fn make_deterministic(&mut self, graph: &mut Graph<'a>, first: usize) {
        for lines in Self::by_source(graph, first).into_values() {
            let mut before: Option<ExprId> = None;
            for line in lines {
                let Some(guard) = graph.lines[line].guard else { continue };
                if let Some(before) = before {
                    let free = self.unary(PromelaUnary::Not, before);
                    graph.lines[line].guard = Some(self.binary(PromelaBinary::And, free, guard));
                }
                before = Some(match before {
                    Some(before) => self.binary(PromelaBinary::Or, before, guard),
                    None => guard,
                });
            }
        }
    }

    /// Makes it an error that several statements of a `D_proctype` are executable.
    pub(super) fn expect_deterministic(&mut self, graph: &mut Graph<'a>) {
        for lines in Self::by_source(graph, 0).into_values().filter(|lines| lines.len() > 1) {
            let guards: Vec<ExprId> =
                lines.iter().filter_map(|&line| graph.lines[line].guard).collect();
            let (mut any, mut several) = (self.number(0), self.number(0));
            for guard in guards {
                let both = self.binary(PromelaBinary::And, any, guard);
                several = self.binary(PromelaBinary::Or, several, both);
                any = self.binary(PromelaBinary::Or, any, guard);
            }
            let never = self.number(0);
            graph.lines.push(DraftEdge {
                guard: Some(several),
                effect: DraftEffect::Action(Action::Assert(never)),
                ..graph.lines[lines[0]].clone()
            });
        }
    }

    /// Puts a graph into the program.
    pub(super) fn install(&mut self, process: ProcessId, graph: Graph<'a>) -> Parsed<()> {
        let Control { locations, mut edges, start, end } = self.control(graph)?;
        if let Some(death) = self.death(process, end) {
            edges.push(death);
            edges.sort_by_key(|edge| edge.source);
        }
        let built = &mut self.program.processes[process];
        (built.locations, built.edges, built.start, built.end) = (locations, edges, start, end);
        Ok(())
    }

    /// A graph without places that cannot be reached.
    pub(super) fn control(&mut self, mut graph: Graph<'a>) -> Parsed<Control> {
        let lines = std::mem::take(&mut graph.lines);
        let lines: Vec<DraftEdge> = lines
            .into_iter()
            .filter(|line| line.guard.and_then(|guard| self.program.constant(guard)) != Some(0))
            .collect();
        let order = reached(&graph, &lines);
        let mut numbers: BTreeMap<LocationId, LocationId> = BTreeMap::new();
        let mut locations: IdVec<LocationId, PromelaLocation> = IdVec::new();
        for place in order {
            let drawn = &graph.places[place];
            let number = locations.push(PromelaLocation {
                labels: drawn.labels.clone(),
                marks: drawn.marks,
                is_in_dstep: drawn.is_in_dstep,
                span: drawn.span,
            });
            numbers.insert(place, number);
        }
        let mut edges = Vec::new();
        for line in lines {
            if let (Some(&source), Some(&target)) =
                (numbers.get(&line.source), numbers.get(&line.target))
            {
                let keeps_control = line.is_exclusive && graph.places[line.target].is_exclusive;
                self.edges(line, [source, target], keeps_control, &mut locations, &mut edges)?;
            }
        }
        edges.sort_by_key(|edge| edge.source);
        let (start, end) = (numbers[&graph.start], numbers[&graph.end]);
        Ok(Control { locations, edges, start, end })
    }

    /// The edge of a line, or two where the pid of a process is stored that has been started; of each process that can
    /// be started.
    fn edges(
        &mut self,
        line: DraftEdge,
        [source, target]: [LocationId; 2],
        keeps_control: bool,
        locations: &mut IdVec<LocationId, PromelaLocation>,
        edges: &mut Vec<PromelaEdge>,
    ) -> Parsed<()> {
        let (Some(guard), span) = (line.guard, line.span) else { return Ok(()) };
        let edge = PromelaEdge { source, target, guard, action: Action::Pass, keeps_control, span };
        let (proctype, arguments, priority, into) = match line.effect {
            DraftEffect::Action(action) => {
                edges.push(PromelaEdge { action, ..edge });
                return Ok(());
            }
            DraftEffect::Run { proctype, arguments, priority, into } => {
                (proctype, arguments, priority, into)
            }
        };
        let values = self.given(&arguments, priority)?;
        let (candidates, is_full) = self.candidates(proctype, arguments, span)?;
        for (process, is_it) in candidates {
            let guard = self.binary(PromelaBinary::And, guard, is_it);
            let action = Action::Start { process, values: values.clone() };
            let Some((place, value)) = into else {
                edges.push(PromelaEdge { guard, action, ..edge.clone() });
                continue;
            };
            // No other process can take a step before the pid is stored.
            let marks = LocationMarks::default();
            let between = PromelaLocation { labels: Vec::new(), marks, is_in_dstep: false, span };
            let between = locations.push(between);
            let starts = PromelaEdge { target: between, guard, action, ..edge.clone() };
            edges.push(PromelaEdge { keeps_control: true, ..starts });
            let pid = self.youngest(process);
            let value = self.replaced(value, &|_, expr| (*expr == STARTED).then_some(pid));
            let (guard, action) = (self.number(1), Action::Assign { place, value });
            edges.push(PromelaEdge { source: between, guard, action, ..edge.clone() });
        }
        if let Some(is_full) = is_full {
            let guard = self.binary(PromelaBinary::And, guard, is_full);
            edges.push(PromelaEdge { guard, action: Action::Overflow, ..edge });
        }
        Ok(())
    }

    /// Fills in what could not be known before all processes were there.
    pub(super) fn finish(&mut self) {
        if self.sink.has_errors() {
            return;
        }
        self.rename();
        for index in 0..self.program.processes.len() {
            let process = ProcessId(index as u32);
            let mut edges = std::mem::take(&mut self.program.processes[process].edges);
            for edge in &mut edges {
                if let Action::Start { process, values } = &mut edge.action {
                    *values = self.start_values(*process, values);
                }
            }
            self.program.processes[process].edges = edges;
        }
        self.resolve_priorities();
        self.is_finished = true;
        self.resolve_remotes();
    }

    /// Where several processes have one proctype, they are told apart by their pids.
    fn rename(&mut self) {
        let names: Vec<String> =
            self.program.processes.values().map(|process| process.proctype.clone()).collect();
        for (index, name) in names.iter().enumerate() {
            if names.iter().filter(|other| *other == name).count() > 1 {
                let process = ProcessId(index as u32);
                self.program.processes[process].name = format!("{name}[{index}]");
            }
        }
        let PromelaModel { vars, arrays, channels, processes, .. } = &mut self.program;
        let prefix = |owner: Option<ProcessId>, name: &mut String| {
            if let Some(owner) = owner {
                *name = format!("{}:{name}", processes[owner].name);
            }
        };
        for id in arrays.ids() {
            prefix(vars[arrays[id].first].owner, &mut arrays[id].name);
        }
        for id in vars.ids() {
            prefix(vars[id].owner, &mut vars[id].name);
        }
        for id in channels.ids() {
            prefix(channels[id].owner, &mut channels[id].name);
        }
    }
}

/// The places that can be reached, and the end, in the order in which they were made.
fn reached(graph: &Graph, lines: &[DraftEdge]) -> Vec<LocationId> {
    let mut seen = vec![false; graph.places.len()];
    seen[graph.end.0 as usize] = true;
    let mut open = vec![graph.start];
    while let Some(place) = open.pop() {
        if std::mem::replace(&mut seen[place.0 as usize], true) && place == graph.end {
            continue;
        }
        for line in lines.iter().filter(|line| line.source == place) {
            if !seen[line.target.0 as usize] {
                open.push(line.target);
            }
        }
    }
    let places = graph.places.ids();
    places.filter(|place| seen[place.0 as usize]).collect()
}
