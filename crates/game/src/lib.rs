//! Games: the 3-valued model-checking game of C §2.1 and the 2-valued parity games it reduces to.

mod arena;
mod parity_game;

pub use arena::{Arena, Player};
pub use parity_game::ParityGame;
