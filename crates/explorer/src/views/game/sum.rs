//! A game summed up: few groups of very many nodes.

use serde::Serialize;
use std::collections::BTreeMap;
use tertium::Verdict as Truth;

/// A subformula and a colour.
pub type GroupKey = (u32, Truth);

#[derive(Serialize, Debug)]
pub struct Group {
    id: String,
    subformula: u32,
    colour: String,
    owner: Option<&'static str>,
    count: usize,
    initial: usize,
    frontier: usize,
    first: u32,
}

#[derive(Serialize, Debug)]
pub struct Bundle {
    from: String,
    to: String,
    count: usize,
    open: usize,
}

/// Counts by subformula and colour.
pub struct Sum {
    groups: Vec<Cell>,
    /// By two groups: edges, and those that need not be there.
    bundles: BTreeMap<(usize, usize), (usize, usize)>,
}

#[derive(Clone, Copy, Default)]
struct Cell {
    count: usize,
    initial: usize,
    frontier: usize,
    first: u32,
}

const COLOURS: usize = Truth::ALL.len();

fn index((subformula, colour): GroupKey) -> usize {
    let colour = Truth::ALL.iter().position(|&other| other == colour).unwrap_or(0);
    subformula as usize * COLOURS + colour
}

fn key(index: usize) -> GroupKey {
    ((index / COLOURS) as u32, Truth::ALL[index % COLOURS])
}

fn id(index: usize) -> String {
    let (subformula, colour) = key(index);
    format!("{subformula}/{colour}")
}

impl Sum {
    pub fn new(subformulas: u32) -> Self {
        let groups = vec![Cell::default(); subformulas as usize * COLOURS];
        Self { groups, bundles: BTreeMap::new() }
    }

    pub fn count(&mut self, key: GroupKey, node: u32, frontier: bool) {
        let cell = &mut self.groups[index(key)];
        if cell.count == 0 {
            cell.first = node;
        }
        cell.count += 1;
        cell.frontier += usize::from(frontier);
    }

    /// An initial node is a good one to begin with.
    pub fn begin(&mut self, key: GroupKey, node: u32) {
        let cell = &mut self.groups[index(key)];
        if cell.initial == 0 {
            cell.first = node;
        }
        cell.initial += 1;
    }

    pub fn join(&mut self, from: GroupKey, to: GroupKey, open: bool) {
        let (count, opens) = self.bundles.entry((index(from), index(to))).or_default();
        *count += 1;
        *opens += usize::from(open);
    }

    pub fn groups(&self, owner: impl Fn(u32) -> Option<&'static str>) -> Vec<Group> {
        let group = |(index, cell): (usize, &Cell)| {
            let (subformula, colour) = key(index);
            Group {
                id: id(index),
                subformula,
                colour: colour.to_string(),
                owner: owner(subformula),
                count: cell.count,
                initial: cell.initial,
                frontier: cell.frontier,
                first: cell.first,
            }
        };
        self.groups.iter().enumerate().filter(|(_, cell)| cell.count > 0).map(group).collect()
    }

    pub fn bundles(&self) -> Vec<Bundle> {
        let bundle = |(&(from, to), &(count, open)): (&(usize, usize), &(usize, usize))| Bundle {
            from: id(from),
            to: id(to),
            count,
            open,
        };
        self.bundles.iter().map(bundle).collect()
    }
}
