//! A machine as a composition of components (C §6.2): which component owns which variables and conjuncts.
//!
//! The conjunction of the components' conjuncts is the machine. A component reads variables that it does not own;
//! they are free in it. What belongs together follows the tree of instances. A variable that several
//! components write, or that the main module declares, is a component by itself, unless a constraint binds it
//! to others of its kind.

use crate::access::{Conjunct, Role};
use crate::cone::Slice;
use crate::parts::{InstanceId, Machine, Section, VarId, VarKind};

/// How a machine is divided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Division {
    /// Each instance under the main module.
    Instances,
    /// Each instance, whatever it is in.
    Recursive,
    /// These, each of some instances and of those within them; everything else is one more.
    Given(Vec<InstanceGroup>),
}

/// Instances that are one component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InstanceGroup {
    pub name: String,
    pub instances: Vec<InstanceId>,
}

/// A part of a machine. Nothing is said here about the start.
#[derive(Clone, Debug)]
pub struct MachineComponent {
    pub name: String,
    /// The instances that it is made of; those of a single variable of the main module have none.
    pub instances: Vec<InstanceId>,
    /// State variables that no other component owns, in order.
    pub own: Vec<VarId>,
    /// Its conjuncts about steps and states.
    pub conjuncts: Vec<Conjunct>,
    /// It is missing: its variables can take any values, which no player chooses.
    pub is_missing: bool,
}

impl MachineComponent {
    /// All variables that it has to do with.
    pub fn vars(&self) -> impl Iterator<Item = VarId> {
        let accessed =
            self.conjuncts.iter().flat_map(|c| c.access.now.iter().chain(&c.access.next));
        self.own.iter().chain(accessed).copied()
    }
}

impl Machine {
    /// An instance by its name.
    pub fn instance(&self, name: &str) -> Option<InstanceId> {
        self.instances.iter().find(|(_, instance)| instance.name == name).map(|(id, _)| id)
    }

    fn is_within_some(&self, instance: InstanceId, outer: &[InstanceId]) -> bool {
        outer.iter().any(|&outer| self.is_within(instance, outer))
    }

    /// Whether a conjunct is unknown if these instances are missing.
    pub fn is_unwritten(&self, conjunct: &Conjunct, missing: &[InstanceId]) -> bool {
        conjunct.writers.iter().any(|&writer| self.is_within_some(writer, missing))
    }

    /// The components of a part of the machine, those that own something or say something. What the
    /// missing instances say is left out.
    pub fn components(
        &self,
        slice: &Slice,
        division: &Division,
        missing: &[InstanceId],
    ) -> Vec<MachineComponent> {
        let mut divider = Divider::new(self, division, missing);
        divider.own(slice);
        divider.bind(slice);
        divider.collect(slice)
    }
}

struct Divider<'m> {
    machine: &'m Machine,
    missing: &'m [InstanceId],
    /// By instance, its component.
    of_instance: Vec<Option<usize>>,
    /// By variable, its component.
    of_var: Vec<Option<usize>>,
    components: Vec<MachineComponent>,
    /// The instances outside of the given groups, if they are one component.
    rest: Option<usize>,
    /// The first component of a single variable.
    singles: usize,
}

impl<'m> Divider<'m> {
    fn new(machine: &'m Machine, division: &Division, missing: &'m [InstanceId]) -> Self {
        let mut divider = Self {
            machine,
            missing,
            of_instance: vec![None; machine.instances.len()],
            of_var: vec![None; machine.vars.len()],
            components: Vec::new(),
            rest: None,
            singles: 0,
        };
        for instance in machine.instances.ids() {
            let missing_from = missing.iter().find(|&&outer| machine.is_within(instance, outer));
            let place = match missing_from {
                Some(&outer) => divider.place_of(outer, &[outer]),
                None => divider.place(instance, division),
            };
            divider.of_instance[instance.0 as usize] = place;
            if let Some(place) = place {
                divider.components[place].instances.push(instance);
            }
        }
        if let Division::Given(_) = division {
            divider.rest = Some(divider.add("main"));
        }
        divider.singles = divider.components.len();
        divider
    }

    fn add(&mut self, name: &str) -> usize {
        let component = MachineComponent {
            name: name.to_owned(),
            instances: Vec::new(),
            own: Vec::new(),
            conjuncts: Vec::new(),
            is_missing: false,
        };
        self.components.push(component);
        self.components.len() - 1
    }

    /// Where an instance belongs that is not missing.
    fn place(&mut self, instance: InstanceId, division: &Division) -> Option<usize> {
        let parent = self.machine.instances[instance].parent?;
        let grandparent = self.machine.instances[parent].parent;
        match division {
            Division::Instances if grandparent.is_some() => self.of_instance[parent.0 as usize],
            Division::Instances | Division::Recursive => self.place_of(instance, &[]),
            Division::Given(groups) => {
                let group = groups.iter().find(|group| group.instances.contains(&instance));
                match group {
                    // An instance that is listed with a missing one is not missing itself.
                    Some(group) => {
                        let mut there = group.instances.clone();
                        there.retain(|&member| !self.is_missing(member));
                        self.place_of(instance, &there)
                    }
                    None => self.of_instance[parent.0 as usize],
                }
                .inspect(|&index| {
                    if let Some(group) = group {
                        self.components[index].name.clone_from(&group.name);
                    }
                })
            }
        }
    }

