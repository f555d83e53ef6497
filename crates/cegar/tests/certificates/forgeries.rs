//! Certificates with something changed: none says what is not so, and what matters is missed.

use crate::made::{Asked, Made};
use crate::{PROGRAMS, all, made};
use audit::AfterDeadlock;
use audit::format::{CertificateKind, Checksum};
use audit::integers::Must;
use smt::{LinearAtom, Term, Variable};
use std::collections::BTreeMap;
use testkit::Rng;

/// A change, and a name for its kind.
type Forgery = (&'static str, Made);

fn changed(made: &Made, change: impl FnOnce(&mut Made)) -> Made {
    let mut made = made.clone();
    change(&mut made);
    made
}

fn one_more(term: &Term) -> Term {
    term.plus_constant(1).expect("a small number")
}

fn shifted(atom: &LinearAtom) -> LinearAtom {
    atom.with_term(one_more(atom.term()))
}

/// Every number of the abstraction, changed one at a time.
fn forgeries(made: &Made) -> Vec<Forgery> {
    let mut all = claims(made);
    all.extend(states(made));
    all.extend(steps(made));
    all.extend(rankings(made));
    all
}

fn claims(made: &Made) -> Vec<Forgery> {
    vec![
        ("verdict", changed(made, |m| m.claim.verdict ^= true)),
        ("digest", changed(made, |m| m.digest ^= 1)),
        ("deadlock", changed(made, |m| m.claim.deadlock = AfterDeadlock::Stutters)),
        ("formula", changed(made, |m| m.claim.formula += " ")),
        ("normal form", changed(made, |m| m.claim.normal_form[1] ^= 1)),
        ("propositions", changed(made, |m| m.names.push("p".to_owned()))),
        ("no steps", changed(made, |m| m.steps.clear())),
    ]
}

fn states(made: &Made) -> Vec<Forgery> {
    let mut all = Vec::new();
    let shown = &made.shown;
    for (place, atoms) in shown.atoms.iter().enumerate() {
        for number in 0..atoms.len() {
            let change = |m: &mut Made| {
                let atom = &mut m.shown.atoms[place][number];
                *atom = shifted(atom);
            };
            all.push(("atom", changed(made, change)));
        }
    }
    for (number, state) in shown.states.iter().enumerate() {
        for bit in 0..shown.atoms[state.location as usize].len() {
            all.push(("bit", changed(made, |m| m.shown.states[number].bits ^= 1 << bit)));
        }
        all.push(("place", changed(made, |m| m.shown.states[number].location ^= 1)));
        all.push(("initial added", changed(made, |m| m.shown.initial.push(number as u32))));
    }
    for number in 0..shown.initial.len() {
        all.push(("initial dropped", changed(made, |m| _ = m.shown.initial.remove(number))));
    }
    for number in 0..shown.positions.len() {
        all.push(("position dropped", changed(made, |m| _ = m.shown.positions.remove(number))));
        for class in 0..shown.rankings.len() {
            let change = |m: &mut Made| m.shown.positions[number].classes[class] ^= 1;
            all.push(("class of position", changed(made, change)));
        }
    }
    all
}

fn steps(made: &Made) -> Vec<Forgery> {
    let mut all = Vec::new();
    let count = made.shown.states.len() as u32;
    for (state, own) in made.shown.transitions.iter().enumerate() {
        for (number, transition) in own.iter().enumerate() {
            let mut add = |name, change: &dyn Fn(&mut audit::integers::ClaimedTransition)| {
                all.push((
                    name,
                    changed(made, |m| change(&mut m.shown.transitions[state][number])),
                ));
            };
            add("step", &|transition| transition.step ^= 1);
            add("no musts", &|transition| transition.musts.clear());
            for target in 0..transition.targets.len() {
                add("target changed", &|transition| {
                    transition.targets[target] = (transition.targets[target] + 1) % count;
                });
                add("must added", &|transition| {
                    let states = vec![transition.targets[target]];
                    transition.musts.push(Must { states, ..Must::default() });
                });
                add("named must added", &|transition| {
                    let naming = vec![(Variable(1), Term::default())];
                    transition
                        .musts
                        .push(Must { states: vec![transition.targets[target]], naming });
                });
            }
            for must in 0..transition.musts.len() {
                add("must changed", &|transition| {
                    let states = &mut transition.musts[must].states;
                    states[0] = (states[0] + 1) % count;
                });
                add("must weakened", &|transition| _ = transition.musts[must].states.pop());
                add("must named", &|transition| {
                    transition.musts[must].naming = vec![(Variable(2), Term::default())];
                });
            }
        }
        for (number, transition) in own.iter().enumerate() {
            for target in 0..transition.targets.len() {
                let change = |m: &mut Made| m.drop_target(state, number, target);
                all.push(("target dropped", changed(made, change)));
            }
            all.push(("step dropped", changed(made, |m| m.drop_transition(state, number))));
        }
    }
    all
}

fn rankings(made: &Made) -> Vec<Forgery> {
    let mut all = Vec::new();
    for (which, ranking) in made.shown.rankings.iter().enumerate() {
        let mut add = |name, change: &dyn Fn(&mut audit::integers::ClaimedRanking)| {
            all.push((name, changed(made, |m| change(&mut m.shown.rankings[which]))));
        };
        add("fixpoint", &|ranking| ranking.var += 1);
        for measure in 0..ranking.ranking_functions.len() {
            add("measure moved", &|ranking| {
                ranking.ranking_functions[measure] = one_more(&ranking.ranking_functions[measure]);
            });
            add("measure turned", &|ranking| {
                ranking.ranking_functions[measure] = ranking.ranking_functions[measure].negated();
            });
        }
        for level in 0..ranking.levels.len() {
            for state in 0..ranking.levels[level].len() {
                add("measure of state", &|ranking| {
                    let measure = &mut ranking.levels[level][state];
                    *measure = if measure.is_some() { None } else { Some(0) };
                });
            }
        }
        for edge in 0..ranking.classes.len() {
            for class in 0..ranking.count() as u32 {
                add("class", &|ranking| ranking.classes[edge] = class);
            }
        }
        add("level dropped", &|ranking| _ = ranking.levels.pop());
    }
    all
}

/// How often changes of a kind were missed, and how often there were any.
type Tally = BTreeMap<&'static str, (u32, u32)>;

fn try_all(asked: &Asked, made: &Made, tally: &mut Tally) {
    let truth = made.claim.verdict;
    for (name, forged) in forgeries(made) {
        let is_same = forged.bytes() == made.bytes();
        let checked = asked.check(&forged);
        if let Ok(verdict) = checked {
            assert_eq!(verdict, truth, "`{}`, {name} changed", asked.name);
        }
        let (refused, of) = tally.entry(name).or_default();
        *refused += u32::from(checked.is_err());
        *of += u32::from(!is_same);
    }
}

/// Harmless changes: to facts that no step of the proof needs, and weaker claims that still suffice.
const HARMLESS: [&str; 15] = [
    "atom",
    "bit",
    "class",
    "class of position",
    "initial added",
    "measure moved",
    "measure of state",
    "must added",
    "must changed",
    "must named",
    "must weakened",
    "named must added",
    "no musts",
    "position dropped",
    "level dropped",
];

#[test]
fn no_change_makes_a_lie_valid() {
    let mut tally = Tally::new();
    for (asked, made) in all() {
        try_all(&asked, &made, &mut tally);
    }
    println!("refused: {tally:?}");
    for (name, (refused, of)) in &tally {
        assert!(*refused > 0, "{name}: all {of} are accepted");
        assert!(refused == of || HARMLESS.contains(name), "{name}: {refused} of {of} refused");
    }
}

#[test]
fn changed_bytes_are_refused_or_true() {
    let mut rng = Rng::new(11);
    let mut refused = 0;
    for (asked, made) in all() {
        let bytes = made.bytes();
        let begin = audit::format::MAGIC.len();
        let header = CertificateKind::Integers.header(0).len();
        for _ in 0..400 {
            let mut forged = bytes[..bytes.len() - 8].to_vec();
            for _ in 0..rng.between(1, 3) {
                let place = rng.between(begin, forged.len() - 1);
                match rng.below(4) {
                    0 => _ = forged.remove(place),
                    1 => forged.insert(place, rng.below(256) as u8),
                    2 => forged[place] ^= 1 << rng.below(8),
                    _ => forged.truncate(place.max(header)),
                }
            }
            Checksum::seal(&mut forged);
            let checked = asked.audit(&forged, &mut smt::Embedded::new());
            refused += u32::from(checked.is_err());
            assert!(checked.is_err() || checked.is_ok_and(|verdict| verdict == made.claim.verdict));
        }
        let mut torn = bytes.clone();
        torn[bytes.len() / 2] ^= 1;
        assert!(asked.audit(&torn, &mut smt::Embedded::new()).is_err(), "the checksum");
    }
    assert!(refused > 4000, "{refused} are refused");
}

/// A certificate of one program, said to be about another.
#[test]
fn what_shows_something_of_one_program_shows_nothing_of_another() {
    let shapes = ["x - 1", "x + 1", "x", "0 - x", "x - 2", "any"];
    let text = |change: &str| PROGRAMS[0].replace("x - 1", change);
    let all: Vec<Vec<Asked>> = shapes.iter().map(|change| made::asked(&text(change))).collect();
    let mut refused = 0;
    for own in &all {
        for asked in own {
            let made = asked.made();
            for others in &all {
                for other in others.iter().filter(|other| other.name == asked.name) {
                    let forged = changed(&made, |m| m.digest = other.digest());
                    match other.check(&forged) {
                        Ok(verdict) => assert_eq!(verdict, other.made().claim.verdict),
                        Err(_) => refused += 1,
                    }
                }
            }
        }
    }
    assert!(refused > 50, "{refused} are refused");
}

/// Where a hole may lead, it need not.
#[test]
fn holes_have_no_musts() {
    let text =
        "var x : int := 0; var y : int := 0; hole net(x); y := 1; fin property p: ctl AG y <= 1;";
    let [asked] = &crate::made::asked(text)[..] else { panic!("one property") };
    let made = asked.made();
    assert_eq!(asked.check(&made), Ok(true));
    let steps = &asked.document.program.steps;
    let mut refused = 0;
    for state in 0..made.shown.states.len() {
        for number in 0..made.shown.transitions[state].len() {
            let transition = &made.shown.transitions[state][number];
            if !steps[transition.step as usize].is_may_only {
                continue;
            }
            assert!(transition.musts.is_empty());
            let must = Must { states: transition.targets.clone(), naming: Vec::new() };
            let add = |m: &mut Made| m.shown.transitions[state][number].musts.push(must.clone());
            let fault = asked.check(&changed(&made, add)).expect_err("a must of a hole");
            assert!(fault.contains("of a hole must lead somewhere"), "{fault}");
            refused += 1;
        }
    }
    assert!(refused > 2, "{refused}");
}
