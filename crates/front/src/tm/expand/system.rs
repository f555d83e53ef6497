//! The parts of a system, and its vectors.

use super::Expander;
use crate::cursor::Name;
use crate::sink::Parsed;
use crate::tm::ast::{Component, JointSteps, Vector};
use crate::tm::template::instance;
use crate::tm::value::Value;
use rustc_hash::FxHashMap;
use support::{Diagnostic, Span};

/// A copy of a component that the system has.
pub(super) struct Wanted<'a> {
    pub name: Name<'a>,
    pub arguments: Vec<Value<'a>>,
    /// `as B [a -> b]`, with the names expanded.
    pub copied: Option<Vec<(Name<'a>, Name<'a>)>>,
}

impl<'a> Expander<'_, 'a> {
    /// The names of the parts; the copies that they need are added by component.
    pub(super) fn parts(
        &mut self,
        parts: &[Name<'a>],
        components: &[Component<'a>],
        wanted: &mut FxHashMap<String, Vec<Wanted<'a>>>,
    ) -> Parsed<Vec<Name<'a>>> {
        let by_name: FxHashMap<&str, &Component> =
            components.iter().map(|component| (&*component.name.text, component)).collect();
        let mut all = Vec::new();
        for part in parts {
            let component = by_name.get(&*part.text);
            self.quantified(part, |this, bound| {
                let copy = this.part(part, component.copied(), bound)?;
                all.push(copy.name.clone());
                if !copy.arguments.is_empty() || copy.copied.is_some() {
                    wanted.entry(part.text.to_string()).or_default().push(copy);
                }
                Ok(())
            })?;
        }
        Ok(all)
    }

    fn part(
        &mut self,
        part: &Name<'a>,
        component: Option<&Component<'a>>,
        bound: &[Value<'a>],
    ) -> Parsed<Wanted<'a>> {
        let notes = self.notes;
        let arguments = self.arguments(part)?;
        if let Some(component) = component {
            self.check_arguments(part, component, &arguments)?;
        }
        match notes.get(&part.span.start).and_then(|note| note.copy.as_ref()) {
            None => {
                let name = instance(part, &arguments);
                Ok(Wanted { name, arguments, copied: None })
            }
            Some(copy) => {
                let renaming = copy.renaming.iter();
                let renaming =
                    renaming.map(|(from, to)| Ok((self.single(from)?, self.single(to)?)));
                let copied = Some(renaming.collect::<Parsed<_>>()?);
                Ok(Wanted { name: instance(&copy.name, bound), arguments, copied })
            }
        }
    }

    fn check_arguments(
        &mut self,
        part: &Name<'a>,
        component: &Component<'a>,
        arguments: &[Value<'a>],
    ) -> Parsed<()> {
        let params = &component.params;
        if params.len() != arguments.len() {
            return Err(self.sink.error(|| wrong_number(part, component, arguments.len())));
        }
        let notes = self.notes;
        let written = notes.get(&part.span.start).map_or(&[][..], |note| &note.arguments);
        let start = self.scope.names.len();
        for (place, (param, argument)) in params.iter().zip(written).enumerate() {
            self.scope.bind(&params[..place], arguments);
            let values = self.scope.values(&param.domain);
            self.scope.names.truncate(start);
            let values = self.said(values)?;
            if values.position(arguments[place]).is_none() {
                let value = arguments[place];
                return Err(self.sink.error(|| {
                    let message = format!("`{}` is no value of `{}`", value, param.name);
                    let label = format!("the values are {values}");
                    Diagnostic::error(message, argument.span, label)
                        .with_label(param.domain.span, "declared here")
                        .with_help("write a value that the parameter has, or enlarge its range")
                }));
            }
        }
        Ok(())
    }

    pub(super) fn joint_steps(&mut self, steps: JointSteps<'a>) -> Parsed<JointSteps<'a>> {
        let mut vectors = Vec::with_capacity(steps.vectors.len());
        for Vector { parts, result } in &steps.vectors {
            self.quantified(&parts[0].0, |this, _| {
                let part = |(component, action): &(Name<'a>, Name<'a>)| {
                    Ok((this.applied(component)?, this.single(action)?))
                };
                let parts = parts.iter().map(part).collect::<Parsed<_>>()?;
                vectors.push(Vector { parts, result: this.single(result)? });
                Ok(())
            })?;
        }
        let hidden = self.names(&steps.hidden)?;
        Ok(JointSteps { vectors, hidden, ..steps })
    }
}

fn wrong_number(part: &Name, component: &Component, given: usize) -> Diagnostic {
    let (name, params) = (&component.name.text, &component.params);
    let declared: Span = component.name.span;
    if params.is_empty() {
        let message = format!("the component `{name}` has no parameters");
        return Diagnostic::error(message, part.span, "arguments follow it")
            .with_label(declared, "declared here")
            .with_help(format!("declare them: `component {name}(i in 0..3) …`"));
    }
    let names: Vec<&str> = params.iter().map(|param| param.name).collect();
    let names = names.join(", ");
    let has = if params.len() == 1 {
        "1 parameter".to_owned()
    } else {
        format!("{} parameters", params.len())
    };
    let message = format!("the component `{name}` has {has}, and {given} given");
    Diagnostic::error(message, part.span, format!("its parameters are {names}"))
        .with_label(declared, "declared here")
        .with_help(format!("give each a value: `{name}({names})`, or all: `i in 0..3: {name}(i)`"))
}
