//! Tertium: a model checker that answers **true**, **false** or **unknown**; an unknown names its cause.
//!
//! This crate is the public API. A [`Model`] is read once and checked for any number of properties:
//!
//! ```
//! let model = tertium::Model::read("smv", "counter.smv", "
//!     MODULE main
//!     VAR x : 0..7;
//!     ASSIGN init(x) := 0; next(x) := (x + 1) mod 8;
//!     SPEC AG EF x = 0
//!     SPEC AG x < 7
//! ")?;
//! for property in model.properties() {
//!     let answer = model.check(property, &tertium::Options::default())?;
//!     println!("{}: {}", property.name(), answer.verdict());
//!     if let Some(trace) = answer.counterexample()? {
//!         println!("{trace}");
//!         assert_eq!(trace.states.len(), 8);
//!     }
//! }
//! # Ok::<(), tertium::Error>(())
//! ```
//!
//! # Reading
//!
//! [`Model::open`] reads a file by its ending, [`Model::read`] a text in a named language, [`Input`] several texts, a
//! network of `.aut` files with a file of synchronisation vectors, or texts behind a [`Loader`]. What is wrong is an
//! [`Error`] with the place of every fault ([`Error::diagnostics`]). Formulas can be asked afterwards:
//!
//! ```
//! use tertium::{Logic, Model, Options, Verdict};
//! let model = Model::read("tm", "lamp.tm", "
//!     component Lamp kmts { props on; init off; off: {!on} -> off ?> lit; lit: {on} -> off; }
//! ")?;
//! let property = model.property(Logic::Ctl, "EF on")?;
//! let answer = model.check(&property, &Options::default())?;
//! assert_eq!(answer.verdict(), Verdict::Unknown);
//! assert!(answer.reason().is_some());
//! # Ok::<(), tertium::Error>(())
//! ```
//!
//! # Asking
//!
//! [`Options`] choose a method, limits and the settings of single methods. What a method cannot do is one typed value,
//! [`Unsupported`]. A limit is no error: the answer is unknown then, with the reason. [`Model::check_all`] answers
//! several properties, which share work and time, and tells an [`Observer`] what happens. A [`Cancel`] handle stops a
//! check from another thread. A `Model` is `Send + Sync`, cheap to clone, and keeps what was computed for the next
//! question.
//!
//! # Showing
//!
//! An [`Answer`] gives, on demand, an [`Explanation`], a [`Trace`] where the evidence is a path, and a certificate that
//! [`certify`] checks without trusting the engine that made it:
//!
//! ```
//! use tertium::{Model, Options, certify};
//! let model = Model::read("tm", "mutex.tm", "
//!     component M kripke { props a, b; init s; s: {} -> t, u; t: {a} -> s; u: {b} -> s; }
//!     property exclusion: ctl AG !(a & b);
//! ")?;
//! let answer = model.check(&model.properties()[0], &Options::default())?;
//! let certificate = answer.certificate()?;
//! assert!(certify(&model, &certificate)?.is_valid());
//! # Ok::<(), tertium::Error>(())
//! ```
//!
//! # Walking
//!
//! [`Model::simulator`] walks through a model of any language: successors, undo, random steps, watched formulas, and
//! the walk as a [`Trace`].
//!
//! [`compare()`], [`convert()`], [`solve()`] and [`assume()`] are the other jobs of the command line.

#![warn(missing_docs)]

mod answer;
mod assume;
mod certify;
mod clock;
mod compare;
mod control_flow;
mod convert;
mod engine;
mod engines;
mod error;
mod event;
mod explanation;
mod explicit_model;
mod input;
pub mod inspect;
mod integers;
mod invariant;
mod language;
mod model;
mod model_parts;
mod options;
mod portfolio;
mod property;
mod simulate;
mod solve;
mod solver;
mod source;
mod trace;
mod transition_system;
mod unsupported;
mod whole_trace;

pub use ::model::ProcessEquivalence;
pub use answer::{Abstractions, Answer};
pub use assume::{
    AssumeConstruction, AssumeEquivalence, AssumeOptions, MadeAssumption, SafetyAnswer,
    SafetyModel, assume,
};
pub use certify::{
    Certification, CertifiedClaim, certificates, certify, certify_with, is_about_assumptions,
};
pub use compare::{CompareOptions, CompareRelation, ComparedModels, compare};
pub use convert::{ConvertOptions, Converted, convert};
pub use engine::Method;
pub use error::{Diagnostics, Error};
pub use event::{Event, Observer};
pub use explanation::{Explanation, Wanted};
pub use explicit::{
    DeadlockState, DecidingFacts, Fact, Outcome, Reason, Stats, UndecidedAbstraction,
};
pub use front::{NO_NON_PROGRESS_CYCLE, ProcessFairness};
pub use input::Input;
pub use language::{files_named_in, language_of};
pub use logic::evidence::{
    DecidedSubformula, Trace, TraceLocation, TraceState, TraceStatement, TraceStep, TraceValue,
};
pub use logic::{Logic, PathLength, Truth as Verdict};
pub use model::Model;
pub use options::{
    Ablation, Cancel, Deadlock, MOST_STATES, Options, Semantics, SetRepresentation, StateClasses,
};
pub use portfolio::method_name;
pub use property::Property;
pub use simulate::{
    Arrival, SimulatedLocation, SimulatedStep, SimulationOptions, Simulator, WatchedFormula,
};
pub use solve::{Algorithm, NamedGame, SolvedGame, solve};
pub use source::{FileSystem, Loader, NoFiles};
pub use support::did_you_mean;
pub use support::{Diagnostic, Severity, SourceMap, Span, StopReason, Stopped};
pub use unsupported::Unsupported;

const REPORT: &str = "this is a bug in tertium, not in your input: please report it, with \
                      the input and the command line";
