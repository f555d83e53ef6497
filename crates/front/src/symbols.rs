//! The names of a text with where they are defined and used, for editors.

use support::Span;

/// The kind of a definition.
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

/// A name that a text defines: the text at its definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    pub kind: SymbolKind,
    /// The name where it is defined.
    pub definition: Span,
    /// The name wherever else it stands, in the order of the text.
    pub uses: Vec<Span>,
}

/// All names of a text, as a reader has resolved them.
#[derive(Clone, Default, Debug)]
pub struct Symbols {
    definitions: Vec<(SymbolKind, Span)>,
    /// Each with the definition that it leads to.
    uses: Vec<(Span, Span)>,
}

impl Symbols {
    pub(crate) fn define(&mut self, kind: SymbolKind, name: Span) {
        self.definitions.push((kind, name));
    }

    /// Notes a use of what is defined there.
    pub(crate) fn used(&mut self, definition: Span, name: Span) {
        self.uses.push((definition, name));
    }

    /// Notes a use of a name unless a macro has put it there, whose use is where it stands then.
    pub(crate) fn used_as(&mut self, definition: Span, name: &str, span: Span) {
        if span.range().len() == name.len() {
            self.used(definition, span);
        }
    }

    pub(crate) fn append(&mut self, other: Symbols) {
        self.definitions.extend(other.definitions);
        self.uses.extend(other.uses);
    }

    /// The symbols in the order of the text. Modules that are read for every instance have each name once.
    pub fn list(&self) -> Vec<Symbol> {
        let key = |span: Span| (span.file, span.start, span.end);
        let mut definitions = self.definitions.clone();
        definitions.sort_by_key(|(_, span)| key(*span));
        definitions.dedup_by_key(|(_, span)| *span);
        let mut uses = self.uses.clone();
        uses.sort_by_key(|(definition, name)| (key(*definition), key(*name)));
        uses.dedup();
        let symbol = |(kind, definition): (SymbolKind, Span)| {
            let first = uses.partition_point(|(other, _)| key(*other) < key(definition));
            let own = uses[first..].iter().take_while(|(other, _)| *other == definition);
            let own = own.map(|(_, name)| *name).filter(|name| *name != definition);
            Symbol { kind, definition, uses: own.collect() }
        };
        definitions.into_iter().map(symbol).collect()
    }
}
