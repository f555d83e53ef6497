//! `auto`: a portfolio of the engines by their own estimates, and how several properties share the time limit.
//!
//! Every engine that supports a question offers attempts, each with its cost if it fails. They are made in the order of
//! their costs, over all properties, so that easy properties come first and a hard one does not use up the time of
//! the others. The time that is left is shared equally by the undecided properties. A tentative attempt gets an eighth of
//! its share and three quarters of the memory, so that others can still answer after it.

use crate::answer::Answer;
use crate::clock::{Alarm, Clock};
use crate::engine::{
    AUTO, Attempt, Certified, Checked, Context, ENGINES, Effort, Engine, Estimate, METHODS,
    Question, SharedTime,
};
use crate::engines::symbolic_question;
use crate::error::{Diagnostics, Error};
use crate::event::{Event, Observer};
use crate::explanation::Explanation;
use crate::invariant;
use crate::model::{Form, Model};
use crate::options::Options;
use crate::property::{About, Property};
use crate::unsupported::Unsupported;
use explicit::{Outcome, Reason};
use logic::Logic;
use std::cmp::Ordering;
use std::sync::Arc;
use std::time::{Duration, Instant};
use support::{Monitor, StopReason, Stopped};

/// A tentative attempt gets one of so many parts of its property's share of the time.
const TENTATIVE: usize = 8;

/// Answers several properties.
pub fn check_all(
    model: &Model,
    properties: &[Property],
    options: &Options,
    observer: &dyn Observer,
) -> Result<Vec<Result<Answer, Error>>, Error> {
    options.validate()?;
    report_warnings(model, properties, options, observer)?;
    observer.event(Event::Plan(properties));
    let clock = Clock::default();
    let (monitor, deadline, _alarm) = limits(options, &clock);
    let mut run = Run {
        model,
        properties,
        batch: properties.into(),
        options,
        observer,
        monitor: &monitor,
        deadline,
        clock: &clock,
        found: properties.iter().map(|_| None).collect(),
        without_cause: properties.iter().map(|_| None).collect(),
        seconds: vec![0.0; properties.len()],
        shared: Duration::ZERO,
        reported: 0,
    };
    run.answer_all()?;
    observer.event(Event::Shared(run.shared));
    Ok(run.found.into_iter().flatten().collect())
}

/// A monitor within the limits of a call, with its deadline; the alarm has to live as long as the work.
fn limits<'a>(
    options: &Options,
    clock: &'a Clock,
) -> (Monitor, Option<Instant>, Option<Alarm<'a>>) {
    let monitor = options.cancel.monitor().child(true);
    if let Some(bytes) = options.memory {
        monitor.limit_memory(bytes);
    }
    let deadline = options.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
    let alarm = deadline.map(|deadline| clock.stop_at(&monitor, deadline));
    (monitor, deadline, alarm)
}

/// Answers one property and explains the answer. `batch` has all properties of
/// the call: engines share work among them.
pub fn explain(
    model: &Model,
    property: &Property,
    batch: &[Property],
    options: &Options,
    observer: &dyn Observer,
) -> Result<Explanation, Error> {
    options.validate()?;
    let options = &Options { explains: true, ..options.clone() };
    report_warnings(model, std::slice::from_ref(property), options, observer)?;
    let clock = Clock::default();
    let (monitor, _, _alarm) = limits(options, &clock);
    let question = Question { model, property, batch, options };
    if let Some(outcome) = property.unsupported_outcome() {
        return Ok(Explanation::bare(outcome, Vec::new()));
    }
    if property.is_length() {
        return Err(Unsupported::Explanation {
            why: "a length has no explanation of its own",
            help: "explain `EBF 0..n g` or `ABF 0..n g` with the length for `n`",
        }
        .into());
    }
    let mut last = None;
    for (Attempt { effort, .. }, engine) in offers(&question)? {
        let shared = SharedTime::default();
        let context = Context { monitor: &monitor, observer, effort, shared: &shared };
        let explained = match options.missing.is_empty() {
            true => engine.explain(&question, &context),
            false => explain_without_modules(engine, &question, &context),
        };
        match explained {
            Err(Error::Unsupported(unsupported)) => last = Some(unsupported),
            Ok(explained) if effort != Effort::Unlimited && is_given_up(&explained.outcome) => {}
            explained => {
                let asked = Some((model.clone(), property.clone(), options.clone()));
                let mut explained = Explanation { asked, ..explained? };
                invariant::add(&mut explained, &question, &context);
                return Ok(explained);
            }
        }
    }
    Err(last.map_or_else(|| Error::message("no method explains this"), Error::Unsupported))
}

