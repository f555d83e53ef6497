//! Steps on concrete integers, against an interpreter of the syntax tree and against the finite meaning of the text.

use crate::random::{Command, Expr, LOCAL, PARAMETER, Program, RESULT, Type, Value, program};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Variable;
use std::sync::Arc;
use support::FileId;
use testkit::{Case, Rng, for_seeds};
use testkit::{IntegerDocument, WhileDocument, read_integers, read_while};
use transition::cfg::{Cfg, Effect, LocationId};
use transition::{Domain, ExprNode, NodeId};

/// Representatives of all integers where any is chosen.
const CHOICES: [i64; 3] = [-2, 0, 3];

/// The bound of the values that are tried: numbers of 64 bits are no integers.
const FAR: i64 = 1 << 40;

const MOST_STATES: usize = 400;

type Values = Vec<i64>;

/// The commands that a process still has to execute, the next first.
type Control = Vec<Todo>;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Todo {
    Command(usize),
    /// In the place of an `else` that is missing.
    Nothing(usize),
    /// The result of a call becomes any value.
    Result(usize),
    Local(usize),
    /// The result of a call goes to where it belongs.
    Return(usize),
}

/// Where all processes are, or that something went wrong.
type Whole = Option<Vec<Control>>;

impl Program {
    fn start(&self) -> Vec<Control> {
        self.processes.iter().map(|process| todo(process)).collect()
    }

    /// `None` where there is no value.
    fn value(&self, expr: &Expr, values: &[i64]) -> Option<i64> {
        Some(match expr {
            Expr::Number(value) => *value,
            Expr::Bool(value) => i64::from(*value),
            Expr::Constant(number) => *number as i64,
            Expr::Var(variable) => values[*variable],
            Expr::Neg(a) => -self.value(a, values)?,
            Expr::Not(a) => 1 - self.value(a, values)?,
            Expr::Binary(op, a, b) => {
                return apply(op, self.value(a, values), self.value(b, values));
            }
        })
    }

    fn fits(&self, variable: usize, value: i64) -> bool {
        match self.variables[variable].1 {
            Type::Int => true,
            Type::Range => (-2..=3).contains(&value),
            Type::Bool | Type::Enum => true,
        }
    }

    fn all_values(&self, variable: usize) -> Vec<i64> {
        match self.variables[variable].1 {
            Type::Int => CHOICES.to_vec(),
            Type::Range => (-2..=3).collect(),
            Type::Bool => vec![0, 1],
            Type::Enum => vec![0, 1, 2],
        }
    }

    /// The values behind an assignment; `None` for one that goes wrong.
    fn assigned(&self, variable: usize, value: &Value, values: &[i64]) -> Vec<Option<Values>> {
        let results: Vec<Option<i64>> = match value {
            Value::Any => self.all_values(variable).into_iter().map(Some).collect(),
            Value::One(expr) => vec![self.value(expr, values)],
            Value::Set(exprs) => exprs.iter().map(|expr| self.value(expr, values)).collect(),
        };
        let set = |result: Option<i64>| {
            let result = result.filter(|&result| self.fits(variable, result))?;
            let mut next = values.to_vec();
            next[variable] = result;
            Some(next)
        };
        results.into_iter().map(set).collect()
    }

