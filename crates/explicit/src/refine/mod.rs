//! Abstraction and refinement, component by component (C Fig. 7; for one component G §5).
//!
//! Each component begins as its coarsest abstraction. A round colours the lifted components whose
//! abstraction has changed, combines the ?-subgraphs, and, if the initial node is still unknown,
//! looks for the failure cause and refines one component where the cause lies. Definite nodes are
//! remembered, so only the ?-subgraphs are looked at again.
//!
//! **It ends.** Every round but the last settles a label of a state, looks at a state's transitions,
//! splits a state, finds a hyper-transition or a colour, or takes in a component. What is known of a
//! state is known of its parts, so with S concrete states in all, P propositions and n components there
//! are at most S·P + S + S + n rounds, and one for each colour or hyper-transition found. A colour is
//! remembered and inherited, so it decides a modality in tuples of concrete states in which it was not
//! decided: with m modalities at most n·m·S₁·…·Sₙ times. A hyper-transition is new, and between two
//! splits there are no more than there are sets of states to go to. When there is nothing left to find
//! out, no unknown transition comes from the abstraction (C Thm 5.10).

mod abstraction;
mod answer;
mod cause;
mod colour_cache;
mod concretisation;
mod diagnosis;
mod emit;
mod enabled;
mod evidence;
mod failure_edges;
mod history;
mod lifted;
mod prune;
mod reached_deadlock;
mod state_sets;
#[cfg(test)]
mod tests;
mod weaken;

pub use concretisation::{AbstractStep, Concretisation, Criterion, EnabledSteps};
pub use history::{AbstractSize, Change, FailureCase, FailureCause, Round};

use crate::compositional::{MAX_INITIAL, order};
use crate::failure::Failure;
use crate::outcome::{DeadlockState, Outcome, Reason, Stats};
use crate::unsuited::{has_starts, mixed_or_hyper_component};
use crate::verdict::{Initial, undecided, verdict};
use crate::{Deadlock, Request, deadlock};
use abstraction::{Abstraction, Signature};
use cause::Finding;
use colour_cache::{ColourCache, Known};
use enabled::Source;
use game::colour::{Colouring, colour};
use game::{Plan, Products, Subformulas, SubsystemGame};
use lifted::{Question, Setting};
use logic::{Family, PropId, Truth};
use model::{Interface, Lifting, Moves, System};
use rustc_hash::FxHashSet;
use state_sets::{Start, StateSets};
use std::sync::Arc;
use support::{Monitor, StopReason, Stopped};

/// Large games have many failure causes, and are worth playing again when most of them are gone.
const NODES_OF_CAUSE: u64 = 256;

/// How to refine. The default is everything that helps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refinement {
    /// The components to abstract; `None` for those that have states to merge.
    pub abstracted: Option<Vec<usize>>,
    /// Look at the transitions of a state when a game first comes to it. Without it, as in C Example
    /// 5.11, when a failure cause asks for them.
    pub eager: bool,
    /// Keep must information across splits as hyper-transitions.
    pub hyper: bool,
    /// Remember definite nodes (G §5.1). Without it each round begins anew.
    pub keep_colours: bool,
    /// Drop nodes that no product has as a sub-node (C §5.2, the first optimisation).
    pub drop_absent: bool,
    /// Colour nodes by the products that they are sub-nodes of (C §5.2, the second one).
    pub take_over: bool,
    /// Coloured nodes of a round for which it looks at one more failure cause. Without it, as in the papers, at one.
    pub nodes_of_cause: Option<u64>,
    /// Of several components that leave a transition open refine one first (C footnote 4).
    pub one_side_first: bool,
    pub lifting: Lifting,
    /// Give the last abstractions, as models.
    pub emit: bool,
    /// By component that is looked at from the beginning, by concrete state: states with different numbers are apart.
    pub start: Option<Arc<Vec<Option<Vec<u32>>>>>,
}

impl Default for Refinement {
    fn default() -> Self {
        Self {
            abstracted: None,
            eager: true,
            hyper: false,
            keep_colours: true,
            drop_absent: true,
            take_over: true,
            nodes_of_cause: Some(NODES_OF_CAUSE),
            one_side_first: true,
            lifting: Lifting::Summaries,
            emit: false,
            start: None,
        }
    }
}

