//! The compositional method (C Fig. 4, C §7): colour the lifted components, combine only ?-subgraphs.
//!
//! Each component that the formula mentions is lifted and coloured by itself; one definite value ends the check.
//! Otherwise the ?-subgraphs are combined, two at a time, and each product is coloured and pruned again. The next
//! component is one that the formula mentions, with most in common with the product, the smaller ?-subgraph if that is
//! equal; then the owner of the failure cause, because it may block a step or owns a literal.
//!
//! With all components combined the product is a closed part of the game of the composition (C Thm 4.8,
//! 5.9), so the verdict is that of the direct method. Lifting and colouring are linear in a component; a product can be
//! as large as the composition.
//!
//! Where we differ from the paper: interface summaries keep must transitions that no other component can block, and the
//! order of the components is chosen.

pub(crate) mod evidence;
pub(crate) mod order;

use crate::cause::{deadlock_state, stuttering, uncertain_transition, unknown_label};
use crate::certificate::{Evidence, Steps};
use crate::failure::Failure;
use crate::games::GameRecorder;
use crate::outcome::{DeadlockState, Diagnosis, Outcome, Reason, Stats};
use crate::unsuited::mixed_or_hyper_component;
use crate::verdict::{Initial, name, state_names, undecided, verdict};
use crate::{Deadlock, Request, deadlock};
use evidence::{Decider, Games};
use game::colour::{Colouring, colour};
use game::{
    ModelGame, Op, Plan, Products, StoredGame, Subformulas, SubsystemGame, ThreeValuedSolution,
};
use logic::Truth;
use model::{Interface, Lifting, Mode, Moves, STUTTER, System, lift};
use rustc_hash::FxHashMap;
use std::thread;
use support::Stopped;

/// A component with fewer positions is coloured before a thread for it has begun.
const WORTH_A_THREAD: usize = 1 << 15;

/// More initial states than this are not distinguished one by one; the auditor does not either.
pub use audit::MAX_INITIAL;

/// Whether the method can be used at all and has something to gain.
pub(crate) fn suits(system: &System, values: bool) -> bool {
    system.components.len() > 1 && !values && mixed_or_hyper_component(system).is_none()
}

/// The answer; `None` if a product got larger than the limit, or there are too many initial states.
pub(crate) fn run(request: &Request) -> Result<Option<Outcome>, Failure> {
    run_recording(request, None)
}

/// The answer, with the games that are played put into a recorder.
pub(crate) fn run_recording(
    request: &Request,
    recorder: Option<&GameRecorder>,
) -> Result<Option<Outcome>, Failure> {
    let Some(tuples) = request.system.initial_tuples(MAX_INITIAL, request.monitor)? else {
        return Ok(None);
    };
    let formula = request.formula;
    let plan = Plan::new(formula);
    let subformulas = Subformulas::of_plan(formula, &plan);
    let interface = Interface::new(request.system);
    let moves = Moves::new(request.system, request.monitor);
    if request.deadlock == Deadlock::Error && !deadlock::is_excluded(request.system, &interface) {
        if request.limit.is_some() {
            // Its answer needs the composition anyway.
            return Ok(None);
        }
        deadlock::search(request, &moves, &tuples)?;
    }
    let run = Run {
        request,
        recorder,
        plan: &plan,
        subformulas: &subformulas,
        interface: &interface,
        moves: &moves,
        deadlock_state: None,
        games: Games::default(),
        deciders: vec![None; tuples.len()],
        initial: tuples.into_iter().map(|tuple| (tuple, Truth::Unknown)).collect(),
        stats: Stats {
            component_nodes: Some(Vec::new()),
            product_nodes: Some(0),
            ..Stats::default()
        },
    };
    run.decide()
}

struct Run<'r, 'f> {
    request: &'r Request<'r>,
    /// Where to record the games, if they are inspected.
    recorder: Option<&'r GameRecorder>,
    plan: &'f Plan,
    subformulas: &'f Subformulas,
    interface: &'f Interface,
    moves: &'f Moves<'f>,
    deadlock_state: Option<DeadlockState>,
    /// If evidence is asked for.
    games: Games<'f>,
    /// By initial state: the game that has decided it, if evidence is asked for.
    deciders: Vec<Option<Decider>>,
    initial: Vec<Initial>,
    stats: Stats,
}

