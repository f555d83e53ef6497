//! Assumptions on holes, in CTL: `net: AG safe & AF end`.

use super::ast::{Expr, ExprId, Exprs, Infix};
use super::build::Builder;
use super::lexer::{self, Token};
use super::parse::{Mode, Parser};
use crate::climb::Climb;
use crate::cursor::Cursor;
use crate::sink::{Parsed, Reported, Sink};
use logic::{PathOp, Quantifier, StateOp};
use rustc_hash::FxHashMap;
use support::{Diagnostic, FileId, IdVec, Span};
use transition::NodeId;
use transition::cfg::{Assumed, HoleCondition, HoleFormula, HoleFormulaId, HoleId, Program};

const FORMS: &str =
    "it is a formula of CTL about the variables, `end` and `error`, such as `AG x < 3 & AF end`";

/// Reads what is assumed of a hole of a program. Its expressions become expressions of the program.
pub fn read_assumption(
    file: FileId,
    text: &str,
    program: &mut Program,
) -> Result<Assumed, Vec<Diagnostic>> {
    read(file, text, program, false)
}

/// Reads what is assumed of each step of a hole, whose variables others may change between them.
pub(super) fn read_invariant(
    file: FileId,
    text: &str,
    program: &mut Program,
) -> Result<Assumed, Vec<Diagnostic>> {
    read(file, text, program, true)
}

fn read(
    file: FileId,
    text: &str,
    program: &mut Program,
    is_invariant: bool,
) -> Result<Assumed, Vec<Diagnostic>> {
    if let Some(error) = crate::too_long(file, text) {
        return Err(vec![error]);
    }
    let mut cursor = Cursor::new(file, text, lexer::lex(text, 0..text.len()), "assumption");
    let mut exprs = Exprs::default();
    let parsed = parse(&mut cursor, &mut exprs, program);
    let Ok((hole, root)) = parsed else { return Err(cursor.sink.into_diagnostics()) };
    let mut builder = Builder::new(&exprs, std::mem::take(program), Sink::default());
    let (formulas, numbers, known) = Default::default();
    let mut reader = Reader { builder: &mut builder, exprs: &exprs, formulas, numbers, known };
    let fits = if is_invariant { reader.refuse_other_than_invariants(root, text) } else { Ok(()) };
    let assumed = fits.and_then(|()| reader.assumed(hole, root));
    *program = builder.program;
    assumed.map_err(|Reported| builder.sink.into_diagnostics())
}

/// The hole and the formula.
fn parse<'a>(
    cursor: &mut Cursor<'a, Token>,
    exprs: &mut Exprs<'a>,
    program: &Program,
) -> Parsed<(HoleId, ExprId)> {
    let mut parser = Parser::new(cursor, exprs, Mode::Ctl);
    let name = parser.name("the name of a hole")?;
    let help = "write for example `net: AG x < 3`";
    if parser.cursor.eat(Token::Colon).is_none() {
        return Err(parser.cursor.unexpected("`:` after the name of the hole", Some(help)));
    }
    let hole = program.holes.get(name.text).ok_or_else(|| {
        parser.cursor.sink.error(|| {
            let message = format!("there is no hole `{}`", name.text);
            Diagnostic::error(message, name.span, "not in the program")
                .with_nearest(name.text, program.holes.names())
        })
    });
    let root = parser.expression()?;
    if parser.cursor.peek() != Token::End {
        return Err(parser.cursor.unexpected("an operator or the end", Some(FORMS)));
    }
    Ok((hole?, root))
}

struct Reader<'r, 'f, 'a> {
    builder: &'r mut Builder<'f, 'a>,
    exprs: &'f Exprs<'a>,
    formulas: IdVec<HoleFormulaId, HoleFormula>,
    numbers: FxHashMap<HoleFormula, HoleFormulaId>,
    /// The formulas that were translated already.
    known: FxHashMap<(ExprId, bool), HoleFormulaId>,
}

