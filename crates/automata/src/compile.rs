//! From formulas of LTL and CTL* to the normal form that engines check.
//!
//! A formula of linear time becomes the automaton of its negation, and that a formula of the µ-calculus (see
//! `fixpoints.rs`). Maximal state subformulas of CTL* are atoms of the automaton whose meanings are formulas
//! themselves. Fairness is part of the path formula: `A f` is about the paths of `fair -> f`, where `fair` says that
//! every condition is met infinitely often.

use crate::buchi::BuchiAutomaton;
use crate::cube::LiteralCube;
use crate::fixpoints::{LiteralMeanings, unfold};
use crate::formula::{LtlArena, LtlId};
use crate::reduce::{automaton, automaton_with_one_set};
use crate::translate::{MAX_DEPTH, TranslationError};
use logic::{
    ActionSet, Expr, ExprId, FairSteps, FairTerm, Fairness, Family, Formula, FormulaBuilder,
    LinearOp, LinearPairOp, Modality, NodeId, Origin, PropId, Quantifier, Signature, Surface,
};
use rustc_hash::FxHashMap;
use support::{Diagnostic, IdVec, Monitor};

/// Whether the propositions of a model have values everywhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Valuations {
    /// Each is true or false in each state.
    Complete,
    /// Some are unknown: a literal and its negation are independent of each other, as in Kleene's logic.
    Partial,
}

/// Looks up the names of a formula of any logic and brings it into the normal form.
///
/// Warnings are pushed to `warnings`; errors are returned, all of them.
pub fn compile(
    surface: &Surface,
    signature: &Signature,
    fairness: &Fairness,
    valuations: Valuations,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Formula, Vec<Diagnostic>> {
    if surface.logic.has_path_quantifiers() && !fairness.steps.is_empty() {
        let errors = logic::check_names(surface, signature, warnings);
        if !errors.is_empty() {
            return Err(errors);
        }
        let surface = &surface.with_path_formulas();
        return compile(surface, signature, fairness, valuations, &mut Vec::new());
    }
    if !surface.logic.has_linear_operators() {
        return logic::compile_fair(surface, signature, fairness, warnings);
    }
    let mut errors = logic::check_names(surface, signature, warnings);
    let is_state_formula = state_formulas(surface, signature.family);
    if surface.logic.quantifies_over_path_formulas() && !is_state_formula[surface.root] {
        let message = "a formula of one path outside of `A` and `E`";
        errors.push(
            Diagnostic::error(message, surface.span, "it is not about states")
                .with_help("say of which paths: `A f` of all, `E f` of one"),
        );
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let translation = Translation::new(surface, signature, fairness, valuations);
    translation.run().map_err(|error| vec![too_large(surface, &error)])
}

/// The automaton of the runs on which a formula of linear time does not hold, and the propositions that its atoms are;
/// every proposition has a value in every state.
///
/// # Errors
///
/// Names that the formula uses and that are not there, or a formula that is too large.
pub fn negated_automaton(
    surface: &Surface,
    signature: &Signature,
    monitor: &Monitor,
) -> Result<(BuchiAutomaton, Vec<PropId>), Vec<Diagnostic>> {
    let errors = logic::check_names(surface, signature, &mut Vec::new());
    if !errors.is_empty() {
        return Err(errors);
    }
    let fairness = &Fairness::default();
    let mut translation = Translation::new(surface, signature, fairness, Valuations::Complete);
    let made = translation.paths().and_then(|()| {
        let [_, negation] = translation.paths[surface.root];
        let atoms = translation.meanings.len() as u32;
        automaton(&mut translation.arena, negation, atoms, monitor)
    });
    let made = made.map_err(|error| vec![too_large(surface, &error)])?;
    let prop = |(meaning, ..): &(Meaning, Option<bool>, Origin)| match meaning {
        Meaning::Prop(prop) => Some(*prop),
        _ => None,
    };
    Ok((made, translation.meanings.iter().filter_map(prop).collect()))
}

fn too_large(surface: &Surface, error: &TranslationError) -> Diagnostic {
    Diagnostic::error("the formula is too large", surface.span, error.to_string())
        .with_help("check its conjuncts as properties of their own")
}

/// By expression, whether it is about a state: no operator of linear time and no action is outside of `A` and `E`.
fn state_formulas(surface: &Surface, family: Family) -> IdVec<ExprId, bool> {
    let mut known: IdVec<ExprId, bool> = IdVec::new();
    for (_, (expr, _)) in surface.exprs.iter() {
        let is_state = match expr {
            Expr::Linear(..) | Expr::LinearPair(..) => false,
            Expr::Prop(_) => family == Family::Props,
            Expr::Not(e) => known[*e],
            Expr::And(es) | Expr::Or(es) => es.iter().all(|&e| known[e]),
            Expr::Implies(a, b) | Expr::Iff(a, b) => known[*a] && known[*b],
            _ => true,
        };
        known.push(is_state);
    }
    known
}

/// The meaning of an atom of an automaton.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Meaning {
    Prop(PropId),
    /// `A f` or `E f`.
    Quantified(ExprId),
    /// That one of these actions is taken.
    Step(ActionSet),
    /// That one of these actions is possible.
    Enabled(ActionSet),
}

struct Translation<'a> {
    surface: &'a Surface,
    signature: &'a Signature<'a>,
    fairness: &'a Fairness,
    valuations: Valuations,
    arena: LtlArena,
    builder: FormulaBuilder,
    /// By atom, with the origin of its literals; of a literal only where literals are independent.
    meanings: Vec<(Meaning, Option<bool>, Origin)>,
    atoms: FxHashMap<(Meaning, Option<bool>), u32>,
    /// By expression, itself and its negation as formulas of one path.
    paths: IdVec<ExprId, [LtlId; 2]>,
}

