//! The syntax of Promela, as it is written, after the preprocessor.

pub(super) use crate::syntax::Name;

use super::lexer::Lexeme;
use super::program::{PromelaBinary, PromelaUnary, VarType};
use rustc_hash::FxHashMap;
use support::{FileId, Span};

#[derive(Clone, Default, Debug)]
pub(super) struct File<'a> {
    /// In the order of the file, the constants of each `mtype` declaration with the name of its set.
    pub messages: Vec<(Option<Name<'a>>, Vec<Name<'a>>)>,
    pub typedefs: Vec<Typedef<'a>>,
    pub globals: Vec<Declaration<'a>>,
    pub proctypes: Vec<Proctype<'a>>,
    pub claims: Vec<Claim<'a>>,
    /// Whether it says something about priorities.
    pub has_priorities: bool,
    /// Whether it reads `_nr_pr`.
    pub reads_count: bool,
    /// Where other files are included, each for the first time.
    pub included_at: FxHashMap<FileId, Span>,
}

impl File<'_> {
    /// Whether a place comes before another when included files stand where they are included.
    pub fn precedes(&self, first: Span, second: Span) -> bool {
        let path = |mut span: Span| {
            let mut path = vec![span.start];
            while let Some(&at) = self.included_at.get(&span.file) {
                path.push(at.start);
                span = at;
            }
            path.reverse();
            path
        };
        path(first) < path(second)
    }
}

#[derive(Clone, Debug)]
pub(super) enum ClaimKind<'a> {
    /// The tokens between the braces, and the end.
    Ltl(Vec<Lexeme<'a>>),
    /// An automaton, written as a process.
    Never(Box<Proctype<'a>>),
    /// `trace` or `notrace`.
    Trace,
}

/// A property that stands in the file: its text is between the braces.
#[derive(Clone, Debug)]
pub(super) struct Claim<'a> {
    pub kind: ClaimKind<'a>,
    pub name: Option<Name<'a>>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) struct Typedef<'a> {
    pub name: Name<'a>,
    pub fields: Vec<Declaration<'a>>,
}

#[derive(Clone, Debug)]
pub(super) struct Proctype<'a> {
    /// `init` for the process of that name.
    pub name: Name<'a>,
    /// How many are there from the start.
    pub active: Option<Expr<'a>>,
    pub is_init: bool,
    pub parameters: Vec<Declaration<'a>>,
    /// `priority n`
    pub priority: Option<i32>,
    /// `provided (…)`: no statement is executable while this is 0.
    pub provided: Option<Expr<'a>>,
    /// `D_proctype`: it is an error of the model if several statements are executable.
    pub is_deterministic: bool,
    pub body: Vec<Step<'a>>,
    /// The brace that closes it.
    pub end: Span,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Type<'a> {
    Simple(VarType),
    Channel,
    Defined(Name<'a>),
}

/// One variable, however many are declared together.
#[derive(Clone, Debug)]
pub(super) struct Declaration<'a> {
    pub ty: Type<'a>,
    pub name: Name<'a>,
    pub length: Option<Expr<'a>>,
    pub init: Init<'a>,
}

#[derive(Clone, Debug)]
pub(super) enum Init<'a> {
    None,
    Value(Expr<'a>),
    /// `{ 1, 2, 3 }`
    List(Vec<Expr<'a>>),
    /// `[n] of { byte, bool }`
    Channel(Expr<'a>, Vec<(Type<'a>, Span)>),
}

