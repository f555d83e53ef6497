//! Specifications: formulas whose propositions are their largest parts without temporal operators.

use super::Builder;
use crate::document::{SpecLogic, Specification};
use crate::sink::{Parsed, Reported};
use crate::smv::ast::{Expr as Ast, ExprId as AstId, Item, Name, Spec, SpecKind, UnsupportedSpec};
use crate::smv::show;
use crate::symbols::SymbolKind;
use crate::temporal::{Atoms, assume_compassion, translate};
use logic::{Expr, Logic, PropId, Surface, SurfaceBuilder};
use std::sync::Arc;
use support::{Diagnostic, Interner, Span};
use transition::{InstanceId, NodeId, StateProperty};

#[derive(Default)]
pub(super) struct Specs {
    pub list: Vec<Specification>,
    pub propositions: Vec<StateProperty>,
    pub names: Interner<PropId>,
}

impl Builder<'_, '_> {
    pub(super) fn specifications(&mut self, text: &Arc<str>) -> Specs {
        let mut specs = Specs::default();
        let file = self.file;
        self.remember_steps();
        if !file.asked.is_empty() {
            for (spec, text) in &file.asked {
                let read = self.specification(InstanceId(0), spec, text, &mut specs);
                specs.list.extend(read);
            }
            self.warn_of_fairness(&specs);
            self.warn_of_compassion(&specs);
            return specs;
        }
        for index in 0..self.items.len() {
            let (instance, item) = self.items[index];
            let read = match item {
                Item::Spec(spec) => self.specification(instance, spec, text, &mut specs),
                Item::UnsupportedSpec(foreign) => Ok(self.foreign(instance, foreign, text)),
                _ => continue,
            };
            specs.list.extend(read);
        }
        // Those of an instance stand where it is declared; within a file the text decides.
        specs.list.sort_by_key(|specification| specification.span.start);
        self.warn_of_fairness(&specs);
        self.warn_of_compassion(&specs);
        specs
    }

    /// Adds a history variable for each invariant of the file about steps: one with `next` or about inputs. They are
    /// there whatever is asked, so that the system is the same one.
    fn remember_steps(&mut self) {
        for index in 0..self.items.len() {
            let (instance, item) = self.items[index];
            let Item::Spec(Spec { kind: SpecKind::Invar, expr, .. }) = item else { continue };
            let Ok(node) = self.condition(instance, *expr) else { continue };
            let exprs = &self.machine.exprs;
            if exprs.reads_next(node) || exprs.reads_input(node) {
                let place = (instance, self.file.exprs.span(*expr));
                let held = self.machine.add_history_variable(node, true, place);
                self.invariants_about_steps.insert((instance, *expr), held);
            }
        }
    }

    fn compassion(&self) -> Vec<(InstanceId, AstId, AstId)> {
        let all = self.items.iter().filter_map(|(instance, item)| match item {
            Item::Compassion { often, then, .. } => Some((*instance, *often, *then)),
            _ => None,
        });
        all.collect()
    }

    /// As in NuSMV, `COMPASSION` is for linear time only.
    fn warn_of_compassion(&mut self, specs: &Specs) {
        let keyword = self.items.iter().find_map(|(_, item)| match item {
            Item::Compassion { keyword, .. } => Some(*keyword),
            _ => None,
        });
        let Some(keyword) = keyword else { return };
        if specs.list.iter().any(|spec| matches!(spec.logic, SpecLogic::Ctl | SpecLogic::CtlStar)) {
            self.warning(
                Diagnostic::warning(
                    "`COMPASSION` is for linear time only",
                    keyword,
                    "this is taken into account by `LTLSPEC` only",
                )
                .with_help(
                    "say what you can by `FAIRNESS`, or ask in LTL: verdicts may differ on paths that this excludes",
                ),
            );
        }
    }

    /// Fairness is about paths, and the µ-calculus is not.
    fn warn_of_fairness(&mut self, specs: &Specs) {
        let mut mu = specs.list.iter().filter(|spec| spec.logic == SpecLogic::Mu);
        let Some(first) = mu.next().filter(|_| !self.machine.fairness.is_empty()) else { return };
        let message = "`FAIRNESS` means nothing to a formula of the µ-calculus";
        let label = "this is about all transitions, fair or not";
        self.warning(
            Diagnostic::warning(message, first.span, label)
                .with_help("say it in the formula, or ask in CTL by `SPEC`"),
        );
    }

    fn foreign(
        &mut self,
        instance: InstanceId,
        foreign: &UnsupportedSpec,
        text: &str,
    ) -> Specification {
        let (logic, why) = match foreign.logic {
            "psl" => (SpecLogic::Psl, "PSL is not supported"),
            _ => (SpecLogic::Compute, "`COMPUTE` is not supported"),
        };
        let span = foreign.span;
        self.warning(
            Diagnostic::warning(why, span, "this is not checked")
                .with_help("the other specifications are checked"),
        );
        let text = text[span.range()].split_whitespace().collect::<Vec<_>>().join(" ");
        self.finished(instance, foreign.name, logic, text, span, Err(why))
    }

