//! Evidence is gone through by the machine's own evaluator: every state is one, every step can be made, every
//! literal is right, every choice is one, and no play goes on forever in vain.

use crate::generate::program;
use crate::questions::Program;
use logic::evidence::{Justification, ShownNode, ShownSuccessor, UnfoldedEvidence};
use logic::{Formula, Modality, Node, NodeId, Truth};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use symbolic::{EvidenceScope, Policy, SymbolicChecker};
use testkit::{Rng, for_seeds};
use transition::{Choice, ChoiceId, Conjunct, Machine, Role, Section, VarId};

/// Values of this state, of the inputs, and of the next state.
struct Valuation<'a> {
    machine: &'a Machine,
    now: FxHashMap<VarId, i64>,
    next: FxHashMap<VarId, i64>,
}

impl Valuation<'_> {
    fn evaluate(&self, node: transition::NodeId) -> i64 {
        let leaf = |leaf| match leaf {
            transition::ExprNode::Now(var) => self.now[&var],
            transition::ExprNode::Next(var) => self.next[&var],
            other => panic!("{other:?} is no leaf"),
        };
        self.machine.exprs.evaluate(node, leaf).expect("a value")
    }

    fn allows(&self, choice: ChoiceId, value: i64) -> bool {
        match self.machine.choices.get(choice) {
            Choice::One(node) => self.evaluate(*node) == value,
            Choice::Range(low, high) => (*low..=*high).contains(&value),
            Choice::Any(parts) => parts.iter().any(|&part| self.allows(part, value)),
            Choice::If(condition, then, otherwise) => match self.evaluate(*condition) != 0 {
                true => self.allows(*then, value),
                false => self.allows(*otherwise, value),
            },
        }
    }

    fn satisfies(&self, conjunct: &Conjunct) -> bool {
        let driven = if conjunct.section == Section::Trans { &self.next } else { &self.now };
        match conjunct.role {
            Role::Constraint(node) => self.evaluate(node) != 0,
            Role::Assignment(var, choice) => self.allows(choice, driven[&var]),
            Role::Frame(var) => self.now[&var] == self.next[&var],
        }
    }
}

struct Replay<'a> {
    program: &'a Program,
    formula: &'a Formula,
    evidence: &'a UnfoldedEvidence,
}

