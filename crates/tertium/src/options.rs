//! How to check: the method, the limits, and the settings of single methods.

use crate::engine::{self, Method};
use crate::explanation::Wanted;
use crate::unsupported::Unsupported;
pub use explicit::Deadlock;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use support::{Monitor, StopReason, Stopped};

/// The most states that are enumerated unless [`Options::states`] says otherwise.
pub const MOST_STATES: usize = 1 << 24;

/// How a question is to be answered. Every setting has a default; the methods of this type change one each.
///
/// ```
/// use std::time::Duration;
/// let options = tertium::Options::default().method("direct").timeout(Duration::from_secs(10));
/// assert_eq!(options.chosen_method(), "direct");
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    pub(crate) method: String,
    pub(crate) timeout: Option<Duration>,
    pub(crate) memory: Option<u64>,
    pub(crate) cancel: Cancel,
    pub(crate) semantics: Option<Semantics>,
    pub(crate) deadlock: Deadlock,
    pub(crate) order: Vec<String>,
    pub(crate) components: Option<String>,
    pub(crate) missing: Vec<String>,
    pub(crate) values: bool,
    pub(crate) causes: usize,
    pub(crate) evidence: bool,
    pub(crate) rounds: bool,
    pub(crate) log_refinement: bool,
    pub(crate) states: usize,
    pub(crate) positions: usize,
    pub(crate) shortest: bool,
    pub(crate) shape: Wanted,
    pub(crate) defines: bool,
    pub(crate) all_variables: bool,
    /// Whether the question is asked to be explained.
    pub(crate) explains: bool,
    pub(crate) solver: Option<String>,
    pub(crate) cross_check: bool,
    pub(crate) abstracted: Vec<String>,
    pub(crate) abstractions: bool,
    pub(crate) start: Option<Arc<StateClasses>>,
    pub(crate) hyper: bool,
    pub(crate) lazy: bool,
    pub(crate) paper: bool,
    pub(crate) ablation: Ablation,
    pub(crate) partition: Option<String>,
    pub(crate) sets: Option<SetRepresentation>,
    pub(crate) resume: Option<PathBuf>,
    pub(crate) threads: Option<u16>,
    pub(crate) reduction: bool,
    pub(crate) assume: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            method: engine::AUTO.to_owned(),
            timeout: None,
            memory: None,
            cancel: Cancel::default(),
            semantics: None,
            deadlock: Deadlock::default(),
            order: Vec::new(),
            components: None,
            missing: Vec::new(),
            values: false,
            causes: 0,
            evidence: false,
            rounds: false,
            log_refinement: false,
            states: MOST_STATES,
            positions: 100_000,
            shortest: false,
            shape: Wanted::default(),
            defines: false,
            all_variables: false,
            explains: false,
            solver: None,
            cross_check: false,
            abstracted: Vec::new(),
            abstractions: false,
            start: None,
            hyper: false,
            lazy: false,
            paper: false,
            ablation: Ablation::default(),
            partition: None,
            sets: None,
            resume: None,
            threads: None,
            reduction: true,
            assume: Vec::new(),
        }
    }
}

/// A handle that stops checks from another thread. All clones of it are one.
///
/// ```
/// let cancel = tertium::Cancel::default();
/// let options = tertium::Options::default().cancel(&cancel);
/// std::thread::spawn(move || cancel.cancel());
/// # let _ = options;
/// ```
#[derive(Clone, Default)]
pub struct Cancel(Monitor);

impl Cancel {
    /// Stops every check that was given this handle.
    pub fn cancel(&self) {
        self.0.stop(StopReason::Cancelled);
    }

    /// Stops every check that was given this handle, for this reason.
    pub fn stop(&self, reason: StopReason) {
        self.0.stop(reason);
    }

    /// The reason for which it was cancelled.
    pub fn stopped(&self) -> Option<Stopped> {
        self.0.check().err()
    }

    /// The current phase of the check: its name, and how much of how much is done (0 if that is not known).
    pub fn progress(&self) -> (&'static str, u64, u64) {
        self.0.progress()
    }

    /// Limits the memory that [`Cancel::memory_in_use`] may tell of (0: no limit).
    pub fn limit_memory(&self, bytes: u64) {
        self.0.limit_memory(bytes);
    }

    /// Tells how much memory the process uses, for programs whose allocator counts: over the limit, checks stop.
    pub fn memory_in_use(&self, bytes: u64) {
        self.0.memory_in_use(bytes);
    }

    pub(crate) fn monitor(&self) -> &Monitor {
        &self.0
    }
}

impl fmt::Debug for Cancel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cancel({:?})", self.stopped())
    }
}

