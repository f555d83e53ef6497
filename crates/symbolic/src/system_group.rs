//! Some components of a system as a structure: an abstraction of the composition (C Def. 4.3, C §6.1, C §6.2), and
//! the composition itself if they are all.
//!
//! A state is a tuple of states that agree on their joint labels, and a step leads from states to states. A step of a
//! propositional system is a step of every component (C Def. 4.2): as far as the group sees it, others have to be able
//! to make theirs. It is a must if the members must make it and no other can block it ([`Interface`]). In an action
//! system every rule is a part of the relation (C §6.1): members that take no part keep their states, and so do all
//! where only others take part.

use crate::kmts::EncodedSystem;
use crate::musts::Must;
use crate::relation::{Constituents, Part, Relation, Stages, Written};
use crate::structure::{Label, MissingStart, Structure};
use bdd::{Bdd, BddVar, Manager, Stop};
use logic::{ActionSet, Family, PropId, Truth};
use model::{ActionId, Interface, JointValues, Rule, StepDemand};
use rustc_hash::FxHashMap;
use support::IdVec;

/// The members of a group, with the others around them.
struct SystemGroup<'a> {
    encoded: &'a EncodedSystem<'a>,
    members: &'a [usize],
    /// Of all components, if some are outside.
    interface: Option<&'a Interface>,
    inside: Vec<bool>,
    manager: &'a mut Manager,
}

/// Which actions are told apart.
#[derive(Clone, Copy)]
pub(crate) enum Alphabet<'a> {
    All,
    /// Those that these do not tell apart are one.
    Asked(&'a [ActionSet]),
}

/// A component that takes part in a step, by an action of its own.
type Mover = (usize, Option<ActionId>);

/// A step that members make together.
struct JointMove {
    movers: Vec<Mover>,
    shows: ActionId,
    /// Whether no component outside can block it.
    is_must: bool,
}

/// The classes of actions that are distinguished.
#[derive(PartialEq, Eq, Hash)]
enum ActionSort {
    Single(ActionId),
    /// By set that is asked for: whether it is one of them.
    In(Vec<bool>),
}

impl<'a> SystemGroup<'a> {
    /// `interface` is needed where some components are not among the members.
    fn new(
        encoded: &'a EncodedSystem<'a>,
        members: &'a [usize],
        interface: Option<&'a Interface>,
        manager: &'a mut Manager,
    ) -> Self {
        let mut inside = vec![false; encoded.parts.len()];
        members.iter().for_each(|&member| inside[member] = true);
        Self { encoded, members, interface, inside, manager }
    }

    fn outside(&self) -> Vec<usize> {
        (0..self.inside.len()).filter(|&component| !self.inside[component]).collect()
    }

    /// The composable tuples (C Def. 4.1), as far as each of the others has a state that agrees with them.
    fn states(&mut self) -> Result<Bdd, Stop> {
        let mut states = self.manager.constant(true);
        for &member in self.members {
            states = self.manager.and(&states, &self.encoded.parts[member].states)?;
        }
        for of_one in &self.encoded.labels {
            let own: Vec<&Label> =
                of_one.iter().filter(|(part, _)| self.inside[*part]).map(|(_, own)| own).collect();
            for pair in own.windows(2) {
                let differ = EncodedSystem::differ(pair[0], pair[1], self.manager)?;
                states = self.manager.minus(&states, &differ)?;
            }
        }
        for other in self.outside() {
            let Some(agrees) = self.agreement(other)? else { continue };
            let bits = self.encoded.bits[other].now().iter().copied();
            let bits = self.manager.cube(bits)?;
            let has_one =
                self.manager.and_exists(&self.encoded.parts[other].states, &agrees, &bits)?;
            states = self.manager.and(&states, &has_one)?;
        }
        Ok(states)
    }

    /// Where a component agrees with the members on their joint labels; `None` if it has none with them.
    fn agreement(&mut self, other: usize) -> Result<Option<Bdd>, Stop> {
        let mut agrees = None;
        for of_one in &self.encoded.labels {
            let find = |wanted: &dyn Fn(usize) -> bool| {
                of_one.iter().find(|(part, _)| wanted(*part)).map(|(_, label)| label)
            };
            let both = find(&|part| part == other).zip(find(&|part| self.inside[part]));
            if let Some((theirs, ours)) = both {
                let differ = EncodedSystem::differ(theirs, ours, self.manager)?;
                let known = agrees.unwrap_or(self.manager.constant(true));
                agrees = Some(self.manager.minus(&known, &differ)?);
            }
        }
        Ok(agrees)
    }

