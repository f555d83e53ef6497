//! Specifications: formulas whose propositions are their largest parts without temporal operators.

use super::Builder;
use crate::cursor::Name;
use crate::sink::{Parsed, Reported};
use crate::smv::ast::{
    Expr as Ast, ExprId as AstId, Foreign, Infix, Item, Spec, SpecKind, operands,
};
use crate::smv::{Claim, SmvLogic, Specification, show};
use crate::symbols::SymbolKind;
use logic::{
    ActionSet, BinderId, Expr, ExprId, Logic, PropId, Quantifier, Regular, StateOp, SurfaceBuilder,
};
use std::sync::Arc;
use support::{Diagnostic, Interner, Span};
use transition::{InstanceId, Property};

#[derive(Default)]
pub(super) struct Specs {
    pub list: Vec<Specification>,
    pub propositions: Vec<Property>,
    pub names: Interner<PropId>,
}

impl Builder<'_, '_> {
    pub(super) fn specifications(&mut self, text: &Arc<str>) -> Specs {
        let mut specs = Specs::default();
        let file = self.file;
        if !file.asked.is_empty() {
            for (spec, text) in &file.asked {
                let read = self.specification(InstanceId(0), spec, text, &mut specs);
                specs.list.extend(read);
            }
            self.warn_of_fairness(&specs);
            return specs;
        }
        for index in 0..self.items.len() {
            let (instance, item) = self.items[index];
            let read = match item {
                Item::Spec(spec) => self.specification(instance, spec, text, &mut specs),
                Item::Foreign(foreign) => Ok(self.foreign(instance, foreign, text)),
                _ => continue,
            };
            specs.list.extend(read);
        }
        // Those of an instance stand where it is declared; within a file the text decides.
        specs.list.sort_by_key(|specification| specification.span.start);
        self.warn_of_fairness(&specs);
        specs
    }

    /// Fairness is about paths, and the µ-calculus is not.
    fn warn_of_fairness(&mut self, specs: &Specs) {
        let mut mu = specs.list.iter().filter(|spec| spec.logic == SmvLogic::Mu);
        let Some(first) = mu.next().filter(|_| !self.machine.fairness.is_empty()) else { return };
        let message = "`FAIRNESS` means nothing to a formula of the µ-calculus";
        let label = "this speaks of all steps, fair or not";
        self.warning(
            Diagnostic::warning(message, first.span, label)
                .with_help("say it in the formula, or ask in CTL by `SPEC`"),
        );
    }

    fn foreign(&mut self, instance: InstanceId, foreign: &Foreign, text: &str) -> Specification {
        let (logic, why) = match foreign.logic {
            "ltl" => (SmvLogic::Ltl, "LTL is not supported"),
            "psl" => (SmvLogic::Psl, "PSL is not supported"),
            _ => (SmvLogic::Compute, "`COMPUTE` is not supported"),
        };
        let span = foreign.span;
        self.warning(
            Diagnostic::warning(why, span, "this is not checked")
                .with_help("the other specifications are checked"),
        );
        let text = text[span.range()].split_whitespace().collect::<Vec<_>>().join(" ");
        self.finished(instance, &foreign.name, logic, text, span, Claim::NotSupported(why))
    }

    fn finished(
        &mut self,
        instance: InstanceId,
        name: &Option<Name>,
        logic: SmvLogic,
        spaced: String,
        span: Span,
        claim: Claim,
    ) -> Specification {
        let instance = self.machine.instances[instance].name.clone();
        if let Some(name) = name {
            self.sink.symbols.define(SymbolKind::Property, name.span);
        }
        let name = name.as_ref().map(|name| name.text.to_string());
        let text = spaced.trim().to_owned();
        Specification { name, logic, text, spaced, instance, span, claim }
    }

