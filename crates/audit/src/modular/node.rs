//! The truth of formulas at the entry of a node, model checked by itself under what is known of its exits (M Def.
//! 2.5).

use super::data::Data;
use bdd::{Bdd, Stop};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use transition::cfg::{
    Bound, Cfg, CfgTarget, Closure, CtlAtom, CtlNode, FormulaId, Location, LocationId, Operator,
    Temporal, TemporalId,
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
                    column[location.0 as usize] = self.next(&temporal, location, &there)?;
                }
            }
            Operator::Until(left, goal) => {
                let (left, goal) = (self.formula(left)?, self.formula(goal)?);
                self.until(&temporal, &left, &goal, &mut column)?;
            }
        }
        Ok(column)
    }

    /// From where a step leads there, or all do. The edges of a hole are may edges: a lower bound needs all of them, an
    /// upper bound one.
    fn next(&mut self, temporal: &Temporal, id: LocationId, there: &Column) -> Result<Bdd, Stop> {
        let location = &self.cfg.locations[id];
        let is_all = match location.in_hole {
            Some(_) => temporal.bound == Bound::Certain,
            None => temporal.is_all,
        };
        let (inside, error) = (self.inside(), self.error());
        self.data.before(&location.edges, is_all, |to| match to {
            CfgTarget::Inside(location) => &there[location.0 as usize],
            CfgTarget::Exit(number) => &there[inside + number as usize],
            CfgTarget::Error => &there[error],
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
            let in_hole = &self.cfg.locations[id].in_hole;
            let ends = in_hole.as_ref().is_some_and(|in_hole| in_hole.ends);
            let lasts = ends && temporal.bound == Bound::Certain;
            if lasts {
                column[at] = self.data.all.clone();
            }
            // Who is sure to leave does not go round for ever: the greatest set that the location keeps by itself.
            loop {
                let again = self.next(temporal, id, column)?;
                let on_left = self.data.manager.and(&left[at], &again)?;
                let new = self.data.manager.or(&goal[at], &on_left)?;
                let is_stable = std::mem::replace(&mut column[at], new) == column[at];
                if is_stable || !lasts {
                    break;
                }
            }
            if column[at] != old {
                open.extend(&sources[id]);
            }
        }
        Ok(())
    }
}
