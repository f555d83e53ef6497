//! Random SMV models of two processes that take turns, some of them fair.

use super::variables::{FLAGS, Flag, MODULUS, NUMBERS, Number, Values, values};
use super::{ensure, pairs, trace_of};
use tertium::{Logic, Model, Options, Trace};
use testkit::{Case, Rng};

const PROCESSES: [&str; 2] = ["left", "right"];

/// Each process writes a flag and a number of its own; all start with 0.
struct Turns {
    flags: [Flag; 2],
    numbers: [Number; 2],
    fair: [bool; 2],
}

impl Turns {
    fn random(rng: &mut Rng) -> Self {
        Self {
            flags: [(); 2].map(|()| Flag::random(rng, 2, false)),
            numbers: [(); 2].map(|()| Number::random(rng, 2, false)),
            fair: [(); 2].map(|()| rng.chance(0.7)),
        }
    }

    fn text(&self) -> String {
        let mut text = format!(
            "MODULE main\nVAR a : boolean; b : boolean; x : 0..{0}; y : 0..{0};\n\
             left : process m0(a, b, x, y); right : process m1(a, b, x, y);\n\
             ASSIGN init(a) := FALSE; init(b) := FALSE; init(x) := 0; init(y) := 0;\n",
            MODULUS - 1
        );
        for own in 0..PROCESSES.len() {
            let (flag, number) = (FLAGS[own], NUMBERS[own]);
            let fairness = if self.fair[own] { "FAIRNESS running" } else { "" };
            text += &format!(
                "MODULE m{own}(a, b, x, y)\nASSIGN next({flag}) := {}; next({number}) := {};\n{fairness}\n",
                self.flags[own], self.numbers[own]
            );
        }
        text
    }

    /// Whether the process leads from one state to the other; `main` changes nothing.
    fn is_step(&self, process: &str, before: &Values, after: &Values) -> bool {
        let is_told = |name: &str, value: i64| after.get(name).is_none_or(|told| *told == value);
        let same = |name: &str| before.get(name) == after.get(name);
        (0..PROCESSES.len()).all(|own| match process == PROCESSES[own] {
            true => {
                is_told(FLAGS[own], i64::from(self.flags[own].value(before)))
                    && is_told(NUMBERS[own], self.numbers[own].value(before))
            }
            false => same(FLAGS[own]) && same(NUMBERS[own]),
        })
    }

    fn follow(&self, trace: &Trace) -> Result<(), String> {
        let process = |step: usize| trace.steps[step].process.as_deref();
        for (step, (from, to)) in pairs(trace).into_iter().enumerate() {
            let (before, after) =
                (values(&trace.states[from].values), values(&trace.states[to].values));
            let Some(process) = process(step) else { continue };
            ensure(self.is_step(process, &before, &after), || format!("no step {from}: {trace}"))?;
        }
        let start = trace.loop_start.ok_or_else(|| format!("no loop: {trace}"))?;
        for (own, name) in PROCESSES.iter().enumerate() {
            let runs = (start..trace.steps.len()).any(|step| process(step) == Some(name));
            ensure(runs || !self.fair[own], || format!("{name} does not run: {trace}"))?;
        }
        Ok(())
    }
}

pub fn replay(rng: &mut Rng, case: &mut Case) -> Result<(), String> {
    let turns = Turns::random(rng);
    let text = turns.text();
    case.note(&text);
    let model = Model::read("smv", "random.smv", &text).map_err(|error| error.to_string())?;
    let condition = Flag::random(rng, 2, false);
    let asked = [(Logic::Ctl, format!("AF {condition}")), (Logic::Ltl, format!("F {condition}"))];
    for method in ["direct", "symbolic"] {
        for (logic, formula) in &asked {
            case.note(format!("-- {method}: {formula}"));
            let property = model.property(*logic, formula).map_err(|error| error.to_string())?;
            let options = Options::default().method(method);
            let Some(trace) = trace_of(&model, &property, &options)? else { continue };
            turns.follow(&trace)?;
            for state in &trace.states {
                let holds = condition.value(&values(&state.values));
                ensure(!holds, || format!("{condition} holds: {trace}"))?;
            }
        }
    }
    Ok(())
}
