//! A Kripke structure as an SMV file: one variable that says which state it is.

use super::{formulas, put};
use crate::document::Specification;
use crate::smv::lexer::is_reserved;
use logic::{Family, PropId, Signature};
use model::Model;
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

/// A model and properties of it. A formula of CTL speaks of infinite paths in SMV; where a path can end
/// it is written as a formula of the µ-calculus, which means the same everywhere.
pub(in crate::smv) fn write_model(
    model: &Model,
    properties: &[Specification],
) -> Result<String, NotKripke> {
    if model.kind.family() == Family::Actions {
        return Err(NotKripke::HasActions);
    }
    if !model.is_complete() || !model.covers().is_empty() {
        return Err(NotKripke::LeavesOpen);
    }
    let mut names = Names::default();
    let variable = names.legal("state");
    let states: Vec<String> =
        (0..model.states() as u32).map(|state| names.legal(&model.state_name(state))).collect();
    let props: Vec<String> = model.props().names().map(|name| names.legal(name)).collect();
    let props: Interner<PropId> = props.iter().map(|name| &**name).collect();
    let mut out = String::from("MODULE main\n");
    put(&mut out, format_args!("VAR\n  {variable} : {{{}}};\n", states.join(", ")));
    write_steps(&mut out, model, &variable, &states);
    write_labels(&mut out, model, &variable, &states, &props);
    for property in properties {
        write_property(&mut out, model, property, &props, &mut names);
    }
    Ok(out)
}

fn write_steps(out: &mut String, model: &Model, variable: &str, states: &[String]) {
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
    model: &Model,
    variable: &str,
    states: &[String],
    props: &Interner<PropId>,
) {
    if !props.is_empty() {
        out.push_str("DEFINE\n");
    }
    for (prop, name) in props.iter() {
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
    model: &Model,
    property: &Specification,
    props: &Interner<PropId>,
    names: &mut Names,
) {
    let (name, Ok(surface)) = (property.title(), &property.formula) else { return };
    let ends = model.deadlock_state().is_some();
    let name_of = |name: &str| {
        let known = model.props().get(name).map(|prop| props.name(prop).to_owned());
        known.unwrap_or_else(|| "FALSE".to_owned())
    };
    let logic = surface.logic;
    let (keyword, text) = if logic.has_path_quantifiers() && !ends {
        ("CTLSPEC", formulas::surface(surface, &name_of))
    } else if logic.has_fixpoints() && !logic.has_regular_formulas() {
        ("MUSPEC", formulas::surface(surface, &name_of))
    } else {
        let signature = Signature { family: Family::Props, props: model.props(), actions: &[] };
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
