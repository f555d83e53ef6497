//! Assumptions on holes: what a program in the place of a hole does by itself, as a formula of CTL.
//!
//! The runs of a hole begin where it is entered and last until it has ended or has had a run-time error; then they stay
//! in that state. The formula becomes a tableau (Emerson and Clarke 1982): a *stage* is a set of formulas that a
//! state inside of the hole satisfies. In each of its *cases* a condition holds there, all successors satisfy some
//! formulas, and some successors satisfy more. Who satisfies the formula makes its steps from stage to stage, and in
//! each state one of the cases is the one that it is in.
//!
//! An until that a case *postpones* is one that is not fulfilled there. It is fulfilled after finitely many steps: on
//! all paths, or on one that begins with a step of its own.

use crate::cfg::program::HoleId;
use crate::{Binary, Exprs, NodeId};
use rustc_hash::FxHashSet;
use support::{IdVec, define_id};

define_id!(HoleFormulaId, "hf");
define_id!(StageId, "stage");

/// More stages or cases than this are not made.
const MOST: usize = 64;

/// A formula about a hole, in negation normal form.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HoleFormula {
    Condition(HoleCondition),
    And(HoleFormulaId, HoleFormulaId),
    Or(HoleFormulaId, HoleFormulaId),
    Next {
        is_all: bool,
        of: HoleFormulaId,
    },
    /// The first until the second.
    Until {
        is_all: bool,
        left: HoleFormulaId,
        goal: HoleFormulaId,
    },
    /// The second, until the first releases it.
    Release {
        is_all: bool,
        by: HoleFormulaId,
        kept: HoleFormulaId,
    },
}

/// A condition on the variables: while the hole runs, when it has ended, and when it has had a run-time error.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HoleCondition {
    pub inside: NodeId,
    pub exit: NodeId,
    pub error: NodeId,
}

/// An assumption on a hole. It applies where some case of the first stage allows the state in which the hole is
/// entered; entered elsewhere, the hole does anything.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumed {
    pub hole: HoleId,
    /// The first is that of the state in which it is entered.
    pub stages: IdVec<StageId, HoleStage>,
    /// Where it is entered as the first stage allows, and the negation of it.
    pub applies: NodeId,
    pub applies_not: NodeId,
}

/// The assumption on a state inside of the hole: one of the cases.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HoleStage {
    pub cases: Vec<StageCase>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StageCase {
    /// Holds in the state.
    pub guard: NodeId,
    /// All successors.
    pub all: StageStep,
    /// For each of these, some successor.
    pub some: Vec<StageStep>,
}

/// The assumption on the state after a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StageStep {
    /// If it is inside of the hole.
    pub to: StageId,
    /// Holds there: some case of the stage.
    pub inside: NodeId,
    /// Holds if the hole has ended.
    pub exit: NodeId,
    /// Holds if a run-time error has occurred.
    pub error: NodeId,
    /// The untils that are postponed.
    pub postponed: Vec<HoleFormulaId>,
}

/// There are more stages or cases than are supported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyStages;

impl Assumed {
    /// That the hole satisfies a formula, one of the given ones, from where it is entered. Operands stand before what is
    /// made of them.
    pub fn new(
        hole: HoleId,
        formulas: &IdVec<HoleFormulaId, HoleFormula>,
        root: HoleFormulaId,
        exprs: &mut Exprs,
    ) -> Result<Self, TooManyStages> {
        let (at_exit, at_error) = (
            at_the_end(formulas, exprs, |own| own.exit),
            at_the_end(formulas, exprs, |own| own.error),
        );
        let (sets, stages) = Default::default();
        let mut tableau = Tableau { formulas, exprs, at_exit, at_error, sets, stages };
        tableau.stage(vec![root])?;
        let mut next = 0;
        while let Some(set) = tableau.sets.get(next).cloned() {
            let cases = tableau.cases(set)?;
            tableau.stages.push(cases);
            next += 1;
        }
        let guards: Vec<NodeId> =
            tableau.stages.iter().map(|cases| one_of(tableau.exprs, cases)).collect();
        let step = |tableau: &mut Tableau, open: &Successors| tableau.step(open, &guards);
        let mut stages = IdVec::new();
        for cases in tableau.stages.clone() {
            let cases = cases.iter().map(|case| StageCase {
                guard: case.guard,
                all: step(&mut tableau, &case.all),
                some: case.some.iter().map(|open| step(&mut tableau, open)).collect(),
            });
            stages.push(HoleStage { cases: cases.collect() });
        }
        let applies = guards[0];
        let applies_not = tableau.exprs.not(applies);
        Ok(Self { hole, stages, applies, applies_not })
    }
}

/// Some of the cases.
fn one_of(exprs: &mut Exprs, cases: &[OpenCase]) -> NodeId {
    let guards = cases.iter().map(|case| case.guard).collect();
    exprs.join(Binary::Or, guards)
}

/// Formulas, sorted.
type Set = Vec<HoleFormulaId>;

struct Tableau<'t> {
    formulas: &'t IdVec<HoleFormulaId, HoleFormula>,
    exprs: &'t mut Exprs,
    /// Where each formula holds when the hole has ended, and when it has had a run-time error.
    at_exit: Vec<NodeId>,
    at_error: Vec<NodeId>,
    /// By stage.
    sets: Vec<Set>,
    stages: Vec<Vec<OpenCase>>,
}

#[derive(Clone)]
struct OpenCase {
    guard: NodeId,
    all: Successors,
    some: Vec<Successors>,
}

/// The obligations of successors.
#[derive(Clone)]
struct Successors {
    stage: StageId,
    postponed: Vec<HoleFormulaId>,
}

