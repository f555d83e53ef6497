//! While-programs: the meaning of a program and that of its partition graphs are the same (M Lemma A.1), by the
//! definitions of the paper and by what `cfg` makes of them.

use explicit::{DIRECT, Request};
use logic::{Logic, Truth};
use model::{Mode, ModelBuilder, PartialModel, System};
use std::cell::Cell;
use std::sync::Arc;
use support::{FileId, Monitor};
use testkit::WhileDocument;
use testkit::programs::{
    Assembled, Choice, Command, Ctl, Domain, Expr, Kind, Operator, Oracle, Program, Quantifier,
    RandomCuts, Scope, Size, StateOperator, Target, Var, all_partitions, explicit_model, fill,
    fillings, partition_graph_count, partition_graphs, random_ctl, random_program, to_cfg,
};
use testkit::reference::evaluate;
use testkit::{Case, Rng, compile_for, for_seeds};
use transition::cfg::{OneBlock, Partition, Statements};

fn noted(rng: &mut Rng, case: &mut Case, size: Size) -> (Program, Oracle) {
    let program = random_program(rng, size);
    case.note(program.text());
    let oracle = Oracle::new(&program);
    (program, oracle)
}

/// M Lemma A.1, by the definitions alone.
#[test]
fn every_partition_graph_means_what_the_program_means() {
    for_seeds("partition-graphs", 0..300, |rng, case| {
        let size = Size { valuations: 12, commands: 5, depth: 2, ..Size::small() };
        let (_, oracle) = noted(rng, case, size);
        let Oracle { flat, valuations, structure, .. } = &oracle;
        if partition_graph_count(flat, &flat.body, 500) == 500 {
            return Ok(());
        }
        let graphs = partition_graphs(flat, valuations, &flat.body);
        assert_eq!(graphs.len(), partition_graph_count(flat, &flat.body, 500));
        for graph in graphs {
            let joined = graph.structure(valuations);
            if joined != *structure {
                return Err(format!("{graph:?} has another structure: {joined:?}, {structure:?}"));
            }
        }
        Ok(())
    });
}

fn same(
    program: &transition::cfg::Program,
    partition: &Partition,
    oracle: &Oracle,
) -> Result<(), String> {
    let assembled = Assembled::new(program, partition);
    assembled.compare(program, oracle).map_err(|error| format!("{partition:?}: {error}"))
}

/// M Lemma A.1 for `cfg`: random cuts, none, and all.
#[test]
fn blocks_put_together_are_the_program() {
    for_seeds("pieces", 0..1000, |rng, case| {
        let (program, oracle) = noted(rng, case, Size::small().with_procedures());
        let program = to_cfg(&program);
        same(&program, &Partition::new(&program, &mut OneBlock), &oracle)?;
        same(&program, &Partition::new(&program, &mut Statements), &oracle)?;
        let partition = Partition::new(&program, &mut RandomCuts::new(rng));
        same(&program, &partition, &oracle)
    });
}

/// The reader gives back the program that was printed.
#[test]
fn the_reader_reads_what_is_meant() {
    for_seeds("while-text", 0..3000, |rng, case| {
        let (program, oracle) = noted(rng, case, Size::small().with_procedures());
        let text: Arc<str> = program.text().into();
        let read = testkit::read_while(FileId(0), &text).map_err(|errors| format!("{errors:?}"))?;
        let partition = Partition::new(&read.program, &mut RandomCuts::new(rng));
        same(&read.program, &partition, &oracle)
    });
}

/// All partitions give the same program.
#[test]
fn all_blocks_put_together_are_the_program() {
    for_seeds("all-pieces", 0..300, |rng, case| {
        let size = Size { valuations: 16, commands: 4, depth: 2, procedures: 1, holes: 0 };
        let (program, oracle) = noted(rng, case, size);
        let program = to_cfg(&program);
        let Some(partitions) = all_partitions(&program, 300) else { return Ok(()) };
        partitions.iter().try_for_each(|partition| same(&program, partition, &oracle))
    });
}

/// All states of the oracle, with what these atoms say.
fn model_of(oracle: &Oracle, atoms: &[Ctl]) -> PartialModel {
    let mut builder = ModelBuilder::new(model::Kind::Kripke, "program");
    let states: Vec<u32> =
        (0..oracle.state_count()).map(|state| builder.state(format!("s{state}"))).collect();
    builder.init(states[0]);
    for (number, atom) in atoms.iter().enumerate() {
        let prop = builder.prop(&format!("at_{number}"));
        for (&state, holds) in states.iter().zip(oracle.set(atom)) {
            builder.label(state, prop, holds.into());
        }
    }
    for (number, &state) in states.iter().enumerate() {
        for &next in oracle.successors(number) {
            builder.edge(state, None, Mode::BOTH, states[next]);
        }
    }
    builder.finish()
}

