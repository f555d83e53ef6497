//! Some components of a machine as an abstraction of the whole (C Def. 4.3, C §6.2).
//!
//! Its states are valuations of the variables that they own or read. What others own is free, as far as what
//! they are known to say of it allows: each sentence of theirs is projected to the variables that are there.
//! A proposition that speaks of more is true where it is true whatever the rest is.
//!
//! Where a component reads much of what others own, as a server does of its clients, most of it is hidden: it is
//! an input that somebody else chooses, of which nothing is remembered.

use crate::build::{Bits, Builder};
use crate::composition::Composition;
use crate::musts::{Choice, Must};
use crate::relation::{Part, Pieces, Relation, Stages};
use crate::structure::Label;
use crate::turns::{Turn, applied, turns};
use coding::Layout;
use diagrams::{Cube, Diagrams, Set, Stop, Var};
use fixedbitset::FixedBitSet;
use machine::{Conjunct, Kind, Moment, Property, Role, Slice, VarId};

/// Sentences of one owner are taken together before they are projected if they have at most so many nodes.
const TOGETHER: usize = 2_000;

/// Which components, and what they have to do with.
pub(super) struct Group {
    /// What its members say, and all their variables.
    pub slice: Slice,
    own: FixedBitSet,
    /// What others say of the variables that are theirs, by owner.
    said: Vec<(usize, Conjunct)>,
    /// Those of its own variables whose next values depend on what the others choose.
    late: FixedBitSet,
    /// What it reads of others and does not remember, and the inputs that others choose.
    hidden: Vec<VarId>,
    /// The truth variables of the group's variables.
    inside: FixedBitSet,
}

impl Group {
    /// For a question about these variables.
    pub fn new(composition: &Composition, members: &[usize], asked: &[VarId]) -> Self {
        let machine = &composition.machine;
        let mut own = FixedBitSet::with_capacity(machine.vars.len());
        let mut vars = own.clone();
        let mut conjuncts = Vec::new();
        for component in members.iter().map(|&member| &composition.components[member]) {
            own.extend(component.own.iter().map(|var| var.0 as usize));
            vars.extend(component.vars().map(|var| var.0 as usize));
            conjuncts.extend(component.conjuncts.iter().cloned());
        }
        // What is missing and asked for is looked at as it is, and so is that on which it depends where the
        // others start: each module that can be there has only some of these initial states.
        let missing = asked.iter().copied().filter(|&var| composition.is_missing(var));
        vars.extend(missing.chain(composition.missing_at_start()).map(|var| var.0 as usize));
        let hidden = hidden(composition, &conjuncts, &own, asked);
        hidden.iter().for_each(|var| vars.set(var.0 as usize, false));
        let mut inside = FixedBitSet::new();
        for var in vars.ones().map(|var| VarId(var as u32)) {
            for bit in composition.layout.bits(var) {
                for truth_var in [Some(bit.now), bit.next].into_iter().flatten() {
                    inside.grow_and_insert(truth_var.0 as usize);
                }
            }
        }
        let said = composition.said_of(&vars, members);
        let late = late(&conjuncts, &own);
        Self { slice: Slice { vars, conjuncts }, own, said, late, hidden, inside }
    }

    /// Whether the group can choose the next value of this variable before the others choose.
    fn chooses(&self, var: VarId) -> bool {
        self.own.contains(var.0 as usize) && !self.late.contains(var.0 as usize)
    }

    fn has(&self, var: Var) -> bool {
        self.inside.contains(var.0 as usize)
    }

    /// Where it is so for some values of what is not there.
    fn somehow(&self, set: &Set, diagrams: &mut Diagrams) -> Result<Set, Stop> {
        let support = diagrams.support(set);
        let outside: Vec<Var> = support.into_iter().filter(|&var| !self.has(var)).collect();
        let cube = diagrams.cube(outside)?;
        diagrams.exists(set, &cube)
    }

    /// Where it is so for all values of what is not there.
    pub fn anyhow(&self, set: &Set, diagrams: &mut Diagrams) -> Result<Set, Stop> {
        Ok(self.somehow(&set.not(), diagrams)?.not())
    }
}

