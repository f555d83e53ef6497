//! Random programs against an evaluator that shares nothing with the stepper, with the translation of CTL
//! or with the games: all values are tried, and formulas are looked up on the paths themselves.

use crate::generate::program;
use crate::support::{compact, fair_states, read, verdicts};
use logic::{Expr, ExprId, Logic, PathOp, Quantifier, StateOp, Surface, Truth};
use std::cell::Cell;
use testkit::SmvDocument;
use testkit::for_seeds;
use transition::{Choice, ChoiceId, ExprNode, Machine, NodeId, Role, Section, VarId, VarKind};

/// Pairs of states and inputs that are tried.
const MOST_TRIALS: usize = 30_000;

type Set = Vec<bool>;
type Values = Vec<i64>;

/// Values now, of inputs and in the next state, by variable.
struct StatePair<'a> {
    now: &'a Values,
    next: &'a Values,
}

impl StatePair<'_> {
    fn value(&self, machine: &Machine, node: NodeId) -> i64 {
        let leaf = |leaf| match leaf {
            ExprNode::Now(var) => self.now[var.0 as usize],
            ExprNode::Next(var) => self.next[var.0 as usize],
            _ => unreachable!("no leaf"),
        };
        machine.exprs.evaluate(node, leaf).expect("programs are guarded")
    }

    fn may_be(&self, machine: &Machine, value: i64, choice: ChoiceId) -> bool {
        match machine.choices.get(choice) {
            Choice::One(node) => self.value(machine, *node) == value,
            Choice::Range(low, high) => (*low..=*high).contains(&value),
            Choice::Any(parts) => parts.iter().any(|&part| self.may_be(machine, value, part)),
            Choice::If(condition, then, otherwise) => {
                let is_met = self.value(machine, *condition) != 0;
                self.may_be(machine, value, if is_met { *then } else { *otherwise })
            }
        }
    }

    /// Whether all that is said of a moment is so.
    fn are_right(
        &self,
        machine: &Machine,
        conjuncts: &[transition::Conjunct],
        section: Section,
    ) -> bool {
        conjuncts.iter().filter(|conjunct| conjunct.section == section).all(|conjunct| {
            let driven = |var: VarId| match section {
                Section::Trans => self.next[var.0 as usize],
                Section::Init | Section::Invar => self.now[var.0 as usize],
            };
            match conjunct.role {
                Role::Assignment(var, choice) => self.may_be(machine, driven(var), choice),
                Role::Constraint(node) => self.value(machine, node) != 0,
                Role::Frame(var) => self.now[var.0 as usize] == self.next[var.0 as usize],
            }
        })
    }
}

/// All values of the variables of these kinds; the rest is 0.
fn valuations(machine: &Machine, kinds: &[VarKind]) -> Vec<Values> {
    let mut all: Vec<Values> = vec![vec![0; machine.vars.len()]];
    for (var, info) in machine.vars.iter().filter(|(_, var)| kinds.contains(&var.kind)) {
        let size = info.domain.size() as u64;
        let with = |values: &Values, number| {
            let mut values = values.clone();
            values[var.0 as usize] = info.domain.value(number);
            values
        };
        all = all.iter().flat_map(|v| (0..size).map(move |number| with(v, number))).collect();
        if all.len() > MOST_TRIALS {
            return all;
        }
    }
    all
}

/// The states that can be reached. A step has a bit for every condition of fairness that it meets.
struct Graph {
    states: Vec<Values>,
    init: Vec<usize>,
    steps: Vec<Vec<(usize, u64)>>,
    conditions: u64,
}

