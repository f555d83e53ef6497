//! Partial models in one compact form, and what can be done to them without a formula.
//!
//! Start at [`PartialModel`]: states are numbers, transitions one CSR array in which every edge says whether
//! it may and whether it must happen. A [`System`] is several models that run together.

mod atom_steps;
mod bisimulation;
mod compare;
mod compose;
mod digest;
mod edges;
mod edges_builder;
mod interface;
mod joint;
mod labelling;
mod lift;
mod minimise;
mod move_graph;
mod names;
mod partial;
mod partition;
mod quotient;
mod rules;
mod simulation;
mod starts;
mod stutter;
mod system;
mod translate;
mod unknown;
mod upsets;
mod well_formed;

pub use bisimulation::{Bisimulation, bisimulation};
pub use compare::{
    CompareError, ComparedBy, ComparedModel, ComparedStep, ComparisonReport, Failure, Mismatch,
    compare,
};
pub use compose::{ComposedStep, JointRegion, Moves, Regions};
pub use edges::{EdgeClass, Edges, Mode};
pub use edges_builder::EdgesBuilder;
pub use interface::{CHOSEN, IDLE, Interface, JointValues, STUTTER, StepDemand};
pub use joint::JointLabels;
pub use labelling::Labelling;
pub use lift::{LiftedComponent, LiftedStep, Lifter, Lifting, lift};
pub use minimise::{ProcessEquivalence, minimise};
pub use names::{NameStates, StateNames};
pub use partial::{ActionId, Covers, Hyper, Kind, ModelBuilder, PartialModel, TAU};
pub use quotient::{Blocks, NO_BLOCK, QuotientFault, quotient};
pub use rules::Rule;
pub use simulation::{MixedSimulation, mixed_simulation};
pub use system::{Component, ComposeError, Sync, System, Vector};
pub use unknown::{MAX_OPEN_PROPS, unknown_actions, unknown_props};
pub use upsets::Upsets;
pub use well_formed::{IllFormed, ill_formed};
