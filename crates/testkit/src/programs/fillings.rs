//! Fillings of a hole: all small fragments of some kind, and their substitution.

use super::ast::{Choice, Command, Domain, Expr, Kind, Operator, Program, Target, VarIndex};

/// All fragments of up to `size` commands that read and change these variables, a loop or a branch counted as one
/// command besides those in it; nested at most once. Smaller ones come first. `x / 0` stands for what goes wrong.
pub fn fillings(
    program: &Program,
    frame: &[VarIndex],
    size: usize,
) -> impl Iterator<Item = Vec<Command>> {
    let parts = Parts::new(program, frame);
    (1..=size).flat_map(move |length| blocks(&parts, length, 1))
}

/// Replaces a hole by a fragment wherever it stands. The labels of the hole are at the first command.
///
/// Panics if the fragment is empty: a hole takes at least one step.
pub fn fill(program: &Program, hole: &str, fragment: &[Command]) -> Program {
    let mut filled = program.clone();
    for procedure in &mut filled.procedures {
        fill_block(&mut procedure.body, hole, fragment);
    }
    fill_block(&mut filled.body, hole, fragment);
    filled
}

fn fill_block(block: &mut Vec<Command>, hole: &str, fragment: &[Command]) {
    let mut filled = Vec::new();
    for mut command in block.drain(..) {
        match &mut command.kind {
            Kind::Hole { name, .. } if name == hole => {
                let first = filled.len();
                filled.extend(fragment.iter().cloned());
                let beginning = &mut filled[first];
                beginning.labels.splice(0..0, command.labels);
                continue;
            }
            Kind::If { then, otherwise, .. } => {
                fill_block(then, hole, fragment);
                fill_block(otherwise, hole, fragment);
            }
            Kind::While { body, .. } => fill_block(body, hole, fragment),
            Kind::Skip | Kind::Assign(..) | Kind::Call { .. } | Kind::Hole { .. } => {}
        }
        filled.push(command);
    }
    *block = filled;
}

/// The commands and expressions that fragments are made of.
struct Parts {
    /// Commands without others in them.
    simple: Vec<Command>,
    tests: Vec<Expr>,
}

impl Parts {
    fn new(program: &Program, frame: &[VarIndex]) -> Self {
        let mut parts = Self {
            simple: vec![Kind::Skip.into()],
            tests: vec![Expr::Bool(true), Expr::Bool(false)],
        };
        for &var in frame {
            let indices = 0..program.vars[var].elements.unwrap_or(1);
            for index in indices {
                let (reading, target) = match program.vars[var].elements {
                    None => (Expr::Var(var), Target::Var(var)),
                    Some(_) => (
                        Expr::Element(var, Box::new(Expr::Int(index))),
                        Target::Element(var, Expr::Int(index)),
                    ),
                };
                parts.add(program.vars[var].domain, &reading, &target);
            }
        }
        let wrong = Expr::binary(Operator::Div, Expr::Int(1), Expr::Int(0));
        let wrong = Expr::binary(Operator::Eq, wrong, Expr::Int(0));
        let skips = vec![Kind::Skip.into()];
        parts.simple.push(Kind::If { test: wrong, then: skips, otherwise: Vec::new() }.into());
        parts
    }

    fn add(&mut self, domain: Domain, reading: &Expr, target: &Target) {
        for value in domain.low()..=domain.high() {
            let constant = match domain {
                Domain::Bool => Expr::Bool(value == 1),
                Domain::Range(..) => Expr::Int(value),
                Domain::Symbols(_) => Expr::Symbol(value as usize),
            };
            self.tests.push(match (domain, value) {
                (Domain::Bool, 0) => Expr::negated(reading.clone()),
                (Domain::Bool, _) => reading.clone(),
                _ => Expr::binary(Operator::Eq, reading.clone(), constant.clone()),
            });
            let choice = Choice::OneOf(vec![constant]);
            self.simple.push(Kind::Assign(target.clone(), choice).into());
        }
        self.simple.push(Kind::Assign(target.clone(), Choice::Any).into());
    }
}

/// All blocks of exactly so many commands.
fn blocks(parts: &Parts, size: usize, depth: usize) -> Vec<Vec<Command>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut found = Vec::new();
    for first_size in 1..=size {
        let firsts = commands(parts, first_size, depth);
        let rests = blocks(parts, size - first_size, depth);
        for first in &firsts {
            found.extend(rests.iter().map(|rest| [std::slice::from_ref(first), rest].concat()));
        }
    }
    found
}

/// All commands that count as so many.
fn commands(parts: &Parts, size: usize, depth: usize) -> Vec<Command> {
    if size == 1 {
        return parts.simple.clone();
    }
    if depth == 0 {
        return Vec::new();
    }
    let mut found: Vec<Command> = Vec::new();
    for body in blocks(parts, size - 1, depth - 1) {
        for test in &parts.tests {
            let (test, body) = (test.clone(), body.clone());
            let branch = Kind::If { test: test.clone(), then: body.clone(), otherwise: Vec::new() };
            found.extend([branch, Kind::While { test, body }].map(Command::from));
        }
    }
    found
}
