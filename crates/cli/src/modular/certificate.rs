//! `--certificate` and `--audit`: what shows the answers, for others and at once.

use super::{Auditing, Run};
use crate::check::{News, Session};
use crate::flags::Check;
use crate::smv::diagrams::most_nodes;
use crate::status::REPORT;
use crate::{input, output};
use audit::modular::{About, NamedFormula};
use audit::{AuditError, Reader};
use std::io::Write;
use std::path::Path;

/// Writes and checks what shows the definite answers, as it is wanted.
pub fn certify(flags: &Check, path: &Path, run: &Run, found: &modular::Outcome, session: &Session) {
    if !flags.asks_for_evidence() {
        return;
    }
    let Some(evidence) = &found.evidence else {
        return session.remark("no certificate: there are too many pieces to walk through\n");
    };
    let document = &run.subject.document;
    let named = |property: &front::WhileProperty| NamedFormula {
        name: property.title().to_owned(),
        formula: property.surface.source(),
    };
    let about = About {
        program: &document.program,
        closure: &run.subject.closure,
        is_complete: !document.program.has_holes(),
        properties: &document.properties.iter().map(named).collect::<Vec<_>>(),
        assumptions: &run.subject.assumptions,
        partition: run.partition,
    };
    let bytes = modular::certificate(&about, &evidence.claims, &found.verdicts);
    if let Some(file) = &flags.certificate
        && let Err(error) = write(file, &bytes)
    {
        session.tell(News::Unwritten(output::cannot_write(file, &error)));
    }
    if flags.audit && !input::is_dash(path) {
        match audit(path, &bytes, flags, session) {
            Ok(told) => session.remark(told),
            Err(message) => session.tell(News::Unwritten(message)),
        }
    }
}

fn write(file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    output::replace::<std::convert::Infallible>(file, |out| Ok(out.write_all(bytes)))
        .unwrap_or_else(|never| match never {})
}

/// Reads the program again: the auditor trusts nobody.
fn audit(path: &Path, bytes: &[u8], flags: &Check, session: &Session) -> Result<String, String> {
    let auditing = Auditing::read(path, most_nodes(flags.limits.memory), &session.monitor)
        .map_err(|_| format!("`{}` cannot be read again", path.display()))?;
    let audited = Reader::new(bytes).and_then(|reader| auditing.audit(reader, &session.monitor));
    match audited {
        Ok(shown) => {
            let line = |(name, _): &(String, bool)| format!("`{name}`: audited\n");
            Ok(shown.verdicts.iter().map(line).collect())
        }
        Err(AuditError::Stopped(stopped)) => Ok(format!("not audited: {stopped}\n")),
        Err(fault) => Err(format!("the answers do not pass the audit: {fault}\n  Help: {REPORT}")),
    }
}
