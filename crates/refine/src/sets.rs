//! Concretisation two: an abstract state is a set of valuations of a component's variables, given by a BDD.
//!
//! R⁻ is found by images and R⁺ by pre-images (C Remark 6.2): all states of a set must make a step into some
//! targets if they are all in the pre-image of these. An operation that fails for want of room cannot say so
//! to the loop. It is noted, the loop is asked to stop, and whatever it says from then on does not count.

use crate::component::EncodedComponent;
use crate::joint::{Values, by_values};
use crate::names::ValueNames;
use crate::start::is_common;
use bdd::{Bdd, Cube, Manager, Stop};
use explicit::{AbstractStep, Concretisation, Criterion, EnabledSteps};
use logic::{PropId, Truth};
use model::ActionId;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use support::{Monitor, StopReason};

/// Counts beyond this are not exact.
const MOST_COUNTED: f64 = 9_007_199_254_740_992.0;

/// Data that the concretisations of one run share.
pub(crate) struct SharedSets<'w> {
    pub manager: &'w RefCell<Manager>,
    pub parts: &'w [EncodedComponent],
    pub words: &'w ValueNames<'w>,
    /// Of the composition.
    pub init: &'w Bdd,
    /// By component and abstract state.
    pub blocks: RefCell<Vec<Vec<Bdd>>>,
    pub failure: Cell<Option<Stop>>,
    /// Monitor of the loop.
    pub monitor: Monitor,
}

impl SharedSets<'_> {
    /// Runs an operation; once one has failed none is tried any more.
    fn run<T>(&self, otherwise: T, work: impl FnOnce(&mut Manager) -> Result<T, Stop>) -> T {
        if self.failure.get().is_some() {
            return otherwise;
        }
        match work(&mut self.manager.borrow_mut()) {
            Ok(result) => result,
            Err(stop) => {
                self.failure.set(Some(stop));
                self.monitor.stop(match stop {
                    Stop::Stopped(stopped) => stopped.0,
                    Stop::Full | Stop::Crowded => StopReason::Nodes,
                });
                otherwise
            }
        }
    }

    /// Whether the machine can start in a state that is in all sets of a tuple.
    pub fn can_start(&self, tuple: &[u32]) -> bool {
        let blocks = self.blocks.borrow();
        let sets = blocks.iter().zip(tuple).map(|(blocks, &state)| &blocks[state as usize]);
        self.run(true, |manager| is_common(self.init, sets, manager))
    }
}

/// One component.
pub(crate) struct Sets<'w> {
    ground: &'w SharedSets<'w>,
    component: usize,
    /// By abstract state: its label on the joint propositions.
    joint: Vec<Vec<u64>>,
    /// The abstract states with a joint label.
    with: FxHashMap<Values, Vec<u32>>,
    /// By abstract state: the same label, by the component's own joint bits.
    values: Vec<Values>,
    /// By abstract state: from where a step leads there, if that has been asked.
    before: RefCell<Vec<Option<Bdd>>>,
}

impl<'w> Sets<'w> {
    /// C Def. 5.1: one abstract state for each joint label. The ground has the sets, in the same order.
    pub fn new(
        ground: &'w SharedSets<'w>,
        component: usize,
        labels: Vec<(Values, Vec<u64>)>,
    ) -> Self {
        let (values, joint): (Vec<Values>, Vec<Vec<u64>>) = labels.into_iter().unzip();
        let with = values.iter().cloned().zip((0..).map(|state| vec![state])).collect();
        let before = RefCell::new(vec![None; values.len()]);
        Self { ground, component, joint, with, values, before }
    }

    fn part(&self) -> &'w EncodedComponent {
        &self.ground.parts[self.component]
    }

    fn block(&self, state: u32) -> Bdd {
        self.ground.blocks.borrow()[self.component][state as usize].clone()
    }

    /// Where a proposition is true; `None` if it is a joint one.
    fn label_set(&self, prop: PropId) -> Result<&'w Bdd, usize> {
        let number = prop.0 as usize;
        let joint = self.part().joint.len();
        if number < joint { Err(number) } else { Ok(&self.part().labels[number - joint].1) }
    }

    /// From where a step leads into some targets.
    fn before(&self, targets: &[u32], manager: &mut Manager) -> Result<Bdd, Stop> {
        let mut all = manager.constant(false);
        for &target in targets {
            let known = self.before.borrow()[target as usize].clone();
            let one = match known {
                Some(known) => known,
                None => self.part().relation.pre_image(&self.block(target), manager)?,
            };
            all = manager.or(&all, &one)?;
            self.before.borrow_mut()[target as usize] = Some(one);
        }
        Ok(all)
    }

    fn targets(&self, state: u32, manager: &mut Manager) -> Result<Vec<u32>, Stop> {
        let part = self.part();
        let there = part.relation.image(&self.block(state), manager)?;
        let there = manager.and(&there, &part.reached)?;
        let mut found = Vec::new();
        for (values, there) in by_values(&there, &part.joint, manager)? {
            for &target in self.with.get(&values).into_iter().flatten() {
                if !manager.and(&there, &self.block(target))?.is_empty() {
                    found.push(target);
                }
            }
        }
        found.sort_unstable();
        Ok(found)
    }

    /// The parts of a state that the criterion separates; one if it does not.
    ///
    /// What it says whatever the values of wide variables are comes first: where they matter the states stay
    /// together for now, so that the values that data takes are not looked at one after the other while there
    /// is something else to find out. By variables that are left open nothing is separated at all.
    fn separated(
        &self,
        state: u32,
        criterion: &Criterion,
        manager: &mut Manager,
    ) -> Result<Vec<Bdd>, Stop> {
        let block = self.block(state);
        let by = match criterion {
            Criterion::Label(prop) => match self.label_set(*prop) {
                Ok(set) => set.clone(),
                Err(_) => return Ok(vec![block]),
            },
            Criterion::Steps { targets, .. } => self.before(targets, manager)?,
            Criterion::EnabledSteps => return Ok(vec![block]),
        };
        let [inside, outside] = [manager.and(&block, &by)?, manager.minus(&block, &by)?];
        if inside.is_empty() || outside.is_empty() {
            return Ok(vec![block]);
        }
        let parts = clear_parts(&inside, &outside, &self.part().wide, manager)?;
        match &self.part().open {
            _ if parts.len() > 1 => Ok(parts),
            Some(open) => clear_parts(&inside, &outside, open, manager),
            None => Ok(vec![inside, outside]),
        }
    }
}