    /// The component that the first of some instances has, or a new one.
    fn place_of(&mut self, instance: InstanceId, of: &[InstanceId]) -> Option<usize> {
        let known = of.iter().find_map(|&member| self.of_instance[member.0 as usize]);
        let index = known.unwrap_or_else(|| {
            let name = self.machine.instances[instance].name.clone();
            self.add(&name)
        });
        self.components[index].is_missing |= self.is_missing(instance);
        Some(index)
    }

    fn is_missing(&self, instance: InstanceId) -> bool {
        self.machine.is_within_some(instance, self.missing)
    }

    /// Gives every variable to a component.
    fn own(&mut self, slice: &Slice) {
        let mut writers: Vec<Vec<InstanceId>> = vec![Vec::new(); self.machine.vars.len()];
        for conjunct in slice.conjuncts.iter().filter(|c| c.section != Section::Init) {
            if let Role::Assignment(var, _) | Role::Frame(var) = conjunct.role {
                writers[var.0 as usize].extend(&conjunct.writers);
            }
        }
        for (var, declared) in self.machine.vars.iter() {
            if declared.kind == VarKind::Input || !slice.contains(var) {
                continue;
            }
            let owner = self.owner(declared.instance, &writers[var.0 as usize]);
            let owner = owner.or(self.rest).unwrap_or_else(|| self.add(&declared.name));
            self.of_var[var.0 as usize] = Some(owner);
        }
    }

    /// Who owns a variable with these writers; `None` if it is a component by itself.
    fn owner(&self, declared: InstanceId, writers: &[InstanceId]) -> Option<usize> {
        if let Some(&missing) = writers.iter().find(|&&writer| self.is_missing(writer)) {
            return self.of_instance[missing.0 as usize];
        }
        let mut owners: Vec<usize> =
            writers.iter().filter_map(|writer| self.of_instance[writer.0 as usize]).collect();
        owners.sort_unstable();
        owners.dedup();
        match owners[..] {
            // A variable that another instance writes is known, wherever it is declared.
            [] if !writers.is_empty() && self.is_missing(declared) => None,
            [] => self.of_instance[declared.0 as usize],
            [owner] => Some(owner),
            _ => None,
        }
    }

    /// Makes one of the single variables that a constraint of the main module binds to each other.
    fn bind(&mut self, slice: &Slice) {
        for conjunct in self.constraints_of_main(slice) {
            let bound = self.owners(conjunct);
            if bound.len() > 1 && bound.iter().all(|&owner| owner >= self.singles) {
                for owner in self.of_var.iter_mut().flatten() {
                    if bound.contains(owner) {
                        *owner = bound[0];
                    }
                }
            }
        }
    }

    fn constraints_of_main<'s>(&self, slice: &'s Slice) -> Vec<&'s Conjunct> {
        let is_of_main = |conjunct: &&Conjunct| {
            let mut writers = conjunct.writers.iter();
            conjunct.section != Section::Init
                && matches!(conjunct.role, Role::Constraint(_))
                && writers.all(|writer| self.of_instance[writer.0 as usize].is_none())
        };
        slice.conjuncts.iter().filter(is_of_main).collect()
    }

    /// The owners of the variables that a conjunct speaks of, in order.
    fn owners(&self, conjunct: &Conjunct) -> Vec<usize> {
        let vars = conjunct.access.now.iter().chain(&conjunct.access.next);
        let mut owners: Vec<usize> = vars.filter_map(|var| self.of_var[var.0 as usize]).collect();
        owners.sort_unstable();
        owners.dedup();
        owners
    }

    fn collect(mut self, slice: &Slice) -> Vec<MachineComponent> {
        let owned = self.of_var.iter().enumerate();
        for (var, owner) in owned {
            if let Some(owner) = *owner {
                self.components[owner].own.push(VarId(var as u32));
            }
        }
        for conjunct in slice.conjuncts.iter().filter(|c| c.section != Section::Init) {
            if self.machine.is_unwritten(conjunct, self.missing) {
                continue;
            }
            let place = self.writer_of(conjunct);
            let place = place.or(self.rest).unwrap_or_else(|| self.add("main"));
            self.components[place].conjuncts.push(conjunct.clone());
        }
        let has_something =
            |c: &MachineComponent| c.is_missing || !c.own.is_empty() || !c.conjuncts.is_empty();
        self.components.into_iter().filter(has_something).collect()
    }

    /// Who says this; `None` if it is a constraint of the main module on several components.
    fn writer_of(&self, conjunct: &Conjunct) -> Option<usize> {
        match conjunct.role {
            Role::Assignment(var, _) | Role::Frame(var) => self.of_var[var.0 as usize],
            Role::Constraint(_) => {
                let of_writer = self.of_instance[conjunct.writers.first()?.0 as usize];
                of_writer.or_else(|| match self.owners(conjunct)[..] {
                    [owner] if !self.components[owner].is_missing => Some(owner),
                    _ => None,
                })
            }
        }
    }
}
