//! What shows the verdicts on random SMV programs: certificates, which the auditor has to accept, and which he
//! has to refuse when they are forged.

mod certificates;
#[path = "../../../front/tests/smv/generate.rs"]
mod generate;
mod questions;
mod replay;
