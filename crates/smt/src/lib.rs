//! Linear arithmetic over unbounded integers: terms, quantifier-free formulas, and solvers for their satisfiability.
//!
//! Start at [`LinearFormula`] and [`Solver`]. A program's expressions, with their `div` and `mod`, become formulas
//! over the program's own variables through [`IntegerValue`]. [`Embedded`] answers by an exact procedure of our own;
//! [`Piped`] asks any solver that speaks SMT-LIB 2 over a [`Pipe`], whose owner keeps the process and the time limit;
//! [`CrossChecked`] asks two and reports when they differ.
//!
//! Invariant: numbers that are too large make an [`Excess`] or an [`SatAnswer::Unknown`], never a wrong answer.
//! A model is evaluated in the formulas of the query before it is returned.

mod affine;
mod atom;
mod cases;
mod comparison;
mod cross;
mod embedded;
mod excess;
mod exists;
mod formula;
mod model;
mod number;
mod piped;
mod ratio;
mod show;
mod simplex;
mod solver;
mod term;
mod value;

pub use affine::Affine;
pub use atom::LinearAtom;
pub use cases::{CaseMemory, cases, literal};
pub use comparison::Comparison;
pub use cross::CrossChecked;
pub use embedded::Embedded;
pub use excess::Excess;
pub use formula::LinearFormula;
pub use model::SmtModel;
pub use piped::{END_OF_ANSWER, Pipe, PipeFault, Piped};
pub use simplex::in_proportion;
pub use solver::{Counters, SatAnswer, Solver, minimise};
pub use term::{Term, Variable};
pub use value::{IntegerValue, Rounding};
