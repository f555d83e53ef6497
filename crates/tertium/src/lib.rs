//! Tertium: a model checker that answers true, false or unknown.

#![warn(missing_docs)]

mod answer;
mod assume;
mod certify;
mod compare;
mod components;
mod convert;
mod engine;
mod engines;
mod error;
mod event;
mod explanation;
pub mod inspect;
mod integers;
mod language;
mod machine;
mod model;
mod options;
mod portfolio;
mod program;
mod property;
mod solve;
mod solver;
mod source;
mod unsupported;

pub use answer::Answer;
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
pub use explicit::{DeadEnd, Outcome, Reason, Stats};
pub use language::{files_named_in, language_of};
pub use logic::evidence::{Trace, TraceState, TraceStep, TraceValue};
pub use logic::{Logic, Truth as Verdict};
pub use model::{Input, Model};
pub use options::{Ablation, Cancel, Deadlock, MOST_STATES, Options, Semantics, Sets};
pub use portfolio::method_named as outcome_method;
pub use property::Property;
pub use solve::{Algorithm, NamedGame, SolvedGame, solve};
pub use source::{FileSystem, Loader, NoFiles};
pub use support::did_you_mean;
pub use support::{Diagnostic, Severity, SourceMap, Span, StopReason, Stopped};
pub use unsupported::Unsupported;

const REPORT: &str = "this is a mistake in tertium, not in your input: please report it, with \
                      the input and the command line";
