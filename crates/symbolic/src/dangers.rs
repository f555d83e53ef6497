//! Run-time errors of a transition system: expressions without a value, and assignments out of range, in
//! reachable states.
//!
//! An assignment goes wrong for whatever it reads, also where conditions exclude the step. A condition without
//! a value is wrong where all assignments are right and no other condition is false.
//!
//! Where a conjunct goes wrong its set says anything, and states may seem to be reached that are not. But the
//! first such step on the way there begins in a state that is, so there is a fault if one is found. In order
//! to tell it, the states are found once more without such steps.

use crate::build::{Source, assigning_turns};
use crate::relation::{Part, Pieces, Steps};
use crate::session::Halt;
use crate::structure::Structure;
use bdd::{Bdd, BddVar, Manager, Stop};
use encode::Layout;
use transition::{
    Choice, ChoiceId, ExprNode, Machine, Role, RuntimeError, RuntimeErrorKind, Slice, VarId,
};

/// Run-time error and the valuations of this state, the inputs and the next state in which it occurs.
#[derive(Clone)]
pub(crate) struct Danger {
    role: Role,
    wrong: Bdd,
    /// The number of the conjunct that it is a danger of, if it is of one.
    conjunct: Option<usize>,
}

impl Danger {
    fn is_of_assignment(&self) -> bool {
        matches!(self.role, Role::Drives(..))
    }

    /// Of something that is no conjunct.
    pub fn new(role: Role, wrong: Option<Bdd>) -> Option<Self> {
        let wrong = wrong.filter(|wrong| !wrong.is_empty())?;
        Some(Self { role, wrong, conjunct: None })
    }
}

/// Conjuncts, and what can go wrong in them.
#[derive(Clone, Default)]
pub(crate) struct Venture {
    pub conjuncts: Vec<Bdd>,
    pub dangers: Vec<Danger>,
    /// Which conjuncts are conditions.
    conditions: Vec<usize>,
    /// Of steps in which something can go wrong: what their relation is made of.
    pub pieces: Option<Pieces>,
}

impl Venture {
    pub fn add(&mut self, set: Bdd, role: Role, wrong: Option<Bdd>) {
        let conjunct = Some(self.conjuncts.len());
        let danger = Danger::new(role, wrong);
        self.dangers.extend(danger.map(|danger| Danger { conjunct, ..danger }));
        if let Role::Holds(_) = role {
            self.conditions.push(self.conjuncts.len());
        }
        self.conjuncts.push(set);
    }

    /// Assignments, without conditions.
    fn assignments(&self, manager: &Manager) -> Venture {
        let mut venture = self.clone();
        for &index in &self.conditions {
            venture.conjuncts[index] = manager.constant(true);
        }
        venture.dangers.retain(Danger::is_of_assignment);
        venture
    }

    /// Both.
    fn and(&self, other: &Venture) -> Venture {
        let mut both = self.clone();
        let first = both.conjuncts.len();
        both.conjuncts.extend(other.conjuncts.iter().cloned());
        both.dangers.extend(other.dangers.iter().cloned().map(|mut danger| {
            danger.conjunct = danger.conjunct.map(|index| first + index);
            danger
        }));
        both
    }

    /// All that it speaks of.
    pub fn sets(&self) -> impl Iterator<Item = &Bdd> {
        self.conjuncts.iter().chain(self.dangers.iter().map(|danger| &danger.wrong))
    }

    pub fn conjunction(&self, manager: &mut Manager) -> Result<Bdd, Stop> {
        let mut all = manager.constant(true);
        for conjunct in &self.conjuncts {
            all = manager.and(&all, conjunct)?;
        }
        Ok(all)
    }

    /// The conjuncts, each true where it goes wrong, or each false.
    fn with_wrong(&self, value: bool, manager: &mut Manager) -> Result<Vec<Bdd>, Stop> {
        let mut conjuncts = self.conjuncts.clone();
        for Danger { conjunct, wrong, .. } in &self.dangers {
            let Some(index) = *conjunct else { continue };
            conjuncts[index] = match value {
                true => manager.or(&conjuncts[index], wrong)?,
                false => manager.minus(&conjuncts[index], wrong)?,
            };
        }
        Ok(conjuncts)
    }

    /// Of some valuations, those in which everything holds or goes wrong, as a danger has it, and one of them.
    fn realised(&self, among: &Bdd, manager: &mut Manager) -> Result<Vec<(Danger, Bdd)>, Stop> {
        let mut found = Vec::new();
        if self.dangers.is_empty() {
            return Ok(found);
        }
        let loose = self.with_wrong(true, manager)?;
        for danger in &self.dangers {
            let mut set = manager.and(among, &danger.wrong)?;
            for conjunct in &loose {
                if set.is_empty() {
                    break;
                }
                set = manager.and(&set, conjunct)?;
            }
            if !set.is_empty() {
                found.push((danger.clone(), set));
            }
        }
        Ok(found)
    }
}

