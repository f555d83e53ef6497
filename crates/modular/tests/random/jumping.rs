//! Programs with `assert`, jumps and recursive calls against an interpreter of their commands and the reference
//! semantics.

use crate::evidence::is_to_the_point;
use crate::{EVERYTHING, closure, request, run};
use front::GivenQuestion;
use logic::{Logic, Truth};
use modular::{InMemory, ModularRequest, PathState, check};
use std::cell::Cell;
use std::sync::Arc;
use support::{FileId, Monitor};
use testkit::programs::{JumpingText, RandomCuts, has_stacked_path, jumping_text, stacked_model};
use testkit::{Rng, WhileDocument, compile_for, for_seeds, read_while_asking, reference};
use transition::cfg::{CommandId, Partition};

pub fn read(text: &JumpingText) -> Result<WhileDocument, String> {
    let question = |(index, formula): (usize, &String)| GivenQuestion {
        logic: Logic::Ctl,
        file: FileId(index as u32 + 1),
        text: formula.as_str().into(),
    };
    let asked: Vec<GivenQuestion> = text.formulas.iter().enumerate().map(question).collect();
    let program: Arc<str> = text.program.as_str().into();
    read_while_asking(FileId(0), &program, &asked).map_err(|errors| format!("{errors:?}"))
}

/// How many frames the oracle looks at.
const DEEPEST: usize = 5;

/// The reference verdict of each formula, with calls up to some depth; `None` if there are too many states.
pub fn expected(document: &WhileDocument) -> Option<Vec<Truth>> {
    let model = stacked_model(&document.program, &document.propositions, DEEPEST, 1500)?;
    let truth = |surface: &logic::Surface| {
        let formula = compile_for(surface, &model);
        let values = reference::evaluate(&model, &formula);
        let initial = model.init().iter().map(|&state| values.truth(formula.root(), state));
        initial.fold(Truth::True, |all, one| all.and(one.expect("no state is contradictory")))
    };
    Some(document.properties.iter().map(|own| truth(own.surface().unwrap())).collect())
}

/// How many verdicts were compared, and how many of them were definite and true or false.
fn compare(name: &str, seeds: u64, is_recursive: bool) -> [u32; 3] {
    let counts = [const { Cell::new(0) }; 3];
    for_seeds(name, 0..seeds, |rng: &mut Rng, case| {
        let text = jumping_text(rng, is_recursive);
        case.note(&text.program);
        case.note(format!("{:?}", text.formulas));
        let document = read(&text)?;
        let Some(expected) = expected(&document) else { return Ok(()) };
        let partition = Partition::new(&document.program, &mut RandomCuts::new(rng));
        let outcome = run(&document, &partition, rng, &[]);
        for ((formula, expected), found) in text.formulas.iter().zip(expected).zip(outcome.verdicts)
        {
            counts[0].set(counts[0].get() + 1);
            let place = match expected {
                Truth::True => 1,
                Truth::False => 2,
                Truth::Unknown => continue,
            };
            let is_new = document.program.recursion().is_some() == is_recursive;
            counts[place].set(counts[place].get() + u32::from(is_new));
            if found != expected {
                return Err(format!("{formula}: {found:?} and not {expected:?}"));
            }
        }
        Ok(())
    });
    counts.map(|count| count.get())
}

#[test]
fn jumps_agree_with_an_interpreter() {
    let counts = compare("modular-jumps", 2000, false);
    assert!(counts[1] > 300 && counts[2] > 300, "{counts:?}");
}

/// A definite verdict of the oracle is that of all stacks.
#[test]
fn recursion_agrees_with_an_interpreter() {
    let counts = compare("modular-recursion", 2000, true);
    assert!(counts[1] > 300 && counts[2] > 300, "{counts:?}");
}

/// The path through calls and returns of each verdict is one of the interpreter's, and shows the formula.
#[test]
fn paths_through_recursion_are_runs() {
    let shown = Cell::new(0);
    for_seeds("modular-recursion-paths", 0..800, |rng: &mut Rng, case| {
        let text = jumping_text(rng, true);
        case.note(&text.program);
        case.note(format!("{:?}", text.formulas));
        let document = read(&text)?;
        if document.program.recursion().is_none() {
            return Ok(());
        }
        let partition = Partition::new(&document.program, &mut RandomCuts::new(rng));
        let (closure, store, monitor) = (closure(&document), InMemory::default(), Monitor::new());
        let request = request(&document, &partition, &closure, &store, &monitor, rng);
        let outcome = check(&ModularRequest { wish: EVERYTHING, ..request });
        let evidence = outcome.expect("nothing stops it").evidence.ok_or("there is no evidence")?;
        for (root, path) in closure.roots.iter().zip(&evidence.paths) {
            let path = path.as_ref().ok_or("there is no path")?;
            let again = path.loop_start.map(|at| &path.states[at]);
            let states: Vec<_> = path.states.iter().chain(again).map(place).collect();
            let atoms = &document.propositions;
            if !has_stacked_path(&document.program, atoms, 2 * DEEPEST, &states) {
                return Err(format!("no run is {path:?}"));
            }
            if !is_to_the_point(&document, &closure, root.certain, path) {
                return Err(format!("this shows nothing: {path:?}"));
            }
            shown.set(shown.get() + usize::from(path.states.len() > 3));
        }
        Ok(())
    });
    if std::env::var_os("TERTIUM_SEED").is_none() {
        assert!(shown.get() > 100, "{}", shown.get());
    }
}

fn place(state: &PathState) -> (Option<CommandId>, Vec<i64>) {
    (state.command, state.values.clone())
}

/// The oracle knows them to no depth: what goes down and comes up again, as often as it went down.
#[test]
fn verdicts_that_need_unbounded_stacks() {
    let program = "
        var up : 0..1 := 0; var x : bool; var n : 0..2 := 0;
        proc p(in odd : 0..1) {
            x := any;
            if x then down: p(1 - odd) else n := 2; up := 1 fi;
            back: assert up = 1;
            if odd = 1 then n := 1 else n := 0 fi
        }
        p(0); done: fin";
    let formulas = [
        ("AG !error", Truth::True),
        ("AF at_done", Truth::False),
        ("AG (at_done -> n = 0)", Truth::True),
        ("AG EF at_done", Truth::True),
        ("AG (up = 1 -> AF at_done)", Truth::True),
        // Frames alternate, also between the block and its root.
        ("AG (at_back & p.odd = 1 -> A[!at_done U (at_back & p.odd = 0)])", Truth::True),
        ("EG (up = 0)", Truth::True),
        ("EF EG (at_back | !at_back & !at_done & up = 1)", Truth::False),
        ("AG (at_down & p.odd = 1 -> EX (p.odd = 0))", Truth::True),
    ];
    for (formula, expected) in formulas {
        let text = JumpingText { program: program.to_owned(), formulas: vec![formula.to_owned()] };
        let document = read(&text).unwrap();
        let partition = Partition::new(&document.program, &mut transition::cfg::OneBlock);
        let outcome = run(&document, &partition, &mut Rng::new(0), &[]);
        assert_eq!(outcome.verdicts, [expected], "{formula}");
    }
}
