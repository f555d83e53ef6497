//! Random Promela models: processes that are loops of guarded statements, over two variables and a channel.

use super::{ensure, int, pairs, trace_of};
use tertium::{Logic, Model, Options, Trace, TraceStep};
use testkit::{Case, Rng};

const MODULUS: i64 = 4;
const NAMES: [&str; 2] = ["x", "y"];

/// `x < 3`, or `x != 3`.
#[derive(Clone, Copy)]
struct Guard {
    var: usize,
    is_less: bool,
    bound: i64,
}

#[derive(Clone, Copy)]
enum Statement {
    /// `x = (y + 1) % 4`
    Assign(usize, usize, i64),
    Send(usize),
    Receive(usize),
}

/// A guarded statement of a loop, with its lines.
struct Branch {
    guard: Guard,
    guard_line: usize,
    statement: Statement,
    statement_line: usize,
}

pub struct Program {
    capacity: usize,
    processes: Vec<Vec<Branch>>,
    pub text: String,
}

impl Program {
    pub fn random(rng: &mut Rng) -> Self {
        let capacity = rng.below(2);
        let is_pair = rng.chance(0.5);
        let (sent, received) = if is_pair { (",1", ",_") } else { ("", "") };
        let mut lines = vec![
            "byte x = 0; byte y = 1;".to_owned(),
            format!("chan c = [{capacity}] of {{ byte{} }};", if is_pair { ", byte" } else { "" }),
        ];
        let mut processes = Vec::new();
        for process in 0..rng.between(2, 4) {
            lines.push(format!("active proctype P{process}() {{"));
            lines.push("do".to_owned());
            let mut branches = Vec::new();
            for _ in 0..rng.between(1, 3) {
                let guard = Guard {
                    var: rng.below(2),
                    is_less: rng.chance(0.6),
                    bound: rng.below(MODULUS as usize) as i64,
                };
                let Guard { var, is_less, bound } = guard;
                let operator = if is_less { "<" } else { "!=" };
                lines.push(format!(":: {} {operator} {bound} ->", NAMES[var]));
                let guard_line = lines.len();
                let statement = match rng.below(4) {
                    0 => Statement::Send(rng.below(2)),
                    1 => Statement::Receive(rng.below(2)),
                    _ => Statement::Assign(rng.below(2), rng.below(2), rng.below(3) as i64),
                };
                lines.push(match statement {
                    Statement::Assign(to, from, add) => {
                        format!("{} = ({} + {add}) % {MODULUS}", NAMES[to], NAMES[from])
                    }
                    Statement::Send(var) => format!("c!{}{sent}", NAMES[var]),
                    Statement::Receive(var) => format!("c?{}{received}", NAMES[var]),
                });
                let statement_line = lines.len();
                branches.push(Branch { guard, guard_line, statement, statement_line });
            }
            lines.push("od".to_owned());
            lines.push("}".to_owned());
            processes.push(branches);
        }
        Self { capacity, processes, text: lines.join("\n") + "\n" }
    }
}

/// A state of the program: the variables, the channel, and by process the branch that it is in.
#[derive(Clone, PartialEq, Debug)]
struct State {
    values: [i64; 2],
    message: Option<i64>,
    at: Vec<Option<usize>>,
}

impl State {
    fn enabled(&self, guard: Guard) -> bool {
        let value = self.values[guard.var];
        if guard.is_less { value < guard.bound } else { value != guard.bound }
    }

    /// The process of a name, and its branch with this line.
    fn step(&mut self, program: &Program, step: &TraceStep) -> Result<(), String> {
        let (Some(name), Some(location)) = (&step.process, &step.location) else {
            return ensure(!self.can_move(program), || "a process can move".to_owned());
        };
        let process = number(name)?;
        let branches = &program.processes[process];
        match self.at[process] {
            None => {
                let found = branches.iter().position(|one| one.guard_line == location.line);
                let branch = found.ok_or_else(|| format!("{name} is not there: {location:?}"))?;
                let text = step.statement.as_deref().unwrap_or_default();
                ensure(text.contains(NAMES[branches[branch].guard.var]), || text.to_owned())?;
                ensure(self.enabled(branches[branch].guard), || "a guard is false".to_owned())?;
                self.at[process] = Some(branch);
            }
            Some(branch) => {
                let Branch { statement, statement_line, .. } = branches[branch];
                ensure(statement_line == location.line, || format!("another line: {location:?}"))?;
                match statement {
                    Statement::Assign(to, from, add) => {
                        self.values[to] = (self.values[from] + add) % MODULUS;
                    }
                    Statement::Send(var) if program.capacity > 0 => {
                        ensure(self.message.is_none(), || "the channel is full".to_owned())?;
                        self.message = Some(self.values[var]);
                    }
                    Statement::Send(var) => self.hand_over(program, step, self.values[var])?,
                    Statement::Receive(var) => {
                        self.values[var] = self.message.take().ok_or("the channel is empty")?;
                    }
                }
                self.at[process] = None;
            }
        }
        Ok(())
    }

