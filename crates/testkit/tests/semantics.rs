//! The reference semantics against examples worked out by hand, and against the definition itself:
//! fixpoints found by trying every function.

mod oracles;

use logic::{Fix, Formula, Logic, Modality, Node, NodeId, Truth, VarId};
use model::{Kind, Mode, ModelBuilder, PartialModel};
use oracles::compiled;
use std::collections::HashMap;
use testkit::reference::{Value, evaluate};
use testkit::{ModelShape, for_seeds, formula_for, model, model_text, pair};

/// The KMTS of C Fig. 2(a), reconstructed from Examples 2.5 and 2.8: p holds in s0 and q is unknown
/// there, it may move to s1, where neither holds and which must stay.
fn figure_2() -> PartialModel {
    let mut builder = ModelBuilder::new(Kind::Kmts, "M");
    let (p, q) = (builder.prop("p"), builder.prop("q"));
    let (s0, s1) = (builder.state("s0"), builder.state("s1"));
    builder.init(s0);
    builder.label(s0, p, Truth::True);
    builder.label(s1, p, Truth::False);
    builder.label(s1, q, Truth::False);
    builder.edge(s0, None, Mode::MAY, s1);
    builder.edge(s1, None, Mode::BOTH, s1);
    builder.finish()
}

fn row(model: &PartialModel, logic: Logic, text: &str) -> Vec<Option<Truth>> {
    let formula = compiled(model, logic, text);
    let values = evaluate(model, &formula);
    (0..model.states() as u32).map(|s| values.truth(formula.root(), s)).collect()
}

const T: Option<Truth> = Some(Truth::True);
const F: Option<Truth> = Some(Truth::False);
const U: Option<Truth> = Some(Truth::Unknown);

#[test]
fn c_examples_2_5_and_2_8() {
    let model = figure_2();
    let formula = compiled(&model, Logic::Mu, "mu Z. (q | (p & [] Z))");
    let values = evaluate(&model, &formula);
    let mut shown = HashMap::new();
    for (id, _) in formula.nodes() {
        shown.insert(formula.show(id), [0, 1].map(|s| values.truth(id, s)));
    }
    assert_eq!(shown["mu Z. (q | (p & [] Z))"], [U, F], "the initial node n0 is ?");
    assert_eq!(shown["q"], [U, F], "n3 is ?");
    assert_eq!(shown["p"], [T, F]);
    assert_eq!(shown["Z"], [U, F]);
    // s0 may move to s1, where Z is false, but need not.
    assert_eq!(shown["[] Z"], [U, F]);
    assert_eq!(shown["p & [] Z"], [U, F]);
    assert_eq!(row(&model, Logic::Ctl, "A[p U q]"), [U, F], "the same in CTL");
}

#[test]
fn modalities_by_hand() {
    let model = figure_2();
    let cases = [
        ("[] p", [U, F]),
        ("<> p", [F, F]),
        ("<> !p", [U, T]),
        ("[] !p", [T, T]),
        ("[] q", [U, F]),
        ("nu Z. [] Z", [T, T]),
        ("mu Z. [] Z", [U, F]),
        ("nu Z. <> Z", [U, T]),
        ("mu Z. <> Z", [F, F]),
        ("q | !q", [U, T]),
        ("nu X. mu Y. ((!p & <> X) | <> Y)", [U, T]),
        ("mu X. nu Y. ((p | [] X) & [] Y)", [U, F]),
    ];
    for (text, expected) in cases {
        assert_eq!(row(&model, Logic::Mu, text), expected, "{text}");
    }
}

