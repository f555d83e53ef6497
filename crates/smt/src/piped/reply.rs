//! Replies of solvers: words and lists. Anything may come, so nothing is taken for granted.

/// Lists within lists that are looked into; no answer to our questions has more than four.
const DEPTH: usize = 16;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    Word(String),
    List(Vec<Reply>),
}

impl Reply {
    /// The first thing in a text, if it is complete.
    pub fn first(text: &str) -> Option<Reply> {
        read(&mut words(text), 0)
    }

    pub fn list(&self) -> Option<&[Reply]> {
        match self {
            Reply::List(items) => Some(items),
            Reply::Word(_) => None,
        }
    }

    pub fn word(&self) -> Option<&str> {
        match self {
            Reply::Word(word) => Some(word),
            Reply::List(_) => None,
        }
    }

    /// A whole number, as `5`, `-5` or `(- 5)`.
    pub fn number(&self) -> Option<i128> {
        match self {
            Reply::Word(word) => word.parse().ok(),
            Reply::List(items) => match &items[..] {
                [Reply::Word(minus), Reply::Word(size)] if minus == "-" => {
                    size.parse().ok().and_then(i128::checked_neg)
                }
                _ => None,
            },
        }
    }
}

/// The parentheses and what stands between them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let pieces = text.split_inclusive(|c: char| c.is_whitespace() || c == '(' || c == ')');
    pieces.flat_map(|piece| {
        let split =
            piece.trim_end_matches(|c: char| c.is_whitespace() || c == '(' || c == ')').len();
        let (word, end) = piece.split_at(split);
        [word, end.trim()].into_iter().filter(|word| !word.is_empty())
    })
}

fn read<'t>(words: &mut impl Iterator<Item = &'t str>, depth: usize) -> Option<Reply> {
    match words.next()? {
        "(" => list(words, depth + 1),
        ")" => None,
        word => Some(Reply::Word(word.to_owned())),
    }
}

/// Reads a list behind its opening parenthesis.
fn list<'t>(words: &mut impl Iterator<Item = &'t str>, depth: usize) -> Option<Reply> {
    if depth > DEPTH {
        return None;
    }
    let mut items = Vec::new();
    loop {
        items.push(match words.next()? {
            "(" => list(words, depth + 1)?,
            ")" => return Some(Reply::List(items)),
            word => Reply::Word(word.to_owned()),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_solvers_print_them() {
        let reply = Reply::first("((v0 5)\n (v1 (- 3))(v2 -7))\n").expect("a list");
        let values: Vec<Option<i128>> =
            reply.list().expect("a list").iter().map(|p| p.list()?.get(1)?.number()).collect();
        assert_eq!(values, [Some(5), Some(-3), Some(-7)]);
    }

    #[test]
    fn rubbish_is_nothing() {
        for text in ["", ")", "(a (b)", "((((((((((((((((((((1))))))))))))))))))))", "("] {
            assert_eq!(Reply::first(text), None, "{text:?}");
        }
        assert_eq!(Reply::first("sat rest"), Some(Reply::Word("sat".to_owned())));
        assert_eq!(Reply::first("(- 1 2)").and_then(|reply| reply.number()), None);
    }
}
