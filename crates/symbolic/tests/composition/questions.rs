//! Random small programs, divisions, groups and formulas.

use crate::test_system::TestSystem;
use crate::{generate, programs};
use logic::{ActionSet, FairTerm, Fairness, Family, Formula, Logic, PropId, Signature, Surface};
use std::sync::Arc;
use support::{FileId, Interner, Monitor};
use symbolic::{Composition, LabelledMachine, Policy, SearchLimit, Stop};
use testkit::{Case, FormulaShape, Rng};
use testkit::{SmvDocument, read_smv};
use transition::{
    Binary, Division, InstanceGroup, InstanceId, Machine, MachineComponent, NodeId, Role, Slice,
    StateProperty, VarId, VarKind,
};

/// No more states than these, reachable or not.
const MOST_STATES: usize = 160;

const PATTERNS: [&str; 8] = [
    "AX AG a & EF a",
    "EX EF a | AG a",
    "AG (a -> EF b) & AX a",
    "EF (a & AG b)",
    "AG EF a & EF AG a",
    "AG a | EF b & AX AG a",
    "AX AG (a | b) & EX a",
    "EX EF (a & b) | AX (a & AG b)",
];

pub struct Program {
    pub machine: Machine,
    pub slice: Slice,
    pub labels: Vec<StateProperty>,
    /// Fairness constraints on steps.
    pub conditions: [StateProperty; 1],
    pub test_system: TestSystem,
}

/// A small random program, divided somehow; now and then some of it is missing.
pub fn random(rng: &mut Rng, case: &mut Case, can_be_missing: bool) -> Option<Program> {
    let (text, document) = document(rng, MOST_STATES);
    case.note(&text);
    let mut machine = document.machine.clone();
    let labels = labels(rng, &mut machine);
    let conditions = [condition(rng, &mut machine)];
    let slice = match rng.chance(0.7) {
        true => machine.unsliced(),
        false => machine.cone(labels.iter().chain(&conditions).map(|property| property.node)),
    };
    let missing = match can_be_missing && rng.chance(0.15) {
        true => rng.some(&without_constraints(&machine), 0.5),
        false => Vec::new(),
    };
    let division = division(rng, &machine);
    case.note(format!("-- {division:?}, missing {missing:?}"));
    let components = machine.components(&slice, &division, &missing);
    let test_system = TestSystem::new(&machine, &slice, (&labels, &conditions[0]), &components)?;
    Some(Program { machine, slice, labels, conditions, test_system })
}

/// One with few states. Most are of several modules.
pub fn document(rng: &mut Rng, most_states: usize) -> (String, SmvDocument) {
    loop {
        let text = match rng.below(10) {
            0 => generate::program(rng),
            1..=3 => testkit::modules(rng, 0),
            _ => programs::program(rng),
        };
        let source: Arc<str> = text.as_str().into();
        // What is assigned to in a cycle is refused.
        let Ok(document) = read_smv(FileId(0), &source) else { continue };
        let vars = document.machine.state_vars();
        let sizes = vars.map(|var| document.machine.vars[var].domain.size());
        if sizes.product::<u128>() <= most_states as u128 {
            return (text, document);
        }
    }
}

/// Values of variables, and what joins two of them.
fn labels(rng: &mut Rng, machine: &mut Machine) -> Vec<StateProperty> {
    let vars: Vec<VarId> = machine.state_vars().collect();
    let label = |number: usize| {
        let one = literal(rng, machine, &vars);
        let node = match rng.chance(0.4) {
            true => {
                let other = literal(rng, machine, &vars);
                let op = *rng.pick(&[Binary::And, Binary::Or, Binary::Eq]);
                machine.exprs.binary(op, one, other)
            }
            false => one,
        };
        StateProperty { name: format!("p{number}"), node }
    };
    (0..3).map(label).collect()
}

/// Of an input, if there is one.
fn condition(rng: &mut Rng, machine: &mut Machine) -> StateProperty {
    let vars: Vec<VarId> = machine.state_vars().collect();
    let is_input = |var: &VarId| machine.vars[*var].kind == VarKind::Input;
    let inputs: Vec<VarId> = machine.vars.ids().filter(is_input).collect();
    let node = match inputs.is_empty() || rng.chance(0.2) {
        true => literal(rng, machine, &vars),
        false => literal(rng, machine, &inputs),
    };
    StateProperty { name: "often".to_owned(), node }
}

fn literal(rng: &mut Rng, machine: &mut Machine, vars: &[VarId]) -> NodeId {
    let var = *rng.pick(vars);
    let domain = machine.vars[var].domain.clone();
    let value = domain.value(rng.below(domain.size() as usize) as u64);
    let (now, value) = (machine.now(var), machine.exprs.constant(value, domain.ty()));
    machine.exprs.eq(now, value)
}

pub fn division(rng: &mut Rng, machine: &Machine) -> Division {
    match rng.below(4) {
        0 | 1 => Division::Instances,
        2 => Division::Recursive,
        _ => {
            let instances: Vec<InstanceId> = machine.instances.ids().skip(1).collect();
            let chosen = instances.into_iter().filter(|_| rng.chance(0.6));
            let groups =
                chosen.map(|id| InstanceGroup { name: id.0.to_string(), instances: vec![id] });
            Division::Given(groups.collect())
        }
    }
}

