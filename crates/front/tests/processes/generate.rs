//! Random small Promela models.

use testkit::Rng;

/// A model of two or three processes over a few variables and channels.
pub fn program(rng: &mut Rng) -> String {
    let mut text =
        "mtype = { red, green };\nbyte x;\nbyte y = 1;\nbool b;\nbyte a[2];\n".to_owned();
    text += &format!("chan c = [{}] of {{ mtype, bit }};\n", rng.between(1, 2));
    text += "chan d = [1] of { byte };\nchan r = [0] of { mtype, bit };\n";
    let count = rng.between(2, 3);
    let is_run = rng.chance(0.3);
    for process in 0..count {
        let head = if is_run {
            format!("proctype P{process}(byte p)")
        } else {
            format!("active proctype P{process}()")
        };
        let mut writer = Writer { rng, parameter: is_run, depth: 0 };
        let body = writer.sequence(4, Around::Nothing);
        text += &format!("{head} {{\n  byte i; bit k; mtype m;\n{body}\n}}\n");
    }
    if is_run {
        let runs: Vec<String> =
            (0..count).map(|process| format!("run P{process}({})", rng.below(3))).collect();
        let runs = runs.join("; ");
        text += &if rng.chance(0.5) {
            format!("init {{ atomic {{ {runs} }} }}\n")
        } else {
            format!("init {{ {runs} }}\n")
        };
    }
    text
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    Nothing,
    Atomic,
    Dstep,
}

struct Writer<'r> {
    rng: &'r mut Rng,
    parameter: bool,
    depth: u32,
}

impl Writer<'_> {
    fn sequence(&mut self, most: usize, around: Around) -> String {
        let count = self.rng.between(1, most);
        let all: Vec<String> = (0..count).map(|index| self.statement(around, index == 0)).collect();
        all.join(";\n")
    }

    fn statement(&mut self, around: Around, is_first: bool) -> String {
        let choice = self.rng.below(if self.depth < 2 { 16 } else { 10 });
        match choice {
            0..=2 => self.assign(),
            3 => self.condition(),
            4 | 5 => self.buffered(),
            6 | 7
                if around == Around::Nothing
                    || (is_first && around == Around::Atomic && self.depth == 1) =>
            {
                self.rendezvous()
            }
            6 => self.buffered(),
            7 => self.assign(),
            8 => self.assertion(),
            9 => "k = 1 - k".to_owned(),
            10 | 11 => self.options("if", "fi", around),
            12 | 13 if around == Around::Nothing || self.rng.chance(0.2) => {
                self.options("do", "od", around)
            }
            14 if around == Around::Nothing => self.block("atomic", Around::Atomic),
            15 if around == Around::Nothing => {
                let kind = if self.rng.chance(0.5) {
                    ("d_step", Around::Dstep)
                } else {
                    ("atomic", Around::Atomic)
                };
                self.block(kind.0, kind.1)
            }
            _ => self.assign(),
        }
    }

    fn block(&mut self, word: &str, around: Around) -> String {
        self.depth += 1;
        let body = self.sequence(3, around);
        self.depth -= 1;
        format!("{word} {{ {body} }}")
    }

    fn options(&mut self, open: &str, close: &str, around: Around) -> String {
        self.depth += 1;
        let count = self.rng.between(1, 3);
        let mut text = format!("{open}\n");
        for _ in 0..count {
            let body = self.sequence(2, around);
            text += &format!(":: {body}\n");
        }
        if open == "do" {
            let guard = self.guard();
            text += &format!(":: {guard} -> break\n");
        } else if self.rng.chance(0.3) && !text.contains("r!") && !text.contains("r?") {
            text += ":: else -> skip\n";
        }
        self.depth -= 1;
        text + close
    }

    fn guard(&mut self) -> String {
        if self.rng.chance(0.5) { "(k < 2)".to_owned() } else { self.condition() }
    }

    fn place(&mut self) -> String {
        let places = ["x", "y", "b", "a[0]", "a[1]", "a[i]", "a[x]", "i", "i", "k"];
        (*self.rng.pick(&places)).to_owned()
    }

    fn value(&mut self) -> String {
        let values = ["0", "1", "2", "x", "y", "b", "a[1]", "a[k]", "i", "k", "len(c)", "len(d)"];
        match self.rng.chance(0.15) && self.parameter {
            true => "p".to_owned(),
            false => (*self.rng.pick(&values)).to_owned(),
        }
    }

    fn expression(&mut self) -> String {
        let (first, second) = (self.value(), self.value());
        match self.rng.below(5) {
            0 => format!("(({first} + {second}) % 3)"),
            1 => format!("({first} -> {second} : 1)"),
            _ => first,
        }
    }

    fn assign(&mut self) -> String {
        let place = self.place();
        if self.rng.chance(0.05) {
            return "m = green".to_owned();
        }
        let value = self.expression();
        format!("{place} = ({value}) % {}", if place.contains('a') || place == "x" { 3 } else { 2 })
    }

    fn condition(&mut self) -> String {
        let (first, second) = (self.value(), self.expression());
        match self.rng.below(8) {
            0 => format!("({first} != {second})"),
            1 => format!("({first} < {second})"),
            2 => "nempty(c)".to_owned(),
            3 => "full(c)".to_owned(),
            4 => "c?[red,_]".to_owned(),
            5 => format!("({first} == {second} && len(d) == {})", self.rng.below(2)),
            _ => format!("({first} == {second})"),
        }
    }

    fn buffered(&mut self) -> String {
        let value = self.value();
        let all = [
            format!("c!red,({value} % 2)"),
            format!("c!green,({value} % 2)"),
            "c?m,k".to_owned(),
            "c?red,k".to_owned(),
            "c?<m,_>".to_owned(),
            "c?m,eval(k)".to_owned(),
            format!("d!({value} % 3)"),
            "d?i".to_owned(),
            "d?x".to_owned(),
        ];
        self.rng.pick(&all).clone()
    }

    fn rendezvous(&mut self) -> String {
        let value = self.value();
        let all = [
            format!("r!red,({value} % 2)"),
            "r!green,1".to_owned(),
            "r?m,k".to_owned(),
            "r?red,k".to_owned(),
            "r?_,b".to_owned(),
            "r?m,eval(b)".to_owned(),
            "r?green,_".to_owned(),
        ];
        self.rng.pick(&all).clone()
    }

    fn assertion(&mut self) -> String {
        format!("assert({} || {})", self.condition(), self.condition())
    }
}
