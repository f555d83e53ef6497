//! Kripke structures as an SMV file: a module for each, with one variable that says which state it is in.

use super::{formulas, put};
use crate::document::Specification;
use crate::smv::lexer::is_reserved;
use logic::{Family, PropId, Signature};
use model::{Component, PartialModel, System};
use rustc_hash::FxHashSet;
use std::fmt;
use support::Interner;

/// Why a model cannot be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotKripke {
    HasActions,
    LeavesOpen,
}

impl fmt::Display for NotKripke {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotKripke::HasActions => "SMV has no actions, and this system has no propositions",
            NotKripke::LeavesOpen => "this system leaves something open, which SMV cannot say",
        })
    }
}

/// Components and properties of their composition: a module for each of several components, which agree on the
/// propositions that they share. A formula of CTL speaks of infinite paths in SMV; where a path can end it is written
/// as a formula of the µ-calculus, which means the same everywhere.
pub(in crate::smv) fn write_system(
    system: &System,
    can_deadlock: bool,
    properties: &[Specification],
) -> Result<String, NotKripke> {
    if system.family() == Family::Actions {
        return Err(NotKripke::HasActions);
    }
    let leaves_open = |part: &Component| {
        part.is_unknown || !part.model.is_complete() || !part.model.covers().is_empty()
    };
    if system.components.iter().any(leaves_open) {
        return Err(NotKripke::LeavesOpen);
    }
    let mut names = Names::default();
    let mut out = String::new();
    let props = match &system.components[..] {
        [only] => {
            out.push_str("MODULE main\n");
            write_component(&mut out, &only.model, &mut names)
        }
        several => write_modules(&mut out, several, &mut names),
    };
    let props: Interner<PropId> = props.iter().map(|name| &**name).collect();
    let of_system = system.props();
    for property in properties {
        write_property(&mut out, &of_system, can_deadlock, property, &props, &mut names);
    }
    Ok(out)
}

/// A module for each component, and `main` with an instance of each. By proposition of the composition: its name.
fn write_modules(out: &mut String, components: &[Component], names: &mut Names) -> Vec<String> {
    // By proposition: its name in the composition, and the instances that have it.
    let mut holders: Vec<(&str, Vec<String>)> = Vec::new();
    let mut instances = Vec::new();
    for Component { model, .. } in components {
        let (module, instance) =
            (names.legal(&format!("{}_module", model.name)), names.legal(&model.name));
        put(out, format_args!("MODULE {module}\n"));
        let own = write_component(out, model, &mut Names::default());
        out.push('\n');
        for (prop, name) in model.props().names().zip(own) {
            let full = format!("{instance}.{name}");
            match holders.iter_mut().find(|(known, _)| *known == prop) {
                Some((_, all)) => all.push(full),
                None => holders.push((prop, vec![full])),
            }
        }
        instances.push(format!("  {instance} : {module};\n"));
    }
    put(out, format_args!("MODULE main\nVAR\n{}", instances.concat()));
    for pair in holders.iter().flat_map(|(_, all)| all.windows(2)) {
        put(out, format_args!("INVAR {} <-> {};\n", pair[0], pair[1]));
    }
    if !holders.is_empty() {
        out.push_str("DEFINE\n");
    }
    let mut define = |(prop, all): &(&str, Vec<String>)| {
        let name = names.legal(prop);
        put(out, format_args!("  {name} := {};\n", all[0]));
        name
    };
    holders.iter().map(&mut define).collect()
}

/// The variable of a component, its steps and its labels. By proposition: its name.
fn write_component(out: &mut String, model: &PartialModel, names: &mut Names) -> Vec<String> {
    let variable = names.legal("state");
    let states: Vec<String> =
        (0..model.states() as u32).map(|state| names.legal(&model.state_name(state))).collect();
    let props: Vec<String> = model.props().names().map(|name| names.legal(name)).collect();
    put(out, format_args!("VAR\n  {variable} : {{{}}};\n", states.join(", ")));
    write_steps(out, model, &variable, &states);
    write_labels(out, model, &variable, &states, &props);
    props
}

