//! The answer to one question, for people.

use crate::knowledge;
use crate::rounds::extent;
use crate::sentence;
use crate::style::{Colour, shorten};
use crate::trace::ReportedTrace;
use crate::visible::visible;
use explicit::{AbstractSize, Outcome, Stats, Thorough};
use logic::Truth;

/// One checked property.
#[derive(Clone, Debug)]
pub struct AnswerReport {
    pub property: String,
    /// `None` if a limit was reached before the property was read.
    pub logic: Option<&'static str>,
    pub formula: String,
    /// The file that is checked; of several, the one that states the property.
    pub file: Option<String>,
    /// Line and column of the formula in that file.
    pub position: Option<(usize, usize)>,
    pub seconds: f64,
    /// The most memory that was in use until the answer was there.
    pub peak_bytes: u64,
    /// The method that decided it.
    pub method: &'static str,
    pub outcome: Outcome,
    /// The counterexample or witness that was asked for.
    pub trace: Option<ReportedTrace>,
}

impl AnswerReport {
    /// One line with the verdict, then why, then the values that were asked for.
    pub fn to_text(&self, colour: Colour, name_width: usize) -> String {
        let shown = match self.outcome.length {
            Some(length) => length.to_string(),
            None => self.outcome.verdict.to_string(),
        };
        let verdict = colour.truth(self.outcome.verdict, format!("{shown:<8}"));
        let name = format!("{:<name_width$}", visible(&shorten(&self.property)));
        let time = colour.dim(format!("{:.2} s", self.seconds));
        let mut text = format!("{verdict} {}  {time}\n", colour.bold(name));
        if let Some(why) = self.why() {
            text.push_str(&format!("{INDENT}{}\n", visible(&why)));
        }
        for cause in &self.outcome.causes {
            text.push_str(&format!("{INDENT}{}\n", visible(&sentence::deciding_facts(cause))));
        }
        for (state, value) in self.outcome.values.iter().flatten() {
            text.push_str(&format!(
                "{INDENT}{} {state}\n",
                colour.truth(*value, format!("{value:<8}"))
            ));
        }
        text
    }

    /// One line as NuSMV writes it, for what NuSMV calls the question.
    pub fn to_nusmv(&self, statement: &str) -> String {
        let verdict = self.outcome.verdict;
        if let Some(length) = self.outcome.length {
            return format!("-- {} is {length}\n", visible(statement));
        }
        let why = self.outcome.reason.as_ref().map(sentence::reason);
        let why = why.filter(|_| verdict == Truth::Unknown);
        let why = why.map_or(String::new(), |why| format!(": {}", visible(&why)));
        format!("-- {} is {verdict}{why}\n", visible(statement))
    }

    /// Definite values that a refinement had found when a limit ended it, at most so many lines.
    pub fn knowledge(&self, most: usize) -> String {
        let lines = knowledge::lines(&self.outcome.known_values, most);
        lines.iter().map(|line| format!("{INDENT}{}\n", visible(line))).collect()
    }

    /// One line of figures: how the answer was found and what it took.
    pub fn figures(&self) -> String {
        let stats = &self.outcome.stats;
        let Stats { states, game_nodes, component_nodes, product_nodes, .. } = stats;
        let components = component_nodes.as_ref().map(|nodes| {
            let nodes: Vec<String> = nodes.iter().map(u64::to_string).collect();
            format!("component nodes {}", nodes.join(" + "))
        });
        let turns = match stats.relevant_states {
            Some(_) => "groups",
            None => "rounds",
        };
        let extent = |sizes: &Vec<AbstractSize>| format!("abstract states {}", extent(sizes));
        let figures = [
            stats.iterations.map(|rounds| format!("{turns} {rounds}")),
            stats.abstract_states.as_ref().map(extent),
            states.map(|states| format!("states {states}")),
            game_nodes.map(|nodes| format!("game nodes {nodes}")),
            components,
            product_nodes.map(|nodes| format!("product nodes {nodes}")),
            stats.coloured_nodes.map(|nodes| format!("coloured nodes {nodes}")),
            stats.bdd_nodes.map(|nodes| format!("BDD nodes {nodes}")),
            stats.reorderings.map(|times| format!("reorderings {times}")),
            stats.relevant_states.map(|states| format!("relevant states {states}")),
            stats.blocks.map(|blocks| format!("blocks {blocks}")),
            stats.checked_blocks.map(|times| format!("blocks checked {times}")),
            stats.reused_blocks.map(|times| format!("blocks reused {times}")),
            stats.passes.map(|passes| format!("passes {passes}")),
            stats.largest_block_bytes.map(|bytes| format!("largest block {bytes} bytes")),
            stats
                .largest_block_states
                .map(|states| format!("states of the largest block {states}")),
        ];
        let figures: String = figures.into_iter().flatten().map(|f| format!(", {f}")).collect();
        format!("`{}`: {}{figures}\n", shorten(&self.property), self.method)
    }

