//! SMV: the language, the machines that it describes, and NuSMV's own examples.

mod corpus;
mod generate;
mod language;
mod peer;
mod support;
mod words;
