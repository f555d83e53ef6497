//! The engines' interface, questions and answers, and the table of all engines.

use crate::answer::Abstractions;
use crate::engines;
use crate::error::Error;
use crate::event::{Event, Observer};
use crate::explanation::Explanation;
use crate::model::Model;
use crate::options::Options;
use crate::property::Property;
use crate::unsupported::Unsupported;
use audit::format::{Checksum, END};
use explicit::Outcome;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use support::Monitor;

/// The name of the method that chooses among the others.
pub(crate) const AUTO: &str = "auto";

/// A method of checking, as users name it. Several engines may serve one name, each for another kind of input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Method {
    /// As it is typed.
    pub name: &'static str,
    /// Its description, in one line.
    pub about: &'static str,
}

pub(crate) const METHODS: &[Method] = &[
    Method { name: AUTO, about: "portfolio: the methods that support the model, cheapest first" },
    Method { name: "direct", about: "3-valued model-checking game on the composition" },
    Method {
        name: "compositional",
        about: "games of the components, and products of their undetermined parts",
    },
    Method {
        name: "refine",
        about: "abstraction refinement (CEGAR) of the components or of predicates",
    },
    Method { name: "symbolic", about: "BDD-based fixpoints on sets of states" },
    Method {
        name: "modular",
        about: "while-programs block by block, one block in memory at a time",
    },
];

/// All engines. For one method name, the first that supports a question is taken, and others that support it share it if
/// they all make limited attempts.
pub(crate) static ENGINES: &[&dyn Engine] = &[
    &engines::modular::Modular,
    &engines::on_the_fly::OnTheFly,
    &engines::direct::Direct,
    &engines::compositional::Compositional,
    &engines::bdd_groups::BddGroups,
    &engines::bdd_components::BddComponents,
    &engines::refine::Refine,
    &engines::bdd_refine::BddRefine,
    &engines::symbolic::Symbolic,
    &engines::composition::BddComposition,
    &engines::predicates::PredicateAbstraction { name: "refine" },
    &engines::predicates::PredicateAbstraction { name: "compositional" },
    &engines::predicates::PredicateAbstraction { name: "modular" },
    &engines::predicate_bdds::PredicateBdds,
];

/// A checking algorithm for one kind of question.
pub(crate) trait Engine: Sync {
    /// The name of its method.
    fn name(&self) -> &'static str;

    /// Says whether it can answer the question as it is asked, and what it expects that to cost.
    fn supports(&self, question: &Question) -> Result<Estimate, Unsupported>;

    /// Answers the question, and shows the answer where [`Options::evidence`] asks for it. An undecided one, for
    /// whatever reason, is an answer too; an error is about the input.
    fn check(&self, question: &Question, context: &Context) -> Result<Checked, Error>;

    /// Whether it answers questions for the lengths of paths, and not of truth only.
    fn computes_lengths(&self) -> bool {
        false
    }

    /// Whether `auto` leaves its limited attempts a part of the time and of the memory only, because it can use up both
    /// before it knows how far it will get.
    fn is_tentative(&self) -> bool {
        false
    }

    /// Answers the question and explains the answer.
    fn explain(&self, _: &Question, _: &Context) -> Result<Explanation, Error> {
        let help = "use another method: the others find the same verdict and can explain it";
        Err(Unsupported::Explanation {
            why: "this method has no explanations for this model",
            help,
        }
        .into())
    }
}

/// One property of a model, and how it is to be checked.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a> {
    pub model: &'a Model,
    pub property: &'a Property,
    /// All properties of the call, this one among them: engines share work among them.
    pub batch: &'a [Property],
    pub options: &'a Options,
}

/// The context of a check: limits, the observer, and the effort that is worth spending.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub monitor: &'a Monitor,
    pub observer: &'a dyn Observer,
    pub effort: Effort,
    pub shared: &'a SharedTime,
}

/// The time of work that later questions use again: reachable states, encodings.
#[derive(Default)]
pub(crate) struct SharedTime(AtomicU64);

impl SharedTime {
    pub fn get(&self) -> Duration {
        Duration::from_micros(self.0.load(Ordering::Relaxed))
    }
}

