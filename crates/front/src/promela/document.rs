//! A Promela model as a machine with formulas about it: what every method of checking starts from.

use super::ast::{Claim, ClaimKind};
use super::build::{self, Builder, only_watches};
use super::encoding::{self, Encoder, FairProcess};
use super::lexer::{self, Lexeme};
use super::parse::formula::{Atom, Formula, Grammar, Special, parse_formula};
use super::preprocess::{Macros, preprocess};
use super::program::{ExprId, PromelaModel, PromelaProcess};
use super::visible::{may_stay_hidden, of_visible_states};
use crate::document::{Document, Form, GivenQuestion, MachineForm, SpecLogic, Specification};
use crate::language::{ProcessFairness, Reading, SourceText};
use crate::sink::{Parsed, Reported, Sink};
use crate::symbols::Symbols;
use crate::syntax::{Expr as Syntax, ExprId as SyntaxId, Exprs};
use crate::temporal::{Atoms, assume_compassion, translate};
use crate::too_long_texts;
use logic::{Expr, LinearOp, Logic, PropId, Surface, SurfaceBuilder};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use support::{Diagnostic, FileId, Interner, Span};
use transition::{NodeId, StateProperty};

/// The default properties of a model.
const ASSERTIONS: (&str, &str) = ("assertions", "AG !assertion_failed");
const END_STATES: (&str, &str) = ("invalid end states", "AG !invalid_end");
const ERRORS: (&str, &str) = ("run-time errors", "AG !runtime_error");
/// That of a model with `accept` labels.
const ACCEPTANCE: (&str, &str) = ("acceptance cycles", "<> [] !accept_");
/// That there are no non-progress cycles, as in Spin: an infinite run passes `progress` labels again and again.
pub const NO_NON_PROGRESS_CYCLE: (Logic, &str) = (Logic::Ltl, "[] <> !np_");

const CHANGES: &str =
    "a `never` claim that declares variables or changes something is not supported";
const EXCLUSIVE: &str = "a `never` claim with so much in one `atomic` is not supported";
const TRACE: &str = "a `trace` assertion is not supported";

/// A formula that is asked.
struct FormulaText {
    /// A formula that was given has none.
    name: Option<String>,
    logic: Logic,
    /// The text that its places are in.
    file: FileId,
    text: Arc<str>,
    /// The formula on one line.
    shown: String,
}

impl FormulaText {
    fn new(name: Option<&str>, GivenQuestion { logic, file, text }: &GivenQuestion) -> Self {
        let (name, shown) = (name.map(str::to_owned), on_one_line(text));
        Self { name, logic: *logic, file: *file, text: text.clone(), shown }
    }
}

/// A claim of the file, by its name.
struct FileClaim<'f, 'a> {
    name: String,
    claim: &'f Claim<'a>,
    /// The text of its file, and what stands between the braces.
    text: Arc<str>,
    shown: String,
}

impl FileClaim<'_, '_> {
    fn logic(&self) -> SpecLogic {
        match self.claim.kind {
            ClaimKind::Ltl(_) => SpecLogic::Ltl,
            ClaimKind::Never(_) => SpecLogic::Never,
            ClaimKind::Trace => SpecLogic::Trace,
        }
    }

    fn unknown(&self, why: &'static str) -> Specification {
        let (name, span) = (Some(self.name.clone()), self.claim.span);
        unknown(name, self.logic(), &self.shown, span, why)
    }
}

