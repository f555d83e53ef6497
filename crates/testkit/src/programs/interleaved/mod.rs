//! Random texts of programs with processes over few valuations, each with its meaning: all processes interleaved, one
//! command at a time. Nothing of the reader or of the engines is used.

mod meaning;
mod text;

use crate::rng::Rng;
use meaning::Meaning;
use model::PartialModel;

/// A program, and formulas about it.
#[derive(Clone, Debug)]
pub struct InterleavedText {
    pub program: String,
    /// The meaning of the propositions `p0`, `p1`, … of the formulas and of the model, in the words of the program.
    pub atoms: Vec<String>,
    /// In CTL.
    pub formulas: Vec<String>,
    pub model: PartialModel,
}

impl InterleavedText {
    /// A formula as one about the program.
    pub fn in_program(&self, formula: &str) -> String {
        let numbered = self.atoms.iter().enumerate().rev();
        numbered.fold(formula.to_owned(), |text, (number, atom)| {
            text.replace(&format!("p{number}"), &format!("({atom})"))
        })
    }
}

/// A program of one to three processes, or of one sequence of commands that may wait; with an array if that is asked
/// for.
pub fn interleaved_text(rng: &mut Rng, has_array: bool) -> InterleavedText {
    let mut names = vec!["P", "Q", "S"];
    names.truncate(rng.between(1, 3));
    let is_sequence = names.len() == 1 && rng.chance(0.5);
    let mut maker = Maker { rng, vars: Vec::new(), labels: 0, has_array, local: None, loops: 0 };
    maker.globals();
    let mut bodies = Vec::new();
    for name in &names {
        let has_local = !is_sequence && maker.rng.chance(0.4);
        maker.local = has_local.then(|| maker.declare(format!("{name}.t"), (0, 1)));
        let mut body = maker.block(2);
        if is_sequence {
            body.insert(0, waiting_for_nothing());
        }
        bodies.push(body);
    }
    let labels = maker.labels;
    let mut atoms = ["error", "end", "g = 1", "h = 1", "g < 1"].map(str::to_owned).to_vec();
    atoms.extend((0..labels).map(|label| format!("at_l{label}")));
    let formulas = (0..maker.rng.between(1, 3)).map(|_| maker.formula(atoms.len(), 4)).collect();
    let vars = maker.vars;
    let program = text::program(&vars, &bodies, (!is_sequence).then_some(&names), has_array);
    let model = Meaning::new(vars, &bodies).model(labels);
    InterleavedText { program, atoms, formulas, model }
}

/// The conditions that make a program of one sequence one that may wait.
fn waiting_for_nothing() -> Command {
    let test = Condition::Compare(Value::Constant(0), "=", Value::Constant(0));
    Command { label: None, statement: Statement::Assume(test) }
}

/// The number of a variable; the elements of the array are variables that follow each other.
type VarNumber = usize;

struct Variable {
    name: String,
    bounds: (i64, i64),
    /// One of these.
    start: Vec<i64>,
}

/// The variables of the program.
const G: VarNumber = 0;
const H: VarNumber = 1;
const ARRAY: VarNumber = 2;
const ELEMENTS: i64 = 2;

enum Value {
    Constant(i64),
    Var(VarNumber),
    Element(Box<Value>),
    Sum(Box<Value>, i64),
}

enum Condition {
    Compare(Value, &'static str, Value),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
}

enum Target {
    Var(VarNumber),
    Element(Value),
}

enum Statement {
    Skip,
    Assign(Target, Vec<Value>),
    Any(VarNumber),
    If(Condition, Vec<Command>, Option<Vec<Command>>),
    While(Condition, Vec<Command>),
    Assume(Condition),
    Assert(Condition),
    Break,
}

struct Command {
    label: Option<usize>,
    statement: Statement,
}

struct Maker<'r> {
    rng: &'r mut Rng,
    vars: Vec<Variable>,
    labels: usize,
    has_array: bool,
    /// The local variable of the process.
    local: Option<VarNumber>,
    loops: usize,
}