    /// The other side of a rendezvous.
    fn hand_over(&mut self, program: &Program, step: &TraceStep, value: i64) -> Result<(), String> {
        let partner = step.partner.as_ref().ok_or("a rendezvous has two sides")?;
        let receiver = number(&partner.process)?;
        let line = partner.location.as_ref().map(|place| place.line);
        let branch = self.at[receiver].map(|branch| &program.processes[receiver][branch]);
        match branch {
            Some(Branch { statement: Statement::Receive(var), statement_line, .. })
                if line == Some(*statement_line) =>
            {
                self.values[*var] = value;
                self.at[receiver] = None;
                Ok(())
            }
            _ => Err("the receiver is not ready".to_owned()),
        }
    }

    fn can_move(&self, program: &Program) -> bool {
        let stands = |process: usize| {
            let branch: usize = self.at[process]?;
            Some(program.processes[process][branch].statement)
        };
        let receives = |other: usize| matches!(stands(other), Some(Statement::Receive(_)));
        (0..self.at.len()).any(|process| match stands(process) {
            None => program.processes[process].iter().any(|one| self.enabled(one.guard)),
            Some(Statement::Assign(..)) => true,
            Some(Statement::Send(_)) if program.capacity > 0 => self.message.is_none(),
            Some(Statement::Send(_)) => (0..self.at.len()).any(|o| o != process && receives(o)),
            Some(Statement::Receive(_)) => self.message.is_some(),
        })
    }
}

/// `P1`, perhaps with more behind it.
pub fn number(name: &str) -> Result<usize, String> {
    let digits: String =
        name.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    digits.parse().map_err(|_| format!("no process: {name}"))
}

fn follow(program: &Program, trace: &Trace) -> Result<(), String> {
    let mut state =
        State { values: [0, 1], message: None, at: vec![None; program.processes.len()] };
    let mut states = vec![state.clone()];
    for (number, (_, to)) in pairs(trace).into_iter().enumerate() {
        let reported = &trace.states[to];
        state.step(program, &trace.steps[number]).map_err(|why| format!("step {number}: {why}"))?;
        for (var, name) in NAMES.iter().enumerate() {
            let fits = int(reported.get(name)).is_none_or(|value| value == state.values[var]);
            ensure(fits, || format!("{name} after step {number}: {trace}"))?;
        }
        if to < states.len() {
            // What the property does not depend on is not told, and may be another.
            let is_reported = |var: usize| reported.get(NAMES[var]).is_some();
            let fits =
                |var: usize| !is_reported(var) || states[to].values[var] == state.values[var];
            let is_again = states[to].at == state.at && (0..NAMES.len()).all(fits);
            ensure(is_again, || format!("the loop is none: {trace}"))?;
        }
        states.push(state.clone());
    }
    for reported in &trace.states {
        let is_plain = |(name, _): &(String, _)| !name.starts_with('@') && !name.starts_with('P');
        ensure(reported.values.iter().all(is_plain), || format!("control is shown: {trace}"))?;
    }
    Ok(())
}

pub fn replay(rng: &mut Rng, case: &mut Case) -> Result<(), String> {
    let program = Program::random(rng);
    traces(&program, rng, case).map(drop)
}

/// The traces of a program by all methods, each once, after they are replayed.
pub fn traces(program: &Program, rng: &mut Rng, case: &mut Case) -> Result<Vec<Trace>, String> {
    case.note(&program.text);
    let model =
        Model::read("promela", "random.pml", &program.text).map_err(|error| error.to_string())?;
    let (name, bound) = (*rng.pick(&NAMES), rng.below(MODULUS as usize) as i64);
    let mut found: Vec<Trace> = Vec::new();
    for method in ["auto", "direct", "symbolic"] {
        for formula in [format!("AG ({name} != {bound})"), format!("AF ({name} == {bound})")] {
            case.note(format!("/* {method}: {formula} */"));
            let property =
                model.property(Logic::Ctl, &formula).map_err(|error| error.to_string())?;
            let options = Options::default().method(method);
            let Some(trace) = trace_of(&model, &property, &options)? else { continue };
            ensure(!trace.is_prefix, || "the evidence is no path".to_owned())?;
            follow(program, &trace).map_err(|why| format!("{why}\n{trace}"))?;
            let constant = if name == "x" { 0 } else { 1 };
            let is_there =
                |state: usize| int(trace.states[state].get(name)).unwrap_or(constant) == bound;
            let last = trace.states.len() - 1;
            match formula.starts_with("AG") {
                true => ensure(is_there(last), || format!("it holds in the end: {trace}"))?,
                false => ensure(!(0..=last).any(is_there) && trace.loop_start.is_some(), || {
                    format!("no path without it: {trace}")
                })?,
            }
            if !found.contains(&trace) {
                found.push(trace);
            }
        }
    }
    Ok(found)
}
