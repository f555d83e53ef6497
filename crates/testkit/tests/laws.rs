//! Laws of the 3-valued semantics: equivalences in tables, dualities, and what refinement keeps.

mod oracles;

use logic::{Formula, Logic, NodeId, Truth};
use model::{Kind, PartialModel, mixed_simulation};
use oracles::{compiled, parse};
use testkit::reference::{Value, Values, evaluate};
use testkit::{
    Case, FormulaShape, ModelShape, Rng, abstraction, compile_for, for_seeds, formula, formula_for,
    model, model_text, refinement,
};

const PROPS: [Kind; 4] = [Kind::Kripke, Kind::Kmts, Kind::MixTs, Kind::Gkmts];
const ACTIONS: [Kind; 2] = [Kind::Lts, Kind::Mts];

/// Equivalent in every partial model, contradictory ones included.
const OF_PROPS: [(Logic, &str, &str); 26] = [
    (Logic::Mu, "!(p & q)", "!p | !q"),
    (Logic::Mu, "p -> q", "!p | q"),
    (Logic::Mu, "p <-> q", "(p & q) | (!p & !q)"),
    (Logic::Mu, "!(p <-> q)", "(p & !q) | (!p & q)"),
    (Logic::Mu, "p & (q | !p)", "(p & q) | (p & !p)"),
    (Logic::Mu, "!<> p", "[] !p"),
    (Logic::Mu, "![] p", "<> !p"),
    (Logic::Mu, "[] true", "true"),
    (Logic::Mu, "<> false", "false"),
    (Logic::Mu, "!mu Z. (p | <> Z)", "nu Z. (!p & [] Z)"),
    (Logic::Mu, "!nu X. mu Y. (p & <> X | [] Y)", "mu X. nu Y. ((!p | [] X) & <> Y)"),
    (Logic::Mu, "mu Z. (p | <> Z)", "p | <> mu Z. (p | <> Z)"),
    (Logic::Mu, "nu X. mu Y. <> (p & X | Y)", "mu Y. <> (p & (nu X. mu Y. <> (p & X | Y)) | Y)"),
    (Logic::Mu, "mu X. mu Y. (p | <> X | [] Y)", "mu X. (p | <> X | [] X)"),
    (Logic::Mu, "mu X. X | p", "p"),
    (Logic::Mu, "nu X. X & p", "p"),
    (Logic::Mu, "mu X. nu Y. X", "false"),
    (Logic::Mu, "nu X. mu X. <> X", "mu Z. <> Z"),
    (Logic::Ctl, "AG p", "!EF !p"),
    (Logic::Ctl, "AF p", "!EG !p"),
    (Logic::Ctl, "AX p", "!EX !p"),
    (Logic::Ctl, "A[p U q]", "!E[!p R !q]"),
    (Logic::Ctl, "E[p U q]", "!A[!p R !q]"),
    (Logic::Ctl, "A[p W q]", "A[q R (p | q)]"),
    (Logic::Ctl, "E[p W q]", "E[q R (p | q)]"),
    (Logic::Ctl, "EF p", "E[true U p]"),
];

const OF_ACTIONS: [(&str, &str); 14] = [
    ("[a.b] <a> true", "[a][b]<a>true"),
    ("<a + b> <b> true", "<a><b>true || <b><b>true"),
    ("[a + b.a] [b] false", "[a][b]false && [b][a][b]false"),
    ("[a*] <b> true", "<b>true && [a][a*]<b>true"),
    ("<a*> <b> true", "mu X. <b>true || <a>X"),
    ("[a+] <b> true", "[a][a*]<b>true"),
    ("<(a.b)+> <b> true", "<a.b.(a.b)*><b>true"),
    ("[(a*)*] <b> true", "[a*]<b>true"),
    ("[a || b] <b> true", "[a]<b>true && [b]<b>true"),
    ("<!a> true", "<b || tau> true"),
    ("[true] false", "[a]false && [b]false && [tau]false"),
    ("!<true*.a> [b] false", "[true*.a] <b> true"),
    ("![true*] <a> true", "<true*> [a] false"),
    ("(<a> true) => [b] false", "!(<a>true) || [b]false"),
];

