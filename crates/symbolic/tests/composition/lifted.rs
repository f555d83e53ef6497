//! A group of components as an abstraction of the composition, state by state, from what is documented of it.
//!
//! What others own is free as far as what they say of it allows, their sentences being taken together and
//! projected. The group must come to a set if, whatever is hidden from it, it can choose inputs and next
//! values of its own such that all answers of the others lead there.

use crate::graph::{Disjunct, Graph, Step};
use crate::table::{Sentence, Slot, Solver, next, now};
use crate::test_system::{Reported, TestSystem};
use std::collections::HashMap;
use transition::{Binary, ExprNode, Role, Section, VarId};

pub struct Lifter<'w> {
    test_system: &'w TestSystem,
    members: &'w [usize],
    own: Vec<VarId>,
    /// State variables and inputs.
    vars: Vec<VarId>,
    inputs: Vec<VarId>,
    hidden: Vec<VarId>,
    /// By moment, what others say.
    states_of_others: Vec<Sentence>,
    steps_of_others: Vec<Sentence>,
}

/// Sentences about steps by who decides whether they hold.
struct Parted {
    chosen: Vec<Sentence>,
    answered: Vec<Sentence>,
    demanded: Vec<Sentence>,
    /// Where the condition on steps may not hold.
    excluded: Sentence,
}

impl<'w> Lifter<'w> {
    /// `history` are all variables that the group has something to do with and that are not hidden.
    pub fn new(test_system: &'w TestSystem, members: &'w [usize], history: &[VarId]) -> Self {
        let of_members = |own: fn(&transition::MachineComponent) -> Vec<VarId>| {
            let all = members.iter().flat_map(|&member| own(&test_system.components[member]));
            sorted(all.collect())
        };
        let own = of_members(|component| component.own.clone());
        let hidden = of_members(|component| component.vars().collect())
            .into_iter()
            .filter(|var| !history.contains(var))
            .collect();
        let (inputs, vars) = history.iter().partition(|&&var| test_system.is_input(var));
        let mut lifter = Self {
            test_system,
            members,
            own,
            vars,
            inputs,
            hidden,
            states_of_others: Vec::new(),
            steps_of_others: Vec::new(),
        };
        lifter.states_of_others = lifter.said_by_others(Section::Invar);
        lifter.steps_of_others = lifter.said_by_others(Section::Trans);
        lifter
    }

    pub fn hides(&self) -> bool {
        !self.hidden.is_empty()
    }

    /// Whether a constraint of the group is an alternative: its cases may be taken as steps of several kinds,
    /// one of which the group chooses before the others answer.
    pub fn has_alternatives(&self) -> bool {
        let exprs = &self.test_system.machine.exprs;
        self.said(Section::Trans).any(|said| match said.conjunct.role {
            Role::Constraint(node) => matches!(exprs.node(node), ExprNode::Binary(Binary::Or, ..)),
            _ => false,
        })
    }

    /// Whether a variable that is not remembered has fewer values than its bits have patterns: what is said of it
    /// is projected with all of them.
    pub fn has_patterns_without_value(&self) -> bool {
        let (states, inputs) = self.test_system.vars();
        let is_seen = |var: &VarId| self.vars.contains(var) || self.inputs.contains(var);
        let mut others = states.iter().chain(&inputs).filter(|var| !is_seen(var));
        others.any(|&var| !self.test_system.sizes[now(var)].is_power_of_two())
    }

    /// Constraints of the owners on their variables, projected.
    fn said_by_others(&self, section: Section) -> Vec<Sentence> {
        let owners =
            sorted(self.vars.iter().filter_map(|&var| self.test_system.owner(var)).collect());
        let is_seen = |var: &VarId| self.vars.contains(var);
        let speaks = |said: &&Reported| match (said.driven(), section) {
            (Some(var), _) => is_seen(&var),
            (None, Section::Trans) => said.conjunct.access.next.iter().any(is_seen),
            (None, _) => said.conjunct.access.now.iter().any(is_seen),
        };
        let mut all = Vec::new();
        for owner in owners.into_iter().filter(|owner| !self.members.contains(owner)) {
            let said = self.test_system.said[owner].iter().filter(|said| said.is_at(section));
            let said: Vec<&Sentence> = said.filter(speaks).map(|said| &said.sentence).collect();
            let together = Sentence::all(&said, self.test_system.sizes());
            all.push(self.projected(&together));
        }
        all
    }

