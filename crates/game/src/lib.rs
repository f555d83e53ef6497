//! Games: the 3-valued model-checking game of C §2.1 and the 2-valued parity games it reduces to.
//!
//! Two ways lead through this crate. [`Play`] colours the game of an explicit model without writing it
//! down, which is what `check` does to whole systems. [`GameGraph`] is the game written down, which is
//! what the compositional methods cut up and put together; [`colour`] colours it. Below both lie the
//! parity games of [`solve`].

mod alternating;
mod arena;
mod argue;
mod argument;
mod attraction;
mod bits;
mod board;
pub mod colour;
mod doubt;
mod explore;
mod graph;
mod parity_game;
mod part;
mod plan;
mod play;
mod product;
mod sheet;
pub mod solve;
mod subformulas;
mod subgraph;
mod weak_stage;

pub use arena::{Arena, Player};
pub use argue::{NodeArgument, NodeStep, argue};
pub use argument::{Argument, Step};
pub use board::{Board, BoardView, View};
pub use doubt::{Doubt, find_doubt, follow};
pub use graph::{Edge, GameGraph, GraphBuilder};
pub use parity_game::ParityGame;
pub use part::{Part, STAY};
pub use plan::{Equation, Op, Plan, Stage};
pub use play::{Play, Side};
pub use product::{Knowledge, Products};
pub use sheet::Sheet;
pub use subformulas::{NodeClass, Subformula, Subformulas};
pub use subgraph::{Subgraph, unknown_subgraph, witnessing_sons};