/// Reads a Promela model with formulas about it. Without any, it is asked for what stands in the file: whether
/// assertions fail, whether it can stop where it should not, whether an index or a division goes wrong, `ltl` blocks
/// and `never` claims, and cycles through `accept` labels.
pub(super) fn read(source: &SourceText, reading: &Reading) -> Result<Document, Vec<Diagnostic>> {
    let SourceText { file, text, .. } = source;
    let (file, questions) = (*file, reading.questions);
    let included = || reading.included.iter().map(|included| &included.source);
    let mut errors = too_long_texts(file, text, questions);
    errors.extend(included().filter_map(|source| crate::too_long(source.file, &source.text)));
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut given: Vec<FormulaText> =
        questions.iter().map(|given| FormulaText::new(None, given)).collect();
    if given.is_empty() {
        let default = |(name, text)| FormulaText::new(Some(name), &GivenQuestion::ctl(file, text));
        given.extend([ASSERTIONS, END_STATES, ERRORS].map(default));
    }
    let text_of = |file: FileId| {
        let found = included().find(|source| source.file == file);
        found.map_or(text, |source| &source.text)
    };
    let mut sink = Sink::default();
    let (lexemes, macros) = preprocess(lexer::lex(file, text), reading.included, &mut sink);
    let mut parsed = super::parse::parse(lexemes, &mut sink);
    parsed.included_at = macros.included_at.clone();
    let proctypes: FxHashSet<&str> =
        parsed.proctypes.iter().map(|proctype| proctype.name.text).collect();
    let mut formulas: Vec<Option<Formula>> =
        given.iter().map(|asked| formula(asked, &macros, &proctypes, &mut sink)).collect();
    let of_file = parsed.claims.iter().enumerate().filter(|_| questions.is_empty());
    let of_file: Vec<FileClaim> =
        of_file.map(|(number, claim)| claimed(claim, number, text_of(claim.span.file))).collect();
    let mut blocks: Vec<FormulaText> = Vec::new();
    let mut claimed: Vec<Specification> = Vec::new();
    for claim in &of_file {
        let ClaimKind::Ltl(lexemes) = &claim.claim.kind else { continue };
        let mut own = Sink::default();
        let grammar = (Logic::Ltl, Grammar::Spin);
        let read = parse_formula(grammar, lexemes.clone(), proctypes.clone(), &mut own);
        if let Some((why, _)) = own.undetermined() {
            claimed.push(claim.unknown(why));
            continue;
        }
        sink.append(own);
        formulas.push(read);
        blocks.push(FormulaText {
            name: Some(claim.name.clone()),
            logic: Logic::Ltl,
            file: claim.claim.span.file,
            text: claim.text.clone(),
            shown: claim.shown.clone(),
        });
    }
    if sink.has_errors() {
        return Err(sink.into_diagnostics());
    }
    let given_texts = given.iter().flat_map(|asked| lexer::lex(asked.file, &asked.text));
    let of_blocks = parsed.claims.iter().flat_map(|claim| match &claim.kind {
        ClaimKind::Ltl(lexemes) => lexemes.clone(),
        _ => Vec::new(),
    });
    let observed = observed(&given_texts.chain(of_blocks).collect::<Vec<_>>(), &proctypes);
    let mut builder = build::build(&parsed, sink, observed);
    // Where a construct is left out, names may be missing that it declares.
    if let Some((why, warnings)) = builder.sink.undetermined() {
        let has_acceptance = questions.is_empty() && has_accepting_labels(&builder.program);
        return Ok(undetermined((&given, has_acceptance), &of_file, why, warnings));
    }
    if builder.sink.has_errors() {
        return Err(builder.sink.into_diagnostics());
    }
    let formulas: Vec<Formula> = formulas.into_iter().flatten().collect();
    let mut atoms: Vec<Result<Vec<Option<Proposition>>, &'static str>> = Vec::new();
    for formula in &formulas {
        // What one formula has does not matter to the other properties.
        let kept = builder.sink.unsupported_count();
        let built = built(&mut builder, formula);
        atoms.push(builder.sink.forgotten(kept).map_or(Ok(built), Err));
    }
    let mut automata: Vec<(&FileClaim, PromelaProcess)> = Vec::new();
    for claim in &of_file {
        match &claim.claim.kind {
            ClaimKind::Ltl(_) => {}
            ClaimKind::Never(automaton) if only_watches(&automaton.body) => {
                // What a claim alone has does not matter to the other properties.
                let kept = builder.sink.unsupported_count();
                let automaton = builder.claim(automaton);
                match builder.sink.forgotten(kept) {
                    Some(why) => claimed.push(claim.unknown(why)),
                    None => automata.extend(automaton.map(|automaton| (claim, automaton))),
                }
            }
            ClaimKind::Never(_) => claimed.push(claim.unknown(CHANGES)),
            ClaimKind::Trace => claimed.push(claim.unknown(TRACE)),
        }
    }
    if let Some((why, warnings)) = builder.sink.undetermined() {
        let has_acceptance = questions.is_empty() && has_accepting_labels(&builder.program);
        return Ok(undetermined((&given, has_acceptance), &of_file, why, warnings));
    }
    if builder.sink.has_errors() {
        return Err(builder.sink.into_diagnostics());
    }
    let fairness = reading.fairness;
    let encoder = encoding::encode(&builder.program, &|file| &**text_of(file), "main", fairness);
    let (propositions, names) = Default::default();
    let mut claims = Claims { encoder, fairness, propositions, names };
    let mut properties = Vec::new();
    for ((asked, formula), built) in given.iter().chain(&blocks).zip(formulas).zip(atoms) {
        let span = formula.exprs.span(formula.root);
        properties.extend(match built {
            Ok(built) => claims.specification(asked, &formula, built),
            Err(why) => {
                Ok(unknown(asked.name.clone(), asked.logic.into(), &asked.shown, span, why))
            }
        });
    }
    if questions.is_empty() {
        properties.extend(claims.acceptance_cycles(file));
        properties.extend(automata.iter().map(|(claim, automaton)| claims.never(claim, automaton)));
    }
    properties.extend(claimed);
    let Claims { encoder, propositions, names, .. } = claims;
    let form = MachineForm {
        machine: encoder.machine,
        propositions,
        names,
        is_sparse: true,
        statements: encoder.statements,
        interleaving: encoder.interleaving,
        definitions: Vec::new(),
        counts_finite_paths: false,
    };
    let symbols = std::mem::take(&mut builder.sink.symbols);
    Ok(Document::new(Form::Machine(Box::new(form)), properties, Vec::new(), symbols))
}

