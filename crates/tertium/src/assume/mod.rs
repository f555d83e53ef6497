//! Assumptions: small models that stand for a process, as far as a safety property goes (paper A).

mod model;
mod output;

pub use self::model::SafetyModel;
pub use ::assume::MadeAssumption;

use crate::certify::{Certification, CertifiedClaim};
use crate::error::Error;
use crate::options::{Cancel, Options};
use crate::unsupported::Unsupported;
use ::assume::{
    AnalysisPlan, AssumptionRequest, EndReason, EquivalenceChoice, ErrorRun, InitialAbstraction,
    SafetyQuestion, SafetySearch, Unfit, alternate, replace, search,
};
use ::model::{PartialModel, System};
use audit::{AssumedVerdict, AuditError, CertificateKind, ClaimedAssumption, Fit, Reader};
use logic::Truth;
use std::path::PathBuf;
use support::{Monitor, Stopped};

/// Lets a check choose the process that an assumption stands for: the one with most states.
const AUTO: &str = "auto";

/// How assumptions are made.
#[derive(Clone, Debug)]
pub struct AssumeOptions {
    /// The safety property; need not be given if there is only one. Of a complete model (Promela) it is `assertions`
    /// then.
    pub safety: Option<String>,
    /// The construction.
    pub construction: AssumeConstruction,
    /// The equivalences: of what is reached, of what leads to an error, or one after the other.
    pub equivalence: AssumeEquivalence,
    /// At most this many refinement steps for each process.
    pub steps: Option<u32>,
    /// Whether the size of the assumption is noted after every step, which takes much longer.
    pub curve: bool,
    /// The files for [`SafetyAnswer::output`], whose endings name formats: `.tm`, `.aut`, `.dot`, or `.pml`.
    pub outputs: Vec<PathBuf>,
    /// Whether the composition is written, with the assumption in place, and not the assumption alone.
    pub system: bool,
    /// A handle by which another thread can stop it. What was made by then is an assumption, too.
    pub cancel: Cancel,
}

impl Default for AssumeOptions {
    fn default() -> Self {
        Self {
            safety: None,
            construction: AssumeConstruction::Auto,
            equivalence: AssumeEquivalence::default(),
            steps: None,
            curve: false,
            outputs: Vec::new(),
            system: false,
            cancel: Cancel::default(),
        }
    }
}

/// The two constructions of assumptions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum AssumeConstruction {
    /// Whichever fits the size of the other processes.
    #[default]
    Auto,
    /// From abstractions of the other processes that are refined step by step.
    Abstract,
    /// From the other processes themselves.
    Basic,
}

/// The equivalences of assumptions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum AssumeEquivalence {
    /// All of the others, and once the verdict is known those that keep this verdict only; the smallest assumption.
    Auto,
    /// Forward, then backward on the quotient.
    #[default]
    Both,
    /// Of the states that are reached together with the same states of the others.
    Forward,
    /// Of the states that lead to an error together with the same states of the others.
    Backward,
}

impl AssumeEquivalence {
    fn choice(self) -> EquivalenceChoice {
        match self {
            AssumeEquivalence::Auto => EquivalenceChoice::Auto,
            AssumeEquivalence::Both => EquivalenceChoice::One(AnalysisPlan::Both),
            AssumeEquivalence::Forward => EquivalenceChoice::One(AnalysisPlan::Forward),
            AssumeEquivalence::Backward => EquivalenceChoice::One(AnalysisPlan::Backward),
        }
    }
}

impl AssumeOptions {
    /// Finds options that do not go together, and files that assumptions cannot be written to.
    ///
    /// # Errors
    ///
    /// There are some.
    pub fn validate(&self) -> Result<(), Error> {
        let flag = match (self.construction, self.steps, self.curve) {
            (AssumeConstruction::Basic, Some(_), _) => Some("--steps"),
            (AssumeConstruction::Basic, None, true) => Some("--curve"),
            _ => None,
        };
        if let Some(flag) = flag {
            let message =
                format!("`{flag}` is not supported by `--method basic`, which does not refine");
            return Err(Error::message(message)
                .with_help("use `--method abstract`, which refines step by step"));
        }
        output::have_formats(&self.outputs, self.system)
    }

    fn request(&self) -> AssumptionRequest {
        let start = match self.construction {
            // A limit of steps asks for at least one.
            AssumeConstruction::Auto if self.steps.is_some() || self.curve => {
                InitialAbstraction::Trivial
            }
            AssumeConstruction::Auto => InitialAbstraction::Auto,
            AssumeConstruction::Abstract => InitialAbstraction::Trivial,
            AssumeConstruction::Basic => InitialAbstraction::Discrete,
        };
        let equivalences = self.equivalence.choice();
        AssumptionRequest { start, equivalences, steps: self.steps, until_flat: false }
    }
}

