//! LTL to automata: against the semantics on words, and in size against what is published.

mod accepting;
mod agreement;
mod forged;
mod models;
mod oracle;
mod sizes;
mod tableau;
mod words;
