//! The texts that `printf` and `printm` print, with values for what the state determines.

use super::super::program::{ExprId, PromelaModel, VarType};
use super::Encoder;
use crate::document::{PrintPart, PrintStyle};
use transition::VarId as StateId;

impl Encoder<'_> {
    /// The variables and the fields of messages that hold an `mtype`, if there is only one set of them.
    pub(super) fn vars_of_messages(&self) -> Vec<StateId> {
        let program = self.program;
        if message_names(program).len() != program.message_values.len() {
            return Vec::new();
        }
        let vars = program.vars.iter().filter(|(_, var)| var.ty == VarType::Mtype);
        let mut named: Vec<StateId> = vars.map(|(id, _)| self.layout.vars[id]).collect();
        for (id, channel) in program.channels.iter() {
            for slot in &self.layout.channels[id].slots {
                let fields = slot.iter().zip(&channel.fields);
                named.extend(fields.filter(|(_, ty)| **ty == VarType::Mtype).map(|(var, _)| *var));
            }
        }
        named
    }

    /// The parts of a text. A conversion without an argument stays as it is written.
    pub(super) fn printed(&mut self, format: &str, arguments: &[ExprId]) -> Vec<PrintPart> {
        let mut parts = Vec::new();
        let mut text = String::new();
        let (mut chars, mut arguments) = (format.chars(), arguments.iter());
        while let Some(c) = chars.next() {
            let style = match (c, chars.clone().next()) {
                ('\\', Some('n' | 't' | '\\' | '"')) => {
                    text.push(match chars.next() {
                        Some('n') => '\n',
                        Some('t') => '\t',
                        other => other.unwrap_or_default(),
                    });
                    continue;
                }
                ('%', Some('%')) => {
                    chars.next();
                    text.push('%');
                    continue;
                }
                ('%', Some('d' | 'u')) => PrintStyle::Decimal,
                ('%', Some('x')) => PrintStyle::Hexadecimal,
                ('%', Some('o')) => PrintStyle::Octal,
                ('%', Some('c')) => PrintStyle::Character,
                ('%', Some('e')) => PrintStyle::Name(message_names(self.program)),
                _ => {
                    text.push(c);
                    continue;
                }
            };
            let Some(&value) = arguments.next() else {
                text.push(c);
                continue;
            };
            chars.next();
            parts.push(PrintPart::Text(std::mem::take(&mut text)));
            parts.push(PrintPart::Value(self.value(value), style));
        }
        parts.push(PrintPart::Text(text));
        parts.retain(|part| !matches!(part, PrintPart::Text(text) if text.is_empty()));
        parts
    }
}

/// The names of the values of `mtype`. Where several sets have a value, that of the first one counts.
pub(super) fn message_names(program: &PromelaModel) -> Vec<(i64, String)> {
    let mut names: Vec<(i64, String)> = Vec::new();
    for (id, &value) in program.message_values.iter() {
        if names.iter().all(|(known, _)| *known != value.into()) {
            names.push((value.into(), program.messages.name(id).to_owned()));
        }
    }
    names
}
