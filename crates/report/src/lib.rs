//! What users read and what scripts read: diagnostics, verdicts and figures as text and as JSON.
//!
//! Invariant: this is the only crate that serialises anything, and it prints nothing itself.

mod answer;
mod assumption;
mod certified;
mod comparison;
mod diagnostics;
mod excerpt;
pub mod explanation;
mod json;
mod knowledge;
mod predicates;
mod rounds;
mod sentence;
mod story;
mod style;
mod trace;
mod visible;

pub use answer::{Answer, summary};
pub use assumption::{
    AssumeDocument, AssumeStats, Assumed, SafetyCheck, SafetyCheckDocument, SafetyVerdict,
    curve_table, error_trace, safety_line,
};
pub use certified::{audited, certified};
pub use comparison::{Compared, name_of_relation};
pub use diagnostics::render;
pub use json::{CheckDocument, CompareDocument, SolveDocument, to_json};
pub use predicates::{BestKnowledge, FoundPredicates, PredicateRound, TextPosition};
pub use rounds::round_line;
pub use sentence::{deadlock_warning, reason, unsuited_note};
pub use story::{HeldAt, MeasuredAt, ProgramStory, StoryArgument, StoryStep};
pub use style::Colour;
pub use trace::{TraceDocument, TracedRound};