/// A statement with its labels.
#[derive(Clone, Debug)]
pub(super) struct Step<'a> {
    pub labels: Vec<Name<'a>>,
    pub statement: Statement<'a>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum Statement<'a> {
    Declare(Vec<Declaration<'a>>),
    /// It waits until the value is not 0.
    Wait(Expr<'a>),
    /// It does nothing: `skip`.
    Pass,
    /// `printf ("…", x)`, `printm (x)`
    Print(Print<'a>),
    /// `set_priority (pid, n)`
    SetPriority(Expr<'a>, Expr<'a>),
    /// It is known and not supported, for this reason.
    Unsupported(&'static str),
    Assign(Reference<'a>, Expr<'a>),
    Send {
        channel: Reference<'a>,
        values: Vec<Expr<'a>>,
        order: Order,
    },
    Receive {
        channel: Reference<'a>,
        patterns: Vec<Pattern<'a>>,
        order: Order,
        keeps_message: bool,
    },
    Assert(Expr<'a>),
    Else,
    Break,
    Goto(Name<'a>),
    If(Vec<Vec<Step<'a>>>),
    Do(Vec<Vec<Step<'a>>>),
    Block(Vec<Step<'a>>),
    /// `{ … } unless { … }`
    Unless(Box<[Step<'a>; 2]>),
    Atomic(Vec<Step<'a>>),
    Dstep(Vec<Step<'a>>),
    For {
        var: Reference<'a>,
        low: Expr<'a>,
        high: Expr<'a>,
        body: Vec<Step<'a>>,
    },
    /// `for (x in a)`
    ForIn {
        var: Reference<'a>,
        array: Reference<'a>,
        body: Vec<Step<'a>>,
    },
    Select {
        var: Reference<'a>,
        low: Expr<'a>,
        high: Expr<'a>,
    },
}

/// The text that a statement prints: a format, and what stands in the place of its conversions.
#[derive(Clone, Debug)]
pub(super) struct Print<'a> {
    pub format: &'a str,
    pub arguments: Vec<Expr<'a>>,
}

/// Which message of a channel a statement is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    /// The first for a receive, behind the last for a send.
    First,
    /// `??`: the first that matches; `!!`: before the first that is larger.
    Any,
}

/// The argument of a receive statement for one field.
#[derive(Clone, Debug)]
pub(super) enum Pattern<'a> {
    /// A variable that gets the field, or a constant that it must be.
    Name(Reference<'a>),
    /// A value that the field has to match.
    Value(Expr<'a>),
}

/// `a`, `a[i]`, `s.f`, `s[i].f`
#[derive(Clone, Debug)]
pub(super) struct Reference<'a> {
    pub name: Name<'a>,
    pub index: Option<Box<Expr<'a>>>,
    pub field: Option<Box<Reference<'a>>>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) struct Expr<'a> {
    pub kind: ExprKind<'a>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Question {
    Len,
    Empty,
    Full,
    Nempty,
    Nfull,
}

#[derive(Clone, Debug)]
pub(super) enum ExprKind<'a> {
    Number(i32),
    Reference(Reference<'a>),
    Unary(PromelaUnary, Box<Expr<'a>>),
    Binary(PromelaBinary, Box<Expr<'a>>, Box<Expr<'a>>),
    If(Box<[Expr<'a>; 3]>),
    Channel(Question, Reference<'a>),
    /// `c?[…]`
    Poll(Reference<'a>, Vec<Pattern<'a>>, Order),
    /// `run P(…) priority n`
    Run {
        proctype: Name<'a>,
        arguments: Vec<Expr<'a>>,
        priority: Option<i32>,
    },
    /// `P@label`, `P[pid]@label`
    At {
        process: Name<'a>,
        pid: Option<Box<Expr<'a>>>,
        label: Name<'a>,
    },
    /// `P:x`, `P[pid]:x`
    Remote {
        process: Name<'a>,
        pid: Option<Box<Expr<'a>>>,
        var: Reference<'a>,
    },
    Timeout,
    /// `_pid`
    Pid,
    /// `_nr_pr`: how many processes there are.
    Count,
    /// `get_priority (pid)`; without a pid `_priority`, that of the process itself.
    Priority(Option<Box<Expr<'a>>>),
    /// It is known and not supported, for this reason.
    Unsupported(&'static str),
}
