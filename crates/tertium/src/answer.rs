//! The answer to a question: the verdict and, on demand, what shows it.

use crate::engine::Certified;
use crate::error::Error;
use crate::explanation::Explanation;
use crate::model::Model;
use crate::options::Options;
use crate::property::Property;
use explicit::{Outcome, Reason, Stats};
use logic::Truth;
use logic::evidence::Trace;

/// The verdict on a property, with its reason, figures and evidence.
#[derive(Clone)]
pub struct Answer {
    pub(crate) model: Model,
    pub(crate) property: Property,
    pub(crate) options: Options,
    pub(crate) outcome: Outcome,
    pub(crate) certified: Certified,
    pub(crate) abstractions: Vec<(Option<String>, String)>,
    pub(crate) method: &'static str,
    pub(crate) seconds: f64,
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

    /// The time that the answer took, in seconds.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// The value in every state, if [`Options::values`] asked for it.
    pub fn values(&self) -> Option<&[(String, Truth)]> {
        self.outcome.values.as_deref()
    }

    /// The last abstractions, if [`Options::abstractions`] asked for them: by component, then (without a name) of all of
    /// them with the property, as texts in the native language.
    pub fn abstractions(&self) -> &[(Option<String>, String)] {
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
        let options = self.options.clone().method(self.method);
        match self.model.explain(&self.property, &options) {
            Err(Error::Unsupported(_)) if self.options.method == crate::engine::AUTO => {
                self.model.explain(&self.property, &self.options)
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
            Truth::False => self.trace(),
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
            Truth::True => self.trace(),
            _ => Ok(None),
        }
    }

    fn trace(&self) -> Result<Option<Trace>, Error> {
        match self.explanation() {
            Ok(explanation) => Ok(explanation.trace()),
            Err(Error::Unsupported(_)) => {
                let options = self.options.clone().method(crate::engine::AUTO);
                match self.model.explain(&self.property, &options) {
                    Ok(explanation) => Ok(explanation.trace()),
                    Err(Error::Unsupported(_)) => Ok(None),
                    Err(error) => Err(error),
                }
            }
            Err(error) => Err(error),
        }
    }

    /// A certificate of a definite verdict, for [`crate::certify`]. Checks again, with evidence, unless
    /// [`Options::evidence`] was set.
    ///
    /// # Errors
    ///
    /// The verdict is unknown, the method has no certificates for this model, or a limit was reached.
    pub fn certificate(&self) -> Result<Vec<u8>, Error> {
        match &self.certified {
            Certified::Not(why) => return Err(Error::message(why.clone())),
            Certified::Unasked if !self.verdict().is_definite() => {
                return Err(Error::message("an unknown verdict has no certificate"));
            }
            Certified::Unasked => {}
            certified => return Ok(certified.bytes().unwrap_or_default()),
        }
        let options = self.options.clone().evidence(true);
        let by_method = options.clone().method(self.method);
        let again = match self.model.check(&self.property, &by_method) {
            Err(Error::Unsupported(_)) => self.model.check(&self.property, &options)?,
            answer => answer?,
        };
        match again.certified {
            Certified::Not(why) => Err(Error::message(why)),
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
            Certified::Not(why) => Some(why),
            _ => None,
        }
    }
}