    /// The initial states of the composition as the members see them; and with those of the missing parts, if some
    /// are missing.
    fn init(&mut self) -> Result<(Bdd, Option<MissingStart>), Stop> {
        let EncodedSystem { system, bits, labels, parts, .. } = self.encoded;
        let mut conjuncts: Vec<Bdd> = parts.iter().map(|part| part.init.clone()).collect();
        for pair in labels.iter().flat_map(|of_one| of_one.windows(2)) {
            conjuncts.push(EncodedSystem::differ(&pair[0].1, &pair[1].1, self.manager)?.not());
        }
        let is_missing = |part: usize| system.components[part].is_unknown;
        let bits_of = |wanted: &dyn Fn(usize) -> bool| -> Vec<BddVar> {
            let parts = (0..bits.len()).filter(|&part| wanted(part));
            parts.flat_map(|part| bits[part].now().iter().copied()).collect()
        };
        let unseen = bits_of(&|part| !self.inside[part] && !is_missing(part));
        let everything = self.manager.constant(true);
        let start = Stages::new(conjuncts, unseen, self.manager)?.run(&everything, self.manager)?;
        if !(0..bits.len()).any(is_missing) {
            return Ok((start, None));
        }
        let hidden = bits_of(&|part| !self.inside[part] && is_missing(part));
        let hidden = self.manager.cube(hidden)?;
        let init = self.manager.exists(&start, &hidden)?;
        let known = self.manager.cube(bits_of(&|part| self.inside[part] && !is_missing(part)))?;
        Ok((init, Some(MissingStart { known, init: start })))
    }

    /// By proposition: that of a member that has it.
    fn labels(&self) -> IdVec<PropId, Label> {
        let none = self.manager.constant(false);
        let own = |of_one: &Vec<(usize, Label)>| {
            let own = of_one.iter().find(|(part, _)| self.inside[*part]);
            let unknown = || Label { tt: none.clone(), ff: none.clone() };
            own.map_or_else(unknown, |(_, label)| label.clone())
        };
        self.encoded.labels.iter().map(own).collect()
    }

    /// C Def. 4.2.
    fn joint_steps(&mut self) -> Result<(Relation, Relation), Stop> {
        let mut answers = Vec::new();
        for other in self.outside() {
            answers.extend(self.answers(other)?);
        }
        let movers: Vec<Mover> = self.members.iter().map(|&member| (member, None)).collect();
        let may = Relation { parts: vec![self.part(&movers, false, answers.clone(), None)?] };
        let mut must = Relation { parts: Vec::new() };
        let is_blocked = |interface: &Interface| interface.general_blocker(&self.inside).is_some();
        if !self.interface.is_some_and(is_blocked) {
            answers.extend(self.unblockable()?);
            must.parts.push(self.part(&movers, true, answers, None)?);
        }
        Ok((may, must))
    }

    /// The steps of the group with which one of the others has a may transition that agrees.
    fn answers(&mut self, other: usize) -> Result<Option<Bdd>, Stop> {
        let Some(agrees) = self.agreement(other)? else { return Ok(None) };
        let agrees_next = self.manager.rename(&agrees, self.encoded.to_next)?;
        let steps = self.encoded.steps(other, None, false, self.manager);
        let answers = self.manager.and(&steps, &agrees)?;
        let bits = self.manager.cube(self.encoded.bits[other].both())?;
        self.manager.and_exists(&answers, &agrees_next, &bits).map(Some)
    }

    /// Of steps, that none of the others can block them.
    fn unblockable(&mut self) -> Result<Vec<Bdd>, Stop> {
        let Some(interface) = self.interface else { return Ok(Vec::new()) };
        let (props, labels) = (self.encoded.system.props(), self.labels());
        let names = interface.joint.names();
        let label_of = |number: usize| props.get(&names[number]).map(|prop| &labels[prop]);
        let manager = &mut *self.manager;
        let mut all = Vec::new();
        for other in (0..self.inside.len()).filter(|&component| !self.inside[component]) {
            for StepDemand { source, targets } in interface.step_demands(other, &self.inside) {
                let mut met = manager.constant(true);
                for choice in &targets {
                    let mut some = manager.constant(false);
                    for target in choice {
                        let target = with_values(target, label_of, manager)?;
                        some = manager.or(&some, &target)?;
                    }
                    met = manager.and(&met, &some)?;
                }
                let met = manager.rename(&met, self.encoded.to_next)?;
                let source = with_values(&source, label_of, manager)?;
                all.push(manager.or(&source.not(), &met)?);
            }
        }
        Ok(all)
    }

