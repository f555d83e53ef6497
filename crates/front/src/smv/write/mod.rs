//! Writes SMV: a file with all its modules flattened into one, and components by their states.

mod exprs;
mod formulas;
mod names;
mod states;

pub use states::NotKripke;
pub(super) use states::write_system;

use crate::document::{MachineForm, SpecLogic, Specification};
use exprs::Texts;
use logic::{Distance, Surface};
use names::legal_names;
use std::fmt::{Arguments, Write};
use transition::{Machine, NodeId, Section, SymbolId, VarId, VarKind, When};

/// The name of the selector of processes where they are gone.
const SELECTOR: &str = "process_selector";

/// The whole file as one module: names are whole (`left.state`), definitions are expressions, and which
/// process takes a step is an input. Names that mean something else in SMV, or cannot be written, are changed.
/// Specifications are included; those that are not supported are only mentioned.
pub(super) fn write_machine(form: &MachineForm, specifications: &[Specification]) -> String {
    let (form, specifications) = legal_names(form, specifications);
    let machine = &form.machine;
    let vars = |var: VarId| var_name(machine, var);
    let symbols = |symbol: SymbolId| symbol_name(machine, symbol);
    let roots = roots(&form);
    let texts = Texts::new(machine, &vars, &symbols, &roots);
    let mut out = String::from("MODULE main\n");
    write_constants(&mut out, machine);
    write_vars(&mut out, machine, &texts, &vars);
    if !texts.definitions.is_empty() {
        out.push_str("DEFINE\n");
    }
    for (name, text) in &texts.definitions {
        put(&mut out, format_args!("  {name} := {text};\n"));
    }
    write_assigns(&mut out, machine, &texts, &vars);
    for constraint in &machine.constraints {
        let keyword = match constraint.section {
            Section::Init => "INIT",
            Section::Trans => "TRANS",
            Section::Invar => "INVAR",
        };
        put(&mut out, format_args!("{keyword} {};\n", texts.of(constraint.node)));
    }
    for fairness in &machine.fairness {
        put(&mut out, format_args!("FAIRNESS {};\n", texts.of(fairness.node)));
    }
    for specification in &specifications {
        write_specification(&mut out, &form, &texts, specification);
    }
    out
}

/// All expressions that are written.
fn roots(form: &MachineForm) -> Vec<NodeId> {
    let machine = &form.machine;
    let mut roots: Vec<NodeId> =
        machine.assigns.iter().flat_map(|assign| machine.choices.nodes(assign.choice)).collect();
    roots.extend(machine.constraints.iter().map(|constraint| constraint.node));
    roots.extend(machine.fairness.iter().map(|fairness| fairness.node));
    roots.extend(form.propositions.iter().map(|proposition| proposition.node));
    roots
}

fn var_name(machine: &Machine, var: VarId) -> String {
    if machine.selector != Some(var) {
        return machine.vars[var].name.clone();
    }
    let is_taken = |name: &str| machine.vars.values().any(|var| var.name == name);
    let mut name = SELECTOR.to_owned();
    while is_taken(&name) {
        name.push('_');
    }
    name
}

/// The values of the selector are called like instances, which are no constants.
fn symbol_name(machine: &Machine, symbol: SymbolId) -> String {
    let name = machine.symbols.name(symbol);
    let Some(selector) = machine.selector else { return name.to_owned() };
    let value = transition::symbol_value(symbol);
    if !machine.vars[selector].domain.contains(value) {
        return name.to_owned();
    }
    let plain: String =
        name.chars().map(|c| if matches!(c, '.' | '[' | ']') { '_' } else { c }).collect();
    let mut name = format!("process_{plain}");
    while machine.symbols.get(&name).is_some() {
        name.push('_');
    }
    name
}

/// Those that no type has.
fn write_constants(out: &mut String, machine: &Machine) {
    let is_listed = |symbol: SymbolId| {
        let value = transition::symbol_value(symbol);
        machine
            .vars
            .values()
            .any(|var| var.domain.ty() == transition::Type::Scalar && var.domain.contains(value))
    };
    let lone: Vec<&str> = machine
        .symbols
        .iter()
        .filter(|(symbol, _)| !is_listed(*symbol))
        .map(|(_, name)| name)
        .collect();
    if !lone.is_empty() {
        put(out, format_args!("CONSTANTS {};\n", lone.join(", ")));
    }
}

fn write_vars(out: &mut String, machine: &Machine, texts: &Texts, vars: &dyn Fn(VarId) -> String) {
    let kinds = [(VarKind::State, "VAR"), (VarKind::Frozen, "FROZENVAR"), (VarKind::Input, "IVAR")];
    for (kind, keyword) in kinds {
        let of_kind = || machine.vars.iter().filter(|(_, var)| var.kind == kind);
        if of_kind().next().is_some() {
            put(out, format_args!("{keyword}\n"));
        }
        for (id, var) in of_kind() {
            put(out, format_args!("  {} : {};\n", vars(id), texts.domain(&var.domain)));
        }
    }
}

fn write_assigns(
    out: &mut String,
    machine: &Machine,
    texts: &Texts,
    vars: &dyn Fn(VarId) -> String,
) {
    if !machine.assigns.is_empty() {
        out.push_str("ASSIGN\n");
    }
    for assign in &machine.assigns {
        let name = vars(assign.var);
        let target = match assign.when {
            When::Init => format!("init({name})"),
            When::Next => format!("next({name})"),
            When::Always => name,
        };
        put(out, format_args!("  {target} := {};\n", texts.set(assign.choice)));
    }
}

fn write_specification(
    out: &mut String,
    form: &MachineForm,
    texts: &Texts,
    specification: &Specification,
) {
    let Specification { name, logic, formula, .. } = specification;
    let props = |name: &str| {
        let proposition = form.names.get(name);
        let proposition = proposition.map(|id| &form.propositions[id.0 as usize]);
        proposition.map_or(String::new(), |proposition| texts.of(proposition.node).to_owned())
    };
    let keyword = match logic {
        SpecLogic::Ctl => "CTLSPEC",
        SpecLogic::Invar => "INVARSPEC",
        SpecLogic::Mu => "MUSPEC",
        SpecLogic::Ltl => "LTLSPEC",
        SpecLogic::Psl => "PSLSPEC",
        _ => "COMPUTE",
    };
    let name = name.as_ref().map_or(String::new(), |name| format!("NAME {name} := "));
    match formula {
        Err(why) => {
            put(out, format_args!("-- left out: {keyword} {name}{} ({why})\n", specification.text));
        }
        Ok(formula) => {
            let text = match (logic, specification.distance) {
                (SpecLogic::Invar, _) => formulas::invariant(formula, &props),
                (_, Some(Distance { extreme, from, to })) => {
                    let end =
                        |root| formulas::surface(&Surface { root, ..formula.clone() }, &props);
                    format!("{} [{}, {}]", extreme.name(), end(from), end(to))
                }
                _ => formulas::surface(formula, &props),
            };
            put(out, format_args!("{keyword} {name}{text};\n"));
        }
    }
}

fn put(out: &mut String, text: Arguments) {
    out.write_fmt(text).expect("writing to a string");
}
