//! Specifications: formulas whose propositions are their largest parts without temporal operators.

use super::Builder;
use super::unsupported::{Lowered, Refusal, UnsupportedConstruct};
use crate::document::{SpecLogic, Specification};
use crate::sink::{Parsed, Reported};
use crate::smv::ast::{
    Compute, Expr as Ast, ExprId as AstId, Item, Name, Spec, SpecKind, UnsupportedSpec,
};
use crate::smv::show;
use crate::symbols::SymbolKind;
use crate::temporal::{Atoms, assume_compassion, translate, translate_distance};
use logic::{Expr, Logic, PropId, Surface, SurfaceBuilder};
use std::borrow::Cow;
use std::sync::Arc;
use support::{Diagnostic, Interner, Span};
use transition::{InstanceId, NodeId, StateProperty};

#[derive(Default)]
pub(super) struct Specs {
    pub list: Vec<Specification>,
    pub propositions: Vec<StateProperty>,
    pub names: Interner<PropId>,
}

/// Fairness is about paths, and the µ-calculus is not.
fn fairness_of_transitions(formula: Span) -> Diagnostic {
    let message = "`FAIRNESS` means nothing to a formula of the µ-calculus";
    Diagnostic::warning(message, formula, "this is about all transitions, fair or not")
        .with_help("say it in the formula, or ask in CTL by `SPEC`")
}

/// As in NuSMV, `COMPASSION` is for linear time only.
fn compassion_of_branches(keyword: Span) -> Diagnostic {
    let label = "this is taken into account by `LTLSPEC` only";
    Diagnostic::warning("`COMPASSION` is for linear time only", keyword, label).with_help(
        "say what you can by `FAIRNESS`, or ask in LTL: verdicts may differ on paths that this excludes",
    )
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
            self.add_warnings(&mut specs);
            return specs;
        }
        for index in 0..self.items.len() {
            let (instance, item) = self.items[index];
            let read = match item {
                Item::Spec(spec) => self.specification(instance, spec, text, &mut specs),
                Item::Compute(compute) => self.distance(instance, compute, text, &mut specs),
                Item::UnsupportedSpec(foreign) => Ok(self.foreign(instance, foreign, text)),
                _ => continue,
            };
            specs.list.extend(read);
        }
        // Those of an instance stand where it is declared; within a file the text decides.
        specs.list.sort_by_key(|specification| specification.span.start);
        self.add_warnings(&mut specs);
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

    /// A condition on states, and on nothing else.
    fn state_condition(&mut self, instance: InstanceId, expr: AstId) -> Lowered<NodeId> {
        let node = self.condition(instance, expr)?;
        self.refuse_next(node, expr, "a specification")?;
        self.refuse_input(node, expr, "a specification")?;
        Ok(node)
    }

    fn compassion(&self) -> Vec<(InstanceId, AstId, AstId)> {
        let all = self.items.iter().filter_map(|(instance, item)| match item {
            Item::Compassion { often, then, .. } => Some((*instance, *often, *then)),
            _ => None,
        });
        all.collect()
    }

    fn add_warnings(&self, specs: &mut Specs) {
        let compassion = self.items.iter().find_map(|(_, item)| match item {
            Item::Compassion { keyword, .. } => Some(*keyword),
            _ => None,
        });
        for spec in &mut specs.list {
            let about_fairness = (spec.logic == SpecLogic::Mu && !self.machine.fairness.is_empty())
                .then(|| fairness_of_transitions(spec.span));
            let is_branching = matches!(spec.logic, SpecLogic::Ctl | SpecLogic::CtlStar);
            let about_compassion = compassion.filter(|_| is_branching).map(compassion_of_branches);
            spec.warnings.extend(about_fairness.into_iter().chain(about_compassion));
        }
    }

    fn foreign(
        &mut self,
        instance: InstanceId,
        foreign: &UnsupportedSpec,
        text: &str,
    ) -> Specification {
        let span = foreign.span;
        let text = text[span.range()].split_whitespace().collect::<Vec<_>>().join(" ");
        let why = Cow::Borrowed("PSL is not supported");
        self.finished((instance, foreign.name), SpecLogic::Psl, text, span, Err(why))
    }

    /// The construct that makes a specification unknown although it is none of its own: one of a constraint, or of
    /// fairness where that counts.
    fn unsupported_surroundings(&self, is_fair: bool) -> Option<UnsupportedConstruct> {
        self.unsupported_constraint.or(self.unsupported_fairness.filter(|_| is_fair))
    }

    fn finished(
        &mut self,
        (instance, name): (InstanceId, Option<Name>),
        logic: SpecLogic,
        spaced: String,
        span: Span,
        formula: Result<Surface, Cow<'static, str>>,
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
            fair: is_fair(logic),
            distance: None,
            warnings: Vec::new(),
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
        let compassion: Vec<(InstanceId, AstId, AstId)> = match spec.kind {
            SpecKind::Formula(Logic::Ltl) => self.compassion(),
            _ => Vec::new(),
        };
        let mut propositions = Propositions { builder: self, specs, instance, unsupported: None };
        let formula = propositions.formula_of(spec, text, compassion);
        let unsupported = propositions.unsupported;
        let printed = show::show(&self.file.exprs, spec.expr);
        let span = self.span(spec.expr);
        let logic = match spec.kind {
            SpecKind::Formula(logic) => logic.into(),
            SpecKind::Invar => SpecLogic::Invar,
        };
        let formula = self.supported(formula, unsupported, (logic, span), text)?;
        Ok(self.finished((instance, spec.name), logic, printed, span, formula))
    }

    /// `COMPUTE MIN[f, g]`, `COMPUTE MAX[f, g]`
    fn distance(
        &mut self,
        instance: InstanceId,
        compute: &Compute,
        text: &Arc<str>,
        specs: &mut Specs,
    ) -> Parsed<Specification> {
        let Compute { extreme, name, from, to, span } = *compute;
        let file = self.file;
        let mut propositions = Propositions { builder: self, specs, instance, unsupported: None };
        let (ends, question) = ((from, to), (extreme, span, text));
        let read = translate_distance(&file.exprs, ends, question, &mut propositions);
        let unsupported = propositions.unsupported;
        let (surface, distance) = match read {
            Ok((surface, distance)) => (Ok(surface), Some(distance)),
            Err(reported) => (Err(reported), None),
        };
        let logic = SpecLogic::Compute;
        let formula = self.supported(surface, unsupported, (logic, span), text)?;
        let [from, to] = [from, to].map(|end| {
            let text = show::show(&file.exprs, end);
            match file.exprs.get(end) {
                Ast::State(..) | Ast::StateWithin(..) => format!("({text})"),
                _ => text,
            }
        });
        let printed = format!("{} [ {from} , {to} ]", extreme.name());
        let finished = self.finished((instance, name), logic, printed, span, formula);
        Ok(Specification { distance, ..finished })
    }

    /// The formula of a specification, or the construct that is not supported.
    fn supported(
        &self,
        formula: Parsed<Surface>,
        within: Option<UnsupportedConstruct>,
        (logic, span): (SpecLogic, Span),
        text: &str,
    ) -> Parsed<Result<Surface, Cow<'static, str>>> {
        match within.or(self.unsupported_surroundings(is_fair(logic))) {
            Some(construct) => Ok(Err(construct.reason(span, text).into())),
            None => formula.map(Ok),
        }
    }
}

