//! LTL with past by definition: on words that repeat, and on the paths of partial models.

mod tableau;
mod words;

pub use tableau::value;
pub use words::{PathBinary, PathFormula, PathUnary, PeriodicWord};
