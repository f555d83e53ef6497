//! Events of a running check, for an observer.

use crate::answer::Answer;
use crate::error::{Diagnostics, Error};
use crate::property::Property;
use explicit::UndecidedAbstraction;
use report::TracedRound;
use std::time::Duration;

/// Something that happened during a check.
#[non_exhaustive]
pub enum Event<'a> {
    /// The properties that will be answered, in this order.
    Plan(&'a [Property]),
    /// A refinement has finished a round.
    Round(&'a Property, TracedRound),
    /// The last abstraction for a property, in case a limit comes before an answer.
    Known(&'a Property, UndecidedAbstraction),
    /// The time of work that was done for several properties, when all are answered.
    Shared(Duration),
    /// A property is answered.
    Answer(&'a Answer),
    /// A property is not a proper question about this model.
    Refused(&'a Property, &'a Error),
    /// Warnings about the texts or the model.
    Warnings(&'a Diagnostics),
    /// A sentence about how the check goes on that everybody should see.
    Note(String),
    /// A sentence for those who want details.
    Detail(String),
}

/// Hears the events of a check. Events come from the thread that checks.
pub trait Observer: Sync {
    /// Hears of an event.
    fn event(&self, event: Event);
}

/// Hears nothing.
impl Observer for () {
    fn event(&self, _: Event) {}
}

impl<F: Fn(Event) + Sync> Observer for F {
    fn event(&self, event: Event) {
        self(event);
    }
}