fn values(model: &PartialModel, formula: &Formula, root: NodeId) -> Vec<Value> {
    let values = evaluate(model, formula);
    (0..model.states() as u32).map(|state| values.at(root, state)).collect()
}

fn check_law(model: &PartialModel, logic: Logic, left: &str, right: &str) -> Result<(), String> {
    let [l, r] = [left, right].map(|text| {
        let formula = compiled(model, logic, text);
        values(model, &formula, formula.root())
    });
    if l == r { Ok(()) } else { Err(format!("{left} is {l:?}, {right} is {r:?}")) }
}

fn small_model(rng: &mut Rng, case: &mut Case, kinds: &[Kind]) -> PartialModel {
    let kind = *rng.pick(kinds);
    let shape = ModelShape::small(rng, kind);
    let model = model(rng, &shape);
    case.note(model_text(&model));
    model
}

#[test]
fn equivalences() {
    for_seeds("laws-of-props", 0..400, |rng, case| {
        let model = small_model(rng, case, &PROPS);
        OF_PROPS.iter().try_for_each(|&(logic, left, right)| check_law(&model, logic, left, right))
    });
    for_seeds("laws-of-actions", 0..400, |rng, case| {
        let model = small_model(rng, case, &ACTIONS);
        OF_ACTIONS.iter().try_for_each(|&(left, right)| check_law(&model, Logic::Mcf, left, right))
    });
}

/// Classical laws that are not laws here: were they to hold, unknown would have been lost.
#[test]
fn what_is_no_law() {
    for (left, right) in [("p | !p", "true"), ("[] p & <> true", "<> p & [] p"), ("<> p", "p")] {
        let broken = (0..200).any(|seed| {
            let model = small_model(&mut Rng::new(seed), &mut Case::default(), &[Kind::Kmts]);
            check_law(&model, Logic::Mu, left, right).is_err()
        });
        assert!(broken, "{left} and {right} agreed on every model");
    }
}

/// ⟦!φ⟧ exchanges true and false, in every state, for every φ. Where a part of φ is both true and
/// false this need not be so: `!(f <-> g)` becomes `(f & !g) | (!f & g)`, which is the same only among
/// Kleene's three values.
#[test]
fn negation_is_dual() {
    for_seeds("laws-of-negation", 0..3000, |rng, case| {
        let model = small_model(rng, case, &Kind::ALL);
        let (logic, sign) = match model.props().is_empty() {
            false => *rng.pick(&[(Logic::Mu, "!"), (Logic::Ctl, "not ")]),
            true => *rng.pick(&[(Logic::Mu, "!"), (Logic::Mcf, "!")]),
        };
        let surface = formula(rng, &FormulaShape::over(&model, logic, 14));
        let negated = parse(logic, &format!("{sign}({})", surface.source()));
        case.note(format!("property failing: {} {};", logic.name(), surface.source()));
        let [plain, negated] = [surface, negated].map(|surface| compile_for(&surface, &model));
        let swapped: Vec<Value> = values(&model, &negated, negated.root())
            .iter()
            .map(|value| Value { is_true: value.is_false, is_false: value.is_true })
            .collect();
        if evaluate(&model, &plain).contradiction().is_some() {
            return Ok(());
        }
        let plain = values(&model, &plain, plain.root());
        if plain == swapped { Ok(()) } else { Err(format!("{plain:?} negated is not {swapped:?}")) }
    });
}

/// A definite value of the abstract state, and whether the concrete state has it too.
fn kept(values: (&Values, &Values), node: NodeId, (s, t): (u32, u32)) -> Result<(), String> {
    let (concrete, abstracted) = (values.0.at(node, s), values.1.at(node, t));
    let lost =
        (abstracted.is_true && !concrete.is_true) || (abstracted.is_false && !concrete.is_false);
    if !lost {
        return Ok(());
    }
    Err(format!(
        "{node:?} is {abstracted:?} in the abstract s{t}, {concrete:?} in the concrete s{s}"
    ))
}