/// The answer to a safety property, with assumptions in the places of some processes.
pub struct SafetyAnswer<'a> {
    model: &'a SafetyModel,
    safety: &'a PartialModel,
    /// The assumptions, in the order in which they were made.
    pub assumptions: Vec<MadeAssumption>,
    /// True, false or unknown.
    pub verdict: Truth,
    /// The cause of an unknown, or the reason why a part of the evidence is missing.
    pub reason: Option<String>,
    /// The number of states with the assumptions in place, if they were all looked at.
    pub states: Option<usize>,
    /// A run of the processes themselves into the error.
    pub error: Option<ErrorRun>,
}

/// Makes assumptions for these processes (`all`: for every process, the largest first), and checks the safety property
/// with them in place. Several processes are refined alternately (A §8): each in turn by some steps, with the
/// assumptions of the others in their places, as long as one of them gets smaller.
///
/// ```
/// let text = "
///     component Desk lts { init idle; idle: -ask-> busy; busy: -think-> ready; ready: -reply-> idle; }
///     component Man lts { init idle; idle: -ask-> waits; waits: -reply-> idle; }
///     system Desk || Man;
///     safety turns lts { actions ask, reply; init even; even: -ask-> odd; odd: -reply-> even; }
/// ";
/// let model = tertium::Input::new().text("desk.tm", text).read_safety()?;
/// let answer = tertium::assume(&model, &["Desk".to_owned()], &Default::default())?;
/// assert_eq!(answer.verdict, tertium::Verdict::True);
/// # Ok::<(), tertium::Error>(())
/// ```
///
/// # Errors
///
/// A process or the property is not there, or the options do not fit. A limit is no error: there are assumptions then,
/// which may be larger than need be, and the answer may be unknown.
pub fn assume<'a>(
    model: &'a SafetyModel,
    processes: &[String],
    options: &AssumeOptions,
) -> Result<SafetyAnswer<'a>, Error> {
    options.validate()?;
    let safety = model.safety_named(options.safety.as_deref())?;
    let numbers = model.processes(processes)?;
    output::fits(&options.outputs, model, numbers.len())?;
    let monitor = options.cancel.monitor();
    // More steps give no larger assumption: who asks for so many has them all compared.
    let is_observed = options.curve || options.steps.is_some();
    let made = alternate(&model.system, &numbers, safety, &options.request(), is_observed, monitor);
    let mut assumptions = made.map_err(unfit)?;
    if !options.curve {
        assumptions.iter_mut().for_each(|one| one.curve = None);
    }
    SafetyAnswer::with(model, safety, assumptions, monitor)
}

fn unfit(unfit: Unfit) -> Error {
    Error::message(unfit.to_string())
}

fn question(
    system: &System,
    number: usize,
    safety: &PartialModel,
) -> Result<SafetyQuestion, Error> {
    SafetyQuestion::new(system, number, safety).map_err(unfit)
}

impl SafetyModel {
    /// Checks a safety property. With `assume`, an assumption for that process (`auto`: the one with most states) is
    /// made first, as long as it gets smaller, and used in its place (A §1, the third scenario).
    ///
    /// # Errors
    ///
    /// The property or the process is not there, or the model has no actions. A limit is no error: the answer is
    /// unknown then.
    pub fn check(
        &self,
        safety: Option<&str>,
        assume: Option<&str>,
        cancel: &Cancel,
    ) -> Result<SafetyAnswer<'_>, Error> {
        let (safety, monitor) = (self.safety_named(safety)?, cancel.monitor());
        let mut assumptions = Vec::new();
        if let Some(name) = assume {
            let number = match self.process("--assume", name) {
                Err(error) if name == AUTO => *self.largest_first().first().ok_or(error)?,
                number => number?,
            };
            let equivalences = AssumeEquivalence::default().choice();
            let start = InitialAbstraction::Trivial;
            let request = AssumptionRequest { start, equivalences, steps: None, until_flat: true };
            let made = alternate(&self.system, &[number], safety, &request, false, monitor);
            assumptions = made.map_err(unfit)?;
        }
        match &assumptions[..] {
            // The labels decide: no search is needed.
            [only] if only.made.equivalence.holds == Some(true) => {
                Ok(SafetyAnswer { verdict: Truth::True, ..self.unknown(safety, assumptions) })
            }
            _ => SafetyAnswer::with(self, safety, assumptions, monitor),
        }
    }

    fn unknown<'a>(
        &'a self,
        safety: &'a PartialModel,
        assumptions: Vec<MadeAssumption>,
    ) -> SafetyAnswer<'a> {
        let (verdict, reason, states, error) = (Truth::Unknown, None, None, None);
        SafetyAnswer { model: self, safety, assumptions, verdict, reason, states, error }
    }

    /// Checks a certificate of assumptions: whether they still stand, and with them the verdict.
    ///
    /// # Errors
    ///
    /// It is a certificate of something else, or a limit was reached. A certificate that is not valid is no error:
    /// [`Certification::fault`] says what is wrong with it.
    pub fn certify(&self, certificate: &[u8], options: &Options) -> Result<Certification, Error> {
        if options.solver.is_some() {
            return Err(Unsupported::SOLVER.into());
        }
        let safety = |name: &str| self.safety_named(Some(name)).ok();
        let monitor = options.cancel.monitor();
        let audited = match Reader::new(certificate) {
            Ok(reader) if reader.kind() != CertificateKind::Assumption => {
                return Err(Error::message("the certificate is about no assumption"));
            }
            Ok(reader) => audit::audit_assumptions(reader, &self.system, safety, monitor),
            Err(fault) => Err((String::new(), fault)),
        };
        let mut certification = Certification::default();
        match audited {
            Ok(standing) => certification.claims.push(CertifiedClaim {
                provided: said_of(&standing),
                verdict: standing.holds,
                property: standing.property,
                is_by_default: true,
                size: None,
            }),
            Err((_, AuditError::Stopped(stopped))) => return Err(stopped.into()),
            Err((_, AuditError::Foreign(problem))) => {
                return Err(Error::Foreign(problem.to_string()));
            }
            Err((property, fault)) => certification.fault = Some((property, fault.to_string())),
        }
        Ok(certification)
    }
}

