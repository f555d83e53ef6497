//! Partition of a program's locations into blocks (M §4), and the order of the blocks.

use crate::scc::components;
use std::collections::BTreeMap;
use transition::integers::IntegerProgram;

/// A partition of the locations of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocationPartition {
    /// The block of each location, numbered in the order of their first locations.
    of: Vec<u32>,
    count: usize,
}

impl LocationPartition {
    /// Locations with the same number are in one block.
    pub fn new(numbers: impl IntoIterator<Item = u32>) -> Self {
        let mut seen: BTreeMap<u32, u32> = BTreeMap::new();
        let mut number = |of: u32| {
            let next = seen.len() as u32;
            *seen.entry(of).or_insert(next)
        };
        let of: Vec<u32> = numbers.into_iter().map(&mut number).collect();
        Self { of, count: seen.len() }
    }

    /// All locations are one block.
    pub fn single(program: &IntegerProgram) -> Self {
        Self::new(program.locations.iter().map(|_| 0))
    }

    /// Every location is a block.
    pub fn locations(program: &IntegerProgram) -> Self {
        Self::new(0..program.locations.len() as u32)
    }

    /// Loops are blocks, and the locations between them are cut into blocks of at most so many: so no block comes
    /// before and after another one.
    pub fn loops(program: &IntegerProgram, row: usize) -> Self {
        let of = components(program.locations.len(), edges(program));
        let count = of.iter().max().map_or(0, |&last| last as usize + 1);
        let mut sizes = vec![0; count];
        of.iter().for_each(|&component| sizes[component as usize] += 1);
        // From the last component to the first: the order of the program.
        let (mut blocks, mut block, mut room) = (vec![0; count], 0, 0);
        for component in (0..count).rev() {
            let is_loop = sizes[component] > 1;
            if is_loop || room == 0 {
                block += 1;
                room = if is_loop { 0 } else { row };
            }
            room -= usize::from(!is_loop);
            blocks[component] = block;
        }
        Self::new(of.into_iter().map(|component| blocks[component as usize]))
    }

    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub fn of(&self, location: u32) -> u32 {
        self.of[location as usize]
    }

    /// The locations of a block, rising.
    pub fn locations_of(&self, block: u32) -> impl Iterator<Item = u32> {
        (0..).zip(&self.of).filter(move |(_, of)| **of == block).map(|(location, _)| location)
    }

    /// Strongly connected components of the blocks; those that lead to others come after these.
    pub(crate) fn groups(&self, program: &IntegerProgram) -> Vec<Vec<u32>> {
        let between = edges(program).map(|(from, to)| (self.of(from), self.of(to)));
        let of = components(self.count, between);
        let mut groups = vec![Vec::new(); of.iter().max().map_or(0, |&last| last as usize + 1)];
        for (block, &group) in (0..).zip(&of) {
            groups[group as usize].push(block);
        }
        groups
    }

    /// Makes one block of several.
    pub(crate) fn join(&mut self, blocks: &[u32]) {
        let [first, ..] = blocks else { return };
        let of = self.of.iter().map(|block| if blocks.contains(block) { first } else { block });
        *self = Self::new(of.copied().collect::<Vec<_>>());
    }
}

fn edges(program: &IntegerProgram) -> impl Iterator<Item = (u32, u32)> {
    program.steps.iter().map(|step| (step.source, step.target))
}

#[cfg(test)]
mod tests {
    use super::*;
    use transition::integers::IntegerStep;

    /// Two loops, with three locations before, between and after them.
    fn program() -> IntegerProgram {
        let leads =
            [(0, 1), (1, 2), (2, 3), (3, 2), (2, 4), (4, 5), (5, 6), (6, 5), (5, 7), (7, 7)];
        let always = smt::LinearFormula::Constant(true);
        let step = |(from, to)| IntegerStep::test(from, always.clone(), to);
        IntegerProgram {
            variables: Vec::new(),
            locations: (0..8).map(|location| location.to_string()).collect(),
            steps: leads.map(step).to_vec(),
        }
    }

    #[test]
    fn loops_are_blocks() {
        let partition = LocationPartition::loops(&program(), 8);
        assert_eq!(partition.of, [0, 0, 1, 1, 2, 3, 3, 4]);
        assert_eq!(partition.groups(&program()), [[4], [3], [2], [1], [0]]);
        assert_eq!(LocationPartition::loops(&program(), 1).of, [0, 1, 2, 2, 3, 4, 4, 5]);
    }

    #[test]
    fn blocks_of_a_loop_are_a_group() {
        let mut partition = LocationPartition::locations(&program());
        assert_eq!(
            partition.groups(&program()),
            [vec![7], vec![5, 6], vec![4], vec![2, 3], vec![1], vec![0]]
        );
        partition.join(&[6, 5]);
        assert_eq!(partition.of, [0, 1, 2, 3, 4, 5, 5, 6]);
        assert_eq!(partition.locations_of(5).collect::<Vec<_>>(), [5, 6]);
    }
}
