//! A plan as code: the guard, and for each trial the expressions to compute, the constraints to check and the fields of
//! the state to store.

use super::fault::RuntimeErrorKind;
use super::layout::{PackedField, PackedLayout};
use super::pick::{Pick, PickId, Picks};
use super::plan::{Decision, Plan, Source, as_next};
use super::tape::{Instruction, Slot, Values};
use crate::choice::{Choice, ChoiceId};
use crate::expr::{Binary, ExprNode, NodeId, Type, Unary};
use crate::parts::{Machine, VarId, VarKind};
use rustc_hash::FxHashMap;
use std::ops::Range;
use support::{IdVec, Span};

/// The candidates of a trial.
#[derive(Clone, Debug)]
pub(super) enum Pool {
    Choice(PickId),
    /// So many values, by their numbers.
    Domain(u64),
}

#[derive(Clone, Debug)]
pub(super) struct Trial {
    pub var: VarId,
    pub slot: Slot,
    pub pool: Pool,
}

/// The treatment of a value out of range.
#[derive(Clone, Copy, Debug)]
pub(super) enum RangeTreatment {
    NoState,
    Error(Span),
}

/// A part of the state that is known.
#[derive(Clone, Debug)]
pub(super) struct Output {
    pub field: PackedField,
    pub slot: Slot,
    pub treatment: RangeTreatment,
}

impl Output {
    pub fn wrong(&self, span: Span, value: i64) -> RuntimeErrorKind {
        RuntimeErrorKind::Range { var: self.field.var, value, span }
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Level {
    /// `None` on level 0.
    pub trial: Option<Trial>,
    pub code: Range<usize>,
    /// The constraints to check.
    pub checks: Vec<Slot>,
    pub outputs: Vec<Output>,
    /// Whether an assignment can fail here.
    pub is_risk: bool,
}

/// A condition on the state that a step is made from, evaluated with short circuits.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    /// The variables that it reads.
    pub inputs: Vec<(PackedField, Slot)>,
    pub code: Vec<Instruction>,
    pub constraints: Slot,
}

pub(super) struct Program {
    /// If it is false, nothing else is evaluated. There is none where an assignment can fail: its run-time error counts
    /// even where constraints are false.
    pub guard: Option<Guard>,
    /// The slot of the expression whose value is given from outside.
    pub given: Option<Slot>,
    pub levels: Vec<Level>,
    pub code: Vec<Instruction>,
    /// The values to begin with: constants are in place.
    pub initial: Vec<i64>,
    /// Where the variables of this state go to, but for those that the guard reads.
    pub inputs: Vec<(PackedField, Slot)>,
    /// The choices that trials go through.
    pub picks: Picks,
    /// The last level on which an assignment can fail.
    pub last_risk: usize,
}

impl Program {
    pub fn new(
        machine: &Machine,
        layout: &PackedLayout,
        plan: &Plan,
        given: Option<NodeId>,
    ) -> Self {
        let mut compiler = Compiler::new(machine, layout, plan);
        let given = given.map(|node| compiler.given(node));
        let guard = compiler.guard();
        for (level, part) in plan_levels(plan).into_iter().enumerate() {
            compiler.level(level as u32, &plan.decisions[part]);
        }
        let inputs = compiler.new_inputs();
        let Compiler { levels, code, initial, picks, .. } = compiler;
        let last_risk = plan.last_risk as usize;
        Program { guard, given, levels, code, initial, inputs, picks, last_risk }
    }
}

/// Expressions about one state, evaluated with short circuits.
pub(super) struct Formulas {
    pub given: Option<Slot>,
    pub inputs: Vec<(PackedField, Slot)>,
    pub code: Vec<Instruction>,
    pub values: Values,
    /// The slots of the expressions.
    pub slots: Vec<Slot>,
}

impl Formulas {
    pub fn new(
        machine: &Machine,
        layout: &PackedLayout,
        nodes: &[NodeId],
        given: Option<NodeId>,
    ) -> Self {
        let plan = Plan::default();
        let mut compiler = Compiler::new(machine, layout, &plan);
        let given = given.map(|node| compiler.given(node));
        let slots = nodes.iter().map(|&node| compiler.lazily(node, 0)).collect();
        let inputs = compiler.new_inputs();
        let Compiler { code, initial, .. } = compiler;
        Self { given, inputs, code, values: Values::new(initial), slots }
    }
}

/// The decisions of each level.
fn plan_levels(plan: &Plan) -> Vec<Range<usize>> {
    (0..=plan.levels)
        .map(|level| {
            let start = plan.decisions.partition_point(|decision| decision.level < level);
            start..plan.decisions.partition_point(|decision| decision.level <= level)
        })
        .collect()
}

struct Compiler<'m> {
    machine: &'m Machine,
    layout: &'m PackedLayout,
    /// From which level on an expression is known.
    known: Vec<u32>,
    /// By variable, the expression that its next value is computed from.
    computed: IdVec<VarId, Option<NodeId>>,
    levels: Vec<Level>,
    code: Vec<Instruction>,
    initial: Vec<i64>,
    picks: Picks,
    slots: FxHashMap<NodeId, Slot>,
    /// The expressions with slots, in the order in which they got them.
    defined: Vec<NodeId>,
    /// The slots of variables of this state.
    now: FxHashMap<VarId, Slot>,
    /// The variables of this state that are new since they were asked for.
    new_inputs: Vec<VarId>,
    /// The slots of variables that are tried.
    tried: FxHashMap<VarId, Slot>,
    spans: FxHashMap<VarId, Span>,
    /// The conjuncts of the guard.
    guard: Vec<NodeId>,
    /// The other conditions that are not looked at yet.
    checks: Vec<NodeId>,
    /// All expressions that are needed and not computed yet.
    needed: Vec<NodeId>,
}

