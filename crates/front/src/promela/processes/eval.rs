//! Expressions in the middle of a step, as far as the step knows what is shared.

use super::step::{Front, ProcessStep};
use crate::promela::{
    ArrayId, ChannelId, ExprId, LocationId, Pattern, ProcessId, PromelaBinary, PromelaExpr,
    PromelaModel, Storage, VarId,
};

/// A value that a step has to know before it can go on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Question {
    Value(VarId),
    /// Whether there were at least so many messages before the step.
    Length(ChannelId, usize),
    /// The first message that is not known.
    Next(ChannelId),
    /// The message of a rendezvous.
    Offer(ChannelId),
}

/// Why an expression has no value.
pub(super) enum Halt {
    Ask(Question),
    /// An index outside of its array, or a division by zero.
    Fault,
    Refuse(GlobalCondition),
}

/// A condition on other processes, which a process cannot evaluate by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GlobalCondition {
    Timeout,
    /// Where another process is.
    Place,
    OtherVariable,
    /// Whether a rendezvous in the middle of a step has a partner.
    Rendezvous,
    /// `!!` or `??`.
    Order,
}

pub(super) type Evaluated<T> = Result<T, Halt>;

/// A process in the middle of a step.
#[derive(Clone, Copy)]
pub(super) struct StepContext<'a> {
    pub program: &'a PromelaModel,
    pub process: ProcessId,
    pub location: LocationId,
    /// The first of its variables; the others follow.
    pub first_local: VarId,
    pub locals: &'a [i32],
    pub step: &'a ProcessStep,
}

