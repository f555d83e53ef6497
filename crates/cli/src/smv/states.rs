//! An SMV file as a model of states, for the methods that know nothing else.

use super::{Asked, Program};
use crate::console::colour_of_stderr;
use crate::flags::Limits;
use crate::input::Trouble;
use crate::load::Loaded;
use crate::questions::{Item, compile};
use explicit::{Deadlock, Method, Request};
use logic::{Expr, FairTerm, Fairness, Truth};
use model::System;
use support::{Diagnostic, Monitor, Severity, SourceMap, StopReason, Stopped};
use transition::{Enumeration, Fault, Halt, Machine, Property};

/// How many states are enumerated if nobody says otherwise.
pub const MOST_STATES: usize = 1 << 24;

/// Which specifications a model has to be able to answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Those that are asked.
    Asked,
    /// All of the file: who reads the file again gets the same model.
    File,
}

impl Program {
    /// The states that can be reached, with all that is needed to answer the specifications. Of the
    /// machine, only what they can depend on is looked at.
    pub fn enumerate(
        &self,
        scope: Scope,
        most: usize,
        monitor: &Monitor,
    ) -> Result<Loaded, Trouble> {
        let asked: Vec<&Asked> = match scope {
            Scope::Asked => self.asked().collect(),
            Scope::File => self.all.iter().collect(),
        };
        let is_fair = asked.iter().any(|asked| asked.is_fair);
        let machine = match is_fair {
            true => self.document.machine.remembering_steps(),
            false => self.document.machine.clone(),
        };
        let mut properties = self.propositions(&asked);
        let fair = if is_fair { self.fairness(&machine, &mut properties) } else { Vec::new() };
        let slice = machine.cone(properties.iter().map(|property| property.node));
        let enumerated = transition::enumerate(&machine, &slice, &properties, most, monitor);
        let Enumeration { model, deadlocks, constants } =
            enumerated.map_err(|halt| self.trouble(halt, &machine))?;
        let term = |name: String| Some(FairTerm::State(model.props().get(&name)?, name));
        let terms: Vec<FairTerm> = fair.into_iter().filter_map(term).collect();
        let everywhere = terms.is_empty() && deadlocks.is_clear();
        let dead_end = deadlocks.ones().next().map(|state| model.state_name(state as u32));
        let properties = asked.iter().filter_map(|asked| asked.property.clone());
        Ok(Loaded {
            covering: None,
            system: System::single(model),
            properties: properties.collect(),
            safeties: Vec::new(),
            warnings: self.document.warnings.clone(),
            sources: self.sources.clone(),
            fairness: Fairness { terms, everywhere, ..Fairness::default() },
            dead_end,
            constants: Some(constants),
        })
    }

    /// What the formulas speak of.
    pub(super) fn propositions(&self, asked: &[&Asked]) -> Vec<Property> {
        let surfaces = || asked.iter().filter_map(|asked| asked.property.as_ref());
        let is_used = |name: &str| {
            surfaces().any(|property| {
                let exprs = property.surface.exprs.values();
                exprs.into_iter().any(|(expr, _)| matches!(expr, Expr::Prop(prop) if prop == name))
            })
        };
        let propositions = self.document.propositions.iter();
        propositions.filter(|proposition| is_used(&proposition.name)).cloned().collect()
    }