impl Graph {
    /// `None` if there is too much to try.
    fn new(machine: &Machine) -> Option<Graph> {
        let all = valuations(machine, &[VarKind::State, VarKind::Frozen]);
        let inputs = valuations(machine, &[VarKind::Input]);
        if all.len() * all.len() * inputs.len() > MOST_TRIALS {
            return None;
        }
        let conjuncts = machine.conjuncts();
        let is = |now: &Values, section| {
            StatePair { now, next: now }.are_right(machine, &conjuncts, section)
        };
        let states: Vec<Values> = all.into_iter().filter(|s| is(s, Section::Invar)).collect();
        let init = (0..states.len()).filter(|&s| is(&states[s], Section::Init)).collect();
        let conditions = (1 << machine.fairness.len()) - 1;
        let mut graph = Graph { steps: vec![Vec::new(); states.len()], states, init, conditions };
        let mut reached = vec![false; graph.states.len()];
        let mut open: Vec<usize> = graph.init.clone();
        while let Some(state) = open.pop() {
            if !std::mem::replace(&mut reached[state], true) {
                graph.steps[state] = graph.steps_from(machine, &conjuncts, &inputs, state);
                open.extend(graph.steps[state].iter().map(|(target, _)| *target));
            }
        }
        Some(graph)
    }

