//! While-programs (paper M): commands over variables with finitely many values, in one sequence or in processes, or
//! over integers.

mod assume;
mod ast;
mod build;
mod complaints;
mod document;
mod fairness;
mod integers;
mod kind;
mod lexer;
mod parse;
mod partition;
mod symbols;
mod write;

pub use assume::read_assumption;
pub use integers::{IntegerDomain, IntegerStart, IntegerVariable, OpenProgram};
pub use partition::{GivenCuts, draw_partition, read_partition, write_partition};
use write::write_while;

use crate::cursor::Cursor;
use crate::document::{Document, Form, GivenQuestion, ProgramForm};
use crate::language::{
    Language, ProcessFairness, Reading, SourceText, begins_with_word, behind_comments,
    without_processes,
};
use crate::sink::Sink;
use crate::too_long_texts;
use build::Compiled;
use document::machine_of_program;
use fairness::on_strongly_fair_runs;
use kind::ProgramKind;
use std::sync::Arc;
use support::{Diagnostic, FileId, Span};

/// While-programs, finite and over integers.
pub(crate) struct While;

impl Language for While {
    fn name(&self) -> &'static str {
        "while"
    }

    fn title(&self) -> &'static str {
        "a while-program"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["while"]
    }

    /// A program that begins with a declaration.
    fn looks_like(&self, start: &[u8]) -> bool {
        behind_comments(start).is_some_and(|start| begins_with_word("var proc", start))
    }

    fn read(&self, source: &SourceText, reading: Reading) -> Result<Document, Vec<Diagnostic>> {
        let (file, text, asked) = (source.file, &source.text, reading.questions);
        read_texts(file, text, asked, |texts| {
            let kind = ProgramKind::of(texts.file, reading.numbers);
            let fairness = reading.fairness;
            if fairness.is_some() {
                has_finite_processes(texts.file, kind, file)?;
            }
            let symbols = symbols::symbols(texts.file);
            let Texts { file: parsed, asked, sink } = texts;
            let compiled = build::compile(parsed, asked, (file, text), sink, kind)?;
            if kind == ProgramKind::Integers {
                return Ok(Document { symbols, ..integers::document(compiled, file, text)? });
            }
            let Compiled { program, mut properties, propositions, mut sink, .. } = compiled;
            let propositions = propositions.list;
            let form = match kind {
                ProgramKind::Interleaved => {
                    if fairness == Some(ProcessFairness::Strong) {
                        let fair = |one| on_strongly_fair_runs(one, &program.processes);
                        properties = properties.into_iter().map(fair).collect();
                    }
                    match machine_of_program(&program, text, &propositions, fairness) {
                        Ok(form) => Form::Machine(Box::new(form)),
                        Err(error) => {
                            sink.error(|| error);
                            return Err(sink.into_diagnostics());
                        }
                    }
                }
                _ => Form::Program(Box::new(ProgramForm {
                    program,
                    propositions,
                    text: text.clone(),
                })),
            };
            Ok(Document::new(form, properties, sink.into_diagnostics(), symbols))
        })
    }

    fn laid_out(&self, text: &str) -> Option<String> {
        Some(write_while(text))
    }
}

/// Refuses fairness of processes where there are none, or where it is not supported.
fn has_finite_processes(
    parsed: &ast::File,
    kind: ProgramKind,
    file: FileId,
) -> Result<(), Vec<Diagnostic>> {
    if parsed.processes.is_empty() {
        return Err(without_processes(file));
    }
    if kind == ProgramKind::Integers {
        let message = "fairness of processes is not supported over integers";
        let place = Span::new(file, 0..0);
        let error = Diagnostic::error(message, place, "there is an `int`, `predicates` or a hole")
            .with_help("give each variable a range, or say in an LTL formula which runs are fair");
        return Err(vec![error]);
    }
    Ok(())
}

/// The default properties of a program.
const DEFAULT: (&str, &str) = ("no run-time error occurs", "AG !error");

/// A program and what is asked of it, parsed.
struct Texts<'f, 'a> {
    file: &'f ast::File<'a>,
    asked: &'f [build::PropertyText<'f, 'a>],
    /// The warnings so far; there are no errors.
    sink: Sink,
}

fn read_texts<T>(
    file: FileId,
    text: &Arc<str>,
    asked: &[GivenQuestion],
    build: impl FnOnce(Texts) -> Result<T, Vec<Diagnostic>>,
) -> Result<T, Vec<Diagnostic>> {
    let errors = too_long_texts(file, text, asked);
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut cursor = Cursor::new(file, text, lexer::lex(text, 0..text.len()), "file");
    let mut parsed = parse::parse(&mut cursor);
    let mut sink = cursor.sink;
    let default = GivenQuestion::ctl(file, DEFAULT.1);
    let mut questions: Vec<(&GivenQuestion, Option<&str>)> =
        asked.iter().map(|asked| (asked, None)).collect();
    if questions.is_empty() && parsed.properties.is_empty() {
        questions.push((&default, Some(DEFAULT.0)));
    }
    let mut given = Vec::new();
    for &(GivenQuestion { logic, file, text }, name) in &questions {
        if logic.quantifies_over_path_formulas() {
            let span = Span::new(*file, 0..text.len());
            let message = format!("`{}` is not supported for programs", logic.name());
            sink.error(|| {
                Diagnostic::error(message, span, "a formula of CTL*")
                    .with_help("ask in CTL or LTL: `AG (p -> AF q)`, `G (p -> F q)`")
            });
            continue;
        }
        let mut cursor = Cursor::new(*file, text, lexer::lex(text, 0..text.len()), "formula");
        let property = parse::parse_question(&mut cursor, *logic, &mut parsed.exprs);
        sink.append(cursor.sink);
        given.extend(property.map(|property| (property, text.clone(), name)));
    }
    if sink.has_errors() {
        return Err(sink.into_diagnostics());
    }
    let of_file = parsed.properties.iter().filter(|_| questions.is_empty());
    let of_file =
        of_file.map(|property| build::PropertyText { property, text: text.clone(), name: None });
    let given = given.iter().map(|(property, text, name)| build::PropertyText {
        property,
        text: text.clone(),
        name: name.map(str::to_owned),
    });
    let asked: Vec<build::PropertyText> = of_file.chain(given).collect();
    build(Texts { file: &parsed, asked: &asked, sink })
}
