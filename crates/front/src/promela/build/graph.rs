//! A control graph while it is drawn.
//!
//! A statement is drawn from one place to another. The first statements of all options of an `if` are drawn
//! from one place, which is the place of the `if`; a loop or a label that stands first in an option needs a
//! place of its own, from which the edges are copied at the end, as Spin does.

use super::super::ast::Name;
use super::super::program::{
    Action, ChannelId, ExprId, LocationId, LocationMarks, PromelaExpr, Storage as Target,
};
use super::Argument;
use rustc_hash::FxHashMap;
use support::{IdVec, Span};

#[derive(Clone, Debug)]
pub(super) struct DraftLocation {
    pub labels: Vec<String>,
    pub marks: LocationMarks,
    /// Whether it lies within an `atomic` or a `d_step`, behind its first statement.
    pub is_exclusive: bool,
    pub is_in_dstep: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum DraftEffect {
    Action(Action),
    /// Starts a process of this proctype, whose pid goes into a variable.
    Run {
        proctype: usize,
        arguments: Vec<Argument>,
        priority: Option<i32>,
        /// The variable that is assigned to, and the value, in which [`STARTED`] is the pid.
        into: Option<(Target, ExprId)>,
    },
}

/// Stands for the pid of the process that the same statement starts.
pub(super) const STARTED: PromelaExpr = PromelaExpr::Len(ChannelId(u32::MAX - 1));

#[derive(Clone, Debug)]
pub(super) struct DraftEdge {
    pub source: LocationId,
    pub target: LocationId,
    /// `None` for `else`.
    pub guard: Option<ExprId>,
    pub effect: DraftEffect,
    /// Whether it belongs to an `atomic` or a `d_step`.
    pub is_exclusive: bool,
    pub span: Span,
}

/// The context of a statement.
#[derive(Clone, Copy, Default)]
pub(super) struct StatementContext {
    pub is_exclusive: bool,
    pub is_in_dstep: bool,
    /// Where `break` leads.
    pub exit: Option<LocationId>,
}

/// From where to where a statement is drawn.
#[derive(Clone, Copy)]
pub(super) struct Endpoints {
    pub from: LocationId,
    pub to: LocationId,
    /// Whether other statements may be drawn from the same place.
    pub is_shared: bool,
    pub around: StatementContext,
}

#[derive(Clone, Debug)]
pub(super) struct Graph<'a> {
    pub places: IdVec<LocationId, DraftLocation>,
    pub lines: Vec<DraftEdge>,
    pub start: LocationId,
    pub end: LocationId,
    /// The places of labels, and where they stand if that is known.
    pub labels: FxHashMap<&'a str, (LocationId, Option<Span>)>,
    /// Where each label is first jumped to.
    pub jumps: Vec<Name<'a>>,
    /// A place and another that is the same.
    same: FxHashMap<LocationId, LocationId>,
    /// A place that has all the edges of another, too.
    pub copies: Vec<(LocationId, LocationId)>,
}

impl<'a> Graph<'a> {
    pub fn new(end: Span) -> Self {
        let mut places = IdVec::new();
        let place = |is_end| DraftLocation {
            labels: Vec::new(),
            marks: LocationMarks { is_end, ..LocationMarks::default() },
            is_exclusive: false,
            is_in_dstep: false,
            span: end,
        };
        let (start, end) = (places.push(place(false)), places.push(place(true)));
        Self {
            places,
            lines: Vec::new(),
            start,
            end,
            labels: FxHashMap::default(),
            jumps: Vec::new(),
            same: FxHashMap::default(),
            copies: Vec::new(),
        }
    }

    /// An empty graph in the same context.
    pub fn without_places(&self) -> Self {
        Self { places: IdVec::new(), lines: Vec::new(), ..self.clone() }
    }

    /// A new place within its surroundings.
    pub fn place(&mut self, around: StatementContext, span: Span) -> LocationId {
        self.places.push(DraftLocation {
            labels: Vec::new(),
            marks: LocationMarks::default(),
            is_exclusive: around.is_exclusive,
            is_in_dstep: around.is_in_dstep,
            span,
        })
    }

    /// A new place from which the edges of this one are copied.
    pub fn beside(&mut self, place: LocationId) -> LocationId {
        let place = self.find(place);
        let marks = LocationMarks::default();
        let copy = DraftLocation { labels: Vec::new(), marks, ..self.places[place].clone() };
        let own = self.places.push(copy);
        self.copies.push((place, own));
        own
    }

    /// The place of a label, wherever it will stand.
    pub fn target(&mut self, label: Name<'a>) -> LocationId {
        if let Some((place, _)) = self.labels.get(label.text) {
            return *place;
        }
        let place = self.place(StatementContext::default(), label.span);
        self.labels.insert(label.text, (place, None));
        self.jumps.push(label);
        place
    }

    /// Says that a label stands at a place; returns where it stands already, if it does.
    pub fn set_label(&mut self, label: Name<'a>, place: LocationId) -> Option<Span> {
        if let Some((jumped, standing)) = self.labels.get(label.text).copied() {
            if standing.is_some() {
                return standing;
            }
            self.same.insert(jumped, place);
        }
        self.labels.insert(label.text, (place, Some(label.span)));
        let place = self.find(place);
        self.places[place].labels.push(label.text.to_owned());
        let marks = &mut self.places[place].marks;
        *marks = marks.and(LocationMarks::of(label.text));
        None
    }

    /// The place that stands for all that are the same.
    pub fn find(&self, mut place: LocationId) -> LocationId {
        while let Some(&same) = self.same.get(&place) {
            place = same;
        }
        place
    }

    pub fn line(
        &mut self,
        route: Endpoints,
        guard: Option<ExprId>,
        effect: DraftEffect,
        span: Span,
    ) {
        let Endpoints { from: source, to: target, around, .. } = route;
        let is_exclusive = around.is_exclusive;
        self.lines.push(DraftEdge { source, target, guard, effect, is_exclusive, span });
    }

    /// Leaves one name for places that are the same, and copies the edges that are to be copied.
    pub fn settle(&mut self) {
        for index in 0..self.lines.len() {
            let (source, target) = (self.lines[index].source, self.lines[index].target);
            self.lines[index].source = self.find(source);
            self.lines[index].target = self.find(target);
        }
        self.start = self.find(self.start);
        let own = |&(_, own): &(LocationId, LocationId)| self.find(own);
        let own: Vec<LocationId> = self.copies.iter().map(own).collect();
        let marked: Vec<_> = own.into_iter().map(|own| (own, self.places[own].marks)).collect();
        // Those that were made last are innermost.
        for (to, from) in std::mem::take(&mut self.copies).into_iter().rev() {
            let (to, from) = (self.find(to), self.find(from));
            let copied = self.lines.iter().filter(|line| line.source == from).cloned();
            let copied: Vec<DraftEdge> =
                copied.map(|line| DraftEdge { source: to, ..line }).collect();
            self.lines.extend(copied);
        }
        marked.into_iter().for_each(|(own, marks)| self.pass_on(own, marks));
    }

    /// A label before the first statement of an option, or of an `atomic`, also counts behind that statement, as
    /// with Spin: its place is not come to by way of the option.
    fn pass_on(&mut self, from: LocationId, marks: LocationMarks) {
        let mut open = vec![from];
        while let Some(place) = open.pop() {
            for line in self.lines.iter().filter(|line| line.source == place) {
                let there = &mut self.places[line.target];
                let joint = there.marks.and(marks);
                // A `d_step` is one step.
                if there.is_in_dstep && joint != there.marks {
                    open.push(line.target);
                }
                there.marks = joint;
            }
        }
    }
}
