//! Evidence of verdicts on SMV programs and Promela models: certificates, which the auditor has to accept, and has to refuse when
//! they are forged; and traces, which the transition system's own evaluator replays.

mod certificates;
mod components;
mod corpus;
#[path = "../common/forge.rs"]
mod forge;
#[path = "../../../front/tests/smv/generate.rs"]
mod generate;
#[path = "../../../front/tests/processes/generate.rs"]
mod models;
mod promela;
mod questions;
mod replay;
#[path = "../common/vocabulary.rs"]
mod vocabulary;