/// Of two sets, what is in one of them whatever the values of some variables are, and the rest of both.
fn clear_parts(a: &Bdd, b: &Bdd, vars: &Cube, manager: &mut Manager) -> Result<Vec<Bdd>, Stop> {
    let [like_a, like_b] = [manager.exists(a, vars)?, manager.exists(b, vars)?];
    let [all, both] = [manager.or(a, b)?, manager.and(&like_a, &like_b)?];
    let mixed = manager.and(&all, &both)?;
    let [a, b] = [manager.minus(a, &mixed)?, manager.minus(b, &mixed)?];
    Ok([a, b, mixed].into_iter().filter(|part| !part.is_empty()).collect())
}

impl Concretisation for Sets<'_> {
    fn states(&self) -> u32 {
        self.joint.len() as u32
    }

    fn size(&self, state: u32) -> Option<u64> {
        let density = self.ground.manager.borrow().density(&self.block(state));
        let count = density * 2f64.powi(self.part().bits as i32);
        (count < MOST_COUNTED).then_some(count as u64)
    }

    fn is_initial(&self, state: u32) -> bool {
        let sets = [self.block(state)];
        self.ground.run(true, |manager| is_common(&self.part().start, sets.iter(), manager))
    }

    fn joint(&self, state: u32) -> &[u64] {
        &self.joint[state as usize]
    }

    fn label(&self, state: u32, prop: PropId) -> Truth {
        let set = match self.label_set(prop) {
            Ok(set) => set,
            Err(bit) => return Truth::from(self.values[state as usize][bit]),
        };
        let block = self.block(state);
        self.ground.run(Truth::Unknown, |manager| {
            Ok(if manager.is_subset(&block, set)? {
                Truth::True
            } else if manager.and(&block, set)?.is_empty() {
                Truth::False
            } else {
                Truth::Unknown
            })
        })
    }

    fn may(&self, state: u32) -> Vec<AbstractStep> {
        let targets = self.ground.run(Vec::new(), |manager| self.targets(state, manager));
        // No player chooses the value of a missing variable.
        let must = self.part().is_missing.then_some(false);
        targets.into_iter().map(|target| AbstractStep { action: None, target, must }).collect()
    }

    fn must(&self, state: u32, _: Option<ActionId>, targets: &[u32]) -> bool {
        if self.part().is_missing {
            return false;
        }
        self.ground.run(false, |manager| {
            let before = self.before(targets, manager)?;
            manager.is_subset(&self.block(state), &before)
        })
    }

    /// Only asked when deadlocks stutter, which is not done here.
    fn enabled(&self, _: u32) -> Option<EnabledSteps> {
        None
    }

    fn split(&mut self, state: u32, criterion: &Criterion) -> Vec<u32> {
        let parts =
            self.ground.run(Vec::new(), |manager| self.separated(state, criterion, manager));
        let Some((first, others)) = parts.split_first().filter(|(_, others)| !others.is_empty())
        else {
            return Vec::new();
        };
        let fresh: Vec<u32> = (self.states()..).take(others.len()).collect();
        let mut blocks = self.ground.blocks.borrow_mut();
        blocks[self.component][state as usize] = first.clone();
        blocks[self.component].extend_from_slice(others);
        let before = self.before.get_mut();
        before[state as usize] = None;
        for &number in &fresh {
            let values = self.values[state as usize].clone();
            self.with.entry(values.clone()).or_default().push(number);
            self.values.push(values);
            self.joint.push(self.joint[state as usize].clone());
            before.push(None);
        }
        fresh
    }

    fn initial_name(&self, state: u32) -> String {
        let block = self.block(state);
        let part = self.part();
        let name = self.ground.run(None, |manager| {
            let initial = manager.and(&part.start, &block)?;
            Ok(self.ground.words.state(&initial, part, manager))
        });
        name.unwrap_or_else(|| self.name(state))
    }

    fn name(&self, state: u32) -> String {
        let block = self.block(state);
        self.ground
            .run(String::new(), |manager| self.ground.words.set(&block, self.part(), manager))
    }
}