fn write_steps(out: &mut String, model: &PartialModel, variable: &str, states: &[String]) {
    let init: Vec<&str> = model.init().iter().map(|&s| states[s as usize].as_str()).collect();
    put(out, format_args!("ASSIGN\n  init({variable}) := {{{}}};\n", init.join(", ")));
    put(out, format_args!("  next({variable}) := case\n"));
    let mut dead: Vec<&str> = Vec::new();
    for (state, name) in states.iter().enumerate() {
        let targets = model.edges().out(state as u32);
        let targets: Vec<&str> = targets.map(|(target, _)| &*states[target as usize]).collect();
        if targets.is_empty() {
            dead.push(name);
        } else {
            put(out, format_args!("      {variable} = {name} : {{{}}};\n", targets.join(", ")));
        }
    }
    put(out, format_args!("      TRUE : {variable};\n    esac;\n"));
    if !dead.is_empty() {
        put(out, format_args!("-- Deadlock states.\n"));
        put(out, format_args!("TRANS !({variable} in {{{}}});\n", dead.join(", ")));
    }
}

fn write_labels(
    out: &mut String,
    model: &PartialModel,
    variable: &str,
    states: &[String],
    props: &[String],
) {
    if !props.is_empty() {
        out.push_str("DEFINE\n");
    }
    for (prop, name) in (0..).map(PropId).zip(props) {
        let holders: Vec<&str> = model.true_in(prop).ones().map(|s| states[s].as_str()).collect();
        match holders.is_empty() {
            true => put(out, format_args!("  {name} := FALSE;\n")),
            false => {
                put(out, format_args!("  {name} := {variable} in {{{}}};\n", holders.join(", ")));
            }
        }
    }
}

fn write_property(
    out: &mut String,
    of_system: &Interner<PropId>,
    can_deadlock: bool,
    property: &Specification,
    props: &Interner<PropId>,
    names: &mut Names,
) {
    let (name, Ok(surface)) = (property.title(), &property.formula) else { return };
    let name_of = |name: &str| {
        let known = of_system.get(name).map(|prop| props.name(prop).to_owned());
        known.unwrap_or_else(|| "FALSE".to_owned())
    };
    let logic = surface.logic;
    let (keyword, text) = if logic.has_path_quantifiers() && !can_deadlock {
        ("CTLSPEC", formulas::surface(surface, &name_of))
    } else if logic.has_fixpoints() && !logic.has_regular_formulas() {
        ("MUSPEC", formulas::surface(surface, &name_of))
    } else {
        let signature = Signature { family: Family::Props, props: of_system, actions: &[] };
        match logic::compile(surface, &signature, &mut Vec::new()) {
            Ok(formula) => ("MUSPEC", formulas::normal_form(&formula, props)),
            Err(_) => return,
        }
    };
    put(out, format_args!("-- {}\n", name.replace(['\n', '\r'], " ")));
    put(out, format_args!("{keyword} NAME {} := {text};\n", names.legal(name)));
}

/// Legal names that are all different.
#[derive(Default)]
struct Names(FxHashSet<String>);

impl Names {
    /// The name itself if it is legal and new, otherwise one that is like it.
    fn legal(&mut self, name: &str) -> String {
        let is_legal = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let words: Vec<&str> =
            name.split(|c| !is_legal(c)).filter(|word| !word.is_empty()).collect();
        let mut legal = words.join("_");
        let starts_well = legal.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !starts_well || is_reserved(&legal) {
            legal.insert_str(0, "s_");
        }
        let mut candidate = legal.clone();
        for copy in 2.. {
            if self.0.insert(candidate.clone()) {
                break;
            }
            candidate = format!("{legal}_{copy}");
        }
        candidate
    }
}
