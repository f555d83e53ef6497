//! A Promela model that has been checked: flat variables, channels, and one control graph for each process
//! that can ever run. All consumers start from here.
//!
//! Names are resolved, macros, `inline`s and parameters are substituted, arrays are lists of variables,
//! `break`, `goto` and `else` are gone. What is left is:
//!
//! - A state is a value of every variable, the contents of every channel, a location for every process that
//!   has been started, and which process has exclusive control, if one has.
//! - A process makes a step along an edge whose guard is true (it is not 0) and whose action can happen.
//!   The guard says everything about executability except what two processes decide together: whether a
//!   rendezvous has a partner.
//! - Whose edge keeps control goes on alone as long as it can. Where it cannot, everybody can.
//! - All arithmetic is in 32 bits and wraps around; a value is cut to the type of the variable that gets it
//!   ([`VarType::cut`]).
//! - An index outside of its array, a division by zero, and a location within `d_step` at which nothing can
//!   go on are run-time errors, where they can be reached.

use support::{IdVec, Interner, Span, define_id};

define_id!(VarId, "v");
define_id!(ArrayId, "a");
define_id!(ChannelId, "c");
define_id!(ProcessId, "p");
define_id!(ExprId, "e");
define_id!(
    /// A place in the control graph of one process.
    LocationId,
    "l"
);
define_id!(
    /// A name that an `mtype` declares.
    MessageId,
    "m"
);

#[derive(Clone, Debug)]
pub struct PromelaModel {
    /// The global ones first, then those of each process in turn. An element of an array is a variable.
    pub vars: IdVec<VarId, PromelaVar>,
    pub arrays: IdVec<ArrayId, Array>,
    pub channels: IdVec<ChannelId, Channel>,
    /// In the order of their pids, which are the numbers of their ids.
    pub processes: IdVec<ProcessId, PromelaProcess>,
    pub exprs: IdVec<ExprId, PromelaExpr>,
    /// The names of all `mtype`s.
    pub messages: Interner<MessageId>,
    /// Their values, from 1.
    pub message_values: IdVec<MessageId, i32>,
    /// `_nr_pr`, if processes are counted: then they end, and get the pids that are free.
    pub count: Option<VarId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VarType {
    Bit,
    Bool,
    Byte,
    Pid,
    Mtype,
    Short,
    Int,
    /// `unsigned x : n`, from 1 to 31 bits.
    Unsigned(u8),
    /// `chan x`: 0, or the number of a channel and one more.
    Chan,
}

#[derive(Clone, Debug)]
pub struct PromelaVar {
    /// `x`, `a[2]`, and within a process `P:x`, `P:a[2]`; `P[3]:x` if there are several `P`.
    pub name: String,
    pub ty: VarType,
    /// The value at the start.
    pub init: i32,
    /// The process that it is local to.
    pub owner: Option<ProcessId>,
    /// Where it is declared.
    pub span: Span,
}

/// Variables with consecutive ids.
#[derive(Clone, Debug)]
pub struct Array {
    /// `a`, or `P:a` within a process.
    pub name: String,
    pub first: VarId,
    pub len: u32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Channel {
    /// `c`, `c[1]`; with the process before it, as for a variable, if it is declared in one.
    pub name: String,
    /// How many messages there is room for; 0 for a rendezvous.
    pub capacity: u32,
    /// The types of the fields of a message, at least one.
    pub fields: Vec<VarType>,
    pub owner: Option<ProcessId>,
    pub span: Span,
}

impl Channel {
    /// Whether a send and a receive are one step of two processes.
    pub fn is_rendezvous(&self) -> bool {
        self.capacity == 0
    }
}

/// An instance of a proctype, or `init`.
#[derive(Clone, Debug)]
pub struct PromelaProcess {
    /// `P`, or `P[3]` with the pid if there are several `P`.
    pub name: String,
    pub proctype: String,
    /// Whether it is there from the start. Otherwise one [`Action::Start`] starts it.
    pub is_active: bool,
    pub locations: IdVec<LocationId, PromelaLocation>,
    pub edges: Vec<PromelaEdge>,
    pub start: LocationId,
    /// Where nothing is left to do.
    pub end: LocationId,
    /// Its variable `_pid`, if that depends on the state.
    pub pid: Option<VarId>,
    /// Its variable `_priority`, if the model has priorities.
    pub priority: Option<VarId>,
    /// Where it is declared.
    pub span: Span,
}

impl PromelaProcess {
    pub fn edges_from(&self, location: LocationId) -> impl Iterator<Item = &PromelaEdge> {
        self.edges.iter().filter(move |edge| edge.source == location)
    }
}

/// The meaning for a location of labels that begin with certain words.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct LocationMarks {
    /// It is no mistake to wait here for ever, because of `end`; the end itself is such a location.
    pub is_end: bool,
    pub is_accepting: bool,
    pub is_progress: bool,
}

impl LocationMarks {
    pub fn of(label: &str) -> Self {
        Self {
            is_end: label.starts_with("end"),
            is_accepting: label.starts_with("accept"),
            is_progress: label.starts_with("progress"),
        }
    }

    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            is_end: self.is_end || other.is_end,
            is_accepting: self.is_accepting || other.is_accepting,
            is_progress: self.is_progress || other.is_progress,
        }
    }
}

