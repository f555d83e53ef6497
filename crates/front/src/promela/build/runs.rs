//! Processes: how they are started, and with what.

use super::super::ast::{
    Declaration, Expr as Ast, ExprKind, Name, Pattern, Proctype, Reference, Statement, Step, Type,
};
use super::super::program::{ExprId, ProcessId, PromelaVar, VarId, VarType};
use super::exprs::number_of;
use super::references::Found;
use super::scope::Symbol;
use super::{Argument, Builder, Waiting};
use crate::sink::{Parsed, Reported};
use support::{Diagnostic, Span};

impl<'f, 'a> Builder<'f, 'a> {
    /// The process that a `run` starts.
    pub(super) fn called(
        &mut self,
        name: Name<'a>,
        arguments: &[Ast<'a>],
    ) -> Parsed<(usize, Vec<Argument>)> {
        let proctypes = &self.file.proctypes;
        let Some(index) = proctypes.iter().position(|p| p.name.text == name.text) else {
            let names = proctypes.iter().map(|proctype| proctype.name.text);
            let message = format!("there is no proctype `{}`", name.text);
            let error = Diagnostic::error(message, name.span, "not declared")
                .with_nearest(name.text, names);
            return Err(self.sink.error(|| error));
        };
        let proctype = &proctypes[index];
        self.sink.symbols.used_as(proctype.name.span, name.text, name.span);
        let (wanted, there) = (proctype.parameters.len(), arguments.len());
        if wanted != there {
            let place = proctype.name.span;
            return Err(self.sink.error(|| {
                let message = format!(
                    "`{}` has {wanted} parameters and is given {there} arguments",
                    name.text
                );
                Diagnostic::error(message, name.span, "started here")
                    .with_label(place, "declared here")
            }));
        }
        let parameters = proctype.parameters.iter().zip(arguments);
        let found: Parsed<Vec<Argument>> =
            parameters.map(|(parameter, argument)| self.argument(parameter, argument)).collect();
        Ok((index, found?))
    }

    fn argument(&mut self, parameter: &Declaration<'a>, argument: &Ast<'a>) -> Parsed<Argument> {
        if !matches!(parameter.ty, Type::Channel) {
            return Ok(Argument::Value(self.expr(argument)?));
        }
        if let ExprKind::Reference(reference) = &argument.kind {
            match self.find(reference)? {
                Found::Channel(channel) => return Ok(Argument::Channel(channel)),
                Found::OneOf(all, index) => {
                    return Ok(Argument::OneOf(all, index));
                }
                held @ (Found::Var(_) | Found::Element(..)) => {
                    self.channels(reference)?;
                    return Ok(Argument::Value(self.value_of(held)?));
                }
                Found::Const(_) => {}
            }
        }
        let message = format!("the parameter `{}` is a channel", parameter.name.text);
        Err(self.error(argument.span, message, "this is no channel"))
    }

    /// The value of an argument; that of a channel is its number.
    pub(super) fn argument_value(&mut self, argument: &Argument) -> Parsed<ExprId> {
        match argument {
            Argument::Value(value) => Ok(*value),
            Argument::Channel(channel) => Ok(self.number(number_of(*channel))),
            Argument::OneOf(all, index) => self.channel_number(all.clone(), *index),
        }
    }

    /// Gives the parameters of a process their values. One that never changes is no variable.
    pub(super) fn bind_parameters(
        &mut self,
        proctype: &'f Proctype<'a>,
        waiting: &Waiting,
    ) -> Parsed<()> {
        for (index, parameter) in proctype.parameters.iter().enumerate() {
            self.expect_new(parameter.name)?;
            let symbol = match (parameter.ty, waiting.arguments.get(index)) {
                (Type::Simple(ty), argument) => {
                    let value = match argument {
                        Some(Argument::Value(value)) => *value,
                        _ => self.number(0),
                    };
                    self.value_parameter(proctype, parameter, ty, value)?
                }
                (Type::Channel, Some(Argument::Channel(channel)))
                    if !is_changed(&proctype.body, parameter.name.text) =>
                {
                    Symbol::Channel(*channel)
                }
                (Type::Channel, argument) => {
                    let value = match argument {
                        Some(Argument::Value(value)) => *value,
                        Some(Argument::Channel(channel)) => self.number(number_of(*channel)),
                        _ => self.number(0),
                    };
                    self.value_parameter(proctype, parameter, VarType::Chan, value)?
                }
                (Type::Defined(_), _) => {
                    let message = "a structure as a parameter is not supported";
                    return Err(self.unsupported(parameter.name.span, message, "not supported"));
                }
            };
            self.add_symbol(parameter.name, symbol);
        }
        Ok(())
    }

    fn value_parameter(
        &mut self,
        proctype: &Proctype<'a>,
        parameter: &Declaration<'a>,
        ty: VarType,
        value: ExprId,
    ) -> Parsed<Symbol<'a>> {
        let Name { text, span } = parameter.name;
        let process = self.at.as_ref().map(|context| context.process).ok_or(Reported)?;
        let is_of_pool = self.has_pools && !self.program.processes[process].is_active;
        if is_of_pool {
            let var = PromelaVar { name: text.to_owned(), ty, init: 0, owner: Some(process), span };
            let var = self.program.vars.push(var);
            self.parameters[process].push(var);
            return Ok(Symbol::Var(var));
        }
        let known = self.program.constant(value);
        let is_fixed = ty != VarType::Chan && !is_changed(&proctype.body, text);
        if let Some(value) = known.filter(|_| is_fixed) {
            return Ok(Symbol::Const(ty.cut(value)));
        }
        let name = text.to_owned();
        let init = known.map_or(0, |value| ty.cut(value));
        let var = self.program.vars.push(PromelaVar { name, ty, init, owner: Some(process), span });
        if known.is_none() {
            self.entries[process].push((var, value));
        }
        Ok(Symbol::Var(var))
    }