impl Refinement {
    /// The given start of a component.
    fn start_of(&self, component: usize) -> Option<&[u32]> {
        self.start.as_ref().and_then(|start| start[component].as_deref())
    }
}

pub(crate) fn suits(system: &System, values: bool) -> bool {
    !values && mixed_or_hyper_component(system).is_none() && has_starts(system).is_none()
}

/// The answer; `None` if that is beyond the limit, or not for this method.
pub(crate) fn run(request: &Request) -> Result<Option<Outcome>, Failure> {
    let Some(tuples) = request.system.initial_tuples(MAX_INITIAL, request.monitor)? else {
        return Ok(None);
    };
    let plan = Plan::new(request.formula);
    let subformulas = Subformulas::of_plan(request.formula, &plan);
    let interface = Interface::new(request.system);
    if request.deadlock == Deadlock::Error && !deadlock::is_excluded(request.system, &interface) {
        deadlock::search(request, &Moves::new(request.system, request.monitor), &tuples)?;
    }
    let question = Question::new(request, &plan, &subformulas, &interface);
    let mut run = begin(request, question, &tuples);
    let Some(mut outcome) = run.decide() else { return Ok(None) };
    if matches!(outcome.reason, Some(Reason::Stopped(_))) {
        return Ok(Some(outcome));
    }
    // A limit that falls here leaves the verdict as it is, without evidence or models.
    if request.evidence && outcome.verdict.is_definite() {
        outcome.evidence = unless_stopped(run.evidence())?.flatten();
    }
    if request.refinement.emit {
        outcome.abstractions = unless_stopped(run.emit(&outcome))?.unwrap_or_default();
    }
    Ok(Some(outcome))
}

/// Components that are no lists of states, and how they begin.
pub struct ConcreteSystem<'w> {
    /// By component of the system.
    pub concretisations: Vec<Box<dyn Concretisation + 'w>>,
    /// The abstract initial states of the composition: all tuples behind which there is a concrete one.
    pub initial: Vec<Vec<u32>>,
    /// Whether there is one behind a tuple of which every member has an initial state behind it.
    pub can_start: &'w dyn Fn(&[u32]) -> bool,
    /// Interfaces of the components as the others see them.
    pub interface: &'w Interface,
}

/// Answers a question about components that the concretisations know. The system that is asked about names them and
/// their propositions; apart from that it is not looked at. Neither evidence nor models are given.
pub fn refine<'w>(request: &'w Request<'w>, stage: ConcreteSystem<'w>) -> Outcome {
    let plan = Plan::new(request.formula);
    let subformulas = Subformulas::of_plan(request.formula, &plan);
    let ConcreteSystem { concretisations, initial, can_start, interface } = stage;
    let question = Question { can_start, ..Question::new(request, &plan, &subformulas, interface) };
    let parts = concretisations.into_iter().enumerate().map(|(c, concrete)| {
        let signature = signature(request.system, interface, c);
        Abstraction::new(concrete, signature, false, &request.refinement)
    });
    let mut run = Run::new(request, question, parts.collect(), initial);
    let stopped = || Outcome::stopped(Stopped(StopReason::Size));
    run.decide().unwrap_or_else(stopped)
}

fn unless_stopped<T>(answer: Result<T, Failure>) -> Result<Option<T>, Failure> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(Failure::Stopped(_)) => Ok(None),
        Err(failure) => Err(failure),
    }
}

/// The run in which every component is a list of states, from the initial ones of the composition.
fn begin<'f>(request: &'f Request<'f>, question: Question<'f>, tuples: &[Vec<u32>]) -> Run<'f, 'f> {
    let Question { interface, .. } = question;
    let Request { system, refinement, .. } = request;
    let is_chosen =
        |c: usize| refinement.abstracted.as_ref().is_none_or(|chosen| chosen.contains(&c));
    let components = system.components.iter().enumerate();
    let concretisations: Vec<StateSets> = components
        .map(|(c, part)| {
            let given = refinement.start_of(c);
            let start = if is_chosen(c) { Start::Merged(given) } else { Start::Apart };
            StateSets::new(&part.model, interface, c, start)
        })
        .collect();
    let blocks = |tuple: &Vec<u32>| -> Vec<u32> {
        let members = concretisations.iter().zip(tuple);
        members.map(|(concrete, &state)| concrete.block_of(state).expect("it is initial")).collect()
    };
    let mut initial: Vec<Vec<u32>> = tuples.iter().map(blocks).collect();
    initial.sort_unstable();
    initial.dedup();
    let parts = concretisations.into_iter().enumerate().map(|(c, concrete)| {
        let signature = signature(system, interface, c);
        let mut part = Abstraction::new(Box::new(concrete), signature, !is_chosen(c), refinement);
        if refinement.start_of(c).is_some() {
            part.look_at_all();
        }
        part
    });
    Run::new(request, question, parts.collect(), initial)
}

