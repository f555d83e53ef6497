//! The tokens of SMV.

use crate::lexer::{Lexeme, TokenKind, Words, comment_up_to, lexemes, line_comment, tokens, words};
use logos::Logos;

tokens! {
    #[logos(skip r"[\s\u{FEFF}]+")]
    pub(super) Token {
        /// A name or a reserved word. A minus sign can be part of it.
        #[regex(r"[A-Za-z_][A-Za-z0-9_$#\\-]*")]
        Word,
        #[regex(r"[0-9]+")]
        Number,
        /// `0ud8_255` and its relatives.
        #[regex(r"0[uUsS]?[bBoOdDhH][0-9]*_[0-9a-fA-F_]+")]
        WordConstant,
        #[regex(r"[0-9]+\.[0-9]+([eE][+-]?[0-9]+)?")]
        Real,
        #[token("--", line_comment)]
        #[token("/--", |lexer| comment_up_to("--/", lexer))]
        UnclosedComment,
        #[regex(r#""[^"\n]*""#)]
        String,
    }
    LeftParen["("] RightParen[")"] LeftBracket["["] RightBracket["]"] LeftBrace["{"] RightBrace["}"]
    Comma[","] Semicolon[";"] Colon[":"] ColonColon["::"] Becomes[":="] Dot["."] DotDot[".."]
    Question["?"] Bang["!"] And["&"] AndAnd["&&"] Bar["|"] BarBar["||"] Arrow["->"] Iff["<->"]
    Equal["="] EqualEqual["=="] NotEqual["!="] Less["<"] LessEqual["<="] Greater[">"]
    GreaterEqual[">="] ShiftLeft["<<"] ShiftRight[">>"] Plus["+"] Minus["-"] Star["*"] Slash["/"]
}

impl TokenKind for Token {
    const END: Self = Token::End;
    const UNKNOWN: Self = Token::Unknown;

    fn title(self) -> Option<&'static str> {
        (self == Token::UnclosedComment).then_some("a comment that is not closed")
    }

    fn help(self) -> Option<&'static str> {
        match self {
            Token::UnclosedComment => Some("close it with `--/`"),
            Token::AndAnd => Some("\"and\" is written `&`"),
            Token::BarBar => Some("\"or\" is written `|`"),
            Token::EqualEqual => Some("equality is written `=`"),
            Token::Real => Some("all numbers are integers: systems have finitely many states"),
            Token::String => Some("SMV has no strings: take the quotes away"),
            Token::Unknown => Some("this character has no meaning here: take it out"),
            _ => None,
        }
    }
}

/// The tokens of a text, with an [`End`](Token::End) of no width behind the last one.
pub(super) fn lex(text: &str) -> Vec<Lexeme<Token>> {
    let mut lexemes = lexemes(Token::lexer(text), 0);
    for index in 1..lexemes.len() {
        let (before, next) = (lexemes[index - 1], lexemes[index]);
        let touches = before.token == Token::Word && before.end == next.start;
        // In `x->y` the minus is taken for a part of the name.
        if next.token == Token::Greater && touches && text[before.range()].ends_with('-') {
            lexemes[index - 1].end -= 1;
            lexemes[index] = Lexeme { token: Token::Arrow, start: next.start - 1, end: next.end };
        }
    }
    lexemes
}

static RESERVED: Words = Words::new(|| {
    words(
        "process array of boolean integer real word word1 bool signed unsigned extend resize sizeof \
                        toint count uwconst swconst EX AX EF AF EG AG E A U V ABF ABG EBF EBG BU case esac mod next \
                        init union in xor xnor abs max min TRUE FALSE PRED MIRROR",
    )
});

/// Words that begin a part of a module, or a module.
pub(super) static SECTIONS: Words = Words::new(|| {
    words(
        "MODULE VAR IVAR FROZENVAR DEFINE CONSTANTS ASSIGN INIT TRANS INVAR FAIRNESS JUSTICE \
                                   COMPASSION SPEC CTLSPEC INVARSPEC MUSPEC LTLSPEC PSLSPEC COMPUTE ISA MDEFINE",
    )
});

/// Words that are no names.
pub(crate) fn is_reserved(word: &str) -> bool {
    SECTIONS.contains(word) || RESERVED.contains(word)
}

pub(super) fn is_section(word: &str) -> bool {
    SECTIONS.contains(word) || matches!(word, "PRED" | "MIRROR")
}

#[cfg(test)]
mod tests {
    use super::Token::*;
    use super::*;

    fn tokens(text: &str) -> Vec<Token> {
        lex(text).into_iter().map(|lexeme| lexeme.token).collect()
    }

    #[test]
    fn names_numbers_and_ranges() {
        assert_eq!(tokens("e-1.u x-1"), [Word, Dot, Word, Word, End]);
        assert_eq!(tokens("0..3 1.5"), [Number, DotDot, Number, Real, End]);
        assert_eq!(
            tokens("0ud3_5 0b_101 0sh8_fF"),
            [WordConstant, WordConstant, WordConstant, End]
        );
        assert_eq!(tokens("x:=y::z:w"), [Word, Becomes, Word, ColonColon, Word, Colon, Word, End]);
    }

    #[test]
    fn implications_need_no_space() {
        assert_eq!(tokens("x->y"), [Word, Arrow, Word, End]);
        let lexemes = lex("x->y");
        assert_eq!((lexemes[0].range(), lexemes[1].range()), (0..1, 1..3));
        assert_eq!(tokens("x<->y <- >"), [Word, Iff, Word, Less, Minus, Greater, End]);
    }

    #[test]
    fn comments() {
        assert_eq!(tokens("a -- b\nc /-- d\n-- e --/ f"), [Word, Word, Word, End]);
        assert_eq!(tokens("a /-- b"), [Word, UnclosedComment, End]);
    }
}
