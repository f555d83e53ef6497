//! A Promela model as a machine with formulas about it: what every method of checking starts from.

use super::build::{self, Builder};
use super::lexer;
use super::machine::{self as encoding, Encoder};
use super::parse::formula::{Formula, FormulaKind, Special, parse_formula};
use super::preprocess::{Macros, preprocess};
use super::program::{ExprId, Program};
use crate::sink::{Parsed, Reported, Sink};
use crate::smv::{Claim, SmvDocument, SmvLogic, SmvQuestion, Specification, too_long_texts};
use crate::symbols::Symbols;
use logic::{
    ActionSet, BinderId, Expr, ExprId as SurfaceId, Logic, PropId, Regular, SurfaceBuilder,
};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use support::{Diagnostic, FileId, Interner, Span};
use transition::{NodeId, Property};

/// What is checked of a model if nobody asks for something else.
const ASSERTIONS: (&str, &str) = ("assertions", "AG !assertion_failed");
const END_STATES: (&str, &str) = ("invalid end states", "AG !invalid_end");
const ERRORS: (&str, &str) = ("errors of the model", "AG !model_error");

/// A formula that is asked, and its name if it has one.
struct Asked {
    name: Option<&'static str>,
    logic: Logic,
    file: FileId,
    text: Arc<str>,
}

/// Reads a Promela model with formulas about it; without any, it is asked whether assertions fail, whether
/// it can stop where it should not, and whether an index or a division goes wrong.
pub fn read_promela_asking(
    file: FileId,
    text: &Arc<str>,
    asked: &[SmvQuestion],
) -> Result<SmvDocument, Vec<Diagnostic>> {
    read_with_symbols(file, text, asked).map(|(document, _)| document)
}

pub(super) fn read_with_symbols(
    file: FileId,
    text: &Arc<str>,
    asked: &[SmvQuestion],
) -> Result<(SmvDocument, Symbols), Vec<Diagnostic>> {
    let errors = too_long_texts(file, text, asked);
    if !errors.is_empty() {
        return Err(errors);
    }
    let given = asked.iter().map(|question| Asked {
        name: None,
        logic: question.logic,
        file: question.file,
        text: question.text.clone(),
    });
    let given: Vec<Asked> = given.collect();
    let always = [ASSERTIONS, END_STATES, ERRORS].map(|(name, text)| Asked {
        name: Some(name),
        logic: Logic::Ctl,
        file,
        text: text.into(),
    });
    read(file, text, if given.is_empty() { &always } else { &given })
}

fn read(
    file: FileId,
    text: &str,
    asked: &[Asked],
) -> Result<(SmvDocument, Symbols), Vec<Diagnostic>> {
    let mut sink = Sink::default();
    let (lexemes, macros) = preprocess(lexer::lex(file, text), &mut sink);
    let parsed = super::parse::parse(lexemes, &mut sink);
    let proctypes: FxHashSet<&str> =
        parsed.proctypes.iter().map(|proctype| proctype.name.text).collect();
    let formulas: Vec<Option<Formula>> =
        asked.iter().map(|asked| formula(asked, &macros, &proctypes, &mut sink)).collect();
    if sink.has_errors() {
        return Err(sink.into_diagnostics());
    }
    let mut builder = build::build(&parsed, sink);
    if builder.sink.has_errors() {
        return Err(builder.sink.into_diagnostics());
    }
    let formulas: Vec<Formula> = formulas.into_iter().flatten().collect();
    let mut exprs: Vec<Vec<ExprId>> = Vec::new();
    for formula in &formulas {
        let mut found = Vec::new();
        // What is wrong is in the sink.
        let _ = propositions(&mut builder, formula, &mut found);
        exprs.push(found);
    }
    builder.resolve_remotes();
    if builder.sink.has_errors() {
        return Err(builder.sink.into_diagnostics());
    }
    let questions = asked.iter().zip(formulas).zip(exprs);
    let symbols = std::mem::take(&mut builder.sink.symbols);
    Ok((document(&builder.program, text, questions.collect()), symbols))
}

fn formula<'a>(
    asked: &'a Asked,
    macros: &Macros<'a>,
    proctypes: &FxHashSet<&'a str>,
    sink: &mut Sink,
) -> Option<Formula<'a>> {
    let lexemes = macros.applied_to(lexer::lex(asked.file, &asked.text), sink);
    parse_formula(asked.logic, lexemes, proctypes.clone(), sink)
}

/// Builds the expressions of a formula, from left to right.
fn propositions<'a>(
    builder: &mut Builder<'_, 'a>,
    formula: &Formula<'a>,
    found: &mut Vec<ExprId>,
) -> Parsed<()> {
    match &formula.kind {
        FormulaKind::Pure(expr) => found.push(builder.proposition(expr)?),
        FormulaKind::Special(_) | FormulaKind::Var(_) => {}
        FormulaKind::Not(a)
        | FormulaKind::State(_, _, a)
        | FormulaKind::Modal(_, a)
        | FormulaKind::Fix(_, _, a) => propositions(builder, a, found)?,
        FormulaKind::And(both)
        | FormulaKind::Or(both)
        | FormulaKind::Implies(both)
        | FormulaKind::Iff(both)
        | FormulaKind::Path(_, _, both) => {
            for part in both.iter() {
                propositions(builder, part, found)?;
            }
        }
    }
    Ok(())
}

