//! Random programs: a syntax tree of the tests' own, and its text.

use std::fmt::Write;
use testkit::Rng;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    Int,
    /// -2..3
    Range,
    Bool,
    /// {p, q, r}, which are 0, 1 and 2.
    Enum,
}

pub const CONSTANTS: [&str; 3] = ["p", "q", "r"];

#[derive(Clone, Debug)]
pub enum Expr {
    Number(i64),
    Bool(bool),
    Constant(usize),
    Var(usize),
    Neg(Box<Expr>),
    Not(Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
}

#[derive(Clone, Debug)]
pub enum Value {
    One(Expr),
    Set(Vec<Expr>),
    Any,
}

#[derive(Clone, Debug)]
pub enum Command {
    Skip,
    Assign(usize, Value),
    Assume(Expr),
    If(Expr, Vec<usize>, Option<Vec<usize>>),
    While(Expr, Vec<usize>),
    /// Of the procedure, with a value and a variable of the type `int`.
    Call(Expr, usize),
}

/// Commands are known by their numbers.
pub struct Program {
    pub variables: Vec<(String, Type)>,
    pub commands: Vec<Command>,
    /// The commands of `proc f(in v : int, out w : int) { var t : -2..3 := v; … }`, if there is one.
    pub procedure: Option<Vec<usize>>,
    pub processes: Vec<Vec<usize>>,
}

/// The variables of the procedure.
pub const PARAMETER: usize = 5;
pub const RESULT: usize = 6;
pub const LOCAL: usize = 7;

pub struct Generator<'r> {
    pub rng: &'r mut Rng,
    commands: Vec<Command>,
    /// The variables that are known where the cursor is.
    known: Vec<usize>,
    variables: Vec<(String, Type)>,
    has_procedure: bool,
    has_assumptions: bool,
}

/// With `assume` and processes only if they are wanted: finite programs have none.
pub fn program(rng: &mut Rng, is_finite: bool) -> Program {
    let variables: Vec<(String, Type)> = [
        ("x", Type::Int),
        ("y", Type::Int),
        ("s", Type::Range),
        ("b", Type::Bool),
        ("m", Type::Enum),
        ("f.v", Type::Int),
        ("f.w", Type::Int),
        ("f.t", Type::Range),
    ]
    .map(|(name, ty)| (name.to_owned(), ty))
    .into();
    let has_assumptions = !is_finite;
    let mut generator = Generator {
        rng,
        commands: Vec::new(),
        known: (0..8).collect(),
        variables,
        has_procedure: false,
        has_assumptions,
    };
    let wants_procedure = generator.rng.chance(0.5);
    let procedure = wants_procedure.then(|| generator.block(2));
    generator.known = (0..PARAMETER).collect();
    generator.has_procedure = wants_procedure;
    // Variables of a procedure would become several: that has a test of its own.
    let count = if is_finite || wants_procedure { 1 } else { generator.rng.between(1, 3) };
    let processes = (0..count).map(|_| generator.block(3)).collect();
    let Generator { commands, variables, .. } = generator;
    Program { variables, commands, procedure, processes }
}

