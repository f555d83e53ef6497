//! Formulas of the µ-calculus that are changed at random: what the auditor still accepts shows nothing wrong on any
//! model, by the reference semantics and the tableau of paths.

use crate::models::{compiled, names_of, random_ctl_star, surface};
use audit::{AfterDeadlock, Claim, FormulaContext, claimed_formula};
use logic::{
    ActionSet, ActionSetId, FairSteps, FairTerm, Fairness, Family, Formula, ListedFormula, Logic,
    Modality, Node, NodeId, PropId, Signature, Surface, VarId,
};
use model::{Kind, PartialModel};
use std::cell::Cell;
use support::{IdVec, Monitor};
use testkit::linear::{PathBinary, PathFormula, PathUnary, value};
use testkit::{ModelShape, Rng, for_seeds, model, reference};

/// The subformulas as a certificate lists them.
fn list(formula: &Formula) -> ListedFormula {
    let vars = formula.vars().map(|(_, var)| Some((var.kind, var.body)));
    ListedFormula {
        nodes: formula.nodes().map(|(_, node)| node).collect(),
        fixpoints: vars.collect(),
        actions: formula.action_sets().clone(),
    }
}

/// Changes one subformula.
fn change(rng: &mut Rng, list: &mut ListedFormula, family: Family) {
    let id = NodeId(rng.below(list.nodes.len()) as u32);
    let lower = |rng: &mut Rng| NodeId(rng.below((id.0 as usize).max(1)) as u32);
    let node = list.nodes[id];
    let changed = match (node, rng.below(6)) {
        (_, 0) => Node::Const(rng.chance(0.5)),
        (Node::Fix(_) | Node::Var(_), 1) => Node::Const(rng.chance(0.5)),
        (_, 1) if id.0 > 0 => list.nodes[lower(rng)],
        (Node::Lit(prop, sign), 2) => Node::Lit(PropId(1 - prop.0.min(1)), sign),
        (Node::Lit(prop, sign), _) => Node::Lit(prop, !sign),
        (Node::And(a, b), 2 | 3) => Node::Or(a, b),
        (Node::Or(a, b), 2 | 3) => Node::And(a, b),
        (Node::And(a, b), 4) => Node::And(b, a),
        (Node::Or(a, b), 4) => Node::Or(b, a),
        (Node::And(a, _), _) => Node::And(a, lower(rng)),
        (Node::Or(a, _), _) => Node::Or(a, lower(rng)),
        (Node::Modal(Modality::Box, set, body), 2) => Node::Modal(Modality::Dia, set, body),
        (Node::Modal(Modality::Dia, set, body), 2) => Node::Modal(Modality::Box, set, body),
        (Node::Modal(modality, set, _), 3) => Node::Modal(modality, set, lower(rng)),
        (Node::Modal(modality, _, body), _) => {
            if family == Family::Actions && rng.chance(0.5) {
                let names = *rng.pick(&["a", "b", "tau", "other"]);
                let set = ActionSet::one(names);
                list.actions.push(if rng.chance(0.5) { set } else { set.complement() });
            }
            Node::Modal(modality, ActionSetId(rng.below(list.actions.len()) as u32), body)
        }
        (Node::Fix(var), 2) => {
            if let Some((_, body)) = &mut list.fixpoints[var] {
                *body = lower(rng);
            }
            node
        }
        (Node::Fix(var) | Node::Var(var), _) => {
            if let Some((kind, _)) = &mut list.fixpoints[var] {
                *kind = kind.dual();
            }
            node
        }
        (node, _) => node,
    };
    list.nodes[id] = changed;
}