    fn projected(&self, sentence: &Sentence) -> Sentence {
        let seen = self.vars.iter().flat_map(|&var| [now(var), next(var)]);
        let seen: Vec<Slot> = seen.chain(self.inputs.iter().map(|&var| now(var))).collect();
        sentence.projected(|slot| seen.contains(&slot), self.test_system.sizes())
    }

    fn said(&self, section: Section) -> impl Iterator<Item = &'w Reported> {
        let of_members = self.members.iter().flat_map(|&member| &self.test_system.said[member]);
        of_members.filter(move |said| said.is_at(section))
    }

    /// The abstraction, in all states. Nothing can be brought about unless the others go on; if no component
    /// is there, steps are certain.
    pub fn graph(&self, goes_on: Option<bool>) -> Graph {
        let states = self.states();
        let mut graph = Graph {
            vars: self.vars.clone(),
            init: vec![false; states.len()],
            states,
            may: Vec::new(),
            must: None,
            labels: Vec::new(),
        };
        graph.labels = self.test_system.labels_of(&graph);
        let numbers = graph.by_state();
        let may = self.may(&graph, &numbers);
        let must = match goes_on {
            None => None,
            Some(false) => Some(vec![Vec::new(); graph.states.len()]),
            Some(true) => Some(self.must(&graph, &numbers)),
        };
        Graph { may, must, ..graph }
    }

    fn states(&self) -> Vec<Vec<usize>> {
        let mut sentences: Vec<&Sentence> =
            self.said(Section::Invar).map(|said| &said.sentence).collect();
        sentences.extend(&self.states_of_others);
        let slots: Vec<Slot> = self.vars.iter().map(|&var| now(var)).collect();
        let mut states = Vec::new();
        let mut values = vec![0; self.test_system.sizes.len()];
        Solver::new(slots.clone(), &sentences).run(
            self.test_system.sizes(),
            &mut values,
            &mut |values| {
                states.push(slots.iter().map(|&slot| values[slot]).collect());
            },
        );
        states
    }

    fn may(&self, graph: &Graph, numbers: &HashMap<&[usize], usize>) -> Vec<Vec<Step>> {
        let mut sentences: Vec<&Sentence> =
            self.said(Section::Trans).map(|said| &said.sentence).collect();
        sentences.extend(&self.steps_of_others);
        let free = self.inputs.iter().chain(&self.hidden).map(|&var| now(var));
        let slots = free.chain(self.vars.iter().map(|&var| next(var))).collect();
        let solver = Solver::new(slots, &sentences);
        let condition = self.projected(&self.test_system.condition);
        let from = |state| {
            let mut successors = Vec::new();
            let mut values = graph.valuation(state, self.test_system.sizes());
            solver.run(self.test_system.sizes(), &mut values, &mut |values| {
                let there = self.next_state(values, numbers);
                successors.extend(there.map(|state| (state, condition.holds(values))));
            });
            sorted(successors)
        };
        (0..graph.states.len()).map(from).collect()
    }

    fn next_state(&self, values: &[usize], numbers: &HashMap<&[usize], usize>) -> Option<usize> {
        let state: Vec<usize> = self.vars.iter().map(|&var| values[next(var)]).collect();
        numbers.get(&*state).copied()
    }

    fn must(&self, graph: &Graph, numbers: &HashMap<&[usize], usize>) -> Vec<Vec<Disjunct>> {
        let selector = self.test_system.machine.selector.filter(|var| self.inputs.contains(var));
        let disjuncts = match selector {
            Some(var) => {
                (0..self.test_system.sizes[now(var)]).map(|value| Some((var, value))).collect()
            }
            None => vec![None],
        };
        let mut must = vec![Vec::new(); graph.states.len()];
        for disjunct in disjuncts {
            let parted = self.parted(disjunct);
            for (state, must) in must.iter_mut().enumerate() {
                must.push(self.disjunct(
                    &parted,
                    disjunct,
                    graph.valuation(state, &self.test_system.sizes),
                    numbers,
                ));
            }
        }
        must
    }

    /// By what is hidden, by choice, where answers lead.
    fn disjunct(
        &self,
        parted: &Parted,
        disjunct: Option<(VarId, usize)>,
        mut values: Vec<usize>,
        numbers: &HashMap<&[usize], usize>,
    ) -> Disjunct {
        let sizes = self.test_system.sizes();
        let (own, others): (Vec<VarId>, Vec<VarId>) =
            self.vars.iter().partition(|&&var| self.chooses(var));
        let inputs =
            self.inputs.iter().filter(|&&var| disjunct.is_none_or(|(other, _)| other != var));
        let slots = inputs.map(|&var| now(var)).chain(own.into_iter().map(next)).collect();
        let chosen: Vec<&Sentence> = parted.chosen.iter().collect();
        let choices = Solver::new(slots, &chosen);
        let answered: Vec<&Sentence> = parted.answered.iter().collect();
        let answers = Solver::new(others.into_iter().map(next).collect(), &answered);
        let hidden = Solver::new(self.hidden.iter().map(|&var| now(var)).collect(), &[]);
        let mut disjuncts = Vec::new();
        hidden.run(sizes, &mut values, &mut |values| {
            let mut given = Vec::new();
            choices.run(sizes, &mut values.to_vec(), &mut |values| {
                let mut found = Vec::new();
                answers.run(sizes, &mut values.to_vec(), &mut |values| {
                    let is_good = parted.demanded.iter().all(|sentence| sentence.holds(values));
                    let there = self.next_state(values, numbers).filter(|_| is_good);
                    found.push(there.map(|state| (state, !parted.excluded.holds(values))));
                });
                given.push(sorted(found));
            });
            disjuncts.push(given);
        });
        disjuncts
    }

    fn parted(&self, disjunct: Option<(VarId, usize)>) -> Parted {
        let sizes = self.test_system.sizes();
        let selected = |sentence: &Sentence| match disjunct {
            Some((var, value)) => sentence.where_is(now(var), value, sizes),
            None => sentence.clone(),
        };
        let excluded = selected(&self.projected(&self.test_system.condition.negated()));
        let [chosen, answered, demanded] = [(); 3].map(|()| Vec::new());
        let mut parted = Parted { chosen, answered, demanded, excluded };
        for said in self.said(Section::Trans) {
            let sentence = selected(&said.sentence);
            let own_choice = |&var: &VarId| self.chooses(var);
            let next_vars = |slots: Vec<Slot>| -> Vec<VarId> {
                slots
                    .into_iter()
                    .filter(|slot| slot % 2 == 1)
                    .map(|s| VarId(s as u32 / 2))
                    .collect()
            };
            match said.driven() {
                Some(var) if self.chooses(var) => parted.chosen.push(sentence),
                Some(_) => parted.answered.push(sentence),
                None if next_vars(sentence.depends_on(sizes)).iter().all(own_choice) => {
                    parted.chosen.push(sentence);
                }
                None => parted.demanded.push(sentence),
            }
        }
        parted.answered.extend(self.steps_of_others.iter().map(selected));
        parted.answered.extend(self.states_of_others.iter().map(Sentence::primed));
        let functions = self.said(Section::Invar).filter(|said| said.driven().is_some());
        parted.answered.extend(functions.map(|said| said.sentence.primed()));
        parted
    }

    /// Whether the group chooses the next value before the others choose theirs.
    fn chooses(&self, var: VarId) -> bool {
        self.own.contains(&var) && !self.follows(var, &mut Vec::new())
    }

    /// Whether it is a function of the state, or of what others do next.
    fn follows(&self, var: VarId, seen: &mut Vec<VarId>) -> bool {
        if seen.contains(&var) {
            return false;
        }
        seen.push(var);
        let all = self.members.iter().flat_map(|&member| &self.test_system.said[member]);
        let mut drives = all.filter(
            |said| matches!(said.conjunct.role, Role::Assignment(driven, _) if driven == var),
        );
        drives.any(|said| {
            let mut read = said.conjunct.access.next.iter().filter(|&&other| other != var);
            said.is_at(Section::Invar)
                || read.any(|&other| !self.own.contains(&other) || self.follows(other, seen))
        })
    }
}

fn sorted<T: Ord>(mut items: Vec<T>) -> Vec<T> {
    items.sort_unstable();
    items.dedup();
    items
}
