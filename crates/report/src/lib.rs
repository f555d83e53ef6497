//! Output: diagnostics, verdicts, explanations and statistics as text, JSON, DOT, SVG and HTML; traces also as VCD,
//! ITF and in the formats of NuSMV and Spin.
//!
//! Invariant: this is the only crate that serialises anything, and it prints nothing itself.

mod answer;
mod assumption;
mod certified;
mod comparison;
mod diagnostics;
mod errors;
mod event;
mod excerpt;
pub mod explanation;
mod json;
mod knowledge;
mod parts;
mod place;
mod predicates;
mod refinement_log;
mod rounds;
mod sentence;
mod simulation;
mod style;
mod suite;
mod trace;
mod visible;

pub use answer::{AnswerReport, summary};
pub use assumption::{
    AssumedProcess, SafetyCheck, SafetyVerdict, assume_document, curve_table, error_trace,
    safety_document, safety_line,
};
pub use certified::{audited, certified, not_claimed};
pub use comparison::{Compared, name_of_relation};
pub use diagnostics::render;
pub use errors::{about_file, errors_document, errors_json, plain_error};
pub use event::{
    Planned, answer_event, errors_event, note_event, plan_event, predicates_event, progress_event,
    refused_event, round_event,
};
pub use json::{CompareDocument, JSON_FORMAT, SolveDocument, check_document, to_json};
pub use parts::{FormulaPart, FormulaText};
pub use place::TextRange;
pub use predicates::{FoundPredicates, PredicateRound, TextPosition};
pub use refinement_log::{TracedRound, refinement_document};
pub use rounds::round_line;
pub use sentence::{deadlock_warning, reason, unsuited_note};
pub use simulation::{read_trace, simulation_document};
pub use style::Colour;
pub use suite::{count_line, joined_documents, junit, sarif};
pub use trace::{
    AS_DEMONSTRATED, ReportedTrace, TraceView, itf, nusmv_text, nusmv_title, nusmv_xml, spin_steps,
    step_text, trace_json, trace_text, vcd,
};