impl<'a> Translation<'a> {
    fn new(
        surface: &'a Surface,
        signature: &'a Signature<'a>,
        fairness: &'a Fairness,
        valuations: Valuations,
    ) -> Self {
        Self {
            surface,
            signature,
            fairness,
            valuations,
            arena: LtlArena::default(),
            builder: FormulaBuilder::default(),
            meanings: Vec::new(),
            atoms: FxHashMap::default(),
            paths: IdVec::new(),
        }
    }

    /// Translates all expressions to formulas of one path.
    fn paths(&mut self) -> Result<(), TranslationError> {
        for id in self.surface.exprs.ids() {
            let path = self.path(id);
            if path.iter().any(|&formula| self.arena.depth(formula) > MAX_DEPTH) {
                return Err(TranslationError::Depth);
            }
            self.paths.push(path);
        }
        Ok(())
    }

    fn run(mut self) -> Result<Formula, TranslationError> {
        self.paths()?;
        let Surface { logic, text, root, .. } = self.surface;
        let node = if logic.quantifies_over_path_formulas() {
            self.state(*root, true)?
        } else {
            self.quantified(Quantifier::All, *root, true)?
        };
        let names = self.fairness.terms.iter().map(|term| match term {
            FairTerm::State(_, name) => name.clone(),
            FairTerm::Step(_) => String::new(),
        });
        let names = names.collect();
        let made = self.builder.finish(node, *logic, self.surface.source(), text.clone());
        Ok(made.with_conditions(names))
    }

    /// An expression and its negation as formulas of one path.
    fn path(&mut self, id: ExprId) -> [LtlId; 2] {
        let (expr, span) = &self.surface.exprs[id];
        let origin = Origin::Source { span: *span, negated: false };
        let of = |this: &Self, e: ExprId| this.paths[e];
        match expr {
            Expr::Const(value) => [self.arena.constant(*value), self.arena.constant(!*value)],
            Expr::Prop(name) => match self.signature.props.get(name) {
                Some(prop) if self.signature.family == Family::Props => {
                    self.literals(&Meaning::Prop(prop), origin)
                }
                _ => self.literals(&Meaning::Step(ActionSet::one(name)), origin),
            },
            Expr::Quantified(..) => self.literals(&Meaning::Quantified(id), origin),
            Expr::Not(e) => {
                let [positive, negative] = of(self, *e);
                [negative, positive]
            }
            Expr::And(es) => {
                let all: Vec<[LtlId; 2]> = es.iter().map(|&e| of(self, e)).collect();
                let positive = self.arena.and(all.iter().map(|e| e[0]));
                [positive, self.arena.or(all.iter().map(|e| e[1]))]
            }
            Expr::Or(es) => {
                let all: Vec<[LtlId; 2]> = es.iter().map(|&e| of(self, e)).collect();
                let positive = self.arena.or(all.iter().map(|e| e[0]));
                [positive, self.arena.and(all.iter().map(|e| e[1]))]
            }
            Expr::Implies(a, b) => {
                let ([a, not_a], [b, not_b]) = (of(self, *a), of(self, *b));
                [self.arena.or([not_a, b]), self.arena.and([a, not_b])]
            }
            Expr::Iff(a, b) => {
                let ([a, not_a], [b, not_b]) = (of(self, *a), of(self, *b));
                let [both, none] = [self.arena.and([a, b]), self.arena.and([not_a, not_b])];
                let [first, second] = [self.arena.and([a, not_b]), self.arena.and([not_a, b])];
                [self.arena.or([both, none]), self.arena.or([first, second])]
            }
            Expr::Linear(op, e) => self.linear(*op, of(self, *e)),
            Expr::LinearPair(op, a, b) => self.linear_pair(*op, of(self, *a), of(self, *b)),
            // No parser of these logics makes them.
            Expr::Var(_)
            | Expr::Modal(..)
            | Expr::Fix(..)
            | Expr::State(..)
            | Expr::Path(..)
            | Expr::ForValues(..)
            | Expr::Val(_)
            | Expr::Call(..) => {
                unreachable!("neither modalities nor fixpoints nor data are part of linear time")
            }
        }
    }

