//! Questions of the page as command lines of the program.

use crate::child::{Child, internal};
use crate::fault::{Fault, FaultKind};
use crate::protocol::{FormulaQuery, Order};
use crate::session::ServerState;
use serde::Deserialize;

/// Parameters of both commands.
#[derive(Deserialize)]
struct Common {
    method: Option<String>,
    deadlock: Option<String>,
    semantics: Option<String>,
    #[serde(default)]
    assume: Vec<String>,
    timeout: Option<f64>,
    memory: Option<u64>,
    states: Option<u64>,
}

#[derive(Deserialize)]
pub struct Check {
    #[serde(flatten)]
    common: Common,
    #[serde(default)]
    properties: Vec<String>,
    #[serde(default)]
    formulas: Vec<FormulaQuery>,
    #[serde(default)]
    order: Vec<String>,
    components: Option<String>,
    #[serde(default)]
    unknown: Vec<String>,
    /// Sets of facts that would decide an unknown, at most.
    causes: Option<u64>,
}

#[derive(Deserialize)]
pub struct Explain {
    #[serde(flatten)]
    common: Common,
    property: Option<String>,
    formula: Option<FormulaQuery>,
    #[serde(default)]
    shortest: bool,
    positions: Option<u64>,
}

/// Flags with their values in one word each, so that no value is taken for a flag.
#[derive(Default)]
struct Arguments(Vec<String>);

impl Arguments {
    fn add(&mut self, flag: &str, value: impl std::fmt::Display) {
        self.0.push(format!("--{flag}={value}"));
    }

    fn add_all<T: std::fmt::Display>(&mut self, flag: &str, values: impl IntoIterator<Item = T>) {
        values.into_iter().for_each(|value| self.add(flag, value));
    }

    fn formula(&mut self, formula: &FormulaQuery) -> Result<(), Fault> {
        match &*formula.logic {
            logic @ ("mu" | "ctl" | "mcf") => {
                self.add(logic, &formula.text);
                Ok(())
            }
            other => Err(Fault::request(format!("there is no logic `{other}`: mu, ctl or mcf"))),
        }
    }

    fn common(&mut self, common: &Common, session: &ServerState) {
        let Common { method, deadlock, semantics, assume, timeout, memory, states } = common;
        let usual = session.settings.timeout.as_secs_f64();
        self.add(
            "timeout",
            timeout.filter(|seconds| seconds.is_finite() && *seconds >= 0.0).unwrap_or(usual),
        );
        let most = session.settings.memory;
        self.add("memory", memory.unwrap_or(most).clamp(1 << 20, most));
        self.add_all("method", method);
        self.add_all("deadlock", deadlock);
        self.add_all("semantics", semantics);
        self.add_all("assume", assume);
        self.add_all("states", states);
    }

    fn files(mut self, session: &ServerState) -> Vec<String> {
        self.add_all("sync", &session.settings.sync);
        self.0.push("--compose".to_owned());
        self.0.push("--".to_owned());
        self.0.extend(session.given().map(str::to_owned));
        self.0
    }
}

impl Check {
    pub fn arguments(&self, session: &ServerState) -> Result<Vec<String>, Fault> {
        if !self.properties.is_empty() && !self.formulas.is_empty() {
            return Err(Fault::request("`properties` and `formulas` are two questions"));
        }
        let mut arguments = Arguments(vec!["check".to_owned(), "--events".to_owned()]);
        arguments.common(&self.common, session);
        arguments.add_all("property", &self.properties);
        for formula in &self.formulas {
            arguments.formula(formula)?;
        }
        let list = |names: &[String]| (!names.is_empty()).then(|| names.join(","));
        arguments.add_all("order", list(&self.order));
        arguments.add_all("components", &self.components);
        arguments.add_all("unknown", list(&self.unknown));
        arguments.add_all("causes", self.causes);
        Ok(arguments.files(session))
    }
}

impl Explain {
    /// In a form that the command has a flag for, or as text.
    pub fn arguments(&self, form: &str, session: &ServerState) -> Result<Vec<String>, Fault> {
        let mut arguments = Arguments(vec!["explain".to_owned(), "--no-progress".to_owned()]);
        match form {
            "text" => {}
            "html" | "svg" | "dot" | "json" | "tm" | "aut" => arguments.0.push(format!("--{form}")),
            other => return Err(Fault::request(format!("there is no form `{other}`"))),
        }
        arguments.common(&self.common, session);
        arguments.add_all("property", &self.property);
        if let Some(formula) = &self.formula {
            arguments.formula(formula)?;
        }
        arguments.add_all("positions", self.positions);
        if self.shortest {
            arguments.0.push("--shortest".to_owned());
        }
        Ok(arguments.files(session))
    }

    /// The file name of an exported explanation.
    pub fn file_name(&self, form: &str, session: &ServerState) -> String {
        let stem = session.given().next().unwrap_or("model").rsplit(['/', '\\']).next();
        let stem = stem.and_then(|name| name.split('.').next()).unwrap_or("model");
        let asked =
            self.property.as_deref().or(self.formula.as_ref().map(|formula| &*formula.text));
        let both = format!("{stem} {}", asked.unwrap_or_default());
        let words =
            both.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let words: Vec<&str> = words.take(12).collect();
        let ending = if form == "text" { "txt" } else { form };
        format!("{}.{ending}", words.join("-"))
    }
}

/// Runs a command to its end; what it has written, or what is wrong.
pub async fn run(session: &ServerState, order: &Order) -> Result<Vec<u8>, Fault> {
    let _turn = session.questions.acquire().await.map_err(|_| internal("no more questions"))?;
    let child = Child::start(&session.settings.program, order).await?;
    let (status, said, errors) = child.everything().await?;
    match status.code() {
        Some(0 | 1 | 3) if !said.is_empty() => Ok(said),
        Some(3) => Err(Fault::new(FaultKind::Limit, first_line(&errors)).with_text(errors)),
        Some(2) if errors.contains("internal error") => {
            Err(internal(first_line(&errors)).with_text(errors))
        }
        Some(2) => Err(Fault::new(FaultKind::Text, first_line(&errors)).with_text(errors)),
        _ => Err(internal(format!("a process has broken off: {status}")).with_text(errors)),
    }
}

fn first_line(errors: &str) -> String {
    let line = errors.lines().find(|line| line.starts_with("Error: ")).or(errors.lines().next());
    let line = line.unwrap_or("nothing was said");
    line.strip_prefix("Error: ").unwrap_or(line).to_owned()
}
