//! Names that mean something else in SMV, or cannot be written, are changed.

use crate::document::{MachineForm, Specification};
use crate::smv::lexer::is_reserved;
use rustc_hash::FxHashSet;
use support::Interner;
use transition::{SymbolId, symbol_value};

/// A transition system whose names can all be written.
pub(super) fn legal_names(
    form: &MachineForm,
    specifications: &[Specification],
) -> (MachineForm, Vec<Specification>) {
    let (mut form, mut specifications) = (form.clone(), specifications.to_vec());
    let machine = &mut form.machine;
    // Those of the selector are called like instances, and are written in another way.
    let selector = machine.selector.map(|selector| machine.vars[selector].domain.clone());
    let is_process = |symbol: SymbolId| {
        selector.as_ref().is_some_and(|domain| domain.contains(symbol_value(symbol)))
    };
    let mut taken: FxHashSet<String> = FxHashSet::default();
    let symbols: Vec<String> = machine
        .symbols
        .iter()
        .map(|(id, name)| if is_process(id) { name.to_owned() } else { legal(name, &mut taken) })
        .collect();
    machine.symbols = symbols.iter().map(|name| &**name).collect::<Interner<SymbolId>>();
    for var in machine.vars.ids().collect::<Vec<_>>() {
        let name = &mut machine.vars[var].name;
        *name = legal(name, &mut taken);
    }
    let mut taken: FxHashSet<String> = FxHashSet::default();
    for name in specifications.iter_mut().filter_map(|one| one.name.as_mut()) {
        let plain = name.replace(['.', '[', ']'], "_");
        if legal(&plain, &mut FxHashSet::default()) == *name {
            taken.insert(plain);
        } else {
            *name = legal(&plain, &mut taken);
        }
    }
    (form, specifications)
}

/// Names that mean something in every module.
const SPECIAL: [&str; 2] = ["self", "running"];

/// The name itself if it can be written: letters, digits and `_`, in pieces `p.x` and with an index `a[0]`.
fn legal(name: &str, taken: &mut FxHashSet<String>) -> String {
    let letter = |c: char| match c {
        'A'..='Z' | 'a'..='z' | '0'..='9' | '_' | '$' | '#' | '\\' | '.' | '[' | ']' | '-' => c,
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
