//! Random programs.

use crate::asking::{Program, read};
use crate::generate::program;
use check::Refinement;
use logic::Truth;
use machine::Division;
use std::cell::Cell;
use testkit::{for_seeds, modules};
use worlds::{Halt, Policy};

#[derive(Default)]
struct Counts {
    compared: Cell<u32>,
    held: Cell<u32>,
    refused: Cell<u32>,
}

fn add(cell: &Cell<u32>) {
    cell.set(cell.get() + 1);
}

fn compare(
    program: &Program,
    division: &Division,
    refinement: &Refinement,
    counts: &Counts,
) -> Result<(), String> {
    for surface in program.surfaces() {
        let expected = program.verdict(surface);
        let how = (division, refinement.clone());
        let outcome = match program.refine(surface, how, Policy::default()) {
            Ok(outcome) => outcome,
            Err(Halt::Stop(stop)) => return Err(format!("{stop:?}")),
            Err(_) => {
                add(&counts.refused);
                continue;
            }
        };
        if expected != Ok(outcome.verdict) {
            let (found, why) = (outcome.verdict, outcome.reason);
            return Err(format!("{found:?} {why:?}, by fixpoints {expected:?}: {}", surface.text));
        }
        add(&counts.compared);
        if outcome.verdict == Truth::True {
            add(&counts.held);
        }
    }
    Ok(())
}

#[test]
fn verdicts_on_programs_of_all_kinds() {
    let counts = Counts::default();
    for_seeds("worlds-programs", 0..600, |rng, case| {
        let text = program(rng);
        case.note(&text);
        let division = if rng.chance(0.5) { Division::Instances } else { Division::Recursive };
        compare(&Program::new(read(&text)?), &division, &Refinement::default(), &counts)
    });
    let Counts { compared, held, refused } = &counts;
    println!("{compared:?} compared, {held:?} held, {refused:?} refused");
}

#[test]
fn verdicts_on_programs_of_several_modules() {
    let counts = Counts::default();
    for_seeds("worlds-modules", 0..800, |rng, case| {
        let text = modules(rng, 4);
        case.note(&text);
        let division = if rng.chance(0.7) { Division::Instances } else { Division::Recursive };
        compare(&Program::new(read(&text)?), &division, &Refinement::default(), &counts)
    });
    let Counts { compared, held, refused } = &counts;
    println!("{compared:?} compared, {held:?} held, {refused:?} refused");
}
