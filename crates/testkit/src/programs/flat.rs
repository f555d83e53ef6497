//! A program without procedures: every call is the assignments of its parameters around a copy of the body.
//! What is left is the language of M Def. 3.1, in which every command has a number of its own.

use super::ast::{
    Argument, Choice, Command, Expr, Kind, Parameter, Procedure, Program, Target, VarIndex,
};

#[derive(Clone, Debug)]
pub struct Flat {
    pub commands: Vec<FlatCommand>,
    /// Ends with `fin`.
    pub body: Vec<usize>,
}

#[derive(Clone, Debug)]
pub struct FlatCommand {
    pub labels: Vec<String>,
    pub kind: FlatKind,
}

#[derive(Clone, Debug)]
pub enum FlatKind {
    Fin,
    Skip,
    Assign(Target, Choice),
    If { test: Expr, then: Vec<usize>, otherwise: Vec<usize> },
    While { test: Expr, body: Vec<usize> },
}

impl Flat {
    /// Panics if there is a hole: the test should have filled it.
    pub fn new(program: &Program) -> Self {
        let mut flat = Self { commands: Vec::new(), body: Vec::new() };
        flat.body = flat.block(program, &program.body);
        let fin = flat.push(&program.last_labels, FlatKind::Fin);
        flat.body.push(fin);
        flat
    }

    fn push(&mut self, labels: &[String], kind: FlatKind) -> usize {
        self.commands.push(FlatCommand { labels: labels.to_vec(), kind });
        self.commands.len() - 1
    }

    fn block(&mut self, program: &Program, commands: &[Command]) -> Vec<usize> {
        commands.iter().flat_map(|command| self.command(program, command)).collect()
    }

    fn command(&mut self, program: &Program, command: &Command) -> Vec<usize> {
        let kind = match &command.kind {
            Kind::Skip => FlatKind::Skip,
            Kind::Assign(target, choice) => FlatKind::Assign(target.clone(), choice.clone()),
            Kind::If { test, then, otherwise } => {
                let then = self.block(program, then);
                let otherwise = match &otherwise[..] {
                    [] => vec![self.push(&[], FlatKind::Skip)],
                    some => self.block(program, some),
                };
                FlatKind::If { test: test.clone(), then, otherwise }
            }
            Kind::While { test, body } => {
                FlatKind::While { test: test.clone(), body: self.block(program, body) }
            }
            Kind::Call { procedure, arguments } => {
                return self.call(program, &command.labels, *procedure, arguments);
            }
            Kind::Hole { name, .. } => panic!("hole {name} is not filled"),
        };
        vec![self.push(&command.labels, kind)]
    }

    fn call(
        &mut self,
        program: &Program,
        labels: &[String],
        procedure: usize,
        arguments: &[Argument],
    ) -> Vec<usize> {
        let procedure = &program.procedures[procedure];
        let mut commands: Vec<usize> = before(procedure, arguments)
            .into_iter()
            .map(|(var, choice)| self.push(&[], FlatKind::Assign(Target::Var(var), choice)))
            .collect();
        if commands.is_empty() {
            commands.push(self.push(&[], FlatKind::Skip));
        }
        self.commands[commands[0]].labels = labels.to_vec();
        commands.extend(self.block(program, &procedure.body));
        for (target, var) in after(procedure, arguments) {
            let choice = Choice::OneOf(vec![Expr::Var(var)]);
            commands.push(self.push(&[], FlatKind::Assign(target, choice)));
        }
        commands
    }
}

/// The assignments before the body: value parameters, result parameters, local variables.
pub(super) fn before(procedure: &Procedure, arguments: &[Argument]) -> Vec<(VarIndex, Choice)> {
    let pairs = || procedure.parameters.iter().zip(arguments);
    let values = pairs().filter_map(|pair| match pair {
        (Parameter::In(var), Argument::In(value)) => {
            Some((*var, Choice::OneOf(vec![value.clone()])))
        }
        _ => None,
    });
    let results = procedure.parameters.iter().filter_map(|parameter| match parameter {
        Parameter::Out(var) => Some((*var, Choice::Any)),
        Parameter::In(_) => None,
    });
    let locals = procedure.locals.iter().map(|(var, value)| match value {
        Some(value) => (*var, Choice::OneOf(vec![value.clone()])),
        None => (*var, Choice::Any),
    });
    values.chain(results).chain(locals).collect()
}

/// The assignments after it.
pub(super) fn after(procedure: &Procedure, arguments: &[Argument]) -> Vec<(Target, VarIndex)> {
    let results = procedure.parameters.iter().zip(arguments).filter_map(|pair| match pair {
        (Parameter::Out(var), Argument::Out(target)) => Some((target.clone(), *var)),
        _ => None,
    });
    results.collect()
}