fn said_of(standing: &AssumedVerdict) -> String {
    let names = |wanted: Fit| {
        let all = standing.processes.iter().filter(|(_, fit)| *fit == wanted);
        all.map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>()
    };
    let fits = [
        (Fit::Same, "is as it was", "are as they were"),
        (
            Fit::Changed,
            "has changed, and its assumption still stands",
            "have changed, and their assumptions still stand",
        ),
    ];
    let mut said = String::new();
    for (fit, of_one, of_several) in fits {
        match &names(fit)[..] {
            [] => {}
            [name] => said.push_str(&format!("; {name} {of_one}")),
            several => said.push_str(&format!("; {} {of_several}", several.join(", "))),
        }
    }
    said
}

impl<'a> SafetyAnswer<'a> {
    /// Looks at all states with the assumptions in place. Where there is an error, the processes themselves have one,
    /// too, and it is that one which is shown.
    fn with(
        model: &'a SafetyModel,
        safety: &'a PartialModel,
        assumptions: Vec<MadeAssumption>,
        monitor: &Monitor,
    ) -> Result<Self, Error> {
        let mut answer = model.unknown(safety, assumptions);
        let stopped = answer.assumptions.iter().find_map(|one| match one.made.ended {
            EndReason::Stopped(stopped) => Some(stopped),
            _ => None,
        });
        if let Some(stopped) = stopped {
            return Ok(answer.by_labels(stopped));
        }
        monitor.phase("checking with the assumption", 0);
        match search(&question(&answer.replaced(), 0, safety)?, monitor) {
            Err(stopped) => return Ok(answer.by_labels(stopped)),
            Ok(SafetySearch { states, error: None }) => {
                (answer.verdict, answer.states) = (Truth::True, Some(states));
            }
            Ok(SafetySearch { error, .. }) if answer.assumptions.is_empty() => {
                (answer.verdict, answer.error) = (Truth::False, error);
            }
            Ok(_) => {
                answer.verdict = Truth::False;
                monitor.phase("looking for a run", 0);
                match search(&question(&model.system, 0, safety)?, monitor) {
                    Ok(found) => answer.error = found.error,
                    Err(stopped) => {
                        let reason = format!("no run into the error is shown: {stopped}");
                        answer.reason = Some(reason);
                    }
                }
            }
        }
        Ok(answer)
    }

    /// The labels may tell the verdict of a loop that was stopped.
    fn by_labels(mut self, stopped: Stopped) -> Self {
        let known = self.assumptions.iter().find_map(|one| one.made.equivalence.holds);
        self.verdict = known.map_or(Truth::Unknown, Truth::from);
        self.reason = Some(stopped.to_string());
        self
    }

    /// The name of the safety property.
    pub fn property(&self) -> &'a str {
        &self.safety.name
    }

    /// The processes themselves.
    pub fn system(&self) -> &'a System {
        &self.model.system
    }

    /// The system with the assumptions in the places of their processes.
    fn replaced(&self) -> System {
        let put = |system: System, one: &MadeAssumption| {
            replace(&system, one.number, one.assumption.clone())
        };
        self.assumptions.iter().fold(self.model.system.clone(), put)
    }

    /// A certificate of the verdict, for [`SafetyModel::certify`]. `None` if there is nothing to show.
    pub fn certificate(&self) -> Option<Vec<u8>> {
        match self.verdict {
            Truth::True => {}
            Truth::False if self.error.is_some() => {}
            _ => return None,
        }
        let claimed = |one: &MadeAssumption| {
            let process = &self.model.system.components[one.number].model;
            ClaimedAssumption::new(process, &one.assumption, &one.made.equivalence.class_of)
        };
        let assumptions = self.assumptions.iter().map(claimed).collect();
        let (replaced, error) = (self.replaced(), self.error.as_ref());
        Some(::assume::certificate(&replaced, assumptions, self.safety, error))
    }
}
