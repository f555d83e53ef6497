//! The program of the experiment (X §6, Fig. 3).

use MixedSemantics::{Reduced, Standard};
use Truth::{False, True, Unknown};
use cegar::abstraction::blocks;
use logic::{Family, Formula, Logic, PropId, Signature, Truth, compile};
use std::time::{Duration, Instant};
use support::{FileId, Interner, Monitor};
use symbolic::Policy;
use symbolic::mixed::{Evaluated, IterationOrder, Mixed, MixedSemantics, Reduction};
use transition::abstracted::Abstracted;

fn property(program: &Abstracted, text: &str) -> Formula {
    let mut props: Interner<PropId> = Interner::new();
    program.propositions.iter().for_each(|(name, _)| {
        props.intern(name);
    });
    let surface = front::parse_formula(Logic::Mu, FileId(0), &text.into(), 0..text.len());
    let signature = Signature { family: Family::Props, props: &props, actions: &[] };
    compile(&surface.expect("a formula"), &signature, &mut Vec::new()).expect("it fits")
}

struct Run {
    mixed: Mixed,
    evaluated: Evaluated,
    /// In both sets of initial states.
    verdicts: [Truth; 2],
    encoding: Duration,
    time: Duration,
    reduction: Duration,
}

fn run(program: &Abstracted, number: usize, semantics: MixedSemantics) -> Run {
    let policy = Policy {
        reorder_at: None,
        most_vars: usize::MAX,
        most_nodes: 1 << 26,
        ..Policy::default()
    };
    let formula = property(program, blocks::PROPERTIES[number - 1].1);
    let start = Instant::now();
    let mut mixed = Mixed::of_program(program, semantics, policy, &Monitor::new()).expect("room");
    let (encoding, start) = (start.elapsed(), Instant::now());
    let (mut reduction, mut begun) = (Duration::ZERO, start);
    let mut watch = |moment| match moment {
        Reduction::Begins => begun = Instant::now(),
        Reduction::Ends => reduction += begun.elapsed(),
    };
    let evaluated = mixed.evaluate(&formula, IterationOrder::Together, &mut watch).expect("room");
    let time = start.elapsed();
    let verdicts = [0, 1].map(|at| {
        let found = mixed.within(&evaluated, &program.starts[at]).expect("room");
        assert_eq!(found.verdict(), found.reduced());
        found.verdict().expect("no contradiction")
    });
    Run { mixed, evaluated, verdicts, encoding, time, reduction }
}

fn on_a_deep_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(work);
    thread.expect("a thread").join().expect("it ends");
}

/// The paper's pattern: the reduced semantics decides what the standard one leaves open.
#[test]
fn verdicts_and_iterations_of_small_programs() {
    for n in 1..=4 {
        let program = blocks::abstracted(n, &Monitor::new()).expect("it is abstracted");
        let n = u64::from(n);
        let cases = [
            (1, Standard, [True, Unknown], 3 * n + 2),
            (1, Reduced, [True, True], 4 * n + 2),
            (2, Standard, [True, Unknown], 2 * n + 2),
            (2, Reduced, [True, True], 2),
            (3, Standard, [False, False], 4 * n + 2),
            (3, Reduced, [False, False], 4 * n + 2),
        ];
        for (number, semantics, verdicts, iterations) in cases {
            let run = run(&program, number, semantics);
            let name = format!("Prop{number}, {n} blocks, {semantics:?}");
            assert_eq!(run.verdicts, verdicts, "{name}");
            assert_eq!(run.evaluated.iterations, iterations, "{name}");
            assert_eq!(run.evaluated.all_iterations, iterations, "{name}");
        }
    }
}

/// For measuring: `TERTIUM_BLOCKS=2000 cargo test --release … -- --ignored --nocapture`.
#[test]
#[ignore = "it takes a while, and says how long"]
fn figures_of_large_programs() {
    on_a_deep_stack(|| {
        let blocks: u32 =
            std::env::var("TERTIUM_BLOCKS").ok().and_then(|n| n.parse().ok()).unwrap_or(200);
        let program = blocks::abstracted(blocks, &Monitor::new()).expect("it is abstracted");
        for number in 1..=3 {
            for semantics in [Standard, Reduced] {
                let run = run(&program, number, semantics);
                println!(
                    "Prop{number} n={blocks} {semantics:?}: {:?} {} iterations, {:.2?} + {:.2?} of which {:.2?} \
                     reducing; model {} nodes, peak {}, steps {} of which {} reducing",
                    run.verdicts,
                    run.evaluated.iterations,
                    run.encoding,
                    run.time,
                    run.reduction,
                    run.mixed.relation_nodes(),
                    run.mixed.peak_nodes(),
                    run.evaluated.steps,
                    run.evaluated.reduction_steps,
                );
            }
        }
    });
}
