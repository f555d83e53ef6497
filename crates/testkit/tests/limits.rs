//! Every engine takes its memory from the account of its check, and stops soon when it is cancelled.

use assume::{AnalysisPlan, InitialAbstraction, SafetyQuestion, Synthesis};
use bdd::{Manager, Policy, Stop};
use explicit::{COMPOSITIONAL, Checker, DIRECT, REFINE, Reason, Request};
use game::solve::{Algorithm, solve};
use game::{ParityGame, Player};
use model::{PartialModel, System};
use refine::ConcreteComponents;
use std::fmt::Write;
use std::sync::Arc;
use support::{FileId, Monitor, Stopped};
use symbolic::SymbolicChecker;
use testkit::SmvDocument;
use testkit::{Rng, keeps_its_limits};
use transition::Division;

const MEGABYTE: u64 = 1 << 20;

/// Components that have nothing to do with each other, so that there are 4^components states; a property of the first
/// of them, and one of all.
fn loose(components: usize) -> (System, PartialModel, logic::Formula) {
    let mut text = String::new();
    for c in 0..components {
        writeln!(
            text,
            "component C{c} lts {{ init s0; s0: -a{c}-> s1; s1: -b{c}-> s2; s2: -c{c}-> s3; \
             s3: -d{c}-> s0; }}"
        )
        .unwrap();
    }
    let names: Vec<String> = (0..components).map(|c| format!("C{c}")).collect();
    writeln!(text, "system {};", names.join(" || ")).unwrap();
    text += "safety turns lts { actions a0, b0; init s; s: -a0-> t; t: -b0-> s; }\n";
    let all: String = (0..components).map(|c| format!("true*.a{c}.")).collect();
    writeln!(text, "property p: mcf [true*] <{all}true*> true;").unwrap();
    let read =
        testkit::read_tm(FileId(0), &text.into(), &Monitor::new(), &mut |_| Err(String::new()));
    let mut document = read.expect("a document");
    let system = document.system.expect("components");
    let formula = testkit::compile_for(
        document.properties[0].surface().unwrap(),
        &system.components[0].model,
    );
    (system, document.safeties.remove(0).model, formula)
}

fn smv(text: &str) -> SmvDocument {
    testkit::read_smv(FileId(0), &Arc::from(text)).expect("a program")
}

/// Multiplication, which no order of the variables makes small.
fn product() -> SmvDocument {
    smv("MODULE main VAR x : 0..65535; y : 0..65535;
         TRANS next(x) = (x * y + y * next(y)) mod 65536
         SPEC AG (x = 3 -> EF y = 5)")
}

fn explicit_run(method: Checker, monitor: &Monitor) -> Result<(), Stopped> {
    let (system, _, formula) = loose(16);
    let request = Request::new(&system, &formula, monitor);
    match method.run(&request).expect("an outcome").reason {
        Some(Reason::Stopped(stopped)) => Err(stopped),
        _ => Ok(()),
    }
}

#[test]
fn composing() {
    keeps_its_limits(MEGABYTE, |monitor| match loose(16).0.compose(monitor) {
        Err(model::ComposeError::Stopped(stopped)) => Err(stopped),
        _ => Ok(()),
    });
}

#[test]
fn explicit_methods() {
    for method in [DIRECT, COMPOSITIONAL, REFINE] {
        println!("{method:?}");
        keeps_its_limits(MEGABYTE, |monitor| explicit_run(method, monitor));
    }
}

#[test]
fn enumerating() {
    let vars: String = (0..40).map(|bit| format!("VAR b{bit} : boolean; ")).collect();
    let document = smv(&format!("MODULE main {vars}"));
    let machine = &document.machine;
    keeps_its_limits(MEGABYTE, |monitor| {
        match transition::enumerate(machine, &machine.unsliced(), &[], usize::MAX, monitor) {
            Err(transition::StepError::Stopped(stopped)) => Err(stopped),
            _ => Ok(()),
        }
    });
}

#[test]
fn solving() {
    let (mut rng, nodes) = (Rng::new(1), 600_000);
    let offsets = (0..=nodes as u32).map(|node| node * 3).collect();
    let successors = (0..nodes * 3).map(|_| rng.below(nodes) as u32).collect();
    let player = |odd| if odd { Player::Falsifier } else { Player::Verifier };
    let owners = (0..nodes).map(|_| player(rng.chance(0.5))).collect();
    let priorities = (0..nodes).map(|_| rng.below(nodes) as u32).collect();
    let game = ParityGame::new(priorities, owners, offsets, successors);
    for algorithm in [Algorithm::Zielonka, Algorithm::Components, Algorithm::Tangle] {
        println!("{algorithm:?}");
        keeps_its_limits(MEGABYTE, |monitor| -> Result<(), Stopped> {
            loop {
                solve(&game, algorithm, monitor)?;
            }
        });
    }
}

#[test]
fn manager() {
    keeps_its_limits(MEGABYTE, |monitor| {
        {
            let mut manager =
                Manager::new(monitor, Policy { most_nodes: 1 << 26, ..Policy::default() });
            let vars: Vec<_> = (0..64).map(|_| manager.add_group::<1>()[0]).collect();
            let mut sum = manager.constant(false);
            let mut rng = Rng::new(1);
            for _ in 0..300 {
                let three = [0; 3].map(|_| (*rng.pick(&vars), rng.chance(0.5)));
                let product = manager.conjunction(three)?;
                sum = manager.xor(&sum, &product)?;
            }
            Ok::<_, Stop>(())
        }
        .map_err(Stopped::from)
    });
}

#[test]
fn symbolic_methods() {
    let document = product();
    let (machine, slice) = (&document.machine, document.machine.unsliced());
    keeps_its_limits(MEGABYTE, |monitor| {
        let subject =
            symbolic::LabelledMachine { machine, slice: &slice, labels: &[], conditions: &[] };
        match SymbolicChecker::with_policy(
            subject,
            Policy { most_nodes: 1 << 26, ..Policy::default() },
            monitor,
        ) {
            Err(symbolic::SymbolicError::Stop(stop)) => Err(stop.into()),
            _ => Ok(()),
        }
    });
    keeps_its_limits(MEGABYTE, |monitor| {
        let division = &Division::Instances;
        let subject = refine::RefinedMachine {
            machine,
            labels: &[],
            division,
            missing: &[],
            leaves_open: true,
        };
        match ConcreteComponents::new(
            subject,
            Policy { most_nodes: 1 << 26, ..Policy::default() },
            monitor,
        ) {
            Err(refine::ConcretisationError::Stop(stop)) => Err(stop.into()),
            _ => Ok(()),
        }
    });
}

#[test]
fn assumptions() {
    let (system, safety, _) = loose(14);
    let question = SafetyQuestion::new(&system, 0, &safety).expect("a question");
    keeps_its_limits(MEGABYTE, |monitor| assume::search(&question, monitor));
    keeps_its_limits(MEGABYTE, |monitor| {
        let synthesis =
            Synthesis::new(&question, InitialAbstraction::Discrete, AnalysisPlan::Both, monitor);
        synthesis.map(|_| ())
    });
}