    /// Adds the process that a `run` starts, whose arguments have to be known.
    pub(super) fn started(
        &mut self,
        proctype: usize,
        arguments: Vec<Argument>,
        span: Span,
    ) -> Parsed<ProcessId> {
        let mut known = Vec::new();
        for argument in arguments {
            known.push(match argument {
                Argument::OneOf(all, index) => {
                    let known = self.program.constant(index);
                    let known = known.and_then(|index| usize::try_from(index).ok());
                    match known.and_then(|index| all.get(index)) {
                        Some(channel) => Argument::Channel(*channel),
                        None => Argument::Value(self.channel_number(all, index)?),
                    }
                }
                other => other,
            });
        }
        self.add_process(proctype, known, span, false)
    }

    /// The variables that a process has of its own.
    pub(super) fn own_vars(&self, process: ProcessId) -> Vec<VarId> {
        let vars = self.program.vars.iter();
        vars.filter(|(_, var)| var.owner == Some(process)).map(|(id, _)| id).collect()
    }
}

/// Whether a variable of this name is assigned to somewhere.
pub(super) fn is_changed(steps: &[Step], name: &str) -> bool {
    let is_it = |reference: &Reference| reference.name.text == name;
    steps.iter().any(|step| match &step.statement {
        Statement::Assign(reference, _) | Statement::Select { var: reference, .. } => {
            is_it(reference)
        }
        Statement::Receive { patterns, .. } => patterns
            .iter()
            .any(|pattern| matches!(pattern, Pattern::Name(reference) if is_it(reference))),
        Statement::If(options) | Statement::Do(options) => {
            options.iter().any(|option| is_changed(option, name))
        }
        Statement::Block(steps) | Statement::Atomic(steps) | Statement::Dstep(steps) => {
            is_changed(steps, name)
        }
        Statement::For { var, body, .. } | Statement::ForIn { var, body, .. } => {
            is_it(var) || is_changed(body, name)
        }
        Statement::Unless(parts) => is_changed(&parts[..], name),
        Statement::Declare(_)
        | Statement::Wait(_)
        | Statement::Pass
        | Statement::Print(_)
        | Statement::SetPriority(..)
        | Statement::Unsupported(_)
        | Statement::Send { .. }
        | Statement::Assert(_)
        | Statement::Else
        | Statement::Break
        | Statement::Goto(_) => false,
    })
}
