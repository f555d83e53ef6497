//! A Promela model as a machine with formulas about it: what every method of checking starts from.

use super::ast::{Claim, ClaimKind};
use super::build::{self, Builder};
use super::encoding::{self, Encoder};
use super::lexer;
use super::parse::formula::{Atom, Formula, Special, parse_formula};
use super::preprocess::{Macros, preprocess};
use super::program::ExprId;
use crate::document::{Document, Form, GivenQuestion, MachineForm, SpecLogic, Specification};
use crate::language::{Reading, SourceText};
use crate::sink::{Parsed, Reported, Sink};
use crate::symbols::Symbols;
use crate::syntax::{Expr as Syntax, ExprId as SyntaxId, Exprs};
use crate::temporal::{Atoms, translate};
use crate::too_long_texts;
use logic::{Expr, PropId};
use rustc_hash::FxHashSet;
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
pub(super) fn read(source: &SourceText, reading: &Reading) -> Result<Document, Vec<Diagnostic>> {
    let SourceText { file, text, .. } = source;
    let (file, questions) = (*file, reading.questions);
    let included = || reading.included.iter().map(|included| &included.source);
    let mut errors = too_long_texts(file, text, questions);
    errors.extend(included().filter_map(|source| crate::too_long(source.file, &source.text)));
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
    let (lexemes, macros) = preprocess(lexer::lex(file, text), reading.included, &mut sink);
    let mut parsed = super::parse::parse(lexemes, &mut sink);
    parsed.included_at = macros.included_at.clone();
    let proctypes: FxHashSet<&str> =
        parsed.proctypes.iter().map(|proctype| proctype.name.text).collect();
    let formulas: Vec<Option<Formula>> = asked
        .iter()
        .map(|asked| formula(&asked.question, &macros, &proctypes, &mut sink))
        .collect();
    if sink.has_errors() {
        return Err(sink.into_diagnostics());
    }
    let text_of = |file: FileId| {
        let found = included().find(|source| source.file == file);
        found.map_or(&**text, |source| &source.text)
    };
    let of_file = parsed.claims.iter().enumerate().filter(|_| questions.is_empty());
    let of_file = of_file.map(|(n, claim)| claimed(claim, n, text_of(claim.span.file)));
    let of_file: Vec<Specification> = of_file.collect();
    let mut builder = build::build(&parsed, sink);
    // Where a construct is left out, names may be missing that it declares.
    if let Some((why, warnings)) = builder.sink.undetermined() {
        return Ok(undetermined(&asked, of_file, why, warnings));
    }
    if builder.sink.has_errors() {
        return Err(builder.sink.into_diagnostics());
    }
    let formulas: Vec<Formula> = formulas.into_iter().flatten().collect();
    let built: Vec<_> = formulas.iter().map(|formula| built(&mut builder, formula)).collect();
    builder.resolve_remotes();
    if let Some((why, warnings)) = builder.sink.undetermined() {
        return Ok(undetermined(&asked, of_file, why, warnings));
    }
    if builder.sink.has_errors() {
        return Err(builder.sink.into_diagnostics());
    }
    let encoder = encoding::encode(&builder.program, &text_of, "main");
    let mut claims = Claims { encoder, propositions: Vec::new(), names: Interner::default() };
    let mut properties = Vec::new();
    for ((asked, formula), built) in asked.iter().zip(formulas).zip(built) {
        properties.extend(claims.specification(asked, &formula, built));
    }
    properties.extend(of_file);
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

/// The document of a model of which nothing is known: every property has the reason.
fn undetermined(
    asked: &[Asked],
    claims: Vec<Specification>,
    why: &'static str,
    warnings: Vec<Diagnostic>,
) -> Document {
    let mut properties: Vec<Specification> = Vec::new();
    for Asked { name, question } in asked {
        let GivenQuestion { logic, file, text } = question;
        // A property without a question of its own stands nowhere.
        let span = Span::new(*file, 0..if name.is_some() { 0 } else { text.len() });
        properties.push(unknown(name.map(str::to_owned), (*logic).into(), text, span, why));
    }
    properties.extend(claims);
    let form = MachineForm {
        machine: transition::Machine { name: "main".to_owned(), ..Default::default() },
        propositions: Vec::new(),
        names: Interner::default(),
        is_sparse: true,
        statements: None,
        definitions: Vec::new(),
    };
    Document::new(Form::Machine(Box::new(form)), properties, warnings, Symbols::default())
}

/// A property of the file that is not supported.
fn claimed(claim: &Claim, number: usize, text: &str) -> Specification {
    let (logic, why) = match claim.kind {
        ClaimKind::Ltl => {
            (SpecLogic::Ltl, "an `ltl` block is not checked: ask its formula with `--ltl`")
        }
        ClaimKind::Never => (SpecLogic::Never, "a `never` claim is not supported"),
        ClaimKind::Trace => (SpecLogic::Trace, "a `trace` assertion is not supported"),
    };
    let name =
        claim.name.map_or_else(|| format!("{}_{number}", logic.name()), |n| n.text.to_owned());
    let inner = text.get(claim.span.range()).unwrap_or_default();
    let inner = inner.trim_start_matches('{').trim_end_matches('}');
    unknown(Some(name), logic, inner, claim.span, why)
}

fn unknown(
    name: Option<String>,
    logic: SpecLogic,
    text: &str,
    span: Span,
    why: &'static str,
) -> Specification {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let statement = format!("specification {text} ");
    let (named, fair, formula) = (span, false, Err(why));
    Specification { name, logic, text, span, named, formula, fair, statement }
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
