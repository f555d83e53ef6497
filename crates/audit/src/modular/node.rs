//! The truth of formulas at the entry of a node, model checked by itself under what is known of its exits (M Def.
//! 2.5).

use super::data::Data;
use bdd::{Bdd, Stop};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use transition::cfg::{
    Bound, Cfg, CfgEdge, CfgTarget, Closure, CtlAtom, CtlNode, FormulaId, HoleFormulaId,
    HoleLocation, Location, LocationId, Operator, Temporal, TemporalId,
};

/// The successor by an exit: its location, and by temporal formula the valuations with which it holds there.
pub(crate) type Exit<'a> = (&'a Location, &'a [Bdd]);

/// A formula wherever a node has to know it: at each of its locations, behind each exit, and in `error`.
type Column = Vec<Bdd>;

pub(crate) struct Node<'a> {
    data: &'a mut Data,
    closure: &'a Closure,
    cfg: &'a Cfg,
    exits: &'a [Exit<'a>],
    formulas: FxHashMap<FormulaId, Column>,
    temporals: FxHashMap<TemporalId, Column>,
}

impl<'a> Node<'a> {
    pub fn new(
        data: &'a mut Data,
        closure: &'a Closure,
        cfg: &'a Cfg,
        exits: &'a [Exit<'a>],
    ) -> Self {
        let (formulas, temporals) = Default::default();
        Self { data, closure, cfg, exits, formulas, temporals }
    }

    /// The temporal formulas of a level at the entry, in their order. What is known of those below has to be all.
    pub fn at_entry(mut self, level: usize) -> Result<Vec<Bdd>, Stop> {
        self.compute(level)?;
        let entry = self.cfg.entry.0 as usize;
        let asked = self.closure.levels[level].iter();
        Ok(asked.map(|id| self.temporals[id][entry].clone()).collect())
    }

    /// A formula at the entry, when all is known.
    pub fn formula_at_entry(mut self, root: FormulaId) -> Result<Bdd, Stop> {
        self.compute(self.closure.levels.len())?;
        Ok(self.formula(root)?[self.cfg.entry.0 as usize].clone())
    }

    fn compute(&mut self, level: usize) -> Result<(), Stop> {
        for id in self.closure.up_to(level) {
            let column = self.temporal(id)?;
            self.temporals.insert(id, column);
        }
        Ok(())
    }

    fn inside(&self) -> usize {
        self.cfg.locations.len()
    }

    fn error(&self) -> usize {
        self.inside() + self.exits.len()
    }

    /// Makes sure that a formula is there, whose temporal parts are.
    fn formula(&mut self, root: FormulaId) -> Result<Column, Stop> {
        for part in self.closure.parts(root) {
            if !self.formulas.contains_key(&part) {
                let column = self.truth_function(part)?;
                self.formulas.insert(part, column);
            }
        }
        Ok(self.formulas[&root].clone())
    }

    fn truth_function(&mut self, id: FormulaId) -> Result<Column, Stop> {
        match self.closure.formulas[id] {
            CtlNode::True => Ok(vec![self.data.all.clone(); self.error() + 1]),
            CtlNode::Atom(atom, bound) => self.atom(self.closure.atoms[atom], bound),
            CtlNode::Not(a) => self.formulas[&a].iter().map(|set| self.data.not(set)).collect(),
            CtlNode::Or(a, b) => {
                let both = self.formulas[&a].iter().zip(&self.formulas[&b]);
                both.map(|(a, b)| self.data.manager.or(a, b)).collect()
            }
            CtlNode::Temporal(id) => Ok(self.temporals[&id].clone()),
        }
    }

    fn atom(&mut self, atom: CtlAtom, bound: Bound) -> Result<Column, Stop> {
        if let CtlAtom::Holds(node) = atom {
            return Ok(vec![self.data.holds(node)?; self.error() + 1]);
        }
        let is_true = |location: Option<&Location>| match (atom, location) {
            (CtlAtom::At(label), Some(location)) => {
                let uncertain_labels = location.in_hole.iter().flat_map(|in_hole| &in_hole.labels);
                let is_uncertain =
                    bound == Bound::Maybe && uncertain_labels.into_iter().any(|l| *l == label);
                location.labels.contains(&label) || is_uncertain
            }
            (atom, location) => atom == CtlAtom::Error && location.is_none(),
        };
        let behind = self.exits.iter().map(|exit| exit.0);
        let locations = self.cfg.locations.values().chain(behind).map(Some).chain([None]);
        let set =
            |value| if value { self.data.all.clone() } else { self.data.manager.constant(false) };
        Ok(locations.map(|location| set(is_true(location))).collect())
    }

    fn temporal(&mut self, id: TemporalId) -> Result<Column, Stop> {
        let temporal = self.closure.temporals[id];
        let mut column = match temporal.operator {
            Operator::Next(operand) => self.formula(operand)?,
            Operator::Until(_, goal) => self.formula(goal)?,
        };
        // In `error` nothing else ever happens: there a formula is what it speaks of.
        for (number, exit) in self.exits.iter().enumerate() {
            column[self.inside() + number] = exit.1[id.0 as usize].clone();
        }
        match temporal.operator {
            Operator::Next(operand) => {
                let there = self.formula(operand)?;
                for location in self.cfg.locations.ids() {
                    column[location.0 as usize] = self.next(&temporal, location, &there, None)?;
                }
            }
            Operator::Until(left, goal) => {
                let (left, goal) = (self.formula(left)?, self.formula(goal)?);
                self.until(&temporal, &left, &goal, &mut column)?;
            }
        }
        Ok(column)
    }

    /// From where a step leads there, or all do. `kept` is the set that steps stay in which postpone an until.
    fn next(
        &mut self,
        temporal: &Temporal,
        id: LocationId,
        there: &Column,
        kept: Option<(HoleFormulaId, &Bdd)>,
    ) -> Result<Bdd, Stop> {
        let cfg = self.cfg;
        let Location { edges, in_hole, .. } = &cfg.locations[id];
        let Some(in_hole) = in_hole else {
            return self.led(edges, temporal.is_all, there, None);
        };
        let is_certain = temporal.bound == Bound::Certain;
        let mut all =
            if is_certain { self.data.all.clone() } else { self.data.manager.constant(false) };
        for case in &in_hole.cases {
            let guard = match case.guard {
                Some(guard) => self.data.holds(guard)?,
                None => self.data.all.clone(),
            };
            let mut groups: Vec<Bdd> = Vec::new();
            for group in &case.groups {
                let kept = kept.filter(|(until, _)| group.postponed.contains(until));
                let kept = kept.map(|(_, set)| (id, set));
                groups.push(self.led(&edges[group.edges.clone()], is_certain, there, kept)?);
            }
            let good = self.in_case(temporal, &groups)?;
            all = match is_certain {
                true => {
                    let lost = self.data.manager.minus(&guard, &good)?;
                    self.data.manager.minus(&all, &lost)?
                }
                false => {
                    let good = self.data.manager.and(&guard, &good)?;
                    self.data.manager.or(&all, &good)?
                }
            };
        }
        Ok(all)
    }

    /// The sure or possible valuations in a case of a location in a hole: from where all edges of each group lead there, or
    /// some for what may be. The first group has all steps, and of each group one is made.
    fn in_case(&mut self, temporal: &Temporal, groups: &[Bdd]) -> Result<Bdd, Stop> {
        let first = groups[0].clone();
        match (temporal.is_all, temporal.bound) {
            (true, Bound::Certain) | (false, Bound::Maybe) => Ok(first),
            (false, Bound::Certain) => {
                groups.iter().try_fold(first, |any, group| self.data.manager.or(&any, group))
            }
            (true, Bound::Maybe) => {
                groups.iter().try_fold(first, |all, group| self.data.manager.and(&all, group))
            }
        }
    }

    /// From where some of these edges lead there, or all do; back to a location, into a set of its own.
    fn led<'s>(
        &mut self,
        edges: &[CfgEdge],
        is_all: bool,
        there: &'s Column,
        kept: Option<(LocationId, &'s Bdd)>,
    ) -> Result<Bdd, Stop> {
        let (inside, error) = (self.inside(), self.error());
        self.data.before(edges, is_all, |to| match (to, kept) {
            (CfgTarget::Inside(location), Some((own, set))) if location == own => set,
            (CfgTarget::Inside(location), _) => &there[location.0 as usize],
            (CfgTarget::Exit(number), _) => &there[inside + number as usize],
            (CfgTarget::Error, _) => &there[error],
        })
    }

    /// The least sets inside, for those at the exits and in `error`.
    fn until(
        &mut self,
        temporal: &Temporal,
        left: &Column,
        goal: &Column,
        column: &mut Column,
    ) -> Result<(), Stop> {
        let inside = self.inside();
        column[..inside].fill(self.data.manager.constant(false));
        let sources = self.cfg.sources();
        let mut open: BTreeSet<LocationId> = self.cfg.locations.ids().collect();
        while let Some(id) = open.pop_first() {
            let at = id.0 as usize;
            let old = column[at].clone();
            let again = self.next(temporal, id, column, None)?;
            let mut new = self.on_the_way(&left[at], &goal[at], &again)?;
            let in_hole = self.cfg.locations[id].in_hole.as_ref();
            let in_hole = in_hole.filter(|_| temporal.bound == Bound::Certain);
            // What is postponed only finitely often: the greatest set that these steps stay in.
            for until in in_hole.map(HoleLocation::postponed).unwrap_or_default() {
                let mut kept = self.data.all.clone();
                loop {
                    let again = self.next(temporal, id, column, Some((until, &kept)))?;
                    let smaller = self.on_the_way(&left[at], &goal[at], &again)?;
                    if std::mem::replace(&mut kept, smaller) == kept {
                        break;
                    }
                }
                new = self.data.manager.or(&new, &kept)?;
            }
            column[at] = new;
            if column[at] != old {
                open.extend(&sources[id]);
            }
        }
        Ok(())
    }

    /// The goal, or the way and what comes next.
    fn on_the_way(&mut self, left: &Bdd, goal: &Bdd, next: &Bdd) -> Result<Bdd, Stop> {
        let on_left = self.data.manager.and(left, next)?;
        self.data.manager.or(goal, &on_left)
    }
}