    /// All that one process can do next: what is left to be done and the values, or `None` if something goes wrong.
    fn after(&self, control: &Control, values: &[i64]) -> Vec<Option<(Control, Values)>> {
        let Some((&next, rest)) = control.split_first() else { return Vec::new() };
        let go_on =
            |first: Control| -> Control { first.into_iter().chain(rest.to_vec()).collect() };
        let simply = |outcomes: Vec<Option<Values>>| {
            let with = |outcome: Option<Values>| outcome.map(|values| (rest.to_vec(), values));
            outcomes.into_iter().map(with).collect()
        };
        let command = match next {
            Todo::Nothing(_) => return simply(vec![Some(values.to_vec())]),
            Todo::Result(_) => return simply(self.assigned(RESULT, &Value::Any, values)),
            Todo::Local(_) => {
                let value = Value::One(Expr::Var(PARAMETER));
                return simply(self.assigned(LOCAL, &value, values));
            }
            Todo::Return(command) => {
                let Command::Call(_, variable) = self.commands[command] else { unreachable!() };
                let value = Value::One(Expr::Var(RESULT));
                return simply(self.assigned(variable, &value, values));
            }
            Todo::Command(command) => command,
        };
        match &self.commands[command] {
            Command::Skip => simply(vec![Some(values.to_vec())]),
            Command::Assign(variable, value) => simply(self.assigned(*variable, value, values)),
            Command::Assume(condition) => match self.value(condition, values) {
                Some(0) => Vec::new(),
                Some(_) => simply(vec![Some(values.to_vec())]),
                None => vec![None],
            },
            Command::Call(value, _) => {
                let body = self.procedure.as_ref().expect("a procedure");
                let mut first = vec![Todo::Result(command), Todo::Local(command)];
                first.extend(todo(body));
                first.push(Todo::Return(command));
                let outcomes = self.assigned(PARAMETER, &Value::One(value.clone()), values);
                let with = |outcome: Option<Values>| Some((go_on(first.clone()), outcome?));
                outcomes.into_iter().map(with).collect()
            }
            Command::If(condition, then, otherwise) => {
                let chosen = self.value(condition, values).map(|value| match otherwise {
                    _ if value != 0 => todo(then),
                    Some(otherwise) => todo(otherwise),
                    None => vec![Todo::Nothing(command)],
                });
                vec![chosen.map(|chosen| (go_on(chosen), values.to_vec()))]
            }
            Command::While(condition, body) => {
                let chosen = self.value(condition, values).map(|value| match value {
                    0 => Vec::new(),
                    _ => todo(body).into_iter().chain([next]).collect(),
                });
                vec![chosen.map(|chosen| (go_on(chosen), values.to_vec()))]
            }
        }
    }

