//! While-programs that grow in length and, apart from that, in width: the variables are the same for all sizes. For
//! measuring modular checking.

use clap::ValueEnum;

#[derive(Clone, Copy, PartialEq, Debug, ValueEnum)]
pub enum Program {
    /// So many assignments and branches
    Straight,
    /// So many loops one after the other
    Loops,
    /// So many loops in each other
    Nested,
    /// So many calls of one procedure
    Calls,
    /// So many calls of one long procedure without loops
    Library,
    /// A loop that takes requests, and so many handlers
    Server,
}

/// A program as `benches/programs.txt` describes it.
struct Plan {
    bits: u32,
    about: &'static str,
    declarations: String,
    /// By name and formula in CTL, and whether it holds for every size.
    properties: Vec<(&'static str, &'static str, bool)>,
}

impl Program {
    /// How a table names it.
    pub fn name(self) -> String {
        super::name(&self)
    }

    fn plan(self) -> Plan {
        let own = super::section(include_str!("../../programs.txt"), &self.name());
        let mut lines = own.lines();
        let bits = lines.next().and_then(|bits| bits.parse().ok()).expect("bits");
        let about = lines.next().unwrap_or_default();
        let (mut declarations, mut properties) = (String::new(), Vec::new());
        for line in lines {
            match line.strip_prefix("+ ").or(line.strip_prefix("- ")) {
                Some(property) => {
                    let (name, ctl) = property.split_once(' ').expect("a name and a formula");
                    properties.push((name, ctl, line.starts_with('+')));
                }
                None => declarations += &format!("{line}\n"),
            }
        }
        Plan { bits, about, declarations, properties }
    }

    /// Everything before `done: fin`.
    fn body(self, size: u32) -> String {
        let repeated = |call: &str| call.repeat(size as usize);
        match self {
            Program::Straight => straight(size),
            Program::Loops => loops(size),
            Program::Nested => nested(size, 0),
            Program::Calls => format!("x := any;\n{}", repeated("work(x, y);\nx := any;\n")),
            Program::Library => {
                format!("proc work() {{\n{}}}\n\n{}", straight(1_000), repeated("work();\n"))
            }
            Program::Server => server(size),
        }
    }

    /// Which properties hold, in the order of the file.
    pub fn verdicts(self) -> Vec<bool> {
        self.plan().properties.iter().map(|(_, _, holds)| *holds).collect()
    }

    /// The text of a `.while` file.
    pub fn make(self, size: u32, bits: Option<u32>) -> String {
        let Plan { bits: usual, about, declarations, properties } = self.plan();
        let mut text = format!("// {about}\n//\n");
        for (name, _, holds) in &properties {
            text += &format!("// {name}: {}\n", if *holds { "holds" } else { "does not hold" });
        }
        text += &format!("{declarations}\n{}done: fin\n\n", self.body(size));
        for (name, ctl, _) in &properties {
            text += &format!("property {name}: ctl {ctl};\n");
        }
        let all = 1u64 << bits.unwrap_or(usual);
        text.replace("$top", &(all - 1).to_string()).replace("$all", &all.to_string())
    }
}

fn straight(size: u32) -> String {
    let line = |number: u32| match (number % 4, number / 4) {
        (0, n) => format!("x := (x + {}) mod $all;\n", 1 + n % 3),
        (1, n) => format!("if x > {} * $all / 8 then y := x else b := any fi;\n", 2 + n % 5),
        (2, _) => "y := {x, y, $top - y};\n".to_owned(),
        (_, n) => {
            let bound = 1 + n % 6;
            format!("if b & y < {bound} * $all / 8 then x := y else y := (y + 1) mod $all fi;\n")
        }
    };
    // Whether `b` holds at the end, the last one decides.
    (0..size.saturating_sub(1)).map(line).collect::<String>() + "b := any;\n"
}

fn loops(size: u32) -> String {
    let a_loop = |number: u32| match number % 3 {
        0 => "more := any;\nwhile more do\n  y := (y + 1) mod $all;\n  more := any\nod;\n",
        1 => "x := 0;\nwhile x < $top do\n  x := x + 1\nod;\n",
        _ => "while x > y do\n  x := x - 1;\n  if x = 3 then y := {y, 0} fi\nod;\n",
    };
    (0..size).map(a_loop).collect::<String>() + "x := 0;\n"
}

fn nested(left: u32, depth: usize) -> String {
    let indent = "  ".repeat(depth);
    if left == 0 {
        return format!("{indent}x := (x + 1) mod 4;\n");
    }
    let inner = nested(left - 1, depth + 1);
    let head = format!("{indent}more := any;\n{indent}while more & fuel > 0 do\n");
    format!("{head}{indent}  fuel := fuel - 1;\n{inner}{indent}  more := any\n{indent}od;\n")
}

fn server(size: u32) -> String {
    let handler = |number: u32| {
        let action = match number % 3 {
            0 => "if load < $top then load := load + 1 fi",
            1 => "if load > 0 then load := load - 1 fi",
            _ => "load := {load, 0, $top}",
        };
        format!("  if request = {} & mode = busy then {action} fi;\n", number % 8)
    };
    let handlers: String = (0..size).map(handler).collect();
    format!(
        "while !stop do\n  serve: request := any;\n  mode := busy;\n{handlers}\
         \x20 if load = $top then mode := full else mode := idle fi;\n\
         \x20 if mode = full then load := 0; mode := idle fi;\n  stop := any\nod;\n"
    )
}
