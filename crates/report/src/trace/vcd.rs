//! Traces as value change dumps (IEEE 1364 §18), for wave viewers: a step is a nanosecond, a module instance a scope.
//!
//! Truth values are wires, integers vectors (in two's complement where one is negative), and symbolic constants
//! strings, which is an extension that GTKWave and Surfer read.

use super::{Row, inputs, rows, variables};
use ::vcd::{IdCode, SimulationCommand, TimescaleUnit, Value, VarType, Writer};
use logic::evidence::{Trace, TraceStep, TraceValue};
use std::io;

/// Writes the dump. The states of a loop are those in which the wire `loop` is 1.
pub fn vcd(trace: &Trace, title: &str) -> String {
    let mut bytes = Vec::new();
    write(trace, title, &mut Writer::new(&mut bytes)).expect("a vector takes all");
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A column of the dump: its name, and its value at each time.
struct Signal<'a> {
    scope: Vec<&'a str>,
    name: &'a str,
    values: Vec<Option<TraceValue>>,
}

#[derive(Clone, Copy, PartialEq)]
enum SignalType {
    Wire,
    /// Of so many bits.
    Vector(u32),
    Text,
}

fn write(trace: &Trace, title: &str, out: &mut Writer<&mut Vec<u8>>) -> io::Result<()> {
    out.comment(&word(title).replace('_', " "))?;
    out.version("tertium")?;
    out.timescale(1, TimescaleUnit::NS)?;
    out.add_module("trace")?;
    let mut signals = signals(trace);
    // Those of one scope stand together.
    signals.sort_by(|a, b| a.scope.cmp(&b.scope));
    let mut columns: Vec<(IdCode, SignalType, &Signal)> = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    for signal in &signals {
        let common = open.iter().zip(&signal.scope).take_while(|(a, b)| a == b).count();
        for _ in common..open.len() {
            out.upscope()?;
        }
        for scope in &signal.scope[common..] {
            out.add_module(&word(scope))?;
        }
        open.clone_from(&signal.scope);
        let kind = signal.kind();
        let (var, width) = match kind {
            SignalType::Wire => (VarType::Wire, 1),
            SignalType::Vector(width) => (VarType::Wire, width),
            SignalType::Text => (VarType::String, 1),
        };
        columns.push((out.add_var(var, width, &word(signal.name), None)?, kind, signal));
    }
    for _ in 0..=open.len() {
        out.upscope()?;
    }
    out.enddefinitions()?;
    for time in 0..trace.states.len() {
        out.timestamp(time as u64)?;
        if time == 0 {
            out.begin(SimulationCommand::Dumpvars)?;
        }
        for (id, kind, signal) in &columns {
            if time == 0 || signal.values[time] != signal.values[time - 1] {
                change(out, *id, *kind, signal.values[time].as_ref())?;
            }
        }
        if time == 0 {
            out.end()?;
        }
    }
    // Without it a viewer would show nothing of the last state.
    out.timestamp(trace.states.len() as u64)
}

fn change(
    out: &mut Writer<&mut Vec<u8>>,
    id: IdCode,
    kind: SignalType,
    value: Option<&TraceValue>,
) -> io::Result<()> {
    match (kind, value) {
        (SignalType::Wire, Some(TraceValue::Bool(value))) => out.change_scalar(id, *value),
        (SignalType::Wire, _) => out.change_scalar(id, Value::X),
        (
            SignalType::Vector(width),
            Some(TraceValue::Int(value) | TraceValue::Word { value, .. }),
        ) => {
            let bit = |place: u32| Value::from(value >> place.min(63) & 1 == 1);
            out.change_vector(id, (0..width).rev().map(bit))
        }
        (SignalType::Vector(width), _) => out.change_vector(id, (0..width).map(|_| Value::X)),
        (SignalType::Text, Some(value)) => out.change_string(id, &word(&value.to_string())),
        // An empty string would run into the next word.
        (SignalType::Text, None) => out.change_string(id, "-"),
    }
}

fn signals(trace: &Trace) -> Vec<Signal<'_>> {
    let rows = rows(trace);
    let column = |of: &dyn Fn(&Row) -> Option<TraceValue>| rows.iter().map(of).collect::<Vec<_>>();
    let variables = variables(trace).into_iter().map(|name| {
        let mut scope: Vec<&str> = name.split('.').collect();
        let last = scope.pop().unwrap_or(name);
        Signal { scope, name: last, values: column(&|row| row.state.get(name).cloned()) }
    });
    let input = |step: &TraceStep, name: &str| {
        step.inputs.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone())
    };
    let inputs = inputs(trace).into_iter().map(|name| Signal {
        scope: vec!["inputs"],
        name,
        values: column(&|row| row.step.and_then(|step| input(step, name))),
    });
    let texts = ["action", "process", "statement"].into_iter().map(|name| Signal {
        scope: vec!["step"],
        name,
        values: column(&|row| row.step.and_then(|step| text(step, name)).map(TraceValue::Symbol)),
    });
    let mut signals: Vec<Signal> = variables.chain(inputs).collect();
    signals.extend(texts.filter(|signal| signal.values.iter().any(Option::is_some)));
    if let Some(start) = trace.loop_start {
        let values = (0..rows.len()).map(|time| Some(TraceValue::Bool(time >= start))).collect();
        signals.push(Signal { scope: vec!["step"], name: "loop", values });
    }
    signals
}