fn signature(system: &System, interface: &Interface, component: usize) -> Signature {
    let model = &system.components[component].model;
    let names = interface.joint.names().iter();
    let joint = names.filter_map(|name| model.props().get(name)).map(|prop| prop.0 as usize);
    Signature {
        is_props: system.family() == Family::Props,
        actions: model.actions().len() as u32,
        joint: joint.collect(),
    }
}

/// The components that are looked at from the beginning: those that the formula speaks of, and those that are given.
fn included(request: &Request, question: &Question) -> Vec<usize> {
    let mut included = order::relevant(request, question.plan, question.interface);
    let given = (0..request.system.components.len())
        .filter(|&component| request.refinement.start_of(component).is_some());
    let more: Vec<usize> = given.filter(|component| !included.contains(component)).collect();
    included.extend(more);
    included
}

struct Run<'r, 'f> {
    request: &'r Request<'r>,
    question: Question<'f>,
    settings: Vec<Setting<'f>>,
    abstractions: Vec<Abstraction<'f>>,
    memory: ColourCache,
    /// The components that are looked at, in the order in which they are combined.
    included: Vec<usize>,
    /// By component: its part, if its abstraction has not changed since it was coloured.
    parts: Vec<Option<UnknownSubgraph<'f>>>,
    /// By component: whether its abstraction, or what is remembered of it, has changed in this round.
    stale: Vec<bool>,
    /// Products of the first two, three … components, as far as these have not changed.
    products: Vec<SubsystemGame<'f>>,
    /// Abstract initial states of the composition.
    initial: Vec<Initial>,
    /// The first deadlock that was met.
    deadlock_state: Option<DeadlockState>,
    stats: Stats,
    rounds: u64,
    /// Components and their states that were split in this round.
    split_now: FxHashSet<(usize, u32)>,
    /// Whether a component comes in where it may block a step.
    may_include: bool,
    source: Source,
}

/// Result of a round.
enum Progress {
    Refined,
    Settled,
    Stuck(Reason),
    /// The limit does not suffice.
    TooMuch,
}

/// Result of the product of all ?-subgraphs.
enum Combined<'f> {
    Unknown(Box<(SubsystemGame<'f>, Colouring)>),
    Settled,
    TooMuch,
}

/// The ?-subgraph of a component.
struct UnknownSubgraph<'f> {
    part: SubsystemGame<'f>,
    /// Given as long as the part is not pruned.
    colouring: Option<Colouring>,
}

impl<'r, 'f> Run<'r, 'f> {
    /// The system names the components and shows their interface. The rest is asked of the concretisations: of a
    /// component that is no list of states, the system has any abstraction.
    fn new(
        request: &'r Request<'r>,
        question: Question<'f>,
        abstractions: Vec<Abstraction<'f>>,
        initial: Vec<Vec<u32>>,
    ) -> Self {
        let system = request.system;
        let settings = system.components.iter().enumerate().map(|(component, part)| {
            let own: Vec<Option<PropId>> =
                system.props().names().map(|name| part.model.props().get(name)).collect();
            Setting::new(&question, component, own, part.model.actions().len())
        });
        Self {
            request,
            settings: settings.collect(),
            included: included(request, &question),
            parts: abstractions.iter().map(|_| None).collect(),
            stale: vec![false; abstractions.len()],
            abstractions,
            memory: ColourCache::new(request.refinement.keep_colours),
            products: Vec::new(),
            initial: initial.into_iter().map(|tuple| (tuple, Truth::Unknown)).collect(),
            deadlock_state: None,
            stats: Stats { product_nodes: Some(0), ..Stats::default() },
            rounds: 0,
            split_now: FxHashSet::default(),
            may_include: true,
            source: Source::Concrete,
            question,
        }
    }