    fn specification(
        &mut self,
        instance: InstanceId,
        spec: &Spec,
        text: &Arc<str>,
        specs: &mut Specs,
    ) -> Parsed<Specification> {
        let mut translation = Translation {
            builder: self,
            specs,
            surface: SurfaceBuilder::default(),
            scope: Vec::new(),
            instance,
        };
        let (logic, smv_logic) = match spec.kind {
            SpecKind::Ctl => (Logic::Ctl, SmvLogic::Ctl),
            // It is about all states that can be reached, on whatever paths.
            SpecKind::Invar => (Logic::Mu, SmvLogic::Invar),
            SpecKind::Mu => (Logic::Mu, SmvLogic::Mu),
        };
        let root = translation.root(spec)?;
        let surface = translation.surface;
        let claim = match root {
            Some(root) => Claim::Formula(surface.finish(logic, text.clone(), root)),
            None => Claim::NotSupported("an invariant with `next` is not supported"),
        };
        let printed = show::show(&self.file.exprs, spec.expr);
        let span = self.span(spec.expr);
        Ok(self.finished(instance, &spec.name, smv_logic, printed, span, claim))
    }
}

struct Translation<'t, 'b, 'f, 'a> {
    builder: &'b mut Builder<'f, 'a>,
    specs: &'t mut Specs,
    surface: SurfaceBuilder,
    /// The fixpoint variables around, innermost last.
    scope: Vec<(String, BinderId)>,
    instance: InstanceId,
}

impl Translation<'_, '_, '_, '_> {
    /// `None` if it is an invariant of steps.
    fn root(&mut self, spec: &Spec) -> Parsed<Option<ExprId>> {
        let file = self.builder.file;
        if spec.kind != SpecKind::Invar {
            self.check_logic(spec)?;
            return self.formula(spec.expr).map(Some);
        }
        let node = self.builder.condition(self.instance, spec.expr)?;
        if self.builder.machine.exprs.reads_next(node) {
            return Ok(None);
        }
        let span = file.exprs.span(spec.expr);
        let prop = self.proposition(spec.expr)?;
        let always = Expr::State(Quantifier::All, StateOp::Globally, prop);
        Ok(Some(self.surface.expr(always, span)))
    }

    /// CTL has no fixpoints, and the µ-calculus no `AG`.
    fn check_logic(&mut self, spec: &Spec) -> Parsed<()> {
        let file = self.builder.file;
        let mut wrong: Option<AstId> = None;
        file.exprs.visit(spec.expr, |id, expr| {
            let is_ctl = matches!(expr, Ast::State(..) | Ast::Path(..));
            if is_ctl && spec.kind == SpecKind::Mu {
                wrong = Some(id);
            }
        });
        let Some(wrong) = wrong else { return Ok(()) };
        let span = file.exprs.span(wrong);
        Err(self.builder.error(|_| {
            Diagnostic::error("an operator of CTL in `MUSPEC`", span, "belongs to `CTLSPEC`")
                .with_help("write it as a fixpoint: `AG p` is `nu Z. p & [] Z`")
        }))
    }

    fn formula(&mut self, expr: AstId) -> Parsed<ExprId> {
        let file = self.builder.file;
        let span = file.exprs.span(expr);
        if !self.is_temporal(expr) {
            return self.proposition(expr);
        }
        let made = match file.exprs.get(expr) {
            Ast::Name(name) => Expr::Var(self.variable(name).ok_or(Reported)?),
            Ast::Not(a) => Expr::Not(self.formula(*a)?),
            Ast::Implies(a, b) => {
                let (a, b) = (self.formula(*a), self.formula(*b));
                Expr::Implies(a?, b?)
            }
            Ast::Chain(first, rest) => return self.chain(*first, rest, span),
            Ast::State(quantifier, op, a) => Expr::State(*quantifier, *op, self.formula(*a)?),
            Ast::Path(quantifier, op, a, b) => {
                let (a, b) = (self.formula(*a), self.formula(*b));
                Expr::Path(*quantifier, *op, a?, b?)
            }
            Ast::Modal(modality, a) => {
                let body = self.formula(*a)?;
                let any = self.surface.reg(Regular::Action(ActionSet::any()), span);
                Expr::Modal(*modality, any, body)
            }
            Ast::Fix(kind, name, body) => {
                let binder = self.surface.binder(*kind, &name.text, name.span);
                self.scope.push((name.text.to_string(), binder));
                let body = self.formula(*body);
                self.scope.pop();
                Expr::Fix(binder, body?)
            }
            _ => return Err(self.misplaced(span)),
        };
        Ok(self.surface.expr(made, span))
    }

