//! The normal form of formulas: priorities and alternation as C §2.1 defines them, negation as
//! duality, and printing back.

mod oracles;

use logic::{Fix, Formula, Logic, Modality, Node, NodeId, VarId};
use model::{Kind, PartialModel};
use oracles::compiled;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use testkit::reference::evaluate;
use testkit::{
    FormulaShape, ModelShape, Rng, compile_for, for_seeds, formula, formula_for, model, model_text,
    pair,
};

fn over_p_and_q() -> PartialModel {
    let mut rng = Rng::new(3);
    let shape = ModelShape::small(&mut rng, Kind::Kmts);
    model(&mut rng, &shape)
}

type Theta = &'static [(&'static str, u32)];

/// The formula, its alternation depth, and Θ of its variables.
const PRIORITIES: [(&str, u32, Theta); 14] = [
    ("[] p", 0, &[]),
    ("mu X. (p | <> X)", 1, &[("X", 1)]),
    ("nu X. (p & [] X)", 1, &[("X", 0)]),
    ("mu X. mu Y. (p | <> X | [] Y)", 1, &[("X", 1), ("Y", 1)]),
    ("nu X. nu Y. (p & <> X & [] Y)", 1, &[("X", 0), ("Y", 0)]),
    ("nu X. mu Y. ((p & <> X) | <> Y)", 2, &[("X", 2), ("Y", 1)]),
    ("mu X. nu Y. ((p | [] X) & [] Y)", 2, &[("X", 1), ("Y", 0)]),
    ("nu X. ([] X & mu Y. (p | <> Y))", 1, &[("X", 0), ("Y", 1)]),
    ("mu X. (<> X | nu Y. (p & [] Y))", 1, &[("X", 1), ("Y", 0)]),
    ("nu X. mu Y. nu Z. ([] X | [] Y | (p & [] Z))", 3, &[("X", 2), ("Y", 1), ("Z", 0)]),
    ("mu X. nu Y. mu Z. (<> X | (p & <> Y) | <> Z)", 3, &[("X", 3), ("Y", 2), ("Z", 1)]),
    // Y is free in fp(W), but W and X have nothing to do with each other.
    ("nu Y. mu X. ([] X | nu W. (<> W & [] Y))", 2, &[("W", 0), ("X", 1), ("Y", 2)]),
    // X below Z only through Y.
    ("nu Z. mu Y. (<> Z | nu X. (p & [] X & <> Y))", 3, &[("X", 0), ("Y", 1), ("Z", 2)]),
    // Negated, each is of the other kind.
    ("!nu X. mu Y. ((p & <> X) | <> Y)", 2, &[("X", 1), ("Y", 0)]),
];

#[test]
fn priorities_and_alternation_by_hand() {
    let model = over_p_and_q();
    for (text, depth, expected) in PRIORITIES {
        let formula = compiled(&model, Logic::Mu, text);
        let found: BTreeMap<&str, u32> =
            formula.vars().map(|(id, var)| (var.name.as_str(), formula.priority(id))).collect();
        assert_eq!(found, expected.iter().copied().collect(), "{text}");
        assert_eq!(formula.alternation_depth(), depth, "{text}");
        assert_eq!(formula.is_alternation_free(), depth <= 1, "{text}");
    }
}

/// Folding leaves no needless fixpoint behind.
#[test]
fn fixpoints_without_their_variable_are_their_bodies() {
    let model = over_p_and_q();
    for (text, plain) in [
        ("mu X. p", "p"),
        ("nu X. [] (p & mu Y. q)", "[] (p & q)"),
        ("nu X. p | (X & false)", "p"),
        ("mu X. nu Y. ([] Y & (X | true))", "nu Y. [] Y"),
        ("mu X. X", "false"),
        ("nu X. X", "true"),
    ] {
        let [folded, plain] = [text, plain].map(|text| compiled(&model, Logic::Mu, text));
        let props = model.props();
        assert_eq!(folded.to_mu(props), plain.to_mu(props), "{text}");
        assert_eq!(folded.alternation_depth(), plain.alternation_depth(), "{text}");
    }
}

/// The variables that occur freely below a node, by recursion over the tree.
fn free(formula: &Formula, id: NodeId) -> BTreeSet<VarId> {
    match formula.node(id) {
        Node::Const(_) | Node::Lit(..) => BTreeSet::new(),
        Node::Var(var) => [var].into(),
        Node::And(a, b) | Node::Or(a, b) => &free(formula, a) | &free(formula, b),
        Node::Modal(_, _, body) => free(formula, body),
        Node::Fix(var) => &free(formula, formula.var(var).body) - &[var].into(),
    }
}

/// X < Y if Y occurs freely in fp(X), by inner variable.
fn order(formula: &Formula) -> BTreeMap<VarId, BTreeSet<VarId>> {
    let fixpoints = formula.nodes().filter_map(|(id, node)| match node {
        Node::Fix(var) => Some((var, free(formula, id))),
        _ => None,
    });
    fixpoints.collect()
}

