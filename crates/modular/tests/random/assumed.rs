//! Holes of which something is assumed, against what could stand there and does as is assumed.

use crate::calls::outcome;
use crate::evidence::is_shown;
use crate::{read, run};
use front::read_assumption;
use logic::Truth;
use std::cell::Cell;
use support::FileId;
use testkit::WhileDocument;
use testkit::programs::{
    Command, Ctl, Expr, Oracle, PathOperator, Program, Quantifier, RandomCuts, Size, StateOperator,
    VarIndex, fill, fillings, random_ctl, random_program,
};
use testkit::{Rng, for_seeds};
use transition::cfg::{Assumed, Partition};

/// Where a hole has ended: the label of the `fin` after what stands in its location.
const END: &str = "end";

/// Assumption on a hole, as CTL over its statements.
struct Assumption(Ctl);

fn globally(operand: Ctl) -> Ctl {
    Ctl::State(Quantifier::All, StateOperator::Globally, Box::new(operand))
}

fn both(a: Ctl, b: Ctl) -> Ctl {
    Ctl::And(Box::new(a), Box::new(b))
}

fn truth(value: bool) -> Ctl {
    Ctl::Holds(Expr::Bool(value))
}

fn either(a: Ctl, b: Ctl) -> Ctl {
    Ctl::Or(Box::new(a), Box::new(b))
}

fn not(operand: Ctl) -> Ctl {
    Ctl::Not(Box::new(operand))
}

impl Assumption {
    fn random(rng: &mut Rng, program: &Program, frame: &[VarIndex]) -> Self {
        if rng.chance(0.5) {
            return Self(temporal(rng, program, frame, 3));
        }
        let always = (0..rng.below(3)).map(|_| always(rng, program, frame)).collect::<Vec<_>>();
        let end = Box::new(Ctl::At(END.to_owned()));
        let ends = Ctl::State(Quantifier::All, StateOperator::Finally, end);
        let ends = (always.is_empty() || rng.chance(0.4)).then_some(ends);
        let all = always.into_iter().map(globally).chain(ends).reduce(both);
        Self(all.expect("there is something"))
    }

    fn text(&self, program: &Program) -> String {
        self.0.text(program).replace("at_end", "end")
    }

    /// Whether a fragment does as is assumed, wherever it begins as is assumed.
    fn is_kept(&self, program: &Program, fragment: &[Command]) -> bool {
        let mut alone = Program { body: fragment.to_vec(), ..program.clone() };
        alone.procedures.clear();
        alone.last_labels = vec![END.to_owned()];
        alone.vars.iter_mut().for_each(|var| var.start.clear());
        let begins = Box::new(at_entry(&self.0, true));
        Oracle::new(&alone).holds(&Ctl::Implies(begins, Box::new(self.0.clone())))
    }
}

/// The condition of a formula, or of its negation, on the state in which the hole is entered, whatever comes after it.
fn at_entry(formula: &Ctl, is_so: bool) -> Ctl {
    let of = |operand: &Ctl| at_entry(operand, is_so);
    let joined = |a: Ctl, b: Ctl, is_and: bool| if is_and { both(a, b) } else { either(a, b) };
    match formula {
        Ctl::Holds(_) if is_so => formula.clone(),
        Ctl::Holds(_) => not(formula.clone()),
        Ctl::At(_) | Ctl::Error => truth(!is_so),
        Ctl::Not(a) => at_entry(a, !is_so),
        Ctl::And(a, b) => joined(of(a), of(b), is_so),
        Ctl::Or(a, b) => joined(of(a), of(b), !is_so),
        Ctl::Implies(a, b) => joined(at_entry(a, !is_so), of(b), !is_so),
        Ctl::Iff(a, b) => {
            let same = both(at_entry(a, true), of(b));
            either(same, both(at_entry(a, false), at_entry(b, !is_so)))
        }
        Ctl::State(_, StateOperator::Globally, a) if is_so => of(a),
        Ctl::State(_, StateOperator::Finally, a) if !is_so => of(a),
        Ctl::State(..) => truth(true),
        Ctl::Path(_, PathOperator::Until, a, b) if is_so => either(of(a), of(b)),
        Ctl::Path(_, PathOperator::Release, a, b) if !is_so => either(of(a), of(b)),
        Ctl::Path(_, PathOperator::WeakUntil, a, b) if is_so => either(of(a), of(b)),
        Ctl::Path(_, _, _, b) => of(b),
    }
}

