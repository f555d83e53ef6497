//! Writes a while-program in one layout: a command a line, two spaces a level, comments where they were.
//!
//! The tokens stay as they are, and only what stands between them changes. So nothing that a comment says gets lost,
//! and a text that is laid out already stays the same.

use super::lexer::{Token, is_keyword, is_operator_word, lex};

/// The text of a program, which can be read, laid out.
pub fn write_while(text: &str) -> String {
    let mut writer = Writer::default();
    let mut end = 0;
    for lexeme in lex(text, 0..text.len()) {
        let range = lexeme.range();
        let token_text = WrittenToken { token: lexeme.token, text: &text[range.clone()] };
        writer.put(token_text, &text[end..range.start]);
        end = range.end;
    }
    let rest = &text[end..];
    writer.comments(rest, true);
    let mut out = writer.out.trim_end().to_owned();
    out.push('\n');
    out
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct WrittenToken<'a> {
    token: Token,
    text: &'a str,
}

impl WrittenToken<'_> {
    fn is(self, words: &[&str]) -> bool {
        self.token == Token::Word && words.contains(&self.text)
    }

    /// Whether an operand can end here, so that a minus behind it is a subtraction.
    fn ends_operand(self) -> bool {
        match self.token {
            Token::Word => !is_keyword(self.text) && !is_operator_word(self.text),
            Token::Number | Token::RightParen | Token::RightBracket => true,
            _ => false,
        }
    }
}

#[derive(Default)]
struct Writer<'a> {
    out: String,
    depth: usize,
    /// The last piece, and the one before it.
    last: Option<WrittenToken<'a>>,
    before: Option<WrittenToken<'a>>,
    /// Whether the last piece is a minus or the like that belongs to what follows.
    is_sign: bool,
    /// `var`, `proc` or `property`, up to its end.
    heading: Option<&'a str>,
    /// The braces that are open: whether they are those of a procedure or process.
    braces: Vec<bool>,
    /// Whether the last piece is the dot behind the variable of a fixpoint.
    is_binder: bool,
    /// Whether the last piece is a brace of a procedure or process.
    is_block: bool,
    /// A line has to end here, because a comment does.
    must_break: bool,
}

impl<'a> Writer<'a> {
    fn put(&mut self, token_text: WrittenToken<'a>, gap: &str) {
        if token_text.token == Token::End {
            return self.comments(gap, true);
        }
        let opens_block = token_text.token == Token::LeftBrace && self.is_before_block();
        let closes_block =
            token_text.token == Token::RightBrace && self.braces.last().copied().unwrap_or(false);
        let breaks = self.breaks_before(token_text, closes_block);
        self.comments(gap, breaks);
        let closes = token_text.is(&["fi", "od", "else"]) || closes_block;
        if closes {
            self.depth = self.depth.saturating_sub(1);
        }
        self.separate(token_text, breaks, gap, closes);
        self.is_sign = match token_text.token {
            Token::Bang => true,
            Token::Minus => !self.last.is_some_and(WrittenToken::ends_operand),
            _ => false,
        };
        self.out.push_str(token_text.text);
        self.follow(token_text, opens_block, closes_block);
    }

    /// Whether a brace here is that of a procedure or process.
    fn is_before_block(&self) -> bool {
        self.last.is_some_and(|last| last.token == Token::RightParen)
            || self.before.is_some_and(|before| before.is(&["process"]))
    }

    /// Updates the layout after this piece.
    fn follow(&mut self, token_text: WrittenToken<'a>, opens_block: bool, closes_block: bool) {
        self.is_block = opens_block || closes_block;
        if token_text.is(&["then", "else", "do"]) || opens_block {
            self.depth += 1;
        }
        match token_text.token {
            Token::LeftBrace => self.braces.push(opens_block),
            Token::RightBrace => drop(self.braces.pop()),
            _ => {}
        }
        if token_text.is(&["var", "proc", "property"]) {
            self.heading = Some(token_text.text);
        } else if token_text.token == Token::Semicolon || opens_block {
            self.heading = None;
        }
        self.is_binder = token_text.token == Token::Dot
            && self.before.is_some_and(|before| before.is(&["mu", "nu"]));
        self.before = self.last.replace(token_text);
    }