impl Generator<'_> {
    fn block(&mut self, depth: usize) -> Vec<usize> {
        (0..self.rng.between(1, 3)).map(|_| self.command(depth)).collect()
    }

    fn command(&mut self, depth: usize) -> usize {
        let command = match self.rng.below(if depth == 0 { 7 } else { 10 }) {
            0 => Command::Skip,
            1 if self.has_assumptions => Command::Assume(self.truth(2)),
            1..=2 if self.has_procedure => Command::Call(self.number(2), self.rng.below(2)),
            1..=6 => self.assignment(),
            7..=8 => {
                let (condition, then) = (self.truth(2), self.block(depth - 1));
                let otherwise = self.rng.chance(0.5).then(|| self.block(depth - 1));
                Command::If(condition, then, otherwise)
            }
            _ => Command::While(self.truth(2), self.block(depth - 1)),
        };
        self.commands.push(command);
        self.commands.len() - 1
    }

    fn assignment(&mut self) -> Command {
        let variable = *self.rng.pick(&self.known);
        let ty = self.variables[variable].1;
        let value = match self.rng.below(8) {
            0 => Value::Any,
            1 => Value::Set((0..self.rng.between(1, 3)).map(|_| self.expr(ty)).collect()),
            _ => Value::One(self.expr(ty)),
        };
        Command::Assign(variable, value)
    }

    fn expr(&mut self, ty: Type) -> Expr {
        match ty {
            Type::Int | Type::Range => self.number(2),
            Type::Bool => self.truth(2),
            Type::Enum => self.constant(),
        }
    }

    fn var(&mut self, types: &[Type]) -> Expr {
        let fitting = self.known.iter().filter(|&&v| types.contains(&self.variables[v].1));
        let fitting: Vec<usize> = fitting.copied().collect();
        Expr::Var(*self.rng.pick(&fitting))
    }

    fn constant(&mut self) -> Expr {
        match self.rng.chance(0.5) {
            true => Expr::Constant(self.rng.below(3)),
            false => self.var(&[Type::Enum]),
        }
    }

    fn literal(&mut self, most: usize) -> i64 {
        self.rng.below(2 * most + 1) as i64 - most as i64
    }

    fn number(&mut self, depth: usize) -> Expr {
        let kind = if depth == 0 { self.rng.below(4) } else { self.rng.below(10) };
        match kind {
            0 => Expr::Number(self.literal(4)),
            1..=3 => self.var(&[Type::Int, Type::Range]),
            4 => Expr::Neg(Box::new(self.number(depth - 1))),
            5 => {
                let factor = Box::new(Expr::Number(self.literal(3)));
                let other = Box::new(self.number(depth - 1));
                match self.rng.chance(0.5) {
                    true => Expr::Binary("*", factor, other),
                    false => Expr::Binary("*", other, factor),
                }
            }
            6 => {
                let op = *self.rng.pick(&["/", "mod"]);
                let divisor = Expr::Number(self.literal(4));
                Expr::Binary(op, Box::new(self.number(depth - 1)), Box::new(divisor))
            }
            _ => {
                let op = *self.rng.pick(&["+", "-"]);
                let (a, b) = (self.number(depth - 1), self.number(depth - 1));
                Expr::Binary(op, Box::new(a), Box::new(b))
            }
        }
    }

    fn truth(&mut self, depth: usize) -> Expr {
        let kind = if depth == 0 { self.rng.below(5) } else { self.rng.below(10) };
        let (op, a, b) = match kind {
            0 => return Expr::Bool(self.rng.chance(0.5)),
            1 => return self.var(&[Type::Bool]),
            2 => (*self.rng.pick(&["=", "!="]), self.constant(), self.constant()),
            3..=5 => {
                let op = *self.rng.pick(&["=", "!=", "<", "<=", ">", ">="]);
                (op, self.number(1), self.number(1))
            }
            6 => return Expr::Not(Box::new(self.truth(depth - 1))),
            _ => {
                let op = *self.rng.pick(&["&", "|", "->", "<->", "=", "!="]);
                (op, self.truth(depth - 1), self.truth(depth - 1))
            }
        };
        Expr::Binary(op, Box::new(a), Box::new(b))
    }
}

impl Program {
    /// Its text, with this as what is called `int` here.
    pub fn text(&self, int: &str) -> String {
        let mut text =
            format!("var x, y : {int}; var s : -2..3; var b : bool; var m : {{p, q, r}};\n");
        if let Some(body) = &self.procedure {
            let body = self.block(body);
            let _ = writeln!(
                text,
                "proc f(in v : {int}, out w : {int}) {{ var t : -2..3 := v;\n{body} }}"
            );
        }
        match &self.processes[..] {
            [only] => text.push_str(&self.block(only)),
            several => {
                for (number, process) in several.iter().enumerate() {
                    let _ = writeln!(text, "process P{number} {{\n{} }}", self.block(process));
                }
            }
        }
        text
    }

    fn block(&self, commands: &[usize]) -> String {
        let texts: Vec<String> = commands.iter().map(|&command| self.command(command)).collect();
        texts.join(";\n")
    }

    fn command(&self, command: usize) -> String {
        match &self.commands[command] {
            Command::Skip => "skip".to_owned(),
            Command::Assume(condition) => format!("assume {}", self.expr(condition)),
            Command::Call(value, variable) => {
                format!("f({}, {})", self.expr(value), self.name(*variable))
            }
            Command::Assign(variable, value) => {
                let value = match value {
                    Value::Any => "any".to_owned(),
                    Value::One(expr) => self.expr(expr),
                    Value::Set(exprs) => {
                        let texts: Vec<String> = exprs.iter().map(|e| self.expr(e)).collect();
                        format!("{{{}}}", texts.join(", "))
                    }
                };
                format!("{} := {value}", self.name(*variable))
            }
            Command::While(condition, body) => {
                format!("while {} do\n{} od", self.expr(condition), self.block(body))
            }
            Command::If(condition, then, otherwise) => {
                let otherwise = otherwise.as_ref().map(|block| self.block(block));
                let otherwise = otherwise.map(|text| format!(" else\n{text}")).unwrap_or_default();
                let then = self.block(then);
                format!("if {} then\n{then}{otherwise} fi", self.expr(condition))
            }
        }
    }

    /// As it is called where it is used.
    fn name(&self, variable: usize) -> &str {
        let name = &self.variables[variable].0;
        name.strip_prefix("f.").unwrap_or(name)
    }

    fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Number(value) => value.to_string(),
            Expr::Bool(value) => value.to_string(),
            Expr::Constant(number) => CONSTANTS[*number].to_owned(),
            Expr::Var(variable) => self.name(*variable).to_owned(),
            Expr::Neg(a) => format!("-({})", self.expr(a)),
            Expr::Not(a) => format!("!({})", self.expr(a)),
            Expr::Binary(op, a, b) => format!("({} {op} {})", self.expr(a), self.expr(b)),
        }
    }
}