/// Any formula about a hole.
fn temporal(rng: &mut Rng, program: &Program, frame: &[VarIndex], size: usize) -> Ctl {
    if size == 0 {
        let end = Ctl::At(END.to_owned());
        return match rng.below(3) {
            0 => always(rng, program, frame),
            1 => both(end, always(rng, program, frame)),
            _ => end,
        };
    }
    let quantifier = *rng.pick(&[Quantifier::All, Quantifier::Exists, Quantifier::Exists]);
    let operand = |rng: &mut Rng, size| Box::new(temporal(rng, program, frame, size));
    match rng.below(8) {
        0 => Ctl::Not(operand(rng, size - 1)),
        1 => Ctl::And(operand(rng, size - 1), operand(rng, size / 2)),
        2 => Ctl::Implies(operand(rng, size / 2), operand(rng, size - 1)),
        3 => {
            let operators = [PathOperator::Until, PathOperator::Release, PathOperator::WeakUntil];
            let operator = *rng.pick(&operators);
            Ctl::Path(quantifier, operator, operand(rng, size / 2), operand(rng, size / 2))
        }
        _ => {
            let operators = [StateOperator::Next, StateOperator::Finally, StateOperator::Globally];
            Ctl::State(quantifier, *rng.pick(&operators), operand(rng, size - 1))
        }
    }
}

/// Whether a condition reads one of these variables.
fn reads(condition: &Expr, frame: &[VarIndex]) -> bool {
    match condition {
        Expr::Var(var) | Expr::Element(var, _) => frame.contains(var),
        Expr::Not(operand) | Expr::Minus(operand) => reads(operand, frame),
        Expr::Binary(_, left, right) => reads(left, frame) || reads(right, frame),
        Expr::Bool(_) | Expr::Int(_) | Expr::Symbol(_) => false,
    }
}

/// A condition on the states that a hole goes through, now and then one that it can do nothing about.
fn always(rng: &mut Rng, program: &Program, frame: &[VarIndex]) -> Ctl {
    let condition = loop {
        if let Ctl::Holds(expr) = random_ctl(rng, program, 1)
            && (reads(&expr, frame) || rng.chance(0.1))
        {
            break Ctl::Holds(expr);
        }
    };
    let implied = |by: Ctl| Ctl::Implies(Box::new(by), Box::new(condition.clone()));
    let end = Ctl::At(END.to_owned());
    match rng.below(9) {
        0..2 => condition,
        2..4 => implied(end),
        4 => implied(not(end)),
        5 => implied(Ctl::Error),
        6 => not(Ctl::Error),
        7 => implied(not(Ctl::Error)),
        _ => Ctl::Or(Box::new(condition), Box::new(both(end, not(Ctl::Error)))),
    }
}

/// Some fragments for a hole that do as is assumed of it.
fn kept_fillings(
    rng: &mut Rng,
    program: &Program,
    frame: &[VarIndex],
    assumption: Option<&Assumption>,
) -> Vec<Vec<Command>> {
    let all: Vec<Vec<Command>> = fillings(program, frame, 2).collect();
    let mut found: Vec<Vec<Command>> = Vec::new();
    for _ in 0..60 {
        let fragment = rng.pick(&all);
        if found.len() < 8 && assumption.is_none_or(|own| own.is_kept(program, fragment)) {
            found.push(fragment.clone());
        }
    }
    found
}

