//! Where the boxes of a picture stand: in layers by their distance, ordered so that few edges cross
//! (Sugiyama, Tagawa and Toda 1981; no edge that goes down skips a layer here, as distances are shortest).

/// Space between boxes of a layer, and between layers.
const GAP: f64 = 28.0;
const LAYER_GAP: f64 = 64.0;
const SWEEPS: usize = 8;

pub(crate) struct Layout {
    /// The middle of the upper edge of each box.
    pub tops: Vec<(f64, f64)>,
    pub width: f64,
    pub height: f64,
}

/// `sizes` are width and height of each box; `layers` begin with 0.
pub(crate) fn layout(sizes: &[(f64, f64)], layers: &[u32], edges: &[(u32, u32)]) -> Layout {
    let down = |&&(from, to): &&(u32, u32)| layers[to as usize] == layers[from as usize] + 1;
    let mut graph = Layers::new(layers, edges.iter().filter(down), sizes);
    graph.order();
    graph.settle();
    graph.finish()
}

struct Layers<'s> {
    sizes: &'s [(f64, f64)],
    /// By layer: its boxes from left to right.
    rows: Vec<Vec<u32>>,
    above: Vec<Vec<u32>>,
    below: Vec<Vec<u32>>,
    /// By box: its place in its row.
    rank: Vec<usize>,
    x: Vec<f64>,
}

impl<'s> Layers<'s> {
    fn new<'e>(
        layers: &[u32],
        down: impl Iterator<Item = &'e (u32, u32)>,
        sizes: &'s [(f64, f64)],
    ) -> Self {
        let count = layers.iter().max().map_or(0, |&last| last as usize + 1);
        let mut rows = vec![Vec::new(); count];
        let mut rank = vec![0; layers.len()];
        for (node, &layer) in layers.iter().enumerate() {
            rank[node] = rows[layer as usize].len();
            rows[layer as usize].push(node as u32);
        }
        let mut above = vec![Vec::new(); layers.len()];
        let mut below = vec![Vec::new(); layers.len()];
        for &(from, to) in down {
            above[to as usize].push(from);
            below[from as usize].push(to);
        }
        Self { sizes, rows, above, below, rank, x: vec![0.0; layers.len()] }
    }

    /// Sorts each layer by the mean place of its neighbours, down and up again, and keeps the best.
    fn order(&mut self) {
        let mut best = (self.crossings(), self.rows.clone());
        for sweep in 0..SWEEPS {
            let goes_down = sweep % 2 == 0;
            let count = self.rows.len();
            for step in 0..count {
                self.sort_row(if goes_down { step } else { count - 1 - step }, goes_down);
            }
            let crossings = self.crossings();
            if crossings < best.0 {
                best = (crossings, self.rows.clone());
            }
        }
        self.rows = best.1;
        (0..self.rows.len()).for_each(|row| self.rerank(row));
    }

    fn sort_row(&mut self, row: usize, goes_down: bool) {
        let neighbours = if goes_down { &self.above } else { &self.below };
        let mean = |&node: &u32| {
            let others = &neighbours[node as usize];
            let sum: usize = others.iter().map(|&other| self.rank[other as usize]).sum();
            let own = self.rank[node as usize] as f64;
            if others.is_empty() { own } else { sum as f64 / others.len() as f64 }
        };
        let mut keyed: Vec<(f64, u32)> =
            self.rows[row].iter().map(|node| (mean(node), *node)).collect();
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
        self.rows[row] = keyed.into_iter().map(|(_, node)| node).collect();
        self.rerank(row);
    }

    fn rerank(&mut self, row: usize) {
        for (place, &node) in self.rows[row].iter().enumerate() {
            self.rank[node as usize] = place;
        }
    }

    fn crossings(&self) -> usize {
        self.rows.iter().map(|row| self.crossings_below(row)).sum()
    }

    /// Pairs of edges in the wrong order, counted by insertion.
    fn crossings_below(&self, row: &[u32]) -> usize {
        let mut seen: Vec<usize> = Vec::new();
        let mut crossings = 0;
        for &node in row {
            let targets = self.below[node as usize].iter().map(|&to| self.rank[to as usize]);
            let mut targets: Vec<usize> = targets.collect();
            targets.sort_unstable();
            for target in targets {
                let place = seen.partition_point(|&other| other <= target);
                crossings += seen.len() - place;
                seen.insert(place, target);
            }
        }
        crossings
    }

    /// Moves each box as near to the middle of its neighbours as its row allows.
    fn settle(&mut self) {
        for row in 0..self.rows.len() {
            self.align(row, true);
        }
        for sweep in 0..SWEEPS {
            let goes_down = sweep % 2 == 1;
            let count = self.rows.len();
            for step in 0..count {
                self.align(if goes_down { step } else { count - 1 - step }, goes_down);
            }
        }
    }

    /// Puts the boxes of a row as near to the wanted places as they fit, in sum of squares.
    fn align(&mut self, row: usize, goes_down: bool) {
        let neighbours = if goes_down { &self.above } else { &self.below };
        let wanted = |node: u32| {
            let others = &neighbours[node as usize];
            let sum: f64 = others.iter().map(|&other| self.x[other as usize]).sum();
            let own = self.x[node as usize];
            if others.is_empty() { own } else { sum / others.len() as f64 }
        };
        let offsets = self.offsets(row);
        let nodes = &self.rows[row];
        let starts: Vec<f64> =
            nodes.iter().zip(&offsets).map(|(&node, offset)| wanted(node) - offset).collect();
        for ((&node, start), offset) in nodes.iter().zip(ascending(&starts)).zip(offsets) {
            self.x[node as usize] = start + offset;
        }
    }

    /// The middles of the boxes of a row that stand as close as they may.
    fn offsets(&self, row: usize) -> Vec<f64> {
        let halves = self.rows[row].iter().map(|&node| self.sizes[node as usize].0 / 2.0);
        let mut end = -GAP;
        halves
            .map(|half| {
                let middle = end + GAP + half;
                end = middle + half;
                middle
            })
            .collect()
    }

    fn finish(mut self) -> Layout {
        let half = |node: usize| self.sizes[node].0 / 2.0;
        let nodes = 0..self.x.len();
        let left = nodes.clone().map(|node| self.x[node] - half(node)).fold(f64::MAX, f64::min);
        let left = if left == f64::MAX { 0.0 } else { left };
        let right = nodes.map(|node| self.x[node] + half(node)).fold(left, f64::max);
        self.x.iter_mut().for_each(|x| *x -= left);
        let mut tops = vec![(0.0, 0.0); self.x.len()];
        let mut y = 0.0;
        for row in &self.rows {
            row.iter().for_each(|&node| tops[node as usize] = (self.x[node as usize], y));
            let tallest = row.iter().map(|&node| self.sizes[node as usize].1).fold(0.0, f64::max);
            y += tallest + LAYER_GAP;
        }
        Layout { tops, width: right - left, height: (y - LAYER_GAP).max(0.0) }
    }
}

