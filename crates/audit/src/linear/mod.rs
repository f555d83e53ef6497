//! Claims about linear time, LTL and CTL\*. Their proofs are about a formula F of the µ-calculus that the certificate
//! brings, however it was found. That F is good enough for the formula φ of the file is checked here, from
//! the semantics of φ and without any translation of it to an automaton ([`claimed_formula`]).
//!
//! **The semantics.** A literal is a proposition, or `A f` or `E f` for a formula `f` of one path, or the negation of one
//! of these, or that a step that the file calls fair is possible, `<a> true`, or not, `[a] false`; conditions on the step
//! that is taken are literals that are never unknown. A path is fair if it meets all conditions of the file: infinitely
//! often what `FAIRNESS` says, and of each fair step `G F (taken | !possible)`, or `G F taken | F G !possible` where it is
//! strongly fair. On a path a literal is *possible* at a state if its negation is not true there, *certain* if it is true.
//! `A f` is true in a state if on no infinite may-path from it that is fair by possible literals `!f` holds, literals
//! being taken as possible. `E f` is true if the verifier can choose must transitions and hyper-transitions such that all
//! paths that come about are infinite, fair by certain literals, and satisfy `f` with certain literals (without
//! hyper-transitions: if there is such a must-path). `A f` is false if `E !f` is true and the other way round;
//! propositions and `& | !` are as in Kleene's logic. In all of this `f` is in negation normal form, and on a partial
//! model a literal and its negation count independently of each other.
//!
//! **What is checked.** If the verdict is true let G be F, otherwise the dual of F and φ negated: it has to follow that φ
//! is true where the verifier wins G. A subformula `n` of G *entails* a state formula if it does so
//!
//! - by its form: it is the same literal, or it entails one (all) of the disjuncts (conjuncts); a disjunction entails
//!   what both of its operands entail, a conjunction what one of them does;
//! - as `A f`, or `!E !f`: `n` is read as an automaton with boxes that accepts all words with which `!f` and all fairness
//!   conditions hold;
//! - as `E f`, or `!A !f`: `n` is read as an automaton with diamonds, and all words that it accepts satisfy `f` and all
//!   fairness conditions.
//!
//! The letter of a word at a state says which literals are possible (for boxes) or certain (for diamonds), and by what
//! step the state is left. Let the *bound* of a subformula be the letters under which it may be won: of a literal those
//! that allow it, of `&` and `|` intersection and union; and what entails a literal that stands in `f` is won under no
//! letter that excludes it. A literal `A g` where no word satisfies `!g`, or `!E g` where none satisfies `g`, is true in
//! every state, so that no state has a letter that excludes it. A state of the automaton is a subformula behind a modality, or `n`. With boxes a run chooses
//! an operand of `&`, goes on in the second operand of `|` under letters outside the bound of the first, and accepts
//! whatever follows outside the bound of what it has come to. With diamonds it chooses an operand of `|`, goes on in the
//! second operand of `&` under letters in the bounds of both; it may come to nothing but modalities of its kind and
//! what has an empty bound. In a component of the automaton edges accept if they pass the highest priority of it, which
//! is odd for boxes and even for diamonds; components with more alternation are refused.
//!
//! **Theorem.** If G entails φ and the verifier wins G in a state, φ is true there.
//!
//! *Proof.* By induction on the nesting of `A` and `E` in φ. Forms are as in Kleene's logic. *Boxes:* suppose a may-path
//! on which the word w of possible literals satisfies `!f` and all fairness conditions. The automaton has an accepting
//! run on w. The verifier has a strategy that moves from won positions to won ones. Let the opponent follow the run and
//! the path. At `n1 | n2` the letter is outside the bound of `n1`, so that `n1` is not won here: a literal would be true
//! whose negation is possible. The strategy moves to `n2`. If the run comes to a subformula outside its bound, this is
//! not won either, a contradiction. Otherwise the play follows the run for ever, and its highest priority that comes
//! again and again is odd: the verifier loses, a contradiction. *Diamonds:* let the verifier follow her strategy, the
//! opponent choose the second operand of every `&`, and the targets of hyper-transitions as he likes. All that is come to
//! is won, and so are both operands of `&`, so that the letter of certain literals is within their bounds. The play does
//! not end, because it meets no constants, no literals and no boxes under letters within the bounds. It is won, so its
//! highest priority that comes again and again is even, and it is an accepting run on the word of its path. So the path
//! satisfies `f` and is fair. ∎
//!
//! The two questions about words are decided by fixpoints over BDDs, from a tableau in which each word has exactly one
//! fair run (`tableau.rs`), and an automaton whose bisimilar states are one, since formulas repeat them (`reading.rs`).
//! That an automaton accepts all words of a formula is shown by simulation (`words.rs`), which suffices: the chosen edges
//! are an accepting run. If the bits of the formula do not tell enough of what comes, more are added; where the automaton
//! has no choice, they would not help. Not every automaton that accepts them all can be shown to in this way; then the
//! certificate is refused.

