//! The syntax tree: as small as the language allows, and with names looked up.

/// A number of [`Program::vars`].
pub type VarIndex = usize;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// The constants of its one enumeration, which all variables share that have one.
    pub symbols: Vec<String>,
    /// Those of the program and those of its procedures.
    pub vars: Vec<Var>,
    /// A procedure calls only those before it.
    pub procedures: Vec<Procedure>,
    /// Without the `fin` at its end.
    pub body: Vec<Command>,
    /// At the `fin`.
    pub last_labels: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Var {
    pub name: String,
    pub domain: Domain,
    /// How many elements it has, if it is an array; they are numbered from 0.
    pub elements: Option<i64>,
    /// The initial values; any, if empty.
    pub start: Vec<i64>,
    pub scope: Scope,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    Program,
    Procedure(usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Domain {
    Bool,
    Range(i64, i64),
    /// The numbers of all symbols of the program, which are so many.
    Symbols(i64),
}

impl Domain {
    pub fn low(self) -> i64 {
        if let Domain::Range(low, _) = self { low } else { 0 }
    }

    pub fn high(self) -> i64 {
        match self {
            Domain::Bool => 1,
            Domain::Range(_, high) => high,
            Domain::Symbols(count) => count - 1,
        }
    }

    pub fn size(self) -> usize {
        (self.high() - self.low() + 1) as usize
    }

    pub fn contains(self, value: i64) -> bool {
        (self.low()..=self.high()).contains(&value)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Procedure {
    pub name: String,
    pub parameters: Vec<Parameter>,
    /// Each with its initial value, if it has one.
    pub locals: Vec<(VarIndex, Option<Expr>)>,
    pub body: Vec<Command>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parameter {
    In(VarIndex),
    Out(VarIndex),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    pub labels: Vec<String>,
    pub kind: Kind,
}

impl From<Kind> for Command {
    fn from(kind: Kind) -> Self {
        Self { labels: Vec::new(), kind }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    Skip,
    Assign(Target, Choice),
    If {
        test: Expr,
        then: Vec<Command>,
        /// Nothing is the same as `skip`.
        otherwise: Vec<Command>,
    },
    While {
        test: Expr,
        body: Vec<Command>,
    },
    Call {
        procedure: usize,
        arguments: Vec<Argument>,
    },
    Hole {
        name: String,
        frame: Vec<VarIndex>,
    },
}

/// The target of an assignment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    Var(VarIndex),
    Element(VarIndex, Expr),
}

impl Target {
    pub fn var(&self) -> VarIndex {
        let (Target::Var(var) | Target::Element(var, _)) = self;
        *var
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    Any,
    /// At least one.
    OneOf(Vec<Expr>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    In(Expr),
    Out(Target),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    Bool(bool),
    Int(i64),
    Symbol(usize),
    Var(VarIndex),
    Element(VarIndex, Box<Expr>),
    Not(Box<Expr>),
    Minus(Box<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
}

impl Expr {
    pub fn binary(operator: Operator, left: Expr, right: Expr) -> Self {
        Expr::Binary(operator, Box::new(left), Box::new(right))
    }

    pub fn negated(operand: Expr) -> Self {
        Expr::Not(Box::new(operand))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
    Implies,
    Iff,
}

impl Operator {
    pub fn sign(self) -> &'static str {
        match self {
            Operator::Add => "+",
            Operator::Sub => "-",
            Operator::Mul => "*",
            Operator::Div => "/",
            Operator::Mod => "mod",
            Operator::Eq => "=",
            Operator::Ne => "!=",
            Operator::Lt => "<",
            Operator::Le => "<=",
            Operator::Gt => ">",
            Operator::Ge => ">=",
            Operator::And => "&",
            Operator::Or => "|",
            Operator::Implies => "->",
            Operator::Iff => "<->",
        }
    }
}

impl Program {
    /// Calls `visit` with every command, those inside of others after them.
    pub fn for_each(&self, visit: &mut impl FnMut(&Command)) {
        let bodies = self.procedures.iter().map(|procedure| &procedure.body);
        bodies.chain([&self.body]).for_each(|body| visit_all(body, visit));
    }

    /// All labels, in the order of the text.
    pub fn labels(&self) -> Vec<String> {
        let mut labels = Vec::new();
        self.for_each(&mut |command| labels.extend(command.labels.iter().cloned()));
        labels.extend(self.last_labels.iter().cloned());
        labels
    }

    /// The holes, each once, with what they may change.
    pub fn holes(&self) -> Vec<(String, Vec<VarIndex>)> {
        let mut holes: Vec<(String, Vec<VarIndex>)> = Vec::new();
        self.for_each(&mut |command| {
            if let Kind::Hole { name, frame } = &command.kind
                && holes.iter().all(|(other, _)| other != name)
            {
                holes.push((name.clone(), frame.clone()));
            }
        });
        holes
    }
}

fn visit_all(commands: &[Command], visit: &mut impl FnMut(&Command)) {
    for command in commands {
        visit(command);
        match &command.kind {
            Kind::If { then, otherwise, .. } => {
                visit_all(then, visit);
                visit_all(otherwise, visit);
            }
            Kind::While { body, .. } => visit_all(body, visit),
            Kind::Skip | Kind::Assign(..) | Kind::Call { .. } | Kind::Hole { .. } => {}
        }
    }
}