/// The longest chain Z₁ < Z₂ < … of variables of alternating kinds that ends in `last`.
fn longest_chain(formula: &Formula, below: &BTreeSet<(VarId, VarId)>, last: VarId) -> u32 {
    let other_kind = |var: VarId| formula.var(var).kind != formula.var(last).kind;
    let inner = below.iter().filter(|&&(x, y)| y == last && other_kind(x));
    1 + inner.map(|&(x, _)| longest_chain(formula, below, x)).max().unwrap_or(0)
}

fn transitive(order: &BTreeMap<VarId, BTreeSet<VarId>>) -> BTreeSet<(VarId, VarId)> {
    let mut pairs: BTreeSet<(VarId, VarId)> =
        order.iter().flat_map(|(&x, ys)| ys.iter().map(move |&y| (x, y))).collect();
    loop {
        let more: BTreeSet<(VarId, VarId)> = pairs
            .iter()
            .flat_map(|&(x, y)| {
                pairs.range((y, VarId(0))..).take_while(move |p| p.0 == y).map(move |p| (x, p.1))
            })
            .filter(|pair| !pairs.contains(pair))
            .collect();
        if more.is_empty() {
            return pairs;
        }
        pairs.extend(more);
    }
}

#[test]
fn priorities_and_alternation_by_definition() {
    for_seeds("priorities", 0..4000, |rng, case| {
        let kind = *rng.pick(&[Kind::Kmts, Kind::Mts]);
        let shape = ModelShape::small(rng, kind);
        let model = model(rng, &shape);
        let size = rng.between(4, 24);
        let formula = formula_for(rng, &model, size);
        case.note(format!("// {} {}", formula.logic.name(), formula.source()));
        let below = transitive(&order(&formula));
        // The least numbers of the right parity that respect the order.
        let parity = |var: VarId| u32::from(formula.var(var).kind == Fix::Mu);
        let mut least: BTreeMap<VarId, u32> = formula.vars().map(|(v, _)| (v, parity(v))).collect();
        while let Some(&(x, y)) = below.iter().find(|(x, y)| least[x] > least[y]) {
            let raised = least[&x] + u32::from(least[&x] % 2 != parity(y));
            least.insert(y, raised);
        }
        for (var, info) in formula.vars() {
            if formula.priority(var) != least[&var] {
                return Err(format!(
                    "{} has {}, not {}",
                    info.name,
                    formula.priority(var),
                    least[&var]
                ));
            }
        }
        let chains = formula.vars().map(|(var, _)| longest_chain(&formula, &below, var));
        let depth = chains.max().unwrap_or(0);
        if formula.alternation_depth() != depth {
            return Err(format!("depth {}, not {depth}", formula.alternation_depth()));
        }
        Ok(())
    });
}

/// Whether one formula is the other with everything turned round.
fn dual(f: &Formula, g: &Formula, a: NodeId, b: NodeId, vars: &mut HashMap<VarId, VarId>) -> bool {
    match (f.node(a), g.node(b)) {
        (Node::Const(a), Node::Const(b)) => a != b,
        (Node::Lit(p, a), Node::Lit(q, b)) => p == q && a != b,
        (Node::And(a, b), Node::Or(c, d)) | (Node::Or(a, b), Node::And(c, d)) => {
            dual(f, g, a, c, vars) && dual(f, g, b, d, vars)
        }
        (Node::Modal(m, s, a), Node::Modal(n, t, b)) => {
            m != n && f.actions(s) == g.actions(t) && dual(f, g, a, b, vars)
        }
        (Node::Var(x), Node::Var(y)) => vars.get(&x) == Some(&y),
        (Node::Fix(x), Node::Fix(y)) => {
            vars.insert(x, y);
            let (x, y) = (f.var(x), g.var(y));
            x.kind != y.kind && dual(f, g, x.body, y.body, vars)
        }
        _ => false,
    }
}

#[test]
fn a_negated_formula_is_the_dual_one() {
    for_seeds("dual", 0..3000, |rng, case| {
        let (model, logic) = model_and_logic(rng);
        let text = formula(rng, &FormulaShape::over(&model, logic, 14)).source();
        case.note(format!("// {} {text}", logic.name()));
        if text.contains("<->") {
            // Its negation is an equivalence again, not the dual tree.
            return Ok(());
        }
        let [plain, negated, twice] = [text.clone(), format!("!({text})"), format!("!!({text})")]
            .map(|text| compiled(&model, logic, &text));
        let is_dual = dual(&plain, &negated, plain.root(), negated.root(), &mut HashMap::new());
        let [plain, negated, twice] = [plain, negated, twice].map(|f| f.to_mu(model.props()));
        if is_dual && plain == twice {
            return Ok(());
        }
        Err(format!("{plain}\nnegated\n{negated}\ntwice negated\n{twice}"))
    });
}

