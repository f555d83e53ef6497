//! Diagnostics about programs, finite or over unbounded integers.

use super::ast::{Infix, Name, Procedure};
use super::build::Sort;
use support::{Diagnostic, Span};
use transition::cfg::Jump;

/// A name that is there already.
pub(super) fn twice(what: &str, name: Name, first: Span) -> Diagnostic {
    let message = format!("{what} `{}` is declared twice", name.text);
    let error = Diagnostic::error(message, name.span, "declared again");
    if first.file == name.span.file {
        error.with_label(first, "first declared here")
    } else {
        error
    }
}

pub(super) fn variable_called_like_constant(name: Name) -> Diagnostic {
    let message = format!("`{}` is a constant of an enumeration", name.text);
    Diagnostic::error(message, name.span, "cannot be a variable too")
        .with_help("choose another name")
}

pub(super) fn constant_called_like_variable(name: Name) -> Diagnostic {
    let message = format!("`{}` is a variable", name.text);
    Diagnostic::error(message, name.span, "cannot be a constant too")
        .with_help("choose another name")
}

pub(super) fn too_many_variables(most: usize, span: Span) -> Diagnostic {
    let message = format!("there are more than {most} variables");
    Diagnostic::error(message, span, "one too many is declared here")
}

pub(super) fn initial_value_depends(span: Span) -> Diagnostic {
    let message = "the initial value is no constant";
    Diagnostic::error(message, span, "depends on something")
        .with_help("assign it by the first command of the program")
}

pub(super) fn initial_value_outside(
    name: &str,
    value: &str,
    span: Span,
    declared: Span,
) -> Diagnostic {
    let message = format!("`{name}` cannot be {value}");
    Diagnostic::error(message, span, "outside of its values").with_label(declared, "declared here")
}

/// Some names of the scope begin with that of the procedure which is being read.
pub(super) fn unknown<'n>(
    name: Name,
    inside: Option<&str>,
    scope: impl Iterator<Item = &'n str>,
    constants: impl Iterator<Item = &'n str>,
) -> Diagnostic {
    let message = format!("there is no variable or constant `{}`", name.text);
    let prefix = inside.map(|inside| format!("{inside}."));
    let own =
        |known: &'n str| prefix.as_ref().and_then(|p| known.strip_prefix(&**p)).unwrap_or(known);
    let mut known: Vec<&str> = scope.map(own).chain(constants).collect();
    known.sort_unstable();
    Diagnostic::error(message, name.span, "not declared").with_nearest(name.text, known)
}

pub(super) fn constant_assigned(name: Name) -> Diagnostic {
    let message = format!("`{}` is a constant", name.text);
    Diagnostic::error(message, name.span, "cannot be assigned to")
}

pub(super) fn wrong_sort(wanted: Sort, found: Sort, span: Span) -> Diagnostic {
    let message = format!("expected {}, found {}", wanted.title(), found.title());
    let error = Diagnostic::error(message, span, format!("is {}", found.title()));
    match (wanted, found) {
        (Sort::Truth, Sort::Number) => error.with_help("compare it: `x != 0`"),
        (Sort::Truth, Sort::Constant) => error.with_help("compare it: `m = busy`"),
        _ => error,
    }
}

/// A value for a variable that has others.
pub(super) fn other_sort(
    name: &str,
    declared: Span,
    wanted: Sort,
    found: Sort,
    span: Span,
) -> Diagnostic {
    let message = format!("`{name}` is {}, not {}", wanted.title(), found.title());
    Diagnostic::error(message, span, format!("is {}", found.title()))
        .with_label(declared, "declared here")
}

pub(super) fn mixture(infix: Infix, left: (Span, Sort), right: (Span, Sort)) -> Diagnostic {
    let message = format!("`{}` compares values of one kind", infix.text());
    Diagnostic::error(message, right.0, format!("is {}", right.1.title()))
        .with_label(left.0, format!("is {}", left.1.title()))
}

