//! Parity games: the highest priority that occurs forever decides, player 0 wins the even ones.

mod model_checking;
mod structured;

use crate::lts::Shape;
use crate::random::Random;
use clap::{Args, ValueEnum};
use front::PgGame;

#[derive(Clone, Copy, ValueEnum)]
pub enum Family {
    /// Everything at random
    Random,
    /// A formula of alternation depth 2 on a transition system
    Mc2,
    /// A formula of alternation depth 3 on a transition system
    Mc3,
    /// A closed ladder: two steps ahead at most, owners and priorities in turns
    Ladder,
    /// A chain of small cliques
    Cliques,
    /// Jurdziński's games, hard for small progress measures
    Jurdzinski,
    /// Many copies of Friedmann's game, hard for the recursive algorithm
    Recursive,
    /// The towers of Hanoi: can they be moved?
    Hanoi,
    /// A lift against people who press buttons: is a floor served again and again?
    Elevator,
}

#[derive(Args)]
pub struct Wish {
    pub family: Family,
    /// About how many nodes
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub nodes: u32,
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How many priorities (random)
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..))]
    pub priorities: u32,
    /// The fewest sons of a node (random)
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub min: u32,
    /// The most sons of a node (random)
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub max: u32,
    /// The transition system that is checked (mc2, mc3)
    #[arg(long, value_enum, default_value = "uniform")]
    pub over: Shape,
    /// Size of a clique, or levels of a Jurdziński or recursive game
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(2..))]
    pub depth: u32,
}

pub fn make(wish: &Wish) -> PgGame {
    match wish.family {
        Family::Random => random(wish),
        Family::Mc2 => model_checking::make(&model_checking::depth_2(), wish),
        Family::Mc3 => model_checking::make(&model_checking::depth_3(), wish),
        Family::Ladder => structured::ladder(wish.nodes),
        Family::Cliques => structured::cliques(wish.nodes, wish.depth),
        Family::Jurdzinski => structured::jurdzinski(wish.nodes, wish.depth),
        Family::Recursive => structured::recursive(wish.nodes, wish.depth),
        Family::Hanoi => structured::hanoi(wish.nodes),
        Family::Elevator => structured::elevator(wish.nodes),
    }
}

/// A game that is put together node by node.
struct Builder(PgGame);

impl Builder {
    fn new() -> Self {
        Self(PgGame { son_offsets: vec![0], ..PgGame::default() })
    }

    fn node(&mut self, priority: u32, owner: u32, sons: impl IntoIterator<Item = u32>) {
        self.0.priorities.push(priority);
        self.0.owners.push((owner % 2) as u8);
        self.0.sons.extend(sons);
        self.0.son_offsets.push(self.0.sons.len() as u32);
    }
}

fn random(wish: &Wish) -> PgGame {
    let mut random = Random::new(wish.seed);
    let mut builder = Builder::new();
    for _ in 0..wish.nodes {
        let (priority, owner) = (random.below(wish.priorities), random.below(2));
        let degree = wish.min + random.below(wish.max.max(wish.min) - wish.min + 1);
        builder.node(priority, owner, (0..degree).map(|_| random.below(wish.nodes)));
    }
    builder.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(family: Family, nodes: u32) -> Wish {
        Wish {
            family,
            nodes,
            seed: 7,
            priorities: 8,
            min: 1,
            max: 5,
            over: Shape::Uniform,
            depth: 8,
        }
    }

    #[test]
    fn every_family_is_a_game_of_about_the_wanted_size() {
        for family in Family::value_variants() {
            for nodes in [1, 100, 20_000] {
                let name = family.to_possible_value().unwrap().get_name().to_owned();
                let game = make(&wish(*family, nodes));
                let mut text = Vec::new();
                front::write_pg(&game, &mut text).unwrap();
                let back = front::read_pg(&text[..], &name, &support::Monitor::new()).unwrap();
                assert_eq!(back, game, "{name}");
                if nodes == 20_000 {
                    assert!((8_000..40_000).contains(&game.len()), "{name}: {}", game.len());
                }
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_game() {
        for family in [Family::Random, Family::Mc2, Family::Mc3] {
            assert_eq!(make(&wish(family, 500)), make(&wish(family, 500)));
            assert_ne!(make(&wish(family, 500)), make(&Wish { seed: 8, ..wish(family, 500) }));
        }
    }
}