    fn linear(&mut self, op: LinearOp, [e, not_e]: [LtlId; 2]) -> [LtlId; 2] {
        let arena = &mut self.arena;
        match op {
            LinearOp::Next => [arena.next(e), arena.next(not_e)],
            LinearOp::Finally => [arena.finally(e), arena.globally(not_e)],
            LinearOp::Globally => [arena.globally(e), arena.finally(not_e)],
            LinearOp::Yesterday => [arena.yesterday(e), arena.weak_yesterday(not_e)],
            LinearOp::WeakYesterday => [arena.weak_yesterday(e), arena.yesterday(not_e)],
            LinearOp::Once => [arena.once(e), arena.historically(not_e)],
            LinearOp::Historically => [arena.historically(e), arena.once(not_e)],
        }
    }

    fn linear_pair(
        &mut self,
        op: LinearPairOp,
        [a, not_a]: [LtlId; 2],
        [b, not_b]: [LtlId; 2],
    ) -> [LtlId; 2] {
        let arena = &mut self.arena;
        match op {
            LinearPairOp::Until => [arena.until(a, b), arena.release(not_a, not_b)],
            LinearPairOp::Release => [arena.release(a, b), arena.until(not_a, not_b)],
            LinearPairOp::WeakUntil => {
                let neither = arena.and([not_a, not_b]);
                [arena.weak_until(a, b), arena.until(not_b, neither)]
            }
            LinearPairOp::Since => [arena.since(a, b), arena.triggered(not_a, not_b)],
            LinearPairOp::Triggered => [arena.triggered(a, b), arena.since(not_a, not_b)],
        }
    }

    /// The literals of an atom.
    fn literals(&mut self, meaning: &Meaning, origin: Origin) -> [LtlId; 2] {
        // Steps are never unknown.
        let is_known =
            self.valuations == Valuations::Complete || matches!(meaning, Meaning::Step(_));
        [true, false].map(|is_positive| {
            let literal = (!is_known).then_some(is_positive);
            let next = self.meanings.len() as u32;
            let atom = *self.atoms.entry((meaning.clone(), literal)).or_insert(next);
            if atom == next {
                self.meanings.push((meaning.clone(), literal, origin));
            }
            self.arena.literal(atom, is_positive || !is_known)
        })
    }

    /// A state formula or its negation.
    fn state(&mut self, id: ExprId, is_positive: bool) -> Result<NodeId, TranslationError> {
        let (expr, span) = &self.surface.exprs[id];
        let origin = Origin::Source { span: *span, negated: !is_positive };
        let joined = |this: &mut Self, parts: Vec<(ExprId, bool)>, is_and: bool| {
            let mut result = this.builder.constant(is_and, Origin::Structure);
            for (e, is_positive) in parts {
                let e = this.state(e, is_positive)?;
                result = match is_and {
                    true => this.builder.and(result, e, origin),
                    false => this.builder.or(result, e, origin),
                };
            }
            Ok(result)
        };
        let signed = |es: &[ExprId]| es.iter().map(|&e| (e, is_positive)).collect();
        match expr {
            Expr::Const(value) => Ok(self.builder.constant(*value == is_positive, origin)),
            Expr::Not(e) => self.state(*e, !is_positive),
            Expr::And(es) => joined(self, signed(es), is_positive),
            Expr::Or(es) => joined(self, signed(es), !is_positive),
            Expr::Implies(a, b) => {
                joined(self, vec![(*a, !is_positive), (*b, is_positive)], !is_positive)
            }
            Expr::Iff(a, b) => {
                let same = joined(self, vec![(*a, true), (*b, is_positive)], true)?;
                let none = joined(self, vec![(*a, false), (*b, !is_positive)], true)?;
                Ok(self.builder.or(same, none, origin))
            }
            Expr::Quantified(quantifier, e) => self.quantified(*quantifier, *e, is_positive),
            Expr::Prop(name) => {
                let prop = self.signature.props.get(name).expect("checked before");
                Ok(self.builder.lit(prop, is_positive, origin))
            }
            _ => unreachable!("a formula of one path was refused"),
        }
    }