mod letters;
mod reading;
mod tableau;
mod words;

use crate::error::{AuditError, ensure};
use crate::format::{Claim, listed};
use bdd::{Bdd, Manager, Policy};
use letters::{Atom, Letters};
use logic::{
    ActionSetId, Expr, ExprId, Fairness, Formula, Modality, Node, NodeId, Quantifier, Signature,
    Surface,
};
use reading::WordAutomaton;
use rustc_hash::{FxHashMap, FxHashSet};
use support::{IdVec, Monitor, StopReason, Stopped};
use tableau::{Condition, Tableau};
use words::{accepts_all, all_satisfy};

/// Operators of a formula that a certificate brings are nested at most so deep.
pub(crate) const MOST_NESTED: u32 = 2_000;

/// A look at words takes so many nodes and steps of BDDs at most.
const MOST_NODES: usize = 1 << 22;
const MOST_STEPS: u64 = 10_000_000;

/// After ten looks of that size the later ones are smaller, so that all of them together are bounded.
const FULL_LOOKS: u64 = 10;

/// A formula of the file, and what its names mean.
#[derive(Clone, Copy)]
pub struct FormulaContext<'a> {
    pub surface: &'a Surface,
    pub signature: &'a Signature<'a>,
    pub fairness: &'a Fairness,
    /// Whether nothing is unknown in the system.
    pub is_complete: bool,
}

/// The formula that the proof of a claim is about: that of the file in normal form or, for a formula of linear time, the
/// one that the certificate brings, which is checked against it.
pub fn claimed_formula(
    claim: &Claim,
    context: &FormulaContext,
    monitor: &Monitor,
) -> Result<Formula, AuditError> {
    let FormulaContext { surface, signature, fairness, .. } = *context;
    // A formula of CTL about paths on which steps are fair is checked as one of CTL*.
    if surface.logic.has_path_quantifiers() && !fairness.steps.is_empty() {
        let surface = &surface.with_path_formulas();
        return claimed_formula(claim, &FormulaContext { surface, ..*context }, monitor);
    }
    let does_not_fit = |errors: Vec<support::Diagnostic>| {
        let first = errors.first().map_or("", |diagnostic| &diagnostic.message);
        AuditError::invalid(format_args!("its formula does not fit this system: {first}"))
    };
    if !surface.logic.has_linear_operators() {
        return logic::compile_fair(surface, signature, fairness, &mut Vec::new())
            .map_err(does_not_fit);
    }
    let errors = logic::check_names(surface, signature, &mut Vec::new());
    if !errors.is_empty() {
        return Err(does_not_fit(errors));
    }
    let formula = listed(&claim.normal_form)
        .and_then(|list| list.formula(surface.logic, &surface.source(), MOST_NESTED))
        .ok_or_else(|| AuditError::invalid("its normal form is none"))?;
    let has_props = formula.nodes().all(|(_, node)| match node {
        Node::Lit(prop, _) => (prop.0 as usize) < signature.props.len(),
        _ => true,
    });
    ensure(has_props, "its normal form has a proposition that the system has not")?;
    monitor.phase("auditing the formula", 0);
    let own = if claim.verdict { formula.clone() } else { formula.dual() };
    let mut entailment = Entailment {
        context,
        formula: &own,
        monitor,
        known: FxHashMap::default(),
        valid: FxHashMap::default(),
        refusal: None,
        looks: 0,
    };
    let root = Goal { expr: surface.root, is_positive: claim.verdict };
    let is_right = match surface.logic.quantifies_over_path_formulas() {
        true => entailment.entails(own.root(), root)?,
        // All paths.
        false => entailment.on_paths(own.root(), root, Quantifier::All, surface.root)?,
    };
    let why = entailment.refusal.map(|refusal| format!(": {refusal}")).unwrap_or_default();
    ensure(is_right, format_args!("it does not follow from its normal form{why}"))?;
    Ok(formula)
}

