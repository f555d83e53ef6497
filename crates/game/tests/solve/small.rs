//! Every algorithm on all games of at most three nodes, against an oracle that tries all strategies.

use crate::games::{ALGORITHMS, game_of};
use game::solve::{Algorithm, Solution, solve, verify};
use game::{ParityGame, Player};
use support::Monitor;
use testkit::parity_games;

/// Who wins each node of a game of at most 32 nodes: the verifier wins where one of her positional
/// strategies beats all of the falsifier's.
fn oracle(game: &ParityGame) -> Vec<Player> {
    let nodes = game.len() as u32;
    let mut winner = vec![Player::Falsifier; game.len()];
    for verifier in strategies(game, Player::Verifier) {
        let mut beaten = vec![false; game.len()];
        for falsifier in strategies(game, Player::Falsifier) {
            for node in 0..nodes {
                let mover = |node: u32| match game.owners[node as usize] {
                    Player::Verifier => verifier[node as usize],
                    Player::Falsifier => falsifier[node as usize],
                };
                beaten[node as usize] |= play(game, node, mover) == Player::Falsifier;
            }
        }
        for node in 0..game.len() {
            if !beaten[node] {
                winner[node] = Player::Verifier;
            }
        }
    }
    winner
}

/// All choices of one successor for each of the player's nodes that has successors.
fn strategies(game: &ParityGame, player: Player) -> Vec<Vec<Option<u32>>> {
    let mut all = vec![vec![]];
    for node in 0..game.len() as u32 {
        let successors = game.successors(node);
        let choices: Vec<Option<u32>> =
            if game.owners[node as usize] == player && !successors.is_empty() {
                successors.iter().copied().map(Some).collect()
            } else {
                vec![None]
            };
        let extend = |strategy: &Vec<Option<u32>>| {
            let strategy = strategy.clone();
            let longer = |&choice: &Option<u32>| [&strategy[..], &[choice]].concat();
            choices.iter().map(longer).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(extend).collect();
    }
    all
}

fn play(game: &ParityGame, start: u32, mover: impl Fn(u32) -> Option<u32>) -> Player {
    let mut visited: Vec<u32> = Vec::new();
    let mut node = start;
    while !visited.contains(&node) {
        visited.push(node);
        match mover(node) {
            Some(successor) => node = successor,
            None => return game.owners[node as usize].opponent(),
        }
    }
    let cycle = visited.iter().skip_while(|&&other| other != node);
    let highest = cycle.map(|&other| game.priorities[other as usize]).max();
    Player::of_priority(highest.unwrap_or(0))
}

fn check(game: &ParityGame, expected: &[Player]) {
    for algorithm in ALGORITHMS {
        let solution = solve(game, algorithm, &Monitor::new()).expect("nothing stops it");
        let winners: Vec<Player> =
            (0..game.len() as u32).map(|node| solution.winner(node)).collect();
        assert_eq!(winners, expected, "{algorithm:?} on {game:?}");
        let flaw = verify(game, &solution, &Monitor::new()).expect("nothing stops it");
        assert_eq!(flaw, None, "{algorithm:?} on {game:?} gave {solution:?}");
    }
}

/// The games of this many nodes with priorities 0 to 3.
fn each_game(nodes: u32, mut visit: impl FnMut(&ParityGame)) {
    for tiny in parity_games(nodes, 4) {
        let owners = tiny.falsifier.into_iter().map(u32::from);
        let nodes = tiny.priorities.into_iter().zip(owners).zip(tiny.successors);
        visit(&game_of(
            nodes.map(|((priority, owner), successors)| (priority, owner, successors)).collect(),
        ));
    }
}

#[test]
fn all_games_of_at_most_two_nodes() {
    for nodes in 0..=2 {
        each_game(nodes, |game| check(game, &oracle(game)));
    }
}

#[test]
fn all_games_of_three_nodes() {
    each_game(3, |game| check(game, &oracle(game)));
}

#[test]
fn wrong_solutions_are_refused() {
    let monitor = Monitor::new();
    let refused = |game: &ParityGame, solution: &Solution| {
        verify(game, solution, &monitor).expect("nothing stops it").is_some()
    };
    each_game(2, |game| {
        let expected = oracle(game);
        for choice in 0..64u32 {
            let winner = |node: u32| {
                if choice >> node & 1 == 0 { Player::Verifier } else { Player::Falsifier }
            };
            let strategy = |node: u32| {
                [None, Some(0), Some(1), Some(7)][(choice >> (2 + 2 * node)) as usize % 4]
            };
            let solution = Solution::from_parts((0..2).map(|node| (winner(node), strategy(node))));
            let right = (0..2).all(|node| winner(node) == expected[node as usize]);
            assert!(right || refused(game, &solution), "{solution:?} of {game:?}");
            assert!(
                refused(game, &solution) || strategies_win(game, &solution),
                "{solution:?} of {game:?}"
            );
        }
    });
}

/// Whether following the solution's strategies wins every play, whatever the other does.
fn strategies_win(game: &ParityGame, solution: &Solution) -> bool {
    let follows = |player: Player| {
        strategies(game, player.opponent()).iter().all(|other| {
            (0..game.len() as u32).filter(|&node| solution.winner(node) == player).all(|node| {
                let mover = |node: u32| {
                    if game.owners[node as usize] == player {
                        solution.strategy(node)
                    } else {
                        other[node as usize]
                    }
                };
                play(game, node, mover) == player
            })
        })
    };
    follows(Player::Verifier) && follows(Player::Falsifier)
}

#[test]
fn a_stopped_monitor_stops_every_algorithm() {
    let nodes =
        (0..20_000u32).map(|node| (node % 5, node % 2, vec![(node * 7 + 1) % 20_000, node]));
    let game = game_of(nodes.collect());
    for algorithm in ALGORITHMS {
        let monitor = Monitor::new();
        monitor.stop(support::StopReason::Cancelled);
        assert!(solve(&game, algorithm, &monitor).is_err(), "{algorithm:?}");
    }
    assert!(solve(&game, Algorithm::Auto, &Monitor::new()).is_ok());
}