impl Reader<'_, '_, '_> {
    fn assumed(&mut self, hole: HoleId, root: ExprId) -> Parsed<Assumed> {
        let formula = self.formula(root, true)?;
        let exprs = &mut self.builder.program.data.exprs;
        Assumed::new(hole, &self.formulas, formula, exprs).map_err(|_| {
            let span = self.exprs.span(root);
            self.builder.sink.error(|| {
                Diagnostic::error("the assumption is too large", span, "too many cases")
                    .with_help("assume less, or the same with fewer `|` and fewer nested operators")
            })
        })
    }

    /// Accepts `AG c`, several of them joined by `&`.
    fn refuse_other_than_invariants(&mut self, id: ExprId, text: &str) -> Parsed<()> {
        let exprs = self.exprs;
        match exprs.get(id) {
            Expr::Chain(first, rest) if rest.iter().all(|(infix, _)| *infix == Infix::And) => {
                let operands = std::iter::once(*first).chain(rest.iter().map(|(_, own)| *own));
                return operands
                    .into_iter()
                    .try_for_each(|own| self.refuse_other_than_invariants(own, text));
            }
            Expr::State(Quantifier::All, StateOp::Globally, kept) => {
                let mut is_condition = true;
                exprs.visit(*kept, |_, below| {
                    is_condition &= !matches!(below, Expr::State(..) | Expr::Path(..));
                });
                if is_condition {
                    return Ok(());
                }
            }
            _ => {}
        }
        let span = exprs.span(id);
        let construct = text.get(span.range()).unwrap_or_default().trim();
        let message = format!("`{construct}` cannot be assumed of a hole of such a program");
        Err(self.builder.sink.error(|| {
            Diagnostic::error(message, span, "not about each of its steps").with_help(
                "with `process`, `assume` or `int`, assume what holds after each step: `AG c`, `AG (end -> c)`, `AG !error`",
            )
        }))
    }

    fn refuse(&mut self, span: Span) -> Reported {
        self.builder.sink.error(|| {
            Diagnostic::error("this cannot be assumed of a hole", span, "not one of the forms")
                .with_help(FORMS)
        })
    }

    fn push(&mut self, formula: HoleFormula) -> HoleFormulaId {
        *self.numbers.entry(formula).or_insert_with(|| self.formulas.push(formula))
    }

    fn condition(&mut self, inside: NodeId, exit: NodeId, error: NodeId) -> HoleFormulaId {
        self.push(HoleFormula::Condition(HoleCondition { inside, exit, error }))
    }

    fn constant(&mut self, value: bool) -> HoleFormulaId {
        let node = self.builder.program.data.exprs.bool(value);
        self.condition(node, node, node)
    }

    /// A formula if `is_so`, else its negation, in negation normal form.
    fn formula(&mut self, id: ExprId, is_so: bool) -> Parsed<HoleFormulaId> {
        if let Some(&known) = self.known.get(&(id, is_so)) {
            return Ok(known);
        }
        let formula = self.translated(id, is_so)?;
        self.known.insert((id, is_so), formula);
        Ok(formula)
    }

    fn translated(&mut self, id: ExprId, is_so: bool) -> Parsed<HoleFormulaId> {
        if self.exprs.is_pure(id) {
            let node = self.builder.atom(id)?;
            let node = if is_so { node } else { self.builder.program.data.exprs.not(node) };
            return Ok(self.condition(node, node, node));
        }
        let node =
            |reader: &mut Self, value: bool| reader.builder.program.data.exprs.bool(value == is_so);
        match self.exprs.get(id) {
            Expr::End => {
                let (no, yes) = (node(self, false), node(self, true));
                Ok(self.condition(no, yes, no))
            }
            Expr::Error => {
                let (no, yes) = (node(self, false), node(self, true));
                Ok(self.condition(no, no, yes))
            }
            Expr::Not(a) => self.formula(*a, !is_so),
            Expr::Implies(a, b) => {
                let (a, b) = (self.formula(*a, !is_so)?, self.formula(*b, is_so)?);
                Ok(self.joined(a, b, !is_so))
            }
            Expr::Chain(first, rest) => self.chain(*first, rest, is_so),
            Expr::State(quantifier, operator, a) => {
                let a = self.formula(*a, is_so)?;
                Ok(self.state((*quantifier == Quantifier::All) == is_so, *operator, a, is_so))
            }
            Expr::Path(quantifier, operator, a, b) => {
                let (a, b) = (self.formula(*a, is_so)?, self.formula(*b, is_so)?);
                Ok(self.path((*quantifier == Quantifier::All) == is_so, *operator, [a, b], is_so))
            }
            _ => Err(self.refuse(self.exprs.span(id))),
        }
    }

    /// Two conditions are one.
    fn joined(&mut self, a: HoleFormulaId, b: HoleFormulaId, is_and: bool) -> HoleFormulaId {
        let operands = (self.formulas[a], self.formulas[b]);
        if let (HoleFormula::Condition(left), HoleFormula::Condition(right)) = operands {
            let exprs = &mut self.builder.program.data.exprs;
            let mut both = |a, b| if is_and { exprs.and(a, b) } else { exprs.or(a, b) };
            let (inside, exit) = (both(left.inside, right.inside), both(left.exit, right.exit));
            let error = both(left.error, right.error);
            return self.condition(inside, exit, error);
        }
        self.push(if is_and { HoleFormula::And(a, b) } else { HoleFormula::Or(a, b) })
    }

    fn chain(
        &mut self,
        first: ExprId,
        rest: &[(Infix, ExprId)],
        is_so: bool,
    ) -> Parsed<HoleFormulaId> {
        let operands = || std::iter::once(first).chain(rest.iter().map(|(_, operand)| *operand));
        match rest[0].0 {
            Infix::And | Infix::Or => {
                let is_and = (rest[0].0 == Infix::And) == is_so;
                let mut left = self.formula(first, is_so)?;
                for operand in operands().skip(1) {
                    let right = self.formula(operand, is_so)?;
                    left = self.joined(left, right, is_and);
                }
                Ok(left)
            }
            Infix::Iff => {
                // Each with what it is and what it is not.
                let (mut yes, mut no) = (self.formula(first, true)?, self.formula(first, false)?);
                for operand in operands().skip(1) {
                    let (a, b) = (self.formula(operand, true)?, self.formula(operand, false)?);
                    let (both, neither) = (self.joined(yes, a, true), self.joined(no, b, true));
                    let (first, second) = (self.joined(yes, b, true), self.joined(no, a, true));
                    yes = self.joined(both, neither, false);
                    no = self.joined(first, second, false);
                }
                Ok(if is_so { yes } else { no })
            }
            _ => Err(self.refuse(self.exprs.span(first))),
        }
    }

    /// With an operator in front; negated, if it is not so.
    fn state(
        &mut self,
        is_all: bool,
        operator: StateOp,
        of: HoleFormulaId,
        is_so: bool,
    ) -> HoleFormulaId {
        match (operator, is_so) {
            (StateOp::Next, _) => self.push(HoleFormula::Next { is_all, of }),
            (StateOp::Finally, true) | (StateOp::Globally, false) => {
                let left = self.constant(true);
                self.push(HoleFormula::Until { is_all, left, goal: of })
            }
            (StateOp::Globally, true) | (StateOp::Finally, false) => {
                let by = self.constant(false);
                self.push(HoleFormula::Release { is_all, by, kept: of })
            }
        }
    }

    /// With an operator between; operands and operator negated, if it is not so.
    fn path(
        &mut self,
        is_all: bool,
        operator: PathOp,
        [a, b]: [HoleFormulaId; 2],
        is_so: bool,
    ) -> HoleFormulaId {
        match (operator, is_so) {
            (PathOp::Until, true) | (PathOp::Release, false) => {
                self.push(HoleFormula::Until { is_all, left: a, goal: b })
            }
            (PathOp::Release, true) | (PathOp::Until, false) => {
                self.push(HoleFormula::Release { is_all, by: a, kept: b })
            }
            // f W g: g R (f or g); not (f W g): not g U (not f and not g).
            (PathOp::WeakUntil, true) => {
                let kept = self.joined(a, b, false);
                self.push(HoleFormula::Release { is_all, by: b, kept })
            }
            (PathOp::WeakUntil, false) => {
                let goal = self.joined(a, b, true);
                self.push(HoleFormula::Until { is_all, left: b, goal })
            }
        }
    }
}
