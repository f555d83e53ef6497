//! Where subformulas are true, false and unknown in a group of components: as written out state by state, and
//! never against the composition.

use crate::graph::{Graph, not};
use crate::lifted::Lifter;
use crate::questions::{Program, random};
use logic::{Fairness, Formula, Logic};
use std::cell::Cell;
use std::collections::HashSet;
use support::FileId;
use symbolic::{Composition, Lifted, Policy, Question};
use testkit::{Case, Rng, for_seeds};
use transition::VarId;

#[derive(Default, Debug)]
struct Counts {
    cases: Cell<usize>,
    /// Those in which the sets have to be the same; in the others more may be unknown.
    exact: Cell<usize>,
    /// Values of subformulas in states.
    definite: Cell<usize>,
    unknown: Cell<usize>,
    /// Unknown, and definite if written out.
    less: Cell<usize>,
    against_the_whole: Cell<usize>,
    brought_about: Cell<usize>,
    hidden: Cell<usize>,
}

pub fn add(to: &Cell<usize>, count: usize) {
    to.set(to.get() + count);
}

/// The values of a subformula in a state: whether it is in the first set, and whether it is in the second.
pub fn value(composition: &Composition, lifted: &Lifted, node: usize, point: &[bool]) -> [bool; 2] {
    let sets = lifted.values.values().nth(node).and_then(Option::as_ref).expect("a closed formula");
    [0, 1].map(|side| composition.has(&sets[side], point))
}

pub fn closed(lifted: &Lifted) -> Vec<usize> {
    let values = lifted.values.values().enumerate();
    values.filter(|(_, value)| value.is_some()).map(|(node, _)| node).collect()
}

/// The truth variables of a state of a graph.
pub fn point(composition: &Composition, graph: &Graph, state: usize) -> Vec<bool> {
    composition.point(|var: VarId| {
        let place = graph.vars.iter().position(|&other| other == var);
        place.map_or(0, |place| graph.states[state][place] as u64)
    })
}

fn same_as_written_out(
    composition: &Composition,
    lifted: &Lifted,
    (graph, is_exact): (&Graph, bool),
    formula: &Formula,
    counts: &Counts,
) -> Result<(), String> {
    let [tt, possible] = [true, false].map(|is_certain| graph.evaluate(formula, is_certain));
    for node in closed(lifted) {
        let Some((tt, possible)) = tt[node].as_ref().zip(possible[node].as_ref()) else { continue };
        for (state, (&tt, ff)) in tt.iter().zip(not(possible)).enumerate() {
            let found = value(composition, lifted, node, &point(composition, graph, state));
            let is_within = !is_exact && (tt || !found[0]) && (ff || !found[1]);
            add(&counts.less, usize::from(is_within && found != [tt, ff]));
            if found != [tt, ff] && !is_within {
                return Err(format!(
                    "subformula {node} {:?} in {:?} {:?}: {found:?}, written out {:?}",
                    formula.nodes().nth(node),
                    graph.vars,
                    graph.states[state],
                    [tt, ff]
                ));
            }
            add(if tt || ff { &counts.definite } else { &counts.unknown }, 1);
        }
    }
    Ok(())
}

