//! Transitions as compressed sparse rows.
//!
//! An edge is a target (4 bytes) and the number of its class (at most 2 bytes in all but monstrous
//! alphabets, none at all in a plain Kripke structure). A class is an action with a modality, so may
//! and must share one array.

use crate::partial::ActionId;
use rustc_hash::FxHashMap;
use std::ops::Range;
use support::{Monitor, Reservation, Stopped};

/// The mode of a transition: may, must, or both.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Mode {
    pub may: bool,
    pub must: bool,
}

impl Mode {
    pub const MAY: Mode = Mode { may: true, must: false };
    pub const MUST: Mode = Mode { may: false, must: true };
    pub const BOTH: Mode = Mode { may: true, must: true };
    pub const NONE: Mode = Mode { may: false, must: false };

    /// How a state that has such transitions follows itself when deadlocks stutter, if it does.
    #[must_use]
    pub fn stuttering(self) -> Option<Mode> {
        match self {
            Mode { must: true, .. } => None,
            Mode { may: true, .. } => Some(Mode::MAY),
            _ => Some(Mode::BOTH),
        }
    }

    #[must_use]
    pub fn or(self, other: Mode) -> Mode {
        Mode { may: self.may || other.may, must: self.must || other.must }
    }

    #[must_use]
    pub fn and(self, other: Mode) -> Mode {
        Mode { may: self.may && other.may, must: self.must && other.must }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EdgeClass {
    /// `None` in the propositional kinds.
    pub action: Option<ActionId>,
    pub mode: Mode,
}

/// The class of every edge, as narrow as the number of classes allows.
#[derive(Clone, Debug)]
pub(crate) enum ClassColumn {
    /// There is one class at most.
    Uniform,
    Narrow(Vec<u8>),
    Medium(Vec<u16>),
    Wide(Vec<u32>),
}

impl ClassColumn {
    fn with_classes(classes: usize, len: usize) -> Self {
        match classes {
            0..=1 => ClassColumn::Uniform,
            2..=0x100 => ClassColumn::Narrow(vec![0; len]),
            0x101..=0x1_0000 => ClassColumn::Medium(vec![0; len]),
            _ => ClassColumn::Wide(vec![0; len]),
        }
    }

    /// Appends the class of edge number `len`, widening the column if it does not fit.
    #[inline]
    pub fn push(&mut self, class: u32, len: usize) {
        match self {
            ClassColumn::Narrow(column) if class < 0x100 => column.push(class as u8),
            ClassColumn::Medium(column) if class < 0x1_0000 => column.push(class as u16),
            ClassColumn::Wide(column) => column.push(class),
            ClassColumn::Uniform if class == 0 => {}
            _ => self.widen_and_push(class, len),
        }
    }

    #[cold]
    fn widen_and_push(&mut self, class: u32, len: usize) {
        let mut wider = Self::with_classes(class as usize + 1, len);
        for edge in 0..len as u32 {
            wider.set(edge, self.get(edge));
        }
        *self = wider;
        self.push(class, len);
    }

    pub fn reserve_exact(&mut self, additional: usize) {
        match self {
            ClassColumn::Uniform => {}
            ClassColumn::Narrow(column) => column.reserve_exact(additional),
            ClassColumn::Medium(column) => column.reserve_exact(additional),
            ClassColumn::Wide(column) => column.reserve_exact(additional),
        }
    }

    pub fn shrink_to_fit(&mut self) {
        match self {
            ClassColumn::Uniform => {}
            ClassColumn::Narrow(column) => column.shrink_to_fit(),
            ClassColumn::Medium(column) => column.shrink_to_fit(),
            ClassColumn::Wide(column) => column.shrink_to_fit(),
        }
    }

    /// Bytes an edge.
    pub fn width(&self) -> usize {
        match self {
            ClassColumn::Uniform => 0,
            ClassColumn::Narrow(_) => 1,
            ClassColumn::Medium(_) => 2,
            ClassColumn::Wide(_) => 4,
        }
    }

    #[inline]
    pub fn get(&self, edge: u32) -> u32 {
        match self {
            ClassColumn::Uniform => 0,
            ClassColumn::Narrow(column) => u32::from(column[edge as usize]),
            ClassColumn::Medium(column) => u32::from(column[edge as usize]),
            ClassColumn::Wide(column) => column[edge as usize],
        }
    }

    #[inline]
    fn set(&mut self, edge: u32, class: u32) {
        match self {
            ClassColumn::Uniform => debug_assert_eq!(class, 0),
            ClassColumn::Narrow(column) => column[edge as usize] = class as u8,
            ClassColumn::Medium(column) => column[edge as usize] = class as u16,
            ClassColumn::Wide(column) => column[edge as usize] = class,
        }
    }
}

/// The edges of a graph, by source.
#[derive(Clone, Debug)]
pub struct Edges {
    offsets: Vec<u32>,
    targets: Vec<u32>,
    column: ClassColumn,
    classes: Vec<EdgeClass>,
    /// The memory of the edges, and of what else grew with them.
    room: Reservation,
}

impl Edges {
    /// From rows that are already in place.
    pub(crate) fn from_rows(
        offsets: Vec<u32>,
        targets: Vec<u32>,
        column: ClassColumn,
        classes: Vec<EdgeClass>,
    ) -> Self {
        Self { offsets, targets, column, classes, room: Reservation::default() }
    }

    /// Holds the memory of the graph from now on.
    #[must_use]
    pub fn holding(mut self, room: Reservation) -> Self {
        self.room.join(room);
        self
    }

    /// From `(source, class, target)` in any order. Duplicates are kept.
    pub fn from_triples(
        states: usize,
        classes: Vec<EdgeClass>,
        triples: impl Iterator<Item = (u32, u32, u32)> + Clone,
    ) -> Self {
        let mut offsets = vec![0u32; states + 1];
        for (source, _, _) in triples.clone() {
            offsets[source as usize + 1] += 1;
        }
        for state in 0..states {
            offsets[state + 1] += offsets[state];
        }
        let len = offsets[states] as usize;
        let mut column = ClassColumn::with_classes(classes.len(), len);
        let mut targets = vec![0u32; len];
        // `offsets[s]` runs through the row of s and ends at the start of the next: shifted back below.
        for (source, class, target) in triples {
            let edge = offsets[source as usize];
            offsets[source as usize] += 1;
            targets[edge as usize] = target;
            column.set(edge, class);
        }
        for state in (1..=states).rev() {
            offsets[state] = offsets[state - 1];
        }
        offsets[0] = 0;
        Self::from_rows(offsets, targets, column, classes)
    }

    pub fn states(&self) -> usize {
        self.offsets.len() - 1
    }

    pub fn len(&self) -> usize {
        self.targets.len()
    }

    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// The edges out of a state, as indices for [`target`](Self::target) and [`class`](Self::class).
    #[inline]
    pub fn row(&self, state: u32) -> Range<u32> {
        self.offsets[state as usize]..self.offsets[state as usize + 1]
    }

    #[inline]
    pub fn target(&self, edge: u32) -> u32 {
        self.targets[edge as usize]
    }

    #[inline]
    pub fn class(&self, edge: u32) -> u32 {
        self.column.get(edge)
    }

    #[inline]
    pub fn class_of(&self, edge: u32) -> EdgeClass {
        self.classes[self.column.get(edge) as usize]
    }

    pub fn classes(&self) -> &[EdgeClass] {
        &self.classes
    }

    /// Targets and classes of the edges out of a state.
    pub fn out(&self, state: u32) -> impl Iterator<Item = (u32, EdgeClass)> + '_ {
        self.row(state).map(|edge| (self.target(edge), self.class_of(edge)))
    }

    /// Every edge as `(source, class, target)`.
    pub fn triples(&self) -> impl Iterator<Item = (u32, u32, u32)> + Clone + '_ {
        (0..self.states() as u32).flat_map(move |source| {
            self.row(source).map(move |edge| (source, self.class(edge), self.target(edge)))
        })
    }