/// What is only read to make a step, is not asked for, and is too much; and the inputs of what is missing, which
/// nobody else can choose.
fn hidden(
    composition: &Composition,
    conjuncts: &[Conjunct],
    own: &FixedBitSet,
    asked: &[VarId],
) -> Vec<VarId> {
    let Composition { machine, layout, seen_bits, missing, .. } = composition;
    let mut read = FixedBitSet::with_capacity(own.len());
    let mut seen = own.clone();
    let kept_in_sight = asked.iter().copied().chain(composition.missing_at_start());
    seen.extend(kept_in_sight.map(|var| var.0 as usize));
    for Conjunct { moment, access, .. } in conjuncts {
        let place = if *moment == Moment::Step { &mut read } else { &mut seen };
        place.extend(access.now.iter().map(|var| var.0 as usize));
        seen.extend(access.next.iter().map(|var| var.0 as usize));
    }
    read.difference_with(&seen);
    let vars = read.ones().map(|var| VarId(var as u32));
    let (inputs, mut hidden): (Vec<VarId>, Vec<VarId>) =
        vars.partition(|&var| machine.vars[var].kind == Kind::Input);
    let bits: usize = hidden.iter().map(|&var| layout.bits(var).len()).sum();
    if bits <= *seen_bits {
        hidden.clear();
    }
    let is_of_missing = |var: &VarId| missing.contains(&machine.vars[*var].instance);
    hidden.extend(inputs.into_iter().filter(is_of_missing));
    hidden
}

/// The variables whose next values are not chosen from what is known now: those that are functions of the
/// state, and those that follow what others do next.
fn late(conjuncts: &[Conjunct], own: &FixedBitSet) -> FixedBitSet {
    let mut late = FixedBitSet::with_capacity(own.len());
    loop {
        let before = late.count_ones(..);
        for conjunct in conjuncts {
            let Role::Drives(var, _) = conjunct.role else { continue };
            let follows = |&next: &VarId| {
                let next = next.0 as usize;
                next != var.0 as usize && (!own.contains(next) || late.contains(next))
            };
            if conjunct.moment == Moment::State || conjunct.access.next.iter().any(follows) {
                late.insert(var.0 as usize);
            }
        }
        if late.count_ones(..) == before {
            return late;
        }
    }
}

/// One kind of steps, taken apart by who decides what.
#[derive(Default)]
struct Sentences {
    chosen: Vec<Set>,
    answered: Vec<Set>,
    demanded: Vec<Set>,
}

impl Sentences {
    fn all(&self) -> impl Iterator<Item = &Set> {
        self.chosen.iter().chain(&self.answered).chain(&self.demanded)
    }
}

impl Composition {
    /// What others than the members say of some variables that they own.
    fn said_of(&self, vars: &FixedBitSet, members: &[usize]) -> Vec<(usize, Conjunct)> {
        let mut owners: Vec<usize> = vars
            .ones()
            .filter_map(|var| self.owner[var])
            .filter(|j| !members.contains(j))
            .collect();
        owners.sort_unstable();
        owners.dedup();
        let speaks_of = |var: &VarId| vars.contains(var.0 as usize);
        let mut said = Vec::new();
        for owner in owners {
            for conjunct in &self.components[owner].conjuncts {
                let speaks = match (conjunct.role, conjunct.moment) {
                    (Role::Drives(var, _) | Role::Keeps(var), _) => speaks_of(&var),
                    (Role::Holds(_), Moment::Step) => conjunct.access.next.iter().any(speaks_of),
                    (Role::Holds(_), _) => conjunct.access.now.iter().any(speaks_of),
                };
                if speaks {
                    said.push((owner, conjunct.clone()));
                }
            }
        }
        said
    }

    /// Makes the structure that of some components.
    pub(super) fn lift(&mut self, members: &[usize], asked: &[VarId]) -> Result<Group, Stop> {
        let group = Group::new(self, members, asked);
        let is_complete = self.is_whole(members) && self.missing.is_empty();
        let can_go_on = (0..self.components.len())
            .all(|other| members.contains(&other) || self.is_receptive[other]);
        self.structure.init = self.initial(&group)?;
        let mut lifter = Lifter {
            builder: Builder {
                slice: &group.slice,
                machine: &mut self.machine,
                layout: &self.layout,
                diagrams: &mut self.structure.diagrams,
                known: &mut self.known,
                turns: Vec::new(),
            },
            group: &group,
        };
        let (states, premises) = lifter.states()?;
        let (parts, choices) = lifter.kinds_of_steps(&self.conditions, &premises)?;
        let labels = lifter.labels(&self.labels)?;
        self.structure.states = states;
        self.structure.may = Relation { parts };
        let choices = if can_go_on { choices } else { Vec::new() };
        self.structure.must = (!is_complete).then_some(Must::Choices(choices));
        self.structure.labels = labels.into_iter().collect();
        let vars = group.slice.vars.ones().map(|var| VarId(var as u32));
        let vars = vars.filter(|&var| self.machine.vars[var].kind != Kind::Input);
        self.structure.bits = vars.map(|var| self.layout.bits(var).len()).sum();
        self.structure.known = self.known_bits(&group)?;
        Ok(group)
    }

