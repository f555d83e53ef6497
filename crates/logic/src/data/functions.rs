//! Functions that terms may apply: constructors with their projections and recognisers, and those of mCRL2's sorts.

use super::evaluate::{Evaluated, too_large, unbounded, wrong};
use super::{Number, SortDeclaration, SortDefinition, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use support::Span;

/// The functions of a formula and a system.
#[derive(Clone, Default)]
pub(super) struct Functions(Rc<Tables>);

#[derive(Default)]
struct Tables {
    constructors: FxHashSet<(String, usize)>,
    /// By name: the constructors that have it, each with the number of the field.
    projections: FxHashMap<String, Vec<(String, usize)>>,
    /// By name: the constructor.
    recognisers: FxHashMap<String, String>,
}

impl Functions {
    pub fn new<'v>(
        sorts: &[SortDeclaration],
        occurring: impl Iterator<Item = &'v Value>,
    ) -> Functions {
        let mut tables = Tables::default();
        for declaration in sorts {
            let SortDefinition::Constructors(constructors) = &declaration.definition else {
                continue;
            };
            for constructor in constructors {
                let name = &constructor.name;
                tables.constructors.insert((name.clone(), constructor.fields.len()));
                for (at, (projection, _)) in constructor.fields.iter().enumerate() {
                    if let Some(projection) = projection {
                        let known = tables.projections.entry(projection.clone()).or_default();
                        known.push((name.clone(), at));
                    }
                }
                if let Some(recogniser) = &constructor.recogniser {
                    tables.recognisers.insert(recogniser.clone(), name.clone());
                }
            }
        }
        occurring.for_each(|value| note_constructors(value, &mut tables.constructors));
        Functions(Rc::new(tables))
    }

    pub fn is_constructor(&self, name: &str, arity: usize) -> bool {
        self.0.constructors.contains(&(name.to_owned(), arity))
    }
}

fn note_constructors(value: &Value, constructors: &mut FxHashSet<(String, usize)>) {
    match value {
        Value::Term(name, arguments) => {
            constructors.insert((name.clone(), arguments.len()));
            arguments.iter().for_each(|value| note_constructors(value, constructors));
        }
        Value::List(items) | Value::Set(items) => {
            items.iter().for_each(|value| note_constructors(value, constructors));
        }
        Value::Bool(_) | Value::Number(_) | Value::Other(_) => {}
    }
}

/// Applies a projection or a recogniser.
pub(super) fn apply(
    functions: &Functions,
    name: &str,
    arguments: &[Value],
    span: Span,
) -> Evaluated<Option<Value>> {
    let [argument] = arguments else { return Ok(None) };
    let (projections, recogniser) =
        (functions.0.projections.get(name), functions.0.recognisers.get(name));
    if projections.is_none() && recogniser.is_none() {
        return Ok(None);
    }
    let Value::Term(constructor, fields) = argument else {
        let label = "the value occurs in no action, so that its constructor is not known";
        return Err(wrong(span, format!("`{name}` has no value here"), label));
    };
    if let Some(recognised) = recogniser {
        return Ok(Some(Value::Bool(constructor == recognised)));
    }
    let field = projections.into_iter().flatten().find(|(owner, _)| owner == constructor);
    match field.and_then(|(_, at)| fields.get(*at)) {
        Some(field) => Ok(Some(field.clone())),
        None => {
            let label = format!("the value is made by `{constructor}`");
            Err(wrong(span, format!("`{name}` has no value here"), label))
        }
    }
}

/// Applies a function of mCRL2's own sorts.
pub(super) fn builtin(name: &str, arguments: &[Value], span: Span) -> Evaluated<Option<Value>> {
    let shifted = |number: &Number, by: i64| {
        let value = number.value.checked_add(by).ok_or_else(|| too_large(span))?;
        Ok(Some(Value::Number(Number { value, ..*number })))
    };
    let empty = || wrong(span, format!("`{name}` of an empty list"), "it has no value");
    Ok(match (name, arguments) {
        ("succ", [Value::Number(number)]) => return shifted(number, 1),
        ("pred", [Value::Number(number)]) => return shifted(number, -1),
        ("min", [Value::Number(a), Value::Number(b)]) => Some(Value::Number(*a.min(b))),
        ("max", [Value::Number(a), Value::Number(b)]) => Some(Value::Number(*a.max(b))),
        ("abs", [Value::Number(Number { is_generic: true, .. })]) => return Err(unbounded(span)),
        ("abs", [Value::Number(number)]) => {
            let value = number.value.checked_abs().ok_or_else(|| too_large(span))?;
            Some(Value::Number(Number { value, ..*number }))
        }
        ("exp", [Value::Number(base), Value::Number(power)]) => {
            if base.is_generic || power.is_generic {
                return Err(unbounded(span));
            }
            let power = u32::try_from(power.value).ok();
            let value = power.and_then(|power| base.value.checked_pow(power));
            Some(Value::number(value.ok_or_else(|| too_large(span))?))
        }
        (
            "Pos2Nat" | "Nat2Pos" | "Pos2Int" | "Int2Pos" | "Nat2Int" | "Int2Nat",
            [Value::Number(number)],
        ) => Some(Value::Number(*number)),
        ("head", [Value::List(items)]) => Some(items.first().cloned().ok_or_else(empty)?),
        ("rhead", [Value::List(items)]) => Some(items.last().cloned().ok_or_else(empty)?),
        ("tail", [Value::List(items)]) => {
            Some(Value::List(items.get(1..).ok_or_else(empty)?.to_vec()))
        }
        ("rtail", [Value::List(items)]) => {
            let end = items.len().checked_sub(1).ok_or_else(empty)?;
            Some(Value::List(items[..end].to_vec()))
        }
        _ => None,
    })
}
