//! Seeded random inputs, small exhaustive ones, and the writing down of those that fail. For tests
//! only.
//!
//! Start at [`for_seeds`]: it runs a test on many seeds and, when one fails, says which and leaves the
//! input in a file.

mod abstraction;
pub mod assumption_oracle;
mod assumptions;
pub mod blame;
mod corpus;
mod failure;
mod formulas;
mod games;
mod integer_texts;
mod limits;
pub mod linear;
pub mod mixed;
mod models;
mod modules;
pub mod programs;
pub mod promela;
mod reading;
pub mod reference;
mod refinement;
mod rng;
mod systems;
mod text;
pub mod zielonka;

pub use abstraction::{Abstraction, abstraction};
pub use assumptions::{
    AssumptionQuestion, assumption_question, changed_process, nondeterministic_question,
};
pub use corpus::{nusmv_examples, smv_files};
pub use failure::{Case, for_seeds};
pub use formulas::{FormulaShape, compile_for, formula, formula_for, noted_formula, pair};
pub use games::{Owner, TinyGame, TinyPartialGame, parity_game_count, parity_games, partial_games};
pub use integer_texts::{IntegerText, integer_texts};
pub use limits::keeps_its_limits;
pub use models::{ModelShape, model};
pub use modules::modules;
pub use reading::{
    IntegerDocument, SmvDocument, TmDocument, WhileDocument, read_either, read_integers,
    read_promela_asking, read_smv, read_smv_asking, read_smv_either, read_tm, read_while,
    read_while_asking, write_while,
};
pub use refinement::{Refinement, refinement};
pub use rng::Rng;
pub use systems::{action_system, component_system, prop_system, system_question};
pub use text::{model_text, system_text};