    fn finished(
        &mut self,
        instance: InstanceId,
        name: Option<Name>,
        logic: SpecLogic,
        spaced: String,
        span: Span,
        formula: Result<Surface, &'static str>,
    ) -> Specification {
        let instance = &self.machine.instances[instance].name;
        let place = if instance.is_empty() { String::new() } else { format!("IN {instance}") };
        let kind = match logic {
            SpecLogic::Invar => "invariant",
            SpecLogic::Compute => "the result of",
            _ => "specification",
        };
        let named = name.map_or(span, |name| name.span);
        if name.is_some() {
            self.sink.symbols.define(SymbolKind::Property, named);
        }
        Specification {
            name: name.map(|name| name.text.to_owned()),
            logic,
            text: format!("{} {place}", spaced.trim()).trim().to_owned(),
            span,
            named,
            formula,
            fair: matches!(logic, SpecLogic::Ctl | SpecLogic::Ltl | SpecLogic::CtlStar),
            statement: format!("{kind} {spaced} {place}"),
        }
    }

    fn specification(
        &mut self,
        instance: InstanceId,
        spec: &Spec,
        text: &Arc<str>,
        specs: &mut Specs,
    ) -> Parsed<Specification> {
        let file = self.file;
        let compassion: Vec<(InstanceId, AstId, AstId)> = match spec.kind {
            SpecKind::Formula(Logic::Ltl) => self.compassion(),
            _ => Vec::new(),
        };
        let mut propositions = Propositions { builder: self, specs, instance };
        let formula = if let SpecKind::Formula(logic) = spec.kind {
            propositions.check_logic(spec, logic)?;
            let mut read = translate(&file.exprs, spec.expr, (logic, text), &mut propositions)?;
            let mut assumed = Vec::new();
            for (instance, often, then) in compassion {
                propositions.instance = instance;
                assumed.push([propositions.atom(often)?, propositions.atom(then)?]);
            }
            assume_compassion(&mut read, assumed);
            Ok(read)
        } else {
            let span = file.exprs.span(spec.expr);
            let mut surface = SurfaceBuilder::default();
            let prop = propositions.invariant(spec.expr)?;
            let prop = surface.expr(prop, span);
            Ok(surface.finish_invariant(text.clone(), prop))
        };
        let printed = show::show(&self.file.exprs, spec.expr);
        let span = self.span(spec.expr);
        let logic = match spec.kind {
            SpecKind::Formula(logic) => logic.into(),
            SpecKind::Invar => SpecLogic::Invar,
        };
        Ok(self.finished(instance, spec.name, logic, printed, span, formula))
    }
}

/// The parts of a formula that are true or false of a state.
struct Propositions<'t, 'b, 'f, 'a> {
    builder: &'b mut Builder<'f, 'a>,
    specs: &'t mut Specs,
    instance: InstanceId,
}

impl Propositions<'_, '_, '_, '_> {
    /// The condition on states of an invariant. One about steps says that it held in the step that led there.
    fn invariant(&mut self, expr: AstId) -> Parsed<Expr> {
        match self.builder.invariants_about_steps.get(&(self.instance, expr)) {
            Some(&held) => Ok(self.proposition(expr, held)),
            None => self.atom(expr),
        }
    }

    fn proposition(&mut self, expr: AstId, node: NodeId) -> Expr {
        let builder = &*self.builder;
        let known = |name: &str| {
            let symbols = &builder.scopes[self.instance].symbols;
            symbols.contains_key(name) || name == "running"
        };
        let prefix = &builder.machine.instances[self.instance].name;
        let name = show::show_within(&builder.file.exprs, expr, prefix, &known);
        if self.specs.names.get(&name).is_none() {
            self.specs.names.intern(&name);
            self.specs.propositions.push(StateProperty { name: name.clone(), node });
        }
        Expr::Prop(name)
    }

    /// CTL has no fixpoints, and the µ-calculus no `AG`.
    fn check_logic(&mut self, spec: &Spec, logic: Logic) -> Parsed<()> {
        let file = self.builder.file;
        let mut wrong: Option<AstId> = None;
        file.exprs.visit(spec.expr, |id, expr| {
            let is_ctl = matches!(
                expr,
                Ast::State(..) | Ast::Path(..) | Ast::StateWithin(..) | Ast::UntilWithin(..)
            );
            if is_ctl && logic.has_fixpoints() {
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
}

impl Atoms for Propositions<'_, '_, '_, '_> {
    fn atom(&mut self, expr: AstId) -> Parsed<Expr> {
        let builder = &mut *self.builder;
        let node = builder.condition(self.instance, expr)?;
        builder.refuse_next(node, expr, "a specification")?;
        builder.refuse_input(node, expr, "a specification")?;
        if let Some(value) = builder.machine.exprs.as_constant(node) {
            return Ok(Expr::Const(value != 0));
        }
        Ok(self.proposition(expr, node))
    }

    fn misplaced(&mut self, span: Span) -> Reported {
        self.builder.error(|_| {
            let message = "a temporal formula where a value is expected";
            Diagnostic::error(message, span, "this operator takes values")
                .with_help("temporal formulas are joined by `!`, `&`, `|`, `xor`, `->` and `<->`")
        })
    }
}
