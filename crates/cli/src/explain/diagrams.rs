//! Explanations of specifications of SMV files by decision diagrams.

use super::{News, drawn, head, parts};
use crate::flags::Explain;
use crate::input::{self, Trouble};
use crate::smv::{Asked, Program};
use crate::status::{REPORT, Status};
use crate::supervisor::Session;
use explicit::Deadlock;
use logic::Truth;
use logic::evidence::Explanation;
use report::explanation::ExplanationHead;

pub fn explain(
    flags: &Explain,
    program: &Program,
    session: &Session<News>,
) -> Result<(String, Status), Trouble> {
    if flags.form.tm || flags.form.aut {
        let message = "decision diagrams have no part of the model to write down";
        return Err(Trouble::message(message).with_help("use `--method direct`"));
    }
    if Deadlock::from(flags.deadlock) != Deadlock::Warn {
        let message = "what a state means that nothing follows is asked of states, one by one";
        return Err(Trouble::message(message).with_help("use `--method direct`"));
    }
    let asked = single(program)?;
    let mut encoded = program.encode(flags.limits.memory, &session.monitor)?;
    session.remark(encoded.warnings(program, &flags.limits)?);
    let outcome = encoded.answer(asked)?;
    let verdict = outcome.verdict;
    let machine = &program.document.machine;
    let shown = match verdict {
        // Without an initial state everything holds, and there is nothing to show.
        Truth::True | Truth::False if !encoded.has_no_start() => {
            let is_true = verdict == Truth::True;
            encoded.explain(program, asked, is_true, flags.positions)?
        }
        _ => None,
    };
    if shown.is_none() && verdict.is_definite() && !encoded.has_no_start() {
        let message = format!("`{}` cannot be explained", asked.question.name);
        return Err(Trouble::message(message).with_help(REPORT));
    }
    let (explanation, parts) = match shown {
        Some((formula, explanation)) => {
            (explanation, parts(flags, &asked.question, &formula, &program.sources))
        }
        None => (Explanation::bare(verdict, vec![machine.name.clone()]), Vec::new()),
    };
    let files: Vec<String> = flags.files.iter().map(|path| input::name_of(path)).collect();
    let reason = outcome.reason.as_ref();
    let head = ExplanationHead { parts, reason, ..head(&files, &asked.question) };
    let content = drawn(&flags.form, &head, &explanation);
    Ok((content, Status::of(&[verdict])))
}

/// The one specification that is meant.
fn single(program: &Program) -> Result<&Asked, Trouble> {
    let asked: Vec<&Asked> = program.asked().collect();
    match asked[..] {
        [only] => Ok(only),
        _ => Err(super::one_at_a_time(asked.iter().map(|asked| &*asked.question.name))),
    }
}
