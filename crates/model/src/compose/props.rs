//! Synchronous composition on the joint labelling (C Def. 4.2).

use super::{Patience, Search, count_on, joined_name, models};
use crate::edges::{EdgeClass, Mode};
use crate::joint::JointLabels;
use crate::labelling::Labelling;
use crate::names::StateNames;
use crate::partial::{Hyper, Kind, PartialModel};
use crate::system::{ComposeError, System};
use logic::PropId;
use std::ops::ControlFlow;
use std::sync::Arc;
use support::Monitor;

pub(super) fn compose(
    system: &System,
    limit: u32,
    monitor: &Monitor,
) -> Result<Option<PartialModel>, ComposeError> {
    let parts = Parts::new(models(system), monitor);
    let mut search = Search::new(parts.models.len(), limit, monitor);
    let mut init = Vec::new();
    let _ = parts.for_each_initial(|tuple| {
        init.push(search.tuples.intern(tuple));
        ControlFlow::Continue(())
    });
    monitor.check()?;
    if init.is_empty() {
        return Err(ComposeError::NoComposableInit);
    }
    search.run("composing", monitor, |search, state, tuple| {
        parts.expand(search, state, tuple);
        search.within_limit()
    })?;
    if search.is_too_large() {
        return Ok(None);
    }
    let (tuples, edges, hyper) = search.finish(monitor)?;
    let labelling = parts.label(tuples.flat());
    let (tuples, room) = tuples.into_flat();
    let names = parts.models.iter().map(|model| model.names().clone()).collect();
    Ok(Some(PartialModel {
        kind: kind(&parts.models),
        name: joined_name(&parts.models),
        labelling,
        names: StateNames::Product { parts: names, tuples: Arc::new(tuples) },
        init,
        edges: edges.holding(room),
        hyper,
        ..PartialModel::empty()
    }))
}

/// Every composable tuple of initial states, until stopped.
pub(super) fn for_each_initial(
    system: &System,
    monitor: &Monitor,
    visit: impl FnMut(&[u32]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    Parts::new(models(system), monitor).for_each_initial(visit)
}

/// States that a component can be in next, and how sure that is.
type Choices = Vec<(u32, Mode)>;

/// The components, with what they have to agree on.
pub(super) struct Parts<'a> {
    models: Vec<&'a PartialModel>,
    /// By component: the numbers of its propositions in the composition.
    props: Vec<Vec<PropId>>,
    /// The propositions of the composition, no state labelled yet.
    labelling: Labelling,
    joint: JointLabels,
    monitor: &'a Monitor,
}

impl<'a> Parts<'a> {
    pub(super) fn new(models: Vec<&'a PartialModel>, monitor: &'a Monitor) -> Self {
        let mut labelling = Labelling::default();
        let props: Vec<Vec<PropId>> = models
            .iter()
            .map(|model| model.props().names().map(|name| labelling.props.intern(name)).collect())
            .collect();
        let joint = JointLabels::among(&models);
        Self { models, props, labelling, joint, monitor }
    }

