//! The formats of an explanation: by flag, or by the ending of the file that is written.

use crate::input::is_dash;
use clap::{Args, ValueEnum};
use std::path::Path;
use tertium::Error;

/// A format that `explain` writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ExplainFormat {
    /// text for the terminal (.txt)
    Text,
    /// HTML page, in one file (.html)
    Html,
    /// SVG drawing (.svg)
    Svg,
    /// Graphviz graph (.dot)
    Dot,
    /// JSON object (.json)
    Json,
    /// sub-model in the native language (.tm)
    Tm,
    /// sub-model as an Aldebaran file (.aut)
    Aut,
    /// trace as a value change dump, for wave viewers such as GTKWave (.vcd)
    Vcd,
    /// trace in Apalache's Informal Trace Format (.itf.json)
    Itf,
    /// trace as NuSMV prints it
    Nusmv,
    /// trace in NuSMV's XML form, for its `read_trace` (.xml)
    NusmvXml,
    /// steps as of Spin's replay
    Spin,
}

/// By the ending of a file, the longer one first.
const ENDINGS: [(&str, ExplainFormat); 10] = [
    ("itf.json", ExplainFormat::Itf),
    ("json", ExplainFormat::Json),
    ("vcd", ExplainFormat::Vcd),
    ("html", ExplainFormat::Html),
    ("svg", ExplainFormat::Svg),
    ("dot", ExplainFormat::Dot),
    ("tm", ExplainFormat::Tm),
    ("aut", ExplainFormat::Aut),
    ("xml", ExplainFormat::NusmvXml),
    ("txt", ExplainFormat::Text),
];

/// The form of an explanation; by the ending of `--output` if none is given, else text.
#[derive(Args, Debug)]
#[group(multiple = false)]
pub(crate) struct Form {
    /// Format of the explanation [default: by the ending of --output, or text]
    #[arg(long, value_enum)]
    pub format: Option<ExplainFormat>,

    /// HTML page, in one file
    #[arg(long)]
    pub html: bool,

    /// SVG drawing
    #[arg(long)]
    pub svg: bool,

    /// Graphviz graph
    #[arg(long)]
    pub dot: bool,

    /// JSON object
    #[arg(long)]
    pub json: bool,

    /// Sub-model that the verdict depends on, in the native language
    #[arg(long)]
    pub tm: bool,

    /// Sub-model that the verdict depends on, as an Aldebaran file
    #[arg(long)]
    pub aut: bool,
}

impl Form {
    /// The format that the flags and the file ask for.
    pub fn chosen(&self, output: Option<&Path>) -> Result<ExplainFormat, Error> {
        let flags = [
            (self.html, ExplainFormat::Html),
            (self.svg, ExplainFormat::Svg),
            (self.dot, ExplainFormat::Dot),
            (self.json, ExplainFormat::Json),
            (self.tm, ExplainFormat::Tm),
            (self.aut, ExplainFormat::Aut),
        ];
        let flag = flags.into_iter().find(|(is_given, _)| *is_given).map(|(_, format)| format);
        match (self.format.or(flag), output.filter(|path| !is_dash(path))) {
            (Some(format), _) => Ok(format),
            (None, None) => Ok(ExplainFormat::Text),
            (None, Some(path)) => by_ending(path),
        }
    }
}

fn by_ending(path: &Path) -> Result<ExplainFormat, Error> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let is_end = |end: &str| name.strip_suffix(end).is_some_and(|rest| rest.ends_with('.'));
    let found = ENDINGS.into_iter().find(|(end, _)| is_end(end));
    found.map(|(_, format)| format).ok_or_else(|| {
        let known: Vec<String> = ENDINGS.iter().map(|(end, _)| format!(".{end}")).collect();
        Error::wrong(
            format!("the ending of `{}` is not one of a format", path.display()),
            &format!(
                "name a format with `--format`, or end the file with one of {}",
                known.join(", ")
            ),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_comes_before_the_ending() {
        let form = |format| Form {
            format,
            html: false,
            svg: false,
            dot: false,
            json: false,
            tm: false,
            aut: false,
        };
        let chosen = |form: &Form, path: &str| form.chosen(Some(Path::new(path))).ok();
        let none = form(None);
        for (end, format) in ENDINGS {
            assert_eq!(chosen(&none, &format!("dir.d/a.b.{end}")), Some(format), "{end}");
        }
        assert_eq!(chosen(&none, "A.JSON"), Some(ExplainFormat::Json));
        assert_eq!(chosen(&none, "-"), Some(ExplainFormat::Text));
        assert_eq!(none.chosen(None).ok(), Some(ExplainFormat::Text));
        for wrong in ["a", "json", "a.jsn", "a.", "a.vcd/b", ".html.x"] {
            assert_eq!(chosen(&none, wrong), None, "{wrong}");
        }
        assert_eq!(chosen(&form(Some(ExplainFormat::Spin)), "a.vcd"), Some(ExplainFormat::Spin));
        assert_eq!(chosen(&Form { dot: true, ..none }, "a.txt"), Some(ExplainFormat::Dot));
    }
}
