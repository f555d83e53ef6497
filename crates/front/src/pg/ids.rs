//! Which ids a file has defined, in which order.

use rustc_hash::FxHashMap;

/// The ids of the rows of a file. Costs nothing as long as row `n` has id `n`.
pub(super) enum Ids {
    /// 0, 1, 2, … and how many.
    Counting(u32),
    Any {
        by_row: Vec<u32>,
        rows: FxHashMap<u32, u32>,
    },
}

impl Ids {
    pub fn new() -> Self {
        Ids::Counting(0)
    }

    pub fn len(&self) -> usize {
        match self {
            Ids::Counting(count) => *count as usize,
            Ids::Any { by_row, .. } => by_row.len(),
        }
    }

    /// The id of the next row; false if another row has it.
    #[inline]
    pub fn push(&mut self, id: u32) -> bool {
        match self {
            Ids::Counting(count) if *count == id && id < u32::MAX => {
                *count += 1;
                true
            }
            _ => self.push_any(id),
        }
    }

    #[cold]
    fn push_any(&mut self, id: u32) -> bool {
        if let Ids::Counting(count) = *self {
            let rows = (0..count).map(|id| (id, id)).collect();
            *self = Ids::Any { by_row: (0..count).collect(), rows };
        }
        let Ids::Any { by_row, rows } = self else { return false };
        let row = by_row.len() as u32;
        let is_new = *rows.entry(id).or_insert(row) == row;
        if is_new {
            by_row.push(id);
        }
        is_new
    }

    pub fn id(&self, row: u32) -> u32 {
        match self {
            Ids::Counting(_) => row,
            Ids::Any { by_row, .. } => by_row[row as usize],
        }
    }

    pub fn row(&self, id: u32) -> Option<u32> {
        match self {
            Ids::Counting(count) => (id < *count).then_some(id),
            Ids::Any { rows, .. } => rows.get(&id).copied(),
        }
    }

    pub fn largest(&self) -> Option<u32> {
        match self {
            Ids::Counting(count) => count.checked_sub(1),
            Ids::Any { by_row, .. } => by_row.iter().max().copied(),
        }
    }
}