impl<'m> Compiler<'m> {
    fn new(machine: &'m Machine, layout: &'m PackedLayout, plan: &'m Plan) -> Self {
        let mut computed: IdVec<VarId, Option<NodeId>> =
            machine.vars.iter().map(|_| None).collect();
        let known = known_from(machine, plan);
        let (guard, checks) = split_guard(machine, plan, &known);
        let mut roots = checks.clone();
        for decision in &plan.decisions {
            match decision.source {
                Source::Assigned(node) | Source::Determined(node) => {
                    computed[decision.var] = Some(node);
                    roots.extend((!is_kept(machine, decision)).then_some(node));
                }
                Source::Choice(choice) => roots.extend(machine.choices.nodes(choice)),
                Source::Free => {}
            }
        }
        Self {
            machine,
            layout,
            known,
            computed,
            levels: Vec::new(),
            code: Vec::new(),
            // The first slot is for operands that there are not.
            initial: vec![0],
            picks: Picks::default(),
            slots: FxHashMap::default(),
            defined: Vec::new(),
            now: FxHashMap::default(),
            new_inputs: Vec::new(),
            tried: FxHashMap::default(),
            spans: machine.assigns.iter().map(|assign| (assign.var, assign.span)).collect(),
            guard,
            checks,
            needed: machine.exprs.below(roots),
        }
    }

    fn level(&mut self, level: u32, decisions: &[Decision]) {
        let start = self.levels.last().map_or(0, |level| level.code.end);
        let mut built = Level::default();
        let machine = self.machine;
        for decision in decisions.iter().filter(|decision| !is_kept(machine, decision)) {
            let var = decision.var;
            let (slot, treatment) = match decision.source {
                Source::Assigned(node) => (self.slot(node), RangeTreatment::Error(self.span(var))),
                Source::Determined(node) => (self.slot(node), RangeTreatment::NoState),
                Source::Choice(choice) => {
                    let pool = Pool::Choice(self.pick(choice));
                    (self.trial(&mut built, var, pool), RangeTreatment::Error(self.span(var)))
                }
                Source::Free => {
                    let size = self.machine.vars[var].domain.size();
                    let pool = Pool::Domain(u64::try_from(size).unwrap_or(u64::MAX));
                    (self.trial(&mut built, var, pool), RangeTreatment::NoState)
                }
            };
            built.is_risk |= decision.is_risk(machine);
            let field = self.layout.fields.iter().find(|field| field.var == var);
            built.outputs.extend(field.map(|field| Output {
                field: field.clone(),
                slot,
                treatment,
            }));
        }
        let known = |node: &mut NodeId| self.known[node.0 as usize] <= level;
        let checks: Vec<NodeId> = self.checks.extract_if(.., known).collect();
        // Also what only later levels ask for: it need not be computed for every trial there.
        let needed: Vec<NodeId> = self.needed.extract_if(.., known).collect();
        built.checks = checks.into_iter().map(|check| self.slot(check)).collect();
        for node in needed {
            self.slot(node);
        }
        built.code = start..self.code.len();
        self.levels.push(built);
    }

