//! A machine and what it is made of.

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

/// A variable gets one of these values. A value that it cannot have is a mistake and no constraint.
#[derive(Clone, Debug)]
pub struct Assign {
    pub var: VarId,
    pub when: When,
    pub choice: ChoiceId,
    /// The instances that say so; several where processes take turns.
    pub writers: Vec<InstanceId>,
    pub span: Span,
}

/// When a constraint has to hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Moment {
    /// `INIT`
    Start,
    /// `TRANS`
    Step,
    /// `INVAR`
    State,
}

#[derive(Clone, Debug)]
pub struct Constraint {
    pub moment: Moment,
    pub node: NodeId,
    pub instance: InstanceId,
    pub span: Span,
}

/// Holds infinitely often on the paths that count. It may read inputs, and then speaks of steps.
#[derive(Clone, Debug)]
pub struct FairnessConstraint {
    pub node: NodeId,
    pub instance: InstanceId,
    pub span: Span,
}

/// A node of the tree of module instances. The first is the main module, which has no parent.
#[derive(Clone, Debug)]
pub struct Instance {
    /// `a.b`, empty for the main module.
    pub name: String,
    pub module: String,
    pub parent: Option<InstanceId>,
    /// Whether it takes turns with the other processes.
    pub is_process: bool,
}

/// Why an expression has no value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Trouble {
    DivisionByZero,
    /// By less than nothing, or by more than the width of the word.
    ShiftTooFar,
    /// No condition of a `case` holds.
    NoCase,
    /// An index outside of the array's bounds.
    Index {
        low: i64,
        high: i64,
    },
}

#[derive(Clone, Debug)]
pub struct Site {
    pub trouble: Trouble,
    pub span: Span,
}

/// Finite-domain variables and what is known of their values at the start, in every step and in every
/// state.
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
    pub sites: IdVec<SiteId, Site>,
    /// Which process takes the step, where there are processes: an input whose values are the symbols
    /// named after the instances, `main` first.
    pub selector: Option<VarId>,
}

impl Machine {
    pub fn now(&mut self, var: VarId) -> NodeId {
        let MachineVar { domain, kind, .. } = &self.vars[var];
        self.exprs.now(var, domain.ty(), *kind == VarKind::Input)
    }

    pub fn next(&mut self, var: VarId) -> NodeId {
        self.exprs.next(var, self.vars[var].domain.ty())
    }

    /// No value here, and why.
    pub fn fault(&mut self, trouble: Trouble, span: Span, ty: crate::Type) -> NodeId {
        let site = self.sites.push(Site { trouble, span });
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
