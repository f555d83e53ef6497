//! SMV: the language, the machines that it describes, and NuSMV's own examples.

mod brute;
mod corpus;
mod errors;
mod generate;
mod integers;
mod language;
mod peer;
mod random_integers;
mod robustness;
mod support;
mod words;
