//! Random texts of while-programs with `assert`, jumps and procedures, which may call each other and themselves.

use crate::rng::Rng;

/// A program, and formulas about it.
#[derive(Clone, Debug)]
pub struct JumpingText {
    pub program: String,
    pub formulas: Vec<String>,
}

/// A program over few valuations. With `is_recursive` its procedures may call each other.
pub fn jumping_text(rng: &mut Rng, is_recursive: bool) -> JumpingText {
    let mut maker = Maker { rng, is_recursive, labels: 0, callable: Vec::new() };
    let mut program = "var g : 0..2 := {0, 1};\nvar h : 0..1;\n".to_owned();
    let procedures: Vec<Signature> = ["p", "q"]
        .into_iter()
        .take(maker.rng.between(1, 2))
        .map(|name| Signature { name, is_with_result: maker.rng.chance(0.5) })
        .collect();
    let mut bodies = String::new();
    for (number, own) in procedures.iter().enumerate() {
        // Without recursion, a procedure calls those before it.
        let known = if is_recursive { procedures.len() } else { number };
        maker.callable = procedures[..known].to_vec();
        let mut names = vec!["g", "h", "v"];
        let result = if own.is_with_result { ", out r : 0..2" } else { "" };
        if own.is_with_result {
            names.push("r");
        }
        let local = maker.rng.chance(0.4);
        let declared = if local { "var t : 0..1 := v mod 2;\n" } else { "" };
        if local {
            names.push("t");
        }
        // A recursion that goes down ends, and one that goes round need not.
        let body = maker.block(&Scope { names, loops: 0, is_procedure: true }, 3);
        bodies.push_str(&format!(
            "proc {}(in v : 0..2{result}) {{\n{declared}{body}\n}}\n",
            own.name
        ));
    }
    maker.callable = procedures.clone();
    let scope = Scope { names: vec!["g", "h"], loops: 0, is_procedure: false };
    let body = maker.block(&scope, 2);
    let call = maker.call(&scope);
    program.push_str(&format!("{bodies}{body};\n{call};\nlast: fin\n"));
    let formulas = (0..maker.rng.between(1, 3)).map(|_| maker.formula(4)).collect();
    JumpingText { program, formulas }
}

#[derive(Clone, Copy)]
struct Signature {
    name: &'static str,
    is_with_result: bool,
}

struct Scope {
    names: Vec<&'static str>,
    loops: usize,
    is_procedure: bool,
}

struct Maker<'r> {
    rng: &'r mut Rng,
    is_recursive: bool,
    labels: usize,
    callable: Vec<Signature>,
}

impl Maker<'_> {
    fn block(&mut self, scope: &Scope, depth: usize) -> String {
        let count = self.rng.between(1, 3);
        let commands: Vec<String> = (0..count).map(|_| self.command(scope, depth)).collect();
        commands.join(";\n")
    }

    fn command(&mut self, scope: &Scope, depth: usize) -> String {
        let label = match self.labels < 3 && self.rng.chance(0.3) {
            true => {
                self.labels += 1;
                format!("l{}: ", self.labels - 1)
            }
            false => String::new(),
        };
        let inner = depth.saturating_sub(1);
        let command = match self.rng.below(if depth == 0 { 6 } else { 12 }) {
            0 => "skip".to_owned(),
            1 => format!("assert {}", self.condition(scope)),
            2 if scope.loops > 0 => self.rng.pick(&["break", "continue"]).to_string(),
            3 if scope.is_procedure => "return".to_owned(),
            4 | 6 if !self.callable.is_empty() => self.call(scope),
            7 | 8 => {
                let then = self.block(scope, inner);
                let otherwise = match self.rng.chance(0.5) {
                    true => format!(" else {}", self.block(scope, inner)),
                    false => String::new(),
                };
                format!("if {} then {then}{otherwise} fi", self.condition(scope))
            }
            9 | 10 => {
                let names = scope.names.clone();
                let within = Scope { names, loops: scope.loops + 1, ..*scope };
                let body = self.block(&within, inner);
                format!("while {} do {body} od", self.condition(scope))
            }
            _ => {
                let target = *self.rng.pick(&scope.names);
                match self.rng.below(4) {
                    0 => format!("{target} := any"),
                    1 => format!("{target} := {{{}, {}}}", self.value(scope), self.value(scope)),
                    _ => format!("{target} := {}", self.value(scope)),
                }
            }
        };
        format!("{label}{command}")
    }

    fn call(&mut self, scope: &Scope) -> String {
        let callee = *self.rng.pick(&self.callable);
        // Mostly down, so that recursion ends now and then.
        let argument = match scope.is_procedure && self.is_recursive && self.rng.chance(0.7) {
            true => "v - 1".to_owned(),
            false => self.value(scope),
        };
        let result = match callee.is_with_result {
            true => format!(", {}", self.rng.pick(&scope.names)),
            false => String::new(),
        };
        let call = format!("{}({argument}{result})", callee.name);
        match argument == "v - 1" {
            true if self.rng.chance(0.8) => format!("if v > 0 then {call} fi"),
            _ => call,
        }
    }

    fn value(&mut self, scope: &Scope) -> String {
        let name = *self.rng.pick(&scope.names);
        match self.rng.below(6) {
            0 => self.rng.below(3).to_string(),
            1 => format!("{name} - 1"),
            2 => format!("1 - {name}"),
            3 => format!("({name} + 1) mod 2"),
            _ => name.to_owned(),
        }
    }

    fn condition(&mut self, scope: &Scope) -> String {
        let name = *self.rng.pick(&scope.names);
        let sign = *self.rng.pick(&["=", "<", "!=", ">"]);
        format!("{name} {sign} {}", self.rng.below(2))
    }

    /// Temporal operators within each other, `X` among them.
    fn formula(&mut self, size: usize) -> String {
        if size == 0 || self.rng.chance(0.1) {
            return match self.rng.below(7) {
                0 => "error".to_owned(),
                1 => "at_last".to_owned(),
                2 | 3 if self.labels > 0 => format!("at_l{}", self.rng.below(self.labels)),
                4 => "h = 1".to_owned(),
                5 => "p.v = 1".to_owned(),
                _ => format!("g = {}", self.rng.below(3)),
            };
        }
        let quantifier = *self.rng.pick(&["A", "E"]);
        let rest = size - 1;
        match self.rng.below(8) {
            0 => format!("!({})", self.formula(rest)),
            1 => format!("({} & {})", self.formula(rest / 2), self.formula(rest / 2)),
            2 => format!("({} -> {})", self.formula(rest / 2), self.formula(rest / 2)),
            3 => {
                let sign = *self.rng.pick(&["U", "R", "W"]);
                let (f, g) = (self.formula(rest / 2), self.formula(rest / 2));
                format!("{quantifier}[{f} {sign} {g}]")
            }
            _ => {
                let operator = *self.rng.pick(&["X", "F", "G", "F", "G"]);
                format!("{quantifier}{operator} ({})", self.formula(rest))
            }
        }
    }
}