pub(super) fn no_expression(span: Span) -> Diagnostic {
    let message = "a formula where a value is expected";
    Diagnostic::error(message, span, "belongs to no expression")
        .with_help("formulas are joined by `!`, `&`, `|`, `->` and `<->`")
}

/// Warns of an expression that has a run-time error whenever it is evaluated.
pub(super) fn always_fails(span: Span, label: String) -> Diagnostic {
    Diagnostic::warning("this is always a run-time error", span, label)
        .with_help("the program goes to the location `error` here")
}

pub(super) fn misplaced_fin(span: Span) -> Diagnostic {
    let message = "`fin` stands only at the end of the program";
    Diagnostic::error(message, span, "something follows it, or is around it")
        .with_help("an infinite loop is `while true do skip od`")
}

pub(super) fn misplaced_jump(jump: Jump, span: Span) -> Diagnostic {
    let (message, label) = match jump {
        Jump::Break => ("`break` stands outside of every loop", "no loop to leave"),
        Jump::Continue => ("`continue` stands outside of every loop", "no loop to go on with"),
        Jump::Return => ("`return` stands outside of every procedure", "no call to go back to"),
    };
    let help = match jump {
        Jump::Break | Jump::Continue => "a loop is `while … do … od`; a call does not pass it on",
        Jump::Return => "the program ends with `fin`",
    };
    Diagnostic::error(message, span, label).with_help(help)
}

pub(super) fn no_procedure<'n>(
    name: Name,
    is_variable: bool,
    known: impl Iterator<Item = &'n str>,
) -> Diagnostic {
    let message = format!("there is no procedure `{}`", name.text);
    let label = if is_variable { "a variable" } else { "not declared" };
    let mut known: Vec<&str> = known.collect();
    known.sort_unstable();
    Diagnostic::error(message, name.span, label).with_nearest(name.text, known)
}

pub(super) fn other_count(written: &Procedure, given: usize, span: Span) -> Diagnostic {
    let wanted = written.parameters.len();
    let plural = if wanted == 1 { "" } else { "s" };
    let message = format!("`{}` has {wanted} parameter{plural} and not {given}", written.name.text);
    Diagnostic::error(message, span, "called here").with_label(written.name.span, "declared here")
}

pub(super) fn result_in_array(span: Span) -> Diagnostic {
    Diagnostic::error("a recursive call needs a variable for its result", span, "an element")
        .with_help("put a variable here, and assign it to the element afterwards")
}

pub(super) fn no_result(span: Span) -> Diagnostic {
    Diagnostic::error("a result needs a variable", span, "no variable")
        .with_help("put a variable or an element of an array here")
}

/// A formula speaks of a value that is not there in some states.
pub(super) fn choice_can_fail(span: Span, help: &str) -> Diagnostic {
    let message = "what a formula says of a state must have a value in every state";
    Diagnostic::error(message, span, "this can be a run-time error").with_help(help)
}

/// A program in the place of a hole may come back to its beginning.
pub(super) fn label_of_hole(label: &str, span: Span) -> Diagnostic {
    let message = format!("whether `at_{label}` holds inside of the hole is not known");
    Diagnostic::error(message, span, "the label of a hole").with_help(
        "in programs with `process`, `assume` or `int`, give the label to a `skip` before the hole",
    )
}

pub(super) fn linear_time_of_hole(span: Span) -> Diagnostic {
    let message = "LTL is not supported for programs with holes";
    Diagnostic::error(message, span, "a formula of linear time")
        .with_help("ask in CTL: `AG (p -> AF q)`")
}

pub(super) fn no_label<'n>(
    label: &str,
    span: Span,
    known: impl Iterator<Item = &'n str>,
) -> Diagnostic {
    let message = format!("there is no label `{label}`");
    Diagnostic::error(message, span, "no such location").with_nearest(label, known)
}
