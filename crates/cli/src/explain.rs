//! `tertium explain`: why a property holds, why it fails, or what is missing to know.

use crate::Status;
use crate::console::colour_of_stdout;
use crate::flags::{Explain, Form};
use crate::input::Trouble;
use crate::load::{Loaded, load};
use crate::questions::{Task, prepare};
use crate::supervisor::{self, Session};
use crate::{input, output};
use check::{Explanation, Method, Outcome, Request};
use logic::{Family, Truth};
use model::System;
use report::explanation::{Head, LeftOut, View, dot, html, json, submodel, svg, text};

pub fn run(flags: Box<Explain>) -> Status {
    let limits = flags.limits.clone();
    let (ended, mut console) = supervisor::run(
        &limits,
        move |session: &Session<String>| session.settle(explain(&flags, session)),
        |text, console| console.out(&text),
    );
    ended.unwrap_or_else(|stopped| {
        console.out(&format!("unknown  {stopped}\n"));
        Status::Unknown
    })
}

fn explain(flags: &Explain, session: &Session<String>) -> Result<Status, Trouble> {
    if let Method::Symbolic | Method::Modular = flags.method {
        let name = flags.method.name();
        return Err(Trouble::message(format!("the method `{name}` is not available yet")));
    }
    let mut loaded = load(&flags.files, flags.sync.as_deref(), &session.monitor)?;
    let tasks = prepare(&flags.questions, flags.property.as_slice(), &mut loaded)?;
    let task = single(&tasks)?;
    session.remark(loaded.warnings_for(&flags.limits));
    let request = Request {
        method: flags.method,
        deadlock: flags.deadlock.into(),
        ..Request::new(&loaded.system, &task.formula, &session.monitor)
    };
    let wish = check::Wish { positions: flags.positions, shortest: flags.shortest };
    let (outcome, explanation) = check::explain(&request, &wish)
        .map_err(|error| Trouble::message(format!("`{}`: {error}", task.property.name)))?;
    let status = match outcome.verdict {
        Truth::True => Status::Good,
        Truth::False => Status::Bad,
        Truth::Unknown => Status::Unknown,
    };
    let explanation = explanation.unwrap_or_else(|| bare(&loaded, outcome));
    let content = content(flags, &loaded, task, &explanation)?;
    match &flags.output {
        Some(path) if !input::is_dash(path) => {
            output::write(path, &content).map_err(|error| output::unwritable(path, &error))?;
        }
        _ => session.tell(content),
    }
    Ok(status)
}

/// The one property that is meant.
fn single(tasks: &[Task]) -> Result<&Task, Trouble> {
    match tasks {
        [task] => Ok(task),
        _ => {
            let names: Vec<String> =
                tasks.iter().map(|task| format!("`{}`", task.property.name)).collect();
            Err(Trouble::message("one property is explained at a time")
                .with_help(format!("choose one with --property: {}", names.join(", "))))
        }
    }
}

/// A verdict that there is no more to say of than its reason.
fn bare(loaded: &Loaded, outcome: Outcome) -> Explanation {
    let components = loaded.system.components.iter();
    Explanation {
        verdict: outcome.verdict,
        components: components.map(|part| part.model.name.clone()).collect(),
        states: Vec::new(),
        nodes: Vec::new(),
        roots: Vec::new(),
        cut: 0,
        reason: outcome.reason,
    }
}

/// Steps that the explanation does not mention are left out: an Aldebaran file cannot say less.
fn part_as_aut(loaded: &Loaded, explanation: &Explanation) -> Result<String, Trouble> {
    if loaded.system.family() == Family::Props {
        return Err(Trouble::message("an .aut file has actions, and this system has propositions")
            .with_help("`--tm` gives the part of the model in the native language"));
    }
    let part = submodel(explanation, &loaded.system, LeftOut::Absent);
    let mut bytes = Vec::new();
    front::write_aut(&part, &mut bytes).map_err(|error| Trouble::message(error.to_string()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn content(
    flags: &Explain,
    loaded: &Loaded,
    task: &Task,
    explanation: &Explanation,
) -> Result<String, Trouble> {
    let files: Vec<String> = flags.files.iter().map(|path| input::name_of(path)).collect();
    let head = Head {
        version: env!("CARGO_PKG_VERSION"),
        files: &files,
        property: &task.property.name,
        logic: task.property.surface.logic,
        formula: &task.question.formula,
    };
    let Form { html: as_html, svg: as_svg, dot: as_dot, json: as_json, tm, aut } = flags.form;
    Ok(if as_html {
        html(&head, explanation)
    } else if as_svg {
        svg(&head, explanation)
    } else if as_dot {
        dot(&head, explanation)
    } else if as_json {
        json(&head, explanation)
    } else if tm {
        let part = submodel(explanation, &loaded.system, LeftOut::Unknown);
        front::write_tm(&System::single(part), &[], std::slice::from_ref(&task.property))
    } else if aut {
        part_as_aut(loaded, explanation)?
    } else {
        text(&head, explanation, View { colour: colour_of_stdout(), width: 100 })
    })
}
