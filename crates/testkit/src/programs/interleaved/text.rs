//! The texts of programs with processes.

use super::{Command, Condition, ELEMENTS, Statement, Target, Value, Variable};
use std::fmt::Write;

/// Of processes, if they have names.
pub(super) fn program(
    vars: &[Variable],
    bodies: &[Vec<Command>],
    names: Option<&Vec<&str>>,
    has_array: bool,
) -> String {
    let writer = Writer { vars };
    let mut out = String::new();
    for var in vars.iter().filter(|var| !var.name.contains(['.', '['])) {
        out.push_str(&declaration(&var.name, "", var));
    }
    if has_array {
        let array = format!("array 0..{} of ", ELEMENTS - 1);
        out.push_str(&declaration("a", &array, &vars[super::ARRAY]));
    }
    for (number, body) in bodies.iter().enumerate() {
        match names {
            None => {
                let _ = writeln!(out, "{}", writer.block(body));
            }
            Some(names) => {
                let _ = writeln!(out, "process {} {{", names[number]);
                let prefix = format!("{}.", names[number]);
                for var in vars {
                    if let Some(name) = var.name.strip_prefix(&prefix) {
                        out.push_str(&declaration(name, "", var));
                    }
                }
                let _ = writeln!(out, "{}\n}}", writer.block(body));
            }
        }
    }
    out
}

fn declaration(name: &str, array: &str, var: &Variable) -> String {
    let (low, high) = var.bounds;
    let start: Vec<String> = var.start.iter().map(i64::to_string).collect();
    format!("var {name} : {array}{low}..{high} := {{{}}};\n", start.join(", "))
}

struct Writer<'a> {
    vars: &'a [Variable],
}

impl Writer<'_> {
    fn block(&self, block: &[Command]) -> String {
        let commands: Vec<String> = block.iter().map(|command| self.command(command)).collect();
        commands.join(";\n")
    }

    fn command(&self, command: &Command) -> String {
        let label = command.label.map_or(String::new(), |label| format!("l{label}: "));
        let text = match &command.statement {
            Statement::Skip => "skip".to_owned(),
            Statement::Break => "break".to_owned(),
            Statement::Any(var) => format!("{} := any", self.name(*var)),
            Statement::Assume(test) => format!("assume {}", self.condition(test)),
            Statement::Assert(test) => format!("assert {}", self.condition(test)),
            Statement::Assign(target, values) => {
                let target = match target {
                    Target::Var(var) => self.name(*var).to_owned(),
                    Target::Element(index) => format!("a[{}]", self.value(index)),
                };
                let values: Vec<String> = values.iter().map(|value| self.value(value)).collect();
                match &values[..] {
                    [only] => format!("{target} := {only}"),
                    several => format!("{target} := {{{}}}", several.join(", ")),
                }
            }
            Statement::If(test, then, otherwise) => {
                let otherwise = otherwise.as_ref().map_or(String::new(), |otherwise| {
                    format!("\nelse\n{}", self.block(otherwise))
                });
                format!("if {} then\n{}{otherwise}\nfi", self.condition(test), self.block(then))
            }
            Statement::While(test, body) => {
                format!("while {} do\n{}\nod", self.condition(test), self.block(body))
            }
        };
        format!("{label}{text}")
    }

    /// Within its process, a variable is called without it.
    fn name(&self, var: usize) -> &str {
        let name = &self.vars[var].name;
        name.split_once('.').map_or(name, |(_, own)| own)
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::Constant(value) => value.to_string(),
            Value::Var(var) => self.name(*var).to_owned(),
            Value::Element(index) => format!("a[{}]", self.value(index)),
            Value::Sum(value, change) if *change < 0 => format!("({} - 1)", self.value(value)),
            Value::Sum(value, _) => format!("({} + 1)", self.value(value)),
        }
    }

    fn condition(&self, condition: &Condition) -> String {
        match condition {
            Condition::Compare(a, sign, b) => {
                format!("({} {sign} {})", self.value(a), self.value(b))
            }
            Condition::Not(a) => format!("!{}", self.condition(a)),
            Condition::And(a, b) => format!("({} & {})", self.condition(a), self.condition(b)),
        }
    }
}