#[derive(Clone, Debug)]
pub struct PromelaLocation {
    /// The labels of the statement here.
    pub labels: Vec<String>,
    pub marks: LocationMarks,
    /// Whether it lies within a `d_step`, behind the first statement: blocking here is an error.
    pub is_in_dstep: bool,
    /// The statement here.
    pub span: Span,
}

/// One statement.
#[derive(Clone, Debug)]
pub struct PromelaEdge {
    pub source: LocationId,
    pub target: LocationId,
    /// Whether the statement can be executed: not 0. For a rendezvous it says nothing of the partner.
    pub guard: ExprId,
    pub action: Action,
    /// Whether the process keeps exclusive control at the target: both lie within the same `atomic` or
    /// `d_step`. After a rendezvous, what the receiver's edge says counts.
    pub keeps_control: bool,
    /// The statement, in the user's text.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Action {
    /// Nothing but a change of place.
    Pass,
    Assign {
        place: Storage,
        value: ExprId,
    },
    /// As many values as the channel has fields. The guard says that there is room.
    Send {
        channel: ChannelId,
        values: Vec<ExprId>,
        /// `!!`: before the first message that is larger.
        is_sorted: bool,
    },
    /// As many patterns as the channel has fields. The guard says that the message matches. What the
    /// message has is stored from left to right; no pattern depends on what another one stores.
    Receive {
        channel: ChannelId,
        /// Which message is received: 0 is the first.
        slot: u32,
        patterns: Vec<Pattern>,
        keeps_message: bool,
    },
    /// It is an error of the model if this is 0.
    Assert(ExprId),
    /// Prints a text, which changes nothing.
    Print {
        format: String,
        arguments: Vec<ExprId>,
    },
    /// Lets a process begin at its start. First these of its variables get values, and `_nr_pr`, computed before the
    /// step; the others have their initial ones.
    Start {
        process: ProcessId,
        values: Vec<(VarId, ExprId)>,
    },
    /// The process is no longer there, and `_nr_pr` is one less. Its variables and channels have their initial values
    /// again.
    Die,
    /// Starts one process more than are provided for. What happens then is not known.
    Overflow,
}

/// The target of an assignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    Var(VarId),
    Element(ArrayId, ExprId),
    /// `_`: what is stored here is lost.
    Nowhere,
}

/// The argument of a receive statement for one field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pattern {
    Store(Storage),
    /// The field has to be equal to this.
    Match(ExprId),
}

