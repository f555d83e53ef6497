//! A process as flat rows: for each state its transitions, sorted by action, in both directions.

use model::PartialModel;

/// Transitions by state, each an action with the state at the other end.
pub(crate) struct Rows {
    start: Vec<u32>,
    arcs: Vec<(u32, u32)>,
}

impl Rows {
    fn new(states: usize, mut triples: Vec<(u32, u32, u32)>) -> Rows {
        triples.sort_unstable();
        triples.dedup();
        let mut start = vec![0; states + 1];
        triples.iter().for_each(|&(state, ..)| start[state as usize + 1] += 1);
        for state in 0..states {
            start[state + 1] += start[state];
        }
        Rows { start, arcs: triples.into_iter().map(|(_, action, end)| (action, end)).collect() }
    }

    pub fn of(&self, state: u32) -> &[(u32, u32)] {
        &self.arcs[self.start[state as usize] as usize..self.start[state as usize + 1] as usize]
    }

    /// Those of one action.
    pub fn by(&self, state: u32, action: u32) -> &[(u32, u32)] {
        let row = self.of(state);
        let begin = row.partition_point(|&(other, _)| other < action);
        let len = row[begin..].partition_point(|&(other, _)| other == action);
        &row[begin..begin + len]
    }
}

pub(crate) struct Lts {
    pub init: Vec<u32>,
    pub actions: u32,
    pub out: Rows,
    pub into: Rows,
}

impl Lts {
    pub fn new(model: &PartialModel) -> Lts {
        let actions = model.actions().len() as u32;
        Lts::from_triples(model.states(), actions, model.init().to_vec(), triples(model))
    }

    /// Of triples of source, action and target.
    pub fn from_triples(
        states: usize,
        actions: u32,
        init: Vec<u32>,
        triples: Vec<(u32, u32, u32)>,
    ) -> Lts {
        let reversed = triples.iter().map(|&(s, a, t)| (t, a, s)).collect();
        Lts { init, actions, out: Rows::new(states, triples), into: Rows::new(states, reversed) }
    }

    pub fn states(&self) -> usize {
        self.out.start.len() - 1
    }

    /// The actions of a state, each once.
    pub fn enabled(&self, state: u32) -> impl Iterator<Item = u32> + '_ {
        self.out.of(state).chunk_by(|a, b| a.0 == b.0).map(|same| same[0].0)
    }
}

/// Source, action and target of every transition.
pub(crate) fn triples(model: &PartialModel) -> Vec<(u32, u32, u32)> {
    let edges = model.edges();
    let of = |state: u32| {
        edges.out(state).filter_map(move |(target, class)| Some((state, class.action?.0, target)))
    };
    (0..model.states() as u32).flat_map(of).collect()
}
