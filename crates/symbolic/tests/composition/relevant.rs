//! ComputeRelevant against Fig. 10 of C taken literally, from the same US, state by state; and what is known by
//! then against the composition.

use crate::graph::Graph;
use crate::lifted::Lifter;
use crate::questions::{Program, random};
use crate::sets::{add, point};
use logic::{Fairness, Formula, Logic, Node, NodeId};
use std::cell::Cell;
use support::FileId;
use symbolic::{Composition, Policy, Question, Relevance};
use testkit::{Case, Rng, for_seeds};

/// By subformula, by state.
type Relation = Vec<Vec<bool>>;

/// RS, line by line.
fn compute_relevant(formula: &Formula, graph: &Graph, unknown: &Relation) -> Relation {
    let mut found = vec![vec![false; graph.states.len()]; formula.len()];
    let init = (0..graph.states.len()).filter(|&state| graph.init[state]);
    let mut open: Vec<(NodeId, usize)> = init.map(|state| (formula.root(), state)).collect();
    while let Some((id, state)) = open.pop() {
        let node = id.0 as usize;
        if std::mem::replace(&mut found[node][state], true) {
            continue;
        }
        let is_unknown = unknown[node][state];
        match formula.node(id) {
            Node::Modal(_, _, body) if is_unknown => {
                open.extend(graph.may[state].iter().map(|&(there, _)| (body, there)));
            }
            Node::And(a, b) | Node::Or(a, b) if is_unknown => open.extend([(a, state), (b, state)]),
            Node::Fix(var) | Node::Var(var) => open.push((formula.var(var).body, state)),
            _ => {}
        }
    }
    found
}

/// Whether what is known is so in the states of the composition; of subformulas with variables, at the fixpoints.
fn is_sound(
    composition: &Composition,
    relevance: &Relevance,
    product: &Graph,
    truth: &[Option<Vec<bool>>],
) -> Result<(), String> {
    for state in 0..product.states.len() {
        let point = point(composition, product, state);
        for (node, sets) in relevance.known.values().enumerate() {
            let Some(truth) = &truth[node] else { continue };
            let [tt, ff] = [0, 1].map(|side| composition.has(&sets[side], &point));
            if tt && !truth[state] || ff && truth[state] {
                let (is, state) = (truth[state], &product.states[state]);
                return Err(format!("subformula {node} is {is} in {:?} {state:?}", product.vars));
            }
        }
    }
    Ok(())
}

#[derive(Default, Debug)]
struct Counts {
    compared: Cell<usize>,
    decided: Cell<usize>,
    relevant: Cell<usize>,
    /// Pairs of a subformula and a state.
    all: Cell<usize>,
}

fn compare(
    rng: &mut Rng,
    case: &mut Case,
    program: &Program,
    composition: &mut Composition,
    counts: &Counts,
) -> Result<(), String> {
    let formula = program.formula(rng, case);
    let asked = program.asked(rng);
    let question = Question { formula: &formula, asked: &asked };
    let mut groups: Vec<Vec<usize>> = (0..rng.below(3)).map(|_| program.group(rng)).collect();
    groups.push(match rng.chance(0.6) {
        true => (0..program.test_system.components.len()).collect(),
        false => program.group(rng),
    });
    case.note(format!("-- groups {groups:?}, seen bits {}", composition.seen_bits));
    let last = &groups[groups.len() - 1];
    let lifted = composition.lifted(last, question).expect("room enough");
    let lifter = Lifter::new(&program.test_system, last, &lifted.vars);
    let mut graph = lifter.graph(lifted.goes_on);
    let points: Vec<Vec<bool>> =
        (0..graph.states.len()).map(|state| point(composition, &graph, state)).collect();
    let is_in = |composition: &Composition, set| -> Vec<bool> {
        points.iter().map(|point| composition.has(set, point)).collect()
    };
    graph.init = is_in(composition, &lifted.init);
    let relevance = composition.relevance(&groups, question).expect("room enough");
    let product = program.test_system.composition(1_000).ok_or("too many states")?;
    let truth = product.evaluate(&formula, true);
    is_sound(composition, &relevance, &product, &truth)?;
    let found = match &relevance.found {
        Ok(found) => found,
        Err(decided) => {
            add(&counts.decided, 1);
            let expected = product.verdict(&formula, &truth);
            return match *decided == expected {
                true => Ok(()),
                false => {
                    Err(format!("decided to be {decided:?}, {expected:?} on the monolithic model"))
                }
            };
        }
    };
    let unknown = relevance.known.values().map(|[tt, ff]| {
        let [tt, ff] = [tt, ff].map(|set| is_in(composition, set));
        tt.into_iter().zip(ff).map(|(tt, ff)| !tt && !ff).collect()
    });
    let expected = compute_relevant(&formula, &graph, &unknown.collect());
    for (node, (expected, found)) in expected.iter().zip(found.values()).enumerate() {
        let found = is_in(composition, found);
        let is_larger = lifter.has_patterns_without_value()
            && expected.iter().zip(&found).all(|(&expected, &found)| found || !expected);
        if found != *expected && !is_larger {
            return Err(format!("RS of subformula {node}: {found:?}, by Fig. 10 {expected:?}"));
        }
        add(&counts.relevant, found.iter().filter(|&&is_in| is_in).count());
        add(&counts.all, found.len());
    }
    add(&counts.compared, 1);
    Ok(())
}

#[test]
fn relevant_is_what_fig_10_says() {
    let counts = Counts::default();
    for_seeds("composition-relevant", 0..3_000, |rng, case| {
        let Some(program) = random(rng, case, false) else { return Ok(()) };
        let policy = Policy { unrest: rng.chance(0.1).then_some(50), ..Policy::default() };
        let Some(mut composition) = program.composition(rng, policy) else { return Ok(()) };
        for _ in 0..3 {
            compare(rng, case, &program, &mut composition, &counts)?;
        }
        Ok(())
    });
    println!("{counts:?}");
    assert!(counts.compared.get() > 4_000 && counts.decided.get() > 500, "{counts:?}");
}

/// A fixpoint within others that was not needed any more has not the value that it would have.
#[test]
fn unfinished_groups_teach_no_bounds() {
    let text = "MODULE main
        VAR m : first; n : second(m.y);
        MODULE first
        VAR x : boolean; y : boolean;
        ASSIGN init(x) := TRUE; next(x) := !y; next(y) := y;
        MODULE second(p)
        VAR z : boolean;
        ASSIGN init(z) := TRUE; next(z) := !p;";
    for (often, trims) in [("m.x", true), ("n.z", true), ("m.x", false), ("n.z", false)] {
        for source in ["EG !p0", "EG p0", "AF p0", "EG true", "E[!p0 U p1]"] {
            let program = Program::of(text, &["m.y", often]);
            let mut composition =
                program.composition(&mut Rng::new(0), Policy::default()).expect("a good machine");
            composition.seen_bits = 0;
            let surface =
                front::parse_formula(Logic::Ctl, FileId(0), &source.into(), 0..source.len());
            let terms = vec![program.often()];
            let fairness = Fairness { terms, trims, ..Fairness::default() };
            let formula = program.compiled(&surface.expect("a formula"), &fairness);
            let question = Question { formula: &formula, asked: &[] };
            let relevance = composition.relevance(&[vec![1], vec![0, 1]], question);
            let product = program.test_system.composition(100).expect("few states");
            let truth = product.evaluate(&formula, true);
            let sound = is_sound(&composition, &relevance.expect("room"), &product, &truth);
            assert_eq!(sound, Ok(()), "{source} {often}");
        }
    }
}