    /// `A f` or `E f`, or its negation.
    fn quantified(
        &mut self,
        quantifier: Quantifier,
        of: ExprId,
        is_positive: bool,
    ) -> Result<NodeId, TranslationError> {
        let [path, negation] = self.paths[of];
        let (wanted, modality) = match (quantifier, is_positive) {
            (Quantifier::All, true) => (negation, Modality::Box),
            (Quantifier::All, false) => (negation, Modality::Dia),
            (Quantifier::Exists, true) => (path, Modality::Dia),
            (Quantifier::Exists, false) => (path, Modality::Box),
        };
        let mut conjuncts = vec![wanted];
        for (number, term) in (0..).zip(&self.fairness.terms) {
            let meaning = match term {
                FairTerm::State(prop, _) => Meaning::Prop(*prop),
                FairTerm::Step(actions) => Meaning::Step(actions.clone()),
            };
            let origin = Origin::Condition { number, negated: false };
            let met = self.literals(&meaning, origin)[0];
            let again = self.arena.finally(met);
            conjuncts.push(self.arena.globally(again));
        }
        for FairSteps { actions, is_strong } in &self.fairness.steps {
            let enabled = Meaning::Enabled(actions.clone());
            let [_, disabled] = self.literals(&enabled, Origin::Structure);
            let [taken, _] = self.literals(&Meaning::Step(actions.clone()), Origin::Structure);
            conjuncts.push(match is_strong {
                // G F taken | F G !enabled
                true => {
                    let (again, never) = (self.arena.finally(taken), self.arena.globally(disabled));
                    let (again, never) = (self.arena.globally(again), self.arena.finally(never));
                    self.arena.or([again, never])
                }
                // G F (taken | !enabled)
                false => {
                    let met = self.arena.or([taken, disabled]);
                    let again = self.arena.finally(met);
                    self.arena.globally(again)
                }
            });
        }
        let fair = self.arena.and(conjuncts);
        let atoms = self.meanings.len() as u32;
        let mut made = automaton_with_one_set(&mut self.arena, fair, atoms, &Monitor::new())?;
        // The language is closed under more of these literals being true, so none of them has to be false: literals
        // that are independent of their negations, and conditions of fairness on steps. A step can meet several of
        // those. That edges which want several are lost then (actions exclude each other) loses no word: it is
        // fair also if each condition counts in its turn only.
        let is_closed = |atom: &u32| match self.meanings[*atom as usize].0 {
            Meaning::Step(_) => self.signature.family == Family::Props,
            _ => self.valuations == Valuations::Partial,
        };
        let closed = (0..atoms).filter(is_closed).fold(0, |bits, atom| bits | 1u128 << atom);
        for edge in made.edges.iter_mut().flatten() {
            edge.label.negative &= !closed;
        }
        let span = self.surface.exprs[of].1;
        let negated = (modality == Modality::Box) != (quantifier == Quantifier::All);
        let origin = Origin::Source { span, negated };
        unfold(&made, modality, origin, self)
    }
}

impl LiteralMeanings for Translation<'_> {
    fn builder(&mut self) -> &mut FormulaBuilder {
        &mut self.builder
    }

    fn state(
        &mut self,
        atom: u32,
        is_positive: bool,
        is_negated: bool,
    ) -> Result<Option<NodeId>, TranslationError> {
        let (meaning, literal, origin) = self.meanings[atom as usize].clone();
        let is_positive = literal.unwrap_or(is_positive) != is_negated;
        match meaning {
            Meaning::Prop(prop) => {
                let origin = match origin {
                    Origin::Source { span, .. } => Origin::Source { span, negated: !is_positive },
                    Origin::Condition { number, .. } => {
                        Origin::Condition { number, negated: !is_positive }
                    }
                    other => other,
                };
                Ok(Some(self.builder.lit(prop, is_positive, origin)))
            }
            Meaning::Quantified(id) => Translation::state(self, id, is_positive).map(Some),
            Meaning::Step(_) => Ok(None),
            Meaning::Enabled(actions) => {
                let modality = if is_positive { Modality::Dia } else { Modality::Box };
                let there = self.builder.constant(is_positive, Origin::Structure);
                Ok(Some(self.builder.modal(modality, &actions, there, Origin::Structure)))
            }
        }
    }

    fn steps(&self, label: LiteralCube) -> ActionSet {
        let mut steps = ActionSet::any();
        for (atom, (meaning, ..)) in self.meanings.iter().enumerate() {
            let Meaning::Step(actions) = meaning else { continue };
            if label.positive >> atom & 1 == 1 {
                steps = steps.and(actions.clone());
            } else if label.negative >> atom & 1 == 1 {
                steps = steps.and(actions.clone().complement());
            }
        }
        steps
    }
}
