//! A program in the form that the engines take.

use super::ast::{
    Argument, Choice, Command, Domain, Expr, Kind, Operator, Program, Target, VarIndex,
};
use super::flat::{after, before};
use super::total::total;
use super::values::place_names;
use support::{FileId, Span};
use transition::cfg::{Branch, CommandId, Effect, Test};
use transition::{
    Binary, Constraint, Instance, InstanceId, NodeId, Section, Type, Unary, Undefined, VarId,
    symbol_value,
};

/// Reads the tree as `front` is to read the text.
pub fn to_cfg(program: &Program) -> transition::cfg::Program {
    let mut maker =
        Maker { program, made: transition::cfg::Program::default(), places: Vec::new() };
    maker.made.data.name = "program".to_owned();
    maker.made.data.instances.push(Instance {
        name: String::new(),
        module: "main".to_owned(),
        parent: None,
        is_process: false,
    });
    maker.variables();
    for procedure in &program.procedures {
        let body = maker.block(&procedure.body);
        let name = procedure.name.clone();
        maker.made.procedures.push(transition::cfg::Procedure { name, body, span: nowhere() });
    }
    let mut body = maker.block(&program.body);
    body.push(maker.push(&program.last_labels, transition::cfg::CommandKind::Fin));
    maker.made.body = body;
    maker.made
}

fn nowhere() -> Span {
    Span::new(FileId(0), 0..0)
}

struct Maker<'p> {
    program: &'p Program,
    made: transition::cfg::Program,
    /// The image of each variable: one variable, or one for each element.
    places: Vec<Vec<VarId>>,
}