    fn steps_from(
        &self,
        machine: &Machine,
        conjuncts: &[transition::Conjunct],
        inputs: &[Values],
        state: usize,
    ) -> Vec<(usize, u64)> {
        let mut found = Vec::new();
        for input in inputs {
            let mut now = self.states[state].clone();
            for (var, _) in machine.vars.iter().filter(|(_, var)| var.kind == VarKind::Input) {
                now[var.0 as usize] = input[var.0 as usize];
            }
            let met = machine.fairness.iter().enumerate().map(|(index, fairness)| {
                let is_met = StatePair { now: &now, next: &now }.value(machine, fairness.node) != 0;
                u64::from(is_met) << index
            });
            let met = met.sum();
            for (target, next) in self.states.iter().enumerate() {
                let pair = StatePair { now: &now, next };
                if pair.are_right(machine, conjuncts, Section::Trans) {
                    found.push((target, met));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Where a path within `f` begins that leads to `g`.
    fn leads(&self, f: &Set, g: &Set) -> Set {
        let mut found = g.clone();
        loop {
            let before = found.clone();
            for state in 0..found.len() {
                let leads = |&(target, _): &(usize, u64)| before[target];
                found[state] |= f[state] && self.steps[state].iter().any(leads);
            }
            if found == before {
                return found;
            }
        }
    }

    /// Where an infinite path within `f` begins that meets each condition again and again: one that leads to
    /// a state from which steps that meet them all can be taken and come back.
    fn forever(&self, f: &Set) -> Set {
        let is_home = |home: usize| {
            let only: Set = (0..f.len()).map(|state| state == home).collect();
            let back = self.leads(f, &only);
            let mut there = vec![false; f.len()];
            there[home] = f[home];
            let mut open = vec![home];
            let (mut met, mut returns) = (0, false);
            while let Some(state) = open.pop() {
                for &(target, mask) in &self.steps[state] {
                    if f[state] && f[target] && back[target] {
                        (met, returns) = (met | mask, true);
                        if !std::mem::replace(&mut there[target], true) {
                            open.push(target);
                        }
                    }
                }
            }
            f[home] && returns && met == self.conditions
        };
        let homes: Set = (0..f.len()).map(is_home).collect();
        let leads = self.leads(f, &homes);
        leads.iter().zip(f).map(|(&leads, &f)| leads && f).collect()
    }

    fn fair(&self) -> Set {
        self.forever(&vec![true; self.states.len()])
    }
}

fn map(a: &Set, b: &Set, join: impl Fn(bool, bool) -> bool) -> Set {
    a.iter().zip(b).map(|(&a, &b)| join(a, b)).collect()
}

fn not(a: &Set) -> Set {
    a.iter().map(|&a| !a).collect()
}

/// A formula on a graph.
struct Meaning<'a> {
    graph: &'a Graph,
    document: &'a SmvDocument,
    surface: &'a Surface,
    fair: Set,
}

impl Meaning<'_> {
    fn of(&self, id: ExprId) -> Set {
        let both = |a: &Set, b: &Set| map(a, b, |a, b| a && b);
        let either = |a: &Set, b: &Set| map(a, b, |a, b| a || b);
        match &self.surface.exprs[id].0 {
            Expr::Const(value) => vec![*value; self.graph.states.len()],
            Expr::Prop(name) => self.proposition(name),
            Expr::Not(a) => not(&self.of(*a)),
            Expr::And(parts) => {
                parts.iter().map(|&e| self.of(e)).reduce(|a, b| both(&a, &b)).expect("some")
            }
            Expr::Or(parts) => {
                parts.iter().map(|&e| self.of(e)).reduce(|a, b| either(&a, &b)).expect("some")
            }
            Expr::Implies(a, b) => either(&not(&self.of(*a)), &self.of(*b)),
            Expr::Iff(a, b) => map(&self.of(*a), &self.of(*b), |a, b| a == b),
            Expr::State(Quantifier::Exists, op, a) => self.exists(*op, &self.of(*a)),
            Expr::State(Quantifier::All, op, a) => {
                let dual = match op {
                    StateOp::Next => StateOp::Next,
                    StateOp::Finally => StateOp::Globally,
                    StateOp::Globally => StateOp::Finally,
                };
                not(&self.exists(dual, &not(&self.of(*a))))
            }
            Expr::Path(quantifier, PathOp::Until, a, b) => {
                let (a, b) = (self.of(*a), self.of(*b));
                if *quantifier == Quantifier::Exists {
                    return self.graph.leads(&a, &both(&b, &self.fair));
                }
                let neither = both(&both(&not(&a), &not(&b)), &self.fair);
                let ends = self.graph.leads(&not(&b), &neither);
                not(&either(&ends, &self.graph.forever(&not(&b))))
            }
            other => panic!("no such formula is made: {other:?}"),
        }
    }

    fn exists(&self, op: StateOp, f: &Set) -> Set {
        let there = map(f, &self.fair, |a, b| a && b);
        match op {
            StateOp::Next => {
                let leads = |steps: &Vec<(usize, u64)>| steps.iter().any(|(t, _)| there[*t]);
                self.graph.steps.iter().map(leads).collect()
            }
            StateOp::Finally => self.graph.leads(&vec![true; f.len()], &there),
            StateOp::Globally => self.graph.forever(f),
        }
    }

    fn proposition(&self, name: &str) -> Set {
        let id = self.document.names.get(name).expect("a proposition");
        let node = self.document.propositions[id.0 as usize].node;
        let value = |now: &Values| StatePair { now, next: now }.value(&self.document.machine, node);
        self.graph.states.iter().map(|now| value(now) != 0).collect()
    }

    /// Invariants are about what can be reached, everything else about fair initial states.
    fn verdict(&self) -> bool {
        let Meaning { graph, surface, fair, .. } = self;
        if surface.logic == Logic::Ctl {
            let holds = self.of(surface.root);
            return graph.init.iter().all(|&state| holds[state] || !fair[state]);
        }
        let Expr::State(_, _, body) = surface.exprs[surface.root].0 else { panic!("an invariant") };
        let wrong = graph.leads(&vec![true; graph.states.len()], &not(&self.of(body)));
        graph.init.iter().all(|&state| !wrong[state])
    }
}

#[test]
fn random_programs_mean_what_their_paths_say() {
    let (compared, fair) = (Cell::new(0), Cell::new(0));
    for_seeds("smv-by-brute-force", 0..2000, |rng, case| {
        let text = program(rng);
        case.note(&text);
        let document = read(&text).map_err(|errors| compact(&text, &errors))?;
        let Some(graph) = Graph::new(&document.machine) else { return Ok(()) };
        let found = fair_states(&document, false, 100_000).map_err(|halt| format!("{halt:?}"))?;
        let found = verdicts(&document, found.0, &found.1);
        for (specification, found) in document.specifications.iter().zip(found) {
            let Ok(surface) = &specification.formula else { continue };
            let meaning =
                Meaning { graph: &graph, document: &document, surface, fair: graph.fair() };
            let expected = Truth::from(meaning.verdict());
            if found != Some(expected) {
                let text = &specification.text;
                return Err(format!("`{text}` is {found:?}, by its paths {expected}"));
            }
        }
        compared.set(compared.get() + 1);
        fair.set(fair.get() + u32::from(!document.machine.fairness.is_empty()));
        Ok(())
    });
    println!("{} programs, {} of them with fairness", compared.get(), fair.get());
    assert!(compared.get() > 100 && fair.get() > 30, "{} {}", compared.get(), fair.get());
}
