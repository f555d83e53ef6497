//! Models in the language of `.tm` files, for looking at a failure. States are numbered anew.

use logic::{Family, Truth};
use model::{Mode, PartialModel, System};
use std::fmt::Write;

pub fn model_text(model: &PartialModel) -> String {
    let mut text = format!("component {} {} {{\n", model.name, model.kind.name());
    let (word, names): (_, Vec<&str>) = match model.kind.family() {
        Family::Props => ("props", model.props().names().collect()),
        Family::Actions => ("actions", model.actions().names().collect()),
    };
    let init: Vec<String> = model.init().iter().map(|s| format!("s{s}")).collect();
    let _ = writeln!(text, "  {word} {};\n  init {};", names.join(", "), init.join(", "));
    for state in 0..model.states() as u32 {
        let _ = writeln!(text, "  s{state}:{}{};", labels(model, state), arrows(model, state));
    }
    for covers in model.covers() {
        let more = if covers.exactly { "" } else { ", ..." };
        let covered: Vec<String> = covers.covered.iter().map(|s| format!("s{s}")).collect();
        let _ = writeln!(text, "  covers s{}: {}{more};", covers.state, covered.join(", "));
    }
    text + "}\n"
}

pub fn system_text(system: &System) -> String {
    let parts: String = system.components.iter().map(|c| model_text(&c.model)).collect();
    let names: Vec<&str> = system.components.iter().map(|c| c.model.name.as_str()).collect();
    let vectors: String = system
        .sync
        .vectors
        .iter()
        .map(|vector| {
            let parts = vector.parts.iter().map(|(c, action)| format!("{}:{action}", names[*c]));
            format!(" {} -> {};", parts.collect::<Vec<_>>().join(" | "), vector.result)
        })
        .collect();
    let sync = if vectors.is_empty() { vectors } else { format!(" sync {{{vectors} }}") };
    let hidden = system.sync.hidden.join(", ");
    let hide = if hidden.is_empty() { hidden } else { format!(" hide {{ {hidden} }}") };
    format!("{parts}system {}{sync}{hide};\n", names.join(" || "))
}

fn labels(model: &PartialModel, state: u32) -> String {
    if model.kind.family() == Family::Actions {
        return String::new();
    }
    let literal = |(prop, name): (_, &str)| match model.label(state, prop) {
        Truth::True => name.to_owned(),
        Truth::False => format!("!{name}"),
        Truth::Unknown => format!("{name}?"),
    };
    format!(" {{{}}}", model.props().iter().map(literal).collect::<Vec<_>>().join(", "))
}

fn arrows(model: &PartialModel, state: u32) -> String {
    let edges = model.edges().out(state).map(|(target, class)| {
        let action =
            class.action.map_or(String::new(), |a| format!("-{}", model.actions().name(a)));
        let arrow = match class.mode {
            Mode::BOTH => "->",
            Mode::MAY => "?>",
            _ => "!>",
        };
        format!(" {action}{arrow} s{target}")
    });
    let hyper = model.hyper_from(state).iter().map(|hyper| {
        let targets: Vec<String> = hyper.targets.iter().map(|t| format!("s{t}")).collect();
        format!(" !> {{{}}}", targets.join(", "))
    });
    edges.chain(hyper).collect()
}