#[test]
fn actions_by_hand() {
    let mut builder = ModelBuilder::new(Kind::Mts, "M");
    let [a, b, tau] = ["a", "b", "tau"].map(|name| builder.action(name));
    let states = [0, 1, 2].map(|i| builder.state(format!("s{i}")));
    builder.edge(states[0], Some(a), Mode::BOTH, states[1]);
    builder.edge(states[0], Some(b), Mode::MAY, states[2]);
    builder.edge(states[1], Some(tau), Mode::BOTH, states[0]);
    let model = builder.finish();
    let cases = [
        (Logic::Mu, "<a> true", [T, F, F]),
        (Logic::Mu, "<b> true", [U, F, F]),
        (Logic::Mu, "[b] false", [U, T, T]),
        (Logic::Mu, "<a|b> true", [T, F, F]),
        (Logic::Mu, "[!a] false", [U, F, T]),
        (Logic::Mu, "<true> true", [T, T, F]),
        (Logic::Mu, "<> true", [T, T, F]),
        (Logic::Mu, "<c> true", [F, F, F]),
        (Logic::Mu, "[!c] <> true", [U, T, T]),
        (Logic::Mcf, "<true*> [true] false", [U, U, T]),
        (Logic::Mcf, "[true*.a] <tau> true", [T, T, T]),
        (Logic::Mcf, "<(a.tau)+> <b> true", [U, F, F]),
        (Logic::Mcf, "nu X. <a.tau> X", [T, F, F]),
    ];
    for (logic, text, expected) in cases {
        assert_eq!(row(&model, logic, text), expected, "{text}");
    }
}

/// X §4.1 with the part of Fig. 1 that the text tells: a1 must move to one of a2 and a3.
#[test]
fn x_section_4_1_a_must_hyper_transition() {
    let mut builder = ModelBuilder::new(Kind::Gkmts, "G1");
    let (p, q) = (builder.prop("p"), builder.prop("q"));
    let states = [1, 2, 3, 4].map(|i| builder.state(format!("a{i}")));
    let labels = [(false, false), (true, true), (true, false), (false, true)];
    for (state, (is_p, is_q)) in states.into_iter().zip(labels) {
        builder.label(state, p, is_p.into());
        builder.label(state, q, is_q.into());
    }
    let [a1, a2, a3, a4] = states;
    for (s, t) in [(a1, a2), (a1, a3), (a2, a4), (a3, a2)] {
        builder.edge(s, None, Mode::MAY, t);
    }
    builder.hyper(a1, vec![a2, a3]);
    let model = builder.finish();
    assert_eq!(row(&model, Logic::Mu, "<> (q | !q)")[0], T, "whichever it is, q or not q");
    assert_eq!(row(&model, Logic::Mu, "<> p")[0], T);
    assert_eq!(row(&model, Logic::Mu, "<> q")[0], U);
    assert_eq!(row(&model, Logic::Mu, "[] !p")[0], F);
    assert_eq!(row(&model, Logic::Mu, "[] q")[0], U);
}

/// A must-only transition to where p holds, and no may transition at all.
#[test]
fn a_mixed_model_without_refinement_is_both() {
    let mut builder = ModelBuilder::new(Kind::MixTs, "M");
    let p = builder.prop("p");
    let (s, t) = (builder.state("s"), builder.state("t"));
    builder.label(t, p, Truth::True);
    builder.edge(s, None, Mode::MUST, t);
    let model = builder.finish();
    let formula = compiled(&model, Logic::Mu, "<> p");
    let values = evaluate(&model, &formula);
    assert_eq!(values.at(formula.root(), s), Value { is_true: true, is_false: true });
    assert_eq!(values.truth(formula.root(), s), None);
    assert_eq!(values.contradiction(), Some((formula.root(), s)));
    assert_eq!(values.truth(formula.root(), t), F);
}

/// ⟦φ⟧ with lfp and gfp as Tarski defines them: the least of all functions that f does not raise, the
/// greatest of all that f does not lower, found by trying all functions.
struct Definition<'a> {
    model: &'a PartialModel,
    formula: &'a Formula,
    /// Every function from states to truth values.
    functions: Vec<Vec<Truth>>,
}

impl<'a> Definition<'a> {
    fn new(model: &'a PartialModel, formula: &'a Formula) -> Self {
        let mut functions = vec![Vec::new()];
        for _ in 0..model.states() {
            functions = functions
                .iter()
                .flat_map(|f: &Vec<Truth>| Truth::ALL.map(|value| [&f[..], &[value]].concat()))
                .collect();
        }
        Self { model, formula, functions }
    }

