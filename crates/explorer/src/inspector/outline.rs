//! Outline and diagnostics of the texts: the answer to `/api/read`.

use crate::views::message::messages;
use crate::views::outline::{
    Outline, OutlineComponent, OutlineProperty, OutlineVariable, ReadDocument,
};
use report::TextRange;
use tertium::{Diagnostics, Error, Model, Property, Stopped};

/// More variables are not listed.
const MOST_VARIABLES: usize = 500;
/// More processes or instances of modules have no drawings of their own.
const MOST_PARTS: usize = 40;

pub fn read(read: Result<&Model, Error>) -> Result<String, Stopped> {
    let (Diagnostics { messages: found, sources }, outline) = match read {
        Ok(model) => match model.analyse() {
            Ok(warnings) => (warnings, Some(outline(model))),
            Err(error) => (error.diagnostics(), None),
        },
        Err(Error::Stopped(stopped)) => return Err(stopped),
        Err(error) => (error.diagnostics(), None),
    };
    let diagnostics = messages(&found, &sources);
    Ok(report::to_json(&ReadDocument { reads: outline.is_some(), diagnostics, outline }))
}

fn outline(model: &Model) -> Outline {
    let mut outline = match model.components_as_written() {
        Some(system) => Outline::of_system(system),
        None => {
            let kind = if model.is_over_integers() { "integers" } else { "machine" };
            let variable = |(name, values)| OutlineVariable { name, values };
            Outline {
                family: "props",
                system: model.system_name(),
                components: vec![OutlineComponent::machine(kind)],
                parts: model.parts().into_iter().take(MOST_PARTS).map(|part| part.name).collect(),
                variables: model.variables(MOST_VARIABLES).into_iter().map(variable).collect(),
                ..Outline::default()
            }
        }
    };
    let property = |property: &Property| OutlineProperty {
        name: property.name().to_owned(),
        logic: property.logic(),
        formula: property.formula().to_owned(),
        span: property.span().map(|span| TextRange::new(span, model.sources())),
        unsupported: property.not_supported().map(str::to_owned),
    };
    outline.language = model.language();
    outline.safeties = model.safety_names();
    outline.properties = model.properties().iter().map(property).collect();
    outline.methods = model.methods();
    outline
}
