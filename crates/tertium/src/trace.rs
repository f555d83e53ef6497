//! Traces as users read them. Engines tell the states of a path, as far as the property depends on them; inputs,
//! statements, processes, definitions and positions in the text follow from the model, alike for every engine.

use crate::control_flow::explain::command_at;
use crate::explicit_model::ExplicitStates;
use crate::model::Model;
use crate::options::Options;
use crate::property::{About, Property};
use crate::transition_system::TransitionSystem;
use crate::whole_trace::{KnownPath, WholePath, whole_path};
use front::PrintPart;
use logic::Truth;
use logic::evidence::{Trace, TraceLocation, TraceStatement, TraceStep, TraceValue};
use model::{Component, System};
use rustc_hash::FxHashMap;
use std::collections::HashSet;
use support::{Monitor, SourceMap, Span, Stopped};
use transition::{ExprNode, Machine, Type, Valuation, VarId, VarKind, symbol_value};

/// Completes a trace of a property. Inputs that an engine does not tell are looked for within the limits of the
/// monitor.
pub(crate) fn complete(
    trace: &mut Trace,
    model: &Model,
    property: &Property,
    states: Option<&ExplicitStates>,
    options: &Options,
    monitor: &Monitor,
) -> Result<(), Stopped> {
    let sources = property.sources(model);
    match property.about() {
        About::Components(..) => {
            if let Some(states) = states {
                annotate_components(trace, &states.system);
            }
        }
        // The run of a program that an engine has followed through its text is complete.
        About::Finite(..) if trace.steps.iter().any(|step| step.statement.is_some()) => {}
        About::Finite(text, _) => {
            if let Ok(system) = text.transition_system() {
                TraceAnnotator { system, sources }.annotate(trace, options, monitor)?;
            }
        }
        About::Integers(..) => {}
    }
    for step in &mut trace.steps {
        if step.location.is_none() {
            step.location = step.span.map(|span| location(sources, span));
        }
    }
    Ok(())
}

/// Where a span begins.
pub(crate) fn location(sources: &SourceMap, span: Span) -> TraceLocation {
    let (line, column) = sources.position(span);
    TraceLocation { file: sources.file(span.file).name.clone(), line, column }
}

/// Adds the propositions of components to their states, and to the steps the components that take part.
fn annotate_components(trace: &mut Trace, system: &System) {
    let numbers: Vec<FxHashMap<String, u32>> = system
        .components
        .iter()
        .map(|part| {
            (0..part.model.states() as u32).map(|s| (part.model.state_name(s), s)).collect()
        })
        .collect();
    for state in &mut trace.states {
        let member = |(part, numbers): (&Component, &FxHashMap<String, u32>)| match state
            .get(&part.model.name)
        {
            Some(TraceValue::Symbol(name)) => numbers.get(name).copied(),
            _ => None,
        };
        let members: Vec<Option<u32>> =
            system.components.iter().zip(&numbers).map(member).collect();
        state.values.extend(labels(system, &members));
    }
    for number in 0..trace.steps.len() {
        let next = match number + 1 < trace.states.len() {
            true => number + 1,
            false => trace.loop_start.unwrap_or(number),
        };
        let Some(action) = trace.steps[number].action.clone() else { continue };
        let takes_part = |name: &str| {
            let own = system.components.iter().find(|part| part.model.name == name);
            let knows = own.is_some_and(|part| part.model.actions().get(&action).is_some());
            knows || trace.states[number].get(name) != trace.states[next].get(name)
        };
        let parts = system.components.iter().map(|part| part.model.name.clone());
        let moving: Vec<String> = parts.filter(|name| takes_part(name)).collect();
        if system.components.len() > 1 {
            trace.steps[number].components = moving;
        }
    }
}

/// The propositions of components in their states, as far as these are known.
pub(crate) fn labels(system: &System, members: &[Option<u32>]) -> Vec<(String, TraceValue)> {
    let names: HashSet<&str> = system.components.iter().map(|part| &*part.model.name).collect();
    let mut labels: Vec<(String, TraceValue)> = Vec::new();
    for (part, member) in system.components.iter().zip(members) {
        let (own, Some(number)) = (&part.model, *member) else { continue };
        for (prop, text) in own.props().iter() {
            let value = match own.label(number, prop) {
                Truth::True => TraceValue::Bool(true),
                Truth::False => TraceValue::Bool(false),
                Truth::Unknown => TraceValue::Unknown,
            };
            let name = match names.contains(text) {
                true => format!("{}.{text}", own.name),
                false => text.to_owned(),
            };
            if labels.iter().all(|(known, _)| *known != name) {
                labels.push((name, value));
            }
        }
    }
    labels
}

