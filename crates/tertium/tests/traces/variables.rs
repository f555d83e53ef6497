//! Random SMV models.

use super::{ensure, int, pairs, trace_of};
use std::collections::HashMap;
use std::fmt;
use tertium::{Logic, Model, Options, Trace, TraceValue};
use testkit::{Case, Rng};

/// Numbers are below this.
pub const MODULUS: i64 = 4;
pub const FLAGS: [&str; 3] = ["a", "b", "go"];
pub const NUMBERS: [&str; 3] = ["x", "y", "k"];
/// Of the flags and of the numbers, those from here on are inputs.
const INPUTS: usize = 2;

/// A formula over flags and numbers.
#[derive(Clone)]
pub enum Flag {
    Is(bool),
    Var(usize),
    Not(Box<Flag>),
    And(Box<Flag>, Box<Flag>),
    Equal(Number, Number),
    Less(Number, Number),
}

#[derive(Clone)]
pub enum Number {
    Is(i64),
    Var(usize),
    Sum(Box<Number>, Box<Number>),
    If(Box<Flag>, Box<Number>, Box<Number>),
}

pub type Values = HashMap<String, i64>;

/// The value of a variable. Nothing depends on one that is not told.
fn value_of(values: &Values, name: &str) -> i64 {
    values.get(name).copied().unwrap_or(0)
}

impl Flag {
    pub fn random(rng: &mut Rng, depth: usize, inputs: bool) -> Self {
        let vars = if inputs { FLAGS.len() } else { INPUTS };
        let next = depth.saturating_sub(1);
        let inner = |rng: &mut Rng| Box::new(Flag::random(rng, next, inputs));
        match rng.below(if depth == 0 { 2 } else { 7 }) {
            0 => Flag::Var(rng.below(vars)),
            1 => Flag::Is(rng.chance(0.5)),
            2 => Flag::Not(inner(rng)),
            3 => Flag::And(inner(rng), inner(rng)),
            4 => Flag::Less(Number::random(rng, next, inputs), Number::random(rng, next, inputs)),
            _ => Flag::Equal(Number::random(rng, next, inputs), Number::random(rng, next, inputs)),
        }
    }

    pub fn value(&self, values: &Values) -> bool {
        match self {
            Flag::Is(value) => *value,
            Flag::Var(var) => value_of(values, FLAGS[*var]) != 0,
            Flag::Not(inner) => !inner.value(values),
            Flag::And(left, right) => left.value(values) && right.value(values),
            Flag::Equal(left, right) => left.value(values) == right.value(values),
            Flag::Less(left, right) => left.value(values) < right.value(values),
        }
    }
}

impl Number {
    pub fn random(rng: &mut Rng, depth: usize, inputs: bool) -> Self {
        let vars = if inputs { NUMBERS.len() } else { INPUTS };
        let next = depth.saturating_sub(1);
        let inner = |rng: &mut Rng| Box::new(Number::random(rng, next, inputs));
        match rng.below(if depth == 0 { 2 } else { 4 }) {
            0 => Number::Var(rng.below(vars)),
            1 => Number::Is(rng.below(MODULUS as usize) as i64),
            2 => Number::Sum(inner(rng), inner(rng)),
            _ => Number::If(Box::new(Flag::random(rng, next, inputs)), inner(rng), inner(rng)),
        }
    }

    pub fn value(&self, values: &Values) -> i64 {
        match self {
            Number::Is(value) => *value,
            Number::Var(var) => value_of(values, NUMBERS[*var]),
            Number::Sum(left, right) => (left.value(values) + right.value(values)) % MODULUS,
            Number::If(flag, yes, no) => match flag.value(values) {
                true => yes.value(values),
                false => no.value(values),
            },
        }
    }
}

impl fmt::Display for Flag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flag::Is(value) => f.write_str(if *value { "TRUE" } else { "FALSE" }),
            Flag::Var(var) => f.write_str(FLAGS[*var]),
            Flag::Not(inner) => write!(f, "!({inner})"),
            Flag::And(left, right) => write!(f, "({left} & {right})"),
            Flag::Equal(left, right) => write!(f, "({left} = {right})"),
            Flag::Less(left, right) => write!(f, "({left} < {right})"),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Is(value) => write!(f, "{value}"),
            Number::Var(var) => f.write_str(NUMBERS[*var]),
            Number::Sum(left, right) => write!(f, "(({left} + {right}) mod {MODULUS})"),
            Number::If(flag, yes, no) => write!(f, "(({flag}) ? {yes} : {no})"),
        }
    }
}

/// The choices of each state variable in a step, and its values at the start.
pub struct Design {
    flags: Vec<Vec<Flag>>,
    numbers: Vec<Vec<Number>>,
    initial: Vec<Vec<i64>>,
    defined: Flag,
    /// Of states with inputs: what holds in infinitely many steps.
    fairness: Vec<Flag>,
}

