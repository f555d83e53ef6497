//! The files that `assume` writes: the assumption in several formats, and the certificate.

use super::subject::Subject;
use super::verdict::Found;
use super::{Stand, as_assumed, with_all};
use crate::flags::Assume;
use crate::input::{self, Trouble};
use crate::output;
use ::assume::certificate;
use front::promela::write_with_assumption;
use logic::Truth;
use model::{Component, Model, Sync, System};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Tm,
    Aut,
    Dot,
    /// The Promela model with the assumption in place.
    Promela,
}

pub struct Emission<'a> {
    outputs: Vec<(&'a PathBuf, Format)>,
    certificate: Option<&'a PathBuf>,
    is_whole: bool,
}

fn format_of(path: &Path) -> Result<Format, Trouble> {
    match path.extension().and_then(|ending| ending.to_str()).unwrap_or_default() {
        "tm" => Ok(Format::Tm),
        "aut" => Ok(Format::Aut),
        "dot" => Ok(Format::Dot),
        "pml" | "prom" => Ok(Format::Promela),
        _ if input::is_dash(path) => Err(Trouble::message(
            "an assumption is written to a file, whose ending names the format: .tm, .aut or .dot",
        )),
        _ => Err(Trouble::message(format!("the ending of `{}` names no format", path.display()))
            .with_help("an assumption is written to .tm, .aut or .dot, that of a Promela process also to .pml")),
    }
}