/// The facts about processes that formulas observe, by their words.
fn observed(lexemes: &[Lexeme], proctypes: &FxHashSet<&str>) -> build::Observed {
    let mut pairs = lexemes.windows(2);
    build::Observed {
        count: lexemes.iter().any(|lexeme| lexeme.text == "_nr_pr"),
        pids: pairs.any(|pair| proctypes.contains(pair[0].text) && pair[1].text == "["),
    }
}

/// Whether a process has `accept` labels, as far as it was built.
fn has_accepting_labels(model: &PromelaModel) -> bool {
    let mut locations = model.processes.values().flat_map(|process| process.locations.values());
    locations.any(|location| location.marks.is_accepting)
}

/// The document of a model of which nothing is known: every property has the reason.
fn undetermined(
    (asked, has_acceptance): (&[FormulaText], bool),
    claims: &[FileClaim],
    why: &'static str,
    warnings: Vec<Diagnostic>,
) -> Document {
    let mut properties: Vec<Specification> = Vec::new();
    for FormulaText { name, logic, file, text, shown } in asked {
        // A property without a question of its own stands nowhere.
        let span = Span::new(*file, 0..if name.is_some() { 0 } else { text.len() });
        properties.push(unknown(name.clone(), (*logic).into(), shown, span, why));
    }
    if let Some(FormulaText { file, .. }) = asked.first().filter(|_| has_acceptance) {
        let (name, text) = ACCEPTANCE;
        let span = Span::new(*file, 0..0);
        properties.push(unknown(Some(name.to_owned()), SpecLogic::Ltl, text, span, why));
    }
    properties.extend(claims.iter().map(|claim| claim.unknown(why)));
    let form = MachineForm {
        machine: transition::Machine { name: "main".to_owned(), ..Default::default() },
        propositions: Vec::new(),
        names: Interner::default(),
        is_sparse: true,
        statements: None,
        interleaving: None,
        definitions: Vec::new(),
        counts_finite_paths: false,
    };
    Document::new(Form::Machine(Box::new(form)), properties, warnings, Symbols::default())
}

