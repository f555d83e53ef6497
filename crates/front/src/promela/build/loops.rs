//! Loops, and what is executed without being interrupted.

use super::super::ast::{Expr as Ast, ExprKind, Order, Pattern, Question, Reference, Step};
use super::super::program::{
    Action, LocationId, PromelaBinary, PromelaExpr, PromelaUnary, Storage,
};
use super::Builder;
use super::graph::{Endpoints, StatementContext};
use crate::sink::Parsed;

impl<'f, 'a> Builder<'f, 'a> {
    /// A place that nothing else is drawn from, to come back to.
    pub(super) fn own_place(&mut self, route: Endpoints) -> Parsed<LocationId> {
        let graph = self.graph()?;
        let from = graph.find(route.from);
        let begins_block = route.around.is_exclusive && !graph.places[from].is_exclusive;
        if !route.is_shared && !begins_block {
            return Ok(route.from);
        }
        let own = graph.beside(from);
        // Control is kept by coming back to a loop that begins a block, but not by coming to the block.
        graph.places[own].is_exclusive = route.around.is_exclusive;
        graph.places[own].is_in_dstep = route.around.is_in_dstep;
        Ok(own)
    }

    pub(super) fn repeat(&mut self, options: &'f [Vec<Step<'a>>], route: Endpoints) -> Parsed<()> {
        let head = self.own_place(route)?;
        let around = StatementContext { exit: Some(route.to), ..route.around };
        self.options(options, Endpoints { from: head, to: head, is_shared: true, around })
    }

    /// `for`, as Spin does it: the variable counts, and is one too large in the end.
    pub(super) fn count(
        &mut self,
        var: &Reference<'a>,
        [low, high]: [&Ast<'a>; 2],
        body: &'f [Step<'a>],
        route: Endpoints,
    ) -> Parsed<()> {
        let head = self.graph()?.place(route.around, var.span);
        let inside = self.graph()?.place(route.around, var.span);
        let after = self.graph()?.place(route.around, var.span);
        let old = Ast { kind: ExprKind::Reference(var.clone()), span: var.span };
        self.assign(var, low, Endpoints { to: head, ..route }, var.span.to(low.span))?;
        let (value, limit) = (self.expr(&old)?, self.expr(high)?);
        let goes_on = self.binary(PromelaBinary::Le, value, limit);
        let plain = Endpoints { is_shared: false, ..route };
        self.act(Endpoints { from: head, to: inside, ..plain }, goes_on, Action::Pass, var.span)?;
        let ends = self.unary(PromelaUnary::Not, goes_on);
        self.act(Endpoints { from: head, ..plain }, ends, Action::Pass, var.span)?;
        let around = StatementContext { exit: Some(route.to), ..route.around };
        let within = Endpoints { from: inside, to: after, is_shared: false, around };
        self.block(body, within, false)?;
        self.add_one(var, Endpoints { from: after, to: head, ..plain })
    }

    /// `for (x in c)`, as Spin does it: every message of the channel is received and sent again.
    pub(super) fn rotate(
        &mut self,
        var: &Reference<'a>,
        channel: &Reference<'a>,
        body: &'f [Step<'a>],
        route: Endpoints,
    ) -> Parsed<()> {
        let span = channel.span;
        let [head, taken, put, inside, after] = {
            let graph = self.graph()?;
            [(); 5].map(|()| graph.place(route.around, span))
        };
        let counter = self.hidden_var(span);
        let (place, zero, always) = (Storage::Var(counter), self.number(0), self.number(1));
        let begins = Action::Assign { place, value: zero };
        self.act(Endpoints { to: head, ..route }, always, begins, span)?;
        let length = Ast { kind: ExprKind::Channel(Question::Len, channel.clone()), span };
        let (count, length) =
            (self.program.exprs.push(PromelaExpr::Var(counter)), self.expr(&length)?);
        let goes_on = self.binary(PromelaBinary::Lt, count, length);
        let plain = Endpoints { is_shared: false, ..route };
        self.act(Endpoints { from: head, to: taken, ..plain }, goes_on, Action::Pass, span)?;
        let ends = self.unary(PromelaUnary::Not, goes_on);
        self.act(Endpoints { from: head, ..plain }, ends, Action::Pass, span)?;
        let pattern = [Pattern::Name(var.clone())];
        let takes = Endpoints { from: taken, to: put, ..plain };
        self.receive(channel, (&pattern, Order::First), false, takes, span)?;
        let value = [Ast { kind: ExprKind::Reference(var.clone()), span: var.span }];
        self.send(
            channel,
            (&value, Order::First),
            Endpoints { from: put, to: inside, ..plain },
            span,
        )?;
        let around = StatementContext { exit: Some(route.to), ..route.around };
        self.block(body, Endpoints { from: inside, to: after, is_shared: false, around }, false)?;
        let value = self.binary(PromelaBinary::Add, count, always);
        let rises = Action::Assign { place, value };
        self.act(Endpoints { from: after, to: head, ..plain }, always, rises, span)
    }

    fn add_one(&mut self, var: &Reference<'a>, route: Endpoints) -> Parsed<()> {
        let place = self.place(var)?;
        let old = Ast { kind: ExprKind::Reference(var.clone()), span: var.span };
        let (old, one) = (self.expr(&old)?, self.number(1));
        let value = self.binary(PromelaBinary::Add, old, one);
        let guard = self.number(1);
        self.act(route, guard, Action::Assign { place, value }, var.span)
    }

    /// `select`, as Spin does it: the variable counts until it is left alone.
    pub(super) fn select(
        &mut self,
        var: &'f Reference<'a>,
        [low, high]: [&'f Ast<'a>; 2],
        route: Endpoints,
    ) -> Parsed<()> {
        let head = self.graph()?.place(route.around, var.span);
        let more = self.graph()?.place(route.around, var.span);
        self.assign(var, low, Endpoints { to: head, ..route }, var.span.to(low.span))?;
        let old = Ast { kind: ExprKind::Reference(var.clone()), span: var.span };
        let (value, limit) = (self.expr(&old)?, self.expr(high)?);
        let can_rise = self.binary(PromelaBinary::Lt, value, limit);
        let plain = Endpoints { is_shared: false, ..route };
        self.act(Endpoints { from: head, to: more, ..plain }, can_rise, Action::Pass, var.span)?;
        self.add_one(var, Endpoints { from: more, to: head, ..plain })?;
        self.pass(Endpoints { from: head, ..plain }, var.span)
    }

    /// `main unless escape`: the escape is tried first before every statement of the main one.
    pub(super) fn unless(
        &mut self,
        [main, escape]: &'f [Step<'a>; 2],
        route: Endpoints,
    ) -> Parsed<()> {
        let first = self.graph()?.lines.len();
        self.step(main, route)?;
        let mut graph = self.graph()?.clone();
        self.resolve_else(&mut graph, first)?;
        *self.graph()? = graph;
        let second = self.graph()?.lines.len();
        let entry = self.graph()?.place(route.around, escape.span);
        self.step(escape, Endpoints { from: entry, is_shared: false, ..route })?;
        let mut graph = self.graph()?.clone();
        let entry = graph.find(entry);
        if graph.copies.iter().any(|&(to, _)| graph.find(to) == entry) {
            let message = "`unless` before a loop in `atomic` is not supported";
            return Err(self.unsupported(escape.span, message, "when can this be executed?"));
        }
        self.add_escapes(&mut graph, [first, second], entry)?;
        *self.graph()? = graph;
        Ok(())
    }

    /// The first option that can be taken is taken, and `else` is about this statement alone.
    pub(super) fn dstep(&mut self, steps: &'f [Step<'a>], route: Endpoints) -> Parsed<()> {
        let first = self.graph()?.lines.len();
        let around = StatementContext { is_exclusive: true, is_in_dstep: true, ..route.around };
        self.block(steps, Endpoints { around, ..route }, false)?;
        let mut graph = self.graph()?.clone();
        self.resolve_else(&mut graph, first)?;
        self.make_deterministic(&mut graph, first);
        *self.graph()? = graph;
        Ok(())
    }
}