impl Design {
    pub fn random(rng: &mut Rng) -> Self {
        let choices = |rng: &mut Rng| rng.between(1, 3).min(2);
        let flags = (0..INPUTS).map(|_| {
            let count = choices(rng);
            (0..count).map(|_| Flag::random(rng, 2, true)).collect()
        });
        let flags = flags.collect();
        let numbers = (0..INPUTS).map(|_| {
            let count = choices(rng);
            (0..count).map(|_| Number::random(rng, 2, true)).collect()
        });
        let numbers = numbers.collect();
        let initial = (0..2 * INPUTS).map(|_| {
            let count = choices(rng);
            (0..count).map(|_| rng.below(2) as i64).collect()
        });
        let initial = initial.collect();
        let defined = Flag::random(rng, 2, false);
        Self { flags, numbers, initial, defined, fairness: Vec::new() }
    }

    /// With fairness conditions that can read inputs.
    pub fn random_with_fairness(rng: &mut Rng) -> Self {
        let design = Self::random(rng);
        let fairness = (0..rng.between(1, 3)).map(|_| Flag::random(rng, 2, true)).collect();
        Self { fairness, ..design }
    }

    pub fn text(&self) -> String {
        self.text_from(None)
    }

    /// Writes the design; its initial states are those that satisfy a formula, if one is given.
    pub fn text_from(&self, start: Option<&str>) -> String {
        let set = |texts: Vec<String>| format!("{{{}}}", texts.join(", "));
        let mut text = format!(
            "MODULE main\nVAR a : boolean; b : boolean; x : 0..{0}; y : 0..{0};\n\
             IVAR go : boolean; k : 0..{0};\nDEFINE d := {1};\nASSIGN\n",
            MODULUS - 1,
            self.defined
        );
        for var in 0..INPUTS {
            let flags = self.initial[var].iter();
            let flags = flags.map(|v| if *v == 0 { "FALSE" } else { "TRUE" }.to_owned()).collect();
            let numbers = self.initial[INPUTS + var].iter().map(i64::to_string).collect();
            let (flag, number) = (FLAGS[var], NUMBERS[var]);
            let next_flag = set(self.flags[var].iter().map(Flag::to_string).collect());
            let next_number = set(self.numbers[var].iter().map(Number::to_string).collect());
            if start.is_none() {
                text += &format!(
                    "init({flag}) := {};\ninit({number}) := {};\n",
                    set(flags),
                    set(numbers)
                );
            }
            text += &format!("next({flag}) := {next_flag};\nnext({number}) := {next_number};\n");
        }
        text += &start.map_or(String::new(), |start| format!("INIT {start}\n"));
        self.fairness.iter().fold(text, |text, fair| format!("{text}FAIRNESS {fair};\n"))
    }

    fn is_initial(&self, values: &Values) -> bool {
        (0..INPUTS).all(|var| {
            let fits = |name: &str, allowed: &[i64]| {
                values.get(name).is_none_or(|value| allowed.contains(value))
            };
            fits(FLAGS[var], &self.initial[var]) && fits(NUMBERS[var], &self.initial[INPUTS + var])
        })
    }

    /// Whether a step leads there.
    fn is_step(&self, before: &Values, after: &Values) -> bool {
        (0..INPUTS).all(|var| {
            let flag = |one: &Flag| i64::from(one.value(before));
            let fits = |name: &str, choices: Vec<i64>| {
                after.get(name).is_none_or(|value| choices.contains(value))
            };
            fits(FLAGS[var], self.flags[var].iter().map(flag).collect())
                && fits(NUMBERS[var], self.numbers[var].iter().map(|n| n.value(before)).collect())
        })
    }
}

pub fn values(all: &[(String, TraceValue)]) -> Values {
    all.iter().filter_map(|(name, value)| Some((name.clone(), int(Some(value))?))).collect()
}

/// The values in a state, with those of the inputs in the step from it.
fn with_inputs(trace: &Trace, step: usize, from: usize) -> Values {
    let mut all = values(&trace.states[from].values);
    all.extend(values(&trace.steps[step].inputs));
    all
}

/// Every fairness condition holds in a step of the cycle.
fn is_fair(design: &Design, trace: &Trace) -> Result<(), String> {
    let Some(start) = trace.loop_start else { return Ok(()) };
    let steps = pairs(trace).into_iter().enumerate().skip(start);
    let steps: Vec<Values> =
        steps.map(|(number, (from, _))| with_inputs(trace, number, from)).collect();
    design.fairness.iter().try_for_each(|fair| {
        ensure(steps.iter().any(|step| fair.value(step)), || format!("not fair, {fair}: {trace}"))
    })
}

