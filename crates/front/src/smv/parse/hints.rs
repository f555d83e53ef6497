//! Messages about expressions: what was expected, what stood there, what to do.

use super::Parser;
use crate::sink::Reported;
use crate::smv::lexer::{Token, is_reserved};

const PROMELA: &str = "`[]` and `<>` are Promela's operators; write `G` and `F`";

impl Parser<'_, '_> {
    pub(super) fn unexpected_operand(&mut self) -> Reported {
        let last = self.text(self.cursor.last_span());
        let is_linear = self.logic.is_some_and(logic::Logic::has_linear_operators);
        let next = self.cursor.peek_at(1);
        let help = match (self.cursor.peek(), self.word()) {
            (Token::RightBracket, _) if is_linear && last == "[" => PROMELA.to_owned(),
            (Token::Less, _) if is_linear && next == Token::Greater => PROMELA.to_owned(),
            (_, Some("init")) => "`init` stands on the left of an assignment only".to_owned(),
            (Token::Less, _) => {
                "modalities belong to `MUSPEC`; in CTL write `EX f` or `AX f`".to_owned()
            }
            (_, Some("F" | "G" | "X")) => {
                "CTL has path quantifiers: write `AG f` or `EF f`".to_owned()
            }
            (_, Some(word)) if is_reserved(word) => {
                format!("something is missing before `{word}`, which is a reserved word")
            }
            _ => format!("something is missing after `{last}`"),
        };
        self.cursor.unexpected("an expression", Some(&help))
    }

    /// Help for a token that cannot follow an expression.
    pub(super) fn help_after(&self) -> Option<String> {
        let last = self.text(self.cursor.last_span());
        match (self.cursor.peek(), self.word()) {
            (Token::RightParen, _) => Some("this parenthesis was never opened".to_owned()),
            (Token::Becomes, _) => Some("equality is written `=`".to_owned()),
            (_, Some(word @ ("U" | "R" | "V" | "W"))) => {
                Some(format!("`{word}` stands in brackets behind a quantifier: `A[f {word} g]`"))
            }
            (_, Some("esac")) => Some("every branch of a `case` ends with `;`".to_owned()),
            (Token::Word | Token::LeftParen | Token::Bang, _)
                if matches!(last, "F" | "G" | "X") =>
            {
                Some(format!("CTL has path quantifiers: write `A{last} f` or `E{last} f`"))
            }
            (_, Some("and")) => Some("\"and\" is written `&`".to_owned()),
            (_, Some("or")) => Some("\"or\" is written `|`".to_owned()),
            (Token::DotDot, _) => Some("bounds of a range are numbers: `1..5`".to_owned()),
            (Token::Word | Token::LeftParen, _) if last == "not" => {
                Some("\"not\" is written `!`".to_owned())
            }
            (Token::Word | Token::LeftParen | Token::Number, _) => {
                Some("put an operator or a `;` between the two expressions".to_owned())
            }
            _ => None,
        }
    }
}
