//! `tertium compare`: whether one model abstracts another.

use crate::Status;
use crate::console::colour_of_stdout;
use crate::flags::{Compare, Relation};
use crate::input::{self, Files, is_dash, name_in_json};
use crate::supervisor::{Session, run_telling};
use report::{CompareDocument, Compared};
use std::path::PathBuf;
use std::sync::Arc;
use tertium::{CompareOptions, CompareRelation, Error, Model};

pub fn run(flags: Compare, loader: &Files) -> Status {
    let flags = Arc::new(flags);
    let (worker, loader) = (flags.clone(), loader.clone());
    let nothing = |reason: &str, _| {
        let document = CompareDocument { reason: Some(reason.to_owned()), ..document(&flags) };
        flags.json.then(|| report::to_json(&document))
    };
    run_telling(&flags.limits, flags.json, &[], nothing, move |session| {
        compare(&worker, &loader, session)
    })
}

fn compare(flags: &Compare, loader: &Files, session: &Session<String>) -> Result<Status, Error> {
    if is_dash(&flags.concrete) && is_dash(&flags.abstraction) {
        let message = "standard input is named twice, and can be read only once";
        return Err(Error::wrong(message, ""));
    }
    let options = CompareOptions {
        component: flags.component.clone(),
        relation: match flags.relation {
            Relation::Auto => CompareRelation::Auto,
            Relation::Simulation => CompareRelation::Simulation,
            Relation::Bisimulation => CompareRelation::Bisimulation,
        },
        cancel: session.cancel.clone(),
    };
    let read = |path: &PathBuf| -> Result<Model, Error> {
        let (files, language) = (std::slice::from_ref(path), flags.language.as_deref());
        let model = input::input(files, None, language, loader, &session.cancel).read()?;
        session.warn(&model.warnings(), &flags.limits);
        Ok(model)
    };
    let (concrete, abstracted) = (read(&flags.concrete)?, read(&flags.abstraction)?);
    let found = tertium::compare(&concrete, &abstracted, &options)?;
    let ([concrete, abstracted], [first, second]) = (&found.models, &found.names);
    let shown = Compared { concrete, abstracted, names: [first, second] };
    let comparison = &found.comparison;
    session.tell(if flags.json {
        report::to_json(&CompareDocument {
            relation: Some(report::name_of_relation(comparison.method)),
            holds: Some(comparison.holds()),
            reason: comparison.failure.as_ref().map(|failure| shown.sentence(failure)),
            ..document(flags)
        })
    } else {
        shown.to_text(comparison, colour_of_stdout())
    });
    Ok(if comparison.holds() { Status::Good } else { Status::Bad })
}

/// Nothing is known yet.
fn document(flags: &Compare) -> CompareDocument {
    CompareDocument {
        tool: "tertium",
        version: env!("CARGO_PKG_VERSION"),
        format: report::JSON_FORMAT,
        files: [name_in_json(&flags.concrete), name_in_json(&flags.abstraction)],
        relation: None,
        holds: None,
        reason: None,
    }
}