/// How states that cover others are read (paper X).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Semantics {
    /// The standard inductive semantics: each state by what it says itself.
    Sis,
    /// The reduced inductive semantics: also by what is known of all that it covers.
    Ris,
    /// The thorough semantics: where the reduced one does not decide, what all refinements of the composition say.
    Thorough,
}

/// How `modular` keeps sets of valuations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SetRepresentation {
    /// One bit for each valuation.
    Bits,
    /// BDDs.
    Bdds,
}

/// By component that the verdict depends on: the sets of states that its abstract states stand for, by their names.
pub type StateClasses = BTreeMap<String, Vec<Vec<String>>>;

/// Parts of the refinement loop that are switched off, to measure what they are worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ablation {
    /// Forget what earlier rounds have decided.
    pub no_keep_colours: bool,
    /// Keep moves of a component that no product has.
    pub no_drop: bool,
    /// Give no colours of a product back to its components.
    pub no_take_over: bool,
    /// Refine all components that leave a step undetermined, not one after the other.
    pub both_sides: bool,
}

macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident: $type:ty => $value:expr;)*) => {
        impl Options {
            $($(#[$doc])*
            #[must_use]
            pub fn $name(mut self, $name: $type) -> Self {
                self.$name = $value;
                self
            })*
        }
    };
}

setters! {
    /// Chooses a method by its name; see [`Options::methods`].
    method: impl Into<String> => method.into();
    /// Stops after this time.
    timeout: Duration => Some(timeout);
    /// Stops when the check's own structures take more than this many bytes.
    memory: u64 => Some(memory);
    /// Gives the check a handle by which another thread can stop it.
    cancel: &Cancel => cancel.clone();
    /// Says how states that cover others are read.
    semantics: Semantics => Some(semantics);
    /// Says how deadlock states are treated.
    deadlock: Deadlock => deadlock;
    /// Takes these components first, in this order (`compositional`, `refine`).
    order: Vec<String> => order;
    /// Divides an SMV model: `auto`, `none`, `recursive`, instances, or a file that lists them (`compositional`,
    /// `refine`).
    components: impl Into<String> => Some(components.into());
    /// Takes these instances of an SMV model for missing: they can do anything (`compositional`, `refine`).
    missing: Vec<String> => missing;
    /// Also computes the value in every state (`direct`).
    values: bool => values;
    /// Looks for at most this many minimal sets of facts that would decide an unknown (`direct`, `compositional`,
    /// `refine` on components); [`Outcome::causes`](crate::Outcome::causes) has them.
    causes: usize => causes;
    /// Keeps the evidence of definite verdicts for [`crate::Answer::certificate`].
    evidence: bool => evidence;
    /// Tells the observer of every round of a refinement.
    rounds: bool => rounds;
    /// Asks for a refinement whose rounds are written down (`refine`); the observer is told of them.
    log_refinement: bool => log_refinement;
    /// Enumerates at most this many states of a symbolic model.
    states: usize => states;
    /// Explains by at most this many positions (states with a subformula).
    positions: usize => positions;
    /// Explains by as few steps as possible, where the evidence is a path.
    shortest: bool => shortest;
    /// Tells the values of definitions in traces (SMV).
    defines: bool => defines;
    /// Tells all variables in traces, also those that the property does not depend on (SMV).
    all_variables: bool => all_variables;
    /// Says what an explanation is for.
    shape: Wanted => shape;
    /// Has arithmetic decided by this solver: z3, cvc5 or a path.
    solver: impl Into<String> => Some(solver.into());
    /// Asks both the embedded solver and the other one, and stops where they differ.
    cross_check: bool => cross_check;
    /// Abstracts these components only (`refine`).
    abstracted: Vec<String> => abstracted;
    /// Keeps the last abstractions (`refine`).
    abstractions: bool => abstractions;
    /// Begins with these sets of states instead of the coarsest abstraction (`refine`); states and components that are
    /// not in it begin as otherwise.
    start: StateClasses => Some(Arc::new(start));
    /// Keeps must transitions as hyper-transitions when their target is split (`refine`).
    hyper: bool => hyper;
    /// Looks at transitions only when a failure cause asks for them, as the papers do (`refine`).
    lazy: bool => lazy;
    /// Leaves out what goes beyond the papers: interface summaries and eager transitions (`refine`).
    paper: bool => paper;
    /// Switches parts of the refinement loop off, to measure them (`refine`).
    ablation: Ablation => ablation;
    /// Divides a program: `whole`, `statement`, `auto` or a file (`modular`).
    partition: impl Into<String> => Some(partition.into());
    /// Says how sets of valuations are kept (`modular`).
    sets: SetRepresentation => Some(sets);
    /// Keeps results in this folder, and goes on from what an earlier run left there (`modular`).
    resume: impl Into<PathBuf> => Some(resume.into());
    /// Has so many blocks in memory at once, each on a thread of its own (`modular`).
    threads: u16 => Some(threads);
    /// Leaves out states of Promela models that an invariant cannot tell from others (`direct`). Yes by default.
    reduction: bool => reduction;
    /// Assumes this of a hole of a program: `HOLE: FORMULA` (`modular`).
    assume: Vec<String> => assume;
}