/// A property that stands in the file.
fn claimed<'f, 'a>(claim: &'f Claim<'a>, number: usize, text: &Arc<str>) -> FileClaim<'f, 'a> {
    let inner = text.get(claim.span.range()).unwrap_or_default();
    let inner = inner.strip_prefix('{').unwrap_or(inner);
    let shown = on_one_line(inner.strip_suffix('}').unwrap_or(inner));
    let mut found = FileClaim { name: String::new(), claim, text: text.clone(), shown };
    found.name = match claim.name {
        Some(name) => name.text.to_owned(),
        None => format!("{}_{number}", found.logic().name()),
    };
    found
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn unknown(
    name: Option<String>,
    logic: SpecLogic,
    text: &str,
    span: Span,
    why: &'static str,
) -> Specification {
    let text = on_one_line(text);
    let statement = format!("specification {text} ");
    let (named, fair, formula) = (span, false, Err(why.into()));
    let (distance, warnings) = (None, Vec::new());
    Specification { name, logic, text, span, named, formula, distance, fair, statement, warnings }
}

fn formula<'a>(
    asked: &'a FormulaText,
    macros: &Macros<'a>,
    proctypes: &FxHashSet<&'a str>,
    sink: &mut Sink,
) -> Option<Formula<'a>> {
    let lexemes = macros.applied_to(lexer::lex(asked.file, &asked.text), sink);
    parse_formula((asked.logic, Grammar::Common), lexemes, proctypes.clone(), sink)
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
    fairness: Option<ProcessFairness>,
    propositions: Vec<StateProperty>,
    names: Interner<PropId>,
}