    /// The edges of the wanted classes by target, the sources in rising order.
    pub fn reversed(
        &self,
        wanted: impl Fn(u32) -> bool + Copy,
        monitor: &Monitor,
    ) -> Result<Edges, Stopped> {
        let room = monitor.reserve(self.bytes())?;
        let reversed = self
            .triples()
            .filter(move |&(_, class, _)| wanted(class))
            .map(|(source, class, target)| (target, class, source));
        let edges = Self::from_triples(self.states(), self.classes.clone(), reversed);
        let edges = edges.holding(room);
        monitor.step(edges.len() as u64)?;
        Ok(edges)
    }

    pub fn bytes(&self) -> u64 {
        (self.offsets.len() * 4 + self.targets.len() * (4 + self.column.width())) as u64
    }
}

/// Collects edges one at a time, joining what is said twice about the same transition.
#[derive(Default)]
pub(crate) struct EdgeCollector {
    modes: FxHashMap<(u32, Option<ActionId>, u32), Mode>,
    order: Vec<(u32, Option<ActionId>, u32)>,
}

impl EdgeCollector {
    pub fn add(&mut self, source: u32, action: Option<ActionId>, mode: Mode, target: u32) {
        let key = (source, action, target);
        match self.modes.get_mut(&key) {
            Some(known) => *known = known.or(mode),
            None => {
                self.modes.insert(key, mode);
                self.order.push(key);
            }
        }
    }

    pub fn finish(self, states: usize) -> Edges {
        let mut classes = Vec::new();
        let mut class_ids: FxHashMap<EdgeClass, u32> = FxHashMap::default();
        let triples: Vec<(u32, u32, u32)> = self
            .order
            .into_iter()
            .map(|key @ (source, action, target)| {
                let class = EdgeClass { action, mode: self.modes[&key] };
                let id = *class_ids.entry(class).or_insert_with(|| {
                    classes.push(class);
                    classes.len() as u32 - 1
                });
                (source, id, target)
            })
            .collect();
        Edges::from_triples(states, classes, triples.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_their_reverse() {
        let mut collector = EdgeCollector::default();
        for (s, mode, t) in
            [(2, Mode::MAY, 0), (0, Mode::BOTH, 1), (2, Mode::BOTH, 2), (0, Mode::MAY, 2)]
        {
            collector.add(s, None, mode, t);
        }
        collector.add(2, None, Mode::MUST, 0);
        let edges = collector.finish(3);
        let row = |s| edges.out(s).map(|(t, c)| (t, c.mode)).collect::<Vec<_>>();
        assert_eq!(row(0), [(1, Mode::BOTH), (2, Mode::MAY)]);
        assert_eq!(row(1), []);
        assert_eq!(row(2), [(0, Mode::BOTH), (2, Mode::BOTH)]);
        let back = edges.reversed(|_| true, &Monitor::new()).unwrap();
        let row = |s| back.out(s).map(|(t, c)| (t, c.mode)).collect::<Vec<_>>();
        assert_eq!(row(2), [(0, Mode::MAY), (2, Mode::BOTH)]);
        assert_eq!(row(0), [(2, Mode::BOTH)]);
    }
}