impl Options {
    /// Lists the methods: their names, each with one line about it. The first is `auto`.
    pub fn methods() -> &'static [Method] {
        engine::METHODS
    }

    /// The name of the method that was chosen.
    pub fn chosen_method(&self) -> &str {
        &self.method
    }

    /// Finds settings that no method can have together.
    ///
    /// # Errors
    ///
    /// The method is not there, or a setting belongs to another method.
    pub fn validate(&self) -> Result<(), Unsupported> {
        let Some(method) = engine::METHODS.iter().find(|method| method.name == self.method) else {
            let names: Vec<&str> = engine::METHODS.iter().map(|method| method.name).collect();
            let why = format!("there is no method `{}`: {}", self.method, names.join(", "));
            return Err(Unsupported::Together { why, help: "" });
        };
        let method = if method.name == engine::AUTO { self.implied_method() } else { method.name };
        self.misplaced(method).map_or(Ok(()), Err)
    }

    /// Reads a setting that one method alone has as the wish for that method.
    pub(crate) fn implied_method(&self) -> &'static str {
        if self.modular_option().is_some() || !self.assume.is_empty() {
            "modular"
        } else if self.refine_option().is_some() {
            "refine"
        } else if !self.order.is_empty() || self.modules_option().is_some() {
            "compositional"
        } else if self.semantics == Some(Semantics::Thorough) {
            "direct"
        } else {
            engine::AUTO
        }
    }

    /// A setting that the method does not have.
    fn misplaced(&self, method: &'static str) -> Option<Unsupported> {
        const BY_COMPONENTS: &str = "compositional` and `refine";
        let option = |option, methods, because| {
            Some(Unsupported::Option { option, methods, method, because })
        };
        let composes = matches!(method, "direct" | "symbolic" | "modular");
        if self.values && !matches!(method, engine::AUTO | "direct") {
            return option("--values", "direct", "");
        }
        if self.semantics == Some(Semantics::Thorough) {
            if method != "direct" {
                return option("--semantics thorough", "direct", "has inductive semantics only");
            }
            if self.deadlock == Deadlock::Stutter {
                return Some(Unsupported::Together {
                    why: "`--semantics thorough` is about all refinements, of which `--deadlock stutter` \
                          changes some"
                        .to_owned(),
                    help: "leave one of them out",
                });
            }
        }
        if composes && !self.order.is_empty() {
            return option("--order", BY_COMPONENTS, "composes all at once");
        }
        if composes && let Some(name) = self.modules_option() {
            return option(name, BY_COMPONENTS, "works on the composition");
        }
        if method != "modular"
            && let Some(name) = self.modular_option()
        {
            return option(name, "modular", "has no use for it");
        }
        if method != "refine"
            && let Some(name) = self.refine_option()
        {
            return option(name, "refine", "refines nothing");
        }
        None
    }

    /// A setting of `modular` that was given.
    pub(crate) fn modular_option(&self) -> Option<&'static str> {
        first_given([
            (self.partition.is_some(), "--partition"),
            (self.sets.is_some(), "--sets"),
            (self.resume.is_some(), "--resume"),
            (self.threads.is_some(), "--threads"),
        ])
    }

    /// A setting of `refine` that was given.
    pub(crate) fn refine_option(&self) -> Option<&'static str> {
        let Ablation { no_keep_colours, no_drop, no_take_over, both_sides } = self.ablation;
        first_given([
            (!self.abstracted.is_empty(), "--abstract"),
            (self.log_refinement, "--log-refinement"),
            (self.abstractions, "--emit-abstraction"),
            (self.start.is_some(), "--from-abstraction"),
            (self.hyper, "--hyper"),
            (self.lazy, "--lazy"),
            (self.paper, "--paper"),
            (no_keep_colours, "--no-keep-colours"),
            (no_drop, "--no-drop"),
            (no_take_over, "--no-take-over"),
            (both_sides, "--both-sides"),
        ])
    }

    /// A setting about the modules of an SMV model that was given.
    pub(crate) fn modules_option(&self) -> Option<&'static str> {
        first_given([
            (!self.missing.is_empty(), "--unknown"),
            (self.components.is_some(), "--components"),
        ])
    }
}

fn first_given<const N: usize>(given: [(bool, &'static str); N]) -> Option<&'static str> {
    given.into_iter().find(|(is_given, _)| *is_given).map(|(_, name)| name)
}
