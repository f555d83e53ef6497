//! What the texts say, in short, and what is wrong with them: the answer to `/api/read`.

use crate::flags::Questions;
use crate::input::{self, Trouble};
use crate::load::load;
use crate::questions::{self, Question};
use crate::smv::{self, Language};
use explicit::Method;
use explorer::views::message::messages;
use explorer::views::outline::{Asked, Outline, Part, ReadDocument, Variable};
use front::{EitherDocument, IntegerDomain};
use report::TextRange;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use support::{Diagnostic, Monitor, SourceMap, Stopped};
use transition::{Domain, Machine};

/// What was read, with what is odd about it.
struct Read {
    outline: Outline,
    warnings: Vec<Diagnostic>,
    sources: SourceMap,
}

pub fn read(files: &[PathBuf], sync: Option<&Path>, monitor: &Monitor) -> Result<String, Stopped> {
    let read = match smv::among(files) {
        Ok(Some(path)) if smv::is_while(path) => program(path, monitor),
        Ok(Some(path)) => machine(path, monitor),
        Ok(None) => system(files, sync, monitor),
        Err(trouble) => Err(trouble),
    };
    let (diagnostics, sources, outline) = match read {
        Ok(Read { outline, warnings, sources }) => (warnings, sources, Some(outline)),
        Err(Trouble::Stopped(stopped)) => return Err(stopped),
        Err(Trouble::Faults(diagnostics, sources)) => (diagnostics, *sources, None),
    };
    let diagnostics = messages(&diagnostics, &sources);
    Ok(report::to_json(&ReadDocument { reads: outline.is_some(), diagnostics, outline }))
}

fn names(methods: &[Method]) -> Vec<&'static str> {
    methods.iter().map(|method| method.name()).collect()
}

fn asked(question: &Question, sources: &SourceMap) -> Asked {
    Asked {
        name: question.name.clone(),
        logic: question.logic.unwrap_or_default(),
        formula: question.formula.clone(),
        span: question.span.map(|span| TextRange::new(span, sources)),
        unsupported: question.not_supported,
    }
}

fn system(files: &[PathBuf], sync: Option<&Path>, monitor: &Monitor) -> Result<Read, Trouble> {
    let mut loaded = load(files, sync, monitor)?;
    let mut outline = Outline::of_system(&loaded.system);
    outline.safeties = loaded.safeties.iter().map(|safety| safety.name.clone()).collect();
    // A model without a property can be looked at.
    if !loaded.properties.is_empty() {
        let tasks = questions::prepare(&Questions::default(), &[], &mut loaded)?;
        let questions = tasks.iter().map(|task| asked(&task.question, &loaded.sources));
        outline.properties = questions.collect();
    }
    let is_aut = files.iter().all(|path| path.extension().is_some_and(|ending| ending == "aut"));
    outline.language = if is_aut { "aut" } else { "tm" };
    outline.methods = names(&[
        Method::Auto,
        Method::Direct,
        Method::Compositional,
        Method::Refine,
        Method::Symbolic,
    ]);
    Ok(Read { outline, warnings: loaded.warnings, sources: loaded.sources })
}

fn machine(path: &Path, monitor: &Monitor) -> Result<Read, Trouble> {
    let program = smv::read(path, &Questions::default(), &[], monitor)?;
    let questions = program.all.iter().map(|one| asked(&one.question, &program.sources));
    let outline = Outline {
        language: if program.language == Language::Promela { "promela" } else { "smv" },
        family: "props",
        system: program.document.machine.name.clone(),
        components: vec![Part::machine("machine")],
        variables: variables(&program.document.machine),
        properties: questions.collect(),
        methods: names(&[
            Method::Auto,
            Method::Direct,
            Method::Compositional,
            Method::Refine,
            Method::Symbolic,
        ]),
        ..Outline::default()
    };
    Ok(Read { outline, warnings: program.document.warnings, sources: program.sources })
}

/// More variables are not listed.
const MOST_VARIABLES: usize = 500;

fn variables(machine: &Machine) -> Vec<Variable> {
    let variable = |var: transition::VarId| {
        let name = machine.vars[var].name.clone();
        Variable { name, values: values(&machine.vars[var].domain, machine) }
    };
    machine.state_vars().take(MOST_VARIABLES).map(variable).collect()
}

fn values(domain: &Domain, machine: &Machine) -> String {
    const MOST_VALUES: usize = 20;
    match domain {
        Domain::Bool => "bool".to_owned(),
        Domain::Range(low, high) => format!("{low}..{high}"),
        Domain::Word { signed, width } => {
            format!("{} word[{width}]", if *signed { "signed" } else { "unsigned" })
        }
        Domain::Values(values) => {
            let shown = values.iter().take(MOST_VALUES);
            let mut texts: Vec<String> =
                shown.map(|value| domain.text(*value, &machine.symbols)).collect();
            if values.len() > MOST_VALUES {
                texts.push("…".to_owned());
            }
            format!("{{{}}}", texts.join(", "))
        }
    }
}

/// A while-program, over integers or not, with or without holes.
fn program(path: &Path, monitor: &Monitor) -> Result<Read, Trouble> {
    let text: Arc<str> = input::read_text(path, input::open(path)?, monitor)?.into();
    let mut sources = SourceMap::new();
    let file = sources.add(input::name_of(path), text.clone());
    let read = match front::read_either_asking(file, &text, &[]) {
        Ok(read) => read,
        Err(errors) => return Err(Trouble::Faults(errors, Box::new(sources))),
    };
    let (properties, warnings, kind, variables, methods) = match read {
        EitherDocument::Finite(read) => {
            let variables = variables(&read.program.data);
            // What a hole does is known to nobody, and only `modular` can do without.
            let methods: &[Method] = match read.program.has_holes() {
                true => &[Method::Auto, Method::Modular],
                false => &[
                    Method::Auto,
                    Method::Modular,
                    Method::Direct,
                    Method::Compositional,
                    Method::Refine,
                    Method::Symbolic,
                ],
            };
            (read.properties, read.warnings, "machine", variables, methods)
        }
        EitherDocument::Integers(read) => {
            let names = read.program.variables.iter().zip(&read.variables);
            let variables = names.map(|(name, variable)| Variable {
                name: name.clone(),
                values: integers(&variable.domain),
            });
            let methods: &[Method] = &[Method::Auto, Method::Refine];
            (read.properties, read.warnings, "integers", variables.collect(), methods)
        }
    };
    let property = |one: &front::WhileProperty| {
        let question = Question::new(one.title(), Some(one.logic), &one.text, Some(one.span));
        asked(&question, &sources)
    };
    let outline = Outline {
        language: "while",
        family: "props",
        system: "main".to_owned(),
        components: vec![Part::machine(kind)],
        variables,
        properties: properties.iter().map(property).collect(),
        methods: names(methods),
        ..Outline::default()
    };
    Ok(Read { outline, warnings, sources })
}

fn integers(domain: &IntegerDomain) -> String {
    match domain {
        IntegerDomain::Int => "int".to_owned(),
        IntegerDomain::Bool => "bool".to_owned(),
        IntegerDomain::Range(low, high) => format!("{low}..{high}"),
        IntegerDomain::Constants(all) => {
            let names: Vec<&str> = all.iter().map(|(_, name)| &**name).collect();
            format!("{{{}}}", names.join(", "))
        }
    }
}
