//! Programs over unbounded integers: predicate abstraction that finds its own predicates.
//!
//! Start at [`run`]. At every place of a program some atoms are known ([`Views`]), and a state of the abstraction is
//! a place with a value for each of them. What a step may and must do to them is found out by a solver, state by
//! state as they are reached ([`Region`]); what the solver has said is kept as contradictions and as examples, which
//! stay true when more atoms are known (`knowledge`). This is a GKMTS that the program refines ([`Drawing`]), in which a step that
//! does not choose must lead to one of the states that it may lead to. The game on it gives a verdict, or the place
//! where knowledge is missing. If the way there is none of the program, interpolants along it are the next atoms (`way`), and else
//! the weakest preconditions where it ends (`learn`); `closer` has the order. Circles that are left because something gets
//! smaller are seen by their measures ([`Ranking`]), through [`logic::Formula::ranked`]: terms that atoms speak of
//! (`measure`), or another one in each state by linear programming (`synthesis`).

pub mod abstraction;
mod argument;
pub mod certificate;
mod closer;
mod concretise;
mod doubts;
mod drawing;
mod equations;
mod hint;
mod knowledge;
mod learn;
mod measure;
mod modular;
mod parts;
mod pieces;
mod ranking;
mod refine;
mod region;
mod strategy;
mod successors;
mod synthesis;
mod views;
mod way;
mod widen;

pub use argument::{InvariantAt, InvariantProof, Measure, argument};
pub use concretise::{ConcreteRun, ConcreteState, RunEnd, concretise};
pub use drawing::Drawing;
pub use learn::PredicateOrigin;
pub use pieces::Pieces;
pub use ranking::Ranking;
pub use refine::{
    AbstractEvidence, Answer, Components, Found, Limits, PieceFigures, Question, Round, run,
};
pub use region::{Arrow, Region, State};
pub use transition::integers::Proposition;
pub use views::Views;
