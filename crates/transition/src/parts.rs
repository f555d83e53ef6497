//! Symbolic transition systems and their parts.

use crate::choice::{ChoiceId, Choices};
use crate::domain::{Domain, SymbolId};
use crate::expr::{NodeId, SiteId};
use crate::exprs::Exprs;
use support::{IdVec, Interner, Span, define_id};

define_id!(VarId, "v");
define_id!(
    /// An instance of a module, in the tree of instances.
    InstanceId,
    "i"
);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VarKind {
    State,
    /// A value of the step and of no state: any value, in every step.
    Input,
    /// A value that stays what it is at the start.
    Frozen,
}

#[derive(Clone, Debug)]
pub struct MachineVar {
    /// With the names of the instances that it is in: `a.b.x`, `a.data[0]`.
    pub name: String,
    pub domain: Domain,
    pub kind: VarKind,
    pub instance: InstanceId,
    /// Where it is declared.
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum When {
    /// `init(x) := …`
    Init,
    /// `next(x) := …`
    Next,
    /// `x := …`, in every state.
    Always,
}

/// A variable gets one of these values. A value out of its range is a run-time error and no
/// constraint.
#[derive(Clone, Debug)]
pub struct Assign {
    pub var: VarId,
    pub when: When,
    pub choice: ChoiceId,
    /// The instances that assign; several where processes interleave.
    pub writers: Vec<InstanceId>,
    pub span: Span,
}

/// The section of an SMV module that a constraint belongs to: where it has to hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Section {
    /// `INIT`: in initial states.
    Init,
    /// `TRANS`: in every transition.
    Trans,
    /// `INVAR`: in every state.
    Invar,
}

#[derive(Clone, Debug)]
pub struct Constraint {
    pub section: Section,
    pub node: NodeId,
    pub instance: InstanceId,
    pub span: Span,
}

/// A condition that holds infinitely often on fair paths (justice). If it reads inputs, it is one on transitions.
#[derive(Clone, Debug)]
pub struct FairnessConstraint {
    pub node: NodeId,
    pub instance: InstanceId,
    pub span: Span,
    /// Of one that does not stand in the text.
    pub name: Option<String>,
}

/// A module instance. They form a tree; the first is the main module, which has no parent.
#[derive(Clone, Debug)]
pub struct Instance {
    /// `a.b`, empty for the main module.
    pub name: String,
    pub module: String,
    pub parent: Option<InstanceId>,
    /// Whether it interleaves with the other processes.
    pub is_process: bool,
}

/// The reason why an expression has no value: a run-time error.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Undefined {
    DivisionByZero,
    /// By a negative number of bits, or by more than the width of the word.
    ShiftOutOfRange,
    /// No condition of a `case` holds.
    NoCase,
    /// An index outside of the array's bounds.
    IndexOutOfBounds {
        low: i64,
        high: i64,
    },
    /// More processes are started than the machine has: what would happen is not known.
    NoProcessLeft,
}

#[derive(Clone, Debug)]
pub struct FailureSite {
    pub reason: Undefined,
    pub span: Span,
}

/// A symbolic transition system over finite-domain variables: initial states, transitions and invariants as
/// expressions, with fairness constraints.
///
/// The conjunction of `constraints` and `assigns` defines it, as in SMV ([`Machine::conjuncts`]). Programs whose
/// control is explicit are [control-flow graphs](crate::cfg::Cfg) over the variables of a machine.
#[derive(Clone, Default, Debug)]
pub struct Machine {
    pub name: String,
    pub symbols: Interner<SymbolId>,
    pub vars: IdVec<VarId, MachineVar>,
    pub exprs: Exprs,
    pub choices: Choices,
    pub instances: IdVec<InstanceId, Instance>,
    pub assigns: Vec<Assign>,
    pub constraints: Vec<Constraint>,
    pub fairness: Vec<FairnessConstraint>,
    pub sites: IdVec<SiteId, FailureSite>,
    /// The process that takes the transition, where there are processes: an input whose values are the symbols
    /// named after the instances, `main` first.
    pub selector: Option<VarId>,
    /// The history variables, which are none of the text.
    pub history: Vec<VarId>,
}

impl Machine {
    pub fn now(&mut self, var: VarId) -> NodeId {
        let MachineVar { domain, kind, .. } = &self.vars[var];
        self.exprs.now(var, domain.ty(), *kind == VarKind::Input)
    }

    pub fn next(&mut self, var: VarId) -> NodeId {
        self.exprs.next(var, self.vars[var].domain.ty())
    }

    /// The expression without a value, for this reason.
    pub fn fault(&mut self, reason: Undefined, span: Span, ty: crate::Type) -> NodeId {
        let site = self.sites.push(FailureSite { reason, span });
        self.exprs.fault(site, ty)
    }

    /// A value of a variable as it is written in SMV.
    pub fn text(&self, var: VarId, value: i64) -> String {
        self.vars[var].domain.text(value, &self.symbols)
    }

    pub fn state_vars(&self) -> impl Iterator<Item = VarId> {
        self.vars.iter().filter(|(_, var)| var.kind != VarKind::Input).map(|(id, _)| id)
    }
}