/// A state formula or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Goal {
    expr: ExprId,
    is_positive: bool,
}

struct Entailment<'a> {
    context: &'a FormulaContext<'a>,
    formula: &'a Formula,
    monitor: &'a Monitor,
    known: FxHashMap<(NodeId, Goal), bool>,
    /// Whether `A f` or `!E f` is true in every state.
    valid: FxHashMap<ExprId, bool>,
    /// The first reason why a subformula could not be read.
    refusal: Option<String>,
    /// How many questions about words were asked.
    looks: u64,
}

impl Entailment<'_> {
    fn entails(&mut self, node: NodeId, goal: Goal) -> Result<bool, AuditError> {
        if let Some(&known) = self.known.get(&(node, goal)) {
            return Ok(known);
        }
        self.monitor.step(1)?;
        let entails = self.by_goal(node, goal)? || self.by_operands(node, goal)?;
        self.known.insert((node, goal), entails);
        Ok(entails)
    }

    fn by_goal(&mut self, node: NodeId, goal: Goal) -> Result<bool, AuditError> {
        let Goal { expr, is_positive } = goal;
        let goal = |&expr: &ExprId, is_positive| Goal { expr, is_positive };
        let (is_and, parts): (bool, Vec<Goal>) = match &self.context.surface.exprs[expr].0 {
            Expr::Const(value) => return Ok(*value == is_positive),
            Expr::Prop(name) => {
                let prop = self.context.signature.props.get(name);
                return Ok(
                    prop.is_some_and(|p| self.formula.node(node) == Node::Lit(p, is_positive))
                );
            }
            Expr::Quantified(quantifier, path) => {
                return self.on_paths(node, goal(&expr, is_positive), *quantifier, *path);
            }
            Expr::Not(e) => (true, vec![goal(e, !is_positive)]),
            Expr::And(es) => (is_positive, es.iter().map(|e| goal(e, is_positive)).collect()),
            Expr::Or(es) => (!is_positive, es.iter().map(|e| goal(e, is_positive)).collect()),
            Expr::Implies(a, b) => {
                (!is_positive, vec![goal(a, !is_positive), goal(b, is_positive)])
            }
            Expr::Iff(a, b) => {
                for side in [true, false] {
                    let [a, b] = [goal(a, side), goal(b, side == is_positive)];
                    if self.entails(node, a)? && self.entails(node, b)? {
                        return Ok(true);
                    }
                }
                return Ok(false);
            }
            _ => return Err(AuditError::invalid("its formula is not one of states")),
        };
        for part in parts {
            if self.entails(node, part)? != is_and {
                return Ok(!is_and);
            }
        }
        Ok(is_and)
    }

    fn by_operands(&mut self, node: NodeId, goal: Goal) -> Result<bool, AuditError> {
        match self.formula.node(node) {
            Node::Const(value) => Ok(!value),
            Node::Or(a, b) => Ok(self.entails(a, goal)? && self.entails(b, goal)?),
            Node::And(a, b) => Ok(self.entails(a, goal)? || self.entails(b, goal)?),
            _ => Ok(false),
        }
    }

    /// Whether a subformula entails that all, or some, paths satisfy a formula, or the negation of that.
    fn on_paths(
        &mut self,
        node: NodeId,
        goal: Goal,
        quantifier: Quantifier,
        path: ExprId,
    ) -> Result<bool, AuditError> {
        // Of all paths it is shown that none of them satisfies the negation.
        let wanted = (path, quantifier == Quantifier::Exists);
        let is_all = (quantifier == Quantifier::All) == goal.is_positive;
        let modality = if is_all { Modality::Box } else { Modality::Dia };
        match self.is_good(node, modality, wanted) {
            Err(AuditError::Invalid(refusal)) => {
                self.refusal.get_or_insert(refusal);
                Ok(false)
            }
            Err(AuditError::Stopped(Stopped(StopReason::Nodes))) => {
                self.refusal.get_or_insert_with(|| "the search is too large".to_owned());
                Ok(false)
            }
            decided => decided,
        }
    }

    fn is_good(
        &mut self,
        node: NodeId,
        modality: Modality,
        wanted: (ExprId, bool),
    ) -> Result<bool, AuditError> {
        let conditions = conditions(self.context.fairness);
        if modality == Modality::Box {
            let (automaton, mut tableau) = self.read(node, modality, wanted.0)?;
            let has_choice = automaton.has_choice(&mut tableau.letters.manager)?;
            let accepts = accepts_all(&automaton, tableau, wanted, &conditions)?;
            if accepts || !has_choice {
                return Ok(accepts);
            }
            // The automata of a translation accept nothing else: it is worth while to look closer.
            let (automaton, tableau) = self.read(node, modality, wanted.0)?;
            if !all_satisfy(&automaton, tableau, Ok(wanted))? {
                return Ok(false);
            }
            for (steps, limits) in [(3, false), (0, true), (3, true)] {
                let (automaton, mut tableau) = self.read(node, modality, wanted.0)?;
                tableau.value(wanted.0, wanted.1)?;
                tableau.foresee(steps, limits)?;
                match accepts_all(&automaton, tableau, wanted, &conditions) {
                    Err(AuditError::Stopped(Stopped(StopReason::Nodes))) => {}
                    Ok(false) => {}
                    shown => return shown,
                }
            }
            return Ok(false);
        }
        for wanted_part in std::iter::once(Ok(wanted)).chain(conditions.into_iter().map(Err)) {
            let (automaton, tableau) = self.read(node, modality, wanted.0)?;
            if !all_satisfy(&automaton, tableau, wanted_part)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether `A f` is true in every state because no word satisfies `!f`, or `!E f` because none satisfies `f`.
    fn is_valid(&mut self, Goal { expr, is_positive }: Goal) -> Result<bool, AuditError> {
        let Expr::Quantified(quantifier, path) = self.context.surface.exprs[expr].0 else {
            return Ok(false);
        };
        if (quantifier == Quantifier::All) != is_positive {
            return Ok(false);
        }
        if let Some(&known) = self.valid.get(&expr) {
            return Ok(known);
        }
        let mut letters = self.letters()?;
        let atoms = quantified_in(self.context.surface, path);
        let possible = self.possible(&atoms, Modality::Box, &mut letters)?;
        let wanted = (path, quantifier == Quantifier::Exists);
        let tableau = Tableau::new(self.context, letters, possible);
        let conditions = conditions(self.context.fairness);
        let is_valid = accepts_all(&WordAutomaton::empty(), tableau, wanted, &conditions)?;
        self.valid.insert(expr, is_valid);
        Ok(is_valid)
    }

    /// New letters, for one look at words.
    fn letters(&mut self) -> Result<Letters, AuditError> {
        self.looks += 1;
        let steps = MOST_STEPS * FULL_LOOKS / self.looks.max(FULL_LOOKS);
        let policy = Policy::within(self.monitor);
        let policy = Policy { most_nodes: policy.most_nodes.min(MOST_NODES), ..policy };
        let mut manager = Manager::new(self.monitor, policy);
        manager.allow(policy.most_nodes, steps);
        Letters::new(self.context, self.formula, manager)
    }

    /// A subformula as an automaton of words, and the tableau in which they are asked about the path formula.
    fn read(
        &mut self,
        node: NodeId,
        modality: Modality,
        path: ExprId,
    ) -> Result<(WordAutomaton, Tableau<'_>), AuditError> {
        let mut letters = self.letters()?;
        let atoms = quantified_in(self.context.surface, path);
        let possible = self.possible(&atoms, modality, &mut letters)?;
        let bounds = self.bounds(node, modality, &atoms, &mut letters)?;
        let automaton = WordAutomaton::read(self.formula, node, modality, &bounds, &mut letters)?;
        Ok((automaton, Tableau::new(self.context, letters, possible)))
    }

    /// The letters that states may have: what is true of all of them excludes some.
    fn possible(
        &mut self,
        atoms: &[ExprId],
        modality: Modality,
        letters: &mut Letters,
    ) -> Result<Bdd, AuditError> {
        let mut possible = letters.manager.constant(true);
        for &expr in atoms {
            for is_positive in [true, false] {
                if self.is_valid(Goal { expr, is_positive })? {
                    let won = letters.won(modality, Atom::Quantified(expr), is_positive)?;
                    possible = letters.manager.and(&possible, &won)?;
                }
            }
        }
        Ok(possible)
    }

    /// The literal that a step is possible, or not, if the subformula is one and fairness is about these steps.
    fn enabled(
        &self,
        modality: Modality,
        actions: ActionSetId,
        body: NodeId,
    ) -> Option<(Atom, bool)> {
        let is_positive = modality == Modality::Dia;
        let is_literal = self.formula.node(body) == Node::Const(is_positive);
        let atom = Atom::enabled(self.context, self.formula.actions(actions));
        atom.filter(|_| is_literal).map(|atom| (atom, is_positive))
    }

    /// By subformula, the letters under which it may be won. Literals of the path formula are looked for where the
    /// automaton has its conditions.
    fn bounds(
        &mut self,
        node: NodeId,
        modality: Modality,
        atoms: &[ExprId],
        letters: &mut Letters,
    ) -> Result<IdVec<NodeId, Bdd>, AuditError> {
        let formula = self.formula;
        let guards =
            if atoms.is_empty() { FxHashSet::default() } else { guards(formula, node, modality) };
        let mut bounds: IdVec<NodeId, Bdd> = IdVec::new();
        for (id, node) in formula.nodes() {
            let mut bound = match node {
                Node::Const(value) => letters.manager.constant(value),
                Node::Lit(prop, is_positive) => {
                    letters.won(modality, Atom::Prop(prop), is_positive)?
                }
                Node::And(a, b) => letters.manager.and(&bounds[a], &bounds[b])?,
                Node::Or(a, b) => letters.manager.or(&bounds[a], &bounds[b])?,
                Node::Modal(own, actions, body) => match self.enabled(own, actions, body) {
                    Some((atom, is_positive)) => letters.won(modality, atom, is_positive)?,
                    None => letters.manager.constant(true),
                },
                Node::Fix(_) | Node::Var(_) => letters.manager.constant(true),
            };
            for &expr in atoms.iter().filter(|_| guards.contains(&id)) {
                for is_positive in [true, false] {
                    if self.entails(id, Goal { expr, is_positive })? {
                        let won = letters.won(modality, Atom::Quantified(expr), is_positive)?;
                        bound = letters.manager.and(&bound, &won)?;
                    }
                }
            }
            bounds.push(bound);
        }
        Ok(bounds)
    }
}

/// The conditions that fair paths meet.
fn conditions(fairness: &Fairness) -> Vec<Condition<'_>> {
    let steps = fairness.steps.iter().map(Condition::Steps);
    fairness.terms.iter().map(Condition::Term).chain(steps).collect()
}