/// A case whose formulas are being taken apart.
#[derive(Clone)]
struct Branch {
    guard: NodeId,
    /// To be taken apart, and what was.
    open: Vec<HoleFormulaId>,
    done: Set,
    /// Of all successors, and of some for each; with the until that is postponed.
    all: Vec<(HoleFormulaId, bool)>,
    some: Vec<(HoleFormulaId, bool)>,
}

impl Tableau<'_> {
    fn stage(&mut self, mut open: Set) -> Result<StageId, TooManyStages> {
        let (mut set, mut seen) = (Set::new(), FxHashSet::default());
        while let Some(formula) = open.pop() {
            match self.formulas[formula] {
                _ if !seen.insert(formula) => {}
                HoleFormula::And(a, b) => open.extend([a, b]),
                _ => set.push(formula),
            }
        }
        set.sort_unstable();
        let known = self.sets.iter().position(|other| *other == set);
        let stage = known.unwrap_or(self.sets.len());
        if known.is_none() {
            self.sets.push(set);
        }
        if self.sets.len() > MOST { Err(TooManyStages) } else { Ok(StageId(stage as u32)) }
    }

    fn cases(&mut self, set: Set) -> Result<Vec<OpenCase>, TooManyStages> {
        let guard = self.exprs.bool(true);
        let (done, all, some) = (Vec::new(), Vec::new(), Vec::new());
        let mut open = vec![Branch { guard, open: set, done, all, some }];
        let mut cases = Vec::new();
        while let Some(mut branch) = open.pop() {
            if self.exprs.as_constant(branch.guard) == Some(0) {
                continue;
            }
            if open.len() + cases.len() > MOST {
                return Err(TooManyStages);
            }
            match branch.open.pop() {
                Some(formula) if branch.done.contains(&formula) => open.push(branch),
                Some(formula) => {
                    branch.done.push(formula);
                    open.extend(self.taken_apart(branch, formula));
                }
                None => cases.push(self.case(branch)?),
            }
        }
        Ok(cases)
    }

    /// The obligations that are left, of which one is enough.
    fn taken_apart(&mut self, branch: Branch, formula: HoleFormulaId) -> Vec<Branch> {
        let with = |now: &[HoleFormulaId], later: Option<(bool, HoleFormulaId, bool)>| {
            let mut branch = branch.clone();
            branch.open.extend(now);
            match later {
                Some((true, later, postpones)) => branch.all.push((later, postpones)),
                Some((false, later, postpones)) => branch.some.push((later, postpones)),
                None => {}
            }
            branch
        };
        match self.formulas[formula] {
            HoleFormula::Condition(condition) => {
                let guard = self.exprs.and(branch.guard, condition.inside);
                vec![Branch { guard, ..branch }]
            }
            HoleFormula::And(a, b) => vec![with(&[a, b], None)],
            HoleFormula::Or(a, b) => vec![with(&[a], None), with(&[b], None)],
            HoleFormula::Next { is_all, of } => vec![with(&[], Some((is_all, of, false)))],
            HoleFormula::Until { is_all, left, goal } => {
                vec![with(&[goal], None), with(&[left], Some((is_all, formula, true)))]
            }
            HoleFormula::Release { is_all, by, kept } => {
                vec![with(&[by, kept], None), with(&[kept], Some((is_all, formula, false)))]
            }
        }
    }

    fn case(&mut self, branch: Branch) -> Result<OpenCase, TooManyStages> {
        let set: Set = branch.all.iter().map(|&(formula, _)| formula).collect();
        let postponed: Vec<HoleFormulaId> =
            branch.all.iter().filter(|one| one.1).map(|one| one.0).collect();
        let all = Successors { stage: self.stage(set.clone())?, postponed: postponed.clone() };
        let mut some = Vec::new();
        for (formula, postpones) in branch.some {
            let stage = self.stage([&set[..], &[formula]].concat())?;
            let own = postpones.then_some(formula);
            let postponed = postponed.iter().copied().chain(own).collect();
            some.push(Successors { stage, postponed });
        }
        Ok(OpenCase { guard: branch.guard, all, some })
    }

    fn step(&mut self, open: &Successors, guards: &[NodeId]) -> StageStep {
        let Successors { stage, postponed } = open.clone();
        let set = self.sets[stage.0 as usize].clone();
        let of = |known: &[NodeId]| set.iter().map(|formula| known[formula.0 as usize]).collect();
        let exit = self.exprs.join(Binary::And, of(&self.at_exit));
        let error = self.exprs.join(Binary::And, of(&self.at_error));
        StageStep { to: stage, inside: guards[stage.0 as usize], exit, error, postponed }
    }
}

/// The formulas in a state that is its own only successor.
fn at_the_end(
    formulas: &IdVec<HoleFormulaId, HoleFormula>,
    exprs: &mut Exprs,
    status: fn(&HoleCondition) -> NodeId,
) -> Vec<NodeId> {
    let mut known: Vec<NodeId> = Vec::new();
    for formula in formulas.values() {
        let of = |id: HoleFormulaId| known[id.0 as usize];
        let node = match *formula {
            HoleFormula::Condition(condition) => status(&condition),
            HoleFormula::And(a, b) => exprs.and(of(a), of(b)),
            HoleFormula::Or(a, b) => exprs.or(of(a), of(b)),
            HoleFormula::Next { of: next, .. } => of(next),
            HoleFormula::Until { goal, .. } => of(goal),
            HoleFormula::Release { kept, .. } => of(kept),
        };
        known.push(node);
    }
    known
}
