//! Expressions of a machine as SMV text: what is used more than once is defined once.

use rustc_hash::FxHashMap;
use transition::{
    Binary, Choice, ChoiceId, Domain, ExprNode, FIRST_SYMBOL, Machine, NodeId, SymbolId, Type,
    Unary, Undefined, VarId,
};

/// The texts of expressions.
pub(super) struct Texts<'m> {
    machine: &'m Machine,
    /// The names of the variables and of the symbolic constants.
    vars: &'m dyn Fn(VarId) -> String,
    symbols: &'m dyn Fn(SymbolId) -> String,
    texts: FxHashMap<NodeId, String>,
    /// `name := text`, those first that others need.
    pub definitions: Vec<(String, String)>,
}

impl<'m> Texts<'m> {
    /// Of these expressions and all that they are made of.
    pub fn new(
        machine: &'m Machine,
        vars: &'m dyn Fn(VarId) -> String,
        symbols: &'m dyn Fn(SymbolId) -> String,
        roots: &[NodeId],
    ) -> Self {
        let texts = FxHashMap::default();
        let mut made = Self { machine, vars, symbols, texts, definitions: Vec::new() };
        let nodes = machine.exprs.below(roots.iter().copied());
        let mut uses: FxHashMap<NodeId, u32> = FxHashMap::default();
        let operands = nodes.iter().flat_map(|&id| machine.exprs.node(id).operands());
        operands.chain(roots.iter().copied()).for_each(|id| *uses.entry(id).or_default() += 1);
        for id in nodes {
            let text = made.expression(id);
            let is_simple = machine.exprs.node(id).operands().next().is_none();
            let text = if uses[&id] > 1 && !is_simple { made.define(text) } else { text };
            made.texts.insert(id, text);
        }
        made
    }

    fn define(&mut self, text: String) -> String {
        let is_taken = |name: &str| self.machine.vars.values().any(|var| var.name == name);
        let mut name = format!("_d{}", self.definitions.len() + 1);
        while is_taken(&name) {
            name.push('_');
        }
        self.definitions.push((name.clone(), text));
        name
    }

    pub fn of(&self, id: NodeId) -> &str {
        &self.texts[&id]
    }

    fn expression(&self, id: NodeId) -> String {
        let exprs = &self.machine.exprs;
        let ty = exprs.ty(id);
        match exprs.node(id) {
            ExprNode::Const(value) => self.constant(value, ty),
            ExprNode::Now(var) => (self.vars)(var),
            ExprNode::Next(var) => format!("next({})", (self.vars)(var)),
            // The reader makes of it what it was.
            ExprNode::Fault(_) => format!("(case FALSE : {}; esac)", some_value(ty)),
            ExprNode::Unary(Unary::Not, a) => format!("(!{})", self.of(a)),
            ExprNode::Unary(Unary::Neg, a) => format!("(- {})", self.of(a)),
            ExprNode::Cast(a) => self.cast(a, ty),
            ExprNode::Extract(a, low) => bits(self.of(a), low, width(ty)),
            ExprNode::Binary(op, a, b) => {
                format!("({} {} {})", self.of(a), operator(op), self.of(b))
            }
            ExprNode::Ite(condition, then, otherwise) => self.choice_of(condition, then, otherwise),
        }
    }

    /// Operators that can go wrong guard themselves when they are read again; a `case` without a last
    /// branch is told by its conditions.
    fn choice_of(&self, condition: NodeId, then: NodeId, otherwise: NodeId) -> String {
        match (self.reason(then), self.reason(otherwise)) {
            (None, Some(Undefined::NoCase)) => {
                format!("(case {} : {}; esac)", self.of(condition), self.of(then))
            }
            (Some(Undefined::NoCase), None) => {
                format!("(case !{} : {}; esac)", self.of(condition), self.of(otherwise))
            }
            (None, Some(_)) => self.of(then).to_owned(),
            (Some(_), None) => self.of(otherwise).to_owned(),
            _ => format!("({} ? {} : {})", self.of(condition), self.of(then), self.of(otherwise)),
        }
    }

    fn reason(&self, id: NodeId) -> Option<Undefined> {
        match self.machine.exprs.node(id) {
            ExprNode::Fault(site) => Some(self.machine.sites[site].reason),
            _ => None,
        }
    }

