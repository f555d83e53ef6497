//! Machines made by hand: folding, choices, who reads what, and the stepper.

use logic::Truth;
use support::{FileId, Monitor, Span};
use transition::{
    Assign, Binary, Choice, Constraint, Domain, Enumeration, Exprs, FairnessConstraint, Instance,
    InstanceId, Machine, MachineVar, NodeId, Role, Section, StateProperty, StepError, Type,
    Undefined, VarId, VarKind, When, enumerate,
};

fn span() -> Span {
    Span::new(FileId(0), 0..0)
}

fn machine() -> Machine {
    let mut machine = Machine::default();
    let (name, module) = (String::new(), "main".to_owned());
    machine.instances.push(Instance { name, module, parent: None, is_process: false });
    machine
}

fn var(machine: &mut Machine, name: &str, domain: Domain, kind: VarKind) -> VarId {
    let (name, instance) = (name.to_owned(), InstanceId(0));
    machine.vars.push(MachineVar { name, domain, kind, instance, span: span() })
}

fn assign(machine: &mut Machine, var: VarId, when: When, node: NodeId) {
    let choice = machine.one(node);
    let writers = vec![InstanceId(0)];
    machine.assigns.push(Assign { var, when, choice, writers, span: span() });
}

fn constrain(machine: &mut Machine, section: Section, node: NodeId) {
    let instance = InstanceId(0);
    machine.constraints.push(Constraint { section, node, instance, span: span() });
}

fn run(machine: &Machine, properties: &[StateProperty]) -> Result<Enumeration, StepError> {
    enumerate(machine, &machine.unsliced(), properties, 10_000, &Monitor::new())
}

#[test]
fn equal_expressions_are_one_and_constants_are_folded() {
    let mut exprs = Exprs::default();
    let (two, three) = (exprs.int(2), exprs.int(3));
    let product = exprs.binary(Binary::Mul, two, three);
    assert_eq!(exprs.as_constant(product), Some(6));
    let x = exprs.now(VarId(0), Type::Int { low: 0, high: 5 }, false);
    let b = exprs.now(VarId(1), Type::Bool, false);
    let [one_way, other_way] = [(x, two), (two, x)].map(|(a, b)| exprs.eq(a, b));
    assert_eq!(one_way, other_way);
    let impossible = exprs.eq(x, product);
    assert_eq!(exprs.as_constant(impossible), Some(0));
    let below = exprs.binary(Binary::Lt, x, product);
    assert_eq!(exprs.as_constant(below), Some(1));
    let not = exprs.not(b);
    let contradiction = exprs.and(b, not);
    assert_eq!(exprs.as_constant(contradiction), Some(0));
    let (yes, no) = (exprs.bool(true), exprs.bool(false));
    assert_eq!(exprs.ite(b, yes, no), b);
    assert_eq!(exprs.ite(b, no, yes), not);
}

#[test]
fn what_may_go_wrong_is_not_folded_away() {
    let mut machine = machine();
    let fault = machine.fault(Undefined::NoCase, span(), Type::Bool);
    let not = machine.exprs.not(fault);
    let both = machine.exprs.and(fault, not);
    assert!(machine.exprs.as_constant(both).is_none());
    let no = machine.exprs.bool(false);
    assert_eq!(machine.exprs.and(fault, no), no);
}

#[test]
fn choices_that_are_one_value_are_expressions() {
    let mut machine = machine();
    let b = var(&mut machine, "b", Domain::Bool, VarKind::State);
    let condition = machine.now(b);
    let nodes = [1, 2].map(|n| machine.exprs.int(n));
    let [one, two] = nodes.map(|node| machine.one(node));
    let either = machine.choose_if(condition, one, two);
    assert!(machine.choices.as_one(either).is_some());
    let both = machine.any_of(vec![one, two, one]);
    assert_eq!(machine.choices.get(both), &Choice::Any(vec![one, two]));
    let mixed = machine.choose_if(condition, both, one);
    assert!(machine.choices.as_one(mixed).is_none());
    let is_member = machine.member(nodes[1], mixed);
    assert_eq!(is_member, condition);
}

