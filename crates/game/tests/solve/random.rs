//! All algorithms on random and structured games: they agree, and the verifier accepts them all.

use crate::games::{ALGORITHMS, clique, counter, game_of, grid, ladder, random_game};
use game::solve::{Algorithm, Solution, solve, verify};
use game::{Arena, ParityGame, Player};
use support::Monitor;
use testkit::{Rng, for_seeds};

fn winners(solution: &Solution) -> Vec<Player> {
    (0..solution.len() as u32).map(|node| solution.winner(node)).collect()
}

/// The winners, if all algorithms agree about them with strategies that hold.
fn agreed(game: &ParityGame) -> Result<Vec<Player>, String> {
    let mut agreed: Option<Vec<Player>> = None;
    for algorithm in ALGORITHMS {
        let solution = solve(game, algorithm, &Monitor::new()).map_err(|e| e.to_string())?;
        if let Some(flaw) = verify(game, &solution, &Monitor::new()).map_err(|e| e.to_string())? {
            return Err(format!("{algorithm:?}: {flaw}"));
        }
        let winners = winners(&solution);
        if agreed.as_ref().is_some_and(|agreed| *agreed != winners) {
            return Err(format!("{algorithm:?} disagrees with {:?}", ALGORITHMS[0]));
        }
        agreed = Some(winners);
    }
    Ok(agreed.unwrap_or_default())
}

fn shape(rng: &mut Rng, largest: usize) -> (usize, usize, usize) {
    let nodes = rng.between(1, largest);
    let priorities = *rng.pick(&[1, 2, 3, 5, 10, 2 * nodes, 1_000_000]);
    (nodes, priorities, rng.between(1, 5))
}

fn random_games(name: &str, seeds: u64, largest: usize) {
    for_seeds(name, 0..seeds, |rng, case| {
        let (nodes, priorities, degree) = shape(rng, largest);
        let game = random_game(rng, nodes, priorities, degree);
        case.note(format!("{game:?}"));
        agreed(&game).map(drop)
    });
}

#[test]
fn small_random_games() {
    random_games("small random games", 20_000, 16);
}

#[test]
fn larger_random_games() {
    random_games("larger random games", 400, 600);
}

#[test]
fn structured_games() {
    let families = [
        ladder(1),
        ladder(500),
        clique(2),
        clique(60),
        grid(1, 1),
        grid(4, 7),
        grid(12, 12),
        grid(40, 3),
        counter(1),
        counter(5),
        counter(12),
        counter(40),
    ];
    for game in families {
        agreed(&game).unwrap_or_else(|message| panic!("{message} on {game:?}"));
    }
}

/// A node of many successors that are lost one after the other, in their order and against it.
#[test]
fn many_successors_do_not_make_it_quadratic() {
    let leaves = 200_000u32;
    for backwards in [false, true] {
        let next = |leaf: u32| if backwards { leaf + 1 } else { leaf.wrapping_sub(1) };
        let leaf = |leaf: u32| {
            let last = if backwards { leaves - 1 } else { 0 };
            if leaf == last { (1, 0, vec![]) } else { (0, 0, vec![next(leaf)]) }
        };
        let hub = |_| (0, 0, (0..leaves).collect());
        let game = game_of((0..leaves).map(leaf).chain((0..50).map(hub)).collect());
        let monitor = Monitor::new();
        let solution = solve(&game, Algorithm::Auto, &monitor).expect("nothing stops it");
        assert!(winners(&solution).iter().all(|&winner| winner == Player::Falsifier));
    }
}

/// A solution with one winner or one move changed is refused, or is another right one.
#[test]
fn mutated_solutions() {
    for_seeds("mutated solutions", 0..3_000, |rng, case| {
        let (nodes, priorities, degree) = shape(rng, 12);
        let game = random_game(rng, nodes, priorities, degree);
        case.note(format!("{game:?}"));
        let right = solve(&game, Algorithm::Auto, &Monitor::new()).map_err(|e| e.to_string())?;
        let changed = rng.below(nodes) as u32;
        let flip = rng.chance(0.5);
        let mutated = Solution::from_parts((0..nodes as u32).map(|node| {
            let (winner, successor) = (right.winner(node), right.strategy(node));
            match (node == changed, flip) {
                (true, true) => (winner.opponent(), successor),
                (true, false) => (winner, Some(rng.below(nodes + 1) as u32)),
                _ => (winner, successor),
            }
        }));
        let accepted =
            verify(&game, &mutated, &Monitor::new()).map_err(|e| e.to_string())?.is_none();
        let follows = solve(&following(&game, &mutated), Algorithm::Zielonka, &Monitor::new());
        let wins = winners(&follows.map_err(|e| e.to_string())?) == winners(&right);
        match accepted {
            true if flip => Err("a wrong winner was accepted".into()),
            true if !wins => Err("a move that loses was accepted".into()),
            _ => Ok(()),
        }
    });
}

/// The game in which winners can only follow their strategies.
fn following(game: &ParityGame, solution: &Solution) -> ParityGame {
    let node = |node: u32| {
        let owner = game.owner(node);
        let successors = match solution.strategy(node) {
            Some(successor)
                if solution.winner(node) == owner && (successor as usize) < game.len() =>
            {
                vec![successor]
            }
            _ => game.successors(node).to_vec(),
        };
        (game.priority(node), owner as u32, successors)
    };
    game_of((0..game.len() as u32).map(node).collect())
}