/// All that can go wrong in a machine.
pub(crate) struct Dangers {
    /// With the expressions that taking it apart has made.
    pub machine: Machine,
    pub start: Venture,
    /// In every state.
    pub everywhere: Venture,
    pub labels: Vec<Danger>,
    /// By number of the part of the relation.
    pub turns: Vec<(usize, Venture)>,
}

/// Something that goes wrong, in which valuation, and from which states the step to it is made.
struct Mishap {
    danger: Danger,
    /// Which of the danger's valuations.
    at: Bdd,
    /// `None` at the start.
    from: Option<Bdd>,
}

impl Dangers {
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
            && self.turns.is_empty()
            && self.start.dangers.is_empty()
            && self.everywhere.dangers.is_empty()
    }

    /// An error if something goes wrong in states that can be reached.
    pub fn look(
        &self,
        structure: &mut Structure,
        reached: &Bdd,
        layout: &Layout,
        source: &Source,
    ) -> Result<(), Halt> {
        let telling = Telling { machine: &self.machine, layout, slice: source.slice };
        let assigning = match self.may_assign_wrongly(structure, reached)? {
            true => assigning_turns(source, &self.machine, layout, &mut structure.manager)?,
            false => Vec::new(),
        };
        let Some(seeming) = self.find(structure, reached, &assigning)? else { return Ok(()) };
        let Some(seeming) = telling.fault(&seeming, &structure.manager) else { return Ok(()) };
        self.exclude(structure)?;
        let reached = structure.reachable()?;
        let found = self.find(structure, &reached, &assigning)?;
        let fault = found.and_then(|mishap| telling.fault(&mishap, &structure.manager));
        Err(Halt::Fault(Box::new(fault.unwrap_or(seeming))))
    }

    /// Whether some assignment goes wrong if that depends on nothing else.
    fn may_assign_wrongly(&self, structure: &mut Structure, reached: &Bdd) -> Result<bool, Stop> {
        let Structure { manager, .. } = structure;
        let all = manager.constant(true);
        let dangers = self.turns.iter().flat_map(|(_, venture)| &venture.dangers);
        let in_steps = dangers.map(|danger| (danger, reached));
        let in_states = self.everywhere.dangers.iter().map(|danger| (danger, &all));
        for (danger, among) in in_steps.chain(in_states) {
            if danger.is_of_assignment() && !manager.and(&danger.wrong, among)?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn find(
        &self,
        structure: &mut Structure,
        reached: &Bdd,
        assigning: &[(Part, Venture)],
    ) -> Result<Option<Mishap>, Stop> {
        let Structure { manager, may, .. } = structure;
        if let Some(mishap) = self.at_start(manager)? {
            return Ok(Some(mishap));
        }
        let always = self.everywhere.assignments(manager);
        for (part, venture) in assigning {
            if let Some(mishap) = in_step(part, venture, &always, reached, manager)? {
                return Ok(Some(mishap));
            }
        }
        for danger in &self.labels {
            let at = manager.and(reached, &danger.wrong)?;
            if !at.is_empty() {
                let (danger, from) = (danger.clone(), Some(at.clone()));
                return Ok(Some(Mishap { danger, at, from }));
            }
        }
        let safe = Venture::default();
        for (number, part) in may.parts.iter().enumerate() {
            let venture = self.turns.iter().find(|(turn, _)| *turn == number);
            let venture = venture.map_or(&safe, |(_, venture)| venture);
            if let Some(mishap) = in_step(part, venture, &self.everywhere, reached, manager)? {
                return Ok(Some(mishap));
            }
        }
        Ok(None)
    }

    fn at_start(&self, manager: &mut Manager) -> Result<Option<Mishap>, Stop> {
        let all = manager.constant(true);
        let both = self.start.and(&self.everywhere);
        let assignments =
            self.start.assignments(manager).and(&self.everywhere.assignments(manager));
        for venture in [assignments, both] {
            let found = venture.realised(&all, manager)?.into_iter().next();
            if let Some((danger, at)) = found {
                return Ok(Some(Mishap { danger, at, from: None }));
            }
        }
        Ok(None)
    }

    /// Takes steps and states away in which something goes wrong.
    fn exclude(&self, structure: &mut Structure) -> Result<(), Stop> {
        let Structure { manager, may, states, .. } = structure;
        for danger in &self.everywhere.dangers {
            *states = manager.minus(states, &danger.wrong)?;
        }
        for (number, venture) in &self.turns {
            let conjuncts = venture.with_wrong(false, manager)?;
            if let Some(pieces) = &venture.pieces {
                let pieces = Pieces { conjuncts, ..pieces.clone() };
                may.parts[*number] = Part::new(pieces, manager)?;
            }
        }
        Ok(())
    }
}

/// Run-time errors of the steps of a disjunct, or of the states that they lead to.
fn in_step(
    part: &Part,
    venture: &Venture,
    everywhere: &Venture,
    reached: &Bdd,
    manager: &mut Manager,
) -> Result<Option<Mishap>, Stop> {
    for (danger, at) in venture.realised(reached, manager)? {
        let mut at = at;
        for conjunct in everywhere.with_wrong(true, manager)? {
            let next = manager.rename(&conjunct, part.to_next)?;
            at = manager.and(&at, &next)?;
        }
        if !at.is_empty() {
            return Ok(Some(Mishap { danger, from: Some(at.clone()), at }));
        }
    }
    if everywhere.dangers.is_empty() {
        return Ok(None);
    }
    let there = part.image(reached, manager)?;
    let Some((danger, at)) = everywhere.realised(&there, manager)?.into_iter().next() else {
        return Ok(None);
    };
    let at = one_of(&at, manager)?;
    let before = part.pre_image(&at, Steps::All, manager)?;
    let from = Some(manager.and(&before, reached)?);
    Ok(Some(Mishap { danger, at, from }))
}

/// A part of a set in which every variable that it depends on has one value.
fn one_of(set: &Bdd, manager: &mut Manager) -> Result<Bdd, Stop> {
    let mut one = manager.constant(true);
    for (var, value) in manager.pick(set).into_iter().flatten() {
        let literal = manager.var(var)?;
        one = manager.and(&one, &if value { literal } else { literal.not() })?;
    }
    Ok(one)
}

/// Finds words for what goes wrong, by the meaning of expressions.
struct Telling<'a> {
    machine: &'a Machine,
    layout: &'a Layout,
    slice: &'a Slice,
}