/// Whether a specification is about fair paths.
fn is_fair(logic: SpecLogic) -> bool {
    matches!(logic, SpecLogic::Ctl | SpecLogic::Ltl | SpecLogic::CtlStar | SpecLogic::Compute)
}

/// The parts of a formula that are true or false of a state.
struct Propositions<'t, 'b, 'f, 'a> {
    builder: &'b mut Builder<'f, 'a>,
    specs: &'t mut Specs,
    instance: InstanceId,
    /// A construct that is not supported, in a proposition or in what it depends on.
    unsupported: Option<UnsupportedConstruct>,
}

impl Propositions<'_, '_, '_, '_> {
    fn formula_of(
        &mut self,
        spec: &Spec,
        text: &Arc<str>,
        compassion: Vec<(InstanceId, AstId, AstId)>,
    ) -> Parsed<Surface> {
        let file = self.builder.file;
        let SpecKind::Formula(logic) = spec.kind else {
            let mut surface = SurfaceBuilder::default();
            let prop = self.invariant(spec.expr)?;
            let prop = surface.expr(prop, file.exprs.span(spec.expr));
            return Ok(surface.finish_invariant(text.clone(), prop));
        };
        self.check_logic(spec, logic)?;
        let mut read = translate(&file.exprs, spec.expr, (logic, text), self)?;
        let mut assumed = Vec::new();
        for (instance, often, then) in compassion {
            self.instance = instance;
            assumed.push([self.atom(often)?, self.atom(then)?]);
        }
        assume_compassion(&mut read, assumed);
        Ok(read)
    }

    /// Notes a construct that is not supported.
    fn noted<T>(&mut self, lowered: Lowered<T>) -> Parsed<T> {
        lowered.map_err(|refusal| {
            if let Refusal::Unsupported(construct) = refusal {
                self.unsupported.get_or_insert(construct);
            }
            Reported
        })
    }

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
        let wrong = self.builder.error(|_| {
            Diagnostic::error("an operator of CTL in `MUSPEC`", span, "belongs to `CTLSPEC`")
                .with_help("write it as a fixpoint: `AG p` is `nu Z. p & [] Z`")
        });
        self.noted(Err(wrong))
    }
}

impl Atoms for Propositions<'_, '_, '_, '_> {
    fn atom(&mut self, expr: AstId) -> Parsed<Expr> {
        let lowered = self.builder.state_condition(self.instance, expr);
        let node = self.noted(lowered)?;
        if let Some(value) = self.builder.machine.exprs.as_constant(node) {
            return Ok(Expr::Const(value != 0));
        }
        Ok(self.proposition(expr, node))
    }

    fn misplaced(&mut self, span: Span) -> Reported {
        self.builder.error(|_| {
            let message = "a temporal formula where a value is expected";
            Diagnostic::error(message, span, "this operator takes values")
                .with_help("temporal formulas are joined by `!`, `&`, `|`, `xor`, `->` and `<->`")
        });
        Reported
    }
}