    fn monitor(&self) -> &'r Monitor {
        self.request.monitor
    }

    /// The answer; `None` if the limit does not suffice.
    fn decide(&mut self) -> Option<Outcome> {
        while self.request.limit.is_none_or(|limit| self.coloured() <= limit) {
            match self.round() {
                Ok(Progress::Refined) => {}
                Ok(Progress::TooMuch) => return None,
                Ok(Progress::Settled) => return Some(self.outcome(None)),
                Ok(Progress::Stuck(reason)) => return Some(self.outcome(Some(reason))),
                Err(stopped) => return Some(self.stopped(stopped)),
            }
        }
        None
    }

    /// One round of C Fig. 7.
    fn round(&mut self) -> Result<Progress, Stopped> {
        self.rounds += 1;
        self.monitor().phase("refining", 0);
        self.monitor().step(1)?;
        let before = self.coloured();
        if !self.request.refinement.keep_colours {
            // A split may have lost what an initial state was decided by.
            self.initial.iter_mut().for_each(|(_, value)| *value = Truth::Unknown);
        }
        if self.colour_components()? {
            return Ok(Progress::Settled);
        }
        let (combined, colouring) = match self.combine()? {
            Combined::Unknown(product) => *product,
            Combined::Settled => return Ok(Progress::Settled),
            Combined::TooMuch => return Ok(Progress::TooMuch),
        };
        self.prune(&combined, &colouring)?;
        let most = self.causes_of_round(self.coloured() - before);
        let changes = match self.refine_causes(&combined, &colouring, most)? {
            Finding::Refined(changes) => changes,
            Finding::Stuck(reason) => return Ok(Progress::Stuck(reason)),
        };
        let keeps_whole = matches!(changes[..], [(_, Change::Included { .. })]);
        let unknown = colouring.colours.iter().filter(|colour| !colour.is_definite()).count();
        for (cause, change) in changes {
            self.tell(cause, change, self.coloured() - before, unknown as u64);
        }
        self.keep(combined, colouring, keeps_whole);
        Ok(Progress::Refined)
    }

    /// How many failure causes a round looks at that has coloured so many nodes.
    fn causes_of_round(&self, coloured: u64) -> usize {
        let more = self.request.refinement.nodes_of_cause.map_or(0, |nodes| coloured / nodes);
        usize::try_from(more).map_or(usize::MAX, |more| more.saturating_add(1))
    }

    fn coloured(&self) -> u64 {
        self.stats.coloured_nodes.unwrap_or(0)
    }

    /// Step 1 of C Fig. 7. Whether the answer is there.
    fn colour_components(&mut self) -> Result<bool, Stopped> {
        for component in self.included.clone() {
            if self.parts[component].is_none() {
                self.colour_component(component)?;
                if self.is_settled() {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn colour_component(&mut self, component: usize) -> Result<(), Stopped> {
        let mut states: Vec<u32> = undecided(&self.initial).map(|tuple| tuple[component]).collect();
        states.sort_unstable();
        states.dedup();
        let abstraction = &mut self.abstractions[component];
        let part =
            self.settings[component].game(abstraction, &self.memory, &states, self.source)?;
        let colouring = self.colour(&part)?;
        self.parts[component] = Some(UnknownSubgraph { part, colouring: Some(colouring) });
        Ok(())
    }

    /// Colours a part and takes over what it has decided.
    fn colour(&mut self, part: &SubsystemGame<'f>) -> Result<Colouring, Stopped> {
        let colouring = colour(&part.graph, self.monitor())?;
        let given = part.graph.given.iter().filter(|given| given.is_some()).count();
        *self.stats.coloured_nodes.get_or_insert_default() += (part.graph.len() - given) as u64;
        self.memory.insert_part(part, &colouring.colours);
        self.search_deadlock(part)?;
        let nodes = part.initial_nodes();
        for (tuple, value) in &mut self.initial {
            if let (Truth::Unknown, Some(node)) = (*value, nodes.of(tuple)) {
                *value = colouring.colours[node as usize];
            }
        }
        Ok(colouring)
    }

    /// Whether nothing is left to find out.
    fn is_settled(&self) -> bool {
        verdict(self.request.system, &self.initial).is_definite()
            || undecided(&self.initial).next().is_none()
    }

    /// Step 2 of C Fig. 7: the product of the ?-subgraphs, and its colouring.
    fn combine(&mut self) -> Result<Combined<'f>, Stopped> {
        if let [single] = self.included[..] {
            let UnknownSubgraph { part, colouring } =
                self.parts[single].take().expect("coloured in this round");
            let colouring = colouring.expect("a single part is not pruned");
            return Ok(Combined::Unknown(Box::new((part, colouring))));
        }
        for component in self.included.clone() {
            self.prune_part(component);
        }
        loop {
            let Some(product) = self.next_product()? else { return Ok(Combined::TooMuch) };
            let colouring = self.colour(&product)?;
            *self.stats.product_nodes.get_or_insert_default() += product.graph.len() as u64;
            if self.is_settled() {
                return Ok(Combined::Settled);
            }
            if product.components.len() == self.included.len() {
                return Ok(Combined::Unknown(Box::new((product, colouring))));
            }
            self.products.push(product.pruned(&colouring.colours));
        }
    }

    fn prune_part(&mut self, component: usize) {
        let Some(UnknownSubgraph { part, colouring }) = self.parts[component].take() else {
            return;
        };
        let part = match colouring {
            Some(colouring) => {
                let mut part = part.pruned(&colouring.colours);
                let abstraction = &mut self.abstractions[component];
                self.settings[component].add_must_transitions(&mut part, abstraction);
                part
            }
            None => part,
        };
        self.parts[component] = Some(UnknownSubgraph { part, colouring: None });
    }

    /// One component more than in the last product.
    fn next_product(&mut self) -> Result<Option<SubsystemGame<'f>>, Stopped> {
        let part = |component: usize| {
            let undetermined = self.parts[component].as_ref();
            &undetermined.expect("coloured in this round").part
        };
        let (a, b) = match self.products.last() {
            None => (part(self.included[0]), part(self.included[1])),
            Some(last) => (last, part(self.included[last.components.len()])),
        };
        let moves = |tuple: &[u32]| {
            enabled::moves(self.question.interface, &self.abstractions, tuple, self.source)
        };
        let products = Products {
            interface: self.question.interface,
            formula: self.question.formula,
            plan: self.question.plan,
            knowledge: &Known { memory: &self.memory, moves: &moves },
            has_choices: self.question.has_choices,
            limit: self.request.limit.map_or(u32::MAX, |limit| {
                u32::try_from(limit.saturating_sub(self.coloured())).unwrap_or(u32::MAX)
            }),
            monitor: self.request.monitor,
        };
        products.combine(a, b, undecided(&self.initial))
    }

    /// Keeps what the next round can use of the games so far.
    fn keep(&mut self, combined: SubsystemGame<'f>, colouring: Colouring, keeps_whole: bool) {
        if !self.request.refinement.keep_colours {
            self.stale.fill(true);
        }
        let fresh = !combined.components.iter().any(|&component| self.stale[component]);
        match combined.components[..] {
            [component] if fresh => {
                self.parts[component] =
                    Some(UnknownSubgraph { part: combined, colouring: Some(colouring) });
            }
            [_] => {}
            _ if fresh && keeps_whole => self.products.push(combined.pruned(&colouring.colours)),
            _ => {}
        }
        for component in 0..self.stale.len() {
            if std::mem::take(&mut self.stale[component]) {
                self.parts[component] = None;
                self.products.retain(|product| !product.components.contains(&component));
            }
        }
    }

    fn tell(&mut self, cause: FailureCause, change: Change, coloured: u64, unknown: u64) {
        let round =
            Round { number: self.rounds, cause, change, sizes: self.sizes(), coloured, unknown };
        (self.request.watch)(&round);
    }

    fn sizes(&self) -> Vec<AbstractSize> {
        let size = |component: usize| {
            let concrete = &self.abstractions[component].concrete;
            let sizes = (0..concrete.states()).map(|state| concrete.size(state));
            AbstractSize {
                component: self.name(component),
                abstract_states: u64::from(concrete.states()),
                concrete_states: sizes.sum(),
            }
        };
        let mut included = self.included.clone();
        included.sort_unstable();
        included.into_iter().map(size).collect()
    }

    fn name(&self, component: usize) -> String {
        self.request.system.components[component].model.name.clone()
    }
}