impl Telling<'_> {
    fn fault(&self, mishap: &Mishap, manager: &Manager) -> Option<RuntimeError> {
        let picked = manager.pick(&mishap.at)?;
        let what = self.what(mishap.danger.role, |var| picked.contains(&(var, true)))?;
        // In a step both are of one valuation, and equal sets are picked from in the same way.
        let state = match &mishap.from {
            Some(from) => {
                let picked = manager.pick(from)?;
                Some(self.describe(|var| picked.contains(&(var, true))))
            }
            None => None,
        };
        Some(RuntimeError { what, state })
    }

    fn value(&self, var: VarId, is_next: bool, is_true: impl Fn(BddVar) -> bool) -> i64 {
        let bits = self.layout.bits(var).iter().enumerate();
        let number: u64 = bits
            .map(|(index, bit)| {
                let var = if is_next { bit.next } else { Some(bit.now) };
                u64::from(var.is_some_and(&is_true)) << index
            })
            .sum();
        self.machine.vars[var].domain.value(number)
    }

    /// Run-time error of a valuation.
    fn what(&self, role: Role, is_true: impl Fn(BddVar) -> bool) -> Option<RuntimeErrorKind> {
        let leaf = |node: ExprNode| match node {
            ExprNode::Now(var) => self.value(var, false, &is_true),
            ExprNode::Next(var) => self.value(var, true, &is_true),
            _ => 0,
        };
        let evaluate =
            |node| self.machine.exprs.evaluate(node, leaf).map_err(RuntimeErrorKind::Site);
        match role {
            Role::Holds(node) => evaluate(node).err(),
            Role::Drives(var, choice) => self.wrong_choice(var, choice, evaluate).err(),
            Role::Keeps(_) => None,
        }
    }

    /// An error if something that a variable may be assigned is nothing that it can be.
    fn wrong_choice(
        &self,
        var: VarId,
        root: ChoiceId,
        evaluate: impl Fn(transition::NodeId) -> Result<i64, RuntimeErrorKind>,
    ) -> Result<(), RuntimeErrorKind> {
        let check = |value: i64| match self.machine.vars[var].domain.contains(value) {
            true => Ok(()),
            false => Err(self.out_of_range(var, value)),
        };
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            match self.machine.choices.get(id) {
                Choice::One(node) => check(evaluate(*node)?)?,
                Choice::Range(low, high) => (*low..=*high).try_for_each(check)?,
                Choice::Any(parts) => open.extend(parts.iter().rev()),
                Choice::If(condition, then, otherwise) => {
                    open.push(if evaluate(*condition)? != 0 { *then } else { *otherwise });
                }
            }
        }
        Ok(())
    }

    fn out_of_range(&self, var: VarId, value: i64) -> RuntimeErrorKind {
        let mut assigns = self.machine.assigns.iter().rev();
        let span = assigns.find(|assign| assign.var == var).map(|assign| assign.span);
        RuntimeErrorKind::Range { var, value, span: span.unwrap_or(self.machine.vars[var].span) }
    }

    fn describe(&self, is_true: impl Fn(BddVar) -> bool) -> String {
        describe(self.machine, self.slice, self.layout, is_true)
    }
}

/// All variables of a state with their values, as an enumeration tells them.
pub(crate) fn describe(
    machine: &Machine,
    slice: &Slice,
    layout: &Layout,
    is_true: impl Fn(BddVar) -> bool,
) -> String {
    let shown = machine.state_vars().filter(|&var| slice.contains(var));
    let texts = shown.map(|var| {
        let value = layout.value(machine, var, &is_true);
        format!("{}={}", machine.vars[var].name, machine.text(var, value))
    });
    texts.collect::<Vec<_>>().join(",")
}