    fn breaks_before(&self, token_text: WrittenToken, closes_block: bool) -> bool {
        let Some(last) = self.last else { return true };
        last.token == Token::Semicolon
            || last.is(&["then", "else", "do"])
            || self.is_block
            || closes_block
            || token_text.is(&[
                "fi",
                "od",
                "else",
                "var",
                "proc",
                "process",
                "predicates",
                "property",
            ])
    }

    fn separate(&mut self, token_text: WrittenToken, breaks: bool, gap: &str, closes: bool) {
        if breaks || self.must_break {
            let opened = self.last.is_some_and(|last| last.is(&["then", "else", "do"]))
                || self.last.is_some_and(|last| self.is_block && last.token == Token::LeftBrace);
            let extra = usize::from(!breaks);
            self.new_line(extra, breaks && !closes && !opened && ends_with_blank_line(gap));
        } else if self.last.is_some() && self.has_space_before(token_text) {
            self.out.push(' ');
        }
    }

    fn new_line(&mut self, extra: usize, is_apart: bool) {
        self.must_break = false;
        self.out.truncate(self.out.trim_end_matches([' ', '\n']).len());
        if !self.out.is_empty() {
            self.out.push_str(if is_apart { "\n\n" } else { "\n" });
        }
        self.out.push_str(&"  ".repeat(self.depth + extra));
    }

    /// Writes the comments between two pieces: behind what stands before them, if they began on its line.
    fn comments(&mut self, gap: &str, breaks: bool) {
        let mut rest = gap;
        while let Some(start) = rest.find('/') {
            let (space, comment) = rest.split_at(start);
            let is_line = comment.starts_with("//");
            let end = match is_line {
                true => comment.find('\n').unwrap_or(comment.len()),
                false => comment.find("*/").map_or(comment.len(), |end| end + 2),
            };
            let (comment, after) = comment.split_at(end);
            let ends_line =
                is_line || after.trim_start_matches([' ', '\t', '\r']).starts_with('\n');
            self.comment(comment.trim_end(), space, breaks);
            self.must_break = ends_line;
            rest = after;
        }
    }

    fn comment(&mut self, comment: &str, space: &str, breaks: bool) {
        let is_own = space.contains('\n') || self.last.is_none() && self.out.is_empty();
        if is_own || self.must_break {
            let extra = usize::from(!breaks && self.last.is_some());
            self.new_line(extra, space.matches('\n').count() > 1);
        } else if !self.out.ends_with(['\n', ' ']) && !self.out.is_empty() {
            self.out.push_str(if breaks { "  " } else { " " });
        }
        self.out.push_str(comment);
    }

    fn has_space_before(&self, token_text: WrittenToken) -> bool {
        let Some(last) = self.last else { return false };
        match (last.token, token_text.token) {
            _ if self.is_sign => false,
            (_, Token::Comma | Token::Semicolon | Token::RightParen | Token::RightBracket) => false,
            (_, Token::RightBrace | Token::DotDot | Token::Dot) => false,
            (Token::Dot, _) => self.is_binder,
            (Token::LeftParen | Token::LeftBracket | Token::LeftBrace | Token::DotDot, _) => false,
            (Token::Less, Token::Greater) => false,
            (_, Token::Colon) => matches!(self.heading, Some("var" | "proc")),
            (Token::Word, Token::LeftParen) => !last.ends_operand(),
            (Token::Word, Token::LeftBracket) => !(last.ends_operand() || last.is(&["A", "E"])),
            _ => true,
        }
    }
}

/// Whether there is a line without anything just before what follows.
fn ends_with_blank_line(gap: &str) -> bool {
    let blank = gap.len() - gap.trim_end().len();
    gap[gap.len() - blank..].matches('\n').count() > 1
}
