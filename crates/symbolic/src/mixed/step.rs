//! Pre-images (X Fig. 2, ABSPRE).

use super::{Mixed, Reduction, value};
use bdd::{Bdd, BddVar, Cube, Manager, Renaming, Stop};
use logic::Modality;

/// Operands of ◇ and □: two sets, one of which counts for must transitions.
///
/// A box is the negation of a diamond of the negation. As ABSNOT exchanges U and O besides negating, the sets
/// for a box are exchanged instead, and negating the BDDs is enough.
pub(super) struct ModalOperands {
    diamond: Bdd,
    square: Bdd,
}

impl ModalOperands {
    /// Without the variables of the cube: where there are some values for them.
    pub fn exists(&self, cube: &Cube, manager: &mut Manager) -> Result<Self, Stop> {
        let diamond = manager.exists(&self.diamond, cube)?;
        Ok(Self { diamond, square: manager.exists(&self.square, cube)? })
    }

    pub fn new(manager: &mut Manager, sel: BddVar, must: &Bdd, may: &Bdd) -> Result<Self, Stop> {
        Ok(Self {
            diamond: value(manager, sel, must, may)?,
            square: value(manager, sel, may, must)?,
        })
    }

    fn of(&self, modality: Modality) -> &Bdd {
        match modality {
            Modality::Dia => &self.diamond,
            Modality::Box => &self.square,
        }
    }
}

/// All steps of a command, or of a model.
pub(super) struct Step {
    pub target: u32,
    /// All of it, and then as values see it that depend on less and less of what it changes.
    pub projections: Vec<ProjectedStep>,
    /// Into the variables that the relation has for targets.
    pub renaming: Option<Renaming>,
    /// The predicates that must transitions leave unknown; `None` if there are none.
    pub unknown: Option<Cube>,
    /// Targets that no state satisfies.
    pub impossible: Bdd,
    /// Must transitions to sets of atoms.
    pub hyper: Vec<HyperTransitions>,
}

/// A step as far as some of the predicates that it changes count.
pub(super) struct ProjectedStep {
    /// The variables for targets of the others.
    pub ignored: Cube,
    pub relation: ModalOperands,
    /// The variables for targets that are left.
    pub next: Cube,
}

/// Must hyper-transitions (X Def. 1) to a set.
pub(super) struct HyperTransitions {
    pub sources: ModalOperands,
    pub targets: ModalOperands,
}

/// Steps from a place of which every state makes one, which is known and changes nothing: a diamond and a box are
/// the same there.
pub(super) struct Choice {
    /// The guards and targets of all but the last.
    branches: Vec<(Bdd, u32)>,
    otherwise: u32,
}

impl Choice {
    /// If the steps are such.
    pub fn new(steps: &[Step], manager: &mut Manager) -> Result<Option<Self>, Stop> {
        let mut branches = Vec::new();
        let mut all = manager.constant(false);
        for step in steps {
            let Some(guard) = step.guard() else { return Ok(None) };
            if !manager.and(&all, guard)?.is_empty() {
                return Ok(None);
            }
            all = manager.or(&all, guard)?;
            branches.push((guard.clone(), step.target));
        }
        let last = branches.pop().filter(|_| all.is_full());
        Ok(last.map(|(_, otherwise)| Self { branches, otherwise }))
    }

    fn before(&self, body: &[Bdd], manager: &mut Manager) -> Result<Bdd, Stop> {
        let mut before = body[self.otherwise as usize].clone();
        for (guard, target) in &self.branches {
            before = manager.ite(guard, &body[*target as usize], &before)?;
        }
        Ok(before)
    }
}

/// Counters and events of reductions.
pub(super) struct ReductionCounter<'w> {
    pub watch: &'w mut dyn FnMut(Reduction),
    /// Steps of the kernel within reductions.
    pub steps: u64,
}

impl ReductionCounter<'_> {
    fn reduction<T>(
        &mut self,
        manager: &mut Manager,
        reduce: impl FnOnce(&mut Manager) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let before = manager.steps();
        (self.watch)(Reduction::Begins);
        let reduced = reduce(manager);
        (self.watch)(Reduction::Ends);
        self.steps += manager.steps() - before;
        reduced
    }
}