/// A lifted component after its game.
struct Coloured<'f> {
    part: SubsystemGame<'f>,
    /// By initial state of the component: the value there.
    initial: Vec<(u32, Truth)>,
    nodes: u64,
    /// If evidence is asked for.
    proofs: Option<[Steps; 2]>,
}

impl<'f> Run<'_, 'f> {
    fn decide(mut self) -> Result<Option<Outcome>, Failure> {
        let relevant = order::relevant(self.request, self.plan, self.interface);
        let mut parts: Vec<SubsystemGame> = Vec::new();
        let mut rest = &relevant[..];
        while !rest.is_empty() {
            let (batch, later) = rest.split_at(self.batch_size(rest));
            for coloured in self.colour_components(batch)? {
                parts.extend(self.learn(coloured));
            }
            rest = later;
            if let Some(outcome) = self.settled() {
                return Ok(Some(outcome));
            }
        }
        self.combine_all(parts)
    }

    /// How many of the next components to colour at once: as many as there are cores, if each is worth
    /// a thread. The others go one by one, and the first that decides is the last.
    fn batch_size(&self, rest: &[usize]) -> usize {
        let is_large = |&&component: &&usize| {
            let states = self.request.system.components[component].model.states();
            states.saturating_mul(self.plan.equations.len()) >= WORTH_A_THREAD
        };
        let large = rest.iter().take_while(is_large).count();
        // The system is slow to tell how many cores there are.
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        if large < 2 { 1 } else { large.min(cores()) }
    }

    /// Colours lifted components, each on a thread of its own.
    fn colour_components(&self, batch: &[usize]) -> Result<Vec<Coloured<'f>>, Stopped> {
        if let [single] = *batch {
            return Ok(vec![self.colour_component(single)?]);
        }
        thread::scope(|scope| {
            let threads: Vec<_> = batch
                .iter()
                .map(|&component| scope.spawn(move || self.colour_component(component)))
                .collect();
            let joined = threads.into_iter().map(|thread| match thread.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            joined.collect()
        })
    }

    fn colour_component(&self, component: usize) -> Result<Coloured<'f>, Stopped> {
        let Request { system, formula, monitor, .. } = *self.request;
        let sets: Vec<_> = formula.action_sets().values().cloned().collect();
        let stutter = self.request.deadlock == Deadlock::Stutter;
        let lifted = lift(system, self.interface, component, &sets, Lifting::Summaries, stutter);
        let arena = ModelGame::new(&lifted.model, formula, self.plan, monitor)?;
        let mut states: Vec<u32> = undecided(&self.initial).map(|tuple| tuple[component]).collect();
        states.sort_unstable();
        states.dedup();
        let root = |state: u32| arena.position(state, self.plan.root);
        let roots: Vec<u32> = states.iter().map(|&state| root(state)).collect();
        let solution = match self.request.evidence {
            true => ThreeValuedSolution::with_proofs(&arena, &roots, monitor)?,
            false => ThreeValuedSolution::new(&arena, &roots, monitor)?,
        };
        let value = |state: u32| solution.colour(root(state)).unwrap_or(Truth::Unknown);
        let part = SubsystemGame::of_component(
            &arena,
            &solution,
            &lifted,
            &states,
            self.interface,
            self.subformulas,
            monitor,
        )?;
        if let Some(recorder) = self.recorder {
            let stored =
                StoredGame::of_model_game(&arena, &solution, &roots, self.subformulas, monitor)?;
            let colouring = colour(&part.graph, monitor)?;
            recorder.add_component(
                component,
                stored,
                StoredGame::of_graph(&part.graph, &colouring.colours),
            );
        }
        let initial = states.iter().map(|&state| (state, value(state))).collect();
        let proofs = evidence::proofs(self.plan, &solution);
        Ok(Coloured { part, initial, nodes: solution.nodes(), proofs })
    }

    /// Takes over what a component has decided; gives what it has not.
    fn learn(&mut self, coloured: Coloured<'f>) -> Option<SubsystemGame<'f>> {
        let component = coloured.part.components[0];
        self.stats.component_nodes.get_or_insert_default().push(coloured.nodes);
        if let Some(proofs) = coloured.proofs {
            self.games.add_component(component, proofs);
        }
        let values: FxHashMap<u32, Truth> = coloured.initial.into_iter().collect();
        for ((tuple, value), decider) in self.initial.iter_mut().zip(&mut self.deciders) {
            if let (Truth::Unknown, Some(&found)) = (*value, values.get(&tuple[component])) {
                *value = found;
                *decider = self.games.component(component);
            }
        }
        (!coloured.part.graph.initial.is_empty()).then_some(coloured.part)
    }

    /// The answer, if it is definite, or if every initial state has a definite value and the answer
    /// is not: then it hangs on where a missing part starts.
    fn settled(&self) -> Option<Outcome> {
        let verdict = verdict(self.request.system, &self.initial);
        if verdict.is_definite() {
            return Some(self.outcome(verdict, None));
        }
        if undecided(&self.initial).next().is_some() {
            return None;
        }
        let with = |wanted| {
            let mut found = self.initial.iter().filter(|(_, value)| *value == wanted);
            found.next().map(|(tuple, _)| name(self.request.system, tuple)).unwrap_or_default()
        };
        let reason =
            Reason::InitialStates { satisfying: with(Truth::True), falsifying: with(Truth::False) };
        Some(self.outcome(verdict, Some(reason)))
    }

    fn outcome(&self, verdict: Truth, reason: Option<Reason>) -> Outcome {
        let named = |(tuple, value): &Initial| (name(self.request.system, tuple), *value);
        Outcome {
            reason,
            initial: self.initial.iter().map(named).collect(),
            deadlock_state: self.deadlock_state.clone(),
            evidence: (self.request.evidence && verdict.is_definite())
                .then(|| self.evidence(verdict)),
            stats: self.stats.clone(),
            ..Outcome::new(verdict)
        }
    }

    fn evidence(&self, verdict: Truth) -> Evidence {
        let decided = self.initial.iter().zip(&self.deciders);
        let shown = decided.filter(|((_, value), _)| *value == verdict);
        let deciders: Vec<Decider> = shown.filter_map(|(_, decider)| *decider).collect();
        self.games.evidence(self.request.system.components.len(), verdict, &deciders)
    }

    fn combine_all(
        mut self,
        mut parts: Vec<SubsystemGame<'f>>,
    ) -> Result<Option<Outcome>, Failure> {
        let Some(mut combined) = self.pop_first(&mut parts) else { return Ok(None) };
        let mut wanted = None;
        loop {
            let next = match self.pop_nearest(&combined, &mut parts) {
                Some(part) => part,
                None => match self.next_component(&combined, wanted) {
                    Some(component) => {
                        let coloured = self.colour_component(component)?;
                        let part = self.learn(coloured);
                        if let Some(outcome) = self.settled() {
                            return Ok(Some(outcome));
                        }
                        part.expect("some initial state is undecided, so it is here")
                    }
                    None => return Ok(Some(self.undetermined(&combined)?)),
                },
            };
            let Some(product) = self.combine(&combined, &next)? else { return Ok(None) };
            let colouring = colour(&product.graph, self.request.monitor)?;
            if self.request.evidence {
                self.games.add_product(&next, &product, &colouring);
            }
            self.show_product([&combined.components, &next.components], &product, &colouring);
            self.learn_product(&product, &colouring);
            self.search_deadlock(&product);
            // A stopped computation may have found too little.
            self.request.monitor.check()?;
            if let Some(outcome) = self.settled() {
                return Ok(Some(outcome));
            }
            wanted = self.wanted(&product, &colouring);
            combined = product.pruned(&colouring.colours);
        }
    }

    fn combine(
        &mut self,
        a: &SubsystemGame<'f>,
        b: &SubsystemGame<'f>,
    ) -> Result<Option<SubsystemGame<'f>>, Stopped> {
        let products = Products {
            interface: self.interface,
            formula: self.request.formula,
            plan: self.plan,
            knowledge: self.moves,
            has_choices: false,
            limit: u32::try_from(self.request.limit.unwrap_or(u64::MAX)).unwrap_or(u32::MAX),
            monitor: self.request.monitor,
        };
        let product = products.combine(a, b, undecided(&self.initial))?;
        let nodes = product.as_ref().map_or(0, |part| part.graph.len() as u64);
        *self.stats.product_nodes.get_or_insert_default() += nodes;
        Ok(product)
    }

    fn show_product(&self, of: [&[usize]; 2], product: &SubsystemGame, colouring: &Colouring) {
        let Some(recorder) = self.recorder else { return };
        let stored = StoredGame::of_graph(&product.graph, &colouring.colours);
        let unknown = stored.unknown_subgraph(self.subformulas);
        recorder.add_product(of, &product.components, &product.tuples, stored, unknown);
    }

    fn learn_product(&mut self, product: &SubsystemGame, colouring: &Colouring) {
        let nodes = product.initial_nodes();
        for ((tuple, known), decider) in self.initial.iter_mut().zip(&mut self.deciders) {
            if let (Truth::Unknown, Some(node)) = (*known, nodes.of(tuple)) {
                *known = colouring.colours[node as usize];
                *decider = self.games.product(node);
            }
        }
    }

    /// With all components combined, a modality without edges may stand on a deadlock. It may as well
    /// have lost its edges to pruning, so the system is asked.
    fn search_deadlock(&mut self, product: &SubsystemGame) {
        let graph = &product.graph;
        if product.inside.contains(&false) || self.request.deadlock != Deadlock::Warn {
            return;
        }
        let dead = (0..graph.len() as u32)
            .filter(|&node| graph.class(node).is_modal() && graph.successors(node).is_empty())
            .map(|node| product.in_order(graph.states[node as usize]))
            .find(|tuple| self.moves.of(tuple) == Mode::NONE);
        self.deadlock_state = dead.map(|tuple| deadlock_state(self.request.system, &tuple));
    }

    /// Everything is combined, and the answer is still not definite.
    fn undetermined(&self, combined: &SubsystemGame) -> Result<Outcome, Stopped> {
        let system = self.request.system;
        let verdict = verdict(system, &self.initial);
        let colouring = colour(&combined.graph, self.request.monitor)?;
        let unknown = |&&node: &&u32| colouring.colours[node as usize] == Truth::Unknown;
        let Some(&start) = combined.graph.initial.iter().find(unknown) else {
            return Ok(self.outcome(verdict, None));
        };
        let node = colouring.failure_node(start);
        let tuple = |node: u32| combined.in_order(combined.graph.states[node as usize]);
        let label = combined.graph.labels[node as usize];
        let cause = match self.plan.equations[label as usize].op {
            Op::Lit(prop, _) => unknown_label(system, &tuple(node), system.props().name(prop)),
            _ => {
                let open = combined.uncertain_steps(node);
                // One that would decide says more than one that leads on to the next diagnosis.
                let is_uncertain =
                    |edge: &game::Edge| !colouring.colours[edge.node() as usize].is_definite();
                let first =
                    open.min_by_key(|(edge, step)| (is_uncertain(edge), step.rule == STUTTER));
                match first {
                    Some((edge, step)) if step.rule != STUTTER => {
                        let (target, action) = (tuple(edge.node()), self.shown(step.rule));
                        let rule = Some(step.rule);
                        uncertain_transition(system, &tuple(node), &target, action, rule)
                    }
                    _ => stuttering(None, state_names(system, &tuple(node))),
                }
            }
        };
        let mut path = vec![start];
        while let Some(&last) = path.last()
            && last != node
        {
            path.push(colouring.next[last as usize]);
        }
        let node_of = |node: u32| self.subformulas.get(combined.graph.labels[node as usize]).node;
        let diagnosis = Diagnosis {
            is_exact: false,
            path: path.into_iter().map(|node| (tuple(node), node_of(node))).collect(),
            from: name(system, &tuple(start)),
            state: name(system, &tuple(node)),
            subformula: self.request.formula.show(self.subformulas.get(label).node),
            cause,
        };
        Ok(self.outcome(verdict, Some(Reason::Undetermined(diagnosis))))
    }

    fn shown(&self, rule: u32) -> Option<String> {
        let rule = self.interface.rules.get(rule as usize)?;
        Some(self.interface.actions.name(rule.result).to_owned())
    }
}
