//! The tokens of Promela and of its preprocessor.

use crate::lexer::{block_comment, line_comment, tokens};
use logos::Logos;
use support::{FileId, Span};

tokens! {
    #[logos(skip r"([ \t\r\x0b\x0c\u{FEFF}]|\\\r?\n)+")]
    pub(super) Token {
        #[token("\n")]
        Newline,
        #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
        Word,
        #[regex(r"[0-9]+")]
        Number,
        #[regex(r#""([^"\\\n]|\\[^\n])*""#)]
        String,
        #[regex(r"'([^'\\\n]|\\[^\n])'")]
        Character,
        #[token("//", line_comment)]
        #[token("/*", block_comment)]
        UnclosedComment,
    }
    Hash["#"] LeftParen["("] RightParen[")"] LeftBracket["["] RightBracket["]"] LeftBrace["{"]
    RightBrace["}"] Comma[","] Semicolon[";"] Colon[":"] ColonColon["::"] Dot["."] DotDot[".."]
    At["@"] Arrow["->"] Iff["<->"] FatArrow["=>"] Bang["!"] BangBang["!!"] Question["?"]
    QuestionQuestion["??"] Becomes["="] Equal["=="] NotEqual["!="] Less["<"] LessEqual["<="]
    Greater[">"] GreaterEqual[">="] ShiftLeft["<<"] ShiftRight[">>"] And["&"] AndAnd["&&"] Bar["|"]
    BarBar["||"] Caret["^"] Tilde["~"] Plus["+"] PlusPlus["++"] Minus["-"] MinusMinus["--"]
    Star["*"] Slash["/"] Percent["%"]
}

impl Token {
    /// The name in messages of a token whose text would not tell.
    pub fn title(self) -> Option<&'static str> {
        match self {
            Token::UnclosedComment => Some("a comment that is not closed"),
            Token::End => Some("the end of the text"),
            _ => None,
        }
    }

    /// The help for a token that does not belong where it stands.
    pub fn help(self) -> Option<&'static str> {
        match self {
            Token::UnclosedComment => Some("close it with `*/`"),
            Token::Hash => Some("a directive such as `#define` begins a line"),
            Token::Unknown => Some("this character has no meaning here: take it out"),
            _ => None,
        }
    }
}

/// A token, its text, and where the user wrote it: for what a macro stands for, where the macro is used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexeme<'a> {
    pub token: Token,
    pub text: &'a str,
    pub span: Span,
    /// Whether it is the first one on its line.
    pub starts_line: bool,
}

/// The tokens of a text, with an [`End`](Token::End) behind the last one, on a line of its own.
pub(super) fn lex(file: FileId, text: &str) -> Vec<Lexeme<'_>> {
    let mut lexemes = Vec::new();
    let mut starts_line = true;
    let mut lexer = Token::lexer(text);
    while let Some(token) = lexer.next() {
        let token = token.unwrap_or(Token::Unknown);
        if token != Token::Newline {
            let span = Span::new(file, lexer.span());
            lexemes.push(Lexeme { token, text: lexer.slice(), span, starts_line });
        }
        starts_line = token == Token::Newline;
    }
    let end = lexemes.last().map_or(0, |last| last.span.end as usize);
    let span = Span::new(file, end..end);
    lexemes.push(Lexeme { token: Token::End, text: "", span, starts_line: true });
    lexemes
}

#[cfg(test)]
mod tests {
    use super::Token::*;
    use super::*;

    fn tokens(text: &str) -> Vec<Token> {
        lex(FileId(0), text).into_iter().map(|lexeme| lexeme.token).collect()
    }

    #[test]
    fn operators_are_as_long_as_they_can_be() {
        assert_eq!(
            tokens("c??[x]"),
            [Word, QuestionQuestion, LeftBracket, Word, RightBracket, End]
        );
        assert_eq!(tokens("a--b->c"), [Word, MinusMinus, Word, Arrow, Word, End]);
        assert_eq!(
            tokens("0..3 :: x:y"),
            [Number, DotDot, Number, ColonColon, Word, Colon, Word, End]
        );
    }

    #[test]
    fn comments_and_lines() {
        assert_eq!(tokens("a // b\nc /* d\n */ e /* f"), [Word, Word, Word, UnclosedComment, End]);
        let lines: Vec<bool> =
            lex(FileId(0), "a \\\n b /*\n*/ c\nd").iter().map(|l| l.starts_line).collect();
        assert_eq!(lines, [true, false, false, true, true]);
    }
}