#[test]
fn a_counter_with_a_free_bit() {
    let mut machine = machine();
    let x = var(&mut machine, "x", Domain::Range(0, 3), VarKind::State);
    let b = var(&mut machine, "b", Domain::Bool, VarKind::State);
    let (zero, one, four) = (machine.exprs.int(0), machine.exprs.int(1), machine.exprs.int(4));
    assign(&mut machine, x, When::Init, zero);
    let now = machine.now(x);
    let sum = machine.exprs.binary(Binary::Add, now, one);
    let next = machine.exprs.binary(Binary::Mod, sum, four);
    assign(&mut machine, x, When::Next, next);
    let start = machine.now(b);
    constrain(&mut machine, Section::Init, start);
    let node = machine.exprs.eq(now, zero);
    let found =
        run(&machine, &[StateProperty { name: "x = 0".to_owned(), node }]).expect("a model");
    assert_eq!((found.model.states(), found.model.edges().len()), (8, 16));
    assert_eq!(found.model.init().len(), 1);
    let prop = found.model.props().get("x = 0").expect("the label");
    assert_eq!(found.model.true_in(prop).count_ones(..), 2);
    assert_eq!(found.model.state_name(0), "x=0,b=TRUE");
    assert!(found.deadlocks.is_clear());
}

#[test]
fn an_assignment_that_does_not_fit_is_a_fault_and_a_constraint_is_none() {
    let mut machine = machine();
    let x = var(&mut machine, "x", Domain::Range(0, 2), VarKind::State);
    let (now, one) = (machine.now(x), machine.exprs.int(1));
    let sum = machine.exprs.binary(Binary::Add, now, one);
    let mut constrained = machine.clone();
    assign(&mut machine, x, When::Next, sum);
    assert!(matches!(run(&machine, &[]), Err(StepError::Fault(_))));
    let next = constrained.next(x);
    let grows = constrained.exprs.eq(next, sum);
    constrain(&mut constrained, Section::Trans, grows);
    let found = run(&constrained, &[]).expect("a model");
    assert_eq!((found.model.edges().len(), found.deadlocks.count_ones(..)), (2, 1));
}

#[test]
fn conjuncts_name_the_variables_they_assign() {
    let mut machine = machine();
    let x = var(&mut machine, "x", Domain::Bool, VarKind::State);
    let y = var(&mut machine, "y", Domain::Bool, VarKind::Frozen);
    let i = var(&mut machine, "i", Domain::Bool, VarKind::Input);
    let (now_y, now_i) = (machine.now(y), machine.now(i));
    let both = machine.exprs.and(now_y, now_i);
    assign(&mut machine, x, When::Next, both);
    let conjuncts = machine.conjuncts();
    let Role::Assignment(driven, _) = conjuncts[0].role else { panic!("an assignment") };
    assert_eq!(driven, x);
    assert_eq!((&*conjuncts[0].access.now, &*conjuncts[0].access.next), (&[y, i][..], &[x][..]));
    assert_eq!(conjuncts[1].role, Role::Frame(y));
    let found = run(&machine, &[]).expect("a model");
    assert_eq!(found.model.states(), 4);
}

#[test]
fn a_condition_on_steps_becomes_one_on_states() {
    let mut machine = machine();
    let input = var(&mut machine, "i", Domain::Bool, VarKind::Input);
    let x = var(&mut machine, "x", Domain::Bool, VarKind::State);
    let (given, now) = (machine.now(input), machine.now(x));
    let not = machine.exprs.not(now);
    assign(&mut machine, x, When::Next, not);
    for node in [given, now, given] {
        machine.fairness.push(FairnessConstraint {
            node,
            instance: InstanceId(0),
            span: span(),
            name: None,
        });
    }
    let remembering = machine.with_history_variables();
    let nodes: Vec<NodeId> = remembering.fairness.iter().map(|fairness| fairness.node).collect();
    assert_eq!(nodes[1], now);
    assert!(nodes[0] == nodes[2] && !remembering.exprs.reads_input(nodes[0]));
    let met = StateProperty { name: "met".to_owned(), node: nodes[0] };
    let found = run(&remembering, &[met]).expect("a model").model;
    assert_eq!((found.states(), found.init().len()), (4, 2));
    let prop = found.props().get("met").expect("a proposition");
    assert!(found.init().iter().all(|&state| found.label(state, prop) == Truth::False));
    for state in 0..4 {
        let to: Vec<Truth> =
            found.edges().out(state).map(|(target, _)| found.label(target, prop)).collect();
        assert!(to.contains(&Truth::True) && to.contains(&Truth::False));
    }
}