/// The oracle's CTL against the reference semantics of the translation into fixpoints.
#[test]
fn ctl_means_what_the_reference_says() {
    for_seeds("program-ctl", 0..400, |rng, case| {
        let size = Size { valuations: 16, ..Size::small() };
        let (program, oracle) = noted(rng, case, size);
        let size = rng.between(2, 8);
        let formula = random_ctl(rng, &program, size);
        case.note(format!("property failing: ctl {};", formula.text(&program)));
        let mut atoms = Vec::new();
        let named = formula.with_atoms(&mut |atom| {
            atoms.push(atom.clone());
            Ctl::At((atoms.len() - 1).to_string())
        });
        let text: Arc<str> = named.text(&program).into();
        let surface = front::parse_formula(Logic::Ctl, FileId(0), &text, 0..text.len())
            .map_err(|errors| format!("{text}: {errors:?}"))?;
        let model = model_of(&oracle, &atoms);
        let compiled = compile_for(&surface, &model);
        let values = evaluate(&model, &compiled);
        for (state, holds) in oracle.set(&formula).into_iter().enumerate() {
            let value = values.at(compiled.root(), state as u32).truth();
            if value != Some(Truth::from(holds)) {
                return Err(format!("{text} in {state}: {value:?} instead of {holds}"));
            }
        }
        Ok(())
    });
}

/// `x := 0; while x < 2 do x := x + 1 od; done: fin`
fn counter() -> Program {
    let x = || Expr::Var(0);
    let assign =
        |value: Expr| Command::from(Kind::Assign(Target::Var(0), Choice::OneOf(vec![value])));
    let more = Expr::binary(Operator::Add, x(), Expr::Int(1));
    let test = Expr::binary(Operator::Lt, x(), Expr::Int(2));
    let count = Kind::While { test, body: vec![assign(more)] };
    let (name, domain) = ("x".to_owned(), Domain::Range(0, 3));
    Program {
        vars: vec![Var { name, domain, elements: None, start: vec![1, 2], scope: Scope::Program }],
        body: vec![assign(Expr::Int(0)), count.into()],
        last_labels: vec!["done".to_owned()],
        ..Program::default()
    }
}

fn next(times: usize, formula: Ctl) -> Ctl {
    (0..times)
        .fold(formula, |inner, _| Ctl::State(Quantifier::All, StateOperator::Next, Box::new(inner)))
}

/// M Def. A.2: to evaluate a condition is a step, and `fin` goes on for ever.
#[test]
fn every_condition_is_a_step() {
    let program = counter();
    let oracle = Oracle::new(&program);
    // Four places and `error`.
    assert_eq!(oracle.state_count(), 5 * 4);
    assert_eq!(oracle.initial(), [1, 2]);
    let done = || Ctl::At("done".to_owned());
    // One assignment, two rounds of two steps each, and the test that ends the loop.
    for steps in 0..10 {
        assert_eq!(oracle.holds(&next(steps, done())), steps >= 6, "after {steps} steps");
    }
    assert!(!oracle.satisfying(&next(6, done())).is_empty());
}

/// A value that the variable cannot have: the place `error`, in which nothing changes any more.
#[test]
fn what_goes_wrong_stays_wrong() {
    let mut program = counter();
    let wrong = Kind::Assign(Target::Var(0), Choice::OneOf(vec![Expr::Int(4), Expr::Int(3)]));
    program.body = vec![wrong.into()];
    let oracle = Oracle::new(&program);
    let is = |value: i64| Ctl::Holds(Expr::binary(Operator::Eq, Expr::Var(0), Expr::Int(value)));
    let state = |quantifier, operator, inner| Ctl::State(quantifier, operator, Box::new(inner));
    let both = |left: Ctl, right: Ctl| Ctl::And(Box::new(left), Box::new(right));
    let stays = state(Quantifier::All, StateOperator::Globally, both(Ctl::Error, is(1)));
    let possible = state(Quantifier::Exists, StateOperator::Next, stays);
    assert_eq!(oracle.satisfying(&possible), [1]);
    assert!(!oracle.holds(&next(1, Ctl::Error)));
    let well = both(is(3), Ctl::At("done".to_owned()));
    assert!(oracle.holds(&state(Quantifier::Exists, StateOperator::Next, well)));
}

