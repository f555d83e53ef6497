//! Helpers of the tests: diagnostics and formulas as compact text.

use logic::{
    Expr, ExprId, LinearOp, LinearPairOp, Logic, Modality, PathOp, Quantifier, RegId, Regular,
    StateOp, Surface,
};
use model::{Component, Kind, Mode, ModelBuilder, PartialModel, unknown_actions};
use std::sync::Arc;
use support::{Diagnostic, FileId, Monitor, Severity, SourceMap};
use testkit::TmDocument;

/// "line:col message | label | help", a line a diagnostic; further labels follow the first.
pub fn compact(text: &str, diagnostics: &[Diagnostic]) -> String {
    let mut map = SourceMap::new();
    map.add("test", text);
    let lines: Vec<String> = diagnostics.iter().map(|d| compact_one(&map, d)).collect();
    lines.join("\n")
}

fn compact_one(map: &SourceMap, diagnostic: &Diagnostic) -> String {
    let (line, column) = map.position(diagnostic.labels[0].0);
    let warning = if diagnostic.severity == Severity::Warning { "warning: " } else { "" };
    let mut text = format!("{line}:{column} {warning}{}", diagnostic.message);
    for (index, (span, label)) in diagnostic.labels.iter().enumerate() {
        let (line, column) = map.position(*span);
        let place = if index == 0 { String::new() } else { format!("{line}:{column} ") };
        text += &format!(" | {place}{label}");
    }
    if let Some(help) = &diagnostic.help {
        text += &format!(" | {help}");
    }
    text
}

pub fn parse(logic: Logic, text: &str) -> Result<Surface, Vec<Diagnostic>> {
    let shared: Arc<str> = text.into();
    front::parse_formula(logic, FileId(0), &shared, 0..text.len())
}

/// The formula with all its parentheses, or the errors.
pub fn show(logic: Logic, text: &str) -> String {
    match parse(logic, text) {
        Ok(surface) => show_expr(&surface, surface.root),
        Err(errors) => compact(text, &errors),
    }
}

/// Shows a formula with every fixpoint variable named by the number of its binder only.
pub fn show_numbered(logic: Logic, text: &str) -> String {
    let mut surface = parse(logic, text).unwrap_or_else(|e| panic!("{}", compact(text, &e)));
    for binder in surface.binders.ids() {
        surface.binders[binder].name = "#".to_owned();
    }
    show_expr(&surface, surface.root)
}

fn show_expr(surface: &Surface, id: ExprId) -> String {
    let of = |id: ExprId| show_expr(surface, id);
    let chain = |ids: &[ExprId], op: &str| {
        format!("({})", ids.iter().map(|&id| of(id)).collect::<Vec<_>>().join(op))
    };
    match &surface.exprs[id].0 {
        Expr::Const(value) => value.to_string(),
        Expr::Prop(name) => name.clone(),
        Expr::Var(binder) => format!("{}{}", surface.binders[*binder].name, binder.0),
        Expr::Not(e) => format!("!{}", of(*e)),
        Expr::And(es) => chain(es, " & "),
        Expr::Or(es) => chain(es, " | "),
        Expr::Implies(a, b) => format!("({} -> {})", of(*a), of(*b)),
        Expr::Iff(a, b) => format!("({} <-> {})", of(*a), of(*b)),
        Expr::Modal(Modality::Box, reg, e) => format!("[{}]{}", show_reg(surface, *reg), of(*e)),
        Expr::Modal(Modality::Dia, reg, e) => format!("<{}>{}", show_reg(surface, *reg), of(*e)),
        Expr::Fix(binder, e) => {
            let kind = format!("{:?}", surface.binders[*binder].kind).to_lowercase();
            format!("({kind} {}{}. {})", surface.binders[*binder].name, binder.0, of(*e))
        }
        Expr::State(q, op, e) => format!("{}{}{}", quantifier(*q), state_op(*op), of(*e)),
        Expr::Path(q, op, a, b) => {
            format!("{}[{} {} {}]", quantifier(*q), of(*a), path_op(*op), of(*b))
        }
        Expr::Linear(op, e) => {
            let letter = match op {
                LinearOp::Next => 'X',
                LinearOp::Finally => 'F',
                LinearOp::Globally => 'G',
                LinearOp::Yesterday => 'Y',
                LinearOp::WeakYesterday => 'Z',
                LinearOp::Once => 'O',
                LinearOp::Historically => 'H',
            };
            format!("{letter}{}", of(*e))
        }
        Expr::LinearPair(op, a, b) => {
            let letter = match op {
                LinearPairOp::Until => 'U',
                LinearPairOp::Release => 'R',
                LinearPairOp::WeakUntil => 'W',
                LinearPairOp::Since => 'S',
                LinearPairOp::Triggered => 'T',
            };
            format!("({} {letter} {})", of(*a), of(*b))
        }
        Expr::Quantified(q, e) => format!("{}{}", quantifier(*q), of(*e)),
        Expr::ForValues(_, variables, e) => {
            let names = variables.iter().map(|id| surface.variables[*id].name.as_str());
            format!("({}: {})", names.collect::<Vec<_>>().join(","), of(*e))
        }
        Expr::Val(_) | Expr::Call(..) => surface.snippet(surface.exprs[id].1).to_owned(),
    }
}

fn quantifier(quantifier: Quantifier) -> &'static str {
    if quantifier == Quantifier::All { "A" } else { "E" }
}

fn state_op(op: StateOp) -> &'static str {
    match op {
        StateOp::Next => "X ",
        StateOp::Finally => "F ",
        StateOp::Globally => "G ",
    }
}

fn path_op(op: PathOp) -> &'static str {
    match op {
        PathOp::Until => "U",
        PathOp::Release => "R",
        PathOp::WeakUntil => "W",
    }
}

fn show_reg(surface: &Surface, id: RegId) -> String {
    let of = |id: RegId| show_reg(surface, id);
    match &surface.regs[id].0 {
        Regular::Action(set) if set.is_any() => String::new(),
        Regular::Action(set) => {
            let names = set.names().join(",");
            if set.is_complement() { format!("!{{{names}}}") } else { format!("{{{names}}}") }
        }
        Regular::Matching(_) => format!("{{{}}}", surface.snippet(surface.regs[id].1)),
        Regular::Seq(a, b) => format!("({}.{})", of(*a), of(*b)),
        Regular::Alt(a, b) => format!("({}+{})", of(*a), of(*b)),
        Regular::Star(a) => format!("{}*", of(*a)),
        Regular::Plus(a) => format!("{}+", of(*a)),
    }
}

/// Reads a `.tm` text; the files `ok.aut` and `open.tm` exist and no other.
pub fn read(text: &str) -> Result<TmDocument, Vec<Diagnostic>> {
    let shared: Arc<str> = text.into();
    testkit::read_tm(FileId(0), &shared, &Monitor::new(), &mut |path| match path {
        "ok.aut" => Ok(Component { model: one_state(), is_unknown: false }),
        "open.tm" => Ok(Component { model: unknown_actions("there", &[]), is_unknown: true }),
        other => Err(format!("there is no file `{other}`")),
    })
}

fn one_state() -> PartialModel {
    let mut builder = ModelBuilder::new(Kind::Lts, "ok");
    let state = builder.state("0");
    builder.init(state);
    let action = builder.action("a");
    builder.edge(state, Some(action), Mode::BOTH, state);
    builder.finish()
}

/// The errors and warnings of a `.tm` text.
pub fn complaints(text: &str) -> String {
    match read(text) {
        Ok(document) => compact(text, &document.warnings),
        Err(errors) => compact(text, &errors),
    }
}
