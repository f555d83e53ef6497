//! Helpers of the tests.

use front::promela::{FAIL, Processes, PromelaModel, processes, read_promela};
use model::{Component, Kind, Mode, ModelBuilder, PartialModel, System};
use support::{FileId, Monitor};

pub fn read(text: &str) -> PromelaModel {
    read_promela(FileId(0), text).unwrap_or_else(|errors| panic!("{errors:#?}\n{text}"))
}

pub fn apart(text: &str) -> Processes {
    processes(&read(text), &Monitor::new()).unwrap_or_else(|errors| panic!("{errors:#?}\n{text}"))
}

/// `message [what is underlined: label]`
pub fn refused(text: &str) -> String {
    let errors = processes(&read(text), &Monitor::new()).expect_err("refused");
    let (span, label) = &errors[0].labels[0];
    format!("{} [{}: {label}]", errors[0].message, &text[span.range()])
}

pub fn composition(system: &System) -> PartialModel {
    system.compose(&Monitor::new()).expect("components start")
}

/// Whether something can go wrong.
pub fn fails(system: &System) -> bool {
    fails_within(system, u32::MAX).expect("it is no larger than that")
}

/// Whether an assertion can fail, if there are no more than so many states.
pub fn fails_within(system: &System, most: u32) -> Option<bool> {
    let composition = system.composed_within(most, &Monitor::new()).expect("components start")?;
    Some(shows(&composition).iter().any(|action| action == FAIL))
}

/// All actions that can happen, sorted.
pub fn shows(model: &PartialModel) -> Vec<String> {
    let mut seen: Vec<String> = (0..model.states() as u32)
        .flat_map(|state| model.edges().out(state))
        .filter_map(|(_, class)| Some(model.actions().name(class.action?).to_owned()))
        .collect();
    seen.sort();
    seen.dedup();
    seen
}

/// The number of a component.
pub fn component(processes: &Processes, name: &str) -> usize {
    let mut components = processes.system.components.iter();
    components.position(|component| component.model.name == name).expect("a component")
}

/// The quotient by the class of each state.
pub fn quotient(model: &PartialModel, classes: &[u32]) -> PartialModel {
    let mut builder = ModelBuilder::new(Kind::Lts, model.name.clone());
    for class in 0..=classes.iter().copied().max().unwrap_or(0) {
        builder.state(format!("C{class}"));
    }
    model.init().iter().for_each(|&state| builder.init(classes[state as usize]));
    for state in 0..model.states() as u32 {
        for (target, class) in model.edges().out(state) {
            let action = class.action.map(|action| builder.action(model.actions().name(action)));
            let (from, to) = (classes[state as usize], classes[target as usize]);
            builder.edge(from, action, Mode::BOTH, to);
        }
    }
    builder.finish()
}

/// The system with another model for one component.
pub fn replaced(system: &System, component: usize, model: PartialModel) -> System {
    let mut system = system.clone();
    system.components[component] = Component { model, is_unknown: false };
    system
}