#[test]
fn shared_parts_are_made_once() {
    let model = over_p_and_q();
    let nested = (0..12).fold("p".to_owned(), |f, _| format!("({f} <-> <> q)"));
    let formula = compiled(&model, Logic::Mu, &nested);
    assert!(formula.len() < 150, "{} nodes", formula.len());
    assert!(compiled(&model, Logic::Mu, "(p & q) | [] (p & q)").len() == 5);
}

/// A formula as the user wrote it, then the nodes below it as they are printed.
const SHOWN: [(Logic, &str, &[&str]); 7] = [
    (Logic::Mu, "mu Z. (q | (p &  [] Z))", &["q", "p", "Z", "[] Z", "p & [] Z", "q | (p & [] Z)"]),
    (Logic::Mu, "!(p & <> q)", &["!p", "!q", "!(<> q)"]),
    (
        Logic::Ctl,
        "AG (p -> EF q)",
        &["!p", "q", "EF q", "EX (EF q)", "p -> EF q", "AX (AG (p -> EF q))"],
    ),
    (Logic::Ctl, "!A[p U q]", &["!p", "!q", "EX (!(A[p U q]))"]),
    (Logic::Ctl, "A[p U q]", &["p", "q", "AX (A[p U q])", "p & AX (A[p U q])"]),
    (Logic::Mu, "nu X. p & [] X", &["p", "X", "[] X", "p & [] X"]),
    (Logic::Mu, "p & q & [] p", &["p", "q", "p & q", "[] p"]),
];

#[test]
fn nodes_are_printed_as_the_user_wrote_them() {
    let model = over_p_and_q();
    for (logic, text, expected) in SHOWN {
        let formula = compiled(&model, logic, text);
        let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(formula.source(), folded);
        let shown: Vec<String> = formula.nodes().map(|(id, _)| formula.show(id)).collect();
        for part in expected {
            assert!(shown.iter().any(|text| text == part), "{text}: {part} is not in {shown:?}");
        }
        let root = formula.show(formula.root());
        assert!(root == folded || root == format!("!({})", &folded[1..]), "{root} for {text}");
    }
}

fn model_and_logic(rng: &mut Rng) -> (PartialModel, Logic) {
    let (kind, logic) = *rng.pick(&[
        (Kind::Kmts, Logic::Mu),
        (Kind::Kmts, Logic::Ctl),
        (Kind::Mts, Logic::Mu),
        (Kind::Mts, Logic::Mcf),
    ]);
    let shape = ModelShape::small(rng, kind);
    (model(rng, &shape), logic)
}

/// Whether a text, read as a formula, has the values of a node.
fn same_meaning(
    model: &PartialModel,
    (formula, node): (&Formula, NodeId),
    logic: Logic,
    text: &str,
) -> Result<(), String> {
    let again = compiled(model, logic, text);
    let (old, new) = (evaluate(model, formula), evaluate(model, &again));
    let mut states = 0..model.states() as u32;
    match states.find(|&s| old.at(node, s) != new.at(again.root(), s)) {
        Some(s) => Err(format!("{node:?} is printed as `{text}`, which differs in s{s}")),
        None => Ok(()),
    }
}

/// The text printed for a closed node means what the node means; the root also in the syntax of `mu`.
#[test]
fn what_is_printed_means_the_same() {
    for_seeds("shown", 0..3000, |rng, case| {
        let (model, formula) = pair(rng, case, &[Kind::Kmts, Kind::Mts], 16);
        let whole = (&formula, formula.root());
        same_meaning(&model, whole, Logic::Mu, &formula.to_mu(model.props()))?;
        for (id, _) in formula.nodes().filter(|&(id, _)| free(&formula, id).is_empty()) {
            let text = formula.show(id);
            // A part that was folded away may have named a variable of outside.
            let names: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
            if !["W", "X", "Y", "Z"].iter().any(|variable| names.contains(variable)) {
                same_meaning(&model, (&formula, id), formula.logic, &text)?;
            }
        }
        Ok(())
    });
}

/// The generator's own text, read back, means what it made: not more, since `(R*)*` is read as `R*`.
#[test]
fn generated_text_is_read_back() {
    for_seeds("read-back", 0..3000, |rng, case| {
        let (model, logic) = model_and_logic(rng);
        let surface = formula(rng, &FormulaShape::over(&model, logic, 14));
        case.note(model_text(&model));
        case.note(format!("property failing: {} {};", logic.name(), surface.source()));
        let mine = compile_for(&surface, &model);
        same_meaning(&model, (&mine, mine.root()), logic, &surface.text)
    });
}

/// Modalities keep their side under two negations, and change it under one.
#[test]
fn modalities_under_negation() {
    let model = over_p_and_q();
    let root = |text: &str| {
        let formula = compiled(&model, Logic::Mu, text);
        match formula.node(formula.root()) {
            Node::Modal(modality, ..) => modality,
            node => panic!("{text} became {node:?}"),
        }
    };
    assert_eq!(root("!<> p"), Modality::Box);
    assert_eq!(root("![] p"), Modality::Dia);
    assert_eq!(root("!!<> p"), Modality::Dia);
    assert_eq!(root("(<> p) -> false"), Modality::Box);
}
