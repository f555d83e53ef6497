//! Readers and writers: text to values or diagnostics, never a panic.
//!
//! A language is its folder and a line in [`LANGUAGES`]; [`Language::read`] makes a [`Document`] of a text.

use support::{Diagnostic, FileId, Span};

mod aut;
mod climb;
mod cursor;
mod document;
mod dot;
mod formula;
mod imperative;
mod language;
mod lexer;
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
pub use document::{
    Document, FairAction, Form, GivenQuestion, IntegerForm, MachineForm, PrintPart, PrintStyle,
    ProgramForm, Safety, SpecLogic, Specification, StatementMap,
};
pub use dot::write_dot;
pub use formula::parse_formula;
pub use imperative::{
    GivenCuts, IntegerDomain, IntegerStart, IntegerVariable, OpenProgram, draw_partition,
    read_assumption, read_partition, write_partition,
};
pub use language::{
    IncludedText, LANGUAGES, Language, Numbers, PartLoader, ProcessFairness, ProcessForm,
    ProcessReader, Reading, SourceText, StreamReader, language_looking_like, language_named,
    language_of,
};
pub use pg::{NodeNames, PgGame, Solved, read_pg, read_solution, write_pg, write_solution};
pub use promela::NO_NON_PROGRESS_CYCLE;
pub use smv::{BackLocation, BackTranslation, NoErrorProperty, NotKripke, Witness};
pub use stream::{ReadError, ReadFault};
pub use symbols::{Symbol, SymbolKind, Symbols};
pub use tm::{component_name, legal_props, read_sync, write_tm};

/// Spans are positions of 32 bits.
fn too_long(file: FileId, text: &str) -> Option<Diagnostic> {
    (text.len() >= u32::MAX as usize).then(|| {
        Diagnostic::error("the text is longer than 4 GiB", Span::new(file, 0..0), "begins here")
            .with_help("large models are read from `.aut` files")
    })
}

/// The errors of a file, and of formulas about it, that are too long.
fn too_long_texts(file: FileId, text: &str, asked: &[GivenQuestion]) -> Vec<Diagnostic> {
    let texts = asked.iter().map(|question| (question.file, &*question.text));
    let all = std::iter::once((file, text)).chain(texts);
    all.filter_map(|(file, text)| too_long(file, text)).collect()
}
