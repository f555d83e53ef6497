//! Random Promela programs, with few values and few states.

use crate::Rng;
use std::fmt::Write;

/// A program in two versions: with its assertions, and with nothing in their place.
pub struct Generated {
    pub with_assertions: String,
    pub without: String,
    /// Whether its states are those that Spin has: nothing is exclusive, and no process ends.
    pub is_plain: bool,
    /// All variables of processes, as formulas name them where each proctype has one process.
    pub locals: Vec<String>,
}

struct Generator<'r> {
    rng: &'r mut Rng,
    text: String,
    indent: usize,
    /// How many labels the process has, and how many variables besides `l`.
    labels: usize,
    vars: usize,
    /// Whether rendezvous are allowed here, and whether blocking is.
    in_dstep: bool,
    in_loop: bool,
    is_plain: bool,
    /// Whether the next statement is the first one of a block: Spin takes a label there for others, too.
    begins_block: bool,
}

pub fn program(rng: &mut Rng) -> Generated {
    let capacity = rng.between(1, 2);
    let processes = rng.between(2, 3);
    let is_plain = rng.chance(0.3);
    // Spin has no rendezvous where there are priorities.
    let has_priorities = !is_plain && rng.chance(0.15);
    let meeting = usize::from(has_priorities);
    let mut text = format!(
        "#define three(e) ((e) % 3)\n\
         mtype = {{ go, halt }};\n\
         typedef In {{ byte v[2] }};\ntypedef Out {{ In i; bit k }};\n\
         byte x, y;\nbool b;\nbyte a[2];\nOut o;\n\
         chan c = [{capacity}] of {{ byte }};\n\
         chan m = [1] of {{ mtype, byte }};\n\
         chan r = [{meeting}] of {{ byte }};\n\
         chan d[2] = [1] of {{ byte }};\n\n"
    );
    let with_init = !is_plain && rng.chance(0.3);
    let mut locals = Vec::new();
    for number in 0..processes {
        let is_run = with_init && number == 0;
        match is_run {
            true => text += "proctype P0(byte n) {\n  byte l = n, z;\n",
            false => {
                let provided = match !is_plain && rng.chance(0.1) {
                    true => " provided (y != 2)",
                    false => "",
                };
                let priority = match has_priorities {
                    true => format!(" priority {}", rng.between(1, 3)),
                    false => String::new(),
                };
                let head = format!("active proctype P{number}(){priority}{provided}");
                let counter = if is_plain { "" } else { ", z" };
                let _ = write!(text, "{head} {{\n  byte l{counter};\n");
            }
        }
        let (body, vars) = body(rng, is_plain);
        let _ = write!(text, "{body}}}\n\n");
        locals.push(format!("P{number}:l"));
        locals.extend((1..=vars).map(|var| format!("P{number}:k{var}")));
    }
    text += &others(rng, is_plain, with_init);
    let without = text.replace("assert(", "nothing(");
    Generated {
        with_assertions: text,
        without: format!("#define nothing(e) (x < 9)\n{without}"),
        is_plain,
        locals,
    }
}

/// The statements of a process, and its number of variables.
fn body(rng: &mut Rng, is_plain: bool) -> (String, usize) {
    let mut generator = Generator {
        rng,
        text: String::new(),
        indent: 1,
        labels: 0,
        vars: 0,
        in_dstep: false,
        in_loop: false,
        is_plain,
        begins_block: false,
    };
    let is_endless = is_plain || generator.rng.chance(0.5);
    if is_endless {
        generator.line("do ::");
    }
    generator.sequence(3);
    if is_endless {
        generator.line("od");
    }
    (generator.text, generator.vars)
}

/// A process that looks on, and one that starts others.
fn others(rng: &mut Rng, is_plain: bool, with_init: bool) -> String {
    let mut text = String::new();
    if !is_plain && rng.chance(0.5) {
        let (x, y) = (rng.below(3), rng.below(3));
        let _ = write!(text, "active proctype Watch() {{\n  assert(!(x == {x} && y == {y}))\n}}\n");
    }
    if with_init {
        text += match rng.below(7) {
            0 => "init { run P0(1) }\n",
            1 => "init { atomic { run P0(1); run P0(2) } }\n",
            2 => "init { byte i; for (i : 0 .. 1) { run P0(i) } }\n",
            3 => "init { byte i; i = run P0(1); x = i % 3; i = run P0(2); y = (i + 1) % 3 }\n",
            4 => {
                "init { byte i; if :: run P0(1); run P0(2) :: i = run P0(0); assert(P0[i]:l < 3) fi }\n"
            }
            5 => "init { byte i = _nr_pr; run P0(1); (_nr_pr == i); run P0(2) }\n",
            _ => {
                "init { byte i = _nr_pr; do :: _nr_pr == i -> run P0(x % 3) :: x == 2 -> break od }\n"
            }
        };
    }
    text
}

