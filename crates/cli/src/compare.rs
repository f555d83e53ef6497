//! `tertium compare`: whether one model abstracts another.

use crate::Status;
use crate::console::colour_of_stdout;
use crate::flags::{Compare, Relation};
use crate::input::{self, Trouble, name_in_json};
use crate::load::{component_named, compose, load};
use crate::supervisor::{Session, run_telling};
use model::{CompareError, ComparedModel, Comparison, Model, System};
use report::{CompareDocument, Compared};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub fn run(flags: Compare) -> Status {
    let flags = Arc::new(flags);
    let worker = flags.clone();
    let nothing = |reason: &str, _| {
        flags.json.then(|| report::to_json(&document(&flags, None, Some(reason.to_owned()))))
    };
    run_telling(&flags.limits, &[], nothing, move |session| compare(&worker, session))
}

fn compare(flags: &Compare, session: &Session<String>) -> Result<Status, Trouble> {
    if input::is_dash(&flags.concrete) && input::is_dash(&flags.abstraction) {
        return Err(input::standard_input_twice());
    }
    let concrete = read(&flags.concrete, ComparedModel::Concrete, flags, session)?;
    let abstracted = read(&flags.abstraction, ComparedModel::Abstract, flags, session)?;
    session.monitor.phase("comparing", 0);
    let comparison = relate(flags, &concrete.model, &abstracted.model, session)?;
    let compared = Compared {
        concrete: &concrete.model,
        abstracted: &abstracted.model,
        names: [&concrete.name, &abstracted.name],
    };
    session.tell(if flags.json {
        let why = comparison.failure.as_ref().map(|failure| compared.sentence(failure));
        report::to_json(&document(flags, Some(&comparison), why))
    } else {
        compared.to_text(&comparison, colour_of_stdout())
    });
    Ok(if comparison.holds() { Status::Good } else { Status::Bad })
}

/// One of the two models, and what the user calls it.
struct Named {
    name: String,
    model: Model,
}

fn read(
    path: &PathBuf,
    side: ComparedModel,
    flags: &Compare,
    session: &Session<String>,
) -> Result<Named, Trouble> {
    let loaded = load(std::slice::from_ref(path), None, &session.monitor)?;
    session.remark(loaded.warnings_for(&flags.limits));
    match &flags.component {
        Some(component) => choose(path, loaded.system, component, side),
        None => {
            let model = compose(loaded.system, &session.monitor)?;
            Ok(Named { name: path.display().to_string(), model })
        }
    }
}

/// The component that `--component` names; an abstraction that stands alone may be called otherwise.
fn choose(
    path: &Path,
    mut system: System,
    name: &str,
    side: ComparedModel,
) -> Result<Named, Trouble> {
    let file = path.display().to_string();
    let is_only = system.components.len() == 1;
    let number = match side {
        ComparedModel::Abstract if is_only => 0,
        _ => component_alike(&file, name, &system)?,
    };
    let model = system.components.swap_remove(number).model;
    let name = if is_only { file } else { format!("{} of {file}", model.name) };
    Ok(Named { name, model })
}

/// The component of that name, or the one that has a name in only one of the two models: that of a file
/// such as `my-sender.aut` is written `my_sender` in a `.tm` file.
fn component_alike(file: &str, name: &str, system: &System) -> Result<usize, Trouble> {
    component_named(file, name, system).or_else(|trouble| {
        let wanted = front::component_name(name);
        let mut names =
            system.components.iter().map(|part| front::component_name(&part.model.name));
        names.position(|known| known == wanted).ok_or(trouble)
    })
}

fn relate(
    flags: &Compare,
    concrete: &Model,
    abstracted: &Model,
    session: &Session<String>,
) -> Result<Comparison, Trouble> {
    let monitor = &session.monitor;
    let comparison = match flags.relation {
        Relation::Auto => model::compare(concrete, abstracted, monitor),
        Relation::Simulation => model::mixed_simulation(concrete, abstracted, monitor)
            .map(|relation| relation.comparison()),
        Relation::Bisimulation => {
            for (model, path) in [(concrete, &flags.concrete), (abstracted, &flags.abstraction)] {
                if !model.is_complete() {
                    return Err(not_complete(path));
                }
            }
            model::bisimulation(concrete, abstracted, monitor).map(|relation| relation.comparison())
        }
    };
    comparison.map_err(|error| match error {
        CompareError::Stopped(stopped) => Trouble::Stopped(stopped),
        error => Trouble::message(error.to_string()),
    })
}

fn not_complete(path: &Path) -> Trouble {
    let name = path.display();
    Trouble::message(format!("bisimulation is for complete models; `{name}` leaves something open"))
        .with_help("compare partial models with `--relation simulation`")
}

fn document(
    flags: &Compare,
    comparison: Option<&Comparison>,
    reason: Option<String>,
) -> CompareDocument {
    CompareDocument {
        tool: "tertium",
        version: env!("CARGO_PKG_VERSION"),
        files: [name_in_json(&flags.concrete), name_in_json(&flags.abstraction)],
        relation: comparison.map(|comparison| report::name_of_relation(comparison.method)),
        holds: comparison.map(Comparison::holds),
        reason,
    }
}