impl Maker<'_> {
    fn globals(&mut self) {
        self.declare("g".to_owned(), (0, 2));
        self.declare("h".to_owned(), (0, 1));
        for element in 0..if self.has_array { ELEMENTS } else { 0 } {
            self.declare(format!("a[{element}]"), (0, 1));
        }
    }

    fn declare(&mut self, name: String, bounds: (i64, i64)) -> VarNumber {
        // The elements of an array have one initial value.
        let start = match name == "a[1]" {
            true => self.vars[ARRAY].start.clone(),
            false => match self.rng.chance(0.2) && !name.starts_with('a') {
                true => vec![0, 1],
                false => vec![self.rng.below(2) as i64],
            },
        };
        self.vars.push(Variable { name, bounds, start });
        self.vars.len() - 1
    }

    fn block(&mut self, depth: usize) -> Vec<Command> {
        (0..self.rng.between(1, 3)).map(|_| self.command(depth)).collect()
    }

    fn command(&mut self, depth: usize) -> Command {
        let label = (self.labels < 3 && self.rng.chance(0.3)).then_some(self.labels);
        self.labels += usize::from(label.is_some());
        let statement = match self.rng.below(if depth == 0 { 8 } else { 12 }) {
            0 => Statement::Skip,
            1 | 2 => Statement::Assume(self.condition(2)),
            3 if self.rng.chance(0.5) => Statement::Assert(self.condition(2)),
            4 if self.loops > 0 => Statement::Break,
            8 | 9 => {
                let (test, then) = (self.condition(2), self.block(depth - 1));
                let otherwise = self.rng.chance(0.5).then(|| self.block(depth - 1));
                Statement::If(test, then, otherwise)
            }
            10 | 11 => {
                let test = match self.rng.chance(0.5) {
                    true => Condition::Compare(Value::Constant(0), "=", Value::Constant(0)),
                    false => self.condition(2),
                };
                self.loops += 1;
                let body = self.block(depth - 1);
                self.loops -= 1;
                Statement::While(test, body)
            }
            _ => self.assignment(),
        };
        Command { label, statement }
    }

    fn assignment(&mut self) -> Statement {
        if self.has_array && self.rng.chance(0.3) {
            let target = Target::Element(self.value(1));
            return Statement::Assign(target, vec![self.value(1)]);
        }
        let var = self.var();
        match self.rng.below(5) {
            0 => Statement::Any(var),
            1 => Statement::Assign(Target::Var(var), vec![self.value(1), self.value(1)]),
            _ => Statement::Assign(Target::Var(var), vec![self.value(1)]),
        }
    }

    fn var(&mut self) -> VarNumber {
        let vars: Vec<VarNumber> = [G, H].into_iter().chain(self.local).collect();
        *self.rng.pick(&vars)
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.rng.below(if depth == 0 { 3 } else { 6 }) {
            0 => Value::Constant(self.rng.below(3) as i64),
            3 if self.has_array => Value::Element(Box::new(self.value(depth - 1))),
            4 | 5 => {
                let change = *self.rng.pick(&[-1, 1]);
                Value::Sum(Box::new(self.value(depth - 1)), change)
            }
            _ => Value::Var(self.var()),
        }
    }

    fn condition(&mut self, depth: usize) -> Condition {
        match self.rng.below(if depth == 0 { 4 } else { 6 }) {
            4 => Condition::Not(Box::new(self.condition(depth - 1))),
            5 => {
                let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
                Condition::And(Box::new(a), Box::new(b))
            }
            _ => {
                let sign = *self.rng.pick(&["=", "<", "!="]);
                Condition::Compare(self.value(1), sign, self.value(1))
            }
        }
    }

    fn formula(&mut self, atoms: usize, size: usize) -> String {
        if size == 0 || self.rng.chance(0.1) {
            return format!("p{}", self.rng.below(atoms));
        }
        let quantifier = *self.rng.pick(&["A", "E"]);
        let rest = size - 1;
        match self.rng.below(8) {
            0 => format!("!({})", self.formula(atoms, rest)),
            1 => format!("({} & {})", self.formula(atoms, rest / 2), self.formula(atoms, rest / 2)),
            2 => {
                format!("({} -> {})", self.formula(atoms, rest / 2), self.formula(atoms, rest / 2))
            }
            3 => {
                let sign = *self.rng.pick(&["U", "R", "W"]);
                let (f, g) = (self.formula(atoms, rest / 2), self.formula(atoms, rest / 2));
                format!("{quantifier}[{f} {sign} {g}]")
            }
            _ => {
                let operator = *self.rng.pick(&["X", "F", "G", "F", "G"]);
                format!("{quantifier}{operator} ({})", self.formula(atoms, rest))
            }
        }
    }
}