/// Explains an unknown verdict by what is missing. A definite one rests on sets of states of the modules that are
/// there, of which no path through the design is told.
fn explain_without_modules(
    engine: &dyn Engine,
    question: &Question,
    context: &Context,
) -> Result<Explanation, Error> {
    let outcome = engine.check(question, context)?.outcome;
    match outcome.verdict.is_definite() {
        false => Ok(Explanation::bare(outcome, Vec::new())),
        true => Err(Unsupported::Explanation {
            why: "with `--unknown`, a verdict that holds whatever is missing has no path through the design",
            help: "leave `--unknown` out: the modules of the file have the same verdict, and evidence of it",
        }
        .into()),
    }
}

/// The methods that support some question about a model.
pub fn methods(model: &Model) -> Vec<&'static str> {
    let formula = || model.property(Logic::ALL[0], "true").ok();
    let property = model.properties().first().cloned().or_else(formula);
    let supports = |name: &str| {
        let options = Options::default().method(name);
        property.as_ref().is_some_and(|property| {
            let batch = std::slice::from_ref(property);
            let question = Question { model, property, batch, options: &options };
            offers(&question).is_ok_and(|offers| !offers.is_empty())
        })
    };
    METHODS.iter().map(|method| method.name).filter(|name| supports(name)).collect()
}

/// Compiles the properties against the model, for its errors and warnings.
pub fn analyse(
    model: &Model,
    properties: &[Property],
    options: &Options,
) -> Result<Diagnostics, Error> {
    let mut warnings = match properties.first().map(Property::about) {
        Some(About::Finite(text, _)) => text.warnings.clone(),
        Some(About::Integers(subject, _)) => subject.warnings.clone(),
        _ => model.warnings().messages,
    };
    let sources = properties.first().map_or_else(|| model.sources(), |one| one.sources(model));
    let sources = sources.clone();
    let mut errors = Vec::new();
    for warning in properties.iter().flat_map(Property::warnings) {
        if warnings.iter().all(|said| said.message != warning.message) {
            warnings.push(warning.clone());
        }
    }
    warnings.sort_by_key(|warning| warning.labels.first().map(|(span, _)| (span.file, span.start)));
    if let Form::Components(_) = model.form() {
        let states = model.states(options.semantics)?;
        for property in properties {
            let About::Components(surface, _) = property.about() else { continue };
            if let Err(found) = states.compile_warning(surface, &mut warnings) {
                errors.extend(found);
            }
        }
    }
    if !errors.is_empty() {
        errors.extend(warnings);
        return Err(Error::of(errors, &sources));
    }
    Ok(Diagnostics { messages: warnings, sources })
}

/// Reports the warnings about properties.
fn report_warnings(
    model: &Model,
    properties: &[Property],
    options: &Options,
    observer: &dyn Observer,
) -> Result<(), Error> {
    let warnings = analyse(model, properties, options)?;
    if !warnings.messages.is_empty() {
        observer.event(Event::Warnings(&warnings));
    }
    Ok(())
}