impl StepContext<'_> {
    pub fn value(&self, expr: ExprId) -> Evaluated<i32> {
        match &self.program.exprs[expr] {
            PromelaExpr::Const(value) => Ok(*value),
            PromelaExpr::Var(var) => self.var(*var),
            PromelaExpr::Element(array, index) => self.var(self.element(*array, *index)?),
            PromelaExpr::Unary(operator, operand) => Ok(operator.apply(self.value(*operand)?)),
            PromelaExpr::Binary(operator, left, right) => self.binary(*operator, *left, *right),
            PromelaExpr::If(condition, yes, no) => {
                self.value(if self.holds(*condition)? { *yes } else { *no })
            }
            PromelaExpr::Len(channel) => self.length(*channel),
            PromelaExpr::CanReceive(_, 1.., _) => Err(Halt::Refuse(GlobalCondition::Order)),
            PromelaExpr::CanReceive(channel, _, patterns) => {
                self.can_receive(*channel, patterns).map(i32::from)
            }
            PromelaExpr::At(process, places) if *process == self.process => {
                Ok(places.contains(&self.location).into())
            }
            PromelaExpr::At(..) | PromelaExpr::IsThere(_) => {
                Err(Halt::Refuse(GlobalCondition::Place))
            }
            PromelaExpr::Timeout => Err(Halt::Refuse(GlobalCondition::Timeout)),
        }
    }

    pub fn holds(&self, expr: ExprId) -> Evaluated<bool> {
        Ok(self.value(expr)? != 0)
    }

    /// The variable that something is stored in.
    pub fn place(&self, place: Storage) -> Evaluated<Option<VarId>> {
        let var = match place {
            Storage::Var(var) => var,
            Storage::Element(array, index) => self.element(array, index)?,
            Storage::Nowhere => return Ok(None),
        };
        if self.local(var).is_none() {
            self.check_shared(var)?;
        }
        Ok(Some(var))
    }

    fn check_shared(&self, var: VarId) -> Evaluated<()> {
        let is_shared = self.program.vars[var].owner.is_none();
        is_shared.then_some(()).ok_or(Halt::Refuse(GlobalCondition::OtherVariable))
    }

    pub fn matches(&self, patterns: &[Pattern], message: &[i32]) -> Evaluated<bool> {
        for (pattern, &field) in patterns.iter().zip(message) {
            if let Pattern::Match(expr) = pattern
                && self.value(*expr)? != field
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The number of a variable among those of the process, if it is one.
    pub fn local(&self, var: VarId) -> Option<usize> {
        let slot = var.0.checked_sub(self.first_local.0)? as usize;
        (slot < self.locals.len()).then_some(slot)
    }

    fn var(&self, var: VarId) -> Evaluated<i32> {
        if let Some(slot) = self.local(var) {
            return Ok(self.locals[slot]);
        }
        self.check_shared(var)?;
        let known = self.step.vars.get(&var).and_then(|known| known.after.or(known.before));
        known.ok_or(Halt::Ask(Question::Value(var)))
    }

    fn element(&self, array: ArrayId, index: ExprId) -> Evaluated<VarId> {
        self.program.element(array, self.value(index)?).ok_or(Halt::Fault)
    }

    fn binary(&self, operator: PromelaBinary, left: ExprId, right: ExprId) -> Evaluated<i32> {
        match operator {
            PromelaBinary::And => return Ok((self.holds(left)? && self.holds(right)?).into()),
            PromelaBinary::Or => return Ok((self.holds(left)? || self.holds(right)?).into()),
            _ => {}
        }
        if let (PromelaExpr::Len(channel), PromelaExpr::Const(bound)) =
            (&self.program.exprs[left], &self.program.exprs[right])
            && let Some(thresholds) = length_thresholds(operator, *bound)
        {
            // Asking for the length itself would tell apart more than the comparison does.
            return self.compare_length(*channel, operator, *bound, thresholds);
        }
        operator.apply(self.value(left)?, self.value(right)?).ok_or(Halt::Fault)
    }

    fn length(&self, channel: ChannelId) -> Evaluated<i32> {
        let (least, most) = self.length_bounds(channel);
        if least == most { Ok(least as i32) } else { Err(self.ask_length(channel, least + 1)) }
    }

    fn length_bounds(&self, channel: ChannelId) -> (usize, usize) {
        let capacity = self.program.channels[channel].capacity as usize;
        self.step.channels.get(&channel).map_or((0, capacity), |known| known.length())
    }

    /// Asks whether there are now so many messages.
    fn ask_length(&self, channel: ChannelId, now: usize) -> Halt {
        let (taken, added) = self
            .step
            .channels
            .get(&channel)
            .map_or((0, 0), |known| (known.taken, known.added.len()));
        Halt::Ask(Question::Length(channel, now + taken - added))
    }

    /// Whether the number of messages is at least `thresholds[0]`, then whether it is at least `thresholds[1]`,
    /// decides the comparison.
    fn compare_length(
        &self,
        channel: ChannelId,
        operator: PromelaBinary,
        bound: i32,
        thresholds: [i64; 2],
    ) -> Evaluated<i32> {
        let (least, most) = self.length_bounds(channel);
        let inside = |threshold: &&i64| **threshold > least as i64 && **threshold <= most as i64;
        match thresholds.iter().find(inside) {
            Some(&threshold) => Err(self.ask_length(channel, threshold as usize)),
            None => operator.apply(least as i32, bound).ok_or(Halt::Fault),
        }
    }

    fn can_receive(&self, channel: ChannelId, patterns: &[Pattern]) -> Evaluated<bool> {
        if self.program.channels[channel].is_rendezvous() {
            return Ok(false);
        }
        match self.front(channel)? {
            Some(message) => self.matches(patterns, &message),
            None => Ok(false),
        }
    }

    /// The first message in a channel that is there now.
    pub fn front(&self, channel: ChannelId) -> Evaluated<Option<Vec<i32>>> {
        let Some(known) = self.step.channels.get(&channel) else {
            return Err(Halt::Ask(Question::Length(channel, 1)));
        };
        match known.front() {
            Front::Nothing => Ok(None),
            Front::Message(message) => Ok(Some(message.clone())),
            Front::AskLength(length) => Err(Halt::Ask(Question::Length(channel, length))),
            Front::AskNext => Err(Halt::Ask(Question::Next(channel))),
        }
    }
}

/// From where on the result of a comparison with a constant is another one, twice for equality.
fn length_thresholds(operator: PromelaBinary, bound: i32) -> Option<[i64; 2]> {
    let bound = i64::from(bound);
    match operator {
        PromelaBinary::Lt | PromelaBinary::Ge => Some([bound, bound]),
        PromelaBinary::Le | PromelaBinary::Gt => Some([bound + 1, bound + 1]),
        PromelaBinary::Eq | PromelaBinary::Ne => Some([bound, bound + 1]),
        _ => None,
    }
}