/// The first operands of the operators whose second ones the automaton goes on in, and their operands.
fn guards(formula: &Formula, node: NodeId, modality: Modality) -> FxHashSet<NodeId> {
    let (mut met, mut guards) = (FxHashSet::default(), FxHashSet::default());
    let (mut open, mut open_guards) = (vec![node], Vec::new());
    while let Some(id) = open.pop() {
        if met.insert(id) {
            match (formula.node(id), modality) {
                (Node::Or(a, b), Modality::Box) | (Node::And(a, b), Modality::Dia) => {
                    open_guards.push(a);
                    open.push(b);
                }
                _ => open.extend(formula.successors(id)),
            }
        }
    }
    while let Some(id) = open_guards.pop() {
        if guards.insert(id)
            && let Node::And(a, b) | Node::Or(a, b) = formula.node(id)
        {
            open_guards.extend([a, b]);
        }
    }
    guards
}

/// The formulas `A f` and `E f` that a path formula is made of.
fn quantified_in(surface: &Surface, path: ExprId) -> Vec<ExprId> {
    let mut found = Vec::new();
    let mut open = vec![path];
    while let Some(id) = open.pop() {
        match &surface.exprs[id].0 {
            Expr::Quantified(..) => found.push(id),
            expr => expr.operands(|operand| open.push(operand)),
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