fn check_preservation(
    rng: &mut Rng,
    case: &mut Case,
    (concrete, abstracted): (&PartialModel, &PartialModel),
    pairs: &[(u32, u32)],
) -> Result<(), String> {
    case.note(model_text(concrete));
    case.note(model_text(abstracted));
    let formula = formula_for(rng, abstracted, 12);
    case.note_property(&formula);
    let values = (&evaluate(concrete, &formula), &evaluate(abstracted, &formula));
    for (node, _) in formula.nodes() {
        pairs.iter().try_for_each(|&pair| kept(values, node, pair))?;
    }
    Ok(())
}

/// C Thm 2.3, X Thm 1: whatever splits states, settles labels and decides transitions keeps every
/// definite value of every subformula.
#[test]
fn c_thm_2_3_a_refinement_keeps_definite_values() {
    for_seeds("thm-2-3-refinement", 0..3000, |rng, case| {
        let kind = *rng.pick(&Kind::ALL);
        let shape = ModelShape::small(rng, kind);
        let abstracted = model(rng, &shape);
        let complete = rng.chance(0.5);
        let refined = refinement(rng, &abstracted, complete);
        let pairs: Vec<(u32, u32)> = (0..).zip(refined.stands_for.iter().copied()).collect();
        check_preservation(rng, case, (&refined.model, &abstracted), &pairs)
    });
}

#[test]
fn c_thm_2_3_an_abstraction_by_sets_of_states_is_right_where_it_is_definite() {
    for_seeds("thm-2-3-abstraction", 0..3000, |rng, case| {
        let (from, to): (&[Kind], &[Kind]) = match rng.chance(0.6) {
            true => (&[Kind::Kripke, Kind::Kmts], &[Kind::Kmts, Kind::MixTs, Kind::Gkmts]),
            false => (&ACTIONS, &[Kind::Mts]),
        };
        let (from, to) = (*rng.pick(from), *rng.pick(to));
        let shape = ModelShape::small(rng, from);
        let concrete = model(rng, &shape);
        let weaken = rng.chance(0.5);
        let abstracted = abstraction(rng, &concrete, to, weaken);
        let members = (0..).zip(&abstracted.members);
        let pairs: Vec<(u32, u32)> =
            members.flat_map(|(t, own)| own.iter().map(move |&s| (s, t))).collect();
        check_preservation(rng, case, (&concrete, &abstracted.model), &pairs)
    });
}

/// C Thm 2.3 for the greatest mixed simulation between models that have nothing to do with each other.
#[test]
fn c_thm_2_3_the_greatest_mixed_simulation_keeps_definite_values() {
    for_seeds("thm-2-3-greatest", 0..3000, |rng, case| {
        let kinds: &[Kind] = if rng.chance(0.6) { &PROPS } else { &ACTIONS };
        let [concrete, abstracted] = [(); 2].map(|()| {
            let kind = *rng.pick(kinds);
            let mut shape = ModelShape::small(rng, kind);
            shape.unknown_label = 0.7;
            model(rng, &shape)
        });
        let relation = mixed_simulation(&concrete, &abstracted, &support::Monitor::new())
            .map_err(|error| error.to_string())?;
        let states = |model: &PartialModel| 0..model.states() as u32;
        let all = states(&concrete).flat_map(|s| states(&abstracted).map(move |t| (s, t)));
        let pairs: Vec<(u32, u32)> = all.filter(|&(s, t)| relation.contains(s, t)).collect();
        check_preservation(rng, case, (&concrete, &abstracted), &pairs)
    });
}

/// For a Kripke structure and an LTS the 3-valued semantics is the concrete one (C §2).
#[test]
fn complete_models_leave_nothing_unknown() {
    for_seeds("complete-is-definite", 0..1000, |rng, case| {
        let model = small_model(rng, case, &[Kind::Kripke, Kind::Lts]);
        let formula = formula_for(rng, &model, 12);
        let values = evaluate(&model, &formula);
        for (node, _) in formula.nodes() {
            for state in 0..model.states() as u32 {
                if !values.truth(node, state).is_some_and(Truth::is_definite) {
                    return Err(format!("{node:?} in s{state}: {:?}", values.at(node, state)));
                }
            }
        }
        Ok(())
    });
}