type Question<'q, 'a> = ((&'q Asked, Formula<'a>), Vec<ExprId>);

fn document(program: &Program, text: &str, questions: Vec<Question>) -> SmvDocument {
    let encoder = encoding::encode(program, text, "main");
    let mut claims = Claims { encoder, propositions: Vec::new(), names: Interner::default() };
    let mut specifications = Vec::new();
    for ((asked, formula), exprs) in questions {
        specifications.extend(claims.specification(asked, &formula, exprs));
    }
    let Claims { encoder, propositions, names } = claims;
    SmvDocument {
        machine: encoder.machine,
        specifications,
        propositions,
        names,
        warnings: Vec::new(),
    }
}

struct Claims<'p> {
    encoder: Encoder<'p>,
    propositions: Vec<Property>,
    names: Interner<PropId>,
}

impl Claims<'_> {
    fn specification(
        &mut self,
        asked: &Asked,
        formula: &Formula,
        exprs: Vec<ExprId>,
    ) -> Parsed<Specification> {
        let mut translation = Translation {
            claims: self,
            asked,
            surface: SurfaceBuilder::default(),
            bound: Vec::new(),
            exprs: exprs.into_iter(),
        };
        let root = translation.formula(formula)?;
        let surface = translation.surface.finish(asked.logic, asked.text.clone(), root);
        let text = asked.text.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(Specification {
            name: asked.name.map(str::to_owned),
            logic: if asked.logic == Logic::Mu { SmvLogic::Mu } else { SmvLogic::Ctl },
            spaced: text.clone(),
            text,
            instance: String::new(),
            span: formula.span,
            claim: Claim::Formula(surface),
        })
    }

    fn proposition(&mut self, name: String, node: NodeId) -> Expr {
        if let Some(value) = self.encoder.machine.exprs.as_constant(node) {
            return Expr::Const(value != 0);
        }
        if self.names.get(&name).is_none() {
            self.names.intern(&name);
            self.propositions.push(Property { name: name.clone(), node });
        }
        Expr::Prop(name)
    }
}

struct Translation<'c, 'p, 'f> {
    claims: &'c mut Claims<'p>,
    asked: &'c Asked,
    surface: SurfaceBuilder,
    /// The fixpoint variables around, innermost last.
    bound: Vec<(&'f str, BinderId)>,
    /// What is left of the expressions of the formula.
    exprs: std::vec::IntoIter<ExprId>,
}

impl<'f> Translation<'_, '_, 'f> {
    fn formula(&mut self, formula: &Formula<'f>) -> Parsed<SurfaceId> {
        let span = formula.span;
        let made = match &formula.kind {
            FormulaKind::Pure(_) => {
                let expr = self.exprs.next().ok_or(Reported)?;
                let node = self.claims.encoder.truth(expr);
                let name = self.text(span);
                self.claims.proposition(name, node)
            }
            FormulaKind::Special(special) => {
                let node = self.special(*special).ok_or(Reported)?;
                let name = self.text(span);
                self.claims.proposition(name, node)
            }
            FormulaKind::Var(name) => {
                let bound = self.bound.iter().rev().find(|(bound, _)| *bound == name.text);
                Expr::Var(bound.ok_or(Reported)?.1)
            }
            FormulaKind::Not(a) => Expr::Not(self.formula(a)?),
            FormulaKind::And(both) => Expr::And(self.both(both)?.to_vec()),
            FormulaKind::Or(both) => Expr::Or(self.both(both)?.to_vec()),
            FormulaKind::Implies(both) => {
                let [a, b] = self.both(both)?;
                Expr::Implies(a, b)
            }
            FormulaKind::Iff(both) => {
                let [a, b] = self.both(both)?;
                Expr::Iff(a, b)
            }
            FormulaKind::State(quantifier, operator, a) => {
                Expr::State(*quantifier, *operator, self.formula(a)?)
            }
            FormulaKind::Path(quantifier, operator, both) => {
                let [a, b] = self.both(both)?;
                Expr::Path(*quantifier, *operator, a, b)
            }
            FormulaKind::Modal(modality, a) => {
                let body = self.formula(a)?;
                let any = self.surface.reg(Regular::Action(ActionSet::any()), span);
                Expr::Modal(*modality, any, body)
            }
            FormulaKind::Fix(kind, name, body) => {
                let binder = self.surface.binder(*kind, name.text, name.span);
                self.bound.push((name.text, binder));
                let body = self.formula(body);
                self.bound.pop();
                Expr::Fix(binder, body?)
            }
        };
        Ok(self.surface.expr(made, span))
    }

    fn both(&mut self, both: &[Formula<'f>; 2]) -> Parsed<[SurfaceId; 2]> {
        Ok([self.formula(&both[0])?, self.formula(&both[1])?])
    }

    fn special(&self, special: Special) -> Option<NodeId> {
        let atoms = self.claims.encoder.atoms.as_ref()?;
        Some(match special {
            Special::AssertionFailed => atoms.assertion_failed,
            Special::ModelError => atoms.model_error,
            Special::InvalidEnd => atoms.invalid_end,
        })
    }

    /// What the user wrote.
    fn text(&self, span: Span) -> String {
        let text = self.asked.text.get(span.range()).unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}
