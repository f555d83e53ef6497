//! Programs over unbounded integers: predicate abstraction that finds its own predicates.
//!
//! Start at [`run`]. At every place of a program some atoms are known ([`Views`]), and a state of the abstraction is
//! a place with a value for each of them. What a step may and must do to them is found out by a solver, state by
//! state as they are reached ([`Region`]): a GKMTS that the program refines, in which a step that does not
//! choose must lead to one of the states that it may lead to. The game on it gives a verdict, or the place where knowledge
//! is missing; the weakest preconditions there are the next atoms (`refine`). Loops that end because something gets
//! smaller are seen by their measures (`measures`), through [`logic::Formula::ranked`].

pub mod certificate;
mod measures;
mod refine;
mod region;
mod successors;
mod views;

pub use measures::Measure;
pub use predicates::Proposition;
pub use refine::{Answer, Limits, Question, Round, Shown, run};
pub use region::{Region, State};
pub use views::Views;
