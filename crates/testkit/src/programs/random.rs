//! Random programs, small enough for all their states to be looked at.

use super::ast::{
    Argument, Choice, Command, Domain, Expr, Kind, Operator, Parameter, Procedure, Program, Scope,
    Target, Var, VarIndex,
};
use crate::rng::Rng;

/// How large a random program may be.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// How many valuations there may be, those of the variables of procedures included.
    pub valuations: usize,
    /// How many commands the program has; each of its procedures has up to three.
    pub commands: usize,
    pub depth: usize,
    pub procedures: usize,
    /// How many holes there may be.
    pub holes: usize,
}

impl Size {
    /// A size at which thousands of tests can run.
    pub fn small() -> Self {
        Self { valuations: 64, commands: 8, depth: 3, procedures: 0, holes: 0 }
    }

    pub fn with_procedures(self) -> Self {
        Self { valuations: 128, procedures: 2, ..self }
    }

    pub fn with_holes(self) -> Self {
        Self { holes: 2, ..self }
    }
}

/// A program with loops that end and loops that do not, with commands that go wrong for some values, and with
/// parts that cannot be reached.
pub fn random_program(rng: &mut Rng, size: Size) -> Program {
    let mut program = Program::default();
    let mut maker = Maker { rng, size, room: size.valuations, labels: 0, program: &mut program };
    maker.variables();
    for number in 0..maker.rng.between(0, size.procedures) {
        maker.procedure(number);
    }
    let mut commands = maker.rng.between(1, size.commands);
    let body = maker.block(&mut commands, size.depth, Scope::Program);
    let last_labels = maker.some_labels();
    maker.program.body = body;
    maker.program.last_labels = last_labels;
    program
}

struct Maker<'a> {
    rng: &'a mut Rng,
    size: Size,
    /// How many times as many valuations there may be still.
    room: usize,
    labels: usize,
    program: &'a mut Program,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Bool,
    Int,
    Symbol,
}

fn type_of(domain: Domain) -> Type {
    match domain {
        Domain::Bool => Type::Bool,
        Domain::Range(..) => Type::Int,
        Domain::Symbols(_) => Type::Symbol,
    }
}

