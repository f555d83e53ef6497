//! Assumptions on holes: `net: AG safe & AF end`.

use super::ast::{Expr, ExprId, Exprs, Infix};
use super::build::Builder;
use super::lexer::{self, Token};
use super::parse::{Mode, Parser};
use crate::climb::Climb;
use crate::cursor::Cursor;
use crate::sink::{Parsed, Reported, Sink};
use logic::{Quantifier, StateOp};
use support::{Diagnostic, FileId, Span};
use transition::cfg::{Assumed, HoleId, Program};
use transition::{Binary, NodeId};

const FORMS: &str = "it is a conjunction of `AG β` and `AF end`, where β says something of the variables, `end` and `error`";

/// Reads what is assumed of a hole of a program. Its expressions become expressions of the program.
pub fn read_assumption(
    file: FileId,
    text: &str,
    program: &mut Program,
) -> Result<Assumed, Vec<Diagnostic>> {
    if let Some(error) = crate::too_long(file, text) {
        return Err(vec![error]);
    }
    let mut cursor = Cursor::new(file, text, lexer::lex(text, 0..text.len()), "assumption");
    let mut exprs = Exprs::default();
    let parsed = parse(&mut cursor, &mut exprs, program);
    let Ok((hole, root)) = parsed else { return Err(cursor.sink.into_diagnostics()) };
    let mut builder = Builder::new(&exprs, std::mem::take(program), Sink::default());
    let assumed = Reader { builder: &mut builder, exprs: &exprs }.assumed(hole, root);
    *program = builder.program;
    assumed.map_err(|Reported| builder.sink.into_diagnostics())
}

/// The hole and the formula.
fn parse<'a>(
    cursor: &mut Cursor<'a, Token>,
    exprs: &mut Exprs<'a>,
    program: &Program,
) -> Parsed<(HoleId, ExprId)> {
    let mut parser = Parser::new(cursor, exprs, Mode::Assumption);
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
}

/// The status of a hole: it is running, has ended, or has had a run-time error.
#[derive(Clone, Copy)]
struct HoleStatus {
    has_ended: bool,
    has_failed: bool,
}

impl Reader<'_, '_, '_> {
    fn assumed(&mut self, hole: HoleId, root: ExprId) -> Parsed<Assumed> {
        let mut always: Vec<ExprId> = Vec::new();
        let mut ends = false;
        for part in self.conjuncts(root) {
            match self.exprs.get(part) {
                Expr::State(Quantifier::All, StateOp::Globally, inner) => always.push(*inner),
                Expr::State(Quantifier::All, StateOp::Finally, inner)
                    if matches!(self.exprs.get(*inner), Expr::End) =>
                {
                    ends = true;
                }
                _ => return Err(self.refuse(self.exprs.span(part))),
            }
        }
        let at = |has_ended: bool, has_failed: bool| HoleStatus { has_ended, has_failed };
        let inside = self.all(&always, at(false, false))?;
        let exit = self.all(&always, at(true, false))?;
        let error = self.all(&always, at(false, true))?;
        let outside = self.builder.program.data.exprs.not(inside);
        Ok(Assumed { hole, inside, outside, exit, error, ends })
    }

    fn refuse(&mut self, span: Span) -> Reported {
        self.builder.sink.error(|| {
            Diagnostic::error("this cannot be assumed of a hole", span, "not one of the forms")
                .with_help(FORMS)
        })
    }

    fn conjuncts(&self, root: ExprId) -> Vec<ExprId> {
        let mut found = Vec::new();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            match self.exprs.get(id) {
                Expr::Chain(first, rest) if rest[0].0 == Infix::And => {
                    open.extend(rest.iter().rev().map(|(_, operand)| *operand).chain([*first]));
                }
                _ => found.push(id),
            }
        }
        found
    }

    fn all(&mut self, conditions: &[ExprId], status: HoleStatus) -> Parsed<NodeId> {
        let nodes: Vec<Parsed<NodeId>> =
            conditions.iter().map(|&condition| self.condition(condition, status)).collect();
        let nodes = nodes.into_iter().collect::<Parsed<Vec<_>>>()?;
        Ok(self.builder.program.data.exprs.join(Binary::And, nodes))
    }

    /// β at a moment: `end` and `error` are then known.
    fn condition(&mut self, id: ExprId, status: HoleStatus) -> Parsed<NodeId> {
        if self.exprs.is_pure(id) {
            return self.builder.atom(id);
        }
        let known = |reader: &mut Self, value: bool| reader.builder.program.data.exprs.bool(value);
        match self.exprs.get(id) {
            Expr::End => Ok(known(self, status.has_ended)),
            Expr::Error => Ok(known(self, status.has_failed)),
            Expr::Not(a) => {
                let a = self.condition(*a, status)?;
                Ok(self.builder.program.data.exprs.not(a))
            }
            Expr::Implies(a, b) => {
                let (a, b) = (self.condition(*a, status)?, self.condition(*b, status)?);
                Ok(self.builder.program.data.exprs.implies(a, b))
            }
            Expr::Chain(first, rest) => self.chain(*first, rest, status),
            _ => Err(self.refuse(self.exprs.span(id))),
        }
    }

    fn chain(
        &mut self,
        first: ExprId,
        rest: &[(Infix, ExprId)],
        status: HoleStatus,
    ) -> Parsed<NodeId> {
        let op = match rest[0].0 {
            Infix::And => Binary::And,
            Infix::Or => Binary::Or,
            Infix::Iff => Binary::Eq,
            _ => return Err(self.refuse(self.exprs.span(first))),
        };
        let mut left = self.condition(first, status)?;
        for (_, operand) in rest {
            let right = self.condition(*operand, status)?;
            left = self.builder.program.data.exprs.binary(op, left, right);
        }
        Ok(left)
    }
}