/// Goes through the states of a trace as often as a path over all variables does.
fn follow(trace: &mut Trace, whole: &WholePath) {
    let steps = (0..whole.inputs.len()).map(|number| trace.steps[whole.origins[number]].clone());
    let steps = steps.collect();
    let states = whole.origins.iter().map(|&origin| trace.states[origin].clone()).collect();
    (trace.states, trace.steps, trace.loop_start) = (states, steps, whole.loop_start);
}

/// Translates a trace into the names of the text that describes a symbolic transition system.
pub(crate) struct TraceAnnotator<'a> {
    pub system: &'a TransitionSystem,
    pub sources: &'a SourceMap,
}

impl TraceAnnotator<'_> {
    fn machine(&self) -> &Machine {
        &self.system.document.machine
    }

    fn annotate(
        &self,
        trace: &mut Trace,
        options: &Options,
        monitor: &Monitor,
    ) -> Result<(), Stopped> {
        // An engine that adds history variables tells them with the states: only with their values do the steps meet
        // the fairness conditions.
        let machine = self.machine().with_history_variables();
        let names: FxHashMap<&str, VarId> =
            machine.vars.iter().map(|(var, own)| (&*own.name, var)).collect();
        let read = |values: &[(String, TraceValue)]| -> Valuation {
            let value = |(name, value): &(String, TraceValue)| {
                let var = *names.get(&**name)?;
                let named = || self.number_of(var, value);
                Some((var, raw(&machine, var, value).or_else(named)?))
            };
            values.iter().filter_map(value).collect()
        };
        let mut states: Vec<Valuation> =
            trace.states.iter().map(|state| read(&state.values)).collect();
        let mut inputs: Vec<Valuation> =
            trace.steps.iter().map(|step| read(&step.inputs)).collect();
        let target = |step: usize| match step + 1 < states.len() {
            true => step + 1,
            false => trace.loop_start.unwrap_or(step),
        };
        if inputs.iter().all(Valuation::is_empty) && !inputs.is_empty() {
            let steps: Vec<(&Valuation, &Valuation)> =
                (0..inputs.len()).map(|step| (&states[step], &states[target(step)])).collect();
            let found = transition::inputs_along(&machine, &steps, monitor)?;
            inputs = found.into_iter().map(Option::unwrap_or_default).collect();
        }
        let is_of_text = |var: VarId| self.machine().vars.get(var).is_some();
        for state in &mut states {
            state.retain(|&var, _| is_of_text(var));
        }
        if options.all_variables && self.system.document.statements.is_none() {
            let loop_start = trace.loop_start;
            let known = KnownPath { states: &states, inputs: &inputs, loop_start };
            if let Some(whole) = whole_path(self.machine(), &known, monitor)? {
                follow(trace, &whole);
                (states, inputs) = (whole.states, whole.inputs);
            }
        }
        for (number, step) in trace.steps.iter_mut().enumerate() {
            *step = self.step(step, &states[number], &inputs[number]);
        }
        for (state, values) in trace.states.iter_mut().zip(&states) {
            state.values = self.values(values);
            if options.defines {
                state.defines = self.definitions(values);
            }
        }
        Ok(())
    }

    /// The variables of the text in the order of their declaration.
    pub fn values(&self, values: &Valuation) -> Vec<(String, TraceValue)> {
        let machine = self.machine();
        let mut vars: Vec<VarId> = values.keys().copied().collect();
        vars.retain(|&var| !self.system.is_control(var));
        vars.sort_unstable();
        let named = |var: VarId| {
            let (own, value) = (&machine.vars[var], values[&var]);
            let shown = self.name_of(var, value);
            let typed = || typed(machine, own.domain.ty(), value);
            (own.name.clone(), shown.map_or_else(typed, TraceValue::Symbol))
        };
        vars.into_iter().map(named).collect()
    }

    /// The name of a value of a variable whose values have names: a number without a name is its own.
    fn name_of(&self, var: VarId, value: i64) -> Option<String> {
        let known = self.system.document.statements.as_ref()?;
        if !known.named.contains(&var) {
            return None;
        }
        let found = known.value_names.iter().find(|(own, _)| *own == value);
        Some(found.map_or_else(|| value.to_string(), |(_, name)| name.clone()))
    }

    /// The value of such a variable with this name.
    fn number_of(&self, var: VarId, value: &TraceValue) -> Option<i64> {
        let known = self.system.document.statements.as_ref()?;
        let TraceValue::Symbol(text) = value else { return None };
        if !known.named.contains(&var) {
            return None;
        }
        let found = known.value_names.iter().find(|(_, name)| name == text);
        found.map_or_else(|| text.parse().ok(), |&(number, _)| Some(number))
    }

    pub fn step(&self, step: &TraceStep, from: &Valuation, inputs: &Valuation) -> TraceStep {
        let machine = self.machine();
        let mut reported = TraceStep {
            inputs: self.values(inputs),
            is_may_only: step.is_may_only,
            ..TraceStep::default()
        };
        if let Some(known) = &self.system.document.statements {
            let value = match machine.vars[known.determined_by].kind {
                VarKind::Input => inputs.get(&known.determined_by),
                _ => from.get(&known.determined_by),
            };
            let sides = value.and_then(|value| known.statements.get(value));
            let sides = sides.map(Vec::as_slice).unwrap_or_default();
            if let Some((process, span)) = sides.first() {
                reported.process.clone_from(process);
                reported.statement = Some(command_at(self.sources, *span).1);
                reported.span = Some(*span);
            }
            let printed = value.and_then(|value| known.prints.get(value));
            reported.action =
                printed.map(|parts| format!("prints {:?}", self.printed(parts, from)));
            reported.partner = sides.get(1).map(|(process, span)| TraceStatement {
                process: process.clone().unwrap_or_default(),
                text: command_at(self.sources, *span).1,
                location: Some(location(self.sources, *span)),
            });
        } else if let Some(selector) = machine.selector
            && let Some(&value) = inputs.get(&selector)
        {
            reported.process = Some(machine.text(selector, value));
        }
        reported
    }

    /// The text that a statement prints; `?` for what depends on variables that are left out.
    fn printed(&self, parts: &[PrintPart], values: &Valuation) -> String {
        let machine = self.machine();
        let shown = |part: &PrintPart| match part {
            PrintPart::Text(text) => text.clone(),
            PrintPart::Value(node, style) => {
                let access = machine.access([*node]);
                let is_known = access.now.iter().all(|var| values.contains_key(var));
                let leaf = |leaf| match leaf {
                    ExprNode::Now(var) => values.get(&var).copied().unwrap_or_default(),
                    _ => 0,
                };
                let value = machine.exprs.evaluate(*node, leaf).ok().filter(|_| is_known);
                value.map_or_else(|| "?".to_owned(), |value| style.show(value))
            }
        };
        parts.iter().map(shown).collect()
    }

    /// The definitions that read only the variables that are shown.
    fn definitions(&self, values: &Valuation) -> Vec<(String, TraceValue)> {
        let machine = self.machine();
        let value = |(name, node): &(String, transition::NodeId)| {
            let access = machine.access([*node]);
            let is_known = access.now.iter().all(|var| values.contains_key(var));
            if !is_known || !access.next.is_empty() {
                return None;
            }
            let leaf = |leaf| match leaf {
                ExprNode::Now(var) => values.get(&var).copied().unwrap_or_default(),
                _ => 0,
            };
            let value = machine.exprs.evaluate(*node, leaf).ok()?;
            Some((name.clone(), typed(machine, machine.exprs.ty(*node), value)))
        };
        self.system.document.definitions.iter().filter_map(value).collect()
    }
}

/// A value of a type, for a trace.
pub(crate) fn typed(machine: &Machine, ty: Type, value: i64) -> TraceValue {
    match ty {
        Type::Bool => TraceValue::Bool(value != 0),
        Type::Word { signed, width } => TraceValue::Word { signed, width, value },
        Type::Int { .. } | Type::Scalar if value < transition::FIRST_SYMBOL => {
            TraceValue::Int(value)
        }
        Type::Int { .. } | Type::Scalar => {
            let symbol = transition::SymbolId((value - transition::FIRST_SYMBOL) as u32);
            TraceValue::Symbol(machine.symbols.name(symbol).to_owned())
        }
    }
}

/// A value of a trace as one of a variable.
pub(crate) fn raw(machine: &Machine, var: VarId, value: &TraceValue) -> Option<i64> {
    let number = match value {
        TraceValue::Bool(value) => i64::from(*value),
        TraceValue::Int(value) | TraceValue::Word { value, .. } => *value,
        TraceValue::Symbol(name) => symbol_value(machine.symbols.get(name)?),
        _ => return None,
    };
    machine.vars[var].domain.contains(number).then_some(number)
}
