//! The variables with their domains.

use super::scope::{ArrayVar, Symbol};
use super::unsupported::{Lowered, Refusal, UnsupportedConstruct};
use super::{AllowedDomains, Builder};
use crate::smv::ast::{Constant, Declaration, Expr, ExprId, Infix, Type, WIDE_WORD};
use support::{Diagnostic, Span};
use transition::{Domain, InstanceId, LARGEST, MachineVar, VarId, VarKind};

/// More variables than this are taken for a slip of the bounds of an array.
const MOST_VARIABLES: usize = 1 << 20;

/// How many definitions a constant may go through.
const LONGEST_CHAIN: usize = 200;

impl<'f, 'a> Builder<'f, 'a> {
    pub(super) fn declare_variables(&mut self) {
        for (instance, kind, declaration) in std::mem::take(&mut self.variables) {
            let symbol = match self.variable(instance, kind, declaration) {
                Ok(symbol) => symbol,
                Err(Refusal::Unsupported(construct)) => {
                    self.note_unsupported(construct);
                    Symbol::Unsupported(construct)
                }
                Err(Refusal::Reported) => continue,
            };
            let place = self.scopes[instance].symbols.get_mut(declaration.name.text);
            place.expect("declared with the instance").0 = symbol;
        }
    }

    fn variable(
        &mut self,
        instance: InstanceId,
        kind: VarKind,
        declaration: &Declaration,
    ) -> Lowered<Symbol> {
        let name = self.full_name(instance, declaration.name.text);
        let template = Template { instance, kind, span: declaration.name.span };
        self.of_type(&template, name, &declaration.ty)
    }

    fn of_type(&mut self, template: &Template, name: String, ty: &Type) -> Lowered<Symbol> {
        if let Some(&construct) = self.unsupported.get(&name) {
            return Err(Refusal::Unsupported(construct));
        }
        let Type::Array(low, high, element) = ty else {
            if let Type::Unsupported { construct, span, .. } = *ty {
                return Err(Refusal::unsupported(construct, span));
            }
            let domain = self.domain(template.instance, ty)?;
            let &Template { instance, kind, span } = template;
            let var = MachineVar { name, domain, kind, instance, span };
            return Ok(Symbol::Var(self.machine.vars.push(var)));
        };
        let (low, high) = self.bounds(template.instance, *low, *high)?;
        let mut items = Vec::new();
        for index in low..=high {
            if self.machine.vars.len() >= MOST_VARIABLES {
                return Err(self.error(|_| {
                    let message = format!("more than {MOST_VARIABLES} variables");
                    Diagnostic::error(message, template.span, "an array of too many elements")
                }));
            }
            items.push(match self.of_type(template, format!("{name}[{index}]"), element) {
                Err(Refusal::Unsupported(construct)) => {
                    self.note_unsupported(construct);
                    Symbol::Unsupported(construct)
                }
                item => item?,
            });
        }
        Ok(Symbol::Array(self.arrays.push(ArrayVar { low, items })))
    }

    /// The bounds of a range, which is not empty.
    pub(super) fn bounds(
        &mut self,
        scope: InstanceId,
        low: ExprId,
        high: ExprId,
    ) -> Lowered<(i64, i64)> {
        let span = self.span(low).to(self.span(high));
        let (low, high) = (self.number(scope, low, 0)?, self.number(scope, high, 0)?);
        if low > high {
            return Err(self.error(|_| {
                Diagnostic::error(
                    format!("the range {low}..{high} is empty"),
                    span,
                    "nothing is in it",
                )
                .with_help("the lower bound stands first")
            }));
        }
        Ok((low, high))
    }

    fn domain(&mut self, scope: InstanceId, ty: &Type) -> Lowered<Domain> {
        match ty {
            Type::Boolean => Ok(Domain::Bool),
            Type::Integer(span) => self.integer(*span),
            Type::Range(low, high) => {
                let (low, high) = self.bounds(scope, *low, *high)?;
                Ok(Domain::Range(low, high))
            }
            Type::Word { signed, width } => {
                let span = self.span(*width);
                let bits = self.number(scope, *width, 0)?;
                if bits > 64 {
                    return Err(Refusal::unsupported(WIDE_WORD, span));
                }
                if bits < 1 {
                    return Err(self.error(|_| {
                        let message = format!("a word of {bits} bits");
                        Diagnostic::error(message, span, "words have 1 to 64 bits")
                    }));
                }
                Ok(Domain::Word { signed: *signed, width: bits as u8 })
            }
            Type::Enum(values) => self.enumeration(values),
            Type::Array(..) | Type::Instance { .. } | Type::Unsupported { .. } => {
                Err(Refusal::Reported)
            }
        }
    }

    /// All integers, where the model may have unbounded variables.
    fn integer(&mut self, span: Span) -> Lowered<Domain> {
        self.integers.get_or_insert(span);
        if self.domains == AllowedDomains::Either {
            return Ok(Domain::INTEGERS);
        }
        Err(self.error(|_| {
            let message = "this needs variables with finite domains";
            Diagnostic::error(message, span, "any integer").with_help(
                "files with `integer` are for `check`, `explain` and `certify`; use a range such as `0..7` here",
            )
        }))
    }

