//! The result of `tertium compare`, as text.

use crate::style::Colour;
use crate::visible::visible;
use logic::Truth;
use model::{
    ComparedBy, ComparedModel, ComparedStep, ComparisonReport, Failure, Mismatch, PartialModel,
};

/// The two models and what the user calls them.
pub struct Compared<'a> {
    pub concrete: &'a PartialModel,
    pub abstracted: &'a PartialModel,
    pub names: [&'a str; 2],
}

pub fn name_of_relation(method: ComparedBy) -> &'static str {
    match method {
        ComparedBy::MixedSimulation => "mixed simulation",
        ComparedBy::Bisimulation => "bisimulation",
    }
}

impl Compared<'_> {
    /// Yes or no, and what shows it.
    pub fn to_text(&self, comparison: &ComparisonReport, colour: Colour) -> String {
        let [concrete, abstracted] = self.names;
        let verb = match comparison.method {
            ComparedBy::MixedSimulation => "abstracts",
            ComparedBy::Bisimulation => "is bisimilar to",
        };
        match &comparison.failure {
            None => {
                let yes = colour.truth(Truth::True, "yes");
                format!(
                    "{yes}  {abstracted} {verb} {concrete}\n{}",
                    indented(&self.partners(comparison))
                )
            }
            Some(failure) => {
                let no = colour.truth(Truth::False, "no ");
                let verb = verb.replace("abstracts", "does not abstract").replace("is ", "is not ");
                format!("{no}  {abstracted} {verb} {concrete}\n{}", indented(&self.why(failure)))
            }
        }
    }

    fn partners(&self, comparison: &ComparisonReport) -> Vec<String> {
        let line = |&(s, t): &(u32, u32)| {
            let (s, t) = (self.concrete.state_name(s), self.abstracted.state_name(t));
            format!("the initial state {t} abstracts {s}")
        };
        comparison.initial.iter().map(line).collect()
    }

    /// The path to the pair that violates the simulation, in one line.
    pub fn sentence(&self, failure: &Failure) -> String {
        self.why(failure).join("; ")
    }

    /// From an initial state to the pair that plainly does not fit.
    fn why(&self, failure: &Failure) -> Vec<String> {
        let (model, other) = match failure.side {
            ComparedModel::Concrete => (self.concrete, self.names[1]),
            ComparedModel::Abstract => (self.abstracted, self.names[0]),
        };
        let state = model.state_name(failure.state);
        let first = format!("no initial state of {other} is related to the initial state {state}");
        let answers = failure.path.iter().skip(1).map(Some).chain([None]);
        let steps = failure.path.iter().zip(answers);
        [first].into_iter().chain(steps.map(|(step, next)| self.step(step, next))).collect()
    }

    fn step(&self, step: &ComparedStep, next: Option<&ComparedStep>) -> String {
        let [concrete, abstracted] = self.names;
        let s = self.concrete.state_name(step.concrete);
        let t = self.abstracted.state_name(step.abstracted);
        let what = match &step.why {
            Mismatch::Label { prop, concrete: known, abstracted: claimed } => {
                format!("`{prop}` is {known} in {concrete}, but {claimed} in {abstracted}")
            }
            Mismatch::May { action, target } => {
                let move_ =
                    format!("has a may transition to {}", self.concrete.state_name(*target));
                let answer = next.map(|next| self.abstracted.state_name(next.abstracted));
                exchange(concrete, &move_, action.as_deref(), abstracted, answer)
            }
            Mismatch::Must { action, targets } => {
                let move_ = format!("has a must transition to {}", self.one_of(targets));
                let answer = next.map(|next| self.concrete.state_name(next.concrete));
                exchange(abstracted, &move_, action.as_deref(), concrete, answer)
            }
        };
        format!("in ({s}, {t}): {what}")
    }

    fn one_of(&self, states: &[u32]) -> String {
        let names: Vec<String> = states.iter().map(|&t| self.abstracted.state_name(t)).collect();
        match &*names {
            [name] => name.clone(),
            names => format!("one of {}", names.join(", ")),
        }
    }
}

fn indented(lines: &[String]) -> String {
    lines.iter().map(|line| format!("     {}\n", visible(line))).collect()
}

fn exchange(
    mover: &str,
    move_: &str,
    action: Option<&str>,
    other: &str,
    answer: Option<String>,
) -> String {
    let by = action.map_or(String::new(), |action| format!(" by `{action}`"));
    match answer {
        Some(state) => format!("{mover} {move_}{by}; the best match in {other} leads to {state}"),
        None => format!("{mover} {move_}{by}; {other} has no matching transition"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Kind, Mode, ModelBuilder};
    use support::Monitor;

    /// `s0 -> s1`, and whether `p` holds in `s1`.
    fn model(kind: Kind, mode: Mode, p: Truth) -> PartialModel {
        let mut builder = ModelBuilder::new(kind, "M");
        let prop = builder.prop("p");
        let (s0, s1) = (builder.state("s0"), builder.state("s1"));
        builder.init(s0);
        builder.label(s0, prop, Truth::True);
        builder.label(s1, prop, p);
        builder.edge(s0, None, mode, s1);
        builder.finish()
    }

    fn compared(concrete: &PartialModel, abstracted: &PartialModel) -> String {
        let comparison = model::compare(concrete, abstracted, &Monitor::new()).unwrap();
        let compared = Compared { concrete, abstracted, names: ["c.tm", "a.tm"] };
        compared.to_text(&comparison, Colour::Off)
    }

    #[test]
    fn what_fits_and_what_does_not() {
        let plain = model(Kind::Kripke, Mode::BOTH, Truth::True);
        let vague = model(Kind::Kmts, Mode::MAY, Truth::Unknown);
        assert_eq!(
            compared(&plain, &vague),
            "yes  a.tm abstracts c.tm\n     the initial state s0 abstracts s0\n"
        );
        let hesitant = model(Kind::Kmts, Mode::MAY, Truth::True);
        assert_eq!(
            compared(&hesitant, &plain),
            "no   a.tm does not abstract c.tm\n     \
             no initial state of a.tm is related to the initial state s0\n     \
             in (s0, s0): a.tm has a must transition to s1; c.tm has no matching transition\n"
        );
        let other = model(Kind::Kripke, Mode::BOTH, Truth::False);
        assert_eq!(
            compared(&plain, &other),
            "no   a.tm is not bisimilar to c.tm\n     \
             no initial state of a.tm is related to the initial state s0\n     \
             in (s0, s0): c.tm has a may transition to s1; the best match in a.tm leads to s1\n     \
             in (s1, s1): `p` is true in c.tm, but false in a.tm\n"
        );
    }
}