impl Context<'_> {
    /// Does work that is not for this question alone.
    pub fn sharing<T>(&self, work: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let done = work();
        let micros = started.elapsed().as_micros().try_into().unwrap_or(u64::MAX);
        self.shared.0.fetch_add(micros, Ordering::Relaxed);
        done
    }

    /// Sends a message to the observer.
    pub fn note(&self, text: impl Into<String>) {
        self.observer.event(Event::Note(text.into()));
    }

    /// Sends a message that is shown with `-v` only.
    pub fn detail(&self, text: impl Into<String>) {
        self.observer.event(Event::Detail(text.into()));
    }
}

/// How much an engine may spend before it gives up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effort {
    /// About so many nodes of its main structure.
    AtMost(u64),
    Unlimited,
}

impl Effort {
    pub fn limit(self) -> Option<u64> {
        match self {
            Effort::AtMost(nodes) => Some(nodes),
            Effort::Unlimited => None,
        }
    }
}

/// The attempts at a question that are worth making, cheapest first.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Estimate(pub Vec<Attempt>);

/// One attempt of an engine, and its cost if it fails, in visited nodes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Attempt {
    pub cost: f64,
    pub effort: Effort,
}

impl Estimate {
    /// A single attempt without a limit.
    pub fn of(cost: f64) -> Self {
        Self(vec![Attempt { cost, effort: Effort::Unlimited }])
    }

    /// Attempts within limits of effort, of which a unit costs so much.
    pub fn trying(limits: impl IntoIterator<Item = u64>, unit: f64) -> Self {
        let attempt = |limit| Attempt { cost: limit as f64 * unit, effort: Effort::AtMost(limit) };
        Self(limits.into_iter().map(attempt).collect())
    }

    /// Whether all attempts are limited, and there are some.
    pub fn is_limited(&self) -> bool {
        let mut attempts = self.0.iter();
        !self.0.is_empty() && attempts.all(|attempt| attempt.effort != Effort::Unlimited)
    }

    /// One more attempt after the others, without a limit.
    pub fn then_unlimited(mut self) -> Self {
        let most = self.0.iter().map(|attempt| attempt.cost).fold(1.0, f64::max);
        self.0.push(Attempt { cost: most * 2.0, effort: Effort::Unlimited });
        self
    }
}

/// The result of an engine.
pub(crate) struct Checked {
    pub outcome: Outcome,
    /// The method that was used, where it is not the one of the engine that was asked.
    pub method: Option<&'static str>,
    pub certified: Certified,
    /// The last abstractions, if they were asked for.
    pub abstractions: Abstractions,
}

/// The proof of a verdict, or why there is none.
#[derive(Clone)]
pub(crate) enum Certified {
    /// Evidence was not asked for, or the verdict is unknown.
    NotRequested,
    /// A certificate that proves this property jointly with others.
    Joint(Arc<[u8]>),
    /// The proof of this property, for a certificate that may have others.
    Claim(Arc<ClaimBytes>),
    /// Why there is none: a limit, a missing part of the model, something not proved, or a logic without certificates.
    Unavailable(String),
}

/// A claim with its proof, and the header of its certificate.
pub(crate) struct ClaimBytes {
    pub header: Vec<u8>,
    /// A claim that this one rests on; a certificate has it once.
    pub before: Vec<u8>,
    pub claim: Vec<u8>,
    pub is_sealed: bool,
}

impl Certified {
    /// The certificate of the property by itself.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        match self {
            Certified::Joint(bytes) => Some(bytes.to_vec()),
            Certified::Claim(claim) => Some(ClaimBytes::certificate(&[claim])),
            _ => None,
        }
    }
}

impl ClaimBytes {
    /// A certificate of these claims, which are of one kind and about one model.
    pub fn certificate(all: &[&ClaimBytes]) -> Vec<u8> {
        let Some(first) = all.first() else { return Vec::new() };
        let mut bytes = [&first.header[..], &first.before].concat();
        all.iter().for_each(|one| bytes.extend_from_slice(&one.claim));
        bytes.push(END as u8);
        if first.is_sealed {
            Checksum::seal(&mut bytes);
        }
        bytes
    }
}

impl Checked {
    pub fn new(outcome: Outcome, certified: Certified) -> Self {
        Self { outcome, method: None, certified, abstractions: Abstractions::default() }
    }
}

impl From<Outcome> for Checked {
    fn from(outcome: Outcome) -> Self {
        Self::new(outcome, Certified::NotRequested)
    }
}