impl Replay<'_> {
    fn state(&self, state: u32) -> Valuation<'_> {
        let machine = &self.program.document.machine;
        Valuation { machine, now: self.values(state), next: FxHashMap::default() }
    }

    /// The variables of a state, the constants included.
    fn values(&self, state: u32) -> FxHashMap<VarId, i64> {
        let members = self.evidence.states[state as usize].members.iter().flatten();
        let own = members.flat_map(|member| &member.values);
        self.read(self.evidence.constants.iter().flatten().chain(own))
    }

    /// Values that are written as the machine writes them.
    fn read<'s>(
        &self,
        written: impl Iterator<Item = &'s (String, String)>,
    ) -> FxHashMap<VarId, i64> {
        let machine = &self.program.document.machine;
        let value = |(name, text): &(String, String)| {
            let (id, var) = machine.vars.iter().find(|(_, var)| var.name == *name).expect(name);
            let mut values = (0..var.domain.size() as u64).map(|number| var.domain.value(number));
            (id, values.find(|&value| machine.text(id, value) == *text).expect(text))
        };
        written.map(value).collect()
    }

    fn verdict(&self) -> bool {
        self.evidence.verdict == Truth::True
    }

    /// The first conjunct of a moment that does not hold.
    fn broken(&self, valuation: &Valuation, section: Section) -> Result<(), String> {
        let mut conjuncts = self.program.slice.conjuncts.iter().filter(|c| c.section == section);
        match conjuncts.find(|conjunct| !valuation.satisfies(conjunct)) {
            Some(conjunct) => Err(format!("{conjunct:?} does not hold")),
            None => Ok(()),
        }
    }

    fn run(&self) -> Result<(), String> {
        for state in 0..self.evidence.states.len() as u32 {
            let valuation = self.state(state);
            let vars = &valuation.machine.vars;
            for (&var, &value) in &valuation.now {
                assert!(vars[var].domain.contains(value), "{}={value}", vars[var].name);
            }
            self.broken(&valuation, Section::Invar)?;
        }
        for &root in &self.evidence.roots {
            let position = &self.evidence.nodes[root as usize];
            assert_eq!(id(position), self.formula.representative(self.formula.root()));
            self.broken(&self.state(position.state), Section::Init)?;
        }
        for (number, position) in self.evidence.nodes.iter().enumerate() {
            self.position(position).map_err(|problem| {
                format!("position {number}, `{}`: {problem}", self.formula.show(id(position)))
            })?;
        }
        self.trace();
        self.loops()
    }

    /// A trace has all variables of each state.
    fn trace(&self) {
        let Some(trace) = self.evidence.trace() else { return };
        assert_eq!(
            trace.states.len() + usize::from(trace.loop_start.is_some()),
            trace.steps.len() + 1
        );
        assert!(trace.states.iter().all(|state| state.values.len() == self.values(0).len()));
    }

    fn position(&self, position: &ShownNode) -> Result<(), String> {
        let value = self.verdict();
        let definition = self.formula.definition(id(position));
        let node = self.formula.node(definition);
        let nodes: Vec<NodeId> = self.successors(position).collect();
        let representative = |id: NodeId| self.formula.representative(id);
        match (position.why, node) {
            (Justification::Throughout | Justification::Cut, _) => Ok(()),
            (Justification::Unfolding, _) if nodes == [representative(definition)] => Ok(()),
            (_, Node::And(a, b) | Node::Or(a, b)) => {
                let all = matches!(node, Node::And(..)) == value;
                let is_successor = |id: NodeId| nodes.contains(&representative(id));
                let is_right = if all {
                    is_successor(a) && is_successor(b)
                } else {
                    is_successor(a) || is_successor(b)
                };
                let stays = position.successors.iter().all(|successor| {
                    successor.step.is_none()
                        && self.evidence.nodes[successor.node as usize].state == position.state
                });
                if is_right && stays {
                    Ok(())
                } else {
                    Err("successors that do not fit".to_owned())
                }
            }
            (_, Node::Modal(modality, actions, body)) => {
                let one = (modality == Modality::Dia) == value;
                if one && position.successors.len() != 1 {
                    return Err("no step".to_owned());
                }
                if nodes.iter().any(|&successor| successor != representative(body)) {
                    return Err("successors that do not fit".to_owned());
                }
                let actions = self.formula.actions(actions);
                position
                    .successors
                    .iter()
                    .try_for_each(|successor| self.step(position, successor, actions.names()))
            }
            (Justification::Itself, Node::Lit(prop, is_positive)) => {
                let label = self.program.labels[prop.0 as usize].node;
                let holds = self.state(position.state).evaluate(label) != 0;
                if (holds == is_positive) == value { Ok(()) } else { Err("wrong".to_owned()) }
            }
            (Justification::Itself, Node::Const(constant)) if constant == value => Ok(()),
            (why, _) => Err(format!("{why:?}")),
        }
    }

    fn successors<'s>(&'s self, position: &'s ShownNode) -> impl Iterator<Item = NodeId> + 's {
        position
            .successors
            .iter()
            .map(|successor| id(&self.evidence.nodes[successor.node as usize]))
    }

    fn step(
        &self,
        from: &ShownNode,
        successor: &ShownSuccessor,
        conditions: &[String],
    ) -> Result<(), String> {
        let inputs = &successor.step.as_ref().ok_or("no step")?.inputs;
        let to = self.evidence.nodes[successor.node as usize].state;
        let mut valuation = self.state(from.state);
        valuation.now.extend(self.read(inputs.iter()));
        valuation.next = self.values(to);
        for name in conditions {
            let condition = self.program.conditions.iter().find(|c| c.name == *name);
            if valuation.evaluate(condition.expect("a condition").node) == 0 {
                return Err(format!("`{name}` does not hold in the step"));
            }
        }
        self.broken(&valuation, Section::Trans)
    }

    /// No loop has a highest priority that is not the winner's.
    fn loops(&self) -> Result<(), String> {
        let priority = |position: &ShownNode| match self.formula.node(id(position)) {
            Node::Var(var) => self.formula.priority(var),
            _ => 0,
        };
        for (start, position) in self.evidence.nodes.iter().enumerate() {
            let highest = priority(position);
            let is_var = matches!(self.formula.node(id(position)), Node::Var(_));
            if !is_var || highest.is_multiple_of(2) == self.verdict() {
                continue;
            }
            let block = self.formula.block_of(id(position));
            let mut seen = vec![false; self.evidence.nodes.len()];
            let mut open = vec![start];
            while let Some(at) = open.pop() {
                for successor in &self.evidence.nodes[at].successors {
                    let next = successor.node as usize;
                    let other = &self.evidence.nodes[next];
                    if next == start {
                        return Err(format!("position {start} rests on itself"));
                    }
                    let counts =
                        self.formula.block_of(id(other)) == block && priority(other) <= highest;
                    if counts && !seen[next] {
                        seen[next] = true;
                        open.push(next);
                    }
                }
            }
        }
        Ok(())
    }
}

