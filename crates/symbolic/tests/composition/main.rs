//! The sets that groups of components come to, against machines written out state by state: from what is
//! documented of groups and from the papers, not from the code.

mod components;
#[path = "../../../front/tests/smv/generate.rs"]
mod generate;
mod graph;
mod growth;
mod lifted;
mod programs;
mod questions;
mod relevant;
mod sets;
mod table;
mod test_system;
mod verdicts;