impl Maker<'_> {
    fn variables(&mut self) {
        if self.rng.chance(0.4) {
            let count = self.rng.between(2, 3);
            self.program.symbols =
                ["idle", "busy", "done"][..count].iter().map(|&name| name.to_owned()).collect();
        }
        // Something stays for the variables of procedures.
        let kept = if self.size.procedures > 0 { 4 } else { 1 };
        self.room /= kept;
        let count = self.rng.between(2, 4);
        for name in ["x", "y", "z", "u"].into_iter().take(count) {
            let domain = self.domain();
            let elements =
                self.rng.chance(0.15).then_some(2).filter(|_| domain.size().pow(2) <= self.room);
            self.variable(name, domain, elements, Scope::Program);
        }
        self.room *= kept;
    }

    fn domain(&mut self) -> Domain {
        match self.rng.below(10) {
            0..3 => Domain::Bool,
            3..5 if !self.program.symbols.is_empty() => {
                Domain::Symbols(self.program.symbols.len() as i64)
            }
            5 => Domain::Range(-1, self.rng.between(0, 2) as i64),
            6 => Domain::Range(1, self.rng.between(2, 4) as i64),
            _ => Domain::Range(0, self.rng.between(1, 5) as i64),
        }
    }

    /// Adds a variable, with fewer values if there is no room for so many.
    fn variable(
        &mut self,
        name: &str,
        domain: Domain,
        elements: Option<i64>,
        scope: Scope,
    ) -> VarIndex {
        let fits = domain.size() <= self.room;
        let domain = match self.room {
            _ if fits => domain,
            0 | 1 => Domain::Range(0, 0),
            _ => Domain::Bool,
        };
        self.room /= domain.size().pow(elements.unwrap_or(1) as u32);
        let starts = scope == Scope::Program && self.rng.chance(0.4);
        let start = if starts { self.start(domain) } else { Vec::new() };
        let name = name.to_owned();
        self.program.vars.push(Var { name, domain, elements, start, scope });
        self.program.vars.len() - 1
    }

    fn start(&mut self, domain: Domain) -> Vec<i64> {
        let all: Vec<i64> = (domain.low()..=domain.high()).collect();
        if self.rng.chance(0.7) { vec![*self.rng.pick(&all)] } else { self.rng.some(&all, 0.5) }
    }

    fn procedure(&mut self, number: usize) {
        let scope = Scope::Procedure(number);
        let mut parameters = Vec::new();
        // Sometimes a parameter hides a variable of the program.
        let mut names = vec!["v", "r"];
        if self.rng.chance(0.2) {
            names[0] = "x";
        }
        for name in names.into_iter().take(self.rng.below(3)) {
            let domain = self.domain();
            let var = self.variable(name, domain, None, scope);
            let is_in = self.rng.chance(0.5);
            parameters.push(if is_in { Parameter::In(var) } else { Parameter::Out(var) });
        }
        let mut locals = Vec::new();
        if self.rng.chance(0.3) {
            let ty = self.domain();
            let value = self.rng.chance(0.5).then(|| self.expr(type_of(ty), 1, scope));
            let var = self.variable("t", ty, None, scope);
            // Where there was no room, the value would be of another type.
            let fits = type_of(self.program.vars[var].domain) == type_of(ty);
            locals.push((var, value.filter(|_| fits)));
        }
        let mut commands = self.rng.between(1, 3);
        let body = self.block(&mut commands, 1, scope);
        let name = ["first", "second", "third"][number % 3].to_owned();
        self.program.procedures.push(Procedure { name, parameters, locals, body });
    }

    /// Uses up some of the commands that are left, at least one of them.
    fn block(&mut self, commands: &mut usize, depth: usize, scope: Scope) -> Vec<Command> {
        let length = if depth == self.size.depth { *commands } else { self.rng.between(1, 3) };
        let mut block = Vec::new();
        for _ in 0..length.max(1) {
            block.push(self.command(commands, depth, scope));
            if *commands == 0 {
                break;
            }
        }
        block
    }

    fn some_labels(&mut self) -> Vec<String> {
        let count = usize::from(self.rng.chance(0.25)) + usize::from(self.rng.chance(0.05));
        let numbers = self.labels..self.labels + count;
        self.labels += count;
        numbers.map(|number| format!("l{number}")).collect()
    }

    fn command(&mut self, commands: &mut usize, depth: usize, scope: Scope) -> Command {
        *commands = commands.saturating_sub(1);
        let labels = self.some_labels();
        let kind = match self.rng.below(20) {
            0..3 if depth > 0 => self.branches(commands, depth, scope),
            3..6 if depth > 0 => {
                let test = self.test(scope);
                Kind::While { test, body: self.block(commands, depth - 1, scope) }
            }
            6..8 if depth > 0 => self.counting(commands, depth, scope),
            8 => Kind::Skip,
            9..12 if !self.program.procedures.is_empty() => self.call(scope),
            12..15 if self.size.holes > 0 => self.hole(scope),
            _ => self.assignment(scope),
        };
        Command { labels, kind }
    }

    fn branches(&mut self, commands: &mut usize, depth: usize, scope: Scope) -> Kind {
        let test = self.test(scope);
        let then = self.block(commands, depth - 1, scope);
        let has_else = *commands > 0 && self.rng.chance(0.7);
        let otherwise = if has_else { self.block(commands, depth - 1, scope) } else { Vec::new() };
        Kind::If { test, then, otherwise }
    }

    /// Deep enough that one side of a conjunction can go wrong where the other decides.
    fn test(&mut self, scope: Scope) -> Expr {
        let depth = self.rng.between(1, 3);
        self.expr(Type::Bool, depth, scope)
    }

    /// A loop that counts a variable up to its last value, if the rest of its body lets it.
    fn counting(&mut self, commands: &mut usize, depth: usize, scope: Scope) -> Kind {
        let Some(var) = self.scalar(Type::Int, scope) else { return Kind::Skip };
        let high = self.program.vars[var].domain.high();
        let test = Expr::binary(Operator::Lt, Expr::Var(var), Expr::Int(high));
        let sum = Expr::binary(Operator::Add, Expr::Var(var), Expr::Int(1));
        let mut body = match *commands {
            0 | 1 => Vec::new(),
            _ => self.block(commands, depth - 1, scope),
        };
        *commands = commands.saturating_sub(1);
        body.push(Kind::Assign(Target::Var(var), Choice::OneOf(vec![sum])).into());
        Kind::While { test, body }
    }

    fn assignment(&mut self, scope: Scope) -> Kind {
        let visible = self.visible(scope);
        let var = *self.rng.pick(&visible);
        let target = self.target(var, scope);
        let choice = match self.rng.below(10) {
            0 => Choice::Any,
            1..4 => {
                let count = self.rng.between(2, 3);
                Choice::OneOf((0..count).map(|_| self.value_for(var, scope)).collect())
            }
            _ => Choice::OneOf(vec![self.value_for(var, scope)]),
        };
        Kind::Assign(target, choice)
    }

    /// Mostly one that it can have for some values.
    fn value_for(&mut self, var: VarIndex, scope: Scope) -> Expr {
        let domain = self.program.vars[var].domain;
        let near = self.scalar(type_of(domain), scope);
        match (domain, near, self.rng.below(10)) {
            (Domain::Range(low, _), _, 0..4) => {
                Expr::Int(low + self.rng.below(domain.size()) as i64)
            }
            (Domain::Range(..), Some(near), 4..7) => {
                let operator = *self.rng.pick(&[Operator::Add, Operator::Sub]);
                Expr::binary(operator, Expr::Var(near), Expr::Int(1))
            }
            (Domain::Bool, ..) => self.test(scope),
            _ => self.expr(type_of(domain), 2, scope),
        }
    }

    fn target(&mut self, var: VarIndex, scope: Scope) -> Target {
        match self.program.vars[var].elements {
            None => Target::Var(var),
            Some(_) => Target::Element(var, self.index(scope)),
        }
    }

    /// Mostly within the bounds.
    fn index(&mut self, scope: Scope) -> Expr {
        match self.rng.below(4) {
            0 => self.expr(Type::Int, 1, scope),
            1 => {
                let value = self.expr(Type::Int, 0, scope);
                Expr::binary(Operator::Mod, value, Expr::Int(2))
            }
            _ => Expr::Int(self.rng.below(2) as i64),
        }
    }

    fn call(&mut self, scope: Scope) -> Kind {
        let procedure = self.rng.below(self.program.procedures.len());
        let parameters = self.program.procedures[procedure].parameters.clone();
        let mut arguments = Vec::new();
        for parameter in parameters {
            let (Parameter::In(var) | Parameter::Out(var)) = parameter;
            let ty = type_of(self.program.vars[var].domain);
            if matches!(parameter, Parameter::In(_)) {
                arguments.push(Argument::In(self.expr(ty, 1, scope)));
                continue;
            }
            let takers: Vec<VarIndex> = self.of_type(ty, scope);
            if takers.is_empty() {
                return Kind::Skip;
            }
            let taker = *self.rng.pick(&takers);
            arguments.push(Argument::Out(self.target(taker, scope)));
        }
        Kind::Call { procedure, arguments }
    }

    fn hole(&mut self, scope: Scope) -> Kind {
        self.size.holes -= 1;
        let name = format!("part{}", self.size.holes);
        let visible = self.visible(scope);
        Kind::Hole { name, frame: self.rng.some(&visible, 0.4) }
    }

    /// The variables that a name can mean: those of the procedure, and those of the program that they do not hide.
    fn visible(&self, scope: Scope) -> Vec<VarIndex> {
        let vars = &self.program.vars;
        let is_own = |var: &Var| var.scope == scope;
        let is_hidden = |var: &Var| vars.iter().any(|own| is_own(own) && own.name == var.name);
        let is_visible =
            |var: &Var| is_own(var) || (var.scope == Scope::Program && !is_hidden(var));
        (0..vars.len()).filter(|&index| is_visible(&vars[index])).collect()
    }

    fn of_type(&self, ty: Type, scope: Scope) -> Vec<VarIndex> {
        let fits = |&var: &VarIndex| type_of(self.program.vars[var].domain) == ty;
        self.visible(scope).into_iter().filter(fits).collect()
    }

    fn scalar(&mut self, ty: Type, scope: Scope) -> Option<VarIndex> {
        let mut scalars = self.of_type(ty, scope);
        scalars.retain(|&var| self.program.vars[var].elements.is_none());
        if scalars.is_empty() { None } else { Some(*self.rng.pick(&scalars)) }
    }

    fn expr(&mut self, ty: Type, depth: usize, scope: Scope) -> Expr {
        let is_leaf = depth == 0 || self.rng.chance(0.3);
        match ty {
            Type::Symbol => self.leaf(ty, scope),
            _ if is_leaf && ty == Type::Int => self.leaf(ty, scope),
            Type::Int => self.arithmetic(depth - 1, scope),
            Type::Bool if depth == 0 || self.rng.chance(0.15) => self.leaf(ty, scope),
            Type::Bool => self.condition(depth - 1, scope),
        }
    }

    fn leaf(&mut self, ty: Type, scope: Scope) -> Expr {
        let vars = self.of_type(ty, scope);
        if !vars.is_empty() && self.rng.chance(0.7) {
            let var = *self.rng.pick(&vars);
            return match self.program.vars[var].elements {
                None => Expr::Var(var),
                Some(_) => Expr::Element(var, Box::new(Expr::Int(self.rng.below(2) as i64))),
            };
        }
        match ty {
            Type::Bool => Expr::Bool(self.rng.chance(0.5)),
            Type::Int => Expr::Int(self.rng.below(5) as i64),
            Type::Symbol => Expr::Symbol(self.rng.below(self.program.symbols.len())),
        }
    }

    fn arithmetic(&mut self, depth: usize, scope: Scope) -> Expr {
        let arrays: Vec<VarIndex> = self
            .of_type(Type::Int, scope)
            .into_iter()
            .filter(|&var| self.program.vars[var].elements.is_some())
            .collect();
        if !arrays.is_empty() && self.rng.chance(0.4) {
            let array = *self.rng.pick(&arrays);
            return Expr::Element(array, Box::new(self.index(scope)));
        }
        if self.rng.chance(0.1) {
            return Expr::Minus(Box::new(self.expr(Type::Int, depth, scope)));
        }
        let operators = [
            Operator::Add,
            Operator::Add,
            Operator::Sub,
            Operator::Sub,
            Operator::Mul,
            Operator::Div,
            Operator::Mod,
        ];
        let operator = *self.rng.pick(&operators);
        let left = self.expr(Type::Int, depth, scope);
        Expr::binary(operator, left, self.expr(Type::Int, depth, scope))
    }

    fn condition(&mut self, depth: usize, scope: Scope) -> Expr {
        let orders = [Operator::Lt, Operator::Le, Operator::Gt, Operator::Ge];
        let joins = [Operator::And, Operator::Or, Operator::Implies, Operator::Iff];
        let equalities = [Operator::Eq, Operator::Ne];
        let (operator, ty) = match self.rng.below(10) {
            0 => return Expr::negated(self.expr(Type::Bool, depth, scope)),
            1..4 => (*self.rng.pick(&joins), Type::Bool),
            4 | 5 if !self.of_type(Type::Symbol, scope).is_empty() => {
                (*self.rng.pick(&equalities), Type::Symbol)
            }
            6 => (*self.rng.pick(&equalities), Type::Int),
            _ => (*self.rng.pick(&orders), Type::Int),
        };
        let left = self.expr(ty, depth, scope);
        Expr::binary(operator, left, self.expr(ty, depth, scope))
    }
}
