//! From a formula with data to one without, for the actions of a system.
//!
//! A quantifier becomes a conjunction or disjunction over the [values that matter](super::domains). A fixpoint with
//! parameters is a system of equations, one for each value of the parameters; it becomes nested fixpoints (Bekić's
//! principle): a variable stands for itself where its fixpoint for these values lies around it, and for this fixpoint
//! elsewhere. Equal fixpoints are made once.
//!
//! A sort that is not declared may or may not have values that occur in no action. So a quantifier over it
//! is *probed* with such a value: it must make no difference, or the formula is refused.

use super::domains::Occurrences;
use super::evaluate::{Environment, Evaluated, wrong};
use super::sets::{Labels, strangers};
use super::{DataTerm, DataVarId, Value};
use crate::compile::Signature;
use crate::formula::{Fix, Modality};
use crate::surface::{BinderId, Expr, ExprId, Quantifier, RegId, Regular, Surface, SurfaceBuilder};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use support::{Diagnostic, Span};

/// The most expressions that one formula becomes.
const MAX_EXPRESSIONS: usize = 1_000_000;

/// How deep expressions may be nested when all fixpoints are written out.
const MAX_NESTING: usize = 1_000;

/// Instantiates a formula with data. Of the names of actions, those are left that the system does not have.
pub(crate) fn instantiate(
    surface: &Surface,
    signature: &Signature,
) -> Result<Surface, Vec<Diagnostic>> {
    let labels = Labels::new(signature.actions);
    let occurrences = Occurrences::new(surface, &labels);
    let undeclared = surface.variables.ids().map(|id| occurrences.is_undeclared(id)).collect();
    let environment = Environment {
        values: surface.variables.iter().map(|_| None).collect(),
        functions: occurrences.functions(&labels),
        domains: occurrences.domains(false),
        with_others: occurrences.domains(true),
        undeclared,
        is_probing: false,
        known_numbers: occurrences.known_numbers(),
    };
    let bodies = surface.exprs.values().filter_map(|(expr, _)| match expr {
        Expr::Fix(binder, body) => Some((*binder, *body)),
        _ => None,
    });
    let mut instantiation = Instantiation {
        source: surface,
        bodies: bodies.collect(),
        environment,
        activations: FxHashMap::default(),
        last_activation: 0,
        frames: Vec::new(),
        last_frame: 0,
        used: BTreeSet::new(),
        known: FxHashMap::default(),
        builder: SurfaceBuilder::default(),
        depth: 0,
        labels,
    };
    let root = instantiation.expr(surface.root).map_err(|error| vec![*error])?;
    let root = instantiation.made(root, surface.span);
    let Instantiation { labels, environment, .. } = &mut instantiation;
    let mut actions = Vec::new();
    for (regular, _) in surface.regs.values() {
        let Regular::Matching(formula) = regular else { continue };
        let mut found = Vec::new();
        strangers(formula, labels, environment, &mut found);
        let name = |span| surface.snippet(span).split_whitespace().collect::<String>();
        actions.extend(found.into_iter().map(|span| (name(span), span)));
    }
    let SurfaceBuilder { exprs, regs, binders, .. } = instantiation.builder;
    let (variables, sorts) = Default::default();
    Ok(Surface { exprs, regs, binders, actions, root, variables, sorts, ..surface.clone() })
}

/// The instance of an expression.
#[derive(Clone, Copy)]
enum Piece {
    Const(bool),
    Expr(ExprId),
    /// While probing: neither true nor false for certain.
    Open,
}

/// The sequences of actions that a regular formula has become.
enum Steps {
    None,
    Some(RegId),
}

/// A fixpoint for certain values, around the place where the instantiation stands.
struct Frame {
    number: u32,
    key: Key,
    meaning: Meaning,
}

/// A fixpoint, the time when it was entered, the values of its parameters, and whether it is probed.
type Key = (BinderId, u32, Vec<Value>, bool);

#[derive(Clone, Copy)]
enum Meaning {
    Variable(BinderId),
    Const(bool),
}

struct Instantiation<'a> {
    source: &'a Surface,
    bodies: FxHashMap<BinderId, ExprId>,
    labels: Labels,
    environment: Environment,
    /// When each fixpoint around here was entered: its instances belong together.
    activations: FxHashMap<BinderId, u32>,
    last_activation: u32,
    frames: Vec<Frame>,
    last_frame: u32,
    /// Positions of the frames whose variables the expressions made so far use.
    used: BTreeSet<usize>,
    /// The instances of fixpoints, with the frames that they use, by position and number.
    known: FxHashMap<Key, (Piece, Vec<(usize, u32)>)>,
    builder: SurfaceBuilder,
    depth: usize,
}

