//! Random programs, against fixpoints on the composition.

use crate::asking::{Program, read};
use crate::generate::program;
use explicit::{Reason, Refinement};
use logic::Truth;
use model::Lifting;
use refine::{ConcretisationError, Policy};
use std::cell::Cell;
use testkit::{Case, Rng, for_seeds, modules};
use transition::Division;

#[derive(Default)]
struct Counts {
    compared: Cell<u32>,
    held: Cell<u32>,
    several: Cell<u32>,
    refused: Cell<u32>,
    open: Cell<u32>,
}

impl Counts {
    fn tell(&self, name: &str) {
        let Counts { compared, held, several, refused, open } = self;
        let [compared, held, several, refused, open] =
            [compared, held, several, refused, open].map(Cell::get);
        println!(
            "{name}: {compared} compared, {held} of them true, {several} by several components, \
             {refused} refused, {open} open"
        );
    }
}

fn add(cell: &Cell<u32>) {
    cell.set(cell.get() + 1);
}

/// How to ask.
struct Manner {
    division: Division,
    refinement: Refinement,
    policy: Policy,
}

impl Manner {
    fn plain(rng: &mut Rng) -> Self {
        let division = if rng.chance(0.7) { Division::Instances } else { Division::Recursive };
        Self { division, refinement: Refinement::default(), policy: Policy::default() }
    }

    fn odd(rng: &mut Rng) -> Self {
        let lifting = if rng.chance(0.5) { Lifting::Summaries } else { Lifting::Paper };
        let refinement = Refinement {
            eager: rng.chance(0.5),
            hyper: rng.chance(0.5),
            keep_colours: rng.chance(0.7),
            drop_absent: rng.chance(0.5),
            take_over: rng.chance(0.5),
            one_side_first: rng.chance(0.5),
            lifting,
            ..Refinement::default()
        };
        Self { refinement, ..Self::plain(rng) }
    }
}

fn document(rng: &mut Rng, case: &mut Case, is_modular: bool) -> Result<Program, String> {
    let text = if is_modular { modules(rng, 4) } else { program(rng) };
    case.note(&text);
    Ok(Program::new(read(&text)?))
}

fn compare(program: &Program, manner: &Manner, counts: &Counts) -> Result<(), String> {
    for surface in program.surfaces() {
        let expected = program.verdict(surface);
        let how = (&manner.division, manner.refinement.clone());
        let outcome = match program.refine(surface, how, manner.policy) {
            Ok(outcome) => outcome,
            Err(ConcretisationError::Stop(_)) if manner.policy.most_nodes < 1_000 => {
                add(&counts.open);
                continue;
            }
            Err(ConcretisationError::Stop(stop)) => return Err(format!("{stop:?}")),
            Err(_) => {
                add(&counts.refused);
                continue;
            }
        };
        let is_stopped = matches!(outcome.reason, Some(Reason::Stopped(_)));
        if is_stopped && manner.policy.most_nodes < 1_000 {
            add(&counts.open);
            continue;
        }
        if expected != Ok(outcome.verdict) {
            let (found, why) = (outcome.verdict, outcome.reason);
            return Err(format!("{found:?} {why:?}, by fixpoints {expected:?}: {}", surface.text));
        }
        add(&counts.compared);
        if outcome.verdict == Truth::True {
            add(&counts.held);
        }
        if outcome.stats.abstract_states.is_some_and(|sizes| sizes.len() > 1) {
            add(&counts.several);
        }
    }
    Ok(())
}

#[test]
fn verdicts_on_programs_of_all_kinds() {
    let counts = Counts::default();
    for_seeds("concretisations-programs", 0..300, |rng, case| {
        let program = document(rng, case, false)?;
        compare(&program, &Manner::plain(rng), &counts)
    });
    counts.tell("programs");
    assert!(counts.compared.get() > 1_000);
}

#[test]
fn verdicts_on_programs_of_several_modules() {
    let counts = Counts::default();
    for_seeds("concretisations-modules", 0..700, |rng, case| {
        let program = document(rng, case, true)?;
        compare(&program, &Manner::plain(rng), &counts)
    });
    counts.tell("modules");
    assert!(counts.compared.get() > 2_500 && counts.several.get() > 300);
}

#[test]
fn verdicts_do_not_depend_on_how_it_is_refined() {
    let counts = Counts::default();
    for_seeds("concretisations-manners", 0..250, |rng, case| {
        let program = document(rng, case, true)?;
        compare(&program, &Manner::odd(rng), &counts)
    });
    counts.tell("manners");
    assert!(counts.compared.get() > 800);
}

#[test]
fn reordering_in_the_middle_of_everything_changes_nothing() {
    let counts = Counts::default();
    for_seeds("concretisations-unrest", 0..60, |rng, case| {
        let program = document(rng, case, true)?;
        let unrest = Some(rng.between(5, 60) as u64);
        let policy = Policy { unrest, ..Policy::default() };
        compare(&program, &Manner { policy, ..Manner::plain(rng) }, &counts)
    });
    counts.tell("unrest");
    assert!(counts.compared.get() > 150);
}

#[test]
fn too_little_room_changes_a_verdict_only_to_none() {
    let counts = Counts::default();
    for_seeds("concretisations-room", 0..300, |rng, case| {
        let program = document(rng, case, true)?;
        let policy =
            Policy { most_nodes: rng.between(2, 400), reorder_at: None, ..Policy::default() };
        compare(&program, &Manner { policy, ..Manner::plain(rng) }, &counts)
    });
    counts.tell("room");
    assert!(counts.compared.get() > 100 && counts.open.get() > 100);
}

/// A definite verdict without an instance holds with any instance.
#[test]
fn a_verdict_without_an_instance_holds_with_it() {
    let counts = Counts::default();
    for_seeds("concretisations-missing", 0..60, |rng, case| {
        let program = document(rng, case, true)?;
        let name = format!("m{}", rng.below(2));
        let missing: Vec<_> = program.machine.instance(&name).into_iter().collect();
        case.note(format!("-- without {name}"));
        for surface in program.surfaces() {
            let manner = Manner::plain(rng);
            let how = (&manner.division, manner.refinement);
            let outcome = program.refine_without(surface, &missing, how, manner.policy);
            let Ok(outcome) = outcome else {
                add(&counts.refused);
                continue;
            };
            if !outcome.verdict.is_definite() {
                add(&counts.open);
            } else if Ok(outcome.verdict) == program.verdict(surface) || program.never_starts() {
                add(&counts.compared);
            } else {
                let expected = program.verdict(surface);
                return Err(format!("{:?}, with it {expected:?}", outcome.verdict));
            }
        }
        Ok(())
    });
    counts.tell("missing");
    assert!(counts.compared.get() > 40 && counts.open.get() > 40);
}
