//! Commands.

use super::expr::Sort;
use super::scope::{Array, Entry};
use super::{Builder, MOST_BRANCHES};
use crate::imperative::ast::{Command as Written, ExprId, Name, Statement, Target, Value};
use crate::imperative::complaints::{self, twice};
use crate::sink::{Parsed, Reported};
use support::{Diagnostic, FileId, Span};
use transition::cfg::{
    Block, Branch, CommandId, CommandKind, Effect, Jump, LabelId, ProgramCommand, Test,
};
use transition::{Domain, NodeId, Total, VarId};

/// `any` of so many values is so many steps.
const MOST_CHOICES: u128 = 256;

/// The target of an assignment.
#[derive(Clone, Copy)]
pub(super) enum AssignTarget {
    Var(VarId),
    /// The index is defined where the array has such an element.
    Element(Array, Total),
}

impl<'f, 'a> Builder<'f, 'a> {
    /// Commands that end with `fin`.
    pub(super) fn body(&mut self, written: &'f [Written<'a>], file: FileId) -> Block {
        let (last, before) = match written.split_last() {
            Some((last, before)) if matches!(last.statement, Statement::Fin) => {
                (Some(last), before)
            }
            _ => (None, written),
        };
        let mut body = self.block(before);
        let end = written.last().map_or(0, |last| last.span.end as usize);
        let (labels, span) = match last {
            Some(fin) => (self.labels(&fin.labels), fin.span),
            None => (Vec::new(), Span::new(file, end..end)),
        };
        body.push(self.push(CommandKind::Fin, labels, span));
        body
    }

    pub(super) fn block(&mut self, written: &'f [Written<'a>]) -> Block {
        let mut block = Vec::with_capacity(written.len());
        for command in written {
            // What is wrong is in the sink.
            let _ = self.command(command, &mut block);
        }
        block
    }

    pub(super) fn push(
        &mut self,
        kind: CommandKind,
        labels: Vec<LabelId>,
        span: Span,
    ) -> CommandId {
        self.program.commands.push(ProgramCommand { kind, labels, span })
    }

    fn labels(&mut self, labels: &[Name<'a>]) -> Vec<LabelId> {
        let mut found = Vec::new();
        for label in labels {
            match self.labels.insert(label.text, label.span) {
                None => found.push(self.program.labels.intern(label.text)),
                Some(first) => {
                    self.sink.error(|| twice("the label", *label, first));
                }
            }
        }
        found
    }

    fn command(&mut self, written: &'f Written<'a>, block: &mut Block) -> Parsed<()> {
        let labels = self.labels(&written.labels);
        let span = written.span;
        let kind = match &written.statement {
            Statement::Skip => CommandKind::Step(vec![skip()]),
            Statement::Fin => return Err(self.sink.error(|| complaints::misplaced_fin(span))),
            Statement::Assign(target, value, value_span) => {
                self.assignment(target, value, *value_span)?
            }
            Statement::If { condition, then, otherwise, fi } => {
                let test = self.test(*condition);
                let then = self.block(then);
                let otherwise = match otherwise {
                    Some(otherwise) => self.block(otherwise),
                    None => vec![self.push(CommandKind::Step(vec![skip()]), Vec::new(), *fi)],
                };
                CommandKind::If { test: test?, then, otherwise }
            }
            Statement::While { condition, body } => {
                let test = self.test(*condition);
                self.loops += 1;
                let body = self.block(body);
                self.loops -= 1;
                CommandKind::While { test: test?, body }
            }
            Statement::Call(name, arguments) => {
                return self.call(*name, arguments, labels, span, block);
            }
            Statement::Hole(name, frame) => self.hole(*name, frame)?,
            Statement::Jump(jump) => {
                let is_fine =
                    if *jump == Jump::Return { self.in_procedure } else { self.loops > 0 };
                if !is_fine {
                    return Err(self.sink.error(|| complaints::misplaced_jump(*jump, span)));
                }
                CommandKind::Jump(*jump)
            }
            Statement::Assert(condition) => {
                let test = self.test(*condition)?;
                let mut branches = Vec::new();
                self.branch(test.holds, Effect::Nothing, &mut branches);
                self.failure(test.holds, &mut branches);
                CommandKind::Step(branches)
            }
            Statement::Assume(condition) => {
                let test = self.test(*condition)?;
                let mut branches = Vec::new();
                self.branch(test.holds, Effect::Nothing, &mut branches);
                if let Some(wrong) = test.error_condition {
                    self.branch(wrong, Effect::Fails, &mut branches);
                }
                CommandKind::Step(branches)
            }
        };
        block.push(self.push(kind, labels, span));
        Ok(())
    }

    /// The summaries of recursive procedures know what all commands do.
    pub(super) fn refuse_holes_with_recursion(&mut self) {
        let Some(span) = self.program.recursion().map(|command| command.span) else { return };
        let holes = self.holes.values().map(|&(_, hole)| hole);
        let Some(hole) = holes.min_by_key(|hole| hole.start) else { return };
        self.sink.error(|| {
            Diagnostic::error("a program with recursive calls has no holes", hole, "a hole")
                .with_label(span, "a recursive call")
                .with_help("say what may happen: `x := any`")
        });
    }

    fn test(&mut self, condition: ExprId) -> Parsed<Test> {
        let total = self.expr_of(Sort::Truth, condition)?;
        let exprs = &mut self.program.data.exprs;
        let not = exprs.not(total.value);
        let error_condition = exprs.not(total.defined);
        Ok(Test {
            holds: exprs.and(total.defined, total.value),
            fails_to_hold: exprs.and(total.defined, not),
            error_condition: (exprs.as_constant(error_condition) != Some(0))
                .then_some(error_condition),
        })
    }

    pub(super) fn place(&mut self, target: &Target<'a>) -> Parsed<AssignTarget> {
        let Some(index) = target.index else {
            return match self.lookup(target.name.text) {
                Some(Entry::Var(var)) => Ok(AssignTarget::Var(var)),
                Some(Entry::Array(_)) => Err(self.whole_array(target.name)),
                None => Err(self.no_variable(target.name)),
            };
        };
        let array = self.array(target.name)?;
        let index = self.index_in(array, index)?;
        let exprs = &self.program.data.exprs;
        match (exprs.as_constant(index.value), exprs.as_constant(index.defined)) {
            (Some(index), Some(1)) => Ok(AssignTarget::Var(array.element(index))),
            _ => Ok(AssignTarget::Element(array, index)),
        }
    }

    fn whole_array(&mut self, name: Name) -> Reported {
        self.sink.error(|| {
            let message = format!("`{}` is an array", name.text);
            Diagnostic::error(message, name.span, "an array cannot be assigned at once")
                .with_help(format!("assign its elements one by one: `{}[i] := …`", name.text))
        })
    }

    fn no_variable(&mut self, name: Name) -> Reported {
        if self.program.data.symbols.get(name.text).is_none() {
            return self.unknown(name);
        }
        self.sink.error(|| complaints::constant_assigned(name))
    }

    fn assignment(
        &mut self,
        target: &Target<'a>,
        value: &Value,
        span: Span,
    ) -> Parsed<CommandKind> {
        let place = self.place(target);
        let place = match (place, value) {
            (Ok(place), _) => place,
            (Err(reported), Value::Any) => return Err(reported),
            // The value may have errors of its own.
            (Err(reported), Value::One(expr)) => return self.expr(*expr).and(Err(reported)),
            (Err(reported), Value::Set(exprs)) => {
                exprs.iter().for_each(|&expr| {
                    let _ = self.expr(expr);
                });
                return Err(reported);
            }
        };
        self.assign(place, value, span)
    }

    /// The step that assigns one of these values.
    pub(super) fn assign(
        &mut self,
        place: AssignTarget,
        value: &Value,
        span: Span,
    ) -> Parsed<CommandKind> {
        let var = match place {
            AssignTarget::Var(var) => var,
            AssignTarget::Element(array, _) => array.first,
        };
        let mut branches = Vec::new();
        match value {
            Value::Any => {
                self.refuse_many_values(var, span)?;
                self.any_branches(place, &mut branches);
            }
            Value::One(expr) => {
                let value = self.value_for(var, *expr)?;
                self.branches(place, value, span, &mut branches);
            }
            Value::Set(exprs) => {
                let values: Vec<Parsed<Total>> =
                    exprs.iter().map(|&expr| self.value_for(var, expr)).collect();
                for (value, &expr) in values.into_iter().zip(exprs) {
                    let span = self.span(expr);
                    self.branches(place, value?, span, &mut branches);
                }
            }
        }
        self.count_branches(branches.len(), span)?;
        Ok(CommandKind::Step(branches))
    }

    pub(super) fn count_branches(&mut self, more: usize, span: Span) -> Parsed<()> {
        self.branches += more;
        if self.branches <= MOST_BRANCHES {
            return Ok(());
        }
        Err(self.sink.error(|| {
            let message = "the program is too large";
            Diagnostic::error(message, span, "a long array makes many steps with many successors")
                .with_help("take shorter arrays")
        }))
    }

    /// How one value can be assigned, and how that can go wrong.
    pub(super) fn branches(
        &mut self,
        place: AssignTarget,
        value: Total,
        span: Span,
        branches: &mut Vec<Branch>,
    ) {
        let var = match place {
            AssignTarget::Var(var) => var,
            AssignTarget::Element(array, _) => array.first,
        };
        let fits = self.fits(var, value.value);
        let exprs = &mut self.program.data.exprs;
        if exprs.as_constant(fits) == Some(0) {
            let label = format!("`{}` has no such value", self.program.data.vars[var].name);
            self.warn_of_error(span, label);
        }
        let exprs = &mut self.program.data.exprs;
        let mut fine = exprs.and(value.defined, fits);
        if let AssignTarget::Element(_, index) = place {
            fine = exprs.and(index.defined, fine);
        }
        self.targets(place, fine, |var| Effect::Set(var, value.value), branches);
        self.failure(fine, branches);
    }

    /// Any value of a domain with bounds is a step for each, in a program over integers.
    pub(super) fn refuse_many_values(&mut self, var: VarId, span: Span) -> Parsed<()> {
        let described = &self.program.data.vars[var];
        let is_fine =
            described.domain == Domain::INTEGERS || described.domain.size() <= MOST_CHOICES;
        if !self.over_integers() || is_fine {
            return Ok(());
        }
        Err(self.sink.error(|| {
            let name = &described.name;
            let message = format!("any value of `{name}` is one of more than {MOST_CHOICES}");
            Diagnostic::error(message, span, "too many values")
                .with_label(described.span, "declared here")
                .with_help("make it `int`, and say behind it: `assume 0 <= x & x <= 1000`")
        }))
    }

    fn any_branches(&mut self, place: AssignTarget, branches: &mut Vec<Branch>) {
        let fine = match place {
            AssignTarget::Var(_) => self.program.data.exprs.bool(true),
            AssignTarget::Element(_, index) => index.defined,
        };
        self.targets(place, fine, Effect::Any, branches);
        self.failure(fine, branches);
    }

    /// One branch for each variable that may be meant.
    fn targets(
        &mut self,
        place: AssignTarget,
        fine: NodeId,
        effect: impl Fn(VarId) -> Effect,
        branches: &mut Vec<Branch>,
    ) {
        match place {
            AssignTarget::Var(var) => self.branch(fine, effect(var), branches),
            AssignTarget::Element(array, index) => {
                for number in self.indices(array, index.value) {
                    let exprs = &mut self.program.data.exprs;
                    let constant = exprs.int(number);
                    let is_it = exprs.eq(index.value, constant);
                    let guard = exprs.and(is_it, fine);
                    self.branch(guard, effect(array.element(number)), branches);
                }
            }
        }
    }

    fn failure(&mut self, fine: NodeId, branches: &mut Vec<Branch>) {
        let fails = self.program.data.exprs.not(fine);
        self.branch(fails, Effect::Fails, branches);
    }

    fn branch(&mut self, guard: NodeId, effect: Effect, branches: &mut Vec<Branch>) {
        match self.program.data.exprs.as_constant(guard) {
            Some(0) => {}
            Some(_) => branches.push(Branch { guard: None, effect }),
            None => branches.push(Branch { guard: Some(guard), effect }),
        }
    }

    /// `hole net(x, b)`: it has the same variables wherever it stands.
    fn hole(&mut self, name: Name, frame: &[Name]) -> Parsed<CommandKind> {
        let mut vars: Vec<VarId> = Vec::new();
        for &name in frame {
            let known = vars.len();
            match self.lookup(name.text) {
                Some(Entry::Var(var)) => vars.push(var),
                Some(Entry::Array(array)) => vars.extend(array.elements()),
                None => return Err(self.no_variable(name)),
            }
            vars[known..].iter().try_for_each(|&var| self.refuse_many_values(var, name.span))?;
        }
        vars.sort_unstable();
        vars.dedup();
        let hole = self.program.holes.intern(name.text);
        match self.holes.get(&hole) {
            Some((known, first)) if *known != vars => {
                let first = *first;
                return Err(self.sink.error(|| {
                    let message = format!("the hole `{}` has other variables here", name.text);
                    Diagnostic::error(message, name.span, "not the same variables")
                        .with_label(first, "as here")
                        .with_help("name it differently, or name the same variables")
                }));
            }
            Some(_) => {}
            None => {
                self.holes.insert(hole, (vars.clone(), name.span));
            }
        }
        Ok(CommandKind::Hole { hole, frame: vars })
    }
}

pub(super) fn skip() -> Branch {
    Branch { guard: None, effect: Effect::Nothing }
}
