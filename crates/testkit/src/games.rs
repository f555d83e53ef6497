//! Every parity game and every 3-valued game that is small enough.

/// A 2-valued parity game; who cannot move loses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TinyGame {
    pub priorities: Vec<u32>,
    /// By node: whether it belongs to player 1, the falsifier.
    pub falsifier: Vec<bool>,
    pub successors: Vec<Vec<u32>>,
}

/// Whose turn it is in a node of a 3-valued game; ties are terminal (C §2.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    Verifier,
    Falsifier,
    Tie,
}

/// A 3-valued parity game (C §2.1). Every must edge is a may edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TinyPartialGame {
    pub priorities: Vec<u32>,
    pub owners: Vec<Owner>,
    /// By node: its successors, each with whether the edge is a must edge.
    pub successors: Vec<Vec<(u32, bool)>>,
}

/// Reads a number digit by digit, each digit with its own base.
struct Digits(u64);

impl Digits {
    fn next(&mut self, base: u64) -> u64 {
        let digit = self.0 % base;
        self.0 /= base;
        digit
    }
}

pub fn parity_game_count(nodes: u32, priorities: u64) -> u64 {
    priorities.pow(nodes) * 2u64.pow(nodes) * 2u64.pow(nodes * nodes)
}

/// All games with so many nodes and with priorities below the bound: 110,592 for three of each.
pub fn parity_games(nodes: u32, priorities: u64) -> impl Iterator<Item = TinyGame> {
    (0..parity_game_count(nodes, priorities)).map(move |code| {
        let mut digits = Digits(code);
        TinyGame {
            priorities: (0..nodes).map(|_| digits.next(priorities) as u32).collect(),
            falsifier: (0..nodes).map(|_| digits.next(2) == 1).collect(),
            successors: (0..nodes)
                .map(|_| (0..nodes).filter(|_| digits.next(2) == 1).collect())
                .collect(),
        }
    })
}

/// Ties with successors included, which [`partial_games`] leaves out.
fn partial_game_codes(nodes: u32, priorities: u64) -> u64 {
    priorities.pow(nodes) * 3u64.pow(nodes) * 3u64.pow(nodes * nodes)
}

/// All 3-valued games with so many nodes and with priorities below the bound: 3,249 for two nodes and
/// three priorities.
pub fn partial_games(nodes: u32, priorities: u64) -> impl Iterator<Item = TinyPartialGame> {
    let games = (0..partial_game_codes(nodes, priorities)).map(move |code| {
        let mut digits = Digits(code);
        TinyPartialGame {
            priorities: (0..nodes).map(|_| digits.next(priorities) as u32).collect(),
            owners: (0..nodes)
                .map(|_| [Owner::Verifier, Owner::Falsifier, Owner::Tie][digits.next(3) as usize])
                .collect(),
            successors: (0..nodes)
                .map(|_| {
                    let edges = (0..nodes).map(|successor| (successor, digits.next(3)));
                    let there = edges.filter(|&(_, edge)| edge > 0);
                    there.map(|(successor, edge)| (successor, edge == 2)).collect()
                })
                .collect(),
        }
    });
    games.filter(|game: &TinyPartialGame| {
        let mut nodes = game.owners.iter().zip(&game.successors);
        nodes.all(|(&owner, successors)| owner != Owner::Tie || successors.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn all_games_and_each_once() {
        let key = |game: TinyGame| format!("{game:?}");
        let games: HashSet<String> = parity_games(2, 3).map(key).collect();
        assert_eq!(games.len() as u64, parity_game_count(2, 3));
        assert_eq!(parity_game_count(3, 3), 110_592);
        let games: Vec<TinyPartialGame> = partial_games(2, 3).collect();
        let distinct: HashSet<String> = games.iter().map(|game| format!("{game:?}")).collect();
        // By node: two owners with nine edge sets each, and the tie with none; nine priority pairs.
        assert_eq!((games.len(), distinct.len()), (19 * 19 * 9, 19 * 19 * 9));
    }
}