/// Leaves out what is not used, so that it is a formula again where it can be.
fn compact(list: &ListedFormula) -> Option<ListedFormula> {
    let mut is_used: IdVec<NodeId, bool> = list.nodes.iter().map(|_| false).collect();
    is_used[NodeId(list.nodes.len() as u32 - 1)] = true;
    for id in list.nodes.ids().rev() {
        if is_used[id] {
            let operands = match list.nodes[id] {
                Node::And(a, b) | Node::Or(a, b) => vec![a, b],
                Node::Modal(_, _, body) => vec![body],
                Node::Fix(var) => vec![list.fixpoints[var]?.1],
                _ => Vec::new(),
            };
            for operand in operands {
                if operand >= id {
                    return None;
                }
                is_used[operand] = true;
            }
        }
    }
    let mut result = ListedFormula { actions: list.actions.clone(), ..ListedFormula::default() };
    let mut vars: IdVec<VarId, Option<VarId>> = list.fixpoints.iter().map(|_| None).collect();
    for (_, node) in list.nodes.iter().filter(|(id, _)| is_used[*id]) {
        if let Node::Fix(var) = node {
            if vars[*var].is_some() {
                return None;
            }
            vars[*var] = Some(result.fixpoints.push(None));
        }
    }
    let mut numbers: IdVec<NodeId, NodeId> = IdVec::new();
    for (id, &node) in list.nodes.iter() {
        let next = NodeId(result.nodes.len() as u32);
        numbers.push(next);
        if !is_used[id] {
            continue;
        }
        let made = match node {
            Node::And(a, b) => Node::And(numbers[a], numbers[b]),
            Node::Or(a, b) => Node::Or(numbers[a], numbers[b]),
            Node::Modal(modality, set, body) => Node::Modal(modality, set, numbers[body]),
            Node::Fix(var) => {
                let (kind, body) = list.fixpoints[var]?;
                result.fixpoints[vars[var]?] = Some((kind, numbers[body]));
                Node::Fix(vars[var]?)
            }
            Node::Var(var) => Node::Var(vars[var]?),
            other => other,
        };
        result.nodes.push(made);
    }
    Some(result)
}

/// Deep nesting is refused or looked at, on the stack of a thread.
#[test]
fn nesting_is_bounded() {
    let mut rng = Rng::new(1);
    let mut shape = ModelShape::small(&mut rng, Kind::Kmts);
    shape.states = 2;
    let model = model(&mut rng, &shape);
    let again = PathFormula::Unary(PathUnary::F, Box::new(PathFormula::Atom(0)));
    let always = PathFormula::Unary(PathUnary::G, Box::new(again));
    let surface = surface(&always, &["p", "q"], Logic::CtlStar);
    for (depth, is_read) in [(1_990, true), (2_010, false), (100_000, false)] {
        let mut list = ListedFormula::default();
        let first = list.nodes.push(Node::Lit(PropId(0), true));
        let mut last = first;
        for _ in 0..depth {
            last = list.nodes.push(Node::Or(first, last));
        }
        let formula = list.formula(surface.logic, &surface.source(), u32::MAX).expect("a formula");
        let claim = Claim::new("it", &formula, AfterDeadlock::Ends, true);
        let context = FormulaContext {
            surface: &surface,
            signature: &Signature { family: Family::Props, props: model.props(), actions: &[] },
            fairness: &Fairness::default(),
            is_complete: false,
        };
        let refused = claimed_formula(&claim, &context, &Monitor::new()).expect_err("no proof");
        let is_none = refused.to_string().contains("its normal form is none");
        assert_eq!(is_none, !is_read, "{depth}: {refused}");
    }
}

#[derive(Default)]
struct Counts {
    forged: Cell<u32>,
    accepted: Cell<u32>,
    shown: Cell<u32>,
}

/// The truth of a formula in a model, found by other means.
type Truths<'a> = &'a dyn Fn(&PartialModel, u32) -> (bool, bool);

fn look(
    rng: &mut Rng,
    surface: &Surface,
    (right, fairness): (&Formula, &Fairness),
    models: &[PartialModel],
    expected: Truths,
    counts: &Counts,
) -> Result<(), String> {
    let first = &models[0];
    let mut actions: Vec<String> = first.actions().names().map(str::to_owned).collect();
    actions.sort();
    let family = first.kind.family();
    let context = FormulaContext {
        surface,
        signature: &Signature { family, props: first.props(), actions: &actions },
        fairness,
        is_complete: first.kind.is_complete(),
    };
    for _ in 0..8 {
        let mut list = list(right);
        for _ in 0..rng.between(1, 3) {
            change(rng, &mut list, family);
        }
        let Some(list) = compact(&list) else { continue };
        let Some(forged) = list.formula(surface.logic, &surface.source(), 1000) else { continue };
        let verdict = rng.chance(0.5);
        counts.forged.set(counts.forged.get() + 1);
        let claim = Claim::new("it", &forged, AfterDeadlock::Ends, verdict);
        let Ok(accepted) = claimed_formula(&claim, &context, &Monitor::new()) else { continue };
        counts.accepted.set(counts.accepted.get() + 1);
        for model in models {
            let values = reference::evaluate(model, &accepted);
            for state in 0..model.states() as u32 {
                let found = values.at(accepted.root(), state);
                let (is_true, is_false) = expected(model, state);
                let shown = if verdict { found.is_true } else { found.is_false };
                counts.shown.set(counts.shown.get() + u32::from(shown));
                if shown && !(if verdict { is_true } else { is_false }) {
                    return Err(format!(
                        "{verdict} of {state} is shown by {:?}\nof {model:?}",
                        accepted.nodes().collect::<Vec<_>>()
                    ));
                }
            }
        }
    }
    Ok(())
}

