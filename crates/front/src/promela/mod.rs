//! Promela, the language of Spin: processes that share variables and send each other messages.
//!
//! [`read_promela`] makes a [`PromelaModel`] of a text, from which everything else starts: a transition system with
//! formulas about it, or processes as components.

mod ast;
mod build;
mod document;
mod encoding;
mod lexer;
mod parse;
mod preprocess;
mod processes;
mod program;
mod visible;
mod write;

pub use document::NO_NON_PROGRESS_CYCLE;
pub use processes::{
    ChannelMessage, ChannelUse, FAIL, LocalAction, ProcessPart, ProcessStep, Processes, Rendezvous,
    VarUse, assertions, processes,
};
pub use program::{
    Action, Array, ArrayId, Channel, ChannelId, ExprId, LocationId, MessageId, Pattern, ProcessId,
    PromelaBinary, PromelaEdge, PromelaExpr, PromelaLocation, PromelaModel, PromelaProcess,
    PromelaUnary, PromelaVar, Storage, VarId, VarType,
};
pub use write::write_with_assumption;

use crate::document::{Document, Safety};
use crate::language::{
    Language, ProcessForm, ProcessReader, Reading, SourceText, begins_with_word, behind_comments,
};
use crate::sink::Sink;
use model::{PartialModel, System};
use std::sync::Arc;
use support::{Diagnostic, FileId, Span};

/// Promela, the language of Spin.
pub(crate) struct Promela;

/// Words that a model can begin with; none of them begins a file of another kind.
const BEGINNINGS: &str = "active bit bool byte chan hidden init inline int local ltl mtype never notrace pid proctype \
                          show short trace typedef unsigned xr xs";
const DIRECTIVES: &str = "define if ifdef ifndef include undef";

impl Language for Promela {
    fn name(&self) -> &'static str {
        "promela"
    }

    fn title(&self) -> &'static str {
        "a Promela file"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["pml", "prom", "promela"]
    }

    /// A native model can begin with a comment, too, so the first word counts.
    fn looks_like(&self, start: &[u8]) -> bool {
        behind_comments(start).is_some_and(|start| match start.strip_prefix(b"#") {
            Some(directive) => begins_with_word(DIRECTIVES, directive.trim_ascii_start()),
            None => begins_with_word(BEGINNINGS, start),
        })
    }

    fn read(&self, source: &SourceText, reading: Reading) -> Result<Document, Vec<Diagnostic>> {
        document::read(source, &reading)
    }

    fn includes(&self, text: &str) -> Vec<String> {
        let directives = text.lines().filter_map(|line| {
            line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")
        });
        let name = |rest: &str| Some(rest.split('"').nth(1)?.to_owned());
        directives.filter_map(name).collect()
    }

    fn by_processes(&self) -> Option<ProcessReader> {
        Some(|SourceText { file, text, .. }, monitor| {
            let model = read_promela(*file, text)?;
            let processes = processes(&model, monitor)?;
            Ok(Box::new(SplitModel { file: *file, text: text.clone(), model, processes }))
        })
    }
}

/// A model taken apart into processes, variables and channels that run together as components.
struct SplitModel {
    file: FileId,
    text: Arc<str>,
    model: PromelaModel,
    processes: Processes,
}

impl ProcessForm for SplitModel {
    fn system(&self) -> &System {
        &self.processes.system
    }

    fn is_process(&self, component: usize) -> bool {
        matches!(self.processes.of[component], ProcessPart::Process(_))
    }

    fn process_named(&self, name: &str) -> Option<usize> {
        let (id, _) = self.model.processes.iter().find(|(_, own)| own.name == name)?;
        self.processes.of.iter().position(|&part| part == ProcessPart::Process(id))
    }

    fn assertions(&self) -> Safety {
        let model = assertions();
        Safety { name: model.name.clone(), span: Span::new(self.file, 0..0), model }
    }

    fn write_with_assumption(
        &self,
        component: usize,
        assumption: &PartialModel,
        comments: &[String],
    ) -> Result<String, Diagnostic> {
        let Self { text, model, processes, .. } = self;
        write_with_assumption(text, model, processes, component, assumption, comments)
    }
}

/// Reads a Promela model. Errors are returned all together.
pub fn read_promela(file: FileId, text: &str) -> Result<PromelaModel, Vec<Diagnostic>> {
    if let Some(error) = crate::too_long(file, text) {
        return Err(vec![error]);
    }
    let mut sink = Sink::default();
    let (lexemes, _) = preprocess::preprocess(lexer::lex(file, text), &[], &mut sink);
    let parsed = parse::parse(lexemes, &mut sink);
    let built = match sink.has_errors() {
        true => return Err(sink.into_diagnostics()),
        false => build::build(&parsed, sink, build::Observed::default()),
    };
    match built.sink.has_errors() || built.sink.undetermined().is_some() {
        true => Err(built.sink.into_diagnostics()),
        false => Ok(built.program),
    }
}
