//! Readers and writers: text to values or diagnostics, never a panic.

use support::{Diagnostic, FileId, Span};

mod aut;
mod climb;
mod cursor;
pub mod document;
mod dot;
mod formula;
mod imperative;
mod language;
mod lexer;
mod linear;
mod pg;
pub mod promela;
mod sink;
mod smv;
mod stream;
mod symbols;
mod syntax;
mod temporal;
mod tm;

pub use aut::{AutError, read_aut, write_aut};
pub use dot::write_dot;
pub use formula::parse_formula;
pub use imperative::{
    EitherDocument, GivenCuts, IntegerDocument, IntegerDomain, IntegerPlace, IntegerStart,
    IntegerVariable, Mover, Proposition, WhileDocument, WhileProperty, draw_partition,
    read_assumption, read_either_asking, read_integers, read_integers_asking, read_partition,
    read_while, read_while_asking, while_machine, write_partition, write_while, write_while_smv,
};
pub use language::{
    LANGUAGES, Language, Loader, Numbers, Reading, Source, StreamReader, language_looking_like,
    language_named, language_of,
};
pub use pg::{NodeNames, PgGame, Solved, read_pg, read_solution, write_pg, write_solution};
pub use smv::{
    Assurance, Claim, EitherSmv, NotKripke, SmvDocument, SmvIntegers, SmvLogic, SmvPlace,
    SmvQuestion, SmvView, Specification, read_smv, read_smv_asking, read_smv_before,
    read_smv_either, write_smv, write_smv_model,
};
pub use stream::{Fault, ReadError};
pub use symbols::{Symbol, SymbolKind, Symbols};
pub use tm::{
    Document, Property, Safety, component_name, legal_props, read_sync, read_tm, write_tm,
};

/// Spans are positions of 32 bits.
fn too_long(file: FileId, text: &str) -> Option<Diagnostic> {
    (text.len() >= u32::MAX as usize).then(|| {
        Diagnostic::error("the text is longer than 4 GiB", Span::new(file, 0..0), "begins here")
            .with_help("large models are read from `.aut` files")
    })
}
