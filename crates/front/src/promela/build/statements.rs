//! Statements, drawn into the control graph of a process.

use super::super::ast::{
    Declaration, Expr as Ast, ExprKind, Init, Name, Order, Pattern, Print, Proctype, Reference,
    Statement, Step, Type,
};
use super::super::program::{
    Action, Channel, ExprId, LocationId, Pattern as BuiltPattern, PromelaBinary, PromelaUnary,
    Storage,
};
use super::Builder;
use super::graph::{DraftEffect, Endpoints, Graph, STARTED, StatementContext};
use super::scope::{InitTime, Scope};
use crate::sink::{Parsed, Reported};
use support::{Diagnostic, Span};

/// A part of a sequence.
enum Unit<'f, 'a> {
    Declare(&'f Declaration<'a>, InitTime),
    /// The assignment of a declaration that is not among the first statements of the process.
    Begin(&'f Declaration<'a>),
    Step(&'f Step<'a>),
}

impl<'f, 'a> Builder<'f, 'a> {
    pub(super) fn graph(&mut self) -> Parsed<&mut Graph<'a>> {
        self.at.as_mut().map(|context| &mut context.graph).ok_or(Reported)
    }

    pub(super) fn body(&mut self, proctype: &'f Proctype<'a>) -> Parsed<()> {
        let graph = self.graph()?;
        let (from, to) = (graph.start, graph.end);
        let around = StatementContext::default();
        let route = Endpoints { from, to, is_shared: false, around };
        self.block(&proctype.body, route, true)?;
        let graph = self.graph()?;
        let jumps = std::mem::take(&mut graph.jumps);
        let is_missing = |label: &&Name<'a>| {
            graph.labels.get(label.text).is_none_or(|(_, standing)| standing.is_none())
        };
        let Some(missing) = jumps.iter().find(is_missing).copied() else { return Ok(()) };
        let names: Vec<&str> =
            graph.labels.iter().filter(|(_, (_, s))| s.is_some()).map(|(name, _)| *name).collect();
        let error = Diagnostic::error(
            format!("there is no label `{}`", missing.text),
            missing.span,
            "jumps nowhere",
        )
        .with_nearest(missing.text, names);
        Err(self.sink.error(|| error))
    }

    /// Draws what stands in braces: names that are declared in it are known in it only.
    pub(super) fn block(
        &mut self,
        steps: &'f [Step<'a>],
        route: Endpoints,
        is_body: bool,
    ) -> Parsed<()> {
        if let Some(context) = &mut self.at {
            context.scopes.push(Scope::default());
        }
        let drawn = self.sequence(steps, route, is_body);
        if let Some(context) = &mut self.at {
            context.scopes.pop();
        }
        drawn
    }

    /// Draws statements one behind the other. What is declared first in a process is there when it starts.
    fn sequence(&mut self, steps: &'f [Step<'a>], route: Endpoints, is_body: bool) -> Parsed<()> {
        let units = self.units(steps, is_body)?;
        self.draw(&units, route)
    }

    fn units(&mut self, steps: &'f [Step<'a>], is_body: bool) -> Parsed<Vec<Unit<'f, 'a>>> {
        let mut units = Vec::new();
        let mut is_first = is_body;
        for step in steps {
            let Statement::Declare(declarations) = &step.statement else {
                is_first = false;
                units.push(Unit::Step(step));
                continue;
            };
            if let Some(label) = step.labels.first() {
                let message = "a label before a declaration";
                return Err(self.error(label.span, message, "labels stand before statements"));
            }
            for declaration in declarations {
                if is_first {
                    units.push(Unit::Declare(declaration, InitTime::AtStart));
                    continue;
                }
                units.push(Unit::Declare(declaration, InitTime::WhereItStands));
                if !matches!(declaration.init, Init::Channel(..)) {
                    units.push(Unit::Begin(declaration));
                }
            }
        }
        Ok(units)
    }

    fn draw(&mut self, units: &[Unit<'f, 'a>], route: Endpoints) -> Parsed<()> {
        let is_drawn = |unit: &Unit| !matches!(unit, Unit::Declare(..));
        let last = units.iter().rposition(is_drawn);
        if last.is_none() {
            let span = self.graph()?.places[route.to].span;
            self.pass(route, span)?;
        }
        let mut at = route.from;
        // What is wrong in one statement says nothing about the next.
        let mut drawn = Ok(());
        // Whether the unit that comes is what the last one led to by itself.
        let mut is_reached = false;
        for (index, unit) in units.iter().enumerate() {
            if let Unit::Declare(declaration, begins) = unit {
                drawn = drawn.and(self.declare(declaration, *begins));
                continue;
            }
            let next = units[index + 1..].iter().find(|unit| is_drawn(unit));
            let (to, is_jump) = match next {
                None => (route.to, false),
                Some(next) => self.entry(next, route.around)?,
            };
            let is_shared = route.is_shared && at == route.from;
            let own = Endpoints { from: at, to, is_shared, ..route };
            if !is_reached {
                let unit = self.unit(unit, own);
                drawn = drawn.and(unit);
            }
            is_reached = is_jump;
            at = to;
        }
        drawn
    }

    /// Where a statement begins that is not the first one, and whether it is a jump and needs no edge.
    fn entry(
        &mut self,
        unit: &Unit<'f, 'a>,
        around: StatementContext,
    ) -> Parsed<(LocationId, bool)> {
        let (step, span) = match unit {
            Unit::Step(step) => (Some(*step), step.span),
            Unit::Declare(d, _) | Unit::Begin(d) => (None, d.name.span),
        };
        let plain = step.filter(|step| step.labels.is_empty());
        match plain.map(|step| &step.statement) {
            Some(Statement::Goto(label)) => Ok((self.graph()?.target(*label), true)),
            Some(Statement::Break) => Ok((self.exit(around, span)?, true)),
            _ => Ok((self.graph()?.place(around, span), false)),
        }
    }

    fn exit(&mut self, around: StatementContext, span: Span) -> Parsed<LocationId> {
        match around.exit {
            Some(exit) => Ok(exit),
            None => {
                Err(self.error(span, "`break` outside of a loop", "there is no loop around it"))
            }
        }
    }

    fn unit(&mut self, unit: &Unit<'f, 'a>, route: Endpoints) -> Parsed<()> {
        match unit {
            Unit::Step(step) => self.step(step, route),
            Unit::Begin(declaration) => self.begin(declaration, route),
            Unit::Declare(..) => Ok(()),
        }
    }

    /// A declaration behind a statement is a statement as well, which sets the variable anew. Of a structure
    /// Spin sets nothing, but executes it.
    fn begin(&mut self, declaration: &'f Declaration<'a>, route: Endpoints) -> Parsed<()> {
        let Name { span, .. } = declaration.name;
        if matches!(declaration.ty, Type::Defined(_)) {
            return self.pass(route, span);
        }
        if declaration.length.is_some() {
            // Spin sets the first element only.
            let zero = Ast { kind: ExprKind::Number(0), span };
            let index = Some(Box::new(zero.clone()));
            let reference = Reference { name: declaration.name, index, field: None, span };
            let first = match &declaration.init {
                Init::Value(value) => value,
                _ => &zero,
            };
            return self.assign(&reference, first, route, span);
        }
        let reference = Reference { name: declaration.name, index: None, field: None, span };
        match &declaration.init {
            Init::Value(value) => self.assign(&reference, value, route, span.to(value.span)),
            _ => {
                let value = Ast { kind: ExprKind::Number(0), span };
                self.assign(&reference, &value, route, span)
            }
        }
    }

    pub(super) fn step(&mut self, step: &'f Step<'a>, mut route: Endpoints) -> Parsed<()> {
        if !step.labels.is_empty() {
            route.from = self.own_place(route)?;
            route.is_shared = false;
        }
        for label in &step.labels {
            if let Some(first) = self.graph()?.set_label(*label, route.from) {
                let label = *label;
                return Err(self.sink.error(|| {
                    let message = format!("the label `{}` is defined twice", label.text);
                    Diagnostic::error(message, label.span, "the second definition")
                        .with_label(first, "the first definition")
                }));
            }
        }
        let graph = self.graph()?;
        let place = graph.find(route.from);
        if !route.is_shared {
            graph.places[place].span = step.span;
        }
        self.statement(&step.statement, route, step.span)
    }

    fn statement(
        &mut self,
        statement: &'f Statement<'a>,
        route: Endpoints,
        span: Span,
    ) -> Parsed<()> {
        match statement {
            Statement::Declare(_) => Ok(()),
            Statement::Pass => self.pass(route, span),
            Statement::Print(Print { format, arguments }) => {
                let arguments = arguments.iter().map(|value| self.expr(value));
                let arguments = arguments.collect::<Parsed<Vec<ExprId>>>()?;
                let (guard, format) = (self.number(1), (*format).to_owned());
                self.act(route, guard, Action::Print { format, arguments }, span)
            }
            Statement::SetPriority(pid, value) => self.set_priority([pid, value], route, span),
            Statement::Unsupported(why) => Err(self.unsupported(span, why, "not supported")),
            Statement::Wait(expr) => self.wait(expr, route, span),
            Statement::Assign(reference, value) => self.assign(reference, value, route, span),
            Statement::Send { channel, values, order } => {
                self.send(channel, (values, *order), route, span)
            }
            Statement::Receive { channel, patterns, order, keeps_message } => {
                self.receive(channel, (patterns, *order), *keeps_message, route, span)
            }
            Statement::Assert(condition) => {
                let condition = self.expr(condition)?;
                let guard = self.number(1);
                self.act(route, guard, Action::Assert(condition), span)
            }
            Statement::Else => {
                self.graph()?.line(route, None, DraftEffect::Action(Action::Pass), span);
                Ok(())
            }
            Statement::Break => {
                let to = self.exit(route.around, span)?;
                self.pass(Endpoints { to, ..route }, span)
            }
            Statement::Goto(label) => {
                let to = self.graph()?.target(*label);
                self.pass(Endpoints { to, ..route }, span)
            }
            Statement::If(options) => self.options(options, route),
            Statement::Do(options) => self.repeat(options, route),
            Statement::Block(steps) => self.block(steps, route, false),
            Statement::Atomic(steps) => {
                let around = StatementContext { is_exclusive: true, ..route.around };
                self.block(steps, Endpoints { around, ..route }, false)
            }
            Statement::Dstep(steps) => self.dstep(steps, route),
            Statement::Unless(parts) => self.unless(parts, route),
            Statement::For { var, low, high, body } => self.count(var, [low, high], body, route),
            Statement::ForIn { var, array, body } if self.is_channel(array)? => {
                self.rotate(var, array, body, route)
            }
            Statement::ForIn { var, array, body } => {
                let last = self.array_length(array)? as i32 - 1;
                let bound = |value| Ast { kind: ExprKind::Number(value), span: array.span };
                self.count(var, [&bound(0), &bound(last)], body, route)
            }
            Statement::Select { var, low, high } => self.select(var, [low, high], route),
        }
    }

    pub(super) fn act(
        &mut self,
        route: Endpoints,
        guard: ExprId,
        action: Action,
        span: Span,
    ) -> Parsed<()> {
        self.graph()?.line(route, Some(guard), DraftEffect::Action(action), span);
        Ok(())
    }

    pub(super) fn pass(&mut self, route: Endpoints, span: Span) -> Parsed<()> {
        let guard = self.number(1);
        self.act(route, guard, Action::Pass, span)
    }

    fn wait(&mut self, expr: &Ast<'a>, route: Endpoints, span: Span) -> Parsed<()> {
        if let ExprKind::Run { .. } = expr.kind {
            return self.run(expr, None, route, span);
        }
        let guard = self.expr(expr)?;
        self.act(route, guard, Action::Pass, span)
    }

    fn run(
        &mut self,
        run: &Ast<'a>,
        into: Option<(Storage, ExprId)>,
        route: Endpoints,
        span: Span,
    ) -> Parsed<()> {
        let ExprKind::Run { proctype, arguments, priority } = &run.kind else {
            return Err(Reported);
        };
        let (proctype, arguments) = self.called(*proctype, arguments)?;
        let effect = DraftEffect::Run { proctype, arguments, priority: *priority, into };
        let guard = self.number(1);
        self.graph()?.line(route, Some(guard), effect, span);
        Ok(())
    }

    pub(super) fn assign(
        &mut self,
        reference: &Reference<'a>,
        value: &Ast<'a>,
        route: Endpoints,
        span: Span,
    ) -> Parsed<()> {
        let place = self.place(reference)?;
        if let ExprKind::Run { .. } = value.kind {
            if self.has_priorities {
                // In Spin no process with a higher priority moves before the pid is stored.
                let message = "the pid of a process in a model with priorities is not supported";
                return Err(self.unsupported(span, message, "its value is stored here"));
            }
            let pid = self.program.exprs.push(STARTED);
            self.started_pid = Some(pid);
            let stored = self.expr(value);
            self.started_pid = None;
            return self.run(value, Some((place, stored?)), route, span);
        }
        let value = self.expr(value)?;
        let guard = self.number(1);
        self.act(route, guard, Action::Assign { place, value }, span)
    }

    pub(super) fn send(
        &mut self,
        channel: &Reference<'a>,
        (values, order): (&[Ast<'a>], Order),
        route: Endpoints,
        span: Span,
    ) -> Parsed<()> {
        let channels = self.channels(channel)?;
        let values = self.message(&channels, values, span)?;
        for (channel, is_meant) in self.each_channel(&channels) {
            let guard = if self.described(channel).is_rendezvous() {
                self.refuse_in_dstep(route, span)?;
                is_meant
            } else {
                let room = self.has_room(channel);
                self.binary(PromelaBinary::And, is_meant, room)
            };
            let mut values = values.clone();
            values.resize_with(self.described(channel).fields.len(), || self.number(0));
            let action = Action::Send { channel, values, is_sorted: order == Order::Any };
            self.act(route, guard, action, span)?;
        }
        let wrong = self.is_no_channel(&channels);
        self.fail(wrong, route, span)
    }

    pub(super) fn receive(
        &mut self,
        channel: &Reference<'a>,
        (patterns, order): (&[Pattern<'a>], Order),
        keeps_message: bool,
        route: Endpoints,
        span: Span,
    ) -> Parsed<()> {
        let channels = self.channels(channel)?;
        let patterns = self.patterns(&channels, patterns, span)?;
        for (channel, mut is_meant) in self.each_channel(&channels) {
            let Channel { capacity, fields, .. } = self.described(channel);
            let (capacity, fields) = (*capacity, fields.len());
            let mut patterns = patterns.clone();
            patterns.resize(fields, BuiltPattern::Store(Storage::Nowhere));
            if capacity == 0 {
                self.refuse_in_dstep(route, span)?;
            }
            let last = if order == Order::Any { capacity.max(1) } else { 1 };
            for slot in 0..last {
                let mut guard = is_meant;
                if capacity > 0 {
                    let matches = self.can_receive(channel, slot, &patterns);
                    guard = self.binary(PromelaBinary::And, is_meant, matches);
                    // The first message that matches is received.
                    let fails = self.unary(PromelaUnary::Not, matches);
                    is_meant = self.binary(PromelaBinary::And, is_meant, fails);
                }
                let patterns = patterns.clone();
                let action = Action::Receive { channel, slot, patterns, keeps_message };
                self.act(route, guard, action, span)?;
            }
        }
        let wrong = self.is_no_channel(&channels);
        self.fail(wrong, route, span)
    }

    /// A channel that there is not: an assertion fails, as far as everybody is concerned.
    fn fail(&mut self, wrong: Option<ExprId>, route: Endpoints, span: Span) -> Parsed<()> {
        let Some(guard) = wrong else { return Ok(()) };
        let never = self.number(0);
        self.act(route, guard, Action::Assert(never), span)
    }

    fn refuse_in_dstep(&mut self, route: Endpoints, span: Span) -> Parsed<()> {
        if !route.around.is_in_dstep {
            return Ok(());
        }
        let message = "a rendezvous within `d_step`";
        Err(self.error(span, message, "no other process can take part"))
    }

    pub(super) fn options(&mut self, options: &'f [Vec<Step<'a>>], route: Endpoints) -> Parsed<()> {
        let mut drawn = Ok(());
        for option in options {
            let option = self.sequence(option, Endpoints { is_shared: true, ..route }, false);
            drawn = drawn.and(option);
        }
        drawn
    }
}
