//! Abstraction refinement of SMV designs module by module (C §5, Remark 6.2): concretisations of the refinement loop
//! whose sets of states are BDDs.
//!
//! Start at [`ConcreteComponents`]. The conjuncts of a transition system are grouped (`grouping`), and each group is
//! encoded as a component with its own states and steps (`component`). The composition of these components is the
//! transition system (C §6.2): they have to agree on the bits of the variables that several of them have, which are the
//! joint propositions. Abstract states are sets of valuations with the same joint label (C Def. 5.1, 5.3), so data that
//! a component keeps to itself costs nothing, whatever its width. The loop itself is in the crate `explicit` and knows
//! nothing of BDDs. It takes some BDD operations for each edge; their cost is exponential in the worst case.
//!
//! Where we differ: any number of modules, and components that share an input or many bits are merged.

mod classes;
mod component;
mod concretisation;
mod constraint;
mod grouping;
mod joint;
mod names;
mod order;
mod profiles;
mod relation;
mod sets;
mod start;

pub use bdd::{Policy, Stop};
pub use concretisation::{
    ConcreteComponents, ConcretisationError, RefinedMachine, RefinementQuestion,
};