/// The initial state, and all steps by the values that the trace tells.
fn follow(design: &Design, trace: &Trace) -> Result<(), String> {
    let first = values(&trace.states[0].values);
    ensure(design.is_initial(&first), || format!("no initial state: {trace}"))?;
    for (number, (from, to)) in pairs(trace).into_iter().enumerate() {
        let before = with_inputs(trace, number, from);
        let after = values(&trace.states[to].values);
        ensure(design.is_step(&before, &after), || format!("no step {from} to {to}: {trace}"))?;
    }
    for state in &trace.states {
        if let Some((_, value)) = state.defines.iter().find(|(name, _)| name == "d") {
            let defined = design.defined.value(&values(&state.values));
            ensure(*value == TraceValue::Bool(defined), || format!("d: {trace}"))?;
        }
    }
    Ok(())
}

/// The variables and the definitions that a trace tells.
fn names(trace: &Trace) -> [Vec<String>; 2] {
    let state = &trace.states[0];
    [&state.values, &state.defines].map(|all| all.iter().map(|(name, _)| name.clone()).collect())
}

pub fn replay(rng: &mut Rng, case: &mut Case) -> Result<(), String> {
    let design = Design::random(rng);
    traces(&design, rng, case).map(drop)
}

/// The traces of a model by all methods, each once, after they are replayed.
pub fn traces(design: &Design, rng: &mut Rng, case: &mut Case) -> Result<Vec<Trace>, String> {
    let text = design.text();
    case.note(&text);
    let model = Model::read("smv", "random.smv", &text).map_err(|error| error.to_string())?;
    let condition = Flag::random(rng, 2, false);
    let (always, finally) = (format!("AG {condition}"), format!("AF {condition}"));
    let holds = |trace: &Trace, state: usize| condition.value(&values(&trace.states[state].values));
    let mut found: Vec<Trace> = Vec::new();
    let is_whole = rng.chance(0.5);
    let mut told_names = [None, None];
    for method in ["auto", "direct", "compositional", "symbolic", "refine"] {
        let options = Options::default().method(method).defines(true).all_variables(is_whole);
        for (formula, told_names) in [&always, &finally].into_iter().zip(&mut told_names) {
            case.note(format!("-- {method}: {formula}"));
            let property =
                model.property(Logic::Ctl, formula).map_err(|error| error.to_string())?;
            let Some(trace) = trace_of(&model, &property, &options)? else { continue };
            ensure(!trace.is_prefix, || "the evidence is no path".to_owned())?;
            follow(design, &trace)?;
            let names = names(&trace);
            let others = told_names.get_or_insert_with(|| names.clone());
            ensure(*others == names, || format!("another method tells {others:?}: {trace}"))?;
            let told = trace.states.iter().map(|state| state.values.len()).min();
            ensure(!is_whole || told == Some(2 * INPUTS), || format!("a variable lacks: {trace}"))?;
            let last = trace.states.len() - 1;
            if formula == &always {
                ensure(!holds(&trace, last), || format!("it holds in the end: {trace}"))?;
            } else {
                ensure(trace.loop_start.is_some(), || format!("no loop: {trace}"))?;
                for state in 0..=last {
                    ensure(!holds(&trace, state), || format!("it holds in {state}: {trace}"))?;
                }
            }
            if !found.contains(&trace) {
                found.push(trace);
            }
        }
    }
    Ok(found)
}

/// The traces of a model with fairness conditions, in branching and in linear time.
pub fn replay_fair(rng: &mut Rng, case: &mut Case) -> Result<(), String> {
    let design = Design::random_with_fairness(rng);
    let text = design.text();
    case.note(&text);
    let model = Model::read("smv", "random.smv", &text).map_err(|error| error.to_string())?;
    let condition = Flag::random(rng, 2, false);
    let asked = [(Logic::Ctl, format!("AF {condition}")), (Logic::Ltl, format!("F {condition}"))];
    for method in ["direct", "symbolic", "refine"] {
        for (logic, formula) in &asked {
            case.note(format!("-- {method}: {formula}"));
            let property = model.property(*logic, formula).map_err(|error| error.to_string())?;
            let options = Options::default().method(method);
            let Some(trace) = trace_of(&model, &property, &options)? else { continue };
            follow(&design, &trace)?;
            ensure(trace.loop_start.is_some(), || format!("no loop: {trace}"))?;
            is_fair(&design, &trace)?;
            for state in &trace.states {
                let holds = condition.value(&values(&state.values));
                ensure(!holds, || format!("{condition} holds: {trace}"))?;
            }
        }
    }
    Ok(())
}

/// A formula about the state.
pub fn condition(rng: &mut Rng) -> String {
    Flag::random(rng, 2, false).to_string()
}
