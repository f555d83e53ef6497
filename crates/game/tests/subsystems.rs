//! Parts of a system with actions: how many edges they have.

use game::{ModelGame, Plan, Subformulas, SubsystemGame, ThreeValuedSolution};
use model::{IDLE, Interface, Lifting, lift};
use std::sync::Arc;
use support::{FileId, Monitor};

/// The formula distinguishes `b` from other steps of others, and one modality means both.
const TEXT: &str = "\
component A lts { init s; s: -a-> t; t: -a-> s; }
component B lts { init s; s: -b-> t; t: -c-> s; }
component C lts { init s; s: -b-> t; t: -a-> s; }
system A || B || C;
property p: mcf <true*.b.true*.a> true;
";

/// Several would be multiplied with each other by every product.
#[test]
fn a_component_stutters_by_one_move() {
    let text: Arc<str> = TEXT.into();
    let monitor = Monitor::new();
    let document = testkit::read_tm(FileId(0), &text, &monitor, &mut |_| Err(String::new()))
        .expect("a system");
    let system = document.system.expect("components");
    let composition = system.compose(&monitor).expect("it is small");
    let formula = testkit::compile_for(document.properties[0].surface().unwrap(), &composition);
    let (plan, interface) = (Plan::new(&formula), Interface::new(&system));
    let subformulas = Subformulas::of_plan(&formula, &plan);
    let asked: Vec<_> = formula.action_sets().values().cloned().collect();
    let lifted = lift(&system, &interface, 0, &asked, Lifting::Summaries, false);
    let classes = lifted.steps.iter().filter(|step| step.rule == IDLE);
    assert!(classes.count() > 1, "the formula distinguishes idle steps");
    let arena = ModelGame::new(&lifted.model, &formula, &plan, &monitor).expect("it is small");
    let solution = ThreeValuedSolution::new(&arena, &[arena.position(0, plan.root)], &monitor)
        .expect("no limit");
    let part = SubsystemGame::of_component(
        &arena,
        &solution,
        &lifted,
        &[0],
        &interface,
        &subformulas,
        &monitor,
    );
    let part = part.expect("no limit");
    let idle = |node| part.steps_of(node).filter(|(_, step)| step.rule == IDLE).count();
    let most = (0..part.graph.len() as u32).map(idle).max();
    assert_eq!(most, Some(1));
}