    /// All that the whole can do next.
    fn successors(&self, whole: &Whole, values: &[i64]) -> Vec<(Whole, Values)> {
        let Some(controls) = whole else { return vec![(None, values.to_vec())] };
        if controls.iter().all(Vec::is_empty) {
            return vec![(whole.clone(), values.to_vec())];
        }
        let mut found = Vec::new();
        for (process, control) in controls.iter().enumerate() {
            for outcome in self.after(control, values) {
                found.push(match outcome {
                    None => (None, values.to_vec()),
                    Some((control, values)) => {
                        let mut controls = controls.clone();
                        controls[process] = control;
                        (Some(controls), values)
                    }
                });
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

fn todo(commands: &[usize]) -> Control {
    commands.iter().map(|&command| Todo::Command(command)).collect()
}

fn apply(op: &str, a: Option<i64>, b: Option<i64>) -> Option<i64> {
    match (op, a, b) {
        // One that decides is enough.
        ("&", Some(0), _) | ("&", _, Some(0)) => return Some(0),
        ("|", Some(1), _) | ("|", _, Some(1)) => return Some(1),
        ("->", Some(0), _) | ("->", _, Some(1)) => return Some(1),
        _ => {}
    }
    let (a, b) = (a?, b?);
    let truth = |holds: bool| Some(i64::from(holds));
    match op {
        "+" => Some(a + b),
        "-" => Some(a - b),
        "*" => Some(a * b),
        "/" => a.checked_div(b),
        "mod" => a.checked_rem(b),
        "=" | "<->" => truth(a == b),
        "!=" => truth(a != b),
        "<" => truth(a < b),
        "<=" => truth(a <= b),
        ">" => truth(a > b),
        ">=" => truth(a >= b),
        "&" => truth(a == 1 && b == 1),
        "|" => truth(a == 1 || b == 1),
        _ => truth(a == 0 || b == 1),
    }
}

fn read(text: &str) -> Result<IntegerDocument, String> {
    let text: Arc<str> = text.into();
    read_integers(FileId(0), &text).map_err(|errors| format!("{errors:?}"))
}

/// The successors by the steps of a document.
fn steps(document: &IntegerDocument, place: u32, values: &[i64]) -> Vec<(u32, Values)> {
    let mut found = Vec::new();
    for step in document.program.steps.iter().filter(|step| step.source == place) {
        // A free variable is behind those of the program.
        let of = |chosen: i64| {
            move |v: Variable| i128::from(*values.get(v.0 as usize).unwrap_or(&chosen))
        };
        if !step.guard.holds(&of(0)).expect("near enough") {
            continue;
        }
        let mut outcomes = vec![values.to_vec()];
        for (changed, value) in &step.changes {
            let choices = if step.free.is_empty() { &CHOICES[..1] } else { &CHOICES };
            let result = |&chosen: &i64| value.value(&of(chosen)).expect("near enough") as i64;
            let results: Vec<i64> = choices.iter().map(result).collect();
            outcomes = outcomes
                .iter()
                .flat_map(|outcome| {
                    results.iter().map(|&result| {
                        let mut next = outcome.clone();
                        next[changed.0 as usize] = result;
                        next
                    })
                })
                .collect();
        }
        found.extend(outcomes.into_iter().map(|outcome| (step.target, outcome)));
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn is_near(values: &[i64]) -> bool {
    values.iter().all(|value| value.abs() < FAR)
}

/// Values for all variables of a document, by their names.
fn some_values(rng: &mut Rng, document: &IntegerDocument) -> Values {
    let any = |variable: usize, rng: &mut Rng| match &document.variables[variable].domain {
        front::IntegerDomain::Int => rng.below(13) as i64 - 6,
        front::IntegerDomain::Range(low, high) => low + rng.below((high - low + 1) as usize) as i64,
        front::IntegerDomain::Bool => rng.below(2) as i64,
        front::IntegerDomain::Constants(constants) => rng.pick(constants).0,
    };
    (0..document.variables.len()).map(|variable| any(variable, rng)).collect()
}

/// Goes through what can be reached, a place of the document being where the interpreter is.
fn compare(rng: &mut Rng, case: &mut Case) -> Result<(), String> {
    let program = program(rng, false);
    let text = program.text("int");
    case.note(&text);
    let document = read(&text)?;
    let count = document.variables.len();
    let start = some_values(rng, &document);
    let of = |variable: Variable| start[variable.0 as usize].into();
    if document.start.condition.holds(&of) != Some(true) {
        return Err(format!("does not start with {start:?}"));
    }
    // The interpreter knows the variables of the procedure, whether it is there or not.
    let padded: Values = start.iter().copied().chain(vec![0; 8 - count]).collect();
    let mut places: FxHashMap<Whole, u32> = FxHashMap::default();
    let mut wholes: FxHashMap<u32, Whole> = FxHashMap::default();
    let first: Whole = Some(program.start());
    let mut open = vec![(first, document.start.location, padded)];
    let mut seen: FxHashSet<(u32, Values)> = FxHashSet::default();
    while let Some((whole, place, values)) = open.pop() {
        let known = *places.entry(whole.clone()).or_insert(place);
        let meant = wholes.entry(place).or_insert_with(|| whole.clone());
        if known != place || *meant != whole {
            return Err(format!(
                "{} is {whole:?} and {meant:?}",
                document.program.locations[place as usize]
            ));
        }
        if !is_near(&values) || seen.len() > MOST_STATES || !seen.insert((place, values.clone())) {
            continue;
        }
        let wanted = program.successors(&whole, &values);
        let found = steps(&document, place, &values[..count]);
        let found_values: Vec<Values> =
            sorted(found.iter().map(|(_, next)| next.clone()).collect());
        let wanted_values: Vec<Values> =
            sorted(wanted.iter().map(|(_, next)| next[..count].to_vec()).collect());
        let at = &document.program.locations[place as usize];
        if found_values != wanted_values {
            return Err(format!("{at} {values:?}: {found_values:?} and not {wanted_values:?}"));
        }
        for (whole, next) in wanted {
            // Targets with the same values are told apart by where they have been met before, or will be.
            let fitting: Vec<u32> = found
                .iter()
                .filter(|(_, other)| *other == next[..count])
                .map(|(to, _)| *to)
                .collect();
            let known = places.get(&whole).filter(|place| fitting.contains(place)).copied();
            match (known, &fitting[..]) {
                (Some(target), _) | (None, &[target]) => open.push((whole, target, next)),
                _ => {}
            }
        }
    }
    Ok(())
}

fn sorted(mut values: Vec<Values>) -> Vec<Values> {
    values.sort_unstable();
    values.dedup();
    values
}

#[test]
fn steps_are_those_of_an_interpreter() {
    for_seeds("integer-steps", 0..3000, compare);
}

/// The finite meaning of a text.
struct Finite {
    document: WhileDocument,
    flow: Cfg,
}

impl Finite {
    fn value(&self, node: NodeId, values: &[i64]) -> i64 {
        let leaf =
            |node: ExprNode| if let ExprNode::Now(var) = node { values[var.0 as usize] } else { 0 };
        self.document.program.data.exprs.evaluate(node, leaf).expect("guarded")
    }

    /// Constants have other numbers here.
    fn inside(&self, values: &[i64]) -> Values {
        let domains = self.document.program.data.vars.values().map(|var| &var.domain);
        let number = |(domain, &value): (&Domain, &i64)| match domain {
            Domain::Values(values) => values[value as usize],
            _ => value,
        };
        domains.zip(values).map(number).collect()
    }

    fn outside(&self, values: &[i64]) -> Values {
        let domains = self.document.program.data.vars.values().map(|var| &var.domain);
        let number = |(domain, &value): (&Domain, &i64)| match domain {
            Domain::Values(values) => {
                values.iter().position(|&other| other == value).expect("a constant") as i64
            }
            _ => value,
        };
        domains.zip(values).map(number).collect()
    }

    /// `None` is the place `error`.
    fn successors(
        &self,
        location: LocationId,
        outside: &[i64],
    ) -> Vec<(Option<LocationId>, Values)> {
        let values = &self.inside(outside);
        let mut found = Vec::new();
        for edge in &self.flow.locations[location].edges {
            if edge.guard.is_some_and(|guard| self.value(guard, values) == 0) {
                continue;
            }
            let target = match edge.to {
                transition::cfg::CfgTarget::Inside(to) => Some(to),
                transition::cfg::CfgTarget::Error | transition::cfg::CfgTarget::Exit(_) => None,
            };
            let set = |variable: transition::VarId, value: i64| {
                let mut next = values.clone();
                next[variable.0 as usize] = value;
                (target, self.outside(&next))
            };
            match edge.effect {
                Effect::Nothing | Effect::Fails => found.push((target, outside.to_vec())),
                Effect::Set(variable, node) => found.push(set(variable, self.value(node, values))),
                Effect::Any(variable) => {
                    let domain = &self.document.program.data.vars[variable].domain;
                    let all = (0..domain.size()).map(|number| domain.value(number as u64));
                    found.extend(all.map(|value| set(variable, value)));
                }
            }
        }
        found
    }
}

const BOUNDS: std::ops::RangeInclusive<i64> = -8..=8;

/// The text with bounds goes the same ways as the one without, as long as it stays within them.
fn compare_bounded(rng: &mut Rng, case: &mut Case) -> Result<(), String> {
    let program = program(rng, true);
    let (text, bounded) = (program.text("int"), program.text("-8..8"));
    case.note(&text);
    let document = read(&text)?;
    let shared: Arc<str> = bounded.into();
    let finite = read_while(FileId(0), &shared).map_err(|errors| format!("{errors:?}"))?;
    let flow = Cfg::of(&finite.program, &[], &finite.program.body);
    let finite = Finite { document: finite, flow };
    let start = some_values(rng, &document);
    let mut open = vec![(document.start.location, finite.flow.entry, start)];
    let mut seen: FxHashSet<(u32, Values)> = FxHashSet::default();
    let error = document.program.locations.len() as u32 - 1;
    while let Some((place, location, values)) = open.pop() {
        if seen.len() > MOST_STATES || !seen.insert((place, values.clone())) {
            continue;
        }
        let found = steps(&document, place, &values);
        let wanted = finite.successors(location, &values);
        let at = &document.program.locations[place as usize];
        let stays = |next: &Values| next.iter().all(|value| BOUNDS.contains(value));
        let leaves = found.iter().any(|(_, next)| !stays(next));
        let (error_condition, should) =
            (found.iter().any(|(to, _)| *to == error), wanted.iter().any(|(to, _)| to.is_none()));
        if (error_condition || leaves) != should {
            return Err(format!(
                "{at} {values:?}: wrong {error_condition}, leaves {leaves}, but {should}"
            ));
        }
        for (target, next) in &found {
            let is_fine =
                |(to, other): &&(Option<LocationId>, Values)| to.is_some() && other == next;
            let fitting: Vec<LocationId> =
                wanted.iter().filter(is_fine).filter_map(|(to, _)| *to).collect();
            match &fitting[..] {
                _ if *target == error || !stays(next) => {}
                [] => return Err(format!("{at} {values:?} steps to {next:?}, but should not")),
                [location, ..] => open.push((*target, *location, next.clone())),
            }
        }
        // Of all values the document has tried some.
        let chosen = document.program.steps.iter().filter(|step| step.source == place);
        let chosen: Vec<u32> = chosen
            .filter(|step| !step.free.is_empty())
            .flat_map(|step| step.changed())
            .map(|changed| changed.0)
            .collect();
        let is_untried =
            |next: &Values| chosen.iter().any(|&v| !CHOICES.contains(&next[v as usize]));
        for (target, next) in wanted.iter().filter(|(target, _)| target.is_some()) {
            let is_there = found.iter().any(|(_, other)| other == next) || is_untried(next);
            if !is_there {
                return Err(format!("{at} {values:?} does not step to {target:?} {next:?}"));
            }
        }
    }
    Ok(())
}

#[test]
fn with_bounds_it_is_the_finite_program() {
    for_seeds("integer-bounds", 0..2000, compare_bounded);
}