    /// Reinterprets the bits, or as many as there are, as another type.
    fn cast(&self, a: NodeId, to: Type) -> String {
        let text = self.of(a).to_owned();
        match (self.machine.exprs.ty(a), to) {
            (Type::Word { signed, width: from }, Type::Word { signed: to_signed, width: to }) => {
                let (text, signed) = match to {
                    _ if to > from => (format!("extend({text}, {})", to - from), signed),
                    _ if to < from => (bits(&text, 0, to), false),
                    _ => (text, signed),
                };
                match (signed, to_signed) {
                    (false, true) => format!("signed({text})"),
                    (true, false) => format!("unsigned({text})"),
                    _ => text,
                }
            }
            (Type::Word { width: 1, .. }, Type::Bool) => format!("bool({text})"),
            (Type::Word { .. }, Type::Bool) => format!("bool({})", bits(&text, 0, 1)),
            (Type::Bool, Type::Word { width: 1, .. }) => format!("word1({text})"),
            (Type::Bool, Type::Word { width, .. }) => {
                format!("extend(word1({text}), {})", width - 1)
            }
            (Type::Word { .. } | Type::Bool, Type::Int { .. }) => format!("toint({text})"),
            _ => text,
        }
    }

    pub fn constant(&self, value: i64, ty: Type) -> String {
        match ty {
            Type::Bool => if value == 0 { "FALSE" } else { "TRUE" }.to_owned(),
            Type::Word { signed, width } => word(value, signed, width),
            _ if value >= FIRST_SYMBOL => (self.symbols)(SymbolId((value - FIRST_SYMBOL) as u32)),
            _ if value < 0 => format!("(- {})", value.unsigned_abs()),
            _ => value.to_string(),
        }
    }

    /// The set that an assignment chooses from.
    pub fn set(&self, root: ChoiceId) -> String {
        let choices = &self.machine.choices;
        let mut texts: FxHashMap<ChoiceId, String> = FxHashMap::default();
        for id in choices.below(root) {
            let text = match choices.get(id) {
                Choice::One(node) => self.of(*node).to_owned(),
                Choice::Range(low, high) => format!("{low}..{high}"),
                Choice::Any(parts) if parts.iter().all(|&part| choices.as_one(part).is_some()) => {
                    let parts: Vec<&str> = parts.iter().map(|part| &*texts[part]).collect();
                    format!("{{{}}}", parts.join(", "))
                }
                Choice::Any(parts) => {
                    let parts: Vec<String> =
                        parts.iter().map(|part| format!("({})", texts[part])).collect();
                    parts.join(" union ")
                }
                Choice::If(condition, then, otherwise) => format!(
                    "case {} : {}; TRUE : {}; esac",
                    self.of(*condition),
                    texts[then],
                    texts[otherwise]
                ),
            };
            texts.insert(id, text);
        }
        texts.remove(&root).unwrap_or_default()
    }

    /// A type.
    pub fn domain(&self, domain: &Domain) -> String {
        match domain {
            Domain::Bool => "boolean".to_owned(),
            Domain::Range(low, high) => format!("{low}..{high}"),
            Domain::Word { signed, width } => {
                format!("{} word[{width}]", if *signed { "signed" } else { "unsigned" })
            }
            Domain::Values(values) => {
                let text = |&value: &i64| match value < 0 {
                    true => value.to_string(),
                    false => self.constant(value, Type::Scalar),
                };
                let values: Vec<String> = values.iter().map(text).collect();
                format!("{{{}}}", values.join(", "))
            }
        }
    }
}

fn width(ty: Type) -> u8 {
    if let Type::Word { width, .. } = ty { width } else { 1 }
}

fn bits(word: &str, low: u8, width: u8) -> String {
    format!("{word}[{}:{low}]", low + width - 1)
}

fn word(value: i64, signed: bool, width: u8) -> String {
    let letter = if signed { 's' } else { 'u' };
    let digits = format!("{:064b}", value as u64);
    format!("0{letter}b{width}_{}", &digits[64 - usize::from(width)..])
}

fn some_value(ty: Type) -> String {
    match ty {
        Type::Bool => "FALSE".to_owned(),
        Type::Word { signed, width } => word(0, signed, width),
        Type::Int { .. } | Type::Scalar => "0".to_owned(),
    }
}

fn operator(op: Binary) -> &'static str {
    match op {
        Binary::And => "&",
        Binary::Or => "|",
        Binary::Xor => "xor",
        Binary::Eq => "=",
        Binary::Lt => "<",
        Binary::Le => "<=",
        Binary::Add => "+",
        Binary::Sub => "-",
        Binary::Mul => "*",
        Binary::Div => "/",
        Binary::Mod => "mod",
        Binary::Shl => "<<",
        Binary::Shr => ">>",
        Binary::Concat => "::",
    }
}
