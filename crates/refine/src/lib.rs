//! Refinement of machines module by module: the concretisations of the refinement loop whose sets of states are
//! BDDs.
//!
//! Start at [`ConcreteComponents`]. A machine is divided into groups of what it says (`grouping`), each of which is
//! encoded as a component with its own states and steps (`part`). The composition of these components is
//! the machine (C §6.2): they have to agree on the bits of the variables that several of them have, which
//! are the joint propositions. Abstract states are sets of valuations with the same joint label (C Def. 5.1,
//! 5.3), so data that a component keeps to itself costs nothing, whatever its width. The loop itself is
//! `check`'s and knows nothing of BDDs, as they know nothing of games.

mod classes;
mod component;
mod concretisation;
mod grouping;
mod joint;
mod names;
mod order;
mod profiles;
mod relation;
mod sentence;
mod sets;
mod start;

pub use bdd::{Policy, Stop};
pub use concretisation::{
    ConcreteComponents, ConcretisationError, RefinedMachine, RefinementQuestion,
};
