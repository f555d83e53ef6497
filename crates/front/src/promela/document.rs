//! A Promela model as a machine with formulas about it: what every method of checking starts from.

use super::build::{self, Builder};
use super::encoding::{self, Encoder};
use super::lexer;
use super::parse::formula::{Atom, Formula, Special, parse_formula};
use super::preprocess::{Macros, preprocess};
use super::program::ExprId;
use crate::document::{Document, Form, GivenQuestion, MachineForm, Specification};
use crate::sink::{Parsed, Reported, Sink};
use crate::syntax::{Expr as Syntax, ExprId as SyntaxId, Exprs};
use crate::temporal::{Atoms, translate};
use crate::too_long_texts;
use logic::{Expr, PropId};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use support::{Diagnostic, FileId, Interner, Span};
use transition::{NodeId, StateProperty};

/// The default properties of a model.
const ASSERTIONS: (&str, &str) = ("assertions", "AG !assertion_failed");
const END_STATES: (&str, &str) = ("invalid end states", "AG !invalid_end");
const ERRORS: (&str, &str) = ("errors of the model", "AG !model_error");

/// A formula that is asked, and its name if it has one.
struct Asked {
    name: Option<&'static str>,
    question: GivenQuestion,
}

/// Reads a Promela model with formulas about it; without any, it is asked whether assertions fail, whether
/// it can stop where it should not, and whether an index or a division goes wrong.
pub(super) fn read(
    file: FileId,
    text: &Arc<str>,
    questions: &[GivenQuestion],
) -> Result<Document, Vec<Diagnostic>> {
    let errors = too_long_texts(file, text, questions);
    if !errors.is_empty() {
        return Err(errors);
    }
    let given = questions.iter().cloned().map(|question| Asked { name: None, question });
    let mut asked: Vec<Asked> = given.collect();
    if asked.is_empty() {
        asked.extend([ASSERTIONS, END_STATES, ERRORS].map(|(name, text)| Asked {
            name: Some(name),
            question: GivenQuestion::ctl(file, text),
        }));
    }
    let mut sink = Sink::default();
    let (lexemes, macros) = preprocess(lexer::lex(file, text), &mut sink);
    let parsed = super::parse::parse(lexemes, &mut sink);
    let proctypes: FxHashSet<&str> =
        parsed.proctypes.iter().map(|proctype| proctype.name.text).collect();
    let formulas: Vec<Option<Formula>> = asked
        .iter()
        .map(|asked| formula(&asked.question, &macros, &proctypes, &mut sink))
        .collect();
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
    let encoder = encoding::encode(&builder.program, text, "main");
    let mut claims = Claims { encoder, propositions: Vec::new(), names: Interner::default() };
    let mut properties = Vec::new();
    for ((asked, formula), built) in asked.iter().zip(formulas).zip(built) {
        properties.extend(claims.specification(asked, &formula, built));
    }
    let Claims { encoder, propositions, names } = claims;
    let form = MachineForm {
        machine: encoder.machine,
        propositions,
        names,
        is_sparse: true,
        statements: encoder.statements,
        definitions: Vec::new(),
    };
    let symbols = std::mem::take(&mut builder.sink.symbols);
    Ok(Document::new(Form::Machine(Box::new(form)), properties, Vec::new(), symbols))
}

fn formula<'a>(
    asked: &'a GivenQuestion,
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

struct Claims<'p> {
    encoder: Encoder<'p>,
    propositions: Vec<StateProperty>,
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
        let GivenQuestion { logic, text, .. } = &asked.question;
        let surface = translate(exprs, *root, (*logic, text), &mut atoms)?;
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let span = exprs.span(*root);
        Ok(Specification {
            name: asked.name.map(str::to_owned),
            statement: format!("specification {text} "),
            text,
            ..Specification::new(None, span, surface)
        })
    }

    fn proposition(&mut self, name: String, node: NodeId) -> Expr {
        if let Some(value) = self.encoder.machine.exprs.as_constant(node) {
            return Expr::Const(value != 0);
        }
        if self.names.get(&name).is_none() {
            self.names.intern(&name);
            self.propositions.push(StateProperty { name: name.clone(), node });
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
        let text = self.asked.question.text.get(self.exprs.span(id).range()).unwrap_or_default();
        let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(self.claims.proposition(name, node))
    }

    /// Operators on values have no formulas as operands here.
    fn misplaced(&mut self, _: Span) -> Reported {
        Reported
    }
}
