//! While-programs by the modular method: what is asked, what is in memory together, and where the rest is.

mod auditor;
pub mod explain;
mod holes;
pub mod partition;
pub mod question;
mod store;

pub use auditor::ModularAuditor;

use crate::engine::Context;
use crate::error::Error;
use crate::options::Options;
use crate::source::Loader;
use crate::transition_system::FiniteModel;
use crate::transition_system::encoded::most_nodes;
use audit::modular::{About, NamedFormula};
use explicit::Outcome;
use modular::{ModularRequest, Store, WantedEvidence};
use question::ModularQuestion;
use std::sync::{Arc, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use store::Disk;
use support::{Monitor, StopReason, Stopped};
use transition::cfg::{Assumed, Closure, Partition, Program};

/// Branches with fewer blocks are checked one after the other.
const WORTH_A_THREAD: u64 = 32;

/// The results of several properties together.
pub struct ModularResult {
    key: String,
    chosen: Vec<usize>,
    subject: ModularQuestion,
    partition: Partition,
    found: modular::ModularOutcome,
    took: Duration,
    certificate: OnceLock<Option<Arc<[u8]>>>,
}

/// Checks these properties of a program together, unless that was just done.
pub fn check(
    text: &FiniteModel,
    chosen: &[usize],
    options: &Options,
    loader: &dyn Loader,
    context: &Context,
) -> Result<Arc<ModularResult>, Error> {
    let Options { partition, sets, resume, threads, assume, evidence, memory, .. } = options;
    let key = format!(
        "{chosen:?} {partition:?} {sets:?} {resume:?} {threads:?} {assume:?} {evidence} {memory:?}"
    );
    let kept = || text.modular.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = kept().as_ref().filter(|found| found.key == key) {
        return Ok(found.clone());
    }
    let subject = ModularQuestion::new(text, chosen, options)?;
    let started = Instant::now();
    let (partition, disk, found) = attempt(&subject, options, loader, context)?;
    if found.as_ref().is_ok_and(|found| found.is_impossible) {
        leave(disk, true, context);
        return Err(impossible());
    }
    leave(disk, found.is_ok(), context);
    let (chosen, took, certificate) = (chosen.to_vec(), started.elapsed(), OnceLock::new());
    let found = Arc::new(ModularResult {
        key,
        chosen,
        subject,
        partition,
        found: found?,
        took,
        certificate,
    });
    *kept() = Some(found.clone());
    Ok(found)
}

impl ModularResult {
    /// The outcome of one of the properties.
    pub fn outcome(&self, number: usize, options: &Options, monitor: &Monitor) -> Outcome {
        let place = self.chosen.iter().position(|&one| one == number).expect("it was asked");
        let run =
            Run { subject: &self.subject, partition: &self.partition, memory: options.memory };
        run.outcome(&self.found, place, self.took, monitor)
    }

    /// Why there is none.
    pub fn why_no_certificate(&self) -> &'static str {
        match self.subject.document.program.recursion() {
            Some(_) => "there is no room for the contexts of the procedures",
            None => "there are too many blocks",
        }
    }

    /// A certificate of all definite outcomes; nothing if there are too many blocks to walk through, or no room.
    pub fn certificate(&self) -> Option<Arc<[u8]>> {
        let made = self.certificate.get_or_init(|| {
            let document = &self.subject.document;
            let claims = self.found.evidence.as_ref()?.claims.as_ref()?;
            let named = |property: &front::Specification| {
                let formula = property.surface()?.source();
                Some(NamedFormula { name: property.title().to_owned(), formula })
            };
            let properties: Vec<NamedFormula> =
                document.properties.iter().filter_map(named).collect();
            let about = About {
                program: &document.program,
                closure: &self.subject.closure,
                is_complete: !document.program.has_holes(),
                properties: &properties,
                assumptions: &self.subject.assumptions,
                partition: &self.partition,
            };
            Some(modular::certificate(&about, claims, &self.found.verdicts).into())
        });
        made.clone()
    }
}

type Attempt = (Partition, Disk, Result<modular::ModularOutcome, Stopped>);