    fn define(&mut self, id: NodeId, slot: Slot) {
        self.slots.insert(id, slot);
        self.defined.push(id);
    }

    fn given(&mut self, node: NodeId) -> Slot {
        let slot = self.new_slot(0);
        self.define(node, slot);
        slot
    }

    /// The variables of this state that have been read since the last time, with their slots.
    fn new_inputs(&mut self) -> Vec<(PackedField, Slot)> {
        let fields = self.layout.fields.iter().filter(|field| self.new_inputs.contains(&field.var));
        let inputs = fields.map(|field| (field.clone(), self.now[&field.var])).collect();
        self.new_inputs.clear();
        inputs
    }

    /// The guard, before all other code.
    fn guard(&mut self) -> Option<Guard> {
        let conjuncts = std::mem::take(&mut self.guard);
        let constraints = self.chain(*conjuncts.first()?, &conjuncts, true, 0);
        Some(Guard { inputs: self.new_inputs(), code: std::mem::take(&mut self.code), constraints })
    }

    /// The slot of an expression, with code that skips what does not matter.
    fn lazily(&mut self, id: NodeId, depth: usize) -> Slot {
        if let Some(&slot) = self.slots.get(&id) {
            return slot;
        }
        let exprs = &self.machine.exprs;
        if exprs.can_fault(id) || exprs.ty(id) != Type::Bool || depth > MOST_DEPTH {
            return self.slot(id);
        }
        let slot = match exprs.node(id) {
            ExprNode::Binary(op @ (Binary::And | Binary::Or), ..) => {
                let operands = exprs.operands_of_chain(id, op);
                self.chain(id, &operands, op == Binary::And, depth)
            }
            ExprNode::Unary(Unary::Not, operand) => {
                let from = self.lazily(operand, depth + 1);
                let into = self.new_slot(0);
                self.code.push(Instruction::new(&self.machine.exprs, id, into, [from, 0, 0]));
                into
            }
            _ => return self.slot(id),
        };
        self.define(id, slot);
        slot
    }

    /// The slot of a conjunction or a disjunction of these.
    fn chain(&mut self, id: NodeId, operands: &[NodeId], is_and: bool, depth: usize) -> Slot {
        let into = self.new_slot(0);
        let (mut jumps, mut certain) = (Vec::new(), self.defined.len());
        for (index, &operand) in operands.iter().enumerate() {
            let from = self.lazily(operand, depth + 1);
            if index == 0 {
                certain = self.defined.len();
            }
            if index + 1 < operands.len() {
                jumps.push(self.code.len());
                self.code.push(Instruction::short_circuit(id, is_and, into, from));
            } else {
                self.code.push(Instruction::copy(id, into, from));
            }
        }
        for jump in jumps {
            let target = self.code.len();
            self.code[jump].set_target(target);
        }
        // Behind the first operand all code may be skipped.
        for id in self.defined.split_off(certain) {
            match self.machine.exprs.node(id) {
                ExprNode::Const(_) | ExprNode::Now(_) => self.defined.push(id),
                _ => {
                    self.slots.remove(&id);
                }
            }
        }
        into
    }

    fn span(&self, var: VarId) -> Span {
        self.spans.get(&var).copied().unwrap_or(self.machine.vars[var].span)
    }

    fn trial(&mut self, level: &mut Level, var: VarId, pool: Pool) -> Slot {
        let slot = self.new_slot(0);
        self.tried.insert(var, slot);
        level.trial = Some(Trial { var, slot, pool });
        slot
    }

    fn new_slot(&mut self, value: i64) -> Slot {
        self.initial.push(value);
        self.initial.len() as Slot - 1
    }

