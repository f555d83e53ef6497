//! Random components: Kripke structures that agree on a joint proposition, and labelled transition systems that
//! synchronise on joint actions.

use super::{ensure, pairs, trace_of};
use tertium::{Logic, Model, Options, Trace, TraceValue};
use testkit::{Case, Rng};

pub struct Part {
    pub name: String,
    /// By state: whether the joint proposition and the own one hold.
    pub labels: Vec<[bool; 2]>,
    /// By state: the action, if there are some, and the target.
    pub edges: Vec<Vec<(usize, usize)>>,
}

pub const ACTIONS: [&str; 4] = ["a", "b", "own0", "own1"];

impl Part {
    pub fn random(rng: &mut Rng, number: usize) -> Self {
        let states = rng.between(2, 5);
        let edges = (0..states).map(|_| {
            let action = |rng: &mut Rng| *rng.pick(&[0, 1, 2 + number]);
            (0..rng.between(1, 4)).map(|_| (action(rng), rng.below(states))).collect()
        });
        let edges = edges.collect();
        let label = |state: usize, rng: &mut Rng| {
            if state == 0 { [false; 2] } else { [rng.chance(0.5), rng.chance(0.5)] }
        };
        let labels = (0..states).map(|state| label(state, rng)).collect();
        Self { name: format!("M{number}"), labels, edges }
    }

    pub fn text(&self, number: usize, has_actions: bool) -> String {
        let name = &self.name;
        let mut text = match has_actions {
            true => format!("component {name} lts {{\n  actions a, b, own{number};\n  init s0;\n"),
            false => format!("component {name} kripke {{\n  props j, p{number};\n  init s0;\n"),
        };
        for (state, edges) in self.edges.iter().enumerate() {
            let [joint, own] = self.labels[state];
            let mut props = Vec::new();
            props.extend(joint.then(|| "j".to_owned()));
            props.extend(own.then(|| format!("p{number}")));
            let label = format!("{{{}}} ", props.join(", "));
            text += &format!("  s{state}: {}", if has_actions { "" } else { &label });
            for (action, target) in edges {
                text += &match has_actions {
                    true => format!("-{}-> s{target} ", ACTIONS[*action]),
                    false => format!("-> s{target} "),
                };
            }
            text += ";\n";
        }
        text + "}\n"
    }

    fn state(&self, trace: &Trace, state: usize) -> Result<usize, String> {
        match trace.states[state].get(&self.name) {
            Some(TraceValue::Symbol(name)) => {
                name[1..].parse().map_err(|_| format!("no state: {name}"))
            }
            _ => Err(format!("{} is not told", self.name)),
        }
    }
}

fn follow(parts: &[Part], has_actions: bool, trace: &Trace) -> Result<(), String> {
    let tuple = |state: usize| -> Result<Vec<usize>, String> {
        parts.iter().map(|part| part.state(trace, state)).collect()
    };
    ensure(tuple(0)?.iter().all(|&state| state == 0), || format!("another start: {trace}"))?;
    for (number, (from, to)) in pairs(trace).into_iter().enumerate() {
        let (before, after) = (tuple(from)?, tuple(to)?);
        let step = &trace.steps[number];
        let is_edge = |part: usize, action: Option<usize>| {
            parts[part].edges[before[part]].iter().any(|(own, target)| {
                action.is_none_or(|action| action == *own) && *target == after[part]
            })
        };
        if !has_actions {
            let moves = (0..parts.len()).all(|part| is_edge(part, None));
            let joint = |part: usize| parts[part].labels[after[part]][0];
            let agrees = (0..parts.len()).all(|part| joint(part) == joint(0));
            ensure(moves && agrees, || format!("no step {from} to {to}: {trace}"))?;
            continue;
        }
        let action = ACTIONS.iter().position(|name| step.action.as_deref() == Some(*name));
        let action = action.ok_or_else(|| format!("no action: {trace}"))?;
        let knows = |part: usize| action < 2 || action == 2 + part;
        let is_step = (0..parts.len()).all(|part| match knows(part) {
            true => is_edge(part, Some(action)),
            false => before[part] == after[part],
        });
        ensure(is_step, || format!("no step {from} to {to}: {trace}"))?;
        let who: Vec<String> = (0..parts.len())
            .filter(|&part| knows(part))
            .map(|part| parts[part].name.clone())
            .collect();
        ensure(step.components == who, || format!("others take part: {trace}"))?;
    }
    Ok(())
}

pub fn replay(rng: &mut Rng, case: &mut Case) -> Result<(), String> {
    let has_actions = rng.chance(0.5);
    let parts = [Part::random(rng, 0), Part::random(rng, 1)];
    let text =
        parts[0].text(0, has_actions) + &parts[1].text(1, has_actions) + "system M0 || M1;\n";
    case.note(&text);
    let model = Model::read("tm", "random.tm", &text).map_err(|error| error.to_string())?;
    let action = *rng.pick(&ACTIONS);
    let (logic, formula) = match has_actions {
        true => (Logic::Mu, format!("nu Z. ([{action}] false & [true] Z)")),
        false => (Logic::Ctl, "AG !(p0 & p1)".to_owned()),
    };
    for method in ["auto", "direct", "compositional", "refine"] {
        case.note(format!("// {method}: {formula}"));
        let property = model.property(logic, &formula).map_err(|error| error.to_string())?;
        let options = Options::default().method(method);
        let Some(trace) = trace_of(&model, &property, &options)? else { continue };
        ensure(!trace.is_prefix, || "the evidence is no path".to_owned())?;
        follow(&parts, has_actions, &trace)?;
        let last = trace.states.len() - 1;
        let is_shown = match has_actions {
            true => trace.steps.last().is_some_and(|step| step.action.as_deref() == Some(action)),
            false => ["p0", "p1"]
                .iter()
                .all(|name| trace.states[last].get(name) == Some(&TraceValue::Bool(true))),
        };
        ensure(is_shown, || format!("it holds in the end: {trace}"))?;
    }
    Ok(())
}