    /// Words have an arithmetic of their own.
    pub(super) fn leave_out_words_beside_integers(&mut self) {
        if self.integers.is_none() {
            return;
        }
        let is_word = |var: &&MachineVar| matches!(var.domain, Domain::Word { .. });
        let words = self.machine.vars.values().filter(is_word);
        let words: Vec<_> = words.map(|var| (var.name.clone(), var.span)).collect();
        for (var, span) in words {
            let construct = UnsupportedConstruct { name: "a word beside unbounded integers", span };
            self.newly_unsupported.insert(var, construct);
        }
    }

    fn enumeration(&mut self, values: &[(Constant, Span)]) -> Lowered<Domain> {
        let mut numbers: Vec<i64> = Vec::new();
        for (index, (constant, span)) in values.iter().enumerate() {
            let value = match constant {
                Constant::Int(value) => *value,
                Constant::Symbol(name) => self.constant(name).expect("collected before"),
            };
            if let Some(before) = numbers.iter().position(|&other| other == value) {
                self.error(|_| {
                    Diagnostic::error("a value is listed twice", *span, "listed again here")
                        .with_label(values[before].1, "listed first here")
                        .with_help("take one of them out")
                });
                return Err(Refusal::Reported);
            }
            debug_assert_eq!(numbers.len(), index);
            numbers.push(value);
        }
        Ok(Domain::Values(numbers))
    }

    /// A bound or a width: a constant that can be computed before there are variables.
    fn number(&mut self, scope: InstanceId, expr: ExprId, depth: usize) -> Lowered<i64> {
        let value = match self.file.exprs.get(expr) {
            Expr::Int(value) => Some(*value),
            Expr::Unsupported { construct, .. } => {
                return Err(Refusal::unsupported(construct, self.span(expr)));
            }
            Expr::Neg(a) => Some(-self.number(scope, *a, depth)?),
            Expr::Chain(first, rest) => {
                let mut value = Some(self.number(scope, *first, depth)?);
                for (infix, operand) in rest {
                    let operand = self.number(scope, *operand, depth)?;
                    value = value.and_then(|value| apply(*infix, value, operand));
                }
                value
            }
            Expr::Name(_) | Expr::Dot(..) => match self.lookup(scope, expr) {
                Some(Symbol::Def(def)) if depth < LONGEST_CHAIN => {
                    let (scope, expr) = (self.definitions[def].scope, self.definitions[def].expr);
                    return self.number(scope, expr, depth + 1);
                }
                None if self.named(expr).is_none() => return Err(self.unknown_name(scope, expr)),
                _ => None,
            },
            _ => None,
        };
        let fits = |value: &i64| (-LARGEST..=LARGEST).contains(value);
        value.filter(fits).ok_or(()).map_err(|()| {
            let span = self.span(expr);
            self.error(|_| {
                Diagnostic::error("this is no constant number", span, "has to be known beforehand")
                    .with_help("bounds and widths are made of numbers and definitions of numbers")
            })
        })
    }

    /// The constant that is meant, if it is one.
    fn named(&self, expr: ExprId) -> Option<i64> {
        let Expr::Name(name) = self.file.exprs.get(expr) else { return None };
        self.constant(name)
    }

    /// The input that says which process takes the step, if there are processes.
    pub(super) fn declare_selector(&mut self) {
        let processes: Vec<InstanceId> = self.processes();
        if processes.len() < 2 {
            return;
        }
        let values = processes.iter().map(|&process| {
            let symbol =
                self.machine.symbols.intern(&process_name(&self.machine.instances[process]));
            transition::symbol_value(symbol)
        });
        let domain = Domain::Values(values.collect());
        let Some(span) = self.file.modules.first().map(|module| module.name.span) else { return };
        let (name, main) = ("_process_selector_".to_owned(), processes[0]);
        let var = MachineVar { name, domain, kind: VarKind::Input, instance: main, span };
        let selector: VarId = self.machine.vars.push(var);
        self.machine.selector = Some(selector);
        let symbols = &mut self.scopes[main].symbols;
        symbols.insert("_process_selector_".into(), (Symbol::Var(selector), span));
    }

    /// The main module and all processes.
    fn processes(&self) -> Vec<InstanceId> {
        let instances = self.machine.instances.iter();
        let takes_turns =
            |instance: &transition::Instance| instance.is_process || instance.parent.is_none();
        instances.filter(|(_, instance)| takes_turns(instance)).map(|(id, _)| id).collect()
    }
}

/// The name of a process among the values of the selector.
pub(super) fn process_name(instance: &transition::Instance) -> String {
    if instance.parent.is_none() { "main".to_owned() } else { instance.name.clone() }
}

/// Attributes that all elements of an array share.
struct Template {
    instance: InstanceId,
    kind: VarKind,
    span: Span,
}

fn apply(infix: Infix, a: i64, b: i64) -> Option<i64> {
    match infix {
        Infix::Plus => a.checked_add(b),
        Infix::Minus => a.checked_sub(b),
        Infix::Times => a.checked_mul(b),
        Infix::Divide => a.checked_div(b),
        Infix::Mod => a.checked_rem(b),
        _ => None,
    }
}
