//! The user's text with one process replaced by its assumption.

mod automaton;
mod families;
mod source;
mod statements;

use super::processes::{ProcessPart, Processes};
use super::{ProcessId, PromelaModel, PromelaProcess};
use automaton::{Automaton, Written};
use model::PartialModel;
use source::{Declaration, Edits, Source};
use support::{Diagnostic, Span};

/// Replaces the body of the proctype that a component is an instance of; everything else stays as it is,
/// byte for byte. If there are other instances, the one gets a proctype of its own.
///
/// The assumption is an LTS over the actions of the component, its states are the classes, each with a
/// comment if there is one. Errors say what of it Promela or the text has no place for.
pub fn write_with_assumption(
    text: &str,
    program: &PromelaModel,
    processes: &Processes,
    component: usize,
    assumption: &PartialModel,
    class_comments: &[String],
) -> Result<String, Diagnostic> {
    let process = match processes.of.get(component) {
        Some(ProcessPart::Process(process)) => *process,
        _ => return Err(no_process(program)),
    };
    let source = Source::new(text, program.processes[process].span);
    let declaration = source.declaration(&program.processes[process])?;
    let automaton = Automaton {
        program,
        processes,
        process,
        source: &source,
        declaration: &declaration,
        assumption,
        comments: class_comments,
    };
    let written = automaton.write()?;
    let edits =
        Replacement { program, process, source: &source, declaration: &declaration, written };
    Ok(edits.edits()?.apply(text))
}

fn no_process(program: &PromelaModel) -> Diagnostic {
    let span = program.processes.values().next().map(|process| process.span);
    let span = span.unwrap_or(Span { file: support::FileId(0), start: 0, end: 0 });
    let message = "only a process can be replaced by an assumption";
    Diagnostic::error(message, span, "here is a process")
}

/// Where the assumption goes.
struct Replacement<'a> {
    program: &'a PromelaModel,
    process: ProcessId,
    source: &'a Source<'a>,
    declaration: &'a Declaration,
    written: Written,
}

impl Replacement<'_> {
    fn edits(&self) -> Result<Edits, Diagnostic> {
        let own = &self.program.processes[self.process];
        let same = |other: &&PromelaProcess| other.proctype == own.proctype;
        if self.program.processes.values().filter(same).count() == 1 {
            return Ok(self.in_place());
        }
        let name = self.source.unused(&format!("{}_assumption", own.proctype));
        if own.is_active { Ok(self.among_active(&name)) } else { self.by_run(&name) }
    }

    fn in_place(&self) -> Edits {
        let mut edits = Edits::default();
        edits.replace(self.declaration.parameters.clone(), &*self.written.parameters);
        edits.replace(self.declaration.body.clone(), &*self.written.body);
        edits
    }

    fn by_run(&self, name: &str) -> Result<Edits, Diagnostic> {
        let mut edits = Edits::default();
        edits.replace(self.source.run_of(self.program, self.process)?, name);
        edits.insert(self.declaration.end(), format!("\n{}", self.assumption("", name)));
        Ok(edits)
    }

    /// Those that are there from the start have their numbers in the order of the text, so that the
    /// assumption stands between those before and those behind it.
    fn among_active(&self, name: &str) -> Edits {
        let Replacement { program, process, source, declaration, .. } = self;
        let own = &program.processes[*process];
        let (before, behind): (Vec<ProcessId>, Vec<ProcessId>) = program
            .processes
            .iter()
            .filter(|(id, other)| {
                other.is_active && other.proctype == own.proctype && id != process
            })
            .map(|(id, _)| id)
            .partition(|id| id < process);
        let mut edits = Edits::default();
        let assumption = self.assumption("active ", name);
        if before.is_empty() {
            edits.insert(declaration.start(), format!("{assumption}\n"));
            edits.replace(declaration.active.clone(), active(behind.len()));
            return edits;
        }
        edits.replace(declaration.active.clone(), active(before.len()));
        let mut after = format!("\n{assumption}");
        if !behind.is_empty() {
            let rest = source.unused(&format!("{}_rest", own.proctype));
            let (parameters, body) = (
                &source.text[declaration.parameters.clone()],
                &source.text[declaration.body.clone()],
            );
            after += &format!("\n{}proctype {rest}({parameters}) {{{body}}}", active(behind.len()));
        }
        edits.insert(declaration.end(), after);
        edits
    }

    fn assumption(&self, active: &str, name: &str) -> String {
        let Written { parameters, body } = &self.written;
        format!("{active}proctype {name}({parameters}) {{{body}}}")
    }
}

fn active(count: usize) -> String {
    if count == 0 { String::new() } else { format!("active [{count}] ") }
}