    /// C §6.1: the rules in which members take part, and those of others as idle steps.
    fn steps_by_rules(&mut self, alphabet: Alphabet) -> Result<(Relation, Relation), Stop> {
        let (rules, shown) = &self.encoded.rules;
        let mut moves: Vec<JointMove> = Vec::new();
        let mut known: FxHashMap<(Vec<Mover>, ActionSort), usize> = FxHashMap::default();
        for (number, Rule { parts, result }) in (0..).zip(rules) {
            let own = parts.iter().filter(|(part, _)| self.inside[*part]);
            let movers: Vec<Mover> = own.map(|&(part, action)| (part, Some(action))).collect();
            let sort = match alphabet {
                Alphabet::All => ActionSort::Single(*result),
                Alphabet::Asked(sets) => {
                    let is_in = |set: &ActionSet| set.contains(shown.name(*result));
                    ActionSort::In(sets.iter().map(is_in).collect())
                }
            };
            let can_block = |interface: &Interface| interface.rule_blocker(&self.inside, number);
            let is_must = self.interface.and_then(can_block).is_none();
            let place = *known.entry((movers.clone(), sort)).or_insert(moves.len());
            match moves.get_mut(place) {
                Some(known) => known.is_must |= is_must,
                None => moves.push(JointMove { movers, shows: *result, is_must }),
            }
        }
        let [mut may, mut must] = [Vec::new(), Vec::new()];
        for JointMove { movers, shows, is_must } in &moves {
            let action = Some(shown.name(*shows).to_owned());
            may.push(self.part(movers, false, Vec::new(), action.clone())?);
            if *is_must {
                must.push(self.part(movers, true, Vec::new(), action)?);
            }
        }
        Ok((Relation { parts: may }, Relation { parts: must }))
    }

    /// Steps that some components make together, under further conditions.
    fn part(
        &mut self,
        movers: &[Mover],
        is_must: bool,
        mut conjuncts: Vec<Bdd>,
        action: Option<String>,
    ) -> Result<Part, Stop> {
        let mut written: Vec<Written> = Vec::new();
        for &(component, own) in movers {
            conjuncts.push(self.encoded.steps(component, own, is_must, self.manager));
            written.extend(self.encoded.bits[component].written());
        }
        let (inputs, conditions) = Default::default();
        let constituents = Constituents { conjuncts, written, inputs, conditions, action };
        Part::new(constituents, self.manager)
    }
}

impl Structure {
    /// Becomes that of some components of a system.
    pub fn become_group(
        &mut self,
        encoded: &EncodedSystem,
        members: &[usize],
        interface: Option<&Interface>,
        alphabet: Alphabet,
    ) -> Result<(), Stop> {
        let mut group = SystemGroup::new(encoded, members, interface, &mut self.manager);
        self.states = group.states()?;
        (self.init, self.missing) = group.init()?;
        let (may, must) = match encoded.system.family() {
            Family::Props => group.joint_steps()?,
            Family::Actions => group.steps_by_rules(alphabet)?,
        };
        self.labels = group.labels();
        let is_complete = encoded.system.components.iter().all(|part| part.model.is_complete());
        let is_certain = is_complete && members.len() == encoded.parts.len();
        self.may = may;
        self.must = (!is_certain).then_some(Must::Steps(must));
        self.bits = members.iter().map(|&member| encoded.bits[member].now().len()).sum();
        Ok(())
    }
}

/// Where joint propositions have these values.
fn with_values<'l>(
    values: &JointValues,
    label_of: impl Fn(usize) -> Option<&'l Label>,
    manager: &mut Manager,
) -> Result<Bdd, Stop> {
    let mut all = manager.constant(true);
    for &(number, value) in values {
        let Some(Label { tt, ff }) = label_of(number) else { continue };
        let set = match value {
            Truth::True => tt.clone(),
            Truth::False => ff.clone(),
            Truth::Unknown => manager.or(tt, ff)?.not(),
        };
        all = manager.and(&all, &set)?;
    }
    Ok(all)
}
