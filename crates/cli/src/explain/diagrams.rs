//! Explanations of specifications of SMV files by decision diagrams.

use super::{News, bare, drawn, head, parts, view};
use crate::flags::Explain;
use crate::input::{self, Trouble};
use crate::smv::{Asked, Program};
use crate::status::{REPORT, Status};
use crate::supervisor::Session;
use explicit::{
    Deadlock, Explanation, ShownMember, ShownNode, ShownSon, ShownState, ShownStep, Why,
};
use logic::{Formula, Modality, Node, NodeId, PropId, Truth};
use report::explanation::{Head, text_of_variables};
use symbolic::{Evidence, Position};
use transition::{Machine, Property, VarId};

pub fn explain(
    flags: &Explain,
    program: &Program,
    session: &Session<News>,
) -> Result<(String, Status), Trouble> {
    if flags.form.tm || flags.form.aut {
        let message = "decision diagrams have no part of the model to write down";
        return Err(Trouble::message(message).with_help("use `--method direct`"));
    }
    if Deadlock::from(flags.deadlock) != Deadlock::Warn {
        let message = "what a state means that nothing follows is asked of states, one by one";
        return Err(Trouble::message(message).with_help("use `--method direct`"));
    }
    let asked = single(program)?;
    let mut encoded = program.encode(flags.limits.memory, &session.monitor)?;
    session.remark(encoded.warnings(program, &flags.limits)?);
    let outcome = encoded.answer(asked)?;
    let verdict = outcome.verdict;
    let machine = &program.document.machine;
    let shown = match verdict {
        // Without an initial state everything holds, and there is nothing to show.
        Truth::True | Truth::False if !encoded.has_no_start() => {
            let is_true = verdict == Truth::True;
            encoded.evidence(program, asked, is_true, flags.positions)?
        }
        _ => None,
    };
    if shown.is_none() && verdict.is_definite() && !encoded.has_no_start() {
        let message = format!("`{}` cannot be explained", asked.question.name);
        return Err(Trouble::message(message).with_help(REPORT));
    }
    let (explanation, constants, parts) = match shown {
        Some((formula, evidence)) => {
            let telling = Telling {
                machine,
                labels: &encoded.words.labels,
                formula: &formula,
                evidence: &evidence,
            };
            let parts = parts(flags, &asked.question, &formula, &program.sources);
            (telling.explanation(), telling.constants(), parts)
        }
        None => (bare(vec![machine.name.clone()], outcome), Vec::new(), Vec::new()),
    };
    let files: Vec<String> = flags.files.iter().map(|path| input::name_of(path)).collect();
    let head = Head { parts, ..head(&files, &asked.question) };
    let content = drawn(&flags.form, &head, &explanation)
        .unwrap_or_else(|| text_of_variables(&head, &explanation, view(), &constants));
    Ok((content, Status::of(&[verdict])))
}

/// The one specification that is meant.
fn single(program: &Program) -> Result<&Asked, Trouble> {
    let asked: Vec<&Asked> = program.asked().collect();
    match asked[..] {
        [only] => Ok(only),
        _ => Err(super::one_at_a_time(asked.iter().map(|asked| &*asked.question.name))),
    }
}

/// Evidence in words.
struct Telling<'a> {
    machine: &'a Machine,
    labels: &'a [Property],
    formula: &'a Formula,
    evidence: &'a Evidence,
}

impl Telling<'_> {
    fn explanation(&self) -> Explanation {
        let Evidence { verdict, states, labels, positions, roots, cut, .. } = self.evidence;
        Explanation {
            verdict: Truth::from(*verdict),
            components: vec![self.machine.name.clone()],
            states: states.iter().zip(labels).map(|(v, props)| self.state(v, props)).collect(),
            nodes: positions.iter().map(|position| self.node(position)).collect(),
            roots: roots.clone(),
            cut: *cut,
            reason: None,
        }
    }

    /// What is the same in all states, unless that is everything.
    fn constants(&self) -> Vec<(String, String)> {
        let Some(values) = self.evidence.states.first() else { return Vec::new() };
        let hidden = values.iter().filter(|(var, _)| self.is_hidden(*var));
        let text = |&(var, value): &(VarId, i64)| {
            (self.machine.vars[var].name.clone(), self.machine.text(var, value))
        };
        hidden.map(text).collect()
    }

    fn is_hidden(&self, var: VarId) -> bool {
        let Evidence { constants, states, .. } = self.evidence;
        let is_everything = states.first().is_some_and(|values| constants.len() == values.len());
        !is_everything && constants.contains(&var)
    }

    fn state(&self, values: &[(VarId, i64)], props: &[PropId]) -> ShownState {
        let shown: Vec<(VarId, i64)> =
            values.iter().copied().filter(|(var, _)| !self.is_hidden(*var)).collect();
        let (name, unknown_props) = (self.assignments(&shown), Vec::new());
        let label = |prop: &PropId| self.labels.get(prop.0 as usize);
        let true_props = props.iter().filter_map(label).map(|label| label.name.clone()).collect();
        let member = ShownMember { name, true_props, unknown_props };
        ShownState { members: vec![Some(member)] }
    }

    fn assignments(&self, values: &[(VarId, i64)]) -> String {
        let text = |&(var, value): &(VarId, i64)| {
            format!("{}={}", self.machine.vars[var].name, self.machine.text(var, value))
        };
        values.iter().map(text).collect::<Vec<_>>().join(",")
    }

    fn node(&self, position: &Position) -> ShownNode {
        let why = match position.why {
            symbolic::Why::Itself => Why::Itself,
            symbolic::Why::One => Why::One,
            symbolic::Why::All => Why::All,
            symbolic::Why::Unfolding => Why::Unfolding,
            symbolic::Why::Throughout => Why::Throughout,
            symbolic::Why::Cut => Why::Cut,
        };
        ShownNode {
            state: position.state,
            subformula: self.formula.written(position.node),
            value: Truth::from(self.evidence.verdict),
            why,
            sons: position.sons.iter().map(|son| self.son(son, why)).collect(),
            asked: self.asked(position.node).filter(|_| matches!(why, Why::All | Why::Itself)),
        }
    }

    /// The steps that a modality asks about, if all of them count.
    fn asked(&self, node: NodeId) -> Option<logic::ActionSet> {
        let Node::Modal(modality, actions, _) = self.formula.node(self.formula.definition(node))
        else {
            return None;
        };
        let is_all = (modality == Modality::Box) == self.evidence.verdict;
        is_all.then(|| self.formula.actions(actions).clone())
    }

    /// Where all steps count, it does not matter which inputs make them.
    fn son(&self, son: &symbolic::Son, why: Why) -> ShownSon {
        let step = son.step.as_ref().map(|inputs| {
            let is_told = why == Why::One && !inputs.is_empty();
            let action = is_told.then(|| self.assignments(inputs));
            ShownStep { action, is_sure: true, is_one_of: false }
        });
        ShownSon { node: son.position, step }
    }
}