/// The ascending numbers that are nearest to the given ones: neighbours in the wrong order are put together
/// and share their mean (pool adjacent violators).
fn ascending(numbers: &[f64]) -> Vec<f64> {
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for &number in numbers {
        blocks.push((number, 1));
        while let [.., (a, size_a), (b, size_b)] = blocks[..]
            && a > b
        {
            let size = size_a + size_b;
            let mean = (a * size_a as f64 + b * size_b as f64) / size as f64;
            blocks.truncate(blocks.len() - 2);
            blocks.push((mean, size));
        }
    }
    blocks.into_iter().flat_map(|(mean, size)| std::iter::repeat_n(mean, size)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxes(count: usize) -> Vec<(f64, f64)> {
        vec![(100.0, 40.0); count]
    }

    #[test]
    fn boxes_of_a_layer_do_not_overlap() {
        let layers = [0, 1, 1, 1, 2, 2, 2, 2];
        let edges = [(0, 1), (0, 2), (0, 3), (1, 7), (1, 4), (2, 5), (3, 4), (3, 6)];
        let Layout { tops, width, .. } = layout(&boxes(8), &layers, &edges);
        for (i, a) in tops.iter().enumerate() {
            assert!(a.0 >= 50.0 && a.0 <= width - 50.0, "{tops:?}");
            for b in &tops[..i] {
                assert!(a.1 != b.1 || (a.0 - b.0).abs() >= 100.0 + GAP - 1e-6, "{tops:?}");
            }
        }
    }

    #[test]
    fn a_ladder_is_uncrossed() {
        // 0 and 1 lead to 3 and 2: one of the layers has to be turned round.
        let Layout { tops, .. } = layout(&boxes(4), &[0, 0, 1, 1], &[(0, 3), (1, 2)]);
        assert_eq!(tops[0].0 < tops[1].0, tops[3].0 < tops[2].0);
    }

    #[test]
    fn a_path_is_straight() {
        let Layout { tops, .. } = layout(&boxes(3), &[0, 1, 2], &[(0, 1), (1, 2), (2, 0)]);
        assert!(tops.iter().all(|top| top.0 == tops[0].0));
    }

    #[test]
    fn violators_are_pooled() {
        assert_eq!(ascending(&[1.0, 4.0, 2.0, 9.0]), [1.0, 3.0, 3.0, 9.0]);
        assert_eq!(ascending(&[3.0, 2.0, 1.0]), [2.0, 2.0, 2.0]);
    }

    #[test]
    fn nothing_has_no_size() {
        let Layout { tops, width, height } = layout(&[], &[], &[]);
        assert_eq!((tops.len(), width, height), (0, 0.0, 0.0));
    }
}
