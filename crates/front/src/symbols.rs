//! The names of a text with where they are defined and used, for editors.

use rustc_hash::FxHashMap;
use support::Span;

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SymbolKind {
    Variable,
    Constant,
    Definition,
    Module,
    Component,
    State,
    Action,
    Proposition,
    Property,
    Process,
    Procedure,
    Channel,
    Label,
    Macro,
    Type,
}

/// A name that a text defines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    pub name: String,
    pub kind: SymbolKind,
    /// The name where it is defined.
    pub definition: Span,
    /// The name wherever else it stands, in the order of the text.
    pub uses: Vec<Span>,
}

/// All names of a text, in the order of their definitions.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    list: Vec<Symbol>,
    by_definition: FxHashMap<Span, usize>,
}

impl Symbols {
    /// Notes a definition; a second one at the same place is the same symbol.
    pub(crate) fn define(&mut self, kind: SymbolKind, name: &str, definition: Span) {
        self.by_definition.entry(definition).or_insert_with(|| {
            let name = name.to_owned();
            self.list.push(Symbol { name, kind, definition, uses: Vec::new() });
            self.list.len() - 1
        });
    }

    /// Notes a use of what is defined there.
    pub(crate) fn used(&mut self, definition: Span, span: Span) {
        let Some(&index) = self.by_definition.get(&definition) else { return };
        let uses = &mut self.list[index].uses;
        // Every instance of a module reads the same text.
        if let Err(place) = uses.binary_search_by_key(&key(span), |known| key(*known))
            && span != definition
        {
            uses.insert(place, span);
        }
    }

    /// The symbols in the order in which they were defined.
    pub fn iter(&self) -> impl Iterator<Item = &Symbol> {
        self.list.iter()
    }

    /// The symbol whose name stands at this place, as a definition or as a use.
    pub fn at(&self, span: Span) -> Option<&Symbol> {
        let covers =
            |own: &Span| own.file == span.file && own.start <= span.start && span.end <= own.end;
        self.list.iter().find(|symbol| covers(&symbol.definition) || symbol.uses.iter().any(covers))
    }
}

fn key(span: Span) -> (u32, u32, u32) {
    (span.file.0, span.start, span.end)
}
