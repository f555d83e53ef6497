//! An SMV file in decision diagrams, for the symbolic method.

use super::states::no_start;
use super::{Asked, Program};
use crate::console::colour_of_stderr;
use crate::flags::Limits;
use crate::input::Trouble;
use base::{Interner, Monitor, SourceMap, StopReason, Stopped};
use check::{Method, Outcome, Stats};
use logic::{ActionSet, Fairness, Family, PropId, Signature, Term};
use machine::{Property, Slice};
use symbolic::{Halt, Session, Stop, Subject};

/// Nodes of diagrams if nobody limits the memory.
const MOST_NODES: usize = 1 << 26;
/// What a node costs: itself, its place in a table, and a share of the remembered results.
const BYTES_OF_NODE: u64 = 64;
/// With so many bits there may be more states than are enumerated at a glance.
const FEW_BITS: u32 = 12;

/// All that the specifications can depend on, and what they speak of.
pub struct Encoded {
    session: Session,
    names: Interner<PropId>,
    conditions: Vec<String>,
    fairness: Fairness,
}

impl Program {
    /// Why diagrams are better for this file than a list of its states; `None` if they are not.
    pub fn suits_diagrams(&self) -> Option<String> {
        let asked: Vec<&Asked> = self.asked().collect();
        let slice = self.slice(&self.propositions(&asked));
        let machine = &self.document.machine;
        let vars = machine.state_vars().filter(|&var| slice.contains(var));
        let bits: u32 = vars.map(|var| machine.vars[var].domain.bits()).sum();
        (bits > FEW_BITS)
            .then(|| format!("`auto` takes decision diagrams: {bits} bits are many to enumerate\n"))
    }

    fn slice(&self, properties: &[Property]) -> Slice {
        let machine = &self.document.machine;
        let fair = machine.fairness.iter().map(|fairness| fairness.node);
        machine.cone(properties.iter().map(|property| property.node).chain(fair))
    }

    /// Encodes what the specifications that are asked can depend on, and finds the states that can be
    /// reached.
    pub fn encode(&self, memory: Option<u64>, monitor: &Monitor) -> Result<Encoded, Trouble> {
        let machine = &self.document.machine;
        let asked: Vec<&Asked> = self.asked().collect();
        let is_fair = asked.iter().any(|asked| asked.is_fair);
        let mut properties = self.propositions(&asked);
        let fair = if is_fair { self.fairness(machine, &mut properties) } else { Vec::new() };
        let is_step = |property: &Property| machine.exprs.reads_input(property.node);
        let (conditions, labels): (Vec<Property>, Vec<Property>) =
            properties.into_iter().partition(is_step);
        let names: Interner<PropId> = labels.iter().map(|label| &*label.name).collect();
        let term = |name: String| match names.get(&name) {
            Some(prop) => Term::State(prop, name),
            None => Term::Step(ActionSet::one(name)),
        };
        let terms: Vec<Term> = fair.into_iter().map(term).collect();
        let every: Vec<Property> = labels.iter().chain(&conditions).cloned().collect();
        let slice = self.slice(&every);
        let subject = Subject { machine, slice: &slice, labels: &labels, conditions: &conditions };
        let most_nodes = memory.map_or(MOST_NODES, |bytes| (bytes / BYTES_OF_NODE) as usize);
        let mut session = Session::new(subject, most_nodes.min(MOST_NODES), monitor)
            .map_err(|halt| match halt {
                Halt::Fault(fault) => self.fault(&fault, machine),
                Halt::Stop(stop) => Trouble::Stopped(stopped(stop)),
            })?;
        let mut fairness = Fairness { terms, trims: true, ..Fairness::default() };
        fairness.label = Some(session.define(fairness.states()));
        let conditions = conditions.into_iter().map(|condition| condition.name).collect();
        Ok(Encoded { session, names, conditions, fairness })
    }
}

impl Encoded {
    /// Answers a specification. A limit is an answer too, except one that is for all of them.
    pub fn answer(&mut self, asked: &Asked) -> Result<Outcome, Trouble> {
        let Some(property) = &asked.property else {
            let why = asked.question.not_supported.unwrap_or_default();
            return Ok(Outcome::not_tried(Method::Symbolic, why));
        };
        let Self { names, conditions, fairness, .. } = self;
        let signature = Signature { family: Family::Props, props: names, actions: conditions };
        let formula = logic::compile_fair(&property.surface, &signature, fairness, &mut Vec::new())
            .map_err(|errors| Trouble::Faults(errors, Box::default()))?;
        match self.session.check(&formula) {
            Ok(answer) => Ok(Outcome {
                stats: self.stats(),
                ..Outcome::new(answer.verdict, Method::Symbolic)
            }),
            Err(Stop::Stopped(stopped)) => Err(Trouble::Stopped(stopped)),
            Err(full) => Ok(Outcome::stopped(Method::Symbolic, stopped(full))),
        }
    }

    /// What is odd about the states, unless nobody wants to know.
    pub fn warnings(&self, limits: &Limits) -> String {
        if limits.quiet || !self.session.has_no_start() {
            return String::new();
        }
        report::render(&[no_start()], &SourceMap::new(), colour_of_stderr())
    }

    fn stats(&self) -> Stats {
        let figures = self.session.figures();
        // Beyond that a count is not exact.
        let is_exact = figures.states < 2f64.powi(53);
        Stats {
            states: is_exact.then_some(figures.states as u64),
            diagram_nodes: Some(figures.peak_nodes as u64),
            reorderings: Some(figures.reorderings as u64),
            ..Stats::default()
        }
    }
}

pub fn stopped(stop: Stop) -> Stopped {
    match stop {
        Stop::Stopped(stopped) => stopped,
        Stop::Full | Stop::Crowded => Stopped(StopReason::Nodes),
    }
}
