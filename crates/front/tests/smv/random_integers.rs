//! Random SMV texts whose integers stay within bounds by what the text says.

use testkit::Rng;

/// All integers are between these.
pub const LOW: i64 = -1;
pub const HIGH: i64 = 2;

/// The type of all integers in a text: replaced by `integer` or by a range.
pub const TYPE: &str = "@";

struct Text<'r> {
    rng: &'r mut Rng,
    /// Integers that can be read in a state.
    numbers: Vec<&'static str>,
    inputs: Vec<&'static str>,
}

pub fn text(rng: &mut Rng, specifications: usize) -> String {
    let mut text = Text { rng, numbers: vec!["x"], inputs: Vec::new() };
    text.module(specifications)
}

fn clamped(value: &str) -> String {
    format!("max({LOW}, min({HIGH}, {value}))")
}

impl Text<'_> {
    fn one_of(&mut self, choices: &[&str]) -> String {
        choices[self.rng.below(choices.len())].to_owned()
    }

    fn module(&mut self, specifications: usize) -> String {
        let mut out = format!(
            "MODULE main\nVAR\n  x : {TYPE};\n  b : boolean;\n  m : {{a, c, 2}};\n  r : 0..2;\n"
        );
        if self.rng.chance(0.5) {
            self.numbers.push("y");
            out += &format!("  y : {TYPE};\n");
        }
        if self.rng.chance(0.2) {
            out += &format!("FROZENVAR f : {TYPE};\nINIT f >= {LOW} & f <= {HIGH};\n");
            self.numbers.push("f");
        }
        if self.rng.chance(0.25) {
            let times = self.one_of(&["", "3 * "]);
            let bounds = format!("{times}i >= {times}{LOW} & {times}i <= {times}{HIGH}");
            out += &format!("IVAR i : {TYPE};\nTRANS {bounds};\n");
            self.inputs.push("i");
        }
        let numbers = self.numbers.clone();
        for name in ["x", "y"] {
            if numbers.contains(&name) {
                out += &self.number_variable(name);
            }
        }
        out += &self.other_variables();
        out += &self.constraints();
        for _ in 0..specifications {
            out += &self.specification();
        }
        out
    }

    fn term(&mut self, in_step: bool, depth: usize) -> String {
        if depth == 0 || self.rng.chance(0.4) {
            let mut leaves: Vec<&str> = self.numbers.clone();
            leaves.extend(["r", "1", "2", "-1"]);
            if in_step {
                leaves.extend(self.inputs.clone());
            }
            return self.one_of(&leaves);
        }
        let a = self.term(in_step, depth - 1);
        let b = self.term(in_step, depth - 1);
        match self.rng.below(7) {
            0 | 1 => format!("({a} + {b})"),
            2 => format!("({a} - {b})"),
            3 => format!("(2 * {a})"),
            4 => format!("({a} / 2)"),
            5 => format!("({a} mod 3)"),
            _ => format!("({} ? {a} : {b})", self.condition(in_step, 0)),
        }
    }

    fn condition(&mut self, in_step: bool, depth: usize) -> String {
        if depth > 0 && self.rng.chance(0.5) {
            let a = self.condition(in_step, depth - 1);
            let b = self.condition(in_step, depth - 1);
            let infix = self.one_of(&["&", "|", "->", "<->", "xor"]);
            return format!("({a} {infix} {b})");
        }
        match self.rng.below(7) {
            0 => "b".to_owned(),
            1 => "!b".to_owned(),
            2 => format!("m = {}", self.one_of(&["a", "c", "2"])),
            3 => format!("r = {}", self.rng.below(3)),
            4 => format!("{} in {{0, 1, {HIGH}}}", self.term(in_step, 0)),
            _ => {
                let (a, b) = (self.term(in_step, 1), self.term(in_step, 0));
                let infix = self.one_of(&["=", "!=", "<", "<=", ">", ">="]);
                format!("({a} {infix} {b})")
            }
        }
    }

    fn cases(&mut self, in_step: bool, value: &mut dyn FnMut(&mut Self) -> String) -> String {
        let mut out = "case ".to_owned();
        for _ in 0..self.rng.between(1, 2) {
            out += &format!("{} : {}; ", self.condition(in_step, 1), value(self));
        }
        // Sometimes no branch is left.
        if self.rng.chance(0.95) {
            out += &format!("TRUE : {}; ", value(self));
        }
        out + "esac"
    }

    fn number(&mut self, in_step: bool) -> String {
        match self.rng.below(4) {
            0 => format!("{{{}, {}}}", clamped(&self.term(in_step, 1)), self.rng.between(0, 2)),
            _ => clamped(&self.term(in_step, 2)),
        }
    }

    fn number_variable(&mut self, name: &str) -> String {
        // Bounds that are seen, and bounds that are not.
        let step = match self.rng.chance(0.5) {
            true => format!("TRANS next({name}) >= {LOW} & next({name}) <= {HIGH};"),
            false => {
                format!("TRANS 2 * next({name}) >= 2 * {LOW} & 2 * next({name}) <= 2 * {HIGH};")
            }
        };
        let bounds = format!("INIT {name} >= {LOW} & {name} <= {HIGH};\n{step}\n");
        let mut out = String::new();
        if self.rng.chance(0.7) {
            out += &format!("ASSIGN init({name}) := {};\n", self.one_of(&["0", "{0, 1}", "-1"]));
        }
        match self.rng.below(6) {
            0 => out + &bounds,
            1 => {
                let value = self.term(true, 1);
                let other = self.one_of(&["next(b)", "b", "x > 0"]);
                out + &bounds + &format!("TRANS next({name}) = {value} | {other};\n")
            }
            2 => out + &bounds + &format!("TRANS next({name}) > {name} | m = a;\n"),
            _ => {
                let value = match self.rng.chance(0.7) {
                    true => self.cases(true, &mut |text| text.number(true)),
                    false => self.number(true),
                };
                let init = if out.is_empty() { bounds } else { String::new() };
                let init = init.lines().next().map_or(String::new(), |line| format!("{line}\n"));
                out + &init + &format!("ASSIGN next({name}) := {value};\n")
            }
        }
    }

    fn other_variables(&mut self) -> String {
        let mut out = String::new();
        if self.rng.chance(0.8) {
            let value = self.condition(true, 1);
            out +=
                &format!("ASSIGN next(b) := {};\n", self.one_of(&[&value, "{TRUE, FALSE}", "!b"]));
        }
        if self.rng.chance(0.8) {
            let value = self.cases(true, &mut |text| text.one_of(&["a", "c", "2", "{a, c}", "m"]));
            out += &format!("ASSIGN init(m) := a;\nASSIGN next(m) := {value};\n");
        }
        match self.rng.below(4) {
            0 => {}
            1 => out += &format!("ASSIGN r := max(0, min(2, {}));\n", self.numbers[0]),
            _ => {
                let other = self.one_of(&["next(x)", "x", "r + 1", "(r + 1) mod 3"]);
                out += &format!("ASSIGN next(r) := max(0, min(2, {other}));\n");
            }
        }
        out
    }

    fn constraints(&mut self) -> String {
        let mut out = String::new();
        if self.rng.chance(0.2) {
            out += &format!("INVAR {};\n", self.condition(false, 1));
        }
        if self.rng.chance(0.2) {
            let value = self.condition(true, 1);
            out += &format!("TRANS {value} -> next(b) = b;\n");
        }
        if self.rng.chance(0.15) {
            out += &format!("FAIRNESS {};\n", self.condition(false, 0));
        }
        out
    }

    fn specification(&mut self) -> String {
        let [p, q] = [0, 1].map(|_| self.condition(false, 1));
        match self.rng.below(10) {
            0 => format!("INVARSPEC {p};\n"),
            1 => format!("SPEC AG ({p} -> AX {q});\n"),
            2 => format!("SPEC EF {p};\n"),
            3 => format!("SPEC AG ({p} -> AF {q});\n"),
            4 => format!("SPEC AG EF {p};\n"),
            5 => format!("SPEC EG {p};\n"),
            6 => format!("SPEC E [{p} U {q}];\n"),
            7 => format!("SPEC A [{p} U {q}];\n"),
            8 => format!("SPEC EX ({p} & EX {q});\n"),
            _ => format!("MUSPEC nu Z. (({p}) | <> ({q})) & [] Z;\n"),
        }
    }
}