impl Instantiation<'_> {
    fn expr(&mut self, id: ExprId) -> Evaluated<Piece> {
        let span = self.source.exprs[id].1;
        if self.depth == MAX_NESTING || self.builder.exprs.len() >= MAX_EXPRESSIONS {
            let label = "the values of its variables make too many cases";
            return Err(Box::new(
                Diagnostic::error("the formula is too large", span, label)
                    .with_help("bound the variables: `val(n < 10) => …`, `val(n < 10) && …`"),
            ));
        }
        self.depth += 1;
        let piece = self.instance(id, span);
        self.depth -= 1;
        piece
    }

    fn instance(&mut self, id: ExprId, span: Span) -> Evaluated<Piece> {
        let source = self.source;
        Ok(match &source.exprs[id].0 {
            Expr::Const(value) => Piece::Const(*value),
            Expr::Val(term) => Piece::Const(self.environment.truth(term)?),
            Expr::Var(binder) => self.variable(*binder, Vec::new(), span)?,
            Expr::Call(binder, terms) => {
                let values = self.environment.arguments(terms)?;
                self.variable(*binder, values, span)?
            }
            Expr::Fix(binder, _) => {
                let initial = source.binders[*binder].parameters.iter();
                let initial: Vec<DataTerm> = initial.map(|(_, term)| term.clone()).collect();
                let values = self.environment.arguments(&initial)?;
                self.last_activation += 1;
                let outer = self.activations.insert(*binder, self.last_activation);
                let piece = self.variable(*binder, values, span);
                match outer {
                    Some(outer) => self.activations.insert(*binder, outer),
                    None => self.activations.remove(binder),
                };
                piece?
            }
            Expr::Not(inner) => match self.expr(*inner)? {
                Piece::Const(value) => Piece::Const(!value),
                Piece::Expr(inner) => self.make(Expr::Not(inner), span),
                Piece::Open => Piece::Open,
            },
            Expr::And(parts) => self.chain(parts, true, span)?,
            Expr::Or(parts) => self.chain(parts, false, span)?,
            Expr::Implies(left, right) => match self.expr(*left)? {
                Piece::Const(false) => Piece::Const(true),
                Piece::Const(true) => self.expr(*right)?,
                left => match (left, self.expr(*right)?) {
                    (_, Piece::Const(true)) => Piece::Const(true),
                    (Piece::Open, _) | (_, Piece::Open) => Piece::Open,
                    (Piece::Expr(left), right) => {
                        let right = self.made(right, span);
                        self.make(Expr::Implies(left, right), span)
                    }
                    _ => Piece::Open,
                },
            },
            Expr::Iff(left, right) => match (self.expr(*left)?, self.expr(*right)?) {
                (Piece::Const(left), Piece::Const(right)) => Piece::Const(left == right),
                (Piece::Open, _) | (_, Piece::Open) => Piece::Open,
                (left, right) => {
                    let (left, right) = (self.made(left, span), self.made(right, span));
                    self.make(Expr::Iff(left, right), span)
                }
            },
            Expr::Modal(modality, regular, body) => {
                let trivial = Piece::Const(*modality == Modality::Box);
                let Steps::Some(regular) = self.steps(*regular)? else { return Ok(trivial) };
                match self.expr(*body)? {
                    Piece::Const(value) if value == (*modality == Modality::Box) => trivial,
                    Piece::Open => Piece::Open,
                    _ if self.environment.is_probing => Piece::Open,
                    body => {
                        let body = self.made(body, span);
                        self.make(Expr::Modal(*modality, regular, body), span)
                    }
                }
            }
            Expr::ForValues(quantifier, variables, body) => {
                let all = *quantifier == Quantifier::All;
                let mut parts = Vec::new();
                match self.for_values(all, variables, *body, &mut parts)? {
                    true => Piece::Const(!all),
                    false => self.joined(parts, all, span),
                }
            }
            other => self.make(other.clone(), span),
        })
    }

    fn make(&mut self, expr: Expr, span: Span) -> Piece {
        Piece::Expr(self.builder.expr(expr, span))
    }

    fn made(&mut self, piece: Piece, span: Span) -> ExprId {
        match piece {
            Piece::Const(value) => self.builder.expr(Expr::Const(value), span),
            Piece::Expr(id) => id,
            Piece::Open => unreachable!("nothing is made while probing"),
        }
    }

    /// A conjunction if `all`, else a disjunction. Conditions come first: they may give a variable the bound that the
    /// other parts need.
    fn chain(&mut self, parts: &[ExprId], all: bool, span: Span) -> Evaluated<Piece> {
        let source = self.source;
        let is_condition = |part: &ExprId| match &source.exprs[*part].0 {
            Expr::Val(_) => true,
            Expr::Not(inner) => matches!(source.exprs[*inner].0, Expr::Val(_)),
            _ => false,
        };
        for part in parts.iter().filter(|part| is_condition(part)) {
            if matches!(self.expr(*part)?, Piece::Const(value) if value != all) {
                return Ok(Piece::Const(!all));
            }
        }
        let mut made = Vec::new();
        for part in parts.iter().filter(|part| !is_condition(part)) {
            match self.expr(*part)? {
                Piece::Const(value) if value == all => {}
                Piece::Const(_) => return Ok(Piece::Const(!all)),
                piece => made.push(piece),
            }
        }
        Ok(self.joined(made, all, span))
    }

    fn joined(&mut self, parts: Vec<Piece>, all: bool, span: Span) -> Piece {
        if parts.iter().any(|part| matches!(part, Piece::Open)) {
            return Piece::Open;
        }
        let parts: Vec<ExprId> = parts.into_iter().map(|part| self.made(part, span)).collect();
        match parts[..] {
            [] => Piece::Const(all),
            [only] => Piece::Expr(only),
            _ => self.make(if all { Expr::And(parts) } else { Expr::Or(parts) }, span),
        }
    }

    /// Collects the instances of the body; tells whether one of them decides the whole.
    fn for_values(
        &mut self,
        all: bool,
        variables: &[DataVarId],
        body: ExprId,
        parts: &mut Vec<Piece>,
    ) -> Evaluated<bool> {
        let Some((&first, rest)) = variables.split_first() else {
            match self.expr(body)? {
                Piece::Const(value) => return Ok(value != all),
                piece => parts.push(piece),
            }
            return Ok(false);
        };
        let domain = self.domain(first)?;
        let before = self.environment.values[first].take();
        for value in domain.iter() {
            self.environment.values[first] = Some(value.clone());
            if self.for_values(all, rest, body, parts)? {
                self.environment.values[first] = before;
                return Ok(true);
            }
        }
        if self.environment.undeclared[first] && !self.environment.is_probing {
            self.environment.values[first] = Some(Value::Other(0));
            self.environment.is_probing = true;
            let mut probed = Vec::new();
            let decides = self.for_values(all, rest, body, &mut probed)?;
            self.environment.is_probing = false;
            if decides || !probed.is_empty() {
                return Err(self.undeclared(first));
            }
        }
        self.environment.values[first] = before;
        Ok(false)
    }

    fn domain(&self, variable: DataVarId) -> Evaluated<std::rc::Rc<[Value]>> {
        self.environment.domain(variable).ok_or_else(|| {
            let declared = &self.source.variables[variable];
            let message = format!("the variable `{}` has too many values", declared.name);
            wrong(declared.span, message, "declared here")
        })
    }

    fn undeclared(&self, variable: DataVarId) -> Box<Diagnostic> {
        let declared = &self.source.variables[variable];
        let occurring = self.environment.domains[variable].as_deref().unwrap_or_default();
        let label = match occurring.len() {
            0 => "no value of it occurs in an action of the system".to_owned(),
            count => format!("{count} of its values occur in actions of the system"),
        };
        let message = format!("which values `{}` has makes a difference here", declared.name);
        Box::new(Diagnostic::error(message, declared.span, label).with_help(
            "declare its sort before the formula, with all its values: `sort D = struct d1 | d2; \
             form forall d: D. …`",
        ))
    }

    /// The variable of a fixpoint for these values of its parameters.
    fn variable(&mut self, binder: BinderId, values: Vec<Value>, span: Span) -> Evaluated<Piece> {
        let probing = self.environment.is_probing;
        let activation = self.activations[&binder];
        let key: Key = (binder, activation, values, probing);
        let around = self.frames.iter().rposition(|frame| {
            frame.key == key || {
                // Probing begins within a fixpoint, whose variable then stays open.
                let (other, time, values, is_probed) = &frame.key;
                probing && !is_probed && (*other, *time, values) == (key.0, key.1, &key.2)
            }
        });
        if let Some(at) = around {
            self.used.insert(at);
            return Ok(match self.frames[at].meaning {
                Meaning::Const(value) => Piece::Const(value),
                Meaning::Variable(_) if probing => Piece::Open,
                Meaning::Variable(own) => self.make(Expr::Var(own), span),
            });
        }
        if let Some((piece, uses)) = self.known.get(&key)
            && uses.iter().all(|&(at, number)| {
                self.frames.get(at).is_some_and(|frame| frame.number == number)
            })
        {
            self.used.extend(uses.iter().map(|&(at, _)| at));
            return Ok(*piece);
        }
        self.fixpoint(key, span)
    }

    fn fixpoint(&mut self, key: Key, span: Span) -> Evaluated<Piece> {
        let source = self.source;
        let binder = key.0;
        let declared = &source.binders[binder];
        let (own, meaning) = match self.environment.is_probing {
            // νX. f(X) is true if f(true) is, and false if f(true) is; µ dually.
            true => (None, Meaning::Const(declared.kind == Fix::Nu)),
            false => {
                let own = self.builder.binder(declared.kind, &declared.name, declared.span);
                (Some(own), Meaning::Variable(own))
            }
        };
        let (at, number) = (self.frames.len(), self.last_frame);
        self.last_frame += 1;
        self.frames.push(Frame { number, key, meaning });
        let used = std::mem::take(&mut self.used);
        let parameters = &declared.parameters;
        let before: Vec<Option<Value>> = parameters
            .iter()
            .zip(self.frames[at].key.2.clone())
            .map(|((id, _), value)| self.environment.values[*id].replace(value))
            .collect();
        let body = self.expr(self.bodies[&binder])?;
        for ((id, _), value) in parameters.iter().zip(before) {
            self.environment.values[*id] = value;
        }
        let Frame { key, .. } = self.frames.pop().expect("pushed above");
        let inner = std::mem::replace(&mut self.used, used);
        let uses: Vec<(usize, u32)> = inner
            .into_iter()
            .filter(|&used| used != at)
            .map(|at| (at, self.frames[at].number))
            .collect();
        self.used.extend(uses.iter().map(|&(at, _)| at));
        let piece = match (body, own) {
            (Piece::Expr(body), Some(own)) => self.make(Expr::Fix(own, body), span),
            (piece, _) => piece,
        };
        self.known.insert(key, (piece, uses));
        Ok(piece)
    }

    fn steps(&mut self, id: RegId) -> Evaluated<Steps> {
        let source = self.source;
        let (regular, span) = &source.regs[id];
        let made = match regular {
            Regular::Action(set) if set.is_empty() => return Ok(Steps::None),
            Regular::Action(set) => Regular::Action(set.clone()),
            Regular::Matching(formula) => {
                let set = self.labels.denoted(formula, &mut self.environment)?;
                if !set.contains(&true) {
                    return Ok(Steps::None);
                }
                Regular::Action(self.labels.to_action_set(&set))
            }
            Regular::Seq(first, second) => match (self.steps(*first)?, self.steps(*second)?) {
                (Steps::Some(first), Steps::Some(second)) => Regular::Seq(first, second),
                _ => return Ok(Steps::None),
            },
            Regular::Alt(left, right) => match (self.steps(*left)?, self.steps(*right)?) {
                (Steps::Some(left), Steps::Some(right)) => Regular::Alt(left, right),
                (Steps::Some(one), Steps::None) | (Steps::None, Steps::Some(one)) => {
                    return Ok(Steps::Some(one));
                }
                (Steps::None, Steps::None) => return Ok(Steps::None),
            },
            Regular::Star(once) => match self.steps(*once)? {
                Steps::Some(once) => Regular::Star(once),
                // No step at all remains.
                Steps::None => {
                    let never = Regular::Action(crate::actions::ActionSet::none());
                    Regular::Star(self.builder.reg(never, *span))
                }
            },
            Regular::Plus(once) => match self.steps(*once)? {
                Steps::Some(once) => Regular::Plus(once),
                Steps::None => return Ok(Steps::None),
            },
        };
        Ok(Steps::Some(self.builder.reg(made, *span)))
    }
}