impl Generator<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{}{line}", "  ".repeat(self.indent));
    }

    fn sequence(&mut self, depth: usize) {
        let length = self.rng.between(1, 3);
        for _ in 0..length {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        let may_have_label = !std::mem::take(&mut self.begins_block);
        if depth > 0 && self.rng.chance(0.4) {
            return self.compound(depth, may_have_label);
        }
        if self.vars < 2 && self.rng.chance(0.15) {
            return self.declaration();
        }
        let text = self.simple();
        // The end of a line is a separator, too.
        let separator = *self.rng.pick(&[";", ""]);
        self.line(&format!("{text}{separator}"));
    }

    /// A variable that begins anew whenever its declaration is passed.
    fn declaration(&mut self) {
        self.vars += 1;
        let (var, value) = (format!("k{}", self.vars), self.value());
        match self.rng.below(3) {
            0 => self.line(&format!("byte {var} = {value};")),
            _ => self.line(&format!("byte {var};")),
        }
        let other = self.value();
        self.line(&format!("{var} = three({var} + {other});"));
        let target = self.rng.pick(&["x", "y", "l"]).to_string();
        self.line(&format!("{target} = {var};"));
    }

    fn compound(&mut self, depth: usize, may_have_label: bool) {
        match self.rng.below(10) {
            0..3 => self.options("if", "fi", depth),
            3..6 if !self.in_dstep => {
                let label = match self.rng.below(4) {
                    0 if may_have_label => {
                        self.labels += 1;
                        format!("end{}: ", self.labels)
                    }
                    _ => String::new(),
                };
                let outer = std::mem::replace(&mut self.in_loop, true);
                self.options(&format!("{label}do"), "od", depth);
                self.in_loop = outer;
            }
            6 if !self.in_dstep && !self.is_plain && self.rng.chance(0.5) => self.unless(depth),
            7 if !self.in_dstep && !self.is_plain && self.rng.chance(0.4) => {
                let value = self.value();
                self.line("for (z in a) {");
                self.line(&format!("  l = three(l + {value} + z)"));
                self.line("};");
            }
            6..8 if !self.is_plain => self.block("atomic", depth),
            8 if !self.in_dstep && !self.is_plain => {
                self.in_dstep = true;
                let outer = std::mem::replace(&mut self.in_loop, false);
                self.block("d_step", depth.min(2));
                self.in_loop = outer;
                self.in_dstep = false;
            }
            _ => self.block("", depth),
        }
    }

    fn block(&mut self, word: &str, depth: usize) {
        self.line(&format!("{word} {{"));
        self.indent += 1;
        // A loop that begins a plain block has two places in Spin.
        if word.is_empty() || self.rng.chance(0.5) {
            let first = self.simple();
            self.line(&format!("{first};"));
        } else {
            self.begins_block = true;
        }
        self.sequence(depth - 1);
        self.indent -= 1;
        self.line("};");
    }

    /// A block that is left when a condition holds.
    fn unless(&mut self, depth: usize) {
        let first = self.simple();
        self.line(&format!("{{ {first};"));
        self.indent += 1;
        self.sequence(depth - 1);
        self.indent -= 1;
        let (condition, escape) = (self.comparison(), self.assignment());
        match self.rng.below(3) {
            0 => self.line(&format!("}} unless {{ {condition} -> {escape} }};")),
            1 => self.line(&format!("}} unless atomic {{ {condition} -> {escape} }};")),
            _ => self.line(&format!("}} unless {{ c?l -> {escape} }};")),
        }
    }

    fn options(&mut self, open: &str, close: &str, depth: usize) {
        self.line(open);
        let count = self.rng.between(1, 3);
        let with_else = self.in_dstep || self.rng.chance(0.3);
        for _ in 0..count {
            self.indent += 1;
            let is_nested = !with_else && depth > 1 && self.rng.chance(0.15);
            if is_nested {
                self.line("::");
                self.statement(depth - 1);
            } else {
                let guard = self.guard(with_else);
                self.line(&format!(":: {guard} ->"));
                self.indent += 1;
                match self.in_loop && self.rng.chance(0.4) {
                    true => self.line("break"),
                    false => self.sequence(depth - 1),
                }
                self.indent -= 1;
            }
            self.indent -= 1;
        }
        if with_else {
            let rest = match self.in_loop && self.rng.chance(0.6) {
                true => "break",
                false => "skip",
            };
            self.line(&format!("  :: else -> {rest}"));
        }
        self.line(&format!("{close};"));
    }

    /// The first statement of an option; beside `else` Spin allows no messages.
    fn guard(&mut self, with_else: bool) -> String {
        match self.rng.below(8) {
            0 if self.vars < 2 && self.rng.chance(0.3) => {
                self.vars += 1;
                format!("byte k{}", self.vars)
            }
            0..4 => self.condition(),
            4 if !with_else && !self.in_dstep => self.buffered(),
            5 if !with_else && !self.in_dstep => self.rendezvous(),
            6 if !with_else && !self.in_dstep && self.rng.chance(0.5) => "timeout".to_owned(),
            _ => self.assignment(),
        }
    }

    fn simple(&mut self) -> String {
        if self.in_dstep {
            return self.assignment();
        }
        match self.rng.below(12) {
            0..4 => self.assignment(),
            4..6 => self.buffered(),
            6..8 => self.rendezvous(),
            8 => self.condition(),
            // A comma in `m?[go, 1]` would be one of the macro that stands in place of `assert`.
            9 => format!("assert(({}))", self.condition()),
            // Of several `skip`s in a row Spin leaves one.
            10 => "(y < 9)".to_owned(),
            _ => self.assignment(),
        }
    }

    fn var(&mut self) -> String {
        let vars =
            ["x", "y", "l", "a[0]", "a[1]", "a[x % 2]", "a[l % 2]", "o.i.v[0]", "o.i.v[x % 2]"];
        self.rng.pick(&vars).to_string()
    }

    fn value(&mut self) -> String {
        match self.rng.below(24) {
            20 if !self.is_plain => self.rng.pick(&["_pid", "(_nr_pr % 3)"]).to_string(),
            0..8 => self.rng.below(3).to_string(),
            8..12 => "b".to_owned(),
            12..16 => "len(c)".to_owned(),
            _ => self.var(),
        }
    }

    fn condition(&mut self) -> String {
        match self.rng.below(9) {
            0 => "b".to_owned(),
            1 => "!b".to_owned(),
            2 => self.rng.pick(&["full(c)", "nempty(c)", "empty(m)", "nfull(m)"]).to_string(),
            3 => self.rng.pick(&["c?[1]", "m?[go, 1]", "c??[1]", "c?[eval(l)]"]).to_string(),
            4 => format!("({} && {})", self.comparison(), self.comparison()),
            5 => format!("({} -> {} : {})", self.comparison(), self.value(), self.value()),
            _ => self.comparison(),
        }
    }

    fn comparison(&mut self) -> String {
        let operator = *self.rng.pick(&["==", "!=", "<", "<=", ">", ">="]);
        format!("{} {operator} {}", self.value(), self.value())
    }

    fn assignment(&mut self) -> String {
        match self.rng.below(6) {
            0 => format!("b = {}", self.rng.pick(&["!b", "true", "(x > 0)", "l"])),
            1 => format!("l = three({} * {})", self.value(), self.value()),
            2 => format!("l = three({} - {} + 3)", self.value(), self.value()),
            _ => format!("{} = three({} + {})", self.var(), self.value(), self.value()),
        }
    }

    fn buffered(&mut self) -> String {
        let value = self.value();
        match self.rng.below(14) {
            10 => format!("c!!{value}"),
            11 => format!("c??{}", self.rng.below(3)),
            12 => format!("c??eval({value})"),
            13 => format!("c??<{}>", self.rng.below(3)),
            0 | 1 => format!("c!{value}"),
            2 => format!("c?{}", self.target()),
            3 => format!("c?{}", self.rng.below(3)),
            4 => format!("c?eval({value})"),
            5 => format!("m!{},{value}", self.rng.pick(&["go", "halt"])),
            6 => format!("m?{}({})", self.rng.pick(&["go", "halt", "_"]), self.target()),
            7 => format!("c?<{}>", self.target()),
            8 => format!("d[{}]!{value}", self.rng.pick(&["0", "1", "x % 2"])),
            _ => format!("d[{}]?{}", self.rng.pick(&["0", "1", "l % 2"]), self.target()),
        }
    }

    fn rendezvous(&mut self) -> String {
        match self.rng.below(4) {
            0 | 1 => format!("r!{}", self.value()),
            2 => format!("r?{}", self.target()),
            _ => format!("r?{}", self.rng.below(3)),
        }
    }

    fn target(&mut self) -> String {
        self.rng.pick(&["x", "y", "l", "a[0]", "_"]).to_string()
    }
}
