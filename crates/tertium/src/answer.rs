//! The answer to a question: the verdict and, on demand, its evidence.

use crate::engine::{AUTO, Certified};
use crate::error::Error;
use crate::explanation::{Explanation, Wanted};
use crate::model::Model;
use crate::options::{Options, StateClasses};
use crate::portfolio;
use crate::property::Property;
use explicit::{Outcome, Reason, Stats};
use logic::evidence::Trace;
use logic::{PathLength, Truth};
use std::sync::Arc;
use std::time::Duration;

/// The verdict on a property, with its reason, figures and evidence.
#[derive(Clone)]
pub struct Answer {
    pub(crate) model: Model,
    pub(crate) property: Property,
    /// All properties that were asked with it: what was computed for them is there.
    pub(crate) batch: Arc<[Property]>,
    pub(crate) options: Options,
    pub(crate) outcome: Outcome,
    pub(crate) certified: Certified,
    pub(crate) abstractions: Abstractions,
    pub(crate) method: &'static str,
    pub(crate) seconds: f64,
}

/// Abstractions of the components that give the verdict, each as weak as that allows.
#[derive(Clone, Debug, Default)]
pub struct Abstractions {
    /// By component, then (without a name) of all of them with the property: texts in the native language.
    pub texts: Vec<(Option<String>, String)>,
    /// The sets of states that the abstract states stand for, for [`Options::start`].
    pub classes: StateClasses,
}

impl Answer {
    /// True, false or unknown.
    pub fn verdict(&self) -> Truth {
        self.outcome.verdict
    }

    /// The property that was asked.
    pub fn property(&self) -> &Property {
        &self.property
    }

    /// The answer to a question for the length of a path; the verdict is then true.
    pub fn length(&self) -> Option<PathLength> {
        self.outcome.length
    }

    /// The cause of an unknown.
    pub fn reason(&self) -> Option<&Reason> {
        self.outcome.reason.as_ref()
    }

    /// The name of the method that decided it.
    pub fn method(&self) -> &'static str {
        self.method
    }

    /// Sizes and counts of the check.
    pub fn figures(&self) -> &Stats {
        &self.outcome.stats
    }

    /// The time that the answer took, in seconds, without the work that was done for several properties.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// The value in every state, if [`Options::values`] asked for it.
    pub fn values(&self) -> Option<&[(String, Truth)]> {
        self.outcome.values.as_deref()
    }

    /// The last abstractions, if [`Options::abstractions`] asked for them.
    pub fn abstractions(&self) -> &Abstractions {
        &self.abstractions
    }

    /// All that the engine has found.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// Explains the answer: a counterexample, a witness, or the diagnosis of an unknown.
    ///
    /// # Errors
    ///
    /// The method cannot explain, or a limit was reached.
    pub fn explanation(&self) -> Result<Explanation, Error> {
        self.explanation_by(&self.options)
    }

    fn explanation_by(&self, options: &Options) -> Result<Explanation, Error> {
        let Self { model, property, batch, .. } = self;
        let by_method = options.clone().method(self.method);
        match portfolio::explain(model, property, batch, &by_method, &()) {
            Err(Error::Unsupported(_)) if options.method == AUTO => {
                portfolio::explain(model, property, batch, options, &())
            }
            explained => explained,
        }
    }

    /// The path that refutes a false property, where its evidence is one.
    ///
    /// # Errors
    ///
    /// A limit was reached.
    pub fn counterexample(&self) -> Result<Option<Trace>, Error> {
        match self.verdict() {
            Truth::False => Ok(self.trace(None)?.filter(|trace| !trace.is_prefix)),
            _ => Ok(None),
        }
    }

    /// The path that shows a true property, where its evidence is one.
    ///
    /// # Errors
    ///
    /// A limit was reached.
    pub fn witness(&self) -> Result<Option<Trace>, Error> {
        match self.verdict() {
            Truth::True => Ok(self.trace(None)?.filter(|trace| !trace.is_prefix)),
            _ => Ok(None),
        }
    }

    /// The path that shows the verdict, as far as its evidence is one ([`Trace::is_prefix`]); `None` if no method tells
    /// one. It is given up after the time that is given, if it is.
    ///
    /// # Errors
    ///
    /// A limit was reached.
    pub fn trace(&self, patience: Option<Duration>) -> Result<Option<Trace>, Error> {
        if self.is_refuted_by_no_path() {
            return Ok(None);
        }
        // Half of the memory that is left: the steps after the trace need some, too.
        let half_of_rest =
            |limit| limit - self.options.cancel.monitor().memory_left().unwrap_or(limit) / 2;
        let options = Options {
            timeout: patience.or(self.options.timeout),
            memory: self.options.memory.map(half_of_rest),
            shape: Wanted::Path,
            ..self.options.clone()
        };
        let explained = match self.explanation_by(&options) {
            Err(Error::Unsupported(_)) if options.method != AUTO => {
                self.explanation_by(&options.method(AUTO))
            }
            explained => explained,
        };
        match explained {
            Ok(explanation) => match explanation.outcome.reason {
                Some(Reason::Stopped(stopped)) => Err(stopped.into()),
                _ => Ok(explanation.trace_prefix()),
            },
            Err(Error::Unsupported(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Whether it takes all paths to refute the property, so that [`Answer::trace`] tells none. Where states are listed
    /// it tells the first one.
    pub fn is_refuted_by_no_path(&self) -> bool {
        let is_false = self.verdict() == Truth::False;
        is_false && self.method != "direct" && self.property.is_existential()
    }

    /// A certificate of a definite verdict, for [`crate::certify`]. Checks again, with evidence, unless
    /// [`Options::evidence`] was set.
    ///
    /// # Errors
    ///
    /// The verdict is unknown, the method has no certificates for this model, or a limit was reached.
    pub fn certificate(&self) -> Result<Vec<u8>, Error> {
        match &self.certified {
            Certified::Unavailable(why) => return Err(Error::message(why.clone())),
            Certified::NotRequested if !self.verdict().is_definite() => {
                return Err(Error::message("an unknown verdict has no certificate"));
            }
            Certified::NotRequested => {}
            certified => return Ok(certified.bytes().unwrap_or_default()),
        }
        let options = self.options.clone().evidence(true);
        let by_method = options.clone().method(self.method);
        let again = match self.model.check(&self.property, &by_method) {
            Err(Error::Unsupported(_)) => self.model.check(&self.property, &options)?,
            answer => answer?,
        };
        match again.certified {
            Certified::Unavailable(why) => Err(Error::message(why)),
            certified => {
                let none =
                    || Error::message("a limit was reached before the evidence was complete");
                certified.bytes().ok_or_else(none)
            }
        }
    }

    /// Why there is no certificate although [`Options::evidence`] was set.
    pub fn not_certified(&self) -> Option<&str> {
        match &self.certified {
            Certified::Unavailable(why) => Some(why),
            _ => None,
        }
    }
}