    /// The initial states of the whole, as far as the group sees them.
    pub(super) fn initial(&mut self, group: &Group) -> Result<Set, Stop> {
        let all = self.slice.vars.ones().map(|var| VarId(var as u32));
        let bits = all.flat_map(|var| self.layout.bits(var)).map(|bit| bit.now);
        let outside: Vec<Var> = bits.filter(|&bit| !group.has(bit)).collect();
        let diagrams = &mut self.structure.diagrams;
        let stages = Stages::new(self.start.clone(), outside, diagrams)?;
        let everything = diagrams.constant(true);
        stages.run(&everything, diagrams)
    }

    /// The bits of what is not missing, if something is.
    fn known_bits(&mut self, group: &Group) -> Result<Option<Cube>, Stop> {
        if !group.slice.vars.ones().any(|var| self.is_missing(VarId(var as u32))) {
            return Ok(None);
        }
        let known = group.slice.vars.ones().filter(|&var| self.owner[var].is_some());
        let bits = known.flat_map(|var| self.layout.bits(VarId(var as u32)));
        let bits: Vec<Var> = bits.map(|bit| bit.now).collect();
        self.structure.diagrams.cube(bits).map(Some)
    }
}

struct Lifter<'a, 'g> {
    builder: Builder<'a>,
    group: &'g Group,
}

impl Lifter<'_, '_> {
    fn diagrams(&mut self) -> &mut Diagrams {
        self.builder.diagrams
    }

    /// The states, and what of it is nobody's choice.
    fn states(&mut self) -> Result<(Set, Vec<Set>), Stop> {
        let mut premises = Vec::new();
        let mut said = Vec::new();
        for (owner, conjunct) in &self.group.said {
            if conjunct.moment == Moment::State {
                said.push((*owner, self.builder.conjunct(conjunct)?.0));
            }
        }
        premises.extend(self.projected(said)?);
        for conjunct in &self.group.slice.conjuncts {
            if conjunct.moment == Moment::State && matches!(conjunct.role, Role::Drives(..)) {
                premises.push(self.builder.conjunct(conjunct)?.0);
            }
        }
        let mut states = self.builder.states()?.conjunction(self.builder.diagrams)?;
        for premise in &premises {
            states = self.diagrams().and(&states, premise)?;
        }
        for var in self.builder.vars() {
            if self.builder.machine.vars[var].kind != Kind::Input && !self.group.chooses(var) {
                let Builder { layout, machine, diagrams, .. } = &mut self.builder;
                premises.push(layout.valid(machine, var, diagrams)?);
            }
        }
        premises.retain(|premise| !premise.is_full());
        Ok((states, premises))
    }

    /// Sets as far as they speak of the group's variables; those of one owner together if they are small.
    fn projected(&mut self, said: Vec<(usize, Set)>) -> Result<Vec<Set>, Stop> {
        let mut found: Vec<Set> = Vec::new();
        for said in said.chunk_by(|a, b| a.0 == b.0) {
            let size = self.diagrams().size(said.iter().map(|(_, set)| set));
            if size > TOGETHER {
                for (_, set) in said {
                    found.push(self.somehow(set)?);
                }
                continue;
            }
            let mut all = self.diagrams().constant(true);
            for (_, set) in said {
                all = self.diagrams().and(&all, set)?;
            }
            found.push(self.somehow(&all)?);
        }
        found.retain(|set| !set.is_full());
        Ok(found)
    }

    fn somehow(&mut self, set: &Set) -> Result<Set, Stop> {
        self.group.somehow(set, self.builder.diagrams)
    }

    fn anyhow(&mut self, set: &Set) -> Result<Set, Stop> {
        self.group.anyhow(set, self.builder.diagrams)
    }

