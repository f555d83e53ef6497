//! Models, systems and properties as a `.tm` file that reads back as the same.

mod component;
mod names;

use crate::document::{Safety, Specification};
use crate::formula::comments_of;
use crate::lexer::{is_name, lex};
use component::write_component;
use logic::Surface;
use model::{Component, System};
use names::Names;
pub use names::{component_name, legal_props};
use std::fmt::Write;

/// States, components and propositions whose names are not legal get others that are; formulas
/// stand as they were written.
pub fn write_tm(system: &System, safeties: &[Safety], properties: &[Specification]) -> String {
    let names = Names::new(system);
    let mut out = String::new();
    for (component, name) in system.components.iter().zip(&names.components) {
        write_component(&mut out, "component", name, component, &names);
    }
    write_system(&mut out, system, &names);
    for safety in safeties {
        let model = safety.model.clone();
        let component = Component { model, is_unknown: false };
        write_component(&mut out, "safety", &safety.name, &component, &names);
    }
    for property in properties {
        let Ok(surface) = &property.formula else { continue };
        let (logic, formula) = (surface.logic.name(), formula(surface));
        let name = name_or_string(property.title());
        put(&mut out, format_args!("property {name}: {logic} {formula};\n"));
    }
    out
}

fn write_system(out: &mut String, system: &System, names: &Names) {
    let sync = &system.sync;
    if system.components.len() == 1 && sync.vectors.is_empty() && sync.hidden.is_empty() {
        return;
    }
    put(out, format_args!("system {}", names.components.join(" || ")));
    if !sync.vectors.is_empty() {
        out.push_str(" sync {\n");
        for vector in &sync.vectors {
            let parts = vector.parts.iter().map(|(component, action)| {
                format!("{}:{}", names.components[*component], name_or_string(action))
            });
            let parts: Vec<String> = parts.collect();
            let result = name_or_string(&vector.result);
            put(out, format_args!("  {} -> {result};\n", parts.join(" | ")));
        }
        out.push('}');
    }
    if !sync.hidden.is_empty() {
        let hidden: Vec<String> = sync.hidden.iter().map(|name| name_or_string(name)).collect();
        put(out, format_args!(" hide {{ {} }}", hidden.join(", ")));
    }
    out.push_str(";\n\n");
}

/// The formula without its comments, on one line.
fn formula(surface: &Surface) -> String {
    let text = &*surface.text;
    let mut out = String::new();
    let mut last_end = None;
    for lexeme in lex(text, surface.span.range(), comments_of(surface.logic)) {
        if last_end.is_some_and(|end| end != lexeme.start) {
            out.push(' ');
        }
        out.push_str(&text[lexeme.range()]);
        last_end = Some(lexeme.end);
    }
    out
}

fn name_or_string(name: &str) -> String {
    if is_name(name) { name.to_owned() } else { format!("{name:?}") }
}

fn put(out: &mut String, text: std::fmt::Arguments) {
    out.write_fmt(text).expect("writing to a string");
}
