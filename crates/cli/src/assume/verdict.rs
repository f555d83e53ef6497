//! Whether the property holds, with the assumptions in place.

use super::subject::unfit;
use super::{Stand, with_all};
use crate::input::Trouble;
use crate::supervisor::Session;
use ::assume::{Ended, Question, Run, Search, search};
use logic::Truth;
use model::{Model, System};
use report::{Colour, SafetyVerdict};
use support::{Monitor, Stopped};

/// What is known of the property.
pub struct Found {
    pub verdict: Truth,
    /// Why it is unknown, or why a part of the evidence is missing.
    pub reason: Option<String>,
    /// How many states there are with the assumptions in place, if they were all looked at.
    pub states: Option<usize>,
    /// A run of the processes themselves.
    pub error: Option<Run>,
}

impl Found {
    /// It holds; so many states were looked at, if any.
    pub fn holds(states: Option<usize>) -> Found {
        Found { verdict: Truth::True, reason: None, states, error: None }
    }

    fn fails(error: Option<Run>, reason: Option<String>) -> Found {
        Found { verdict: Truth::False, reason, states: None, error }
    }

    /// What is reported of the property.
    pub fn as_report<'a>(&'a self, safety: &'a Model, system: &'a System) -> SafetyVerdict<'a> {
        SafetyVerdict {
            property: &safety.name,
            verdict: self.verdict,
            reason: self.reason.clone(),
            error: self.error.as_ref().map(|run| (run, system)),
        }
    }

    /// The verdict and why, and the run into the error.
    pub fn to_text(
        &self,
        safety: &Model,
        system: &System,
        stands: &[Stand],
        colour: Colour,
    ) -> String {
        let line = report::safety_line(&safety.name, self.verdict, &self.sentence(stands), colour);
        let run = self.error.as_ref().map(|run| report::error_trace(run, system, colour));
        line + &run.unwrap_or_default()
    }

    fn sentence(&self, stands: &[Stand]) -> String {
        match (self.verdict, &self.reason) {
            (Truth::Unknown, Some(reason)) => reason.clone(),
            (_, Some(reason)) => format!("known from the labels; {reason}"),
            (Truth::False, None) => "a shortest run into the error:".to_owned(),
            (_, None) => self.how_it_holds(stands),
        }
    }

    fn how_it_holds(&self, stands: &[Stand]) -> String {
        let names: Vec<String> =
            stands.iter().map(|stand| format!("`{}`", stand.process.name)).collect();
        let place = match *names {
            [] => String::new(),
            [_, _, ..] => format!(" with the assumptions in place of {}", names.join(", ")),
            _ => format!(" with the assumption in place of {}", names.join(", ")),
        };
        match self.states {
            Some(1) => format!("1 state is reachable{place}"),
            Some(states) => format!("{states} states are reachable{place}"),
            None => "known from the labels".to_owned(),
        }
    }
}

/// Looks at all states with the assumptions in place. Where there is an error, the processes themselves
/// have one, too, and it is that one which is shown.
pub fn of<N>(
    system: &System,
    stands: &[Stand],
    safety: &Model,
    session: &Session<N>,
) -> Result<Found, Trouble> {
    let monitor = &session.monitor;
    let stopped = stands.iter().find_map(|stand| match stand.made.ended {
        Ended::Stopped(stopped) => Some(stopped),
        _ => None,
    });
    if let Some(stopped) = stopped {
        return Ok(from_labels(stands, stopped));
    }
    monitor.phase("checking with the assumption", 0);
    Ok(match look(&with_all(system, stands), safety, monitor)? {
        Err(stopped) => from_labels(stands, stopped),
        Ok(Search { states, error: None }) => Found::holds(Some(states)),
        Ok(Search { error, .. }) if stands.is_empty() => Found::fails(error, None),
        Ok(_) => {
            monitor.phase("looking for a run", 0);
            match look(system, safety, monitor)? {
                Ok(found) => Found::fails(found.error, None),
                Err(stopped) => {
                    let reason = format!("no run into the error is shown: {stopped}");
                    Found::fails(None, Some(reason))
                }
            }
        }
    })
}

/// Looks at the states of a system, unless a limit comes first or it is none of processes.
fn look(
    system: &System,
    safety: &Model,
    monitor: &Monitor,
) -> Result<Result<Search, Stopped>, Trouble> {
    // Which of them is replaced makes no difference to a search.
    let question = Question::new(system, 0, safety).map_err(|why| unfit(&why))?;
    Ok(search(&question, monitor))
}

/// The labels may tell the verdict of a loop that was stopped.
fn from_labels(stands: &[Stand], stopped: Stopped) -> Found {
    let known = stands.iter().find_map(|stand| stand.made.equivalence.holds);
    let verdict = known.map_or(Truth::Unknown, Truth::from);
    Found { verdict, reason: Some(stopped.to_string()), states: None, error: None }
}