    fn labels(&mut self, of: &[Property]) -> Result<Vec<Label>, Stop> {
        let (labels, _) = self.builder.labels(of)?;
        let mut seen = Vec::new();
        for Label { tt, ff } in labels {
            seen.push(Label { tt: self.anyhow(&tt)?, ff: self.anyhow(&ff)? });
        }
        Ok(seen)
    }

    /// What may happen, and what the group can bring about. Kinds of steps that look the same are one.
    fn kinds_of_steps(
        &mut self,
        conditions: &[Property],
        premises: &[Set],
    ) -> Result<(Vec<Part>, Vec<Choice>), Stop> {
        let turns = turns(self.builder.machine, &self.group.slice);
        let mut seen = Vec::new();
        let (mut parts, mut choices) = (Vec::new(), Vec::new());
        for turn in &turns {
            self.diagrams().monitor().step(1).map_err(Stop::Stopped)?;
            let kind = self.kind(turn, conditions)?;
            if seen.contains(&kind.look) {
                continue;
            }
            let (part, choice) = self.finish(&kind, premises)?;
            seen.push(kind.look);
            parts.push(part);
            choices.push(choice);
        }
        Ok((parts, choices))
    }

    fn kind(&mut self, turn: &Turn, conditions: &[Property]) -> Result<Sort, Stop> {
        let mut sentences = Sentences::default();
        for conjunct in &turn.conjuncts {
            let (set, _) = self.builder.conjunct(conjunct)?;
            let var = match conjunct.role {
                Role::Drives(var, _) | Role::Keeps(var) => Some(var),
                Role::Holds(_) => None,
            };
            self.sort(set, var, &mut sentences);
        }
        if !turn.cases.is_empty() {
            let cases = self.builder.one_of(&turn.cases)?;
            self.sort(cases, None, &mut sentences);
        }
        let mut kept = Vec::new();
        let said = self.answers(turn, &mut kept)?;
        sentences.answered.extend(self.projected(said)?);
        let kept = self.kept(turn, kept, &mut sentences)?;
        let kept = self.really_kept(kept, &mut sentences)?;
        let bits = self.builder.bits(turn, &kept);
        for &var in &bits.inputs {
            let Builder { layout, machine, diagrams, .. } = &mut self.builder;
            sentences.chosen.push(layout.valid(machine, var, diagrams)?);
        }
        let mut spoken_of = Vec::new();
        for property in conditions {
            let node = self.builder.selected(property.node, turn);
            let set = self.builder.encoder().truth(node)?;
            spoken_of.push((self.somehow(&set)?, self.anyhow(&set)?));
        }
        let sets = sentences.all().cloned().collect();
        Ok(Sort { look: Look { kept, sets, conditions: spoken_of }, sentences, bits })
    }

    /// What the others say of their variables in a turn; what they keep is kept.
    fn answers(&mut self, turn: &Turn, kept: &mut Vec<VarId>) -> Result<Vec<(usize, Set)>, Stop> {
        let mut said = Vec::new();
        for (owner, conjunct) in &self.group.said {
            if conjunct.moment != Moment::Step {
                continue;
            }
            let conjunct = applied(self.builder.machine, turn.selected, conjunct.clone());
            match conjunct.role {
                Role::Keeps(var) => kept.push(var),
                _ => said.push((*owner, self.builder.conjunct(&conjunct)?.0)),
            }
        }
        Ok(said)
    }

    /// With what the others keep, what is kept in a turn. That somebody keeps what he does not choose or say that
    /// he keeps is demanded of him.
    fn kept(
        &mut self,
        turn: &Turn,
        mut kept: Vec<VarId>,
        sentences: &mut Sentences,
    ) -> Result<Vec<VarId>, Stop> {
        for &var in &turn.kept {
            if self.group.chooses(var) || self.is_assigned_to_itself(var, turn) {
                kept.push(var);
            } else if !kept.contains(&var) {
                sentences.demanded.push(self.builder.layout.same(var, self.builder.diagrams)?);
            }
        }
        kept.sort_unstable();
        kept.dedup();
        Ok(kept)
    }

    /// Whether the group says so where it says what becomes of the variable.
    fn is_assigned_to_itself(&mut self, var: VarId, turn: &Turn) -> bool {
        let mut steps = self.group.slice.conjuncts.iter().filter(|c| c.moment == Moment::Step);
        steps.any(|conjunct| match conjunct.role {
            Role::Keeps(of) => of == var,
            Role::Drives(of, _) if of == var => {
                let role = applied(self.builder.machine, turn.selected, conjunct.clone()).role;
                role == Role::Keeps(var)
            }
            _ => false,
        })
    }

