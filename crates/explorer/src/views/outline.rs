//! The outline of a model.

use super::message::Message;
use report::TextRange;
use serde::Serialize;
use tertium::inspect::{Component, Family, System, Vector};

/// The answer to `/api/read`.
#[derive(Serialize, Debug)]
pub struct ReadDocument<'a> {
    pub reads: bool,
    pub diagnostics: Vec<Message<'a>>,
    pub outline: Option<Outline>,
}

#[derive(Serialize, Debug, Default)]
pub struct Outline {
    pub language: &'static str,
    pub family: &'static str,
    pub system: String,
    pub components: Vec<OutlineComponent>,
    /// The processes of a symbolic model, or its instances of modules, which have drawings of their own.
    pub parts: Vec<String>,
    pub variables: Vec<OutlineVariable>,
    pub vectors: Vec<String>,
    pub hidden: Vec<String>,
    pub properties: Vec<OutlineProperty>,
    pub safeties: Vec<String>,
    pub methods: Vec<&'static str>,
}

#[derive(Serialize, Debug)]
pub struct OutlineComponent {
    pub name: String,
    pub kind: &'static str,
    pub unknown: bool,
    pub states: Option<usize>,
    pub transitions: Option<usize>,
    pub initial: Option<usize>,
    pub props: Vec<String>,
    pub actions: Vec<String>,
}

#[derive(Serialize, Debug)]
pub struct OutlineVariable {
    pub name: String,
    pub values: String,
}

#[derive(Serialize, Debug)]
pub struct OutlineProperty {
    pub name: String,
    pub logic: &'static str,
    pub formula: String,
    pub span: Option<TextRange>,
    pub unsupported: Option<String>,
}

impl OutlineComponent {
    fn new(part: &Component) -> Self {
        let model = &part.model;
        Self {
            name: model.name.clone(),
            kind: model.kind.name(),
            unknown: part.is_unknown,
            states: Some(model.states()),
            transitions: Some(model.edges().len() + model.hyper().len()),
            initial: Some(model.init().len()),
            props: model.props().names().map(str::to_owned).collect(),
            actions: model.actions().names().map(str::to_owned).collect(),
        }
    }

    /// `None` for a transition system, whose states are not enumerated.
    pub fn machine(kind: &'static str) -> Self {
        Self {
            name: "main".to_owned(),
            kind,
            unknown: false,
            states: None,
            transitions: None,
            initial: None,
            props: Vec::new(),
            actions: Vec::new(),
        }
    }
}

impl Outline {
    /// Of a system of components.
    pub fn of_system(system: &System) -> Self {
        let names: Vec<&str> = system.components.iter().map(|part| &*part.model.name).collect();
        let vector = |vector: &Vector| {
            let part =
                |(component, action): &(usize, String)| format!("{}:{action}", names[*component]);
            let parts: Vec<String> = vector.parts.iter().map(part).collect();
            format!("{} -> {}", parts.join(" | "), vector.result)
        };
        Self {
            family: match system.family() {
                Family::Props => "props",
                Family::Actions => "actions",
            },
            system: names.join(" || "),
            components: system.components.iter().map(OutlineComponent::new).collect(),
            vectors: system.sync.vectors.iter().map(vector).collect(),
            hidden: system.sync.hidden.clone(),
            ..Self::default()
        }
    }
}