    fn variable(&self, name: &str) -> Option<BinderId> {
        self.scope.iter().rev().find(|(bound, _)| bound == name).map(|(_, binder)| *binder)
    }

    fn chain(&mut self, first: AstId, rest: &[(Infix, AstId)], span: Span) -> Parsed<ExprId> {
        let infix = rest[0].0;
        let all_same = rest.iter().all(|(other, _)| *other == infix);
        let all: Vec<AstId> = [first].into_iter().chain(rest.iter().map(|(_, e)| *e)).collect();
        let parts: Vec<Parsed<ExprId>> = match infix {
            Infix::And | Infix::Or | Infix::Xor | Infix::Xnor | Infix::Iff => {
                all.iter().map(|&operand| self.formula(operand)).collect()
            }
            _ => return Err(self.misplaced(span)),
        };
        let parts: Vec<ExprId> = parts.into_iter().collect::<Parsed<_>>()?;
        match infix {
            Infix::And if all_same => return Ok(self.surface.expr(Expr::And(parts), span)),
            Infix::Or if all_same => return Ok(self.surface.expr(Expr::Or(parts), span)),
            _ => {}
        }
        let mut left = parts[0];
        for (&(infix, _), &right) in rest.iter().zip(&parts[1..]) {
            let place = self.surface.span(left).to(self.surface.span(right));
            left = self.joined(infix, left, right, place);
        }
        Ok(left)
    }

    fn joined(&mut self, infix: Infix, left: ExprId, right: ExprId, span: Span) -> ExprId {
        let made = match infix {
            Infix::And => Expr::And(vec![left, right]),
            Infix::Or => Expr::Or(vec![left, right]),
            Infix::Xor => Expr::Not(self.surface.expr(Expr::Iff(left, right), span)),
            _ => Expr::Iff(left, right),
        };
        self.surface.expr(made, span)
    }

    fn misplaced(&mut self, span: Span) -> Reported {
        self.builder.error(|_| {
            let message = "a temporal formula where a value is expected";
            Diagnostic::error(message, span, "this operator takes values")
                .with_help("temporal formulas are joined by `!`, `&`, `|`, `xor`, `->` and `<->`")
        })
    }

    /// Whether there are temporal operators or fixpoint variables in it.
    fn is_temporal(&self, expr: AstId) -> bool {
        let exprs = &self.builder.file.exprs;
        let mut open = vec![expr];
        while let Some(id) = open.pop() {
            match exprs.get(id) {
                Ast::State(..) | Ast::Path(..) | Ast::Modal(..) | Ast::Fix(..) => return true,
                Ast::Name(name) if self.variable(name).is_some() => return true,
                other => operands(other, |operand| open.push(operand)),
            }
        }
        false
    }

    /// A part that is true or false of a state.
    fn proposition(&mut self, expr: AstId) -> Parsed<ExprId> {
        let builder = &mut *self.builder;
        let span = builder.span(expr);
        let node = builder.condition(self.instance, expr)?;
        builder.refuse_next(node, expr, "a specification")?;
        builder.refuse_input(node, expr, "a specification")?;
        if let Some(value) = builder.machine.exprs.as_constant(node) {
            return Ok(self.surface.expr(Expr::Const(value != 0), span));
        }
        let known = |name: &str| {
            let symbols = &builder.scopes[self.instance].symbols;
            symbols.contains_key(name) || name == "running"
        };
        let prefix = &builder.machine.instances[self.instance].name;
        let name = show::show_within(&builder.file.exprs, expr, prefix, &known);
        if self.specs.names.get(&name).is_none() {
            self.specs.names.intern(&name);
            self.specs.propositions.push(Property { name: name.clone(), node });
        }
        Ok(self.surface.expr(Expr::Prop(name), span))
    }
}