impl Maker<'_> {
    fn variables(&mut self) {
        let program = self.program;
        for symbol in &program.symbols {
            self.made.data.symbols.intern(symbol);
        }
        let symbols: Vec<i64> =
            self.made.data.symbols.iter().map(|(symbol, _)| symbol_value(symbol)).collect();
        for var in &program.vars {
            let domain = match var.domain {
                Domain::Bool => transition::Domain::Bool,
                Domain::Range(low, high) => transition::Domain::Range(low, high),
                Domain::Symbols(_) => transition::Domain::Values(symbols.clone()),
            };
            let make = |name: String| transition::MachineVar {
                name,
                domain: domain.clone(),
                kind: transition::VarKind::State,
                instance: InstanceId(0),
                span: nowhere(),
            };
            let places: Vec<VarId> = place_names(program, var)
                .into_iter()
                .map(|name| self.made.data.vars.push(make(name)))
                .collect();
            places.iter().for_each(|&place| self.starts(place, &var.start, var.domain));
            self.places.push(places);
        }
    }

    fn starts(&mut self, place: VarId, values: &[i64], domain: Domain) {
        if values.is_empty() {
            return;
        }
        let now = self.made.data.now(place);
        let exprs = &mut self.made.data.exprs;
        let mut node = exprs.bool(false);
        for &value in values {
            let constant = match domain {
                Domain::Bool => exprs.bool(value == 1),
                Domain::Range(..) => exprs.int(value),
                Domain::Symbols(_) => exprs.constant(symbol(value as usize), Type::Scalar),
            };
            let equal = exprs.eq(now, constant);
            node = exprs.or(node, equal);
        }
        let (section, instance, span) = (Section::Init, InstanceId(0), nowhere());
        self.made.data.constraints.push(Constraint { section, node, instance, span });
    }

    fn push(&mut self, labels: &[String], kind: transition::cfg::CommandKind) -> CommandId {
        let labels = labels.iter().map(|label| self.made.labels.intern(label)).collect();
        self.made.commands.push(transition::cfg::ProgramCommand { kind, labels, span: nowhere() })
    }

    fn block(&mut self, commands: &[Command]) -> Vec<CommandId> {
        commands.iter().flat_map(|command| self.command(command)).collect()
    }

    fn command(&mut self, command: &Command) -> Vec<CommandId> {
        let kind = match &command.kind {
            Kind::Skip => skip(),
            Kind::Assign(target, choice) => self.assignment(target, choice),
            Kind::If { test, then, otherwise } => {
                let test = self.test(test);
                let then = self.block(then);
                let otherwise = match &otherwise[..] {
                    [] => vec![self.push(&[], skip())],
                    some => self.block(some),
                };
                transition::cfg::CommandKind::If { test, then, otherwise }
            }
            Kind::While { test, body } => transition::cfg::CommandKind::While {
                test: self.test(test),
                body: self.block(body),
            },
            Kind::Call { procedure, arguments } => {
                return self.call(&command.labels, *procedure, arguments);
            }
            Kind::Hole { name, frame } => {
                let hole = self.made.holes.intern(name);
                let frame = frame.iter().flat_map(|&var| self.places[var].clone()).collect();
                transition::cfg::CommandKind::Hole { hole, frame }
            }
        };
        vec![self.push(&command.labels, kind)]
    }

    fn call(&mut self, labels: &[String], number: usize, arguments: &[Argument]) -> Vec<CommandId> {
        let procedure = &self.program.procedures[number];
        let mut kinds: Vec<transition::cfg::CommandKind> = before(procedure, arguments)
            .iter()
            .map(|(var, choice)| self.assignment(&Target::Var(*var), choice))
            .collect();
        if kinds.is_empty() {
            kinds.push(skip());
        }
        kinds.push(transition::cfg::CommandKind::Call(transition::cfg::ProcedureId(number as u32)));
        for (target, var) in after(procedure, arguments) {
            kinds.push(self.assignment(&target, &Choice::OneOf(vec![Expr::Var(var)])));
        }
        let labels_of = |place: usize| if place == 0 { labels } else { &[] };
        let pushed = kinds.into_iter().enumerate();
        pushed.map(|(place, kind)| self.push(labels_of(place), kind)).collect()
    }

    fn assignment(&mut self, target: &Target, choice: &Choice) -> transition::cfg::CommandKind {
        let places = self.places[target.var()].clone();
        let mut branches = Vec::new();
        match target {
            Target::Var(_) => {
                let always = self.made.data.exprs.bool(true);
                self.assign(&mut branches, always, places[0], choice);
            }
            Target::Element(_, index) => {
                let index = self.expr(index);
                let index = total(&mut self.made.data.exprs, index);
                let mut outside = self.made.data.exprs.bool(true);
                for (number, &place) in places.iter().enumerate() {
                    let exprs = &mut self.made.data.exprs;
                    let number = exprs.int(number as i64);
                    let is_this = exprs.eq(index.value, number);
                    let here = exprs.and(index.defined, is_this);
                    let not_here = exprs.not(here);
                    outside = exprs.and(outside, not_here);
                    self.assign(&mut branches, here, place, choice);
                }
                self.branch(&mut branches, outside, Effect::Fails);
            }
        }
        transition::cfg::CommandKind::Step(branches)
    }

    fn assign(&mut self, branches: &mut Vec<Branch>, here: NodeId, place: VarId, choice: &Choice) {
        let Choice::OneOf(values) = choice else {
            return self.branch(branches, here, Effect::Any(place));
        };
        for value in values {
            let value = self.expr(value);
            let value = total(&mut self.made.data.exprs, value);
            let fits = self.fits(value.value, place);
            let exprs = &mut self.made.data.exprs;
            let right = exprs.and(value.defined, fits);
            let wrong = exprs.not(right);
            let [right, wrong] = [right, wrong].map(|way| exprs.and(here, way));
            self.branch(branches, right, Effect::Set(place, value.value));
            self.branch(branches, wrong, Effect::Fails);
        }
    }

    /// Adds a branch unless it can be seen never to be taken.
    fn branch(&self, branches: &mut Vec<Branch>, guard: NodeId, effect: Effect) {
        match self.made.data.exprs.as_constant(guard) {
            Some(0) => {}
            Some(_) => branches.push(Branch { guard: None, effect }),
            None => branches.push(Branch { guard: Some(guard), effect }),
        }
    }

    /// Whether the value is one that the variable can have.
    fn fits(&mut self, value: NodeId, place: VarId) -> NodeId {
        let domain = self.made.data.vars[place].domain.clone();
        let exprs = &mut self.made.data.exprs;
        let transition::Domain::Range(low, high) = domain else { return exprs.bool(true) };
        let [low, high] = [low, high].map(|bound| exprs.int(bound));
        let (above, below) = (exprs.le(low, value), exprs.le(value, high));
        exprs.and(above, below)
    }

    fn test(&mut self, test: &Expr) -> Test {
        let test = self.expr(test);
        let exprs = &mut self.made.data.exprs;
        let total = total(exprs, test);
        let not = exprs.not(total.value);
        let holds = exprs.and(total.defined, total.value);
        let fails_to_hold = exprs.and(total.defined, not);
        let wrong = exprs.not(total.defined);
        let error_condition = (exprs.as_constant(wrong) != Some(0)).then_some(wrong);
        Test { holds, fails_to_hold, error_condition }
    }

    fn expr(&mut self, expr: &Expr) -> NodeId {
        let data = &mut self.made.data;
        match expr {
            Expr::Bool(value) => data.exprs.bool(*value),
            Expr::Int(value) => data.exprs.int(*value),
            Expr::Symbol(number) => data.exprs.constant(symbol(*number), Type::Scalar),
            Expr::Var(var) => data.now(self.places[*var][0]),
            Expr::Element(var, index) => self.element(*var, index),
            Expr::Not(operand) => {
                let operand = self.expr(operand);
                self.made.data.exprs.not(operand)
            }
            Expr::Minus(operand) => {
                let operand = self.expr(operand);
                self.made.data.exprs.unary(Unary::Neg, operand)
            }
            Expr::Binary(operator, left, right) => {
                let (left, right) = (self.expr(left), self.expr(right));
                self.binary(*operator, left, right)
            }
        }
    }

    fn element(&mut self, var: VarIndex, index: &Expr) -> NodeId {
        let index = self.expr(index);
        let places = self.places[var].clone();
        let data = &mut self.made.data;
        let ty = data.vars[places[0]].domain.ty();
        let high = places.len() as i64 - 1;
        let outside = data.fault(Undefined::IndexOutOfBounds { low: 0, high }, nowhere(), ty);
        places.iter().enumerate().rev().fold(outside, |otherwise, (number, &place)| {
            let now = data.now(place);
            let number = data.exprs.int(number as i64);
            let is_this = data.exprs.eq(index, number);
            data.exprs.ite(is_this, now, otherwise)
        })
    }

    fn binary(&mut self, operator: Operator, left: NodeId, right: NodeId) -> NodeId {
        let exprs = &mut self.made.data.exprs;
        let plain = |op: Binary| Some((op, left, right));
        let made = match operator {
            Operator::Add => plain(Binary::Add),
            Operator::Sub => plain(Binary::Sub),
            Operator::Mul => plain(Binary::Mul),
            Operator::Eq | Operator::Iff => plain(Binary::Eq),
            Operator::Lt => plain(Binary::Lt),
            Operator::Le => plain(Binary::Le),
            Operator::Gt => Some((Binary::Lt, right, left)),
            Operator::Ge => Some((Binary::Le, right, left)),
            Operator::And => plain(Binary::And),
            Operator::Or => plain(Binary::Or),
            Operator::Implies => Some((Binary::Or, exprs.not(left), right)),
            Operator::Ne | Operator::Div | Operator::Mod => None,
        };
        if let Some((op, left, right)) = made {
            return exprs.binary(op, left, right);
        }
        match operator {
            Operator::Div => self.divided(Binary::Div, left, right),
            Operator::Mod => self.divided(Binary::Mod, left, right),
            _ => {
                let equal = exprs.eq(left, right);
                exprs.not(equal)
            }
        }
    }

    fn divided(&mut self, op: Binary, left: NodeId, right: NodeId) -> NodeId {
        let data = &mut self.made.data;
        let zero = data.exprs.int(0);
        let by_zero = data.exprs.eq(right, zero);
        let quotient = data.exprs.binary(op, left, right);
        let ty = data.exprs.ty(quotient);
        let fault = data.fault(Undefined::DivisionByZero, nowhere(), ty);
        data.exprs.ite(by_zero, fault, quotient)
    }
}

fn skip() -> transition::cfg::CommandKind {
    transition::cfg::CommandKind::Step(vec![Branch { guard: None, effect: Effect::Nothing }])
}

fn symbol(number: usize) -> i64 {
    symbol_value(transition::SymbolId(number as u32))
}
