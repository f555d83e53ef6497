//! Games: the 3-valued model-checking game of C §2.1 and the 2-valued parity games it reduces to.
//!
//! [`ThreeValuedSolution`] colours the game of an explicit model without storing the game graph: the method `direct`. [`GameGraph`] is
//! the stored graph, of which the compositional methods take ?-subgraphs and products; [`colour`] colours it. Both
//! reduce to the parity games of [`solve`].

mod alternating;
mod arena;
mod attraction;
mod bits;
pub mod colour;
mod explore;
mod failure;
mod graph;
mod model_game;
mod node_proof;
mod parity_game;
mod plan;
mod product;
mod proof;
pub mod solve;
mod stored_game;
mod subformulas;
mod subgraph;
mod subsystem;
mod three_valued_solution;
mod weak_stage;

pub use arena::{Arena, Player};
pub use failure::{FailureNode, find_failure_node, find_failure_nodes};
pub use graph::{Edge, GameGraph, GraphBuilder};
pub use model_game::{ArenaView, ModelGame, View};
pub use node_proof::{NodeProof, NodeProofStep, prove};
pub use parity_game::ParityGame;
pub use plan::{Equation, Op, Plan, Stage};
pub use product::{KnownColours, Products};
pub use proof::{PlayProof, PlayProofStep};
pub use stored_game::StoredGame;
pub use subformulas::{NodeClass, Subformula, Subformulas};
pub use subgraph::{Subgraph, unknown_subgraph, witnessing_successors};
pub use subsystem::{STAY, SubsystemGame};
pub use three_valued_solution::{Side, ThreeValuedSolution};
