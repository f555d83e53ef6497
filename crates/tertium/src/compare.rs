//! Whether one model abstracts another.

use crate::convert::program_of;
use crate::error::Error;
use crate::explicit_model::{component_named, compose};
use crate::model::Model;
use crate::options::{Cancel, Deadlock, MOST_STATES};
use model::{CompareError, ComparedModel, ComparisonReport, System};
use std::sync::Arc;
use support::Monitor;

/// How two models are compared.
#[derive(Clone, Debug, Default)]
pub struct CompareOptions {
    /// Only this component of the concrete model, and of an abstract one that has several.
    pub component: Option<String>,
    /// The relation that has to hold between them.
    pub relation: CompareRelation,
    /// A handle by which another thread can stop the comparison.
    pub cancel: Cancel,
}

/// A relation between an abstract and a concrete model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum CompareRelation {
    /// Bisimulation between complete models, else mixed simulation.
    #[default]
    Auto,
    /// Mixed simulation: what the abstract model says for certain is so in the concrete one.
    Simulation,
    /// Bisimulation, between complete models only.
    Bisimulation,
}

/// Two models and whether the relation holds between them. The concrete one is the first.
pub struct ComparedModels {
    /// The models.
    pub models: [model::PartialModel; 2],
    /// The names of the models in messages.
    pub names: [String; 2],
    /// The relation, or the reason why there is none.
    pub comparison: ComparisonReport,
}

/// Decides whether one model abstracts another.
///
/// ```
/// let read = |text| tertium::Model::read("tm", "m.tm", text);
/// let concrete = read("component M kripke { props p; init s; s: {p} -> s; }")?;
/// let abstracted = read("component M kmts { props p; init a; a: {p?} -> a; }")?;
/// let options = tertium::CompareOptions::default();
/// assert!(tertium::compare(&concrete, &abstracted, &options)?.comparison.holds());
/// # Ok::<(), tertium::Error>(())
/// ```
///
/// # Errors
///
/// The models cannot be compared, the component is not there, or a limit was reached.
pub fn compare(
    concrete: &Model,
    abstracted: &Model,
    options: &CompareOptions,
) -> Result<ComparedModels, Error> {
    for model in [concrete, abstracted] {
        model.refuse_unsupported("compared")?;
    }
    let monitor = options.cancel.monitor();
    let component = options.component.as_deref();
    let (first, fine) = composition(concrete, ComparedModel::Concrete, component, monitor)?;
    let (second, coarse) = composition(abstracted, ComparedModel::Abstract, component, monitor)?;
    monitor.phase("comparing", 0);
    let comparison = match options.relation {
        CompareRelation::Auto => model::compare(&fine, &coarse, monitor),
        CompareRelation::Simulation => {
            model::mixed_simulation(&fine, &coarse, monitor).map(|relation| relation.comparison())
        }
        CompareRelation::Bisimulation => {
            for (model, composition) in [(concrete, &fine), (abstracted, &coarse)] {
                if !composition.is_complete() {
                    return Err(not_complete(&model.names().join(", ")));
                }
            }
            model::bisimulation(&fine, &coarse, monitor).map(|relation| relation.comparison())
        }
    };
    let comparison = comparison.map_err(|error| match error {
        CompareError::Stopped(stopped) => Error::Stopped(stopped),
        error => Error::message(error.to_string()),
    })?;
    Ok(ComparedModels { models: [fine, coarse], names: [first, second], comparison })
}

/// One of the two models as one component, with its name.
fn composition(
    model: &Model,
    side: ComparedModel,
    component: Option<&str>,
    monitor: &Monitor,
) -> Result<(String, model::PartialModel), Error> {
    let mut system = system_of(model, monitor)?;
    if system.has_covers() {
        // It has the same refinements, and a simulation speaks of states one by one.
        system = system.reduced();
    }
    let file = model.names().join(", ");
    let Some(name) = component else { return Ok((file, compose(system, monitor)?)) };
    let is_only = system.components.len() == 1;
    let number = match side {
        // An abstraction that stands alone may be called otherwise.
        ComparedModel::Abstract if is_only => 0,
        _ => component_alike(&file, name, &system)?,
    };
    let model = system.components.swap_remove(number).model;
    let name = if is_only { file } else { format!("{} of {file}", model.name) };
    Ok((name, model))
}

/// The model as components, a model by variables as its reachable states.
pub(crate) fn system_of(model: &Model, monitor: &Monitor) -> Result<System, Error> {
    if let Some(system) = model.components() {
        return Ok(system.clone());
    }
    let program = program_of(model)?;
    let all: Vec<usize> = (0..program.all.len()).collect();
    let states = program.states(&all, Deadlock::Warn, false, MOST_STATES, monitor)?;
    Ok(Arc::unwrap_or_clone(Arc::unwrap_or_clone(states).system))
}

/// The component of that name, or the one that has a name in only one of the two models: that of a file such as
/// `my-sender.aut` is written `my_sender` in a `.tm` file.
fn component_alike(file: &str, name: &str, system: &System) -> Result<usize, Error> {
    component_named(file, name, system).or_else(|error| {
        let wanted = front::component_name(name);
        let mut names =
            system.components.iter().map(|part| front::component_name(&part.model.name));
        names.position(|known| known == wanted).ok_or(error)
    })
}

fn not_complete(name: &str) -> Error {
    let message = format!("bisimulation is for complete models; `{name}` is partial");
    Error::message(message).with_help("compare partial models with `--relation simulation`")
}
