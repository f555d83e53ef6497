//! What shows the verdicts on SMV programs: certificates, which the auditor has to accept, and which he has to
//! refuse when they are forged; and evidence, which the machine's own evaluator replays.

mod certificates;
mod components;
mod corpus;
#[path = "../../../front/tests/smv/generate.rs"]
mod generate;
mod questions;
mod replay;
#[path = "../common/vocabulary.rs"]
mod vocabulary;