/// Instances without constraints: a module in their place goes on.
fn without_constraints(machine: &Machine) -> Vec<InstanceId> {
    let conjuncts = machine.conjuncts();
    let mut holds = conjuncts.iter().filter(|c| matches!(c.role, Role::Constraint(_)));
    let mut writers: Vec<InstanceId> = Vec::new();
    holds.by_ref().for_each(|conjunct| writers.extend(&conjunct.writers));
    let is_free = |id: &InstanceId| !writers.iter().any(|&writer| machine.is_within(writer, *id));
    machine.instances.ids().skip(1).filter(is_free).collect()
}

impl Program {
    /// By instances. What is true often is the last of the labels, which are the names of variables.
    pub fn of(text: &str, labels: &[&str]) -> Self {
        let document = read_smv(FileId(0), &text.into()).expect("a proper program");
        let mut machine = document.machine;
        let label = |(index, name): (usize, &&str)| {
            let var = machine.vars.iter().find(|(_, var)| var.name == *name);
            let (id, _) = var.expect("a variable of this name");
            StateProperty { name: format!("p{index}"), node: machine.now(id) }
        };
        let labels: Vec<StateProperty> = labels.iter().enumerate().map(label).collect();
        let often = labels.last().expect("a label").node;
        let conditions = [StateProperty { name: "often".to_owned(), node: often }];
        let slice = machine.unsliced();
        let components = machine.components(&slice, &Division::Instances, &[]);
        let test_system = TestSystem::new(&machine, &slice, (&labels, &conditions[0]), &components);
        Self {
            test_system: test_system.expect("a small program"),
            machine,
            slice,
            labels,
            conditions,
        }
    }

    /// `None` if only the composition can tell what fails, or nothing starts.
    pub fn composition(&self, rng: &mut Rng, policy: Policy) -> Option<Composition> {
        let components = [&self.test_system.components[..], &self.test_system.missing].concat();
        let composition = self.tried(&components, policy, SearchLimit::Unlimited);
        let mut composition = composition.expect("room enough")?;
        composition.seen_bits = *rng.pick(&[0, 1, 2, 24, 24]);
        Some(composition)
    }

    /// Checks with other groups, and perhaps with too little room.
    pub fn tried(
        &self,
        components: &[MachineComponent],
        policy: Policy,
        effort: SearchLimit,
    ) -> Result<Option<Composition>, Stop> {
        let Self { machine, slice, labels, conditions, .. } = self;
        let subject = LabelledMachine { machine, slice, labels, conditions };
        let components = components.to_vec();
        Ok(Composition::new(subject, components, policy, effort, &Monitor::new())?.ok())
    }

    pub fn formula(&self, rng: &mut Rng, case: &mut Case) -> Formula {
        let surface = if rng.chance(0.25) { self.pattern(rng) } else { self.surface(rng) };
        let terms = if rng.chance(0.5) { vec![self.often()] } else { Vec::new() };
        let everywhere = terms.is_empty() && rng.chance(0.7);
        let trims = rng.chance(0.5);
        let fairness = Fairness { terms, everywhere, trims, ..Fairness::default() };
        let formula = self.compiled(&surface, &fairness);
        case.note(format!("-- {}", formula.source()));
        formula
    }

    pub fn often(&self) -> FairTerm {
        FairTerm::Step(ActionSet::one(self.conditions[0].name.clone()))
    }

    fn surface(&self, rng: &mut Rng) -> Surface {
        let logic = *rng.pick(&[Logic::Mu, Logic::Mu, Logic::Ctl]);
        let props = self.labels.iter().map(|label| label.name.clone()).collect();
        let size = rng.between(2, 9);
        let shape = FormulaShape { logic, family: Family::Props, props, actions: Vec::new(), size };
        testkit::formula(rng, &shape)
    }

    /// One that says the same in several forms.
    fn pattern(&self, rng: &mut Rng) -> Surface {
        let mut text = (*rng.pick(&PATTERNS)).to_owned();
        for place in ["a", "b"] {
            text = text.replace(place, &rng.pick(&self.labels).name);
        }
        let text: Arc<str> = text.into();
        let surface = front::parse_formula(Logic::Ctl, FileId(0), &text, 0..text.len());
        surface.expect("a proper formula")
    }

    pub fn compiled(&self, surface: &Surface, fairness: &Fairness) -> Formula {
        let props: Interner<PropId> = self.labels.iter().map(|label| &*label.name).collect();
        let actions = [self.conditions[0].name.clone()];
        let signature = Signature { family: Family::Props, props: &props, actions: &actions };
        let formula = logic::compile_fair(surface, &signature, fairness, &mut Vec::new());
        formula.expect("a proper formula")
    }

    /// Some components, at least one if there are any.
    pub fn group(&self, rng: &mut Rng) -> Vec<usize> {
        let all: Vec<usize> = (0..self.test_system.components.len()).collect();
        rng.some(&all, 0.4)
    }

    pub fn asked(&self, rng: &mut Rng) -> Vec<VarId> {
        match rng.chance(0.7) {
            true => self.machine.access(self.labels.iter().map(|label| label.node)).now,
            false => Vec::new(),
        }
    }
}
