//! Programs as `.while` text.

use super::ast::{
    Argument, Choice, Command, Domain, Expr, Kind, Parameter, Program, Scope, Target, Var, VarIndex,
};
use std::fmt::Write;

impl Program {
    /// The whole program; properties can be put behind it.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let own = self.vars.iter().filter(|var| var.scope == Scope::Program);
        own.for_each(|var| {
            let _ = writeln!(out, "var {};", self.declaration(var));
        });
        for procedure in 0..self.procedures.len() {
            self.write_procedure(procedure, &mut out);
        }
        for command in &self.body {
            self.write_command(command, 0, &mut out);
            out.push_str(";\n");
        }
        let _ = writeln!(out, "{}fin", labels_text(&self.last_labels));
        out
    }

    fn declaration(&self, var: &Var) -> String {
        let domain = match var.domain {
            Domain::Bool => "bool".to_owned(),
            Domain::Range(low, high) => format!("{low}..{high}"),
            Domain::Symbols(_) => format!("{{{}}}", self.symbols.join(", ")),
        };
        let array = var.elements.map_or(String::new(), |n| format!("array 0..{} of ", n - 1));
        let values: Vec<String> = var.start.iter().map(|&v| self.value_text(var, v)).collect();
        let start = match &values[..] {
            [] => String::new(),
            [only] => format!(" := {only}"),
            several => format!(" := {{{}}}", several.join(", ")),
        };
        format!("{} : {array}{domain}{start}", var.name)
    }

    /// A value of a variable as it is written in the language.
    pub fn value_text(&self, var: &Var, value: i64) -> String {
        match var.domain {
            Domain::Bool => (value == 1).to_string(),
            Domain::Range(..) => value.to_string(),
            Domain::Symbols(_) => self.symbols[value as usize].clone(),
        }
    }

    fn write_procedure(&self, number: usize, out: &mut String) {
        let procedure = &self.procedures[number];
        let parameters = procedure.parameters.iter().map(|parameter| match *parameter {
            Parameter::In(var) => format!("in {}", self.declaration(&self.vars[var])),
            Parameter::Out(var) => format!("out {}", self.declaration(&self.vars[var])),
        });
        let parameters = parameters.collect::<Vec<_>>().join(", ");
        let _ = writeln!(out, "proc {}({parameters}) {{", procedure.name);
        for (var, value) in &procedure.locals {
            let value = value.as_ref().map_or(String::new(), |e| format!(" := {}", self.expr(e)));
            let _ = writeln!(out, "  var {}{value};", self.declaration(&self.vars[*var]));
        }
        self.write_block(&procedure.body, 1, out);
        out.push_str("}\n");
    }

    fn write_block(&self, commands: &[Command], depth: usize, out: &mut String) {
        for (number, command) in commands.iter().enumerate() {
            self.write_command(command, depth, out);
            out.push_str(if number + 1 < commands.len() { ";\n" } else { "\n" });
        }
    }

    fn write_command(&self, command: &Command, depth: usize, out: &mut String) {
        let indent = "  ".repeat(depth);
        let _ = write!(out, "{indent}{}", labels_text(&command.labels));
        match &command.kind {
            Kind::Skip => out.push_str("skip"),
            Kind::Assign(target, choice) => {
                let _ = write!(out, "{} := {}", self.target(target), self.choice(choice));
            }
            Kind::If { test, then, otherwise } => {
                let _ = writeln!(out, "if {} then", self.expr(test));
                self.write_block(then, depth + 1, out);
                if !otherwise.is_empty() {
                    let _ = writeln!(out, "{indent}else");
                    self.write_block(otherwise, depth + 1, out);
                }
                let _ = write!(out, "{indent}fi");
            }
            Kind::While { test, body } => {
                let _ = writeln!(out, "while {} do", self.expr(test));
                self.write_block(body, depth + 1, out);
                let _ = write!(out, "{indent}od");
            }
            Kind::Call { procedure, arguments } => {
                let arguments: Vec<String> = arguments.iter().map(|a| self.argument(a)).collect();
                let name = &self.procedures[*procedure].name;
                let _ = write!(out, "{name}({})", arguments.join(", "));
            }
            Kind::Hole { name, frame } => {
                let frame: Vec<&str> = frame.iter().map(|&var| self.name(var)).collect();
                let _ = write!(out, "hole {name}({})", frame.join(", "));
            }
        }
    }

    fn name(&self, var: VarIndex) -> &str {
        &self.vars[var].name
    }

    fn target(&self, target: &Target) -> String {
        match target {
            Target::Var(var) => self.name(*var).to_owned(),
            Target::Element(var, index) => format!("{}[{}]", self.name(*var), self.expr(index)),
        }
    }

    fn choice(&self, choice: &Choice) -> String {
        match choice {
            Choice::Any => "any".to_owned(),
            Choice::OneOf(values) => {
                let values: Vec<String> = values.iter().map(|value| self.expr(value)).collect();
                match &values[..] {
                    [only] => only.clone(),
                    several => format!("{{{}}}", several.join(", ")),
                }
            }
        }
    }

    fn argument(&self, argument: &Argument) -> String {
        match argument {
            Argument::In(value) => self.expr(value),
            Argument::Out(target) => self.target(target),
        }
    }

    /// With parentheses around everything that has an operator inside of another.
    pub fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Bool(value) => value.to_string(),
            Expr::Int(value) => value.to_string(),
            Expr::Symbol(symbol) => self.symbols[*symbol].clone(),
            Expr::Var(var) => self.name(*var).to_owned(),
            Expr::Element(var, index) => format!("{}[{}]", self.name(*var), self.expr(index)),
            Expr::Not(operand) => format!("!{}", self.operand(operand)),
            Expr::Minus(operand) => format!("-{}", self.operand(operand)),
            Expr::Binary(operator, left, right) => {
                format!("{} {} {}", self.operand(left), operator.sign(), self.operand(right))
            }
        }
    }

    fn operand(&self, expr: &Expr) -> String {
        match expr {
            Expr::Binary(..) | Expr::Minus(_) => format!("({})", self.expr(expr)),
            Expr::Int(value) if *value < 0 => format!("({value})"),
            _ => self.expr(expr),
        }
    }
}

fn labels_text(labels: &[String]) -> String {
    labels.iter().map(|label| format!("{label}: ")).collect()
}
