//! SMV files component by component, and what `auto` tries of it first.

use super::diagrams::{Early, Work, at_once, by_diagrams, put};
use super::{News, Session, certifying};
use crate::Status;
use crate::flags::Check;
use crate::input::Trouble;
use crate::smv::components::{InParts, Parts};
use crate::smv::{Asked, Program};
use audit::format::{CertificateKind, END};
use explicit::{Deadlock, Method, Outcome};
use logic::Truth;
use std::io::{self, Write};
use std::time::{Duration, Instant};
use support::{StopReason, Stopped};
use symbolic::{Effort, Hindrance, Trial};

/// What `auto` spends on components before it takes the whole as one: nodes of diagrams, and steps of operations.
const NODES: usize = 400_000;
/// For each bit of a state, and at most. What has few bits is soon done in one piece.
const STEPS: u64 = 15_000;
const MOST_STEPS: u64 = 4_000_000;

/// The compositional method.
pub fn by_components(
    flags: &Check,
    program: &Program,
    session: &Session,
) -> Result<Status, Trouble> {
    let work = Work { flags, program, session };
    if !flags.order.is_empty() {
        let message = "`--order` is not for SMV files: the order follows from what is asked";
        return Err(
            Trouble::message(message).with_help("`--components` says what is looked at by itself")
        );
    }
    let parts = program.parts(flags.components.as_deref(), &flags.unknown)?;
    if at_once(flags, program, session)? {
        return Ok(Status::Good);
    }
    let whole = || by_diagrams(flags, program, Early::default(), session);
    let Some(parts) = parts else { return whole() };
    if Deadlock::from(flags.deadlock) != Deadlock::Warn {
        let asked = "what is asked about deadlocks takes the whole to tell";
        if !parts.missing.is_empty() {
            return Err(Trouble::message(format!("{asked}, and a part of it is missing")));
        }
        work.remark(format!("Note: {asked}: `symbolic` is used\n"));
        return whole();
    }
    match program.in_parts(&parts, flags.limits.memory, Effort::Whatever, &session.monitor)? {
        Ok(in_parts) => {
            certifying(flags, session, |out| work.answer_in_parts(in_parts, &parts, out))
        }
        Err(Hindrance::Mistake) if !parts.missing.is_empty() => Ok(work.leave_open(MAY_GO_WRONG)),
        Err(Hindrance::Mistake) => {
            work.remark(format!("Note: {MAY_GO_WRONG}: `symbolic` is used\n"));
            whole()
        }
        // Nor does the whole begin anywhere, whatever is missing.
        Err(Hindrance::NoStart) => whole(),
    }
}

const MAY_GO_WRONG: &str =
    "it takes the whole to tell whether a value goes out of range, or an expression has none";

/// What components decide with little effort. If evidence is wanted, all or nothing: it comes with the answers.
pub fn early_by_components(
    flags: &Check,
    program: &Program,
    session: &Session,
) -> Result<Early, Trouble> {
    let work = Work { flags, program, session };
    if Deadlock::from(flags.deadlock) != Deadlock::Warn {
        return Ok(Early::default());
    }
    let Some(parts) = program.parts(None, &[])? else { return Ok(Early::default()) };
    let most = (STEPS * u64::from(program.bits())).min(MOST_STEPS);
    let effort = Effort::AtMost { nodes: NODES, steps: most };
    let in_parts = program.in_parts(&parts, flags.limits.memory, effort, &session.monitor);
    let mut in_parts = match in_parts {
        Ok(Ok(in_parts)) if in_parts.len() > 1 => in_parts,
        Ok(_) | Err(Trouble::Stopped(Stopped(StopReason::Nodes))) => return Ok(Early::default()),
        Err(trouble) => return Err(trouble),
    };
    let mut early = Vec::new();
    for asked in program.asked() {
        let started = Instant::now();
        let steps = most.saturating_sub(in_parts.steps());
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
    /// Answers nothing, for some reason.
    fn leave_open(&self, why: &str) -> Status {
        for asked in self.program.asked() {
            let outcome = Outcome::not_tried(Method::Compositional, why);
            self.session.tell(News::answer(&asked.question, outcome, Instant::now()));
        }
        Status::Good
    }

    /// Answers all questions; the inner error is about writing the certificate.
    fn answer_in_parts(
        &self,
        mut in_parts: InParts,
        parts: &Parts,
        mut out: Option<&mut dyn Write>,
    ) -> Result<io::Result<()>, Trouble> {
        let head = CertificateKind::Symbolic.header(self.program.document.machine.digest());
        let mut written = put(&mut out, &head);
        for asked in self.program.asked() {
            let started = Instant::now();
            let watch = self.watch(&asked.question.name);
            let outcome = in_parts.answer(asked, Effort::Whatever, watch)?;
            let verdict = outcome.verdict;
            self.session.tell(News::answer(&asked.question, outcome, started));
            let is_shown = self.flags.asks_for_evidence() && verdict.is_definite();
            if is_shown && self.can_be_certified(asked, parts) {
                let claim = self.show(&mut in_parts, asked, verdict == Truth::True)?;
                written = written.and_then(|()| put(&mut out, &claim));
            }
        }
        Ok(written.and_then(|()| put(&mut out, &[END as u8])))
    }

    /// Whether all of the machine is there. If not, it is told.
    pub fn can_be_certified(&self, asked: &Asked, parts: &Parts) -> bool {
        if !parts.missing.is_empty() {
            let told = "is not certified: a part of the machine is missing";
            self.remark(format!("`{}` {told}\n", asked.question.name));
        }
        parts.missing.is_empty()
    }

    /// Tells what each group of components has come to, if somebody wants to know.
    fn watch(&self, name: &str) -> impl FnMut(&Trial) {
        let mut begun = Instant::now();
        move |trial| {
            if self.flags.verbose {
                let is_open = !self.flags.unknown.is_empty();
                self.session.remark(line(name, trial, is_open, begun.elapsed()));
            }
            begun = Instant::now();
        }
    }
}

/// `safe`: a, b: unknown; bits 12, relevant states 40, nodes 200, 0.003 s
fn line(name: &str, trial: &Trial, is_open: bool, time: Duration) -> String {
    const SHOWN: usize = 4;
    let Trial { components, is_whole, verdict, is_full, bits, relevant, nodes } = trial;
    let mut who = components.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if components.len() > SHOWN {
        who = format!("{who}, … ({} components)", components.len());
    }
    if *is_whole {
        let all = if is_open { "all that is written" } else { "the whole" };
        let comma = if who.is_empty() { "" } else { ", " };
        who = format!("{all}{comma}{who}");
    }
    let found = match is_full {
        true => format!("given up as too large; bits {bits}"),
        false => format!("{verdict}; bits {bits}, relevant states {}", count(*relevant)),
    };
    let seconds = time.as_secs_f64();
    format!("`{name}`: {who}: {found}, nodes {nodes}, {seconds:.3} s\n")
}

/// Digits that mean something.
fn count(states: f64) -> String {
    if states < 1e15 { format!("{states:.0}") } else { format!("{states:.2e}") }
}
