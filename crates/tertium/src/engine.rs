//! Engines: what they are asked, what they answer, and the table of all of them.

use crate::engines;
use crate::error::Error;
use crate::event::{Event, Observer};
use crate::explanation::Explained;
use crate::model::Model;
use crate::options::Options;
use crate::property::Property;
use crate::unsupported::Unsupported;
use explicit::Outcome;
use std::sync::Arc;
use support::Monitor;

/// The name of the method that chooses among the others.
pub(crate) const AUTO: &str = "auto";

/// A method of checking, as users name it. Several engines may serve one name, each for another kind of input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Method {
    /// As it is typed.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
}

pub(crate) const METHODS: &[Method] = &[
    Method { name: AUTO, about: "the one that suits the question" },
    Method { name: "direct", about: "compose the whole system and play the game on it" },
    Method {
        name: "compositional",
        about: "decide by the components, and combine only what is in doubt",
    },
    Method {
        name: "refine",
        about: "abstract the components, and refine where the answer is in doubt",
    },
    Method { name: "symbolic", about: "keep sets of states as decision diagrams" },
    Method { name: "modular", about: "take a while-program apart, one piece in memory at a time" },
];

/// All engines. For one method name, the first that supports a question is taken.
pub(crate) static ENGINES: &[&dyn Engine] = &[
    &engines::modular::Modular,
    &engines::direct::Direct,
    &engines::compositional::Compositional,
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

/// A way of answering questions.
pub(crate) trait Engine: Sync {
    /// The name of its method.
    fn name(&self) -> &'static str;

    /// Says whether it can answer the question as it is asked, and what it expects that to cost.
    fn supports(&self, question: &Question) -> Result<Estimate, Unsupported>;

    /// Answers the question, and shows the answer where [`Options::evidence`] asks for it. An undecided one, for whatever
    /// reason, is an answer too; an error is about the input.
    fn check(&self, question: &Question, context: &Context) -> Result<Checked, Error>;

    /// Answers the question and explains the answer.
    fn explain(&self, _: &Question, _: &Context) -> Result<Explained, Error> {
        let help = "the other methods find the same verdict and can explain it";
        Err(Unsupported::Explanation { why: "this method explains nothing here", help }.into())
    }
}

/// One property of a model, and how it is to be checked.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a> {
    pub model: &'a Model,
    pub property: &'a Property,
    /// All properties that are asked in one call, this one among them: engines share work among them.
    pub together: &'a [Property],
    pub options: &'a Options,
}

/// What a check has of the world.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub monitor: &'a Monitor,
    pub observer: &'a dyn Observer,
    pub effort: Effort,
}

impl Context<'_> {
    /// Tells the observer something in words.
    pub fn note(&self, text: impl Into<String>) {
        self.observer.event(Event::Note(text.into()));
    }

    /// Tells it only to those who want details.
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

/// What an engine expects of a question: the attempts that are worth making, cheapest first.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Estimate(pub Vec<Attempt>);

/// One try of an engine, and what it costs if it comes to nothing, in nodes that are looked at.
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

    /// Attempts that double as limits of effort.
    pub fn trying(limits: impl IntoIterator<Item = u64>) -> Self {
        let attempt = |limit| Attempt { cost: limit as f64, effort: Effort::AtMost(limit) };
        Self(limits.into_iter().map(attempt).collect())
    }
}

/// What an engine has found.
pub(crate) struct Checked {
    pub outcome: Outcome,
    pub certified: Certified,
    /// The last abstractions, if they were asked for: by component, then of all of them, as texts in the native language.
    pub abstractions: Vec<(Option<String>, String)>,
}

/// What shows a verdict, or why there is nothing.
#[derive(Clone)]
pub(crate) enum Certified {
    /// Nobody has asked, or the verdict is unknown.
    Unasked,
    /// A whole certificate, in which this property is shown by itself or together with others.
    Bytes(Arc<[u8]>),
    /// A limit came before the evidence, or a part of the model is missing.
    Not(String),
}

impl Checked {
    pub fn new(outcome: Outcome, certified: Certified) -> Self {
        Self { outcome, certified, abstractions: Vec::new() }
    }
}

impl From<Outcome> for Checked {
    fn from(outcome: Outcome) -> Self {
        Self::new(outcome, Certified::Unasked)
    }
}