/// That the first atom, or the step with `a`, which is atom 2 where it is possible, is met as fairness says.
fn premises(fairness: &Fairness) -> Vec<PathFormula> {
    let unary = |op, a| PathFormula::Unary(op, Box::new(a));
    let again = |a| unary(PathUnary::G, unary(PathUnary::F, a));
    let implies = |a, b| PathFormula::Binary(PathBinary::Implies, Box::new(a), Box::new(b));
    let [met, enabled] = [PathFormula::Atom(0), PathFormula::Atom(2)];
    let terms = fairness.terms.iter().map(|_| again(met.clone()));
    let steps = fairness.steps.iter().map(|steps| match steps.is_strong {
        true => implies(again(enabled.clone()), again(met.clone())),
        false => again(implies(enabled.clone(), met.clone())),
    });
    terms.chain(steps).collect()
}

fn forged(name: &str, seeds: std::ops::Range<u64>) {
    let counts = Counts::default();
    for_seeds(name, seeds, |rng, case| {
        let kinds = [Kind::Kripke, Kind::Kmts, Kind::Kmts, Kind::MixTs, Kind::Lts, Kind::Mts];
        let kind = *rng.pick(&kinds);
        let models: Vec<PartialModel> = (0..6)
            .map(|_| {
                let mut shape = ModelShape::small(rng, kind);
                shape.states = shape.states.min(4);
                model(rng, &shape)
            })
            .collect();
        let names = names_of(&models[0]);
        let size = rng.between(1, 6);
        let mut fairness = Fairness::default();
        if rng.chance(0.3) {
            fairness.terms.push(match kind.family() {
                Family::Props => FairTerm::State(PropId(0), "p".to_owned()),
                Family::Actions => FairTerm::Step(ActionSet::one("a")),
            });
        }
        if kind.family() == Family::Actions && rng.chance(0.4) {
            let (actions, is_strong) = (ActionSet::one("a"), rng.chance(0.5));
            fairness.steps.push(FairSteps { actions, is_strong });
        }
        if kind.family() == Family::Props && rng.chance(0.3) {
            let surface = random_ctl_star(rng, size, names);
            case.note(&surface.text);
            let right = compiled(&surface, &models[0], &fairness);
            let expected = |model: &PartialModel, state| {
                let found = reference::evaluate(model, &right).at(right.root(), state);
                (found.is_true, found.is_false)
            };
            return look(rng, &surface, (&right, &fairness), &models, &expected, &counts);
        }
        let with_past = rng.chance(0.3);
        let formula = PathFormula::random(rng, size, 2, with_past);
        let surface = surface(&formula, names, *rng.pick(&[Logic::Ltl, Logic::CtlStar]));
        case.note(format!("{formula} {kind:?} {:?}", fairness.terms));
        let said = premises(&fairness).into_iter().fold(formula, |formula, premise| {
            PathFormula::Binary(PathBinary::Implies, Box::new(premise), Box::new(formula))
        });
        // `?a` is that a step with `a` is possible.
        let names = &[names, &["?a"]].concat()[..];
        let right = compiled(&surface, &models[0], &fairness);
        let expected = |model: &PartialModel, state| value(&said, model, state, names);
        look(rng, &surface, (&right, &fairness), &models, &expected, &counts)
    });
    let [forged, accepted, shown] =
        [&counts.forged, &counts.accepted, &counts.shown].map(Cell::get);
    println!("{forged} forged, {accepted} accepted, true or false in {shown} states");
    assert!(accepted > forged / 50 && shown > accepted, "{accepted} of {forged}, {shown}");
}

#[test]
fn what_is_accepted_of_changed_formulas_is_right() {
    forged("forged-formulas", 0..300);
}

#[test]
#[ignore = "minutes: 10,000 formulas"]
fn what_is_accepted_of_many_changed_formulas_is_right() {
    forged("many-forged-formulas", 1_000_000..1_010_000);
}
