//! SMV files component by component, and what `auto` tries of it first.

use super::diagrams::{Early, Work, by_diagrams, put};
use super::{News, Session, certifying};
use crate::Status;
use crate::flags::Check;
use crate::input::Trouble;
use crate::smv::Program;
use crate::smv::components::{InParts, Parts};
use audit::format::{END, VERSION_OF_DIAGRAMS, start};
use base::{StopReason, Stopped};
use check::Deadlock;
use logic::Truth;
use std::io::{self, Write};
use std::time::{Duration, Instant};
use symbolic::{Effort, Hindrance, Trial};

/// What `auto` spends on components before it takes the whole as one: nodes of diagrams, and steps of operations.
const NODES: usize = 200_000;
const STEPS: u64 = 2_500_000;

/// The compositional method.
pub fn by_components(
    flags: &Check,
    program: &Program,
    session: &Session,
) -> Result<Status, Trouble> {
    let work = Work { flags, program, session };
    let parts = program.parts(flags.components.as_deref(), &flags.unknown)?;
    let whole = || by_diagrams(flags, program, Early::default(), session);
    let Some(parts) = parts else { return whole() };
    if Deadlock::from(flags.deadlock) != Deadlock::Warn {
        work.can_be_whole(&parts, "what is asked about deadlocks")?;
        return whole();
    }
    match program.in_parts(
        &parts,
        flags.limits.memory,
        Effort::Whatever,
        &session.monitor,
    )? {
        Ok(in_parts) => certifying(flags, session, |out| work.answer_in_parts(in_parts, out)),
        Err(hindrance) => {
            work.can_be_whole(&parts, why(hindrance))?;
            whole()
        }
    }
}

fn why(hindrance: Hindrance) -> &'static str {
    match hindrance {
        Hindrance::Mistake => "whether a value goes out of range, or an expression has none,",
        Hindrance::NoStart => "that there is no initial state",
    }
}

/// What components decide with little effort. Only answers count: evidence is about the whole.
pub fn early_by_components(
    flags: &Check,
    program: &Program,
    session: &Session,
) -> Result<Early, Trouble> {
    let work = Work { flags, program, session };
    if flags.asks_for_evidence() || Deadlock::from(flags.deadlock) != Deadlock::Warn {
        return Ok(Early::default());
    }
    let Some(parts) = program.parts(None, &[])? else { return Ok(Early::default()) };
    let effort = Effort::AtMost { nodes: NODES, steps: STEPS };
    let in_parts = program.in_parts(&parts, flags.limits.memory, effort, &session.monitor);
    let mut in_parts = match in_parts {
        Ok(Ok(in_parts)) if in_parts.len() > 1 => in_parts,
        Ok(_) | Err(Trouble::Stopped(Stopped(StopReason::Nodes))) => return Ok(Early::default()),
        Err(trouble) => return Err(trouble),
    };
    let mut early = Vec::new();
    for asked in program.asked() {
        let started = Instant::now();
        let steps = STEPS.saturating_sub(in_parts.steps());
        if steps == 0 || asked.property.is_none() {
            early.push(None);
            continue;
        }
        let watch = work.watch(&asked.question.name);
        let outcome = in_parts.answer(asked, Effort::AtMost { nodes: NODES, steps }, watch)?;
        let is_decided = outcome.verdict.is_definite();
        early.push(is_decided.then(|| News::answer(&asked.question, outcome, started)));
    }
    Ok(Early(early))
}

impl Work<'_> {
    /// That the whole is taken for some reason, which does not do if something is missing.
    fn can_be_whole(&self, parts: &Parts, why: &str) -> Result<(), Trouble> {
        if !parts.missing.is_empty() {
            let message = format!("{why} takes the whole to tell, and a part of it is missing");
            return Err(Trouble::message(message));
        }
        self.remark(format!("Note: {why} takes the whole to tell: `symbolic` is used\n"));
        Ok(())
    }

    /// Answers all questions; the inner error is about writing the certificate.
    fn answer_in_parts(
        &self,
        mut in_parts: InParts,
        mut out: Option<&mut dyn Write>,
    ) -> Result<io::Result<()>, Trouble> {
        let head = start(VERSION_OF_DIAGRAMS, self.program.document.machine.digest());
        let mut written = put(&mut out, &head);
        let mut encoded = None;
        for asked in self.program.asked() {
            let started = Instant::now();
            let watch = self.watch(&asked.question.name);
            let outcome = in_parts.answer(asked, Effort::Whatever, watch)?;
            let verdict = outcome.verdict;
            self.session.tell(News::answer(&asked.question, outcome, started));
            if !self.flags.asks_for_evidence() || !verdict.is_definite() {
                continue;
            }
            if !self.flags.unknown.is_empty() {
                let told = "is not certified: a part of the machine is missing";
                self.remark(format!("`{}` {told}\n", asked.question.name));
                continue;
            }
            let encoded = match &mut encoded {
                Some(encoded) => encoded,
                None => encoded
                    .insert(self.program.encode(self.flags.limits.memory, &self.session.monitor)?),
            };
            let claim = self.show(encoded, asked, verdict == Truth::True)?;
            written = written.and_then(|()| put(&mut out, &claim));
        }
        Ok(written.and_then(|()| put(&mut out, &[END as u8])))
    }

    /// Tells what each group of components has come to, if somebody wants to know.
    fn watch(&self, name: &str) -> impl FnMut(&Trial) {
        let mut begun = Instant::now();
        move |trial| {
            if self.flags.verbose {
                self.session.remark(line(name, trial, begun.elapsed()));
            }
            begun = Instant::now();
        }
    }
}

/// `safe`: a, b: unknown; 12 bits, 40 relevant states, 200 nodes, 0.003 s
fn line(name: &str, trial: &Trial, time: Duration) -> String {
    const SHOWN: usize = 4;
    let Trial { components, is_whole, verdict, is_full, bits, relevant, nodes } = trial;
    let mut who = components.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if components.len() > SHOWN {
        who = format!("{who}, … ({} components)", components.len());
    }
    if *is_whole {
        who = format!("the whole, {who}");
    }
    let found = if *is_full { "too many nodes".to_owned() } else { verdict.to_string() };
    let seconds = time.as_secs_f64();
    format!(
        "`{name}`: {who}: {found}; {bits} bits, {relevant} relevant states, {nodes} nodes, \
         {seconds:.3} s\n"
    )
}