#[derive(Clone, PartialEq, Debug)]
pub enum PromelaExpr {
    Const(i32),
    Var(VarId),
    Element(ArrayId, ExprId),
    Unary(PromelaUnary, ExprId),
    Binary(PromelaBinary, ExprId, ExprId),
    /// `(a -> b : c)`; only one of the two is computed.
    If(ExprId, ExprId, ExprId),
    /// How many messages there are in a channel.
    Len(ChannelId),
    /// 1 if there is a message in this slot, and it matches: what a receive needs. Of a rendezvous
    /// channel, never.
    CanReceive(ChannelId, u32, Vec<Pattern>),
    /// 1 if the process has been started and is at one of these places.
    At(ProcessId, Vec<LocationId>),
    /// 1 if the process has been started and has not died.
    IsThere(ProcessId),
    /// 1 if no edge of any process is executable while this is 0.
    Timeout,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PromelaUnary {
    /// 1 for 0, otherwise 0.
    Not,
    Neg,
    /// Of each bit.
    Complement,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PromelaBinary {
    /// 1 or 0; the second operand is computed only if the first one does not decide.
    And,
    Or,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Add,
    Sub,
    Mul,
    /// Towards zero.
    Div,
    /// With the sign of the dividend.
    Mod,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
}

impl VarType {
    /// The least and the largest value.
    pub fn range(self) -> (i32, i32) {
        match self {
            VarType::Bit | VarType::Bool => (0, 1),
            VarType::Byte | VarType::Pid | VarType::Mtype | VarType::Chan => (0, 255),
            VarType::Short => (i16::MIN.into(), i16::MAX.into()),
            VarType::Int => (i32::MIN, i32::MAX),
            VarType::Unsigned(bits) => (0, ((1u32 << bits) - 1) as i32),
        }
    }

    /// Truncates a value to this type.
    pub fn cut(self, value: i32) -> i32 {
        match self {
            VarType::Bit | VarType::Bool => value & 1,
            VarType::Byte | VarType::Pid | VarType::Mtype | VarType::Chan => value & 255,
            VarType::Short => (value as i16).into(),
            VarType::Int => value,
            VarType::Unsigned(_) => value & self.range().1,
        }
    }
}

impl PromelaUnary {
    pub fn apply(self, a: i32) -> i32 {
        match self {
            PromelaUnary::Not => i32::from(a == 0),
            PromelaUnary::Neg => a.wrapping_neg(),
            PromelaUnary::Complement => !a,
        }
    }
}

impl PromelaBinary {
    /// Whether the value can only be 0 or 1.
    pub fn is_truth(self) -> bool {
        matches!(
            self,
            PromelaBinary::And
                | PromelaBinary::Or
                | PromelaBinary::Eq
                | PromelaBinary::Ne
                | PromelaBinary::Lt
                | PromelaBinary::Le
                | PromelaBinary::Gt
                | PromelaBinary::Ge
        )
    }

    /// The value of the operator; `None` for a division by zero.
    pub fn apply(self, a: i32, b: i32) -> Option<i32> {
        Some(match self {
            PromelaBinary::And => i32::from(a != 0 && b != 0),
            PromelaBinary::Or => i32::from(a != 0 || b != 0),
            PromelaBinary::Eq => i32::from(a == b),
            PromelaBinary::Ne => i32::from(a != b),
            PromelaBinary::Lt => i32::from(a < b),
            PromelaBinary::Le => i32::from(a <= b),
            PromelaBinary::Gt => i32::from(a > b),
            PromelaBinary::Ge => i32::from(a >= b),
            PromelaBinary::Add => a.wrapping_add(b),
            PromelaBinary::Sub => a.wrapping_sub(b),
            PromelaBinary::Mul => a.wrapping_mul(b),
            PromelaBinary::Div if b == 0 => return None,
            PromelaBinary::Div => a.wrapping_div(b),
            PromelaBinary::Mod if b == 0 => return None,
            PromelaBinary::Mod => a.wrapping_rem(b),
            PromelaBinary::BitAnd => a & b,
            PromelaBinary::BitOr => a | b,
            PromelaBinary::BitXor => a ^ b,
            // As processors do it, of which C says nothing.
            PromelaBinary::Shl => a.wrapping_shl(b as u32),
            PromelaBinary::Shr => a.wrapping_shr(b as u32),
        })
    }
}

impl PromelaModel {
    /// The element of an array with this index, if there is one.
    pub fn element(&self, array: ArrayId, index: i32) -> Option<VarId> {
        let Array { first, len, .. } = self.arrays[array];
        let index = u32::try_from(index).ok().filter(|&index| index < len)?;
        Some(VarId(first.0 + index))
    }

    /// All variables that the value of an expression can depend on, in order. Channels and places of processes
    /// are not among them.
    pub fn reads(&self, root: ExprId) -> Vec<VarId> {
        let mut found = Vec::new();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            match &self.exprs[id] {
                PromelaExpr::Const(_)
                | PromelaExpr::Len(_)
                | PromelaExpr::At(..)
                | PromelaExpr::IsThere(_)
                | PromelaExpr::Timeout => {}
                PromelaExpr::Var(var) => found.push(*var),
                PromelaExpr::Element(array, index) => {
                    let Array { first, len, .. } = self.arrays[*array];
                    found.extend((first.0..first.0 + len).map(VarId));
                    open.push(*index);
                }
                PromelaExpr::Unary(_, a) => open.push(*a),
                PromelaExpr::Binary(_, a, b) => open.extend([*a, *b]),
                PromelaExpr::If(a, b, c) => open.extend([*a, *b, *c]),
                PromelaExpr::CanReceive(_, _, patterns) => {
                    open.extend(patterns.iter().filter_map(|pattern| {
                        if let Pattern::Match(value) = pattern { Some(*value) } else { None }
                    }))
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