#[test]
fn fillings_are_all_there_and_fit() {
    let mut program = counter();
    program.vars[0].domain = Domain::Bool;
    program.vars[0].start.clear();
    let (name, frame) = ("part".to_owned(), vec![0]);
    let hole = Kind::Hole { name, frame };
    program.body = vec![Command { labels: vec!["here".to_owned()], kind: hole }];
    // `skip`, two constants, `any`, and what goes wrong; four tests.
    let (simple, tests) = (5, 4);
    let two = simple * simple + 2 * tests * simple;
    let found: Vec<Vec<Command>> = fillings(&program, &[0], 2).collect();
    assert_eq!(found.len(), simple + two);
    for (number, fragment) in found.iter().enumerate() {
        assert!(!found[..number].contains(fragment), "twice: {fragment:?}");
        let filled = fill(&program, "part", fragment);
        assert!(filled.holes().is_empty());
        assert!(Oracle::new(&filled).holds(&Ctl::At("here".to_owned())));
    }
}

/// Of the first property.
fn reference(document: &WhileDocument) -> Truth {
    let model = explicit_model(&document.program, &document.propositions);
    let compiled = compile_for(document.properties[0].surface().unwrap(), &model);
    let values = evaluate(&model, &compiled);
    let at = |&state: &u32| values.truth(compiled.root(), state).expect("no contradiction");
    model.init().iter().map(at).fold(Truth::True, Truth::and)
}

/// The first property by the machine of the program: its states, one by one, and the game on them.
fn direct(document: &WhileDocument, text: &str, whole: bool) -> Truth {
    let transition::cfg::ProgramMachine { machine, propositions: properties, .. } =
        transition::cfg::machine_of(&document.program, text, &document.propositions);
    let slice = match whole {
        true => machine.unsliced(),
        false => machine.cone(properties.iter().map(|property| property.node)),
    };
    let monitor = Monitor::new();
    let found = transition::enumerate(&machine, &slice, &properties, 1 << 20, &monitor);
    let found = found.unwrap_or_else(|halt| panic!("{halt:?}"));
    assert!(found.deadlocks.is_clear(), "no program stops");
    if whole {
        let states = explicit_model(&document.program, &document.propositions).states();
        assert_eq!(found.model.states(), states);
    }
    let formula = compile_for(document.properties[0].surface().unwrap(), &found.model);
    let system = System::single(found.model);
    let request = Request::new(&system, &formula, &monitor);
    DIRECT.run(&request).unwrap_or_else(|error| panic!("{error:?}")).verdict
}

/// Verdicts on texts: what the reader makes of them, by the reference semantics and by machines, against the
/// oracle.
#[test]
fn verdicts_on_texts_are_those_of_the_oracle() {
    for_seeds("while-verdicts", 0..5000, |rng, case| {
        let size = Size { valuations: 32, ..Size::small().with_procedures() };
        let program = random_program(rng, size);
        let size = rng.between(2, 8);
        let formula = random_ctl(rng, &program, size);
        let text = format!("{}property asked: ctl {};\n", program.text(), formula.text(&program));
        case.note(&text);
        let text: Arc<str> = text.into();
        let read = testkit::read_while(FileId(0), &text).map_err(|errors| format!("{errors:?}"))?;
        let meant = Truth::from(Oracle::new(&program).holds(&formula));
        let whole = rng.chance(0.5);
        for (way, verdict) in
            [("reference", reference(&read)), ("direct", direct(&read, &text, whole))]
        {
            if verdict != meant {
                return Err(format!("{way}: {verdict:?} instead of {meant:?}\n{text}"));
            }
        }
        Ok(())
    });
}

/// Definite verdicts of a program with a hole hold for every filling.
#[test]
fn definite_verdicts_hold_for_every_filling() {
    let (definite, unknown) = (Cell::new(0), Cell::new(0));
    for_seeds("fillings", 0..600, |rng, case| {
        let size = Size { valuations: 8, commands: 5, depth: 2, procedures: 0, holes: 1 };
        let program = random_program(rng, size);
        let holes = program.holes();
        let [(hole, frame)] = &holes[..] else { return Ok(()) };
        let size = rng.between(2, 5);
        let formula = random_ctl(rng, &program, size);
        let text = format!("{}property asked: ctl {};\n", program.text(), formula.text(&program));
        case.note(&text);
        let read =
            testkit::read_while(FileId(0), &text.into()).map_err(|errors| format!("{errors:?}"))?;
        let verdict = reference(&read);
        let seen = if verdict == Truth::Unknown { &unknown } else { &definite };
        seen.set(seen.get() + 1);
        for fragment in fillings(&program, frame, 2) {
            let filled = fill(&program, hole, &fragment);
            let holds = Truth::from(Oracle::new(&filled).holds(&formula));
            if verdict != Truth::Unknown && verdict != holds {
                return Err(format!("{verdict:?}, but {holds:?} for\n{}", filled.text()));
            }
        }
        Ok(())
    });
    let (definite, unknown) = (definite.get(), unknown.get());
    assert!(definite > 20 && unknown > 20, "{definite} definite, {unknown} unknown");
}
