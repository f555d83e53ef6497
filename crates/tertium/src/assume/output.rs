//! Assumptions in several formats.

use super::model::{ProcessSource, SafetyModel};
use super::{MadeAssumption, SafetyAnswer};
use crate::convert::Converted;
use crate::error::Error;
use crate::language::Language;
use ::model::{Component, Sync, System};
use front::LANGUAGES;
use report::AssumedProcess;
use std::path::{Path, PathBuf};

#[derive(Clone, Copy)]
enum Format {
    Tm,
    Aut,
    Dot,
    /// The text that the processes come from, with the assumption in place.
    Origin(Language),
}

fn format_of(path: &Path) -> Result<Format, Error> {
    let origin = front::language_of(path).filter(|language| language.by_processes().is_some());
    if let Some(language) = origin {
        return Ok(Format::Origin(language));
    }
    match path.extension().and_then(|ending| ending.to_str()).unwrap_or_default() {
        "tm" => Ok(Format::Tm),
        "aut" => Ok(Format::Aut),
        "dot" => Ok(Format::Dot),
        _ if path == Path::new("-") => Err(Error::message(
            "an assumption is written to a file, whose ending names the format: .tm, .aut or .dot",
        )),
        _ => {
            let message = format!("the ending of `{}` names no format", path.display());
            let origins = LANGUAGES.iter().filter(|language| language.by_processes().is_some());
            let origins = origins.map(|language| {
                let (title, ending) = (language.title(), language.endings()[0]);
                format!(", that of a process of {title} also to .{ending}")
            });
            Err(Error::message(message).with_help(format!(
                "an assumption is written to .tm, .aut or .dot{}",
                origins.collect::<String>()
            )))
        }
    }
}

/// Each file has a format, and the composition is a `.tm` file.
pub fn have_formats(outputs: &[PathBuf], system: bool) -> Result<(), Error> {
    for path in outputs {
        if !matches!(format_of(path)?, Format::Tm) && system {
            return Err(Error::message("`--system` writes a system, and that is a .tm file"));
        }
    }
    Ok(())
}

/// Checks that each file can hold its assumptions: only `.tm` holds several, and a Promela file needs a Promela model
/// to start from.
pub fn fits(outputs: &[PathBuf], model: &SafetyModel, assumptions: usize) -> Result<(), Error> {
    let origin = model.origin.as_ref().map(|origin| origin.language.name());
    for path in outputs {
        let file = path.display();
        match format_of(path)? {
            Format::Origin(language) if origin != Some(language.name()) => {
                let title = language.title();
                let message = format!("`{file}` cannot be written: the model is not {title}");
                return Err(Error::message(message));
            }
            Format::Aut | Format::Dot | Format::Origin(_) if assumptions > 1 => {
                let message =
                    format!("`{file}` can hold one assumption, and there are {assumptions}");
                return Err(Error::message(message).with_help("a .tm file holds several"));
            }
            _ => {}
        }
    }
    Ok(())
}

impl SafetyAnswer<'_> {
    /// The assumptions in the format of this file, or the composition with them in place (`.tm`).
    ///
    /// # Errors
    ///
    /// The ending of the file names no format, or the format cannot say what the assumption says.
    pub fn output(&self, file: &Path, system: bool) -> Result<Converted, Error> {
        let format = format_of(file)?;
        let legend = || self.assumptions.iter().map(legend).collect::<String>();
        let first = self.assumptions.first();
        match (format, first, &self.model.origin) {
            (Format::Tm, ..) if system => {
                let text = front::write_tm(&self.replaced(), &self.model.safeties, &[]);
                Ok(Converted::text(format!("{}{text}", legend())))
            }
            (Format::Origin(_), Some(made), Some(origin)) => in_place(origin, made),
            (Format::Aut, Some(made), _) => Converted::aut(made.assumption.clone()),
            (Format::Dot, Some(made), _) => Ok(Converted::dot(made.assumption.clone())),
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
}

/// The model with the assumption in the place of the process.
fn in_place(origin: &ProcessSource, made: &MadeAssumption) -> Result<Converted, Error> {
    let comments: Vec<String> = members(made).iter().map(|names| some(names)).collect();
    let written = origin.form.write_with_assumption(made.number, &made.assumption, &comments);
    written.map(Converted::text).map_err(|fault| Error::of(vec![fault], &origin.sources))
}

/// By class: the names of its states.
fn members(made: &MadeAssumption) -> Vec<Vec<String>> {
    let MadeAssumption { process, assumption, made, .. } = made;
    AssumedProcess { process, assumption, made }.members()
}

/// The most names in a comment.
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
    let mut text = format!("// Assumption that replaces `{name}`. Its states:\n");
    for (names, class) in members(made).iter().zip(0..) {
        let class = in_a_line(&made.assumption.state_name(class));
        text.push_str(&format!("//   {class}: {}\n", some(names)));
    }
    text
}