    /// What is kept and spoken of otherwise too is written, if only with its old value.
    fn really_kept(
        &mut self,
        kept: Vec<VarId>,
        sentences: &mut Sentences,
    ) -> Result<Vec<VarId>, Stop> {
        let spoken_of = self.builder.next_of(sentences.all());
        let (same, kept): (Vec<VarId>, Vec<VarId>) =
            kept.into_iter().partition(|var| spoken_of.contains(var));
        for var in same {
            let set = self.builder.layout.same(var, self.builder.diagrams)?;
            match self.group.chooses(var) {
                true => sentences.chosen.push(set),
                false => sentences.answered.push(set),
            }
        }
        Ok(kept)
    }

    /// Who decides whether this holds; `driven` gets its value here.
    fn sort(&mut self, set: Set, driven: Option<VarId>, sentences: &mut Sentences) {
        let chooses = |var: VarId| self.group.chooses(var);
        let is_choice = match driven {
            Some(var) => chooses(var),
            None => {
                let next = self.builder.next_of([&set].into_iter());
                next.into_iter().all(chooses)
            }
        };
        match (is_choice, driven) {
            (true, _) => sentences.chosen.push(set),
            (false, Some(_)) => sentences.answered.push(set),
            (false, None) => sentences.demanded.push(set),
        }
    }

    fn finish(&mut self, kind: &Sort, premises: &[Set]) -> Result<(Part, Choice), Stop> {
        let Sort { sentences, bits, look } = kind;
        let (hidden, values) = self.hidden()?;
        let pieces = Pieces {
            conjuncts: look.sets.iter().cloned().chain([values.clone()]).collect(),
            written: bits.written.clone(),
            inputs: bits.input_bits.iter().chain(&hidden).copied().collect(),
            conditions: look.conditions.iter().map(|(may, _)| may.clone()).collect(),
            action: None,
        };
        let part = Part::new(pieces, self.diagrams())?;
        let to_next = part.to_next;
        let mut answered = sentences.answered.clone();
        for premise in premises {
            answered.push(self.diagrams().rename(premise, to_next)?);
        }
        let mut demanded = self.diagrams().constant(true);
        for set in &sentences.demanded {
            demanded = self.diagrams().and(&demanded, set)?;
        }
        let mut own = bits.input_bits.clone();
        let mut others = Vec::new();
        for bit in &bits.written {
            let chooses =
                self.builder.layout.next_of(bit.next).is_some_and(|v| self.group.chooses(v));
            if chooses { own.push(bit.next) } else { others.push(bit.next) }
        }
        let chosen = Stages::new(sentences.chosen.clone(), own, self.diagrams())?;
        let answered = Stages::new(answered, others, self.diagrams())?;
        let conditions = look.conditions.iter().map(|(_, must)| must.clone()).collect();
        let given = Stages::new(vec![values], hidden, self.diagrams())?;
        Ok((part, Choice { given, chosen, answered, demanded, to_next, conditions }))
    }

    /// The bits of what is hidden, and that they are values.
    fn hidden(&mut self) -> Result<(Vec<Var>, Set), Stop> {
        let mut bits = Vec::new();
        let mut values = self.diagrams().constant(true);
        for &var in &self.group.hidden {
            let Builder { layout, machine, diagrams, .. } = &mut self.builder;
            bits.extend(layout.bits(var).iter().map(|bit| bit.now));
            let valid = layout.valid(machine, var, diagrams)?;
            values = diagrams.and(&values, &valid)?;
        }
        Ok((bits, values))
    }
}

/// A kind of steps before it is made ready for use.
struct Sort {
    sentences: Sentences,
    bits: Bits,
    look: Look,
}

/// What tells kinds of steps apart.
#[derive(PartialEq)]
struct Look {
    kept: Vec<VarId>,
    sets: Vec<Set>,
    /// Where each condition may hold, and where it must.
    conditions: Vec<(Set, Set)>,
}

/// The bits of a variable now and in the next state.
pub(super) fn next_bits(layout: &Layout, var: VarId) -> impl Iterator<Item = (Var, Var)> {
    layout.bits(var).iter().filter_map(|bit| Some((bit.now, bit.next?)))
}