/// A formula, preferably one that is unknown as long as nothing is assumed, and its verdict.
fn asked(
    rng: &mut Rng,
    program: &Program,
) -> Result<(Ctl, WhileDocument, Partition, Truth), String> {
    let mut tries = 0;
    loop {
        let formula = random_ctl(rng, program, 4);
        let document = read(program, std::slice::from_ref(&formula))?;
        let partition = Partition::new(&document.program, &mut RandomCuts::new(rng));
        let verdict = run(&document, &partition, rng, &[]).verdicts[0];
        tries += 1;
        if verdict == Truth::Unknown || tries == 12 {
            return Ok((formula, document, partition, verdict));
        }
    }
}

/// A definite verdict holds for every program in the place of the holes that does as is assumed.
#[test]
fn what_is_definite_holds_for_every_filling_that_keeps_the_assumptions() {
    // Verdicts that assumptions have decided, and fillings that were tried for definite ones.
    let (decided, tried) = (Cell::new(0), Cell::new(0));
    for_seeds("modular-assumed", 0..2500, |rng, case| {
        let size = Size { valuations: 24, commands: 5, depth: 2, ..Size::small() }.with_holes();
        let mut program = random_program(rng, size);
        while program.holes().is_empty() {
            program = random_program(rng, size);
        }
        case.note(program.text());
        let (formula, mut document, partition, without) = asked(rng, &program)?;
        case.note(formula.text(&program));
        let mut assumed: Vec<Assumed> = Vec::new();
        let mut texts: Vec<String> = Vec::new();
        let mut choices: Vec<(String, Vec<Vec<Command>>)> = Vec::new();
        for (name, frame) in program.holes() {
            let own = rng.chance(0.8).then(|| Assumption::random(rng, &program, &frame));
            if let Some(own) = &own {
                let text = format!("{name}: {}", own.text(&program));
                case.note(&text);
                let read = read_assumption(FileId(9), &text, &mut document.program);
                assumed.push(read.map_err(|errors| format!("{errors:?}"))?);
                texts.push(text);
            }
            choices.push((name, kept_fillings(rng, &program, &frame, own.as_ref())));
        }
        let outcome = run(&document, &partition, rng, &assumed);
        let verdict = outcome.verdicts[0];
        // From what nothing can keep, anything follows.
        let can_be_kept = choices.iter().all(|(_, fragments)| !fragments.is_empty());
        if can_be_kept && rng.chance(0.3) {
            is_shown(rng, &document, &partition, (&assumed, &texts))?;
        }
        if can_be_kept && outcome.is_impossible {
            return Err("it is said that nothing keeps the assumptions".to_owned());
        }
        if can_be_kept && without != Truth::Unknown && verdict != without {
            return Err(format!("{without:?} in any case, and {verdict:?} if that is assumed"));
        }
        if verdict == Truth::Unknown || !can_be_kept {
            return Ok(());
        }
        decided.set(decided.get() + usize::from(without == Truth::Unknown));
        for _ in 0..10 {
            let mut filled = program.clone();
            for (name, fragments) in &choices {
                let fragment: &Vec<Command> = rng.pick(fragments);
                filled = fill(&filled, name, fragment);
            }
            tried.set(tried.get() + 1);
            if verdict == Truth::from(!Oracle::new(&filled).holds(&formula)) {
                return Err(format!("{verdict:?}, but not with\n{}", filled.text()));
            }
        }
        Ok(())
    });
    println!("{} verdicts decided, {} fillings tried", decided.get(), tried.get());
    if std::env::var_os("TERTIUM_SEED").is_none() {
        assert!(decided.get() > 150);
    }
}

/// A hole without variables takes steps all the same.
#[test]
fn a_hole_that_changes_nothing() {
    let text = "
        var x : 0..3;
        hole log();
        done: fin
        property stays: ctl AG (x = 1 -> AX (x = 1));
        property ends: ctl AF at_done;
        property never: ctl AG !at_done;
    ";
    assert_eq!(outcome(text, false).verdicts, [Truth::True, Truth::Unknown, Truth::Unknown]);
}