    /// An initial state that makes the verdict false.
    pub(crate) fn falsified_in(&self) -> Option<&str> {
        let Outcome { verdict, initial, .. } = &self.outcome;
        let mut bad = initial.iter().filter(|(_, value)| *value == Truth::False);
        bad.next().filter(|_| *verdict == Truth::False).map(|(state, _)| &**state)
    }

    fn why(&self) -> Option<String> {
        match self.outcome.verdict {
            _ if self.outcome.thorough == Some(Thorough::Agree) => {
                let why = "no refinement differs: all have this verdict, which the inductive semantics does not find";
                Some(why.to_owned())
            }
            Truth::True => None,
            Truth::False => {
                let has_trace = matches!(self.trace, Some(ReportedTrace::Found(_)));
                let state = self.falsified_in().filter(|_| !has_trace)?;
                Some(format!("it fails from the initial state {state}"))
            }
            Truth::Unknown => {
                let reason = self.outcome.reason.as_ref().map(sentence::reason);
                match self.outcome.thorough {
                    Some(Thorough::TooLarge) => reason.map(|reason| reason + TOO_LARGE),
                    _ => reason,
                }
            }
        }
    }
}

const INDENT: &str = "         ";

const TOO_LARGE: &str =
    "; whether refinements differ was not decided: there are more than 262,144 sets of formulas";

/// `3 properties: 1 holds, 1 fails, 1 is unknown`, where there are several.
pub fn summary(verdicts: &[Truth]) -> Option<String> {
    if verdicts.len() < 2 {
        return None;
    }
    let count = |value| verdicts.iter().filter(|&&v| v == value).count();
    let phrases = [
        (count(Truth::True), "holds", "hold"),
        (count(Truth::False), "fails", "fail"),
        (count(Truth::Unknown), "is unknown", "are unknown"),
    ];
    let parts: Vec<String> = phrases
        .into_iter()
        .filter(|&(n, ..)| n > 0)
        .map(|(n, one, many)| format!("{n} {}", if n == 1 { one } else { many }))
        .collect();
    Some(format!("{} properties: {}\n", verdicts.len(), parts.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(verdict: Truth, initial: &[(&str, Truth)]) -> AnswerReport {
        let outcome = Outcome {
            initial: initial.iter().map(|&(s, v)| (s.to_owned(), v)).collect(),
            ..Outcome::new(verdict)
        };
        AnswerReport {
            property: "safe".into(),
            logic: Some("ctl"),
            formula: "AG p".into(),
            file: None,
            position: None,
            seconds: 0.123,
            peak_bytes: 0,
            method: "direct",
            outcome,
            trace: None,
        }
    }

    #[test]
    fn a_failure_names_the_initial_state_from_which_it_fails() {
        let text = answer(Truth::False, &[("s0", Truth::True), ("s1", Truth::False)])
            .to_text(Colour::Off, 6);
        assert_eq!(text, "false    safe    0.12 s\n         it fails from the initial state s1\n");
    }

    #[test]
    fn a_name_cannot_colour_the_terminal() {
        let mut answer = answer(Truth::True, &[]);
        answer.property = "\u{1b}[31mred".into();
        assert_eq!(answer.to_text(Colour::Off, 0), "true     \u{241b}[31mred  0.12 s\n");
    }

    #[test]
    fn colours_only_where_wanted() {
        let answer = answer(Truth::True, &[]);
        assert!(!answer.to_text(Colour::Off, 0).contains('\u{1b}'));
        assert!(answer.to_text(Colour::On, 0).contains("\u{1b}[1m\u{1b}[32mtrue"));
    }

    #[test]
    fn figures_say_the_method_and_what_it_has() {
        let mut answer = answer(Truth::True, &[]);
        answer.outcome.stats = Stats { states: Some(4), game_nodes: Some(9), ..Stats::default() };
        assert_eq!(answer.figures(), "`safe`: direct, states 4, game nodes 9\n");
        answer.method = "compositional";
        answer.outcome.stats = Stats {
            component_nodes: Some(vec![12, 7]),
            product_nodes: Some(33),
            ..Stats::default()
        };
        assert_eq!(
            answer.figures(),
            "`safe`: compositional, component nodes 12 + 7, product nodes 33\n"
        );
        answer.method = "refine";
        answer.outcome.stats = Stats {
            iterations: Some(3),
            abstract_states: Some(vec![AbstractSize {
                component: "M".into(),
                abstract_states: 2,
                concrete_states: Some(30),
            }]),
            coloured_nodes: Some(17),
            ..Stats::default()
        };
        assert_eq!(
            answer.figures(),
            "`safe`: refine, rounds 3, abstract states M 2/30, coloured nodes 17\n"
        );
    }

    #[test]
    fn summaries_count() {
        use Truth::{False, True, Unknown};
        assert_eq!(summary(&[True]), None);
        assert_eq!(summary(&[True, True]).unwrap(), "2 properties: 2 hold\n");
        assert_eq!(
            summary(&[True, False, Unknown]).unwrap(),
            "3 properties: 1 holds, 1 fails, 1 is unknown\n"
        );
    }
}