impl Claims<'_> {
    fn specification(
        &mut self,
        asked: &FormulaText,
        formula: &Formula,
        built: Vec<Option<Proposition>>,
    ) -> Parsed<Specification> {
        let Formula { exprs, root, .. } = formula;
        let mut atoms = Propositions { claims: self, asked, exprs, built };
        let mut surface = translate(exprs, *root, (asked.logic, &asked.text), &mut atoms)?;
        let is_default = asked.name.is_some() && asked.logic == Logic::Ctl;
        if self.fairness == Some(ProcessFairness::Strong)
            && surface.logic.has_path_quantifiers()
            && !is_default
        {
            let span = exprs.span(*root);
            let why = ProcessFairness::STRONG;
            return Ok(unknown(asked.name.clone(), asked.logic.into(), &asked.shown, span, why));
        }
        if !asked.logic.quantifies_over_path_formulas() && asked.logic.has_linear_operators() {
            surface = self.about_runs(surface);
        }
        Ok(Specification {
            name: asked.name.clone(),
            statement: format!("specification {} ", asked.shown),
            text: asked.shown.clone(),
            // Every finite run is the beginning of a fair one: invariants do not depend on fairness.
            fair: !is_default,
            ..Specification::new(None, exprs.span(*root), surface)
        })
    }

    /// Whether no run goes through `accept` labels again and again, if there are such labels.
    fn acceptance_cycles(&mut self, file: FileId) -> Option<Specification> {
        let accepting = self.encoder.atoms.as_ref()?.accepting;
        let (name, text) = ACCEPTANCE;
        let Expr::Prop(accepting) = self.proposition("accept_".to_owned(), accepting) else {
            return None;
        };
        let span = Span::new(file, 0..text.len());
        let mut surface = SurfaceBuilder::default();
        let root = not_again(&mut surface, accepting, span);
        let surface = surface.finish(Logic::Ltl, text.into(), root);
        let surface = self.about_runs(surface);
        Some(Specification::new(Some(name.to_owned()), span, surface))
    }

    /// Whether no run is one that a claim describes: the claim does not end, and no state in which it or a process is
    /// at an `accept` label comes again and again.
    fn never(&mut self, claim: &FileClaim, automaton: &PromelaProcess) -> Specification {
        let Some(watched) = self.encoder.add_claim(&claim.name, automaton) else {
            return claim.unknown(EXCLUSIVE);
        };
        let of_processes = self.encoder.atoms.as_ref().map(|atoms| atoms.accepting);
        let accepting = self.encoder.machine.exprs.join(
            transition::Binary::Or,
            of_processes.into_iter().chain([watched.accepts]).collect(),
        );
        let span = claim.claim.span;
        let mut surface = SurfaceBuilder::default();
        let ends = self.proposition(format!("{} ends", claim.name), watched.ends);
        let ends = surface.expr(ends, span);
        let goes_on = surface.expr(Expr::Not(ends), span);
        let mut root = surface.expr(Expr::Linear(LinearOp::Globally, goes_on), span);
        let accepting = self.proposition(format!("{} accepts", claim.name), accepting);
        if let Expr::Prop(accepting) = accepting {
            let seldom = not_again(&mut surface, accepting, span);
            root = surface.expr(Expr::And(vec![root, seldom]), span);
        }
        let surface = surface.finish(Logic::Ltl, claim.text.clone(), root);
        let surface = self.about_runs(surface);
        let shown = claim.shown.clone();
        Specification {
            logic: SpecLogic::Never,
            statement: format!("specification {shown} "),
            text: shown,
            ..Specification::new(Some(claim.name.clone()), span, surface)
        }
    }

    /// A formula of linear time about the runs that count, as Spin sees them.
    fn about_runs(&mut self, surface: Surface) -> Surface {
        let mut surface = self.of_visible_states(surface);
        if self.fairness == Some(ProcessFairness::Strong) {
            let turn = |turn: &FairProcess| (turn.process, turn.can_go_on, turn.went_on);
            let fair_processes: Vec<_> = self.encoder.fair_processes.iter().map(turn).collect();
            let assumed = fair_processes.into_iter().map(|(process, can_go_on, went_on)| {
                let name = &self.encoder.program.processes[process].name;
                let names = [format!("{name} can go on"), format!("{name} went on")];
                let [can, went] = names;
                [self.proposition(can, can_go_on), self.proposition(went, went_on)]
            });
            assume_compassion(&mut surface, assumed.collect());
        }
        surface
    }

    /// As Spin sees a run: without what happens within `atomic` and `d_step`.
    fn of_visible_states(&mut self, surface: Surface) -> Surface {
        let Some(hidden) = self.encoder.atoms.as_ref().map(|atoms| atoms.hidden) else {
            return surface;
        };
        match self.proposition("hidden_".to_owned(), hidden) {
            Expr::Prop(hidden) => {
                let lasts = may_stay_hidden(self.encoder.program);
                of_visible_states(&surface, &hidden, lasts)
            }
            _ => surface,
        }
    }

    /// The proposition with this name or, if that is another one, with one like it.
    fn proposition(&mut self, mut name: String, node: NodeId) -> Expr {
        if let Some(value) = self.encoder.machine.exprs.as_constant(node) {
            return Expr::Const(value != 0);
        }
        while let Some(known) = self.names.get(&name) {
            if self.propositions[known.0 as usize].node == node {
                return Expr::Prop(name);
            }
            name.push('\'');
        }
        self.names.intern(&name);
        self.propositions.push(StateProperty { name: name.clone(), node });
        Expr::Prop(name)
    }
}

/// `F G !p`
fn not_again(surface: &mut SurfaceBuilder, p: String, span: Span) -> logic::ExprId {
    let p = surface.expr(Expr::Prop(p), span);
    let not = surface.expr(Expr::Not(p), span);
    let always = surface.expr(Expr::Linear(LinearOp::Globally, not), span);
    surface.expr(Expr::Linear(LinearOp::Finally, always), span)
}

struct Propositions<'c, 'p, 'f> {
    claims: &'c mut Claims<'p>,
    asked: &'c FormulaText,
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
                    Special::RuntimeError => atoms.runtime_error,
                    Special::InvalidEnd => atoms.invalid_end,
                    Special::NonProgress => atoms.non_progress,
                }
            }
        };
        // What the user wrote.
        let text = self.asked.text.get(self.exprs.span(id).range()).unwrap_or_default();
        Ok(self.claims.proposition(on_one_line(text), node))
    }

    /// Operators on values have no formulas as operands here.
    fn misplaced(&mut self, _: Span) -> Reported {
        Reported
    }
}
