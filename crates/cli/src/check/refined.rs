//! SMV files by refinement.

use super::diagrams::{Work, put};
use super::method::refinement;
use super::{News, Session, by_states, certifying};
use crate::Status;
use crate::flags::Check;
use crate::input::Trouble;
use crate::smv::components::Parts;
use crate::smv::diagrams::Encoded;
use crate::smv::refined::{Manner, Refined};
use crate::smv::{Asked, Program};
use audit::format::{CertificateKind, END};
use explicit::{Deadlock, Method, Outcome, Round};
use logic::Truth;
use report::TracedRound;
use std::io::{self, Write};
use std::time::Instant;
use transition::Division;

/// Answers all questions, each on abstractions of the components.
pub fn by_refinement(
    flags: &Check,
    program: &Program,
    session: &Session,
) -> Result<Status, Trouble> {
    if let Some(flag) = needs_states(flags) {
        if let Some(other) = flags.about_modules() {
            let message = format!("{flag} needs a list of states, and `{other}` makes none");
            return Err(Trouble::message(message).with_help("leave one of them out"));
        }
        if flags.verbose {
            let how = "the states are listed, and refined as one component";
            session.remark(format!("Note: {flag} asks for a list of states: {how}\n"));
        }
        return by_states(flags, program, session);
    }
    let parts = program.parts(flags.components.as_deref(), &flags.unknown)?;
    let whole = Parts { division: Division::Given(Vec::new()), missing: Vec::new() };
    let work = Work { flags, program, session };
    let parts = parts.unwrap_or(whole);
    certifying(flags, session, |out| work.refine_all(&parts, out))
}

/// What is asked for that only a list of states has.
fn needs_states(flags: &Check) -> Option<&'static str> {
    let refining = &flags.refining;
    let is_all = refining.abstracted.iter().all(|name| name.trim() == "all");
    match flags.deadlock.into() {
        Deadlock::Stutter => Some("`--deadlock stutter`"),
        Deadlock::Error => Some("`--deadlock error`"),
        Deadlock::Warn if refining.emit_abstraction.is_some() => Some("`--emit-abstraction`"),
        Deadlock::Warn if !is_all => Some("`--abstract`"),
        Deadlock::Warn if !flags.order.is_empty() => Some("`--order`"),
        Deadlock::Warn => None,
    }
}

impl Work<'_> {
    /// The inner error is about writing the certificate.
    fn refine_all(
        &self,
        parts: &Parts,
        mut out: Option<&mut dyn Write>,
    ) -> Result<io::Result<()>, Trouble> {
        let head = CertificateKind::Symbolic.header(self.program.document.machine.digest());
        let mut written = put(&mut out, &head);
        let mut encoded: Option<Encoded> = None;
        let mut is_warned = false;
        for asked in self.program.asked() {
            let started = Instant::now();
            let outcome = match self.refine(asked, parts)? {
                Ok(refined) => {
                    is_warned = self.tell_of(&asked.question.name, &refined, is_warned);
                    refined.outcome
                }
                Err(why) if !parts.missing.is_empty() => Outcome::not_tried(Method::Refine, why),
                Err(why) => {
                    let name = &asked.question.name;
                    self.remark(format!("Note: `{name}` is answered by `symbolic`: {why}\n"));
                    self.whole(&mut encoded)?.answer(asked)?
                }
            };
            let verdict = outcome.verdict;
            self.session.tell(News::answer(&asked.question, outcome, started));
            if self.flags.asks_for_evidence() && verdict.is_definite() {
                let claim = self.show_on_whole(&mut encoded, asked, parts, verdict)?;
                written = written.and_then(|()| put(&mut out, &claim));
            }
        }
        Ok(written.and_then(|()| put(&mut out, &[END as u8])))
    }

    fn refine(&self, asked: &Asked, parts: &Parts) -> Result<Result<Refined, String>, Trouble> {
        let is_watched = self.flags.watches_rounds();
        let watch = |round: &Round| {
            if is_watched {
                let round = TracedRound::Refined(Box::new(round.clone()));
                self.session.tell(News::Round(round));
            }
        };
        let manner = Manner {
            parts,
            refinement: refinement(&self.flags.refining),
            memory: self.flags.limits.memory,
            watch: &watch,
            monitor: &self.session.monitor,
        };
        self.program.refine(asked, &manner)
    }

    /// The file in one piece, encoded when it is first needed.
    fn whole<'e>(&self, encoded: &'e mut Option<Encoded>) -> Result<&'e mut Encoded, Trouble> {
        let Some(known) = encoded else {
            let made = self.program.encode(self.flags.limits.memory, &self.session.monitor)?;
            return Ok(encoded.insert(made));
        };
        Ok(known)
    }

    /// What shows a verdict, found on the whole: what abstractions say is about sets that nobody lists.
    fn show_on_whole(
        &self,
        encoded: &mut Option<Encoded>,
        asked: &Asked,
        parts: &Parts,
        verdict: Truth,
    ) -> Result<Vec<u8>, Trouble> {
        if !self.can_be_certified(asked, parts) {
            return Ok(Vec::new());
        }
        if self.flags.verbose {
            let name = &asked.question.name;
            self.remark(format!("Note: `{name}` is certified by `symbolic`, on the whole\n"));
        }
        let encoded = self.whole(encoded)?;
        self.show(encoded, asked, verdict == Truth::True)
    }

    /// Whether it was said that there is no start, or is now.
    fn tell_of(&self, name: &str, refined: &Refined, is_warned: bool) -> bool {
        let Refined { components, has_no_start, .. } = refined;
        if self.flags.verbose && !components.is_empty() {
            self.remark(format!("`{name}`: the components are {}\n", components.join(", ")));
        }
        if *has_no_start && !is_warned {
            self.remark(Refined::warning_of_no_start());
        }
        is_warned || *has_no_start
    }
}
