//! Truth values and formulas: from what the user wrote (`Surface`) to one negation-normal arena
//! with priorities (`Formula`), whatever logic it was written in.
//!
//! Start at [`compile`]. Each node of the arena remembers the source text that it came from, so that
//! evidence can speak the user's language ([`Formula::show`]).

mod actions;
mod assumed;
mod blocks;
mod builder;
mod checks;
mod compile;
mod copy;
mod data;
mod distance;
mod dual;
pub mod evidence;
mod expand;
mod fair;
mod formula;
mod listed;
mod ranked;
mod show;
mod surface;
mod truth;

pub use actions::ActionSet;
pub use assumed::AssumedFormula;
pub use blocks::{BlockId, FormulaBlock};
pub use builder::FormulaBuilder;
pub use checks::check_names;
pub use compile::{Family, Signature, compile};
pub use data::{
    ActionFormula, ActionPattern, BinaryOp, Constructor, DataTerm, DataTermKind, DataVarId,
    DataVariable, Sort, SortDeclaration, SortDefinition, UnaryOp,
};
pub use distance::{Distance, Extreme, PathLength};
pub use expand::{Combination, Expansion};
pub use fair::{FairSteps, FairTerm, Fairness, compile_fair};
pub use formula::{
    ActionSetId, Fix, FixpointVar, Formula, Modality, Node, NodeId, Origin, PropId, VarId,
};
pub use listed::ListedFormula;
pub use surface::{
    Binder, BinderId, Expr, ExprId, LinearOp, LinearPairOp, Logic, PathOp, Quantifier, RegId,
    Regular, StateOp, Surface, SurfaceBuilder,
};
pub use truth::Truth;
