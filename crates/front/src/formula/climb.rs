//! Infix operators with precedence, in loops.

use super::FormulaParser;
use crate::sink::Parsed;

/// Parses operands with infix operators between them, `L` from the loosest to the tightest.
///
/// A run of one operator becomes one list for `join`, however long it is.
pub(super) fn climb<'c, 'a, T, L: Copy + Ord>(
    parser: &mut FormulaParser<'c, 'a>,
    operand: impl Fn(&mut FormulaParser<'c, 'a>) -> Parsed<T>,
    infix: impl Fn(&FormulaParser<'c, 'a>) -> Option<L>,
    join: impl Fn(&mut FormulaParser<'c, 'a>, L, Vec<T>) -> Parsed<T>,
) -> Parsed<T> {
    // Runs that are still open, tighter ones last.
    let mut open: Vec<(L, Vec<T>)> = Vec::new();
    loop {
        let mut latest = operand(parser)?;
        let next = infix(parser);
        while let Some((level, mut run)) = open.pop_if(|(level, _)| Some(*level) > next) {
            run.push(latest);
            latest = join(parser, level, run)?;
        }
        let Some(next) = next else { return Ok(latest) };
        parser.cursor.bump();
        match open.last_mut() {
            Some((level, run)) if *level == next => run.push(latest),
            _ => open.push((next, vec![latest])),
        }
    }
}

/// Joins the items of an associative operator into a tree of logarithmic depth, order kept.
pub(super) fn balanced<T>(mut items: Vec<T>, mut join: impl FnMut(T, T) -> T) -> Option<T> {
    while items.len() > 1 {
        let mut rest = items.into_iter();
        items = Vec::with_capacity(rest.len().div_ceil(2));
        while let Some(first) = rest.next() {
            items.push(match rest.next() {
                Some(second) => join(first, second),
                None => first,
            });
        }
    }
    items.pop()
}

#[cfg(test)]
mod tests {
    use super::balanced;

    #[test]
    fn balanced_trees_keep_the_order() {
        let join = |a: String, b: String| format!("({a}{b})");
        let letters = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
        assert_eq!(balanced(letters("abcde"), join).as_deref(), Some("(((ab)(cd))e)"));
        assert_eq!(balanced(letters("a"), join).as_deref(), Some("a"));
        assert_eq!(balanced(letters(""), join), None);
    }
}
