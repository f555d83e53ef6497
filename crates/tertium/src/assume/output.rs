//! Assumptions in several formats.

use super::model::SafetyModel;
use super::{MadeAssumption, SafetyAnswer};
use crate::convert::Converted;
use crate::error::Error;
use ::model::{Component, Sync, System};
use report::AssumedProcess;
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Tm,
    Aut,
    Dot,
    /// The Promela model with the assumption in place.
    Promela,
}

fn format_of(path: &Path) -> Result<Format, Error> {
    match path.extension().and_then(|ending| ending.to_str()).unwrap_or_default() {
        "tm" => Ok(Format::Tm),
        "aut" => Ok(Format::Aut),
        "dot" => Ok(Format::Dot),
        "pml" | "prom" | "promela" => Ok(Format::Promela),
        _ if path == Path::new("-") => Err(Error::message(
            "an assumption is written to a file, whose ending names the format: .tm, .aut or .dot",
        )),
        _ => {
            let message = format!("the ending of `{}` names no format", path.display());
            Err(Error::message(message).with_help(
                "an assumption is written to .tm, .aut or .dot, that of a Promela process also to \
                 .pml",
            ))
        }
    }
}

/// Each file has a format, and a whole system is a `.tm` file.
pub fn have_formats(outputs: &[PathBuf], is_whole: bool) -> Result<(), Error> {
    for path in outputs {
        if format_of(path)? != Format::Tm && is_whole {
            return Err(Error::message("`--whole` writes a system, and that is a .tm file"));
        }
    }
    Ok(())
}

/// One file holds one assumption, unless it can hold several, and Promela comes from Promela.
pub fn fits(outputs: &[PathBuf], model: &SafetyModel, assumptions: usize) -> Result<(), Error> {
    let first = |is_so: fn(Format) -> bool| {
        outputs.iter().find(|path| format_of(path).is_ok_and(is_so)).map(|path| path.display())
    };
    if let (Some(path), None) = (first(|format| format == Format::Promela), &model.promela) {
        let message = format!("`{path}` cannot be written: this is no Promela model");
        return Err(Error::message(message));
    }
    match first(|format| format != Format::Tm) {
        Some(path) if assumptions > 1 => {
            let message = format!("`{path}` holds one assumption, and there will be {assumptions}");
            Err(Error::message(message).with_help("a .tm file holds several"))
        }
        _ => Ok(()),
    }
}

impl SafetyAnswer<'_> {
    /// The assumptions in the format of this file, or the whole system with them in place (`.tm`).
    ///
    /// # Errors
    ///
    /// The ending of the file names no format, or the format cannot say what the assumption says.
    pub fn output(&self, file: &Path, whole: bool) -> Result<Converted, Error> {
        let format = format_of(file)?;
        let legend = || self.assumptions.iter().map(legend).collect::<String>();
        let first = self.assumptions.first();
        match (format, first) {
            (Format::Tm, _) if whole => {
                let text = front::write_tm(&self.replaced(), &self.model.safeties, &[]);
                Ok(Converted::text(format!("{}{text}", legend())))
            }
            (Format::Promela, Some(made)) => self.as_promela(made),
            (Format::Aut, Some(made)) => Converted::aut(made.assumption.clone()),
            (Format::Dot, Some(made)) => Ok(Converted::dot(made.assumption.clone())),
            _ => {
                let text = front::write_tm(&self.alone(), &[], &[]);
                Ok(Converted::text(format!("{}{text}", legend())))
            }
        }
    }

    /// The assumptions as components that can take the places of their processes.
    fn alone(&self) -> System {
        let component = |made: &MadeAssumption| {
            let model = made.assumption.clone();
            Component { model, is_unknown: false }
        };
        let components = self.assumptions.iter().map(component).collect();
        System { components, sync: Sync::default() }
    }

    /// The model with the assumption in the place of the process.
    fn as_promela(&self, made: &MadeAssumption) -> Result<Converted, Error> {
        let Some(promela) = &self.model.promela else {
            return Err(Error::message("this is no Promela model"));
        };
        let comments: Vec<String> = members(made).iter().map(|names| some(names)).collect();
        promela
            .form
            .write_with_assumption(made.number, &made.assumption, &comments)
            .map(Converted::text)
            .map_err(|fault| Error::of(vec![fault], &promela.sources))
    }
}

/// By class: the names of its states.
fn members(made: &MadeAssumption) -> Vec<Vec<String>> {
    let MadeAssumption { process, assumption, made, .. } = made;
    AssumedProcess { process, assumption, made }.members()
}

/// As many names as somebody wants to read in a comment.
fn some(names: &[String]) -> String {
    const NAMED: usize = 12;
    let more = match names.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let some = names[..names.len().min(NAMED)].join(", ");
    format!("{}{more}", in_a_line(&some))
}

/// A comment ends with its line.
fn in_a_line(name: &str) -> String {
    name.replace(char::is_control, " ")
}

/// The states that each class stands for, as comments.
fn legend(made: &MadeAssumption) -> String {
    let name = in_a_line(&made.process.name);
    let mut text = format!("// An assumption that stands for `{name}`. Its states:\n");
    for (names, class) in members(made).iter().zip(0..) {
        let class = in_a_line(&made.assumption.state_name(class));
        text.push_str(&format!("//   {class}: {}\n", some(names)));
    }
    text
}
