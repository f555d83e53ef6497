//! Laws of taking a machine apart: every variable has one owner, and everything is said once.

use crate::questions::{division, document};
use testkit::{Rng, for_seeds};
use transition::{Conjunct, InstanceId, Machine, MachineComponent, Role, Section, Slice, VarKind};

/// Key of a conjunct.
fn key(conjunct: &Conjunct) -> String {
    format!("{:?} {:?} {:?}", conjunct.section, conjunct.role, conjunct.writers)
}

fn sorted(mut keys: Vec<String>) -> Vec<String> {
    keys.sort_unstable();
    keys
}

fn every_variable_has_one_owner(
    machine: &Machine,
    slice: &Slice,
    components: &[MachineComponent],
) -> Result<(), String> {
    for (var, declared) in machine.vars.iter() {
        let is_owned = declared.kind != VarKind::Input && slice.contains(var);
        let owners = components.iter().filter(|component| component.own.contains(&var)).count();
        if owners != usize::from(is_owned) {
            return Err(format!("`{}` has {owners} owners", declared.name));
        }
    }
    Ok(())
}

fn every_conjunct_occurs_once(
    machine: &Machine,
    slice: &Slice,
    components: &[MachineComponent],
    missing: &[InstanceId],
) -> Result<(), String> {
    let is_missing =
        |writer: &InstanceId| missing.iter().any(|&outer| machine.is_within(*writer, outer));
    let known = slice.conjuncts.iter().filter(|conjunct| {
        conjunct.section != Section::Init && !conjunct.writers.iter().any(is_missing)
    });
    let expected = sorted(known.map(key).collect());
    let said = components.iter().flat_map(|component| &component.conjuncts);
    let said = sorted(said.map(key).collect());
    match said == expected {
        true => Ok(()),
        false => Err(format!("{said:?} is said, the machine is {expected:?}")),
    }
}

/// Who gives a variable its value owns it; who is missing says nothing.
fn speakers_are_right(components: &[MachineComponent]) -> Result<(), String> {
    for component in components {
        for conjunct in &component.conjuncts {
            let is_own = match conjunct.role {
                Role::Assignment(var, _) | Role::Frame(var) => {
                    component.own.binary_search(&var).is_ok()
                }
                Role::Constraint(_) => true,
            };
            if component.is_missing || !is_own {
                return Err(format!("`{}` says {}", component.name, key(conjunct)));
            }
        }
    }
    Ok(())
}

fn some_instances(rng: &mut Rng, machine: &Machine) -> Vec<InstanceId> {
    let instances: Vec<InstanceId> = machine.instances.ids().skip(1).collect();
    if rng.chance(0.5) { Vec::new() } else { rng.some(&instances, 0.4) }
}

#[test]
fn components_are_the_machine_taken_apart() {
    for_seeds("composition-components", 0..3_000, |rng, case| {
        let (text, document) = document(rng, usize::MAX);
        case.note(text);
        let machine = &document.machine;
        let slice = match rng.chance(0.5) {
            true => machine.unsliced(),
            false => {
                let asked = document.propositions.iter().filter(|_| rng.chance(0.3));
                machine.cone(asked.map(|property| property.node))
            }
        };
        let (division, missing) = (division(rng, machine), some_instances(rng, machine));
        case.note(format!("-- {division:?}, missing {missing:?}"));
        let components = machine.components(&slice, &division, &missing);
        every_variable_has_one_owner(machine, &slice, &components)?;
        every_conjunct_occurs_once(machine, &slice, &components, &missing)?;
        speakers_are_right(&components)
    });
}