impl Step {
    /// Where it may and must be made, if it changes nothing and these are the same.
    fn guard(&self) -> Option<&Bdd> {
        let [view] = &self.projections[..] else { return None };
        let is_plain = view.next.is_empty() && self.hyper.is_empty();
        let is_known = view.relation.diamond == view.relation.square;
        (is_plain && is_known).then_some(&view.relation.diamond)
    }

    pub fn relations(&self) -> impl Iterator<Item = &Bdd> {
        let hyper = self.hyper.iter().flat_map(|leap| [&leap.sources, &leap.targets]);
        let full = self.projections.first().map(|view| &view.relation);
        full.into_iter().chain(hyper).map(|operands| &operands.diamond)
    }

    /// Where it leads to a value, which is already negated for a box.
    fn before(
        &self,
        value: &Bdd,
        modality: Modality,
        sel: BddVar,
        manager: &mut Manager,
        meter: &mut ReductionCounter,
    ) -> Result<Bdd, Stop> {
        if value.is_empty() {
            return Ok(value.clone());
        }
        let value = &self.reduced(value, modality, sel, manager)?;
        let sees = |view: &&ProjectedStep| manager.lies_below(value, sel, &view.ignored);
        let Some(view) = self.projections.iter().rev().find(sees) else { return Ok(value.clone()) };
        let relation = view.relation.of(modality);
        let mut before = match view.next.is_empty() {
            // There is nothing to rename and nothing to reduce.
            true => manager.and(relation, value)?,
            false => {
                let there = self.there(value, modality, sel, manager, meter)?;
                manager.and_exists(relation, &there, &view.next)?
            }
        };
        for leap in &self.hyper {
            let targets = leap.targets.of(modality);
            if meter.reduction(manager, |manager| manager.is_subset(targets, value))? {
                before = manager.or(&before, leap.sources.of(modality))?;
            }
        }
        Ok(before)
    }
}

impl Step {
    /// A value with RED's view of minterms that no state satisfies (X §4.2): γ = ∅ lies within every γ(U) and meets no
    /// γ(O). Of a box, whose value is negated, the complement of O is what must transitions lead to.
    fn reduced(
        &self,
        value: &Bdd,
        modality: Modality,
        sel: BddVar,
        manager: &mut Manager,
    ) -> Result<Bdd, Stop> {
        if self.impossible.is_empty() {
            return Ok(value.clone());
        }
        let for_must = manager.or(value, &self.impossible)?;
        let for_may = manager.minus(value, &self.impossible)?;
        match modality {
            Modality::Dia => manager.choose(sel, &for_must, &for_may),
            Modality::Box => manager.choose(sel, &for_may, &for_must),
        }
    }

    /// A value in the variables for targets, with the monomials in it that must transitions lead to.
    fn there(
        &self,
        value: &Bdd,
        modality: Modality,
        sel: BddVar,
        manager: &mut Manager,
        meter: &mut ReductionCounter,
    ) -> Result<Bdd, Stop> {
        let there = match self.renaming {
            Some(renaming) => manager.rename(value, renaming)?,
            None => value.clone(),
        };
        let Some(unknown) = &self.unknown else { return Ok(there) };
        // ABSREDU is for U, or for the complement of O under a box. If the other half is reduced along with it
        // that makes no difference: may transitions lead to minterms only.
        let side = (sel, modality == Modality::Dia);
        meter.reduction(manager, |manager| manager.reduce_where(&there, side, unknown))
    }
}

impl Mixed {
    /// The value of a modality at a place, from those of its body at all places.
    pub(super) fn step(
        &mut self,
        modality: Modality,
        place: u32,
        body: &[Bdd],
        opens: bool,
        meter: &mut ReductionCounter,
    ) -> Result<Bdd, Stop> {
        let Mixed { manager, locations, universe, sel, minterm_projection, .. } = self;
        let minterm_projection = minterm_projection.as_ref().filter(|_| opens);
        let place = &locations[place as usize];
        if let Some(choice) = &place.choice {
            return choice.before(body, manager);
        }
        let is_box = modality == Modality::Box;
        let mut before = manager.constant(false);
        for step in &place.steps {
            let there = &body[step.target as usize];
            let mut there = if is_box { there.not() } else { there.clone() };
            if let Some(minterm_projection) = minterm_projection {
                there = minterm_projection.open(&there, modality, *sel, manager)?;
            }
            let one = step.before(&there, modality, *sel, manager, meter)?;
            before = manager.or(&before, &one)?;
        }
        if is_box { manager.minus(universe, &before) } else { Ok(before) }
    }
}
