//! A Promela model as a machine with formulas about it: what every method of checking starts from.

use super::build::{self, Builder};
use super::lexer;
use super::machine::{self as encoding, Encoder};
use super::parse::formula::{Atom, Formula, Special, parse_formula};
use super::preprocess::{Macros, preprocess};
use super::program::{ExprId, Program};
use crate::sink::{Parsed, Reported, Sink};
use crate::smv::{Claim, SmvDocument, SmvLogic, SmvQuestion, Specification, too_long_texts};
use crate::symbols::Symbols;
use crate::syntax::{Expr as Syntax, ExprId as SyntaxId, Exprs};
use crate::temporal::{Atoms, translate};
use logic::{Expr, Logic, PropId};
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
    let built: Vec<_> = formulas.iter().map(|formula| built(&mut builder, formula)).collect();
    builder.resolve_remotes();
    if builder.sink.has_errors() {
        return Err(builder.sink.into_diagnostics());
    }
    let questions = asked.iter().zip(formulas).zip(built);
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

/// Builds the expressions of a formula, from left to right; what is wrong is in the sink.
fn built<'a>(builder: &mut Builder<'_, 'a>, formula: &Formula<'a>) -> Vec<Option<Proposition>> {
    let start = |number: usize| match &formula.atoms[number] {
        Atom::Pure(expr) => expr.span.start,
        Atom::Special(_) => 0,
    };
    let mut order: Vec<usize> = (0..formula.atoms.len()).collect();
    order.sort_by_key(|&number| start(number));
    let mut built = vec![None; order.len()];
    for number in order {
        built[number] = match &formula.atoms[number] {
            Atom::Pure(expr) => builder.proposition(expr).ok().map(Proposition::Holds),
            Atom::Special(special) => Some(Proposition::Special(*special)),
        };
    }
    built
}

/// When an atom of a formula holds.
#[derive(Clone, Copy)]
enum Proposition {
    Holds(ExprId),
    Special(Special),
}

type Question<'q, 'a> = ((&'q Asked, Formula<'a>), Vec<Option<Proposition>>);

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
        built: Vec<Option<Proposition>>,
    ) -> Parsed<Specification> {
        let Formula { exprs, root, .. } = formula;
        let mut atoms = Propositions { claims: self, asked, exprs, built };
        let surface = translate(exprs, *root, (asked.logic, &asked.text), &mut atoms)?;
        let text = asked.text.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(Specification {
            name: asked.name.map(str::to_owned),
            logic: if asked.logic == Logic::Mu { SmvLogic::Mu } else { SmvLogic::Ctl },
            spaced: text.clone(),
            text,
            instance: String::new(),
            span: exprs.span(*root),
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

struct Propositions<'c, 'p, 'f> {
    claims: &'c mut Claims<'p>,
    asked: &'c Asked,
    exprs: &'c Exprs<'f>,
    built: Vec<Option<Proposition>>,
}

impl Atoms for Propositions<'_, '_, '_> {
    fn is_atom(&self, exprs: &Exprs, id: SyntaxId) -> bool {
        matches!(exprs.get(id), Syntax::Atom(_))
    }

    fn atom(&mut self, id: SyntaxId) -> Parsed<Expr> {
        let Syntax::Atom(number) = self.exprs.get(id) else { return Err(Reported) };
        let encoder = &mut self.claims.encoder;
        let node = match self.built[*number as usize].ok_or(Reported)? {
            Proposition::Holds(expr) => encoder.truth(expr),
            Proposition::Special(special) => {
                let atoms = encoder.atoms.as_ref().ok_or(Reported)?;
                match special {
                    Special::AssertionFailed => atoms.assertion_failed,
                    Special::ModelError => atoms.model_error,
                    Special::InvalidEnd => atoms.invalid_end,
                }
            }
        };
        // What the user wrote.
        let text = self.asked.text.get(self.exprs.span(id).range()).unwrap_or_default();
        let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(self.claims.proposition(name, node))
    }

    /// Operators on values have no formulas as operands here.
    fn misplaced(&mut self, _: Span) -> Reported {
        Reported
    }
}
