//! Zielonka's algorithm for three values at once, after \[9\] of C: the second opinion in tests.
//!
//! Let d be the highest priority and α the player whose it is, β the other. First what β wins: as
//! usual in what is left when α has gone to d, except that α may use may edges to get there and β has
//! to use must edges. When β wins nowhere any more, everything is α's or a tie, and the same once more
//! with the edges exchanged tells which. Sets are plain vectors and attractors are computed by looking
//! at every node again and again: obvious before fast.

use game::{Edge, GameGraph, Player};
use logic::Truth;

/// The colours of a closed graph whose terminal nodes are coloured.
pub fn colour(graph: &GameGraph) -> Vec<Truth> {
    let mut game = Game {
        graph,
        status: graph.given.iter().map(|given| given.map_or(Status::Active, Status::Won)).collect(),
    };
    let all: Vec<u32> = (0..graph.len() as u32).filter(|&n| game.is_active(n)).collect();
    for (node, value) in game.solve(all) {
        game.status[node as usize] = Status::Won(value);
    }
    let value = |status: &Status| match status {
        Status::Won(value) => *value,
        Status::Active | Status::Away => unreachable!("solve gives every active node a value"),
    };
    game.status.iter().map(value).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    /// In the game that is being solved.
    Active,
    /// Taken out for the time being: edges to it do not count.
    Away,
    /// A terminal node.
    Won(Truth),
}

/// Which edges a player may use: those that are sure, or all that are possible.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moves {
    Must,
    Possible,
}

impl Moves {
    fn other(self) -> Moves {
        match self {
            Moves::Must => Moves::Possible,
            Moves::Possible => Moves::Must,
        }
    }

    fn allow(self, edge: Edge) -> bool {
        match self {
            Moves::Must => edge.must(),
            Moves::Possible => edge.may(),
        }
    }
}

struct Game<'g, 'f> {
    graph: &'g GameGraph<'f>,
    status: Vec<Status>,
}

fn value_for(player: Player) -> Truth {
    Truth::from(player == Player::Verifier)
}

impl Game<'_, '_> {
    fn is_active(&self, node: u32) -> bool {
        self.status[node as usize] == Status::Active
    }

    fn owner(&self, node: u32) -> Player {
        let universal = self.graph.class(node).is_universal();
        if universal { Player::Falsifier } else { Player::Verifier }
    }

    fn set(&mut self, nodes: &[u32], status: Status) {
        for &node in nodes {
            self.status[node as usize] = status;
        }
    }

    /// The values of the active nodes `nodes`; all of them are active again afterwards.
    fn solve(&mut self, nodes: Vec<u32>) -> Vec<(u32, Truth)> {
        let Some(top) = nodes.iter().map(|&n| self.graph.priority(n)).max() else {
            return Vec::new();
        };
        let player = Player::of_priority(top);
        let mut values = Vec::new();
        let mut rest = nodes.clone();
        // The opponent's region, then the undecided region; the player gets the rest.
        for (moves, loss) in
            [(Moves::Possible, value_for(player.opponent())), (Moves::Must, Truth::Unknown)]
        {
            let bad = |value| value != value_for(player) && loss.is_refined_by(value);
            let mut lost = Vec::new();
            loop {
                let attracted = self.attract(&rest, player.opponent(), moves.other(), &lost, bad);
                self.set(&attracted, Status::Won(loss));
                rest.retain(|&node| self.is_active(node));
                values.extend(attracted.into_iter().map(|node| (node, loss)));
                lost = self.find_lost(&rest, top, player, moves);
                if lost.is_empty() {
                    break;
                }
            }
        }
        values.extend(rest.iter().map(|&node| (node, value_for(player))));
        self.set(&nodes, Status::Active);
        values
    }

    /// Active nodes that `player` loses, or with sure moves only does not win, because he cannot even
    /// get to the highest priority or to a terminal node that is good enough for him.
    fn find_lost(&mut self, nodes: &[u32], top: u32, player: Player, moves: Moves) -> Vec<u32> {
        let tops: Vec<u32> =
            nodes.iter().copied().filter(|&n| self.graph.priority(n) == top).collect();
        let good = |value| match moves {
            Moves::Possible => value != value_for(player.opponent()),
            Moves::Must => value == value_for(player),
        };
        let away = self.attract(nodes, player, moves, &tops, good);
        let left: Vec<u32> = nodes.iter().copied().filter(|n| !away.contains(n)).collect();
        self.set(&away, Status::Away);
        let values = self.solve(left);
        self.set(&away, Status::Active);
        values.into_iter().filter(|&(_, value)| !good(value)).map(|(node, _)| node).collect()
    }

    /// From where `player` can force a play into `goal` or into a terminal node of a `good` value, he
    /// with these moves and the opponent with the others.
    fn attract(
        &self,
        nodes: &[u32],
        player: Player,
        moves: Moves,
        goal: &[u32],
        good: impl Fn(Truth) -> bool,
    ) -> Vec<u32> {
        let mut attracted = vec![false; self.graph.len()];
        goal.iter().for_each(|&node| attracted[node as usize] = true);
        loop {
            let into = |edge: &Edge| match self.status[edge.node() as usize] {
                Status::Active => attracted[edge.node() as usize],
                Status::Won(value) => good(value),
                Status::Away => false,
            };
            let mine = |n: u32| self.moves(n, moves).any(|edge| into(&edge));
            let theirs = |n: u32| self.moves(n, moves.other()).all(|edge| into(&edge));
            let found = nodes.iter().copied().find(|&n| {
                !attracted[n as usize] && if self.owner(n) == player { mine(n) } else { theirs(n) }
            });
            match found {
                Some(node) => attracted[node as usize] = true,
                None => break,
            }
        }
        nodes.iter().copied().filter(|&node| attracted[node as usize]).collect()
    }

    fn moves(&self, node: u32, moves: Moves) -> impl Iterator<Item = Edge> + '_ {
        let edges = self.graph.successors(node).iter().copied();
        edges.filter(move |&edge| {
            moves.allow(edge) && self.status[edge.node() as usize] != Status::Away
        })
    }
}
