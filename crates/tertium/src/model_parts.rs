//! The processes of a Promela model and the instances of modules of an SMV file, each as a graph of its own states.

use crate::error::Error;
use crate::inspect::{Inspection, StateGraph};
use crate::model::{Form, Model};
use crate::options::Cancel;
use crate::transition_system::TransitionSystem;
use logic::evidence::valuation;
use model::{Kind, Mode, ModelBuilder};
use rustc_hash::FxHashMap;
use transition::VarId;

/// The instance that has the variables of the main module.
const MAIN: &str = "main alone";

/// A process or an instance of a module, by its variables; the location of a process is one.
#[derive(Clone, Debug)]
pub struct ModelPart {
    /// As it is called in the text; the main module by itself is `main alone`.
    pub name: String,
    variables: Vec<String>,
}

impl Model {
    /// The processes of a Promela model, or the instances of modules of an SMV file; none if there are less than two.
    pub fn parts(&self) -> Vec<ModelPart> {
        let Form::Finite(text) = self.form() else { return Vec::new() };
        let Ok(program) = text.transition_system() else { return Vec::new() };
        let machine = &program.document.machine;
        let mut parts: Vec<ModelPart> = Vec::new();
        for var in machine.state_vars() {
            let Some(owner) = owner(program, var) else { continue };
            let name = machine.vars[var].name.clone();
            match parts.iter_mut().find(|part| part.name == owner) {
                Some(part) => part.variables.push(name),
                None => parts.push(ModelPart { name: owner, variables: vec![name] }),
            }
        }
        if parts.len() < 2 { Vec::new() } else { parts }
    }
}

/// Whose variable it is: that of a process, or of an instance of a module; `None` for variables of all processes.
fn owner(program: &TransitionSystem, var: VarId) -> Option<String> {
    let name = &program.document.machine.vars[var].name;
    let is_process = program.document.statements.is_some();
    match is_process {
        true if name.starts_with('@') => None,
        true if program.is_control(var) => Some(name.clone()),
        true => name.split_once(':').map(|(process, _)| process.to_owned()),
        false => Some(name.rsplit_once('.').map_or(MAIN, |(instance, _)| instance).to_owned()),
    }
}

impl Inspection {
    /// The states of a part in the reachable states of a symbolic model, and the steps between them. Whether the part
    /// can take a step depends on the others, so all of them are may transitions.
    ///
    /// # Errors
    ///
    /// The work was stopped.
    pub fn part(&self, part: &ModelPart, cancel: &Cancel) -> Result<StateGraph, Error> {
        let (components, monitor) = (self.components(), cancel.monitor());
        let whole = components[0];
        let mut builder = ModelBuilder::new(Kind::Kmts, part.name.as_str());
        let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
        let mut own_states = Vec::new();
        for state in 0..whole.states() as u32 {
            if state % 1024 == 0 {
                monitor.step(1024)?;
            }
            let own = valuation(&whole.state_name(state)).into_iter();
            let own = own.filter(|(name, _)| part.variables.contains(name));
            let own: Vec<String> = own.map(|(name, value)| format!("{name}={value}")).collect();
            let name = own.join(",");
            let number =
                numbers.entry(name).or_insert_with_key(|name| builder.state(name.as_str()));
            own_states.push(*number);
        }
        whole.init().iter().for_each(|&state| builder.init(own_states[state as usize]));
        for (state, &from) in own_states.iter().enumerate() {
            for (target, _) in whole.edges().out(state as u32) {
                let to = own_states[target as usize];
                // Where it stays the same, others may have moved.
                if from != to {
                    builder.edge(from, None, Mode::MAY, to);
                }
            }
        }
        Ok(builder.finish())
    }
}
