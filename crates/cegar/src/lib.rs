//! Programs over unbounded integers: predicate abstraction with counterexample-guided refinement (CEGAR).
//!
//! Start at [`run`], whose module `cegar_loop` names the algorithm and its sources. Each part has a module:
//!
//! - `precision`: the predicates at each location. An abstract state is a location with a value for each of them.
//! - `successors`: may and must successors of an abstract state, by a solver; `solver_cache` keeps its unsat cores and
//!   models, which remain valid when predicates are added.
//! - `reachability`: the reachable abstract states; `abstract_model`: the same as a GKMTS that the program refines.
//! - `colouring`: the game on the abstract model; `cause`: the cause of an unknown in it.
//! - `feasibility`: spurious paths and their interpolants; `discovery`: weakest preconditions; `refinement`: in which
//!   order they are tried; `combination` and `affine_invariants`: predicates for loops.
//! - `ranking`: ranking functions of cycles, used through [`logic::Formula::ranked`]; found from templates
//!   (`ranking_template`) or by Farkas' lemma (`ranking_farkas`).
//! - `modular`: all of this block by block; `concretise`, `strategy`, `invariant`, [`certificate`]: evidence of a
//!   verdict.

mod abstract_model;
pub mod abstraction;
mod affine_invariants;
mod cause;
mod cegar_loop;
pub mod certificate;
mod colouring;
mod combination;
mod concretise;
mod discovery;
mod feasibility;
mod invariant;
mod modular;
mod partition;
mod precision;
mod ranking;
mod ranking_farkas;
mod ranking_template;
mod reachability;
mod refinement;
mod scc;
mod solver_cache;
mod strategy;
mod successors;
mod suggestion;

pub use abstract_model::AbstractModel;
pub use cegar_loop::{
    AbstractEvidence, CegarAnswer, CegarLimits, CegarQuestion, CegarRound, NewPredicates,
    PartitionStats, ProcessLocations, run,
};
pub use concretise::{ConcreteRun, ConcreteState, RunEnd, concretise};
pub use discovery::PredicateOrigin;
pub use invariant::{InvariantAt, InvariantProof, RankingFunction, invariant_proof};
pub use partition::LocationPartition;
pub use precision::Precision;
pub use ranking::Ranking;
pub use reachability::{AbstractState, AbstractTransition, ReachabilityGraph};
pub use transition::integers::Proposition;