/// The subformula of a position.
fn id(position: &ShownNode) -> NodeId {
    position.formula.expect("a subformula")
}

/// All evidence of at most so many positions.
pub fn all(positions: usize) -> EvidenceScope {
    EvidenceScope { positions, is_path: false, is_shortest: false }
}

/// Finds evidence and goes through it.
pub fn replay(
    program: &Program,
    session: &mut SymbolicChecker,
    formula: &Formula,
    verdict: bool,
    scope: EvidenceScope,
) -> Result<UnfoldedEvidence, String> {
    let subject = (&program.document.machine, &program.slice, &program.labels[..]);
    let evidence = session.explain(subject, formula, verdict, scope);
    let evidence = evidence.expect("enough room").ok_or("nothing is shown")?;
    Replay { program, formula, evidence: &evidence }.run()?;
    Ok(evidence)
}

/// Evidence that says something else is refused, so that the others are worth something.
#[test]
fn what_is_changed_cannot_be_replayed() {
    let text =
        "MODULE main VAR x : 0..7; ASSIGN init(x) := 0; next(x) := (x + 1) mod 8; SPEC AG x < 5";
    let program = Program::read(text, false).expect("a program");
    let mut session = program.session(Policy::default()).expect("a session");
    let formula = program.formulas(&mut Rng::new(0), 0).swap_remove(0);
    let evidence = replay(&program, &mut session, &formula, false, all(100)).expect("it is right");
    assert!(evidence.states.len() >= 6, "{evidence:?}");
    let refuse = |evidence: &UnfoldedEvidence| {
        let replay = Replay { program: &program, formula: &formula, evidence };
        replay.run().expect_err("it is wrong");
    };
    for state in 0..evidence.states.len() {
        let mut changed = evidence.clone();
        let member = changed.states[state].members[0].as_mut().expect("a state");
        let value: i64 = member.values[0].1.parse().expect("a number");
        member.values[0].1 = ((value + 4) % 8).to_string();
        refuse(&changed);
    }
    for position in 0..evidence.nodes.len() {
        let mut changed = evidence.clone();
        if !changed.nodes[position].successors.is_empty() {
            changed.nodes[position].successors.clear();
            refuse(&changed);
            changed = evidence.clone();
            changed.nodes[position].successors[0].node = changed.roots[0];
            refuse(&changed);
        }
    }
}

#[test]
fn what_is_reported_can_be_replayed() {
    let [full, brief, paths] = [Cell::new(0), Cell::new(0), Cell::new(0)];
    for_seeds("evidence-of-bdds", 0..1_000, |rng, case| {
        let text = program(rng);
        case.note(&text);
        let program = Program::read(&text, rng.chance(0.5)).ok_or("the program is refused")?;
        let Some(mut session) = program.session(Policy::default()) else { return Ok(()) };
        if session.has_no_start() {
            return Ok(());
        }
        for formula in program.formulas(rng, 3) {
            case.note_property(&formula);
            let verdict = session.check(&formula).expect("enough room") == Truth::True;
            let most = if rng.chance(0.9) { 2_000 } else { rng.between(1, 20) };
            let scope = EvidenceScope { is_shortest: rng.chance(0.2), ..all(most) };
            let evidence = replay(&program, &mut session, &formula, verdict, scope)?;
            let scope = EvidenceScope { is_path: true, ..all(most) };
            replay(&program, &mut session, &formula, verdict, scope)?;
            let is_unsliced = evidence.nodes.iter().all(|p| p.why != Justification::Throughout);
            let count = if is_unsliced && evidence.cut == 0 { &full } else { &brief };
            count.set(count.get() + 1);
            paths.set(paths.get() + u32::from(evidence.states.len() > 3));
        }
        Ok(())
    });
    println!("{full:?} complete, {brief:?} abridged, {paths:?} of more than 3 states");
    assert!(full.get() > 2_000 && paths.get() > 1_000, "{full:?} {paths:?}");
}
