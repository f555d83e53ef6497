//! Which method a call asks for, and how the method is to go about it.

use crate::flags::{Check, Refining};
use crate::input::{Trouble, is_dash};
use crate::load::component_named;
use explicit::{Method, Refinement};
use model::System;

/// Everything about a check that is the same for all questions.
pub struct Approach {
    pub method: Method,
    pub order: Vec<usize>,
    pub refinement: Refinement,
}

impl Approach {
    /// Looks up the components that the flags name.
    pub fn new(flags: &Check, system: &System) -> Result<Self, Trouble> {
        Ok(Self {
            method: method(flags),
            order: components("--order", &flags.order, system)?,
            refinement: Refinement {
                abstracted: abstracted(&flags.refining, system)?,
                ..refinement(&flags.refining)
            },
        })
    }
}

/// Who asks for something that one method has asks for this method.
pub fn method(flags: &Check) -> Method {
    match flags.method {
        Method::Auto if flags.modular.first_given().is_some() || !flags.assume.is_empty() => {
            Method::Modular
        }
        Method::Auto if flags.refining.first_given().is_some() => Method::Refine,
        Method::Auto if !flags.order.is_empty() => Method::Compositional,
        Method::Auto if flags.about_modules().is_some() => Method::Compositional,
        method => method,
    }
}

/// What is wrong with a call that nothing can be done about.
pub fn not_available(flags: &Check) -> Option<String> {
    let message = match method(flags) {
        Method::Compositional | Method::Refine | Method::Symbolic | Method::Modular
            if flags.values =>
        {
            "`--values` asks for every state: that needs `--method direct`".to_owned()
        }
        _ if flags.certificate.as_deref().is_some_and(is_dash) => {
            "a certificate is no text for standard output: give `--certificate` a file".to_owned()
        }
        method @ (Method::Direct | Method::Symbolic | Method::Modular)
            if !flags.order.is_empty() =>
        {
            format!(
                "`--order` is for `--method compositional` and `refine`; `{}` composes all at once",
                method.name()
            )
        }
        method => {
            let not_refining = || not_refining(&flags.refining, method, flags.json);
            return not_divided(flags, method)
                .or_else(|| not_modular(flags, method))
                .or_else(not_refining);
        }
    };
    Some(message)
}

fn not_divided(flags: &Check, method: Method) -> Option<String> {
    let flag = flags.about_modules()?;
    let takes_whole = matches!(method, Method::Direct | Method::Symbolic | Method::Modular);
    takes_whole.then(|| {
        let method = method.name();
        format!("`{flag}` is for `--method compositional` and `refine`; `{method}` takes the whole")
    })
}

fn not_modular(flags: &Check, method: Method) -> Option<String> {
    let flag = flags.modular.first_given()?;
    let method = Some(method).filter(|method| *method != Method::Modular)?.name();
    Some(format!("`{flag}` is for `--method modular`; `{method}` has no use for it"))
}

fn not_refining(flags: &Refining, method: Method, json: bool) -> Option<String> {
    if method != Method::Refine {
        let (flag, method) = (flags.first_given()?, method.name());
        return Some(format!("`{flag}` is for `--method refine`; `{method}` refines nothing"));
    }
    let both = json && flags.trace.as_deref().is_some_and(is_dash);
    both.then(|| {
        "`--json` and `--trace -` both write one object to standard output: give `--trace` a file"
            .to_owned()
    })
}

/// Which components are abstracted; `None` for all.
fn abstracted(flags: &Refining, system: &System) -> Result<Option<Vec<usize>>, Trouble> {
    let is_all = flags.abstracted.iter().all(|name| name.trim() == "all");
    let chosen = || components("--abstract", &flags.abstracted, system);
    if is_all { Ok(None) } else { chosen().map(Some) }
}

/// How to refine, all components alike.
pub fn refinement(flags: &Refining) -> Refinement {
    Refinement {
        eager: !flags.lazy,
        hyper: flags.hyper,
        remember: !flags.no_remember,
        drop_absent: !flags.no_drop,
        take_over: !flags.no_take_over,
        one_side_first: !flags.both_sides,
        emit: flags.emit_abstraction.is_some(),
        ..Refinement::default()
    }
}

/// The components that a flag names.
fn components(flag: &str, wanted: &[String], system: &System) -> Result<Vec<usize>, Trouble> {
    let mut found = Vec::new();
    for name in wanted.iter().map(|name| name.trim()) {
        if name.is_empty() {
            return Err(Trouble::message(format!("`{flag}`: the name of a component is missing"))
                .with_help(format!("write for example `{flag} A,B`")));
        }
        let component = component_named(flag, name, system)?;
        if found.contains(&component) {
            return Err(Trouble::message(format!("`{flag}` names the component `{name}` twice")));
        }
        found.push(component);
    }
    Ok(found)
}
