//! Pictures of models, for Graphviz.
//!
//! What must happen is a solid arrow, what only may happen a dashed one; one that must but may not
//! (mixed models) has an open head. A hyper-transition is a point between its source and its targets.

use crate::stream::Block;
use logic::{PropId, Truth};
use model::{EdgeClass, Kind, Mode, PartialModel};
use std::io::{self, Write};

/// Writes a model as a DOT graph.
pub fn write_dot(model: &PartialModel, out: &mut impl Write) -> io::Result<()> {
    let mut block = Block::new(out);
    writeln!(block.text, "digraph \"{}\" {{", escaped(&model.name))?;
    writeln!(block.text, "  node [shape=ellipse];")?;
    for (index, state) in model.init().iter().enumerate() {
        writeln!(block.text, "  i{index} [shape=none, label=\"\", width=0, height=0];")?;
        writeln!(block.text, "  i{index} -> s{state};")?;
    }
    for state in 0..model.states() as u32 {
        writeln!(block.text, "  s{state} [label=\"{}\"];", state_label(model, state))?;
        for (target, class) in model.edges().out(state) {
            writeln!(block.text, "  s{state} -> s{target}{};", attributes(model, class))?;
        }
        block.hand_on_if_full()?;
    }
    for (index, hyper) in model.hyper().iter().enumerate() {
        writeln!(block.text, "  h{index} [shape=point];")?;
        writeln!(block.text, "  s{} -> h{index} [arrowhead=none];", hyper.source)?;
        for target in &hyper.targets {
            writeln!(block.text, "  h{index} -> s{target};")?;
        }
        block.hand_on_if_full()?;
    }
    writeln!(block.text, "}}")?;
    block.finish()
}

/// The name of the state, and below it its literals as a `.tm` file has them.
fn state_label(model: &PartialModel, state: u32) -> String {
    let literal = |(prop, name): (PropId, &str)| match model.label(state, prop) {
        Truth::True => Some(name.to_owned()),
        Truth::False if model.kind == Kind::Kripke => None,
        Truth::False => Some(format!("!{name}")),
        Truth::Unknown => Some(format!("{name}?")),
    };
    let literals: Vec<String> = model.props().iter().filter_map(literal).collect();
    let name = escaped(&model.state_name(state));
    if model.props().is_empty() {
        return name;
    }
    format!("{name}\\n{{{}}}", escaped(&literals.join(", ")))
}

fn attributes(model: &PartialModel, class: EdgeClass) -> String {
    let action =
        class.action.map(|action| format!("label=\"{}\"", escaped(model.actions().name(action))));
    let style = match class.mode {
        Mode { must: false, .. } => Some("style=dashed".to_owned()),
        Mode { may: false, .. } => Some("arrowhead=empty".to_owned()),
        _ => None,
    };
    let attributes: Vec<String> = action.into_iter().chain(style).collect();
    if attributes.is_empty() { String::new() } else { format!(" [{}]", attributes.join(", ")) }
}

/// As it must stand between quotes.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '"' | '\\' => escaped.extend(['\\', character]),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\0' => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}