    /// The names of the propositions that fair paths meet infinitely often, which are added if they are
    /// not there. They are called what they are called in the file.
    pub(super) fn fairness(
        &self,
        machine: &Machine,
        properties: &mut Vec<Property>,
    ) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (index, fairness) in machine.fairness.iter().enumerate() {
            if machine.exprs.as_constant(fairness.node) == Some(1) {
                continue;
            }
            let known = properties.iter().find(|property| property.node == fairness.node);
            let name = match known {
                Some(known) => known.name.clone(),
                None => self.name_of_fairness(machine, index, properties),
            };
            if known.is_none() {
                properties.push(Property { name: name.clone(), node: fairness.node });
            }
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    fn name_of_fairness(&self, machine: &Machine, index: usize, known: &[Property]) -> String {
        let fairness = &machine.fairness[index];
        let text = self.sources.text(fairness.span);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let name = match &*machine.instances[fairness.instance].name {
            "" => text,
            instance => format!("{text} IN {instance}"),
        };
        match known.iter().any(|property| property.name == name) {
            true => format!("{name} ({})", index + 1),
            false => name,
        }
    }

    fn trouble(&self, halt: Halt, machine: &Machine) -> Trouble {
        match halt {
            Halt::Stopped(stopped) => Trouble::Stopped(stopped),
            Halt::TooMany(_) => Trouble::Stopped(Stopped(StopReason::States)),
            Halt::Fault(fault) => self.fault(&fault, machine),
        }
    }

    pub fn fault(&self, fault: &Fault, machine: &Machine) -> Trouble {
        let diagnostics = vec![fault.diagnostic(machine)];
        Trouble::Faults(diagnostics, Box::new(self.sources.clone()))
    }

    /// What is to be answered, in the form in which a model of states can be asked.
    pub fn items(&self, loaded: &mut Loaded) -> Result<Vec<Item>, Trouble> {
        let mut items = Vec::new();
        for Asked { question, property, .. } in self.asked() {
            items.push(match (property, question.not_supported) {
                (Some(property), _) => {
                    let asked = vec![(question.clone(), property.clone())];
                    Item::Task(Box::new(compile(asked, loaded)?.swap_remove(0)))
                }
                (None, why) => {
                    Item::Unanswered(question.clone(), why.unwrap_or_default().to_owned())
                }
            });
        }
        Ok(items)
    }
}

impl Loaded {
    /// Finds out whether a fair path begins in every state. Formulas get simpler if one does; who wants to
    /// show a verdict to somebody who trusts nobody goes without.
    pub fn look_for_unfair_states(
        &mut self,
        deadlock: Deadlock,
        monitor: &Monitor,
    ) -> Result<(), Trouble> {
        if self.fairness.everywhere {
            return Ok(());
        }
        if self.dead_end.is_some() && deadlock != Deadlock::Stutter {
            return Ok(());
        }
        let formula = self.fairness.always();
        let request = Request {
            method: Method::Direct,
            deadlock,
            ..Request::new(&self.system, &formula, monitor)
        };
        let outcome =
            explicit::run(&request).map_err(|error| Trouble::message(error.to_string()))?;
        monitor.check()?;
        self.fairness.everywhere = outcome.verdict == Truth::True;
        Ok(())
    }

    /// What is odd about the states of an SMV file, unless nobody wants to know.
    pub fn warnings_of_states(&self, deadlock: Deadlock, limits: &Limits) -> String {
        let mut warnings = Vec::new();
        if self.system.never_starts() {
            warnings.push(no_start());
        }
        if let (Some(state), Deadlock::Warn) = (&self.dead_end, deadlock) {
            warnings.push(dead_end(state));
        }
        if limits.quiet || warnings.is_empty() {
            return String::new();
        }
        report::render(&warnings, &SourceMap::new(), colour_of_stderr())
    }
}

pub(super) fn no_start() -> Diagnostic {
    const WHY: &str = "`INIT`, `init(x) := …` and `INVAR` contradict each other";
    warning("there is no initial state, so everything holds".to_owned(), WHY)
}

pub(super) fn dead_end(state: &str) -> Diagnostic {
    const HELP: &str = "specifications speak of infinite paths, as in NuSMV; `--deadlock stutter` lets \
                        the system stand still there, `--deadlock error` refuses it";
    warning(format!("nothing follows the state `{state}`: paths that end do not count"), HELP)
}

/// One that has no place in the file.
fn warning(message: String, help: &str) -> Diagnostic {
    let help = Some(help.to_owned());
    Diagnostic { severity: Severity::Warning, message, labels: Vec::new(), help }
}
