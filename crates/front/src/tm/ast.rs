//! A `.tm` file as it was written, nothing looked up yet.

use super::term::{Binder, Domain, Index, Term};
use super::value::Scope;
use crate::cursor::Name;
use logic::{Surface, Truth};
use model::{Kind, Mode};
use rustc_hash::FxHashMap;
use support::Span;

#[derive(Default)]
pub(super) struct File<'a> {
    pub components: Vec<Component<'a>>,
    pub systems: Vec<System<'a>>,
    pub safeties: Vec<Component<'a>>,
    pub properties: Vec<Property<'a>>,
    pub fairness: Vec<Fairness<'a>>,
    pub notes: Notes<'a>,
    pub constants: Scope<'a>,
}

/// Notes on names, arrows and labels besides the plain language, by the place where they begin. A file in
/// the plain language has none.
pub(super) type Notes<'a> = FxHashMap<u32, Note<'a>>;

#[derive(Default)]
pub(super) struct Note<'a> {
    /// In brackets behind a name.
    pub indices: Vec<Index<'a>>,
    /// `i in 0..4:` before a part of a system, a vector or what is fair.
    pub binders: Vec<Binder<'a>>,
    /// In parentheses behind a component.
    pub arguments: Vec<Term<'a>>,
    /// Behind a part of a system.
    pub copy: Option<Copied<'a>>,
    /// `when`, before an arrow or behind a label or an initial state.
    pub guard: Option<Term<'a>>,
    /// `do`, behind a target.
    pub updates: Vec<Update<'a>>,
}

/// `as B [a -> b, …]`
pub(super) struct Copied<'a> {
    pub name: Name<'a>,
    pub renaming: Vec<(Name<'a>, Name<'a>)>,
}

/// `x := x + 1`, `x := any`
pub(super) struct Update<'a> {
    pub variable: Name<'a>,
    /// `None` for any value.
    pub value: Option<Term<'a>>,
}

/// `var x, y : 0..3 := 0;`, `input b : bool;`
pub(super) struct Variables<'a> {
    pub names: Vec<Name<'a>>,
    pub domain: Domain<'a>,
    /// `None` for any value.
    pub init: Option<Term<'a>>,
    /// It takes any value in every step that does not set it.
    pub is_input: bool,
}

/// `fair A:step;`, `strong fair A;`
pub(super) struct Fairness<'a> {
    pub is_strong: bool,
    pub component: Name<'a>,
    /// All actions of the component, if none is named.
    pub action: Option<Name<'a>>,
}

pub(super) struct Component<'a> {
    pub name: Name<'a>,
    pub params: Vec<Binder<'a>>,
    pub source: Source<'a>,
}

pub(super) enum Source<'a> {
    Body(Body<'a>),
    /// In another file.
    From(Name<'a>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Declared {
    Kind(Kind),
    /// An unknown component.
    Unknown,
}

pub(super) struct Body<'a> {
    /// `None` if it was misspelt.
    pub kind: Option<Declared>,
    pub kind_span: Span,
    pub props: Declaration<'a>,
    pub actions: Declaration<'a>,
    pub variables: Vec<Variables<'a>>,
    pub init: Option<Init<'a>>,
    pub states: Vec<State<'a>>,
    pub covers: Vec<Covers<'a>>,
    pub closing_brace: Span,
    /// Some line could not be read, so that what is missing proves nothing.
    pub is_broken: bool,
    /// Nothing in it is expanded.
    pub is_plain: bool,
}

/// All lines of `props` or of `actions`.
#[derive(Default)]
pub(super) struct Declaration<'a> {
    /// The keyword of the first such line, if there is one.
    pub line: Option<Span>,
    pub names: Vec<Name<'a>>,
}

pub(super) struct Init<'a> {
    pub keyword: Span,
    pub inits: Inits<'a>,
}

pub(super) enum Inits<'a> {
    States(Vec<Name<'a>>),
    /// In braces, for `unknown`.
    Labels(Labels<'a>),
}

pub(super) struct Labels<'a> {
    /// Braces included.
    pub span: Span,
    pub literals: Vec<Literal<'a>>,
}

pub(super) struct Literal<'a> {
    pub name: Name<'a>,
    pub value: Truth,
    pub span: Span,
}

pub(super) struct State<'a> {
    pub name: Name<'a>,
    pub labels: Option<Labels<'a>>,
    pub groups: Vec<Group<'a>>,
}

pub(super) struct Group<'a> {
    pub arrow: Arrow<'a>,
    pub targets: Vec<Target<'a>>,
}

pub(super) struct Arrow<'a> {
    pub action: Option<Name<'a>>,
    pub mode: Mode,
    pub span: Span,
}

pub(super) enum Target<'a> {
    State(Name<'a>),
    Set(Vec<Name<'a>>, Span),
}

pub(super) struct Covers<'a> {
    pub keyword: Span,
    pub state: Name<'a>,
    pub covered: Vec<Name<'a>>,
    /// Not followed by `...`.
    pub exactly: bool,
}

pub(super) struct System<'a> {
    pub keyword: Span,
    pub parts: Vec<Name<'a>>,
    pub steps: JointSteps<'a>,
}

/// `sync { … } hide { … }`, behind the parts of a system or in a file of its own.
pub(super) struct JointSteps<'a> {
    /// Where the keyword stands.
    pub sync: Option<Span>,
    pub vectors: Vec<Vector<'a>>,
    pub hide: Option<Span>,
    pub hidden: Vec<Name<'a>>,
}

/// `A:send | B:recv -> comm`
pub(super) struct Vector<'a> {
    /// Component and action.
    pub parts: Vec<(Name<'a>, Name<'a>)>,
    pub result: Name<'a>,
}

pub(super) struct Property<'a> {
    pub name: Name<'a>,
    /// `None` if the formula is wrong.
    pub surface: Option<Surface>,
}
