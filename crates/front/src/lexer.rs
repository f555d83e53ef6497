//! The tokens of `.tm` files and of all formula logics.
//!
//! A word has no dot in it: whether `a.b` is one name (`.tm`, mu, ctl), a binder with its body
//! (`mu Z.p`) or a sequence (mcf) is for the parser to say, which joins pieces that touch.

use logos::{Filter, Lexer, Logos};
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::sync::LazyLock;

/// The characters that begin a comment.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Comments {
    /// `//` and `/*`
    #[default]
    Native,
    /// Those and `%`, as in mCRL2.
    Mcrl2,
}

/// Defines an enum of tokens: those with a pattern or a callback, then those with fixed texts, `Unknown` and `End`.
macro_rules! tokens {
    (
        #[$logos:meta]
        $vis:vis $name:ident { $($(#[$meta:meta])* $token:ident,)* }
        $($fixed:ident[$($text:tt)+])*
    ) => {
        #[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
        #[$logos]
        $vis enum $name {
            $($(#[$meta])* $token,)*
            $($(#[token($text)])+ $fixed,)*
            Unknown,
            End,
        }
    };
}
pub(crate) use tokens;

tokens! {
    #[logos(skip r"[\s\u{FEFF}]+", extras = Comments)]
    pub(crate) Token {
        #[regex(r"[\p{Alphabetic}_][\p{Alphabetic}\p{N}_]*")]
        Word,
        /// Something that would be a word if it did not start with a digit.
        #[regex(r"[\p{N}--\p{Alphabetic}][\p{Alphabetic}\p{N}_]*")]
        Number,
        #[regex(r#""([^"\\\n]|\\[^\n])*""#)]
        String,
        #[token("\"", skip_line)]
        UnclosedString,
        #[token("//", line_comment)]
        #[token("/*", block_comment)]
        UnclosedComment,
        #[token("%", percent)]
        Percent,
    }
    LeftParen["("] RightParen[")"] LeftBracket["["] RightBracket["]"] LeftBrace["{"] RightBrace["}"]
    Less["<"] Greater[">"] Comma[","] Semicolon[";"] Colon[":"] Dot["."] Bang["!"] Question["?"]
    And["&" "&&"] Bar["|"] BarBar["||"] Arrow["->"] MayArrow["?>"] MustArrow["!>"] FatArrow["=>"]
    Iff["<->"] Minus["-"] Plus["+"] Star["*"] Prime["'"] At["@"] Equals["="]
}

fn skip_line<'s, T: Logos<'s, Source = str>>(lexer: &mut Lexer<'s, T>) {
    let rest = lexer.remainder();
    lexer.bump(rest.find('\n').unwrap_or(rest.len()));
}

pub(crate) fn line_comment<'s, T: Logos<'s, Source = str>>(lexer: &mut Lexer<'s, T>) -> Filter<()> {
    skip_line(lexer);
    Filter::Skip
}

pub(crate) fn block_comment<'s, T: Logos<'s, Source = str>>(
    lexer: &mut Lexer<'s, T>,
) -> Filter<()> {
    comment_up_to("*/", lexer)
}

pub(crate) fn comment_up_to<'s, T: Logos<'s, Source = str>>(
    close: &str,
    lexer: &mut Lexer<'s, T>,
) -> Filter<()> {
    let rest = lexer.remainder();
    match rest.find(close) {
        Some(end) => {
            lexer.bump(end + close.len());
            Filter::Skip
        }
        None => {
            lexer.bump(rest.len());
            Filter::Emit(())
        }
    }
}

fn percent(lexer: &mut Lexer<Token>) -> Filter<()> {
    match lexer.extras {
        Comments::Native => Filter::Emit(()),
        Comments::Mcrl2 => line_comment(lexer),
    }
}

/// A kind of token that a [`Cursor`](crate::cursor::Cursor) can walk along.
pub(crate) trait TokenKind: Copy + PartialEq {
    /// The end of the text.
    const END: Self;
    /// Characters that are no token.
    const UNKNOWN: Self;

    /// The name of a token whose text would not tell.
    fn title(self) -> Option<&'static str>;

    /// Help for a token that stands where it does not belong.
    fn help(self) -> Option<&'static str>;
}

impl TokenKind for Token {
    const END: Self = Token::End;
    const UNKNOWN: Self = Token::Unknown;

    fn title(self) -> Option<&'static str> {
        match self {
            Token::UnclosedString => Some("a string that is not closed"),
            Token::UnclosedComment => Some("a comment that is not closed"),
            _ => None,
        }
    }

    fn help(self) -> Option<&'static str> {
        match self {
            Token::Number => Some("names start with a letter or `_`: put one before the digit"),
            Token::UnclosedString => Some("close it with `\"` on the same line"),
            Token::UnclosedComment => Some("close it with `*/`"),
            Token::Percent => Some("comments are written `// …` or `/* … */`"),
            Token::Unknown => Some("this character has no meaning here: take it out"),
            _ => None,
        }
    }
}

/// A token and where it stands in the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexeme<T = Token> {
    pub token: T,
    pub start: u32,
    pub end: u32,
}

impl<T> Lexeme<T> {
    pub fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The tokens of a part of the text, with an [`End`](Token::End) of no width behind the last one.
pub(crate) fn lex(text: &str, part: Range<usize>, comments: Comments) -> Vec<Lexeme> {
    let lexer = Token::lexer_with_extras(&text[part.clone()], comments);
    lexemes(lexer, part.start)
}

/// All that a lexer finds in a part of a text that begins here, with an end of no width behind the last one.
pub(crate) fn lexemes<'s, T>(mut lexer: Lexer<'s, T>, offset: usize) -> Vec<Lexeme<T>>
where
    T: TokenKind + Logos<'s, Source = str>,
{
    let mut lexemes: Vec<Lexeme<T>> = Vec::new();
    while let Some(token) = lexer.next() {
        let span = lexer.span();
        let (start, end) = ((offset + span.start) as u32, (offset + span.end) as u32);
        lexemes.push(Lexeme { token: token.unwrap_or(T::UNKNOWN), start, end });
    }
    let end = lexemes.last().map_or(offset as u32, |last| last.end);
    lexemes.push(Lexeme { token: T::END, start: end, end });
    lexemes
}

/// The text of a string literal. The escapes are those of Rust's debug output.
pub(crate) fn unescape(literal: &str) -> String {
    let inner = literal.trim_start_matches('"');
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    let mut text = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        let escaped = if c == '\\' { chars.next() } else { None };
        match escaped {
            None => text.push(c),
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some('0') => text.push('\0'),
            Some('u') => text.extend(code_point(&mut chars)),
            Some(other) => text.push(other),
        }
    }
    text
}

/// `{1F600}`, or else nothing is read and the letter `u` stands for itself.
fn code_point(chars: &mut std::str::Chars) -> Option<char> {
    let digits = chars.as_str().strip_prefix('{').and_then(|rest| rest.split_once('}'));
    let found = digits.and_then(|(hex, rest)| {
        let c = u32::from_str_radix(hex, 16).ok().and_then(char::from_u32)?;
        Some((c, rest))
    });
    match found {
        Some((c, rest)) => {
            *chars = rest.chars();
            Some(c)
        }
        None => Some('u'),
    }
}

/// A list of words, which stand with spaces between them.
pub(crate) type Words = LazyLock<FxHashSet<&'static str>>;

pub(crate) fn words(text: &'static str) -> FxHashSet<&'static str> {
    text.split_ascii_whitespace().collect()
}

/// Whether the text can be written as a name: letters, digits, `_`, `.`, not starting with a digit.
pub(crate) fn is_name(text: &str) -> bool {
    let letter = |c: char| c.is_alphabetic() || c == '_';
    let all_legal = text.chars().all(|c| letter(c) || c.is_numeric() || c == '.');
    let starts_well = text.starts_with(|c| letter(c) || c == '.');
    starts_well && all_legal && text.contains(|c| c != '.')
}

#[cfg(test)]
mod tests {
    use super::Token::*;
    use super::*;

    fn tokens(text: &str) -> Vec<Token> {
        lex(text, 0..text.len(), Comments::Native).into_iter().map(|lexeme| lexeme.token).collect()
    }

    #[test]
    fn longest_match_and_comments() {
        assert_eq!(tokens("-a?> b"), [Minus, Word, MayArrow, Word, End]);
        assert_eq!(tokens("<-><a>->"), [Iff, Less, Word, Greater, Arrow, End]);
        assert_eq!(tokens("a.b // c\n/* d * / **/ ..."), [Word, Dot, Word, Dot, Dot, Dot, End]);
        assert_eq!(
            tokens("é2 2é § \"a\\\"b\" \"c"),
            [Word, Number, Unknown, String, UnclosedString, End]
        );
        assert_eq!(tokens("x /* y"), [Word, UnclosedComment, End]);
    }

    #[test]
    fn percent_comments_end_with_the_line() {
        let text = "a % \"b /* c\n\"%\" d % e";
        let lexemes = lex(text, 0..text.len(), Comments::Mcrl2);
        let left: Vec<_> = lexemes.iter().map(|lexeme| &text[lexeme.range()]).collect();
        assert_eq!(left, ["a", "\"%\"", "d", ""]);
    }

    #[test]
    fn escapes_undo_debug_output() {
        for text in ["send(1)", "a\"b\\c", "tab\t\n\u{1}é", "", "\\u", "u{61}"] {
            assert_eq!(unescape(&format!("{text:?}")), text);
        }
        assert_eq!(unescape(r#""\u{zz}\q""#), "u{zz}q");
    }

    #[test]
    fn what_is_a_name() {
        for name in ["a", "_", "s.x", "é1", ".x", "a."] {
            assert!(is_name(name), "{name}");
        }
        for other in ["", "1a", ".", "...", "a b", "a-b", "s0,t0"] {
            assert!(!is_name(other), "{other}");
        }
    }
}
