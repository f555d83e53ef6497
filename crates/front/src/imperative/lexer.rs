//! The tokens of while-programs.

use crate::lexer::{Lexeme, TokenKind, Words, block_comment, lexemes, line_comment, tokens, words};
use logos::Logos;
use std::ops::Range;

tokens! {
    #[logos(skip r"[\s\u{FEFF}]+")]
    pub(super) Token {
        #[regex(r"[\p{Alphabetic}_][\p{Alphabetic}\p{N}_]*")]
        Word,
        #[regex(r"[0-9]+")]
        Number,
        #[regex(r#""([^"\\\n]|\\[^\n])*""#)]
        String,
        #[token("//", line_comment)]
        #[token("/*", block_comment)]
        UnclosedComment,
    }
    LeftParen["("] RightParen[")"] LeftBracket["["] RightBracket["]"] LeftBrace["{"] RightBrace["}"]
    Comma[","] Semicolon[";"] Colon[":"] Becomes[":="] Dot["."] DotDot[".."] Bang["!"] And["&" "&&"]
    Bar["|" "||"] Arrow["->" "=>"] Iff["<->"] Equal["=" "=="] NotEqual["!="] Less["<"]
    LessEqual["<="] Greater[">"] GreaterEqual[">="] Plus["+"] Minus["-"] Star["*"] Slash["/"]
    Percent["%"]
}

impl TokenKind for Token {
    const END: Self = Token::End;
    const UNKNOWN: Self = Token::Unknown;

    fn title(self) -> Option<&'static str> {
        match self {
            Token::UnclosedComment => Some("a comment that is not closed"),
            _ => None,
        }
    }

    fn help(self) -> Option<&'static str> {
        match self {
            Token::UnclosedComment => Some("close it with `*/`"),
            Token::Unknown => Some("this character has no meaning here: take it out"),
            _ => None,
        }
    }
}

/// The tokens of a part of a text, with an [`End`](Token::End) of no width behind the last one.
pub(super) fn lex(text: &str, part: Range<usize>) -> Vec<Lexeme<Token>> {
    lexemes(Token::lexer(&text[part.clone()]), part.start)
}

/// A part of a text on one line and without comments.
pub(super) fn folded(text: &str, part: Range<usize>) -> String {
    let mut folded = String::new();
    let mut last = part.start as u32;
    for lexeme in lex(text, part) {
        if lexeme.start > last && !folded.is_empty() && lexeme.token != Token::End {
            folded.push(' ');
        }
        folded.push_str(&text[lexeme.range()]);
        last = lexeme.end;
    }
    folded
}

/// Words that mean something in commands and declarations.
static KEYWORDS: Words = Words::new(|| {
    words(
        "var bool int array of proc in out process predicates if then else fi while do od skip assume \
                        assert break continue return fin hole any property true false not and or",
    )
});

/// Words that mean something in formulas, or in what is assumed of a hole.
static FORMULA_WORDS: Words =
    Words::new(|| words("AX EX AF EF AG EG A E U R V W mu nu error end mod"));

pub(super) fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(word)
}

/// Words that stand between operands or before one.
pub(super) fn is_operator_word(word: &str) -> bool {
    FORMULA_WORDS.contains(word) && !matches!(word, "error" | "end")
}

/// Whether nothing may be called so.
pub(super) fn is_reserved(word: &str) -> bool {
    is_keyword(word) || FORMULA_WORDS.contains(word)
}

#[cfg(test)]
mod tests {
    use super::Token::*;
    use super::*;

    fn tokens(text: &str) -> Vec<Token> {
        lex(text, 0..text.len()).into_iter().map(|lexeme| lexeme.token).collect()
    }

    #[test]
    fn operators_are_as_long_as_they_can_be() {
        assert_eq!(tokens("a:=b==c<->d"), [Word, Becomes, Word, Equal, Word, Iff, Word, End]);
        assert_eq!(
            tokens("0..7 x<=-1"),
            [Number, DotDot, Number, Word, LessEqual, Minus, Number, End]
        );
        assert_eq!(tokens("a // b\n/* c */ && /* d"), [Word, And, UnclosedComment, End]);
    }

    #[test]
    fn folding_takes_comments_and_lines_out() {
        let text = "AG  (x = 1 // one\n   &  y) /* two */";
        assert_eq!(folded(text, 0..text.len()), "AG (x = 1 & y)");
    }
}