/// An engine with one of its attempts.
type Offer = (Attempt, &'static dyn Engine);

/// The attempts that are worth making, cheapest first.
fn offers(question: &Question) -> Result<Vec<Offer>, Error> {
    if let (About::Finite(..), Some(_)) = (question.property.about(), question.options.semantics) {
        let (option, input) =
            ("--semantics", "explicit models, and programs over integers by `--method symbolic`");
        let help = "a symbolic model with finitely many values leaves nothing open: leave it out";
        return Err(Unsupported::OptionForInput { option, input, help }.into());
    }
    let method = match question.options.method.as_str() {
        AUTO => question.options.implied_method(),
        method => method,
    };
    let mut found: Vec<Offer> = Vec::new();
    let mut named: Vec<(Estimate, &'static dyn Engine)> = Vec::new();
    let mut refusals: Vec<Unsupported> = Vec::new();
    let is_length = question.property.is_length();
    for engine in ENGINES.iter().filter(|engine| method == AUTO || engine.name() == method) {
        if is_length && !engine.computes_lengths() {
            continue;
        }
        match engine.supports(question) {
            Ok(estimate) if method == AUTO => {
                found.extend(estimate.0.into_iter().map(|attempt| (attempt, *engine)));
            }
            Ok(estimate) => named.push((estimate, *engine)),
            Err(unsupported) => refusals.push(unsupported),
        }
    }
    if let Some((estimate, first)) = named.first() {
        let first = *first;
        let shares_it = estimate.is_limited();
        named.retain(|(estimate, _)| shares_it && estimate.is_limited());
        if named.len() < 2 {
            return Ok(vec![(Attempt { cost: 0.0, effort: Effort::Unlimited }, first)]);
        }
        for (estimate, engine) in named {
            found.extend(estimate.0.into_iter().map(|attempt| (attempt, engine)));
        }
        found.push((Attempt { cost: f64::INFINITY, effort: Effort::Unlimited }, first));
    }
    found.sort_by(|(a, _), (b, _)| a.cost.total_cmp(&b.cost));
    if !found.is_empty() {
        return Ok(found);
    }
    if is_length && refusals.is_empty() {
        let why = "lengths of paths are computed by `--method symbolic`".to_owned();
        return Err(Unsupported::Property(why).into());
    }
    // The error of a program that is no transition system is the most specific one.
    if let Some(Err(error)) =
        symbolic_question(question).map(|machine| machine.transition_system().map(|_| ()))
        && method != "modular"
    {
        return Err(error);
    }
    // That a method is for another kind of input is the least specific refusal.
    let specificity = |one: &Unsupported| match one {
        Unsupported::Input { help: "", .. } => 2,
        Unsupported::Input { .. } => 1,
        _ => 0,
    };
    let place = (0..refusals.len()).min_by_key(|&at| specificity(&refusals[at])).unwrap_or(0);
    match refusals.is_empty() {
        true => Err(Error::message(format!("there is no method `{method}`"))),
        false => Err(refusals.swap_remove(place).into()),
    }
}

struct Run<'a> {
    model: &'a Model,
    properties: &'a [Property],
    batch: Arc<[Property]>,
    options: &'a Options,
    observer: &'a dyn Observer,
    monitor: &'a Monitor,
    deadline: Option<Instant>,
    clock: &'a Clock,
    found: Vec<Option<Result<Answer, Error>>>,
    /// Unknowns of engines that do not diagnose causes, in case there is no better answer.
    without_cause: Vec<Option<(Checked, &'static str)>>,
    seconds: Vec<f64>,
    /// The time of work that was done for several properties.
    shared: Duration,
    /// How many answers the observer has got: they are sent in order.
    reported: usize,
}

impl<'a> Run<'a> {
    fn question(&self, number: usize) -> Question<'a> {
        let &Run { model, properties, options, .. } = self;
        Question { model, property: &properties[number], batch: properties, options }
    }

    fn answer_all(&mut self) -> Result<(), Error> {
        let mut queue: Vec<(usize, Offer)> = Vec::new();
        for number in 0..self.properties.len() {
            match self.properties[number].unsupported_outcome() {
                Some(outcome) => {
                    let method = method_name(&self.options.method);
                    self.settle(number, method, Ok(outcome.into()));
                }
                None => match offers(&self.question(number)) {
                    Ok(offers) => queue.extend(offers.into_iter().map(|offer| (number, offer))),
                    // The others are of another kind, and can be answered.
                    Err(Error::Unsupported(why)) if self.properties[number].is_length() => {
                        let outcome = Outcome::unknown(Reason::Unsupported(why.to_string().into()));
                        let method = method_name(&self.options.method);
                        self.settle(number, method, Ok(outcome.into()));
                    }
                    Err(error) => return Err(error),
                },
            }
        }
        // Of two that cost the same, the one that gives up comes first.
        let order = |(_, (one, _)): &(usize, Offer)| (one.cost, one.effort == Effort::Unlimited);
        queue
            .sort_by(|one, other| order(one).partial_cmp(&order(other)).unwrap_or(Ordering::Equal));
        let mut late: Vec<(usize, Offer)> = Vec::new();
        for (number, (attempt, engine)) in queue {
            let is_known = self.without_cause[number].is_some();
            if self.found[number].is_some() || is_known && attempt.effort == Effort::Unlimited {
                continue;
            }
            let is_last = self.try_one(number, attempt, engine)?;
            if !is_last {
                late.push((number, (attempt, engine)));
            }
        }
        // Attempts that have used up their share of the time continue with what is left.
        for (number, (attempt, engine)) in late {
            let is_known = self.found[number].is_some() || self.without_cause[number].is_some();
            if !is_known && attempt.effort == Effort::Unlimited {
                self.try_with(number, attempt, engine, None)?;
            }
        }
        for number in 0..self.properties.len() {
            if self.found[number].is_none() {
                let stopped = self.monitor.check().err().unwrap_or(Stopped(StopReason::Timeout));
                let nothing =
                    || (Outcome::stopped(stopped).into(), method_name(&self.options.method));
                let (checked, method) = self.without_cause[number].take().unwrap_or_else(nothing);
                self.settle(number, method, Ok(checked));
            }
        }
        Ok(())
    }

    /// Makes an attempt; returns false if another one has to follow.
    fn try_one(
        &mut self,
        number: usize,
        attempt: Attempt,
        engine: &'static dyn Engine,
    ) -> Result<bool, Error> {
        let open = self.found.iter().filter(|found| found.is_none()).count();
        let parts = if is_tentative(attempt, engine) { open * TENTATIVE } else { open };
        let share = self.deadline.filter(|_| parts > 1).map(|deadline| {
            let left = deadline.saturating_duration_since(Instant::now());
            Instant::now() + left / parts as u32
        });
        self.try_with(number, attempt, engine, share)
    }

    fn try_with(
        &mut self,
        number: usize,
        attempt: Attempt,
        engine: &'static dyn Engine,
        share: Option<Instant>,
    ) -> Result<bool, Error> {
        if self.monitor.check().is_err() {
            return Ok(true);
        }
        let own = self.monitor.child(true);
        if let (true, Some(bytes)) = (is_tentative(attempt, engine), self.monitor.memory_limit()) {
            own.limit_memory((bytes / 4 * 3).max(1));
        }
        let clock = self.clock;
        let _alarm = share.map(|share| clock.stop_at(&own, share));
        let shared = SharedTime::default();
        let (observer, effort) = (self.observer, attempt.effort);
        let context = Context { monitor: &own, observer, effort, shared: &shared };
        let started = Instant::now();
        let checked = engine.check(&self.question(number), &context);
        let took = started.elapsed();
        // All that is done is done for the only property.
        let shared =
            if self.properties.len() > 1 { shared.get().min(took) } else { Duration::ZERO };
        self.seconds[number] += (took - shared).as_secs_f64();
        self.shared += shared;
        let is_late = own.check() == Err(Stopped(StopReason::Timeout));
        let is_limited = attempt.effort != Effort::Unlimited;
        let goes_on = self.monitor.check().is_ok();
        let is_share_over = share.is_some() && is_late && goes_on;
        match checked {
            Err(Error::Stopped(_)) if is_share_over || is_limited && goes_on => Ok(false),
            Err(Error::Stopped(stopped)) => {
                self.settle(number, engine.name(), Ok(Outcome::stopped(stopped).into()));
                Ok(true)
            }
            Err(error @ Error::Property(_)) => {
                self.settle(number, engine.name(), Err(error));
                Ok(true)
            }
            Err(error) => Err(error),
            Ok(checked) => {
                if is_given_up(&checked.outcome) && (is_limited || is_share_over) {
                    return Ok(false);
                }
                if is_limited && checked.outcome.reason == Some(Reason::NoCause) {
                    self.without_cause[number] = Some((checked, engine.name()));
                    return Ok(false);
                }
                if is_limited && matches!(checked.certified, Certified::Unavailable(_)) {
                    return Ok(false);
                }
                let method = checked.method.unwrap_or(engine.name());
                self.settle(number, method, Ok(checked));
                Ok(true)
            }
        }
    }

    /// Records the answer to a property, and sends all answers that are next in order.
    fn settle(&mut self, number: usize, method: &'static str, checked: Result<Checked, Error>) {
        let answer = checked.map(|Checked { outcome, certified, abstractions, .. }| Answer {
            model: self.model.clone(),
            property: self.properties[number].clone(),
            batch: self.batch.clone(),
            options: self.options.clone(),
            method,
            outcome,
            certified,
            abstractions,
            seconds: self.seconds[number],
        });
        let answer = answer.map(|answer| answer.without_refused_certificate(self.monitor));
        self.found[number] = Some(answer);
        while let Some(Some(found)) = self.found.get(self.reported) {
            match found {
                Ok(answer) => self.observer.event(Event::Answer(answer)),
                Err(error) => {
                    self.observer.event(Event::Refused(&self.properties[self.reported], error))
                }
            }
            self.reported += 1;
        }
    }
}

fn is_tentative(attempt: Attempt, engine: &dyn Engine) -> bool {
    attempt.effort != Effort::Unlimited && engine.is_tentative()
}

/// Whether an attempt has reached its limit.
fn is_given_up(outcome: &Outcome) -> bool {
    matches!(outcome.reason, Some(Reason::Stopped(_)))
}

/// The method of this name, as answers print it.
pub fn method_name(name: &str) -> &'static str {
    METHODS.iter().map(|method| method.name).find(|known| *known == name).unwrap_or(AUTO)
}
