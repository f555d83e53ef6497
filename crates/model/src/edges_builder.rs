//! Edges that arrive one at a time, as a file gives them.

use crate::edges::{ClassColumn, EdgeClass, Edges};
use support::{Monitor, Reservation, Stopped};

/// Rows that may be skipped for nothing; beyond that, a source far ahead counts as out of order, so
/// that one edge with a huge source cannot claim memory for all the rows before it.
const FREE_ROWS: usize = 1 << 20;

/// No row is open.
const NO_ROW: u64 = u64::MAX;

/// Writes edges straight into their final form as long as their sources rise; from the first one
/// that does not, it keeps the sources too and sorts at the end.
pub struct EdgesBuilder {
    /// Where the rows begin that have begun.
    offsets: Vec<u32>,
    targets: Vec<u32>,
    column: ClassColumn,
    /// The last row that has begun, or [`NO_ROW`].
    open_row: u64,
    /// By edge, once the sources have stopped rising; there are no rows then.
    sources: Option<Vec<u32>>,
    room: Reservation,
}

impl EdgesBuilder {
    pub fn new() -> Self {
        Self {
            offsets: Vec::new(),
            targets: Vec::new(),
            column: ClassColumn::Uniform,
            open_row: NO_ROW,
            sources: None,
            room: Reservation::default(),
        }
    }

    pub fn len(&self) -> usize {
        self.targets.len()
    }

    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Makes sure that `edges` more fit, asking first if that takes a large allocation.
    pub fn make_room(&mut self, edges: usize, monitor: &Monitor) -> Result<(), Stopped> {
        if self.targets.capacity() - self.targets.len() >= edges {
            return Ok(());
        }
        let additional = edges.max(self.targets.len() / 2);
        let sources = if self.sources.is_some() { 4 } else { 0 };
        let bytes = (self.targets.len() + additional) * (4 + sources + self.column.width());
        self.room.cover((bytes + self.offsets.capacity() * 4) as u64, monitor)?;
        self.targets.reserve_exact(additional);
        self.column.reserve_exact(additional);
        if let Some(sources) = &mut self.sources {
            sources.reserve_exact(additional);
        }
        Ok(())
    }

    /// Adds an edge; the caller sees to it that there are fewer than 2³² of them.
    #[inline]
    pub fn push(&mut self, source: u32, class: u32, target: u32) {
        if self.open_row != u64::from(source) {
            self.change_row(source);
        }
        self.column.push(class, self.targets.len());
        self.targets.push(target);
    }

    fn change_row(&mut self, source: u32) {
        let row = source as usize;
        let within_reach = row < FREE_ROWS + 8 * self.targets.len();
        if self.sources.is_none() && row >= self.offsets.len() && within_reach {
            self.offsets.resize(row + 1, self.targets.len() as u32);
            self.open_row = u64::from(source);
        } else {
            self.out_of_order(source);
        }
    }

    fn out_of_order(&mut self, source: u32) {
        if self.sources.is_none() {
            self.sources = Some(self.sources_so_far());
            self.offsets = Vec::new();
            self.open_row = NO_ROW;
        }
        self.sources.get_or_insert_default().push(source);
    }

    fn sources_so_far(&self) -> Vec<u32> {
        let mut sources = Vec::with_capacity(self.targets.capacity());
        for (row, &start) in self.offsets.iter().enumerate() {
            let end = self.offsets.get(row + 1).map_or(self.targets.len(), |&end| end as usize);
            sources.resize(sources.len() + end - start as usize, row as u32);
        }
        sources
    }

    /// The edges of a graph of `states` states, all sources and targets being less than that. Edges
    /// with the same source keep their order.
    pub fn finish(
        mut self,
        states: usize,
        classes: Vec<EdgeClass>,
        monitor: &Monitor,
    ) -> Result<Edges, Stopped> {
        let Some(sources) = &self.sources else {
            self.room.grow((states + 1 - self.offsets.len()) as u64 * 4, monitor)?;
            self.offsets.reserve_exact(states + 1 - self.offsets.len());
            self.offsets.resize(states + 1, self.targets.len() as u32);
            self.targets.shrink_to_fit();
            self.column.shrink_to_fit();
            let edges = Edges::from_rows(self.offsets, self.targets, self.column, classes);
            self.room.cover(edges.bytes(), monitor)?;
            return Ok(edges.holding(self.room));
        };
        let edge_bytes = 4 + self.column.width();
        let bytes = (states + 1) * 4 + self.targets.len() * edge_bytes;
        let room = monitor.reserve(bytes as u64)?;
        let ends = sources.iter().zip(&self.targets).zip(0u32..);
        let triples =
            ends.map(|((&source, &target), edge)| (source, self.column.get(edge), target));
        Ok(Edges::from_triples(states, classes, triples).holding(room))
    }
}

impl Default for EdgesBuilder {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edges::Mode;
    use crate::partial::ActionId;

    fn classes(count: u32) -> Vec<EdgeClass> {
        (0..count).map(|a| EdgeClass { action: Some(ActionId(a)), mode: Mode::BOTH }).collect()
    }

    /// Compares the builder with the plain constructor.
    fn check(states: usize, count: u32, triples: &[(u32, u32, u32)]) -> Edges {
        let mut builder = EdgesBuilder::new();
        for &(source, class, target) in triples {
            builder.make_room(1, &Monitor::new()).unwrap();
            builder.push(source, class, target);
        }
        let built = builder.finish(states, classes(count), &Monitor::new()).unwrap();
        let plain = Edges::from_triples(states, classes(count), triples.iter().copied());
        assert_eq!(built.states(), plain.states());
        assert!(built.triples().eq(plain.triples()));
        assert_eq!(built.bytes(), plain.bytes());
        built
    }

    #[test]
    fn rising_sources_with_gaps() {
        check(6, 2, &[(1, 0, 0), (1, 1, 5), (3, 0, 3), (4, 1, 1)]);
        check(3, 0, &[]);
        check(1, 1, &[(0, 0, 0)]);
    }

    #[test]
    fn falling_sources_are_sorted_and_rows_keep_their_order() {
        let edges =
            check(4, 2, &[(0, 0, 1), (2, 1, 3), (2, 0, 0), (1, 1, 1), (2, 1, 2), (0, 0, 3)]);
        let row: Vec<u32> = edges.row(2).map(|edge| edges.target(edge)).collect();
        assert_eq!(row, [3, 0, 2]);
    }

    #[test]
    fn a_source_far_ahead_claims_no_rows() {
        let mut builder = EdgesBuilder::new();
        builder.push(u32::MAX - 1, 0, 0);
        assert!(builder.offsets.is_empty());
    }

    #[test]
    fn the_class_column_grows_with_the_classes() {
        for count in [1, 2, 256, 257, 65536, 65537] {
            let triples: Vec<_> = (0..count).map(|i| (i / 100, i, i / 100)).collect();
            check(700, count, &triples);
            let shuffled: Vec<_> = (0..count).map(|i| (i * 7919 % 701, i, 5)).collect();
            check(701, count, &shuffled);
        }
    }
}