fn text(step: &TraceStep, name: &str) -> Option<String> {
    match name {
        "action" => step.action.clone(),
        "process" => step.process.clone(),
        _ => step.statement.clone(),
    }
}

impl Signal<'_> {
    /// The narrowest type that all values have.
    fn kind(&self) -> SignalType {
        let (mut numbers, mut widest) = (Vec::new(), 0);
        let mut kinds = [false; 3];
        for value in self.values.iter().flatten() {
            match value {
                TraceValue::Bool(_) => kinds[0] = true,
                TraceValue::Int(number) => {
                    kinds[1] = true;
                    numbers.push(*number);
                }
                TraceValue::Word { width, .. } => {
                    kinds[1] = true;
                    widest = widest.max(u32::from(*width));
                }
                TraceValue::Unknown => {}
                _ => kinds[2] = true,
            }
        }
        match kinds {
            [true, false, false] => SignalType::Wire,
            [false, true, false] => SignalType::Vector(width(&numbers).max(widest)),
            _ => SignalType::Text,
        }
    }
}

/// Bits that all the numbers fit into.
fn width(numbers: &[i64]) -> u32 {
    let magnitude =
        |number: &i64| 64 - (if *number < 0 { !number } else { *number }).leading_zeros();
    let sign = u32::from(numbers.iter().any(|number| *number < 0));
    (numbers.iter().map(magnitude).max().unwrap_or(0) + sign).max(1)
}

/// A name or string of a dump ends at white space.
fn word(text: &str) -> String {
    let word: String =
        text.chars().map(|c| if c.is_whitespace() || c.is_control() { '_' } else { c }).collect();
    if word.is_empty() { "_".to_owned() } else { word }
}

#[cfg(test)]
mod tests {
    use super::super::tests::lasso;
    use super::*;
    use ::vcd::{Command, Parser};

    #[test]
    fn a_parser_reads_it_back() {
        let text = vcd(&lasso(), "p of a.smv");
        let mut parser = Parser::new(text.as_bytes());
        let header = parser.parse_header().expect("a header");
        let var =
            |path: &[&str]| header.find_var(path).unwrap_or_else(|| panic!("{path:?}\n{text}"));
        let x = var(&["trace", "x"]);
        let y = var(&["trace", "y"]);
        assert_eq!((x.size, y.size), (3, 3));
        let busy = var(&["trace", "m", "busy"]).code;
        let mode = var(&["trace", "m", "mode"]).code;
        let coin = var(&["trace", "inputs", "coin"]).code;
        let looping = var(&["trace", "step", "loop"]).code;
        let (mut time, mut seen) = (0, Vec::new());
        for command in parser {
            match command.expect("a command") {
                Command::Timestamp(now) => time = now,
                Command::ChangeScalar(id, value) if id == busy => {
                    seen.push((time, "busy", value.to_string()))
                }
                Command::ChangeScalar(id, value) if id == coin => {
                    seen.push((time, "coin", value.to_string()))
                }
                Command::ChangeScalar(id, value) if id == looping => {
                    seen.push((time, "loop", value.to_string()))
                }
                Command::ChangeVector(id, value) if id == x.code => {
                    seen.push((time, "x", value.to_string()))
                }
                Command::ChangeVector(id, value) if id == y.code => {
                    seen.push((time, "y", value.to_string()))
                }
                Command::ChangeString(id, value) if id == mode => seen.push((time, "mode", value)),
                _ => {}
            }
        }
        seen.sort();
        let expected = [
            (0, "busy", "0"),
            (0, "coin", "x"),
            (0, "loop", "0"),
            (0, "mode", "idle"),
            (0, "x", "000"),
            (0, "y", "101"),
            (1, "busy", "1"),
            (1, "coin", "1"),
            (1, "loop", "1"),
            (1, "mode", "run_fast"),
            (1, "x", "101"),
            (2, "coin", "x"),
            (2, "mode", "<end>"),
            (2, "x", "110"),
            (2, "y", "010"),
        ];
        assert_eq!(
            seen,
            expected.map(|(time, name, value)| (time, name, value.to_owned())),
            "{text}"
        );
        assert_eq!(time, 3);
    }

    #[test]
    fn vectors_are_as_wide_as_their_numbers() {
        let cases: [(&[i64], u32); 7] = [
            (&[], 1),
            (&[0], 1),
            (&[7], 3),
            (&[8, 1], 4),
            (&[-1], 1),
            (&[-8, 7], 4),
            (&[i64::MIN], 64),
        ];
        for (numbers, bits) in cases {
            assert_eq!(width(numbers), bits, "{numbers:?}");
        }
    }
}