    fn pick(&mut self, root: ChoiceId) -> PickId {
        let mut done: FxHashMap<ChoiceId, PickId> = FxHashMap::default();
        for id in self.machine.choices.below(root) {
            let pick = match self.machine.choices.get(id) {
                Choice::One(node) => Pick::One(self.slots[node]),
                Choice::Range(low, high) => Pick::Range(*low, *high),
                Choice::Any(parts) => Pick::Any(parts.iter().map(|part| done[part]).collect()),
                Choice::If(condition, then, otherwise) => {
                    Pick::If(self.slots[condition], done[then], done[otherwise])
                }
            };
            done.insert(id, self.picks.add(pick));
        }
        done[&root]
    }

    /// The slot of an expression, with the code that fills it if there is none yet.
    fn slot(&mut self, root: NodeId) -> Slot {
        let mut open = vec![(root, false)];
        while let Some((id, operands_done)) = open.pop() {
            if self.slots.contains_key(&id) {
                continue;
            }
            let node = self.machine.exprs.node(id);
            let alias = as_next(node).and_then(|var| self.computed[var]);
            if operands_done {
                let slot = match alias {
                    Some(value) => self.slots[&value],
                    None => self.emit(id, node),
                };
                self.define(id, slot);
                continue;
            }
            open.push((id, true));
            match alias {
                Some(value) => open.push((value, false)),
                None => open.extend(node.operands().map(|operand| (operand, false))),
            }
        }
        self.slots[&root]
    }

    fn emit(&mut self, id: NodeId, node: ExprNode) -> Slot {
        match node {
            ExprNode::Const(value) => self.new_slot(value),
            ExprNode::Next(var) => self.tried[&var],
            ExprNode::Now(var) => {
                if self.machine.vars[var].kind == VarKind::Input {
                    return self.tried[&var];
                }
                let slot = self.new_slot(0);
                self.now.insert(var, slot);
                self.new_inputs.push(var);
                slot
            }
            _ => {
                let into = self.new_slot(0);
                let mut from = [0; 3];
                for (place, operand) in from.iter_mut().zip(node.operands()) {
                    *place = self.slots[&operand];
                }
                self.code.push(Instruction::new(&self.machine.exprs, id, into, from));
                into
            }
        }
    }
}

/// Expressions that are nested more deeply than this are evaluated without short circuits.
const MOST_DEPTH: usize = 50;

/// The conjuncts of the guard, and the conditions that are not in it.
fn split_guard(machine: &Machine, plan: &Plan, known: &[u32]) -> (Vec<NodeId>, Vec<NodeId>) {
    let exprs = &machine.exprs;
    let mut checks = plan.checks.clone();
    if !plan.is_guarded(machine) {
        return (Vec::new(), checks);
    }
    checks.retain(|&check| exprs.as_constant(check) != Some(1));
    let is_first = |check: &mut NodeId| known[check.0 as usize] == 0 && !exprs.can_fault(*check);
    let first: Vec<NodeId> = checks.extract_if(.., is_first).collect();
    (first.into_iter().flat_map(|check| exprs.conjuncts(check)).collect(), checks)
}

/// Whether a variable stays what it is: the search begins with the state that the step is made from.
fn is_kept(machine: &Machine, decision: &Decision) -> bool {
    match decision.source {
        Source::Assigned(node) | Source::Determined(node) => {
            machine.exprs.node(node) == ExprNode::Now(decision.var)
        }
        Source::Choice(_) | Source::Free => false,
    }
}

/// From which level on each expression is known; never, if it reads what is not decided.
fn known_from(machine: &Machine, plan: &Plan) -> Vec<u32> {
    let mut decided: FxHashMap<VarId, u32> = FxHashMap::default();
    decided.extend(plan.decisions.iter().map(|decision| (decision.var, decision.level)));
    let level_of = |var: VarId| decided.get(&var).copied().unwrap_or(u32::MAX);
    let mut known: Vec<u32> = Vec::with_capacity(machine.exprs.len());
    for id in (0..machine.exprs.len() as u32).map(NodeId) {
        known.push(match machine.exprs.node(id) {
            ExprNode::Next(var) => level_of(var),
            ExprNode::Now(var) if machine.vars[var].kind == VarKind::Input => level_of(var),
            node => node.operands().map(|operand| known[operand.0 as usize]).max().unwrap_or(0),
        });
    }
    known
}
