//! A program as SMV: names that mean something else there, or cannot be written, are changed.

use crate::smv::{SmvDocument, is_reserved, write_smv};
use rustc_hash::FxHashSet;
use support::Interner;
use transition::SymbolId;

/// The machine of a program as an SMV file, with its properties.
pub fn write_while_smv(document: &SmvDocument) -> String {
    let mut document = document.clone();
    let machine = &mut document.machine;
    let mut taken: FxHashSet<String> = FxHashSet::default();
    let symbols: Vec<String> =
        machine.symbols.names().map(|name| legal(name, &mut taken)).collect();
    machine.symbols = symbols.iter().map(|name| &**name).collect::<Interner<SymbolId>>();
    for var in machine.vars.ids().collect::<Vec<_>>() {
        let name = &mut machine.vars[var].name;
        *name = legal(name, &mut taken);
    }
    let mut taken: FxHashSet<String> = FxHashSet::default();
    for specification in &mut document.specifications {
        if let Some(name) = &mut specification.name {
            *name = legal(&name.replace(['.', '[', ']'], "_"), &mut taken);
        }
    }
    write_smv(&document)
}

/// Names that mean something in every module.
const SPECIAL: [&str; 2] = ["self", "running"];

/// The name itself if it can be written: letters, digits and `_`, in pieces `p.x` and with an index `a[0]`.
fn legal(name: &str, taken: &mut FxHashSet<String>) -> String {
    let letter = |c: char| match c {
        'A'..='Z' | 'a'..='z' | '0'..='9' | '_' | '.' | '[' | ']' | '-' => c,
        _ => '_',
    };
    let mut pieces: Vec<String> =
        name.chars().map(letter).collect::<String>().split('.').map(str::to_owned).collect();
    for piece in &mut pieces {
        let end = piece.find('[').unwrap_or(piece.len());
        if is_reserved(&piece[..end]) || SPECIAL.contains(&&piece[..end]) {
            piece.insert(end, '_');
        }
        if !piece.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            piece.insert(0, '_');
        }
    }
    let mut legal = pieces.join(".");
    while !taken.insert(legal.clone()) {
        let end = legal.rfind('[').unwrap_or(legal.len());
        legal.insert(end, '_');
    }
    legal
}