/// Checks a program. How large BDDs get is known only when they are there: where they got too large, smaller blocks may
/// do.
fn attempt(
    subject: &ModularQuestion,
    options: &Options,
    loader: &dyn Loader,
    context: &Context,
) -> Result<Attempt, Error> {
    const SMALLER: u64 = 16;
    let mut settings = RunSettings {
        kept: None,
        wish: WantedEvidence { claims: options.evidence, ..WantedEvidence::NOTHING },
        threads: question::threads(options),
    };
    let mut share = 1;
    let mut partition = subject.partition(options, loader)?;
    loop {
        settings.kept = options.resume.as_ref().map(|_| subject.digest(&partition));
        let disk = match (&options.resume, settings.kept) {
            (Some(folder), Some(question)) => Disk::in_folder(folder, question)?,
            _ => Disk::hidden()?,
        };
        if disk.len() > 0 {
            context.note(format!("{} results of an earlier run are reused\n", disk.len()));
        }
        let run = Run { subject, partition: &partition, memory: options.memory };
        let found = run.check(&subject.closure, &subject.assumed, &disk, settings, context.monitor);
        if !matches!(found, Err(Stopped(StopReason::Nodes))) {
            return Ok((partition, disk, found));
        }
        // One thread has all the room.
        if settings.threads > 1 {
            settings.threads = 1;
            continue;
        }
        share *= SMALLER;
        let smaller = subject.partition_in(options, loader, share)?;
        if smaller == partition {
            return Ok((partition, disk, found));
        }
        leave(disk, true, context);
        partition = smaller;
    }
}

fn impossible() -> Error {
    Error::message("the assumptions on a hole are contradictory")
        .with_help("a hole can preserve `AG …` only by the variables that it may change")
}

/// A run that was stopped may be resumed; otherwise the results are not needed.
fn leave(disk: Disk, is_done: bool, context: &Context) {
    if let Some(failure) = disk.failure() {
        context.note(format!("Warning: cannot store results: {failure}\n"));
    }
    if is_done && let Err(error) = disk.remove() {
        context.note(format!("Warning: cannot remove results: {error}\n"));
    }
}

/// A program, and how it is divided.
pub struct Run<'a> {
    pub subject: &'a ModularQuestion,
    pub partition: &'a Partition,
    pub memory: Option<u64>,
}

#[derive(Clone, Copy)]
pub struct RunSettings {
    /// The question under which everything is kept, if it is.
    pub kept: Option<u128>,
    pub wish: WantedEvidence,
    pub threads: usize,
}

impl Run<'_> {
    pub fn check(
        &self,
        closure: &Closure,
        assumed: &[Assumed],
        store: &dyn Store,
        settings: RunSettings,
        monitor: &Monitor,
    ) -> Result<modular::ModularOutcome, Stopped> {
        let program = &self.subject.document.program;
        self.check_of(program, closure, assumed, store, settings, monitor)
    }

    /// Checks a program that has more expressions than the subject's, as assumptions that are tried.
    fn check_of(
        &self,
        program: &Program,
        closure: &Closure,
        assumed: &[Assumed],
        store: &dyn Store,
        settings: RunSettings,
        monitor: &Monitor,
    ) -> Result<modular::ModularOutcome, Stopped> {
        modular::check(&ModularRequest {
            program,
            partition: self.partition,
            assumed,
            closure,
            representation: self.subject.representation,
            store,
            keeps_all: settings.kept.is_some(),
            wish: settings.wish,
            threads: settings.threads,
            worth_a_thread: WORTH_A_THREAD,
            question: settings.kept.unwrap_or(0),
            most_nodes: most_nodes(self.memory),
            monitor,
        })
    }

    /// The outcome of one of the properties, and if it is unknown, what would decide it. To find the answers took so
    /// long; to look for that may take some times as long.
    fn outcome(
        &self,
        found: &modular::ModularOutcome,
        number: usize,
        took: Duration,
        monitor: &Monitor,
    ) -> Outcome {
        let mut outcome = self.subject.outcome(found, number, self.partition);
        if let Some(explicit::Reason::Holes { deciding, .. }) = &mut outcome.reason {
            *deciding = holes::deciding(self, number, took, monitor);
        }
        outcome
    }
}
