//! Why an enumeration ends without a model.

use crate::expr::SiteId;
use crate::parts::{Machine, Undefined, VarId};
use support::{Diagnostic, Span, StopReason, Stopped};

#[derive(Clone, Debug)]
pub enum StepError {
    Stopped(Stopped),
    /// There are more states than this.
    TooMany(usize),
    /// A run-time error in a reachable state.
    Fault(Box<RuntimeError>),
}

impl From<Stopped> for StepError {
    fn from(stopped: Stopped) -> Self {
        StepError::Stopped(stopped)
    }
}

/// A reachable state in which an expression has no value or an assignment is out of range.
#[derive(Clone, Debug)]
pub struct RuntimeError {
    pub what: RuntimeErrorKind,
    /// The state from which a step would be made, or `None` at the start.
    pub state: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RuntimeErrorKind {
    /// An expression has no value.
    FailureSite(SiteId),
    /// A variable is assigned a value out of its range.
    Range { var: VarId, value: i64, span: Span },
}

impl RuntimeError {
    /// The limit of the machine that it is, if it is none of the model.
    pub fn limit(&self, machine: &Machine) -> Option<Stopped> {
        let RuntimeErrorKind::FailureSite(site) = self.what else { return None };
        let is_limit = machine.sites[site].reason == Undefined::NoProcessLeft;
        is_limit.then_some(Stopped(StopReason::Processes))
    }

    /// The fault in the user's words.
    pub fn diagnostic(&self, machine: &Machine) -> Diagnostic {
        let place = match &self.state {
            Some(state) => format!("in the reachable state {state}"),
            None => "in an initial state".to_owned(),
        };
        match self.what {
            RuntimeErrorKind::FailureSite(site) => {
                let site = &machine.sites[site];
                let (message, help) = reason(site.reason);
                Diagnostic::error(message, site.span, place).with_help(help)
            }
            RuntimeErrorKind::Range { var, value, span } => {
                let name = &machine.vars[var].name;
                let text = machine.text(var, value);
                let message = format!("`{name}` is assigned {text}, which is out of range");
                let help = "widen its type, or guard the assignment with a `case`";
                Diagnostic::error(message, span, place)
                    .with_label(machine.vars[var].span, "declared here")
                    .with_help(help)
            }
        }
    }
}

fn reason(reason: Undefined) -> (String, &'static str) {
    match reason {
        Undefined::DivisionByZero => (
            "a division by zero".to_owned(),
            "guard it by a `case` that asks first whether the divisor is 0",
        ),
        Undefined::ShiftOutOfRange => (
            "a word is shifted by more bits than it has, or by less than none".to_owned(),
            "guard the shift by a `case`",
        ),
        Undefined::NoCase => (
            "no condition of this `case` holds".to_owned(),
            "end the `case` with `TRUE : …;` for whatever is left",
        ),
        Undefined::IndexOutOfBounds { low, high } => (
            format!("an index is outside of the array's bounds, {low}..{high}"),
            "guard the access by a `case`",
        ),
        Undefined::NoProcessLeft => {
            ("more processes run at a time than are provided for".to_owned(), "start fewer of them")
        }
    }
}