    fn value(&self, id: NodeId, rho: &HashMap<VarId, Vec<Truth>>) -> Vec<Truth> {
        let states = 0..self.model.states() as u32;
        match self.formula.node(id) {
            Node::Const(value) => states.map(|_| value.into()).collect(),
            Node::Lit(prop, true) => states.map(|s| self.model.label(s, prop)).collect(),
            Node::Lit(prop, false) => states.map(|s| !self.model.label(s, prop)).collect(),
            Node::And(a, b) => self
                .value(a, rho)
                .into_iter()
                .zip(self.value(b, rho))
                .map(|(a, b)| a.min(b))
                .collect(),
            Node::Or(a, b) => self
                .value(a, rho)
                .into_iter()
                .zip(self.value(b, rho))
                .map(|(a, b)| a.max(b))
                .collect(),
            Node::Modal(modality, actions, body) => {
                let body = self.value(body, rho);
                let actions = self.formula.actions(actions);
                let out = |s: u32| {
                    self.model.edges().out(s).filter(|(_, class)| match class.action {
                        Some(action) => actions.contains(self.model.actions().name(action)),
                        None => true,
                    })
                };
                states
                    .map(|s| {
                        // Diamond is dual: exchange tt and ff.
                        let turn = |t: Truth| if modality == Modality::Box { t } else { !t };
                        let at = |t: u32| turn(body[t as usize]);
                        let all = out(s).all(|(t, c)| !c.mode.may || at(t) == Truth::True);
                        let some = out(s).any(|(t, c)| c.mode.must && at(t) == Truth::False);
                        turn(match (all, some) {
                            (true, _) => Truth::True,
                            (_, true) => Truth::False,
                            _ => Truth::Unknown,
                        })
                    })
                    .collect()
            }
            Node::Var(var) => rho[&var].clone(),
            Node::Fix(var) => self.fixpoint(var, rho),
        }
    }

    fn fixpoint(&self, var: VarId, rho: &HashMap<VarId, Vec<Truth>>) -> Vec<Truth> {
        let info = self.formula.var(var);
        let least = info.kind == Fix::Mu;
        let below = |f: &[Truth], g: &[Truth]| f.iter().zip(g).all(|(f, g)| f <= g);
        let mut best: Option<Vec<Truth>> = None;
        for g in &self.functions {
            let mut rho = rho.clone();
            rho.insert(var, g.clone());
            let image = self.value(info.body, &rho);
            let fits = if least { below(&image, g) } else { below(g, &image) };
            if fits {
                let join = |f: Truth, g: Truth| if least { f.min(g) } else { f.max(g) };
                best = Some(match best {
                    None => g.clone(),
                    Some(f) => f.iter().zip(g).map(|(&f, &g)| join(f, g)).collect(),
                });
            }
        }
        best.expect("the constant function fits")
    }
}

#[test]
fn the_reference_is_the_definition() {
    for_seeds("reference-definition", 0..3000, |rng, case| {
        let kind = *rng.pick(&[Kind::Kripke, Kind::Kmts, Kind::Lts, Kind::Mts]);
        let mut shape = ModelShape::small(rng, kind);
        shape.states = rng.between(1, 2);
        let model = model(rng, &shape);
        let size = rng.between(1, 9);
        let formula = formula_for(rng, &model, size);
        case.note(model_text(&model));
        case.note_property(&formula);
        if formula.vars().len() > 3 {
            return Ok(());
        }
        let values = evaluate(&model, &formula);
        let definition = Definition::new(&model, &formula);
        let expected = definition.value(formula.root(), &HashMap::new());
        for (state, expected) in expected.into_iter().enumerate() {
            let found = values.truth(formula.root(), state as u32);
            if found != Some(expected) {
                return Err(format!("in s{state} {found:?}, by definition {expected}"));
            }
        }
        Ok(())
    });
}

/// C Thm 2.4 reads open subformulas as ψ*: a variable has the value of its fixpoint, which has the
/// value of its body.
#[test]
fn open_subformulas_stand_for_their_closure() {
    for_seeds("reference-closure", 0..2000, |rng, case| {
        let (model, formula) = pair(rng, case, &Kind::ALL, 16);
        let values = evaluate(&model, &formula);
        for (id, node) in formula.nodes() {
            let (Node::Var(var) | Node::Fix(var)) = node else { continue };
            let body = formula.var(var).body;
            for state in 0..model.states() as u32 {
                if values.at(id, state) != values.at(body, state) {
                    return Err(format!("{id:?} and its body {body:?} differ in s{state}"));
                }
            }
        }
        let may_contradict = matches!(model.kind, Kind::MixTs | Kind::Gkmts);
        match values.contradiction() {
            Some(place) if !may_contradict => Err(format!("{place:?} is true and false")),
            _ => Ok(()),
        }
    });
}