/// Where a file will be, if it is not there yet.
fn place_of(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize();
    match (folder, path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

/// Each file is another one, none is read, and all can be written.
pub fn can_be_written(
    outputs: &[PathBuf],
    certificate: Option<&Path>,
    inputs: &[PathBuf],
) -> Result<(), Trouble> {
    if certificate.is_some_and(input::is_dash) {
        return Err(Trouble::message(
            "a certificate is no text for standard output: give `--certificate` a file",
        ));
    }
    let all: Vec<&Path> = outputs.iter().map(|path| &**path).chain(certificate).collect();
    for (at, path) in all.iter().enumerate() {
        if all[..at].iter().any(|other| place_of(other) == place_of(path)) {
            let message = format!("`{}` would be written twice", path.display());
            return Err(Trouble::message(message).with_help("give each its own file"));
        }
        output::is_no_input(path, inputs)?;
        output::try_writing(path).map_err(|error| output::unwritable(path, &error))?;
    }
    Ok(())
}

impl<'a> Emission<'a> {
    /// What is to be written; nothing is made if it could not be.
    pub fn new(flags: &'a Assume) -> Result<Self, Trouble> {
        let mut outputs = Vec::new();
        for path in &flags.output {
            let format = format_of(path)?;
            if flags.whole && format != Format::Tm {
                return Err(Trouble::message("`--whole` writes a system, and that is a .tm file"));
            }
            outputs.push((path, format));
        }
        let certificate = flags.certificate.as_ref();
        can_be_written(&flags.output, certificate.map(|path| &**path), &flags.files)?;
        Ok(Self { outputs, certificate, is_whole: flags.whole })
    }

    /// One file holds one assumption, unless it can hold several, and Promela comes from Promela.
    pub fn fits(&self, subject: &Subject, numbers: &[usize]) -> Result<(), Trouble> {
        if let Some((path, _)) = self.outputs.iter().find(|(_, format)| *format == Format::Promela)
            && subject.promela.is_none()
        {
            let message =
                format!("`{}` cannot be written: this is no Promela model", path.display());
            return Err(Trouble::message(message));
        }
        let is_single = |format: Format| format != Format::Tm;
        match self.outputs.iter().find(|(_, format)| is_single(*format)) {
            Some((path, _)) if numbers.len() > 1 => Err(Trouble::message(format!(
                "`{}` holds one assumption, and there will be {}",
                path.display(),
                numbers.len()
            ))
            .with_help("a .tm file holds several")),
            _ => Ok(()),
        }
    }

    /// Writes everything; what could not be, and why, is for a person.
    pub fn write(
        &self,
        subject: &Subject,
        stands: &[Stand],
        safety: &Model,
        found: &Found,
    ) -> Result<String, Trouble> {
        for (path, format) in &self.outputs {
            let written = match format {
                Format::Tm if self.is_whole => {
                    let legend = stands.iter().map(legend).collect::<String>();
                    let text =
                        front::write_tm(&with_all(&subject.system, stands), &subject.safeties, &[]);
                    output::write(path, &format!("{legend}{text}"))
                }
                Format::Tm => output::write(path, &as_tm(stands)),
                Format::Promela => output::write(path, &as_promela(subject, &stands[0])?),
                Format::Aut | Format::Dot => write_model(path, *format, &stands[0].assumption)?,
            };
            written.map_err(|error| output::unwritable(path, &error))?;
        }
        match self.certificate {
            Some(path) => write_certificate(path, subject, stands, safety, found),
            None => Ok(String::new()),
        }
    }
}

fn write_model(path: &Path, format: Format, model: &Model) -> Result<io::Result<()>, Trouble> {
    output::replace(path, |out| match format {
        Format::Aut => output::write_aut(model, out),
        _ => Ok(front::write_dot(model, out)),
    })
}

/// The assumptions as components that can take the places of their processes.
fn as_tm(stands: &[Stand]) -> String {
    let components = stands
        .iter()
        .map(|stand| Component { model: stand.assumption.clone(), is_unknown: false })
        .collect();
    let system = System { components, sync: Sync::default() };
    let legend = stands.iter().map(legend).collect::<String>();
    format!("{legend}{}", front::write_tm(&system, &[], &[]))
}

/// The model with the assumption in the place of the process.
fn as_promela(subject: &Subject, stand: &Stand) -> Result<String, Trouble> {
    let Some(promela) = &subject.promela else { return Ok(String::new()) };
    let comments: Vec<String> =
        as_assumed(stand).members().iter().map(|names| some(names)).collect();
    let (number, assumption) = (stand.number, &stand.assumption);
    let (text, program, processes) = (promela.text(), &promela.program, &promela.processes);
    write_with_assumption(text, program, processes, number, assumption, &comments)
        .map_err(|fault| promela.trouble(fault))
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

/// What each class stands for, as comments.
fn legend(stand: &Stand) -> String {
    let Stand { process, assumption, .. } = stand;
    let name = in_a_line(&process.name);
    let mut text = format!("// An assumption that stands for `{name}`. Its states:\n");
    for (names, class) in as_assumed(stand).members().iter().zip(0..) {
        let class = in_a_line(&assumption.state_name(class));
        text.push_str(&format!("//   {class}: {}\n", some(names)));
    }
    text
}

/// Writes why the verdict is right, if it is known; if it is not, that is for a person.
pub fn write_certificate(
    path: &Path,
    subject: &Subject,
    stands: &[Stand],
    safety: &Model,
    found: &Found,
) -> Result<String, Trouble> {
    let shown = match found.verdict {
        Truth::True => true,
        Truth::False => found.error.is_some(),
        Truth::Unknown => false,
    };
    if !shown {
        return Ok(format!(
            "Warning: `{}` is not written: there is nothing to show\n",
            path.display()
        ));
    }
    let claimed = |stand: &Stand| {
        let process = &subject.system.components[stand.number].model;
        let class_of = &stand.made.equivalence.class_of;
        audit::ClaimedAssumption::new(process, &stand.assumption, class_of)
    };
    let assumptions = stands.iter().map(claimed).collect();
    let replaced = with_all(&subject.system, stands);
    let bytes = certificate(&replaced, assumptions, safety, found.error.as_ref());
    let written = output::replace(path, |out| Ok::<_, Trouble>(out.write_all(&bytes)))?;
    written.map_err(|error| output::unwritable(path, &error))?;
    Ok(String::new())
}
