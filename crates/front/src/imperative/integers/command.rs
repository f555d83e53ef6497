//! Commands.

use super::build::Builder;
use super::expr::{Data, Total};
use super::graph::{Graph, Step, Target as Leads, Way};
use super::linear::{self, truth};
use super::{IntegerDomain, IntegerVariable};
use crate::imperative::ast::{Command as Written, ExprId, Name, Statement, Target, Value};
use crate::imperative::complaints::{self, twice};
use crate::sink::{Parsed, Reported};
use support::{Diagnostic, FileId, Span};
use transition::predicates::{Condition, Term};

/// More memory than this, in nodes of expressions, is too much.
pub(super) const LARGEST_PROGRAM: usize = 1 << 21;

/// `any` of so many values is so many steps.
const MOST_CHOICES: i64 = 256;

struct Test {
    holds: Condition,
    fails_to_hold: Condition,
    goes_wrong: Condition,
}

impl<'f, 'a> Builder<'f, 'a> {
    /// Commands that end with `fin`.
    pub(super) fn commands(&mut self, written: &'f [Written<'a>], file: FileId) -> Graph {
        let (last, before) = match written.split_last() {
            Some((last, before)) if matches!(last.statement, Statement::Fin) => {
                (Some(last), before)
            }
            _ => (None, written),
        };
        let mut graph = Graph::default();
        self.block(before, &mut graph);
        let end = written.last().map_or(0, |last| last.span.end as usize);
        let (labels, span) = match last {
            Some(fin) => (self.labels(&fin.labels), fin.span),
            None => (Vec::new(), Span::new(file, end..end)),
        };
        let fin = graph.place(span, labels);
        graph.places[fin as usize].is_end = true;
        graph
    }

    pub(super) fn block(&mut self, written: &'f [Written<'a>], graph: &mut Graph) {
        for command in written {
            // What is wrong is in the sink.
            let _ = self.command(command, graph);
        }
    }

    fn labels(&mut self, labels: &[Name<'a>]) -> Vec<u32> {
        let mut found = Vec::new();
        for label in labels {
            let number = self.labels.len() as u32;
            match self.labels.get(label.text) {
                None => {
                    self.labels.insert(label.text, (number, label.span));
                    found.push(number);
                }
                Some(&(_, first)) => {
                    self.sink.error(|| twice("the label", *label, first));
                }
            }
        }
        found
    }

    fn command(&mut self, written: &'f Written<'a>, graph: &mut Graph) -> Parsed<()> {
        let labels = self.labels(&written.labels);
        let span = written.span;
        self.refuse_large_program(graph.size, span)?;
        match &written.statement {
            Statement::Fin => Err(self.sink.error(|| complaints::misplaced_fin(span))),
            Statement::Hole(..) => Err(self.no_holes(span)),
            Statement::Call(name, arguments) => self.call(*name, arguments, labels, span, graph),
            Statement::Skip => self.simple(vec![Way::passes(truth(true))], labels, span, graph),
            Statement::Assume(condition) => {
                let test = self.test(*condition)?;
                let ways = vec![Way::passes(test.holds), Way::fails(test.goes_wrong)];
                self.simple(ways, labels, span, graph)
            }
            Statement::Assign(target, value, value_span) => {
                let ways = self.assignment(target, value, *value_span)?;
                self.simple(ways, labels, span, graph)
            }
            Statement::While { condition, body } => {
                let test = self.test(*condition);
                let head = graph.place(span, labels);
                let leaves = branch(test, head, graph);
                self.block(body, graph);
                graph.lead_to(head);
                graph.open = leaves;
                Ok(())
            }
            Statement::If { condition, then, otherwise, fi } => {
                let test = self.test(*condition);
                let place = graph.place(span, labels);
                let others = branch(test, place, graph);
                self.block(then, graph);
                let ends = std::mem::replace(&mut graph.open, others);
                match otherwise {
                    Some(otherwise) => self.block(otherwise, graph),
                    None => self.simple(vec![Way::passes(truth(true))], Vec::new(), *fi, graph)?,
                }
                graph.open.extend(ends);
                Ok(())
            }
        }
    }

    /// A command of one place.
    pub(super) fn simple(
        &mut self,
        ways: Vec<Way>,
        labels: Vec<u32>,
        span: Span,
        graph: &mut Graph,
    ) -> Parsed<()> {
        let place = graph.place(span, labels);
        graph.ways(place, ways);
        Ok(())
    }

    pub(super) fn refuse_large_program(&mut self, size: usize, span: Span) -> Parsed<()> {
        if size <= LARGEST_PROGRAM {
            return Ok(());
        }
        // Said once is enough.
        if std::mem::replace(&mut self.is_too_large, true) {
            return Err(Reported);
        }
        Err(self.sink.error(|| {
            let label = "with the procedures written out at every call, one too many is here";
            Diagnostic::error("the program is too large", span, label)
                .with_help("take fewer calls, or shorter procedures")
        }))
    }

    fn no_holes(&mut self, span: Span) -> Reported {
        self.sink.error(|| {
            let message = "programs over integers have no holes";
            Diagnostic::error(message, span, "what it does is not known").with_help(
                "say what it may change: `x := any`, and what is known of that: `assume x > 0`",
            )
        })
    }

    fn test(&mut self, condition: ExprId) -> Parsed<Test> {
        let Total { value, defined } = self.truth(condition)?;
        Ok(Test {
            holds: linear::and(defined.clone(), value.clone()),
            fails_to_hold: linear::and(defined.clone(), linear::not(value)),
            goes_wrong: linear::not(defined),
        })
    }

    pub(super) fn target(&mut self, target: &Target<'a>) -> Parsed<u32> {
        if target.index.is_some() {
            return Err(self.no_arrays(target.name.span));
        }
        match self.lookup(target.name.text) {
            Some(variable) => Ok(variable),
            None if self.constants.contains_key(target.name.text) => {
                Err(self.sink.error(|| complaints::constant_assigned(target.name)))
            }
            None => Err(self.unknown(target.name)),
        }
    }

    fn assignment(&mut self, target: &Target<'a>, value: &Value, span: Span) -> Parsed<Vec<Way>> {
        match (self.target(target), value) {
            (Ok(variable), _) => self.assign(variable, value, span),
            (Err(reported), Value::Any) => Err(reported),
            // The value may have errors of its own.
            (Err(reported), Value::One(expr)) => self.expr(*expr).and(Err(reported)),
            (Err(reported), Value::Set(exprs)) => {
                exprs.iter().for_each(|&expr| {
                    let _ = self.expr(expr);
                });
                Err(reported)
            }
        }
    }

    /// All ways of assigning one of these values.
    pub(super) fn assign(&mut self, variable: u32, value: &Value, span: Span) -> Parsed<Vec<Way>> {
        let mut ways = Vec::new();
        match value {
            Value::Any => return self.any(variable, span),
            Value::One(expr) => {
                let value = self.value_for(variable, *expr)?;
                self.set(variable, value, span, &mut ways);
            }
            Value::Set(exprs) => {
                let values: Vec<Parsed<_>> =
                    exprs.iter().map(|&expr| self.value_for(variable, expr)).collect();
                for (value, &expr) in values.into_iter().zip(exprs) {
                    self.set(variable, value?, self.exprs.span(expr), &mut ways);
                }
            }
        }
        Ok(ways)
    }

    /// All ways of giving a variable whatever it can have.
    pub(super) fn any(&mut self, variable: u32, span: Span) -> Parsed<Vec<Way>> {
        let IntegerVariable { domain, span: declared } = &self.variables[variable as usize];
        let (low, high) = match domain {
            IntegerDomain::Int => {
                return Ok(vec![Way::sets(
                    truth(true),
                    variable,
                    transition::predicates::Value::Any,
                )]);
            }
            IntegerDomain::Bool => (0, 1),
            IntegerDomain::Range(low, high) => (*low, *high),
            IntegerDomain::Constants(constants) => {
                let numbers = constants.iter().map(|(number, _)| *number);
                return Ok(numbers.map(|number| constant(variable, number)).collect());
            }
        };
        if high - low < MOST_CHOICES {
            return Ok((low..=high).map(|number| constant(variable, number)).collect());
        }
        let (name, declared) = (&self.names[variable as usize], *declared);
        Err(self.sink.error(|| {
            let message = format!("any value of `{name}` is one of more than {MOST_CHOICES}");
            Diagnostic::error(message, span, "too many values")
                .with_label(declared, "declared here")
                .with_help("make it `int`, and say behind it: `assume 0 <= x & x <= 1000`")
        }))
    }

    /// How one value of the right sort can be assigned, and how that can go wrong.
    pub(super) fn set(
        &mut self,
        variable: u32,
        total: Total<Data>,
        span: Span,
        ways: &mut Vec<Way>,
    ) {
        let Total { value, defined } = total;
        let term = match value {
            Data::Number(term) | Data::Constant(term) => term,
            Data::Truth(condition) => {
                self.set_truth(variable, condition, &defined, ways);
                return ways.push(Way::fails(linear::not(defined)));
            }
        };
        let fits = self.fits(variable, &term);
        if fits == truth(false) {
            let label = format!("`{}` has no such value", self.names[variable as usize]);
            self.sink.warning(|| complaints::always_wrong(span, label));
        }
        let fine = linear::and(defined, fits);
        ways.push(Way::sets(fine.clone(), variable, transition::predicates::Value::Of(term)));
        ways.push(Way::fails(linear::not(fine)));
    }

    fn set_truth(
        &mut self,
        variable: u32,
        condition: Condition,
        defined: &Condition,
        ways: &mut Vec<Way>,
    ) {
        if let Some(other) = self.as_variable(&condition) {
            let value = transition::predicates::Value::Of(Term::Variable(other));
            return ways.push(Way::sets(defined.clone(), variable, value));
        }
        for (value, guard) in [(1, condition.clone()), (0, linear::not(condition))] {
            let guard = linear::and(defined.clone(), guard);
            ways.push(Way::sets(
                guard,
                variable,
                transition::predicates::Value::Of(Term::Constant(value)),
            ));
        }
    }

    /// Where a value of the right sort is in the domain of a variable.
    fn fits(&self, variable: u32, term: &Term) -> Condition {
        let domain = &self.variables[variable as usize].domain;
        match (domain, term) {
            (IntegerDomain::Int | IntegerDomain::Bool, _) => truth(true),
            (IntegerDomain::Range(low, high), _) => match self.bounds(term) {
                Some((least, most)) if i128::from(*low) <= least && most <= i128::from(*high) => {
                    truth(true)
                }
                _ => linear::within(term, *low, *high),
            },
            (IntegerDomain::Constants(values), Term::Variable(other))
                if self.has_only(*other, values) =>
            {
                truth(true)
            }
            (IntegerDomain::Constants(values), _) => {
                linear::among(term, values.iter().map(|(number, _)| *number))
            }
        }
    }

    fn has_only(&self, variable: u32, values: &[(i64, String)]) -> bool {
        match &self.variables[variable as usize].domain {
            IntegerDomain::Constants(others) => others.iter().all(|other| values.contains(other)),
            _ => false,
        }
    }

    /// Between which numbers a term is, as far as the domains say so.
    fn bounds(&self, term: &Term) -> Option<(i128, i128)> {
        match term {
            Term::Constant(value) => Some((i128::from(*value), i128::from(*value))),
            Term::Variable(variable) => match self.variables[*variable as usize].domain {
                IntegerDomain::Range(low, high) => Some((i128::from(low), i128::from(high))),
                _ => None,
            },
            Term::Add(a, b) => {
                let (a, b) = (self.bounds(a)?, self.bounds(b)?);
                Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?))
            }
            Term::Sub(a, b) => {
                let (a, b) = (self.bounds(a)?, self.bounds(b)?);
                Some((a.0.checked_sub(b.1)?, a.1.checked_sub(b.0)?))
            }
            Term::Times(factor, a) => {
                let (low, high) = self.bounds(a)?;
                let factor = i128::from(*factor);
                let (one, other) = (low.checked_mul(factor)?, high.checked_mul(factor)?);
                Some((one.min(other), one.max(other)))
            }
            Term::Div(..) => None,
            Term::Mod(_, divisor) => {
                let most = i128::from(*divisor).abs() - 1;
                Some((-most, most))
            }
        }
    }
}

/// The two ways on from a condition, the first one left open; the second is returned. If the condition could not be
/// read there is none of them, and that has been said.
fn branch(test: Parsed<Test>, place: u32, graph: &mut Graph) -> Vec<usize> {
    let Ok(test) = test else { return Vec::new() };
    let step = |guard: Condition, target: Leads| Step {
        source: place,
        target,
        guard,
        changes: Vec::new(),
    };
    graph.step(step(test.goes_wrong, Leads::Error));
    graph.step(step(test.fails_to_hold, Leads::Next));
    let others = std::mem::take(&mut graph.open);
    graph.step(step(test.holds, Leads::Next));
    others
}

fn constant(variable: u32, number: i64) -> Way {
    Way::sets(truth(true), variable, transition::predicates::Value::Of(Term::Constant(number)))
}
