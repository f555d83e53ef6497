//! Symbolic transition systems ([`Machine`]) and control-flow graphs ([`mod@cfg`]) over finite-domain variables, and
//! programs over unbounded integers ([`integers`]). A machine has an initial condition, a transition relation and
//! invariants, as conjuncts with read and write sets.
//!
//! Start at [`Machine`]. Expressions live in one hash-consed arena ([`Exprs`]), a definition that is
//! used in many places being one node; what an assignment may choose from is a [`Choice`]. A consumer
//! takes the machine conjunct by conjunct ([`Machine::conjuncts`]), or has it enumerated into a model
//! ([`enumerate`]).

pub mod abstracted;
mod access;
pub mod cfg;
mod choice;
mod components;
mod cone;
mod defined;
mod digest;
mod domain;
mod evaluate;
mod expr;
mod exprs;
mod history;
pub mod integers;
mod interleaving;
mod interval;
mod parts;
mod replace;
mod semantics;
mod stepper;

pub use access::{Access, Conjunct, Role};
pub use choice::{Choice, ChoiceId, Choices};
pub use components::{Division, InstanceGroup, MachineComponent};
pub use cone::Slice;
pub use defined::Total;
pub use digest::digest;
pub use domain::{Domain, FIRST_SYMBOL, SymbolId, symbol_value};
pub use expr::{Binary, ExprNode, LARGEST, NodeId, SiteId, Type, Unary};
pub use exprs::Exprs;
pub use interleaving::{
    BufferedChannel, ExclusiveControl, InterleavedProcess, InterleavedStep, InterleavedSteps,
    ProcessMove, QueueEnd,
};
pub use parts::{
    Assign, Constraint, FailureSite, FairnessConstraint, Instance, InstanceId, Machine, MachineVar,
    Section, Undefined, VarId, VarKind, When,
};
pub use semantics::{binary, cast, extract, unary};
pub use stepper::{
    Enumeration, GuardedCommand, GuardedCommands, PackedField, PackedLayout, RuntimeError,
    RuntimeErrorKind, StateProperty, StepError, SteppedState, Stepper, Valuation, enumerate,
    inputs_along,
};
