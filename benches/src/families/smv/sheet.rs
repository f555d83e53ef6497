//! Writes `.smv` files: prose, the main module with its parts, the specifications, the other modules.

use super::Formula;
use std::fmt::Write;

pub struct Sheet {
    pub broken: bool,
    /// The width of irrelevant data.
    pub data: Option<u32>,
    prose: String,
    parts: Vec<(String, String)>,
    definitions: Vec<(String, String)>,
    /// What stands in the modules for something that depends on the size.
    replacements: Vec<(&'static str, String)>,
}

pub fn truth(value: bool) -> String {
    if value { "TRUE" } else { "FALSE" }.to_owned()
}

impl Sheet {
    pub fn new(broken: bool, data: Option<u32>) -> Self {
        Self {
            broken,
            data,
            prose: String::new(),
            parts: Vec::new(),
            definitions: Vec::new(),
            replacements: Vec::new(),
        }
    }

    /// A comment of as many lines as the text has.
    pub fn prose(&mut self, text: &str) {
        for line in text.split('\n') {
            self.prose.push_str(format!("-- {line}").trim_end());
            self.prose.push('\n');
        }
    }

    /// An instance under `main`.
    pub fn part(
        &mut self,
        name: impl Into<String>,
        module: &str,
        arguments: impl IntoIterator<Item = String>,
    ) {
        let arguments: Vec<String> = arguments.into_iter().collect();
        let call = match &*arguments {
            [] => module.to_owned(),
            _ => format!("{module}({})", arguments.join(", ")),
        };
        self.parts.push((name.into(), call));
    }

    /// The same for a part that may be the faulty one: in a broken member its last argument says so.
    pub fn part_at_risk(
        &mut self,
        name: impl Into<String>,
        module: &str,
        arguments: impl IntoIterator<Item = String>,
        is_faulty: bool,
    ) {
        let fault = self.broken.then(|| truth(is_faulty));
        self.part(name, module, arguments.into_iter().chain(fault));
    }

    pub fn define(&mut self, name: &str, value: String) {
        self.definitions.push((name.to_owned(), value));
    }

    pub fn replace(&mut self, mark: &'static str, text: String) {
        self.replacements.push((mark, text));
    }

    pub fn finish(self, formulas: &[Formula], modules: &str) -> String {
        let mut text = self.prose + "\nMODULE main\nVAR\n";
        let line = "a string has room";
        for (name, call) in &self.parts {
            writeln!(text, "  {name} : {call};").expect(line);
        }
        if !self.definitions.is_empty() {
            text.push_str("DEFINE\n");
        }
        for (name, value) in &self.definitions {
            writeln!(text, "  {name} := {value};").expect(line);
        }
        for Formula { label, text: formula, .. } in formulas {
            writeln!(text, "CTLSPEC NAME {label} := {formula};").expect(line);
        }
        let replaced =
            |modules: String, (mark, value): &(&str, String)| modules.replace(mark, value);
        let modules = choose(modules, self.broken, self.data);
        text + "\n" + &self.replacements.iter().fold(modules, replaced)
    }
}

/// The lines of modules that a member has. Those that begin with `@fault` are for broken ones only, with
/// `@sound` for others; with `@data` for those that carry words of irrelevant data, where `@W` is their
/// width, with `@plain` for others.
fn choose(modules: &str, broken: bool, data: Option<u32>) -> String {
    let marks = [
        ("@fault ", broken),
        ("@sound ", !broken),
        ("@data ", data.is_some()),
        ("@plain ", data.is_none()),
    ];
    let width = data.unwrap_or_default().to_string();
    let chosen = |line: &str| {
        let mut line = line;
        while let Some((mark, is_chosen)) = marks.iter().find(|(mark, _)| line.starts_with(mark)) {
            line = is_chosen.then(|| &line[mark.len()..])?;
        }
        Some(line.replace("@W", &width) + "\n")
    };
    modules.lines().filter_map(chosen).collect()
}

#[cfg(test)]
mod tests {
    use super::choose;

    #[test]
    fn lines_are_chosen() {
        let text =
            "always\n@fault if broken\n@sound @data if sound with @W bits\n@plain   indented";
        assert_eq!(choose(text, true, None), "always\nif broken\n  indented\n");
        assert_eq!(choose(text, false, Some(8)), "always\nif sound with 8 bits\n");
    }
}