    fn for_each_initial(
        &self,
        mut visit: impl FnMut(&[u32]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let choices = self.initial_choices();
        self.for_each_composable(&choices, |tuple, _| visit(tuple))
    }

    /// The initial states of each component, without those that disagree with all of another's on a
    /// joint proposition. Where wires have one driver each this leaves few, however many components.
    fn initial_choices(&self) -> Vec<Choices> {
        let start = |model: &&PartialModel| model.init().iter().map(|&s| (s, Mode::BOTH)).collect();
        let mut choices: Vec<Choices> = self.models.iter().map(start).collect();
        loop {
            let before: usize = choices.iter().map(Vec::len).sum();
            let possible = self.possible_values(&choices);
            for (component, own) in choices.iter_mut().enumerate() {
                own.retain(|&(state, _)| self.is_possible(component, state, &possible));
            }
            if choices.iter().map(Vec::len).sum::<usize>() == before {
                return choices;
            }
        }
    }

    /// By value (true, false, unknown) and word: the joint propositions that every component which has
    /// them can give it.
    fn possible_values(&self, choices: &[Choices]) -> [Vec<u64>; 3] {
        let half = self.joint.words() / 2;
        let mut possible = [(); 3].map(|()| vec![u64::MAX; half]);
        for (component, own) in choices.iter().enumerate() {
            let mask = self.joint.own(component);
            let mut mine = [(); 3].map(|()| vec![0; half]);
            for &(state, _) in own {
                let label = self.joint.of(component, state);
                for word in 0..half {
                    let (yes, no) = (label[word], label[half + word]);
                    mine[0][word] |= yes;
                    mine[1][word] |= no;
                    mine[2][word] |= !(yes | no);
                }
            }
            for (all, mine) in possible.iter_mut().zip(&mine) {
                for word in 0..half {
                    all[word] &= mine[word] | !mask[word];
                }
            }
        }
        possible
    }

    fn is_possible(&self, component: usize, state: u32, possible: &[Vec<u64>; 3]) -> bool {
        let half = self.joint.words() / 2;
        let (label, mask) = (self.joint.of(component, state), self.joint.own(component));
        (0..half).all(|word| {
            let (yes, no) = (label[word], label[half + word]);
            let [can_yes, can_no, can_be_open] = [0, 1, 2].map(|value| possible[value][word]);
            let fits = yes & can_yes | no & can_no | !(yes | no) & can_be_open;
            mask[word] & !fits == 0
        })
    }

    /// Every tuple of the choices whose members agree on the joint labels, until stopped.
    fn for_each_composable(
        &self,
        choices: &[Choices],
        visit: impl FnMut(&[u32], Mode) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let words = self.joint.words();
        let (tuple, patience) = (vec![0; choices.len()], Patience::new(self.monitor));
        let fixed = vec![(vec![0; words], vec![0; words]); choices.len() + 1];
        let mut walk = Walk { joint: &self.joint, choices, tuple, fixed, patience, visit };
        walk.extend(0, Mode::BOTH)
    }

    /// Every transition out of a tuple, hyper-transitions aside, until stopped.
    pub(super) fn for_each_step(
        &self,
        tuple: &[u32],
        visit: impl FnMut(&[u32], Mode) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let out = |(model, &member): (&&PartialModel, &u32)| -> Choices {
            model.edges().out(member).map(|(target, class)| (target, class.mode)).collect()
        };
        let choices: Vec<Choices> = self.models.iter().zip(tuple).map(out).collect();
        self.for_each_composable(&choices, visit)
    }

    fn expand(&self, search: &mut Search, state: u32, tuple: &[u32]) {
        let _ = self.for_each_step(tuple, |target, mode| {
            let target = search.tuples.intern(target);
            search.edge(state, EdgeClass { action: None, mode }, target);
            search.within_limit()
        });
        self.expand_hyper(search, state, tuple);
    }

    /// A tuple of must transitions, some to sets, is one to the product of the sets if every tuple of
    /// the product agrees on the joint labels; otherwise an implementation may pick one that does not.
    fn expand_hyper(&self, search: &mut Search, state: u32, tuple: &[u32]) {
        if self.models.iter().zip(tuple).all(|(model, &s)| model.hyper_from(s).is_empty()) {
            return;
        }
        let options: Vec<Vec<Choices>> =
            self.models.iter().zip(tuple).map(|(model, &s)| must_sets(model, s)).collect();
        let mut picks = vec![0; options.len()];
        if options.iter().any(Vec::is_empty) {
            return;
        }
        loop {
            let sets: Vec<Choices> =
                options.iter().zip(&picks).map(|(option, &pick)| option[pick].clone()).collect();
            let size = sets.iter().map(Vec::len).fold(1, usize::saturating_mul);
            let mut targets = Vec::new();
            let _ = self.for_each_composable(&sets, |tuple, _| {
                targets.push(tuple.to_vec());
                ControlFlow::Continue(())
            });
            if size > 1 && targets.len() == size {
                let mut targets: Vec<u32> =
                    targets.iter().map(|tuple| search.tuples.intern(tuple)).collect();
                targets.sort_unstable();
                search.hyper.push(Hyper { source: state, targets });
            }
            if !count_on(&mut picks, options.iter().map(Vec::len)) {
                return;
            }
        }
    }

    /// The labels of all tuples.
    pub(super) fn label(&self, tuples: &[u32]) -> Labelling {
        let width = self.models.len();
        let mut labelling = self.labelling.clone();
        labelling.resize(tuples.len() / width);
        for (component, model) in self.models.iter().enumerate() {
            for (local, &prop) in self.props[component].iter().enumerate() {
                let members = tuples.iter().skip(component).step_by(width);
                for (state, &member) in members.enumerate() {
                    let value = model.label(member, PropId(local as u32));
                    labelling.set(state as u32, prop, value);
                }
            }
        }
        labelling
    }
}

/// A walk through all tuples of some choices.
struct Walk<'w, V> {
    joint: &'w JointLabels,
    choices: &'w [Choices],
    tuple: Vec<u32>,
    /// By depth: which joint propositions are fixed so far, and to what.
    fixed: Vec<(Vec<u64>, Vec<u64>)>,
    patience: Patience<'w>,
    visit: V,
}

impl<V: FnMut(&[u32], Mode) -> ControlFlow<()>> Walk<'_, V> {
    /// Members agree on the joint labels to the letter: unknown agrees only with unknown (C Def. 4.2).
    /// What they all must do is a must, what they all may a may.
    fn extend(&mut self, depth: usize, mode: Mode) -> ControlFlow<()> {
        let choices = self.choices;
        let Some(own) = choices.get(depth) else { return (self.visit)(&self.tuple, mode) };
        let mine = self.joint.own(depth);
        for &(state, step) in own {
            self.patience.go_on()?;
            let mode = mode.and(step);
            if mode == Mode::NONE {
                continue;
            }
            let (before, after) = self.fixed.split_at_mut(depth + 1);
            let (known, values) = &before[depth];
            let label = self.joint.of(depth, state);
            if JointLabels::agree(values, label, |w| known[w] & mine[w]) {
                for w in 0..mine.len() {
                    after[0].0[w] = known[w] | mine[w];
                    after[0].1[w] = values[w] | label[w];
                }
                self.tuple[depth] = state;
                self.extend(depth + 1, mode)?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// The must transitions of a state, ordinary ones as sets of one.
fn must_sets(model: &PartialModel, state: u32) -> Vec<Choices> {
    let hyper = model.hyper_from(state).iter().map(|hyper| hyper.targets.clone());
    let must = model.edges().out(state).filter(|(_, class)| class.mode.must);
    let sets = hyper.chain(must.map(|(target, _)| vec![target]));
    sets.map(|set| set.into_iter().map(|target| (target, Mode::BOTH)).collect()).collect()
}

/// The least kind that holds them all.
fn kind(models: &[&PartialModel]) -> Kind {
    let has = |kind| models.iter().any(|model| model.kind == kind);
    [Kind::Gkmts, Kind::MixTs, Kind::Kmts].into_iter().find(|&k| has(k)).unwrap_or(Kind::Kripke)
}
