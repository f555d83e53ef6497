//! LTL to automata: against the semantics on words, and in size against what is published.

mod accepting;
mod agreement;
mod build;
mod forged;
mod models;
mod sizes;
mod words;