/// Whether the BDD has the states of the graph and no others.
fn same_states(
    composition: &Composition,
    lifted: &Lifted,
    graph: &Graph,
    program: &Program,
) -> bool {
    let numbers = graph.by_state();
    let mut all = vec![Vec::new()];
    for &var in &graph.vars {
        let size = program.machine.vars[var].domain.size() as usize;
        let longer = |state: &Vec<usize>| {
            (0..size).map(|value| [&state[..], &[value]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all.iter().all(|state| {
        let number = |var: VarId| {
            let place = graph.vars.iter().position(|&other| other == var);
            place.map_or(0, |place| state[place] as u64)
        };
        composition.has(&lifted.states, &composition.point(number))
            == numbers.contains_key(&**state)
    })
}

/// Whether the initial states are those of the composition, as far as the group remembers.
fn same_start(composition: &Composition, lifted: &Lifted, graph: &Graph, product: &Graph) -> bool {
    let seen = |state: usize| -> Vec<usize> {
        let value = |var| {
            let place = product.vars.iter().position(|&other| other == var);
            place.map_or(0, |place| product.states[state][place])
        };
        graph.vars.iter().map(|&var| value(var)).collect()
    };
    let init = (0..product.states.len()).filter(|&state| product.init[state]);
    let init: HashSet<Vec<usize>> = init.map(seen).collect();
    (0..graph.states.len()).all(|state| {
        let is_found = composition.has(&lifted.init, &point(composition, graph, state));
        is_found == init.contains(&graph.states[state])
    })
}

/// A definite value in a group holds in all composed states that project to its state.
fn sound_on_the_composition(
    composition: &Composition,
    lifted: &Lifted,
    product: &Graph,
    formula: &Formula,
    counts: &Counts,
) -> Result<(), String> {
    let truth = product.evaluate(formula, true);
    for state in 0..product.states.len() {
        let point = point(composition, product, state);
        if !composition.has(&lifted.states, &point) {
            return Err(format!("{:?} is no state of the group", product.states[state]));
        }
        if product.init[state] && !composition.has(&lifted.init, &point) {
            return Err(format!("{:?} is no initial state of the group", product.states[state]));
        }
        for node in closed(lifted) {
            let Some(truth) = &truth[node] else { continue };
            let [tt, ff] = value(composition, lifted, node, &point);
            if tt && !truth[state] || ff && truth[state] {
                return Err(format!(
                    "subformula {node} {:?} is {} in {:?} {:?} of the monolithic model",
                    formula.nodes().nth(node),
                    truth[state],
                    product.vars,
                    product.states[state]
                ));
            }
            add(&counts.against_the_whole, 1);
        }
    }
    Ok(())
}

fn check(
    rng: &mut Rng,
    case: &mut Case,
    program: &Program,
    product: &Graph,
    counts: &Counts,
) -> Result<(), String> {
    let policy = Policy { unrest: rng.chance(0.1).then_some(50), ..Policy::default() };
    let Some(mut composition) = program.composition(rng, policy) else { return Ok(()) };
    for _ in 0..2 {
        let members = program.group(rng);
        let asked = program.asked(rng);
        case.note(format!("-- group {members:?}, seen bits {}", composition.seen_bits));
        for _ in 0..3 {
            let formula = program.formula(rng, case);
            let question = Question { formula: &formula, asked: &asked };
            let lifted = composition.lifted(&members, question).expect("room enough");
            let lifter = Lifter::new(&program.test_system, &members, &lifted.vars);
            let graph = lifter.graph(lifted.goes_on);
            if !same_states(&composition, &lifted, &graph, program) {
                return Err("other states".to_owned());
            }
            // How what is missing starts is not known.
            if program.test_system.missing.is_empty()
                && !same_start(&composition, &lifted, &graph, product)
            {
                return Err("other initial states".to_owned());
            }
            let is_exact = !lifter.has_alternatives() && !lifter.has_patterns_without_value();
            add(&counts.exact, usize::from(is_exact));
            let graph = (&graph, is_exact);
            same_as_written_out(&composition, &lifted, graph, &formula, counts)?;
            sound_on_the_composition(&composition, &lifted, product, &formula, counts)?;
            add(&counts.cases, 1);
            add(&counts.brought_about, usize::from(lifted.goes_on == Some(true)));
            add(&counts.hidden, usize::from(lifter.hides()));
        }
    }
    Ok(())
}

#[test]
fn groups_find_what_is_written_out_and_nothing_that_is_not_so() {
    let counts = Counts::default();
    for_seeds("composition-sets", 0..4_000, |rng, case| {
        let Some(program) = random(rng, case, true) else { return Ok(()) };
        let Some(product) = program.test_system.composition(1_000) else { return Ok(()) };
        check(rng, case, &program, &product, &counts)
    });
    println!("{counts:?}");
    assert!(counts.cases.get() > 15_000 && counts.exact.get() > 10_000, "{counts:?}");
}

/// A group cannot rely on another component to keep a value because it asks for it.
#[test]
fn what_a_group_demands_of_others_it_does_not_bring_about() {
    let text = "MODULE main
        VAR m : first(n.w); n : second(m.x);
        MODULE first(q)
        VAR x : boolean; z : boolean;
        TRANS next(x) <-> next(z)
        TRANS next(z) <-> (q ? !x : x)
        MODULE second(p)
        VAR w : boolean;
        TRANS next(p) = p";
    let program = Program::of(text, &["m.x", "n.w"]);
    let composition = program.composition(&mut Rng::new(0), Policy::default());
    let mut composition = composition.expect("a proper machine");
    let formula = front::parse_formula(Logic::Mu, FileId(0), &"<> true".into(), 0..7);
    let formula = formula.expect("a proper formula");
    let formula = program.compiled(&formula, &Fairness::default());
    let question = Question { formula: &formula, asked: &[] };
    for members in [vec![0], vec![1], vec![0, 1]] {
        let lifted = composition.lifted(&members, question).expect("room enough");
        let product = program.test_system.composition(100).expect("few states");
        let sound =
            sound_on_the_composition(&composition, &lifted, &product, &formula, &Counts::default());
        assert_eq!(sound, Ok(()), "{members:?}");
    }
}
