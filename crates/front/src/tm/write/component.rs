//! One component as text.

use super::names::{Names, state_names};
use super::{name_or_string, put};
use logic::{Family, Truth};
use model::{ActionId, Component, Kind, Mode, PartialModel, TAU};

pub(super) fn write_component(
    out: &mut String,
    item: &str,
    name: &str,
    component: &Component,
    names: &Names,
) {
    let model = &component.model;
    let kind = if component.is_unknown { "unknown" } else { model.kind.name() };
    put(out, format_args!("{item} {name} {kind} {{\n"));
    write_declaration(out, model, names);
    if component.is_unknown {
        write_open_init(out, model, names);
    } else {
        write_states(out, model, names);
    }
    out.push_str("}\n\n");
}

fn write_declaration(out: &mut String, model: &PartialModel, names: &Names) {
    let (keyword, declared): (_, Vec<String>) = match model.kind.family() {
        Family::Props => {
            ("props", model.props().names().map(|prop| names.prop(prop).to_owned()).collect())
        }
        Family::Actions => {
            let visible = model.actions().names().filter(|&action| action != TAU);
            ("actions", visible.map(name_or_string).collect())
        }
    };
    let space = if declared.is_empty() { "" } else { " " };
    put(out, format_args!("  {keyword}{space}{};\n", declared.join(", ")));
}

/// The labels that all initial states of an unknown component share.
fn write_open_init(out: &mut String, model: &PartialModel, names: &Names) {
    if model.kind.family() == Family::Actions {
        return;
    }
    let mut literals = Vec::new();
    for (prop, name) in model.props().iter() {
        let mut values = model.init().iter().map(|&state| model.label(state, prop));
        let first = values.next().unwrap_or(Truth::Unknown);
        if values.all(|value| value == first) {
            literals.extend(literal(names.prop(name), first));
        }
    }
    put(out, format_args!("  init {{{}}};\n", literals.join(", ")));
}

fn literal(name: &str, value: Truth) -> Option<String> {
    match value {
        Truth::True => Some(name.to_owned()),
        Truth::False => Some(format!("!{name}")),
        Truth::Unknown => None,
    }
}

fn write_states(out: &mut String, model: &PartialModel, names: &Names) {
    let states = state_names(model);
    let name = |state: &u32| states[*state as usize].as_str();
    if !model.init().is_empty() {
        let inits: Vec<&str> = model.init().iter().map(name).collect();
        put(out, format_args!("  init {};\n", inits.join(", ")));
    }
    for state in 0..model.states() as u32 {
        put(out, format_args!("  {}:", name(&state)));
        if model.kind.family() == Family::Props {
            write_labels(out, model, state, names);
        }
        write_arrows(out, model, state, &states);
        for hyper in model.hyper_from(state) {
            let targets: Vec<&str> = hyper.targets.iter().map(name).collect();
            put(out, format_args!(" !> {{{}}}", targets.join(", ")));
        }
        out.push_str(";\n");
    }
    for covers in model.covers() {
        let covered: Vec<&str> = covers.covered.iter().map(name).collect();
        let more = if covers.exactly { "" } else { ", ..." };
        // A kmts has no such lines; as a remark they still tell what the states stand for.
        let remark = if model.kind == Kind::Kmts { "// " } else { "" };
        put(
            out,
            format_args!(
                "  {remark}covers {}: {}{more};\n",
                name(&covers.state),
                covered.join(", ")
            ),
        );
    }
}

fn write_labels(out: &mut String, model: &PartialModel, state: u32, names: &Names) {
    let mut literals = Vec::new();
    for (prop, name) in model.props().iter() {
        let value = model.label(state, prop);
        if model.kind != Kind::Kripke || value == Truth::True {
            literals.extend(literal(names.prop(name), value));
        }
    }
    put(out, format_args!(" {{{}}}", literals.join(", ")));
}

/// One arrow for each run of edges that have the same action and mode.
fn write_arrows(out: &mut String, model: &PartialModel, state: u32, states: &[String]) {
    let mut last: Option<(Option<ActionId>, Mode)> = None;
    for (target, class) in model.edges().out(state) {
        let here = (class.action, class.mode);
        if last.replace(here) == Some(here) {
            out.push_str(", ");
        } else {
            put(out, format_args!(" {} ", arrow(model, class.action, class.mode)));
        }
        out.push_str(&states[target as usize]);
    }
}

fn arrow(model: &PartialModel, action: Option<ActionId>, mode: Mode) -> String {
    let head = match mode {
        Mode::MAY => "?>",
        Mode::MUST => "!>",
        _ => "->",
    };
    match action {
        Some(action) => format!("-{}{head}", name_or_string(model.actions().name(action))),
        None => head.to_owned(),
    }
}
