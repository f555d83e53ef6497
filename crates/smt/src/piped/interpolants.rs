//! Interpolants from an external solver. There are two commands for them, and a solver may have neither.
//!
//! SMTInterpol and OpenSMT give those of a sequence of named assertions at once; cvc5 gives one formula that follows
//! from what is asserted and implies another, and is asked part by part. Either needs an option that not all go
//! together with, so the solver is started afresh, and again for the next question.

use super::reply::Reply;
use super::{Pipe, Piped, State, script};
use crate::{LinearFormula, Variable};

/// The command for interpolants that a solver understands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum InterpolantCommand {
    /// `get-interpolants`, unless the solver has rejected it.
    #[default]
    Sequences,
    /// `get-interpolant`.
    Single,
    /// Neither, or it takes too long.
    Nothing,
}

impl InterpolantCommand {
    fn less(self) -> Self {
        match self {
            InterpolantCommand::Sequences => InterpolantCommand::Single,
            InterpolantCommand::Single | InterpolantCommand::Nothing => InterpolantCommand::Nothing,
        }
    }
}

impl<P: Pipe> Piped<P> {
    /// Asks by the command that the solver knows, and finds out which that is. Who fails is not asked again.
    pub(super) fn interpolants(
        &mut self,
        sequence: &[LinearFormula],
    ) -> Option<Vec<LinearFormula>> {
        while self.knows != InterpolantCommand::Nothing {
            let between = match self.knows {
                InterpolantCommand::Sequences => self.all_at_once(sequence),
                _ => self.one_by_one(sequence),
            };
            // Whatever it was told, it is not what questions expect.
            self.state = State::default();
            if between.is_some() {
                return between;
            }
            self.knows = self.knows.less();
        }
        None
    }

    fn all_at_once(&mut self, sequence: &[LinearFormula]) -> Option<Vec<LinearFormula>> {
        let mut text = self.beginning(sequence)?;
        let names: Vec<String> = (0..sequence.len()).map(script::assumption).collect();
        for (name, part) in names.iter().zip(sequence) {
            text += &format!("(assert (! {} :named {name}))\n", script::formula(part));
        }
        text += &format!("(check-sat)\n(get-interpolants {})\n", names.join(" "));
        let reply = self.exchange(&text).ok()?;
        let (first, rest) = reply.trim_start().split_once(char::is_whitespace)?;
        let between = Reply::first(rest).filter(|_| first == "unsat")?;
        let formulas = between.list()?.iter().map(script::formula_in);
        let between: Vec<LinearFormula> = formulas.collect::<Option<_>>()?;
        let shared =
            (1..).zip(&between).all(|(place, formula)| is_shared(formula, sequence, place));
        (shared && between.len() + 1 == sequence.len()).then_some(between)
    }

    fn one_by_one(&mut self, sequence: &[LinearFormula]) -> Option<Vec<LinearFormula>> {
        let mut before = LinearFormula::Constant(true);
        let mut between = Vec::new();
        for place in 1..sequence.len() {
            // A part that says nothing changes nothing.
            if place > 1 && sequence[place - 1] == LinearFormula::Constant(true) {
                between.push(before.clone());
                continue;
            }
            let first = [before, sequence[place - 1].clone()];
            let last = LinearFormula::and(sequence[place..].iter().cloned());
            let mut text = self.beginning(&[&first[..], &sequence[place..]].concat())?;
            for part in &first {
                text += &format!("(assert {})\n", script::formula(part));
            }
            text += &format!("(get-interpolant i {})\n", script::formula(&last.negated()));
            let reply = Reply::first(&self.exchange(&text).ok()?)?;
            let [word, _, _, _, body] = reply.list()? else { return None };
            let found = script::formula_in(body).filter(|_| word.word() == Some("define-fun"))?;
            before = Some(found).filter(|found| is_shared(found, sequence, place))?;
            between.push(before.clone());
        }
        Some(between)
    }

    /// Starts the solver; what it is to be told first.
    fn beginning(&mut self, formulas: &[LinearFormula]) -> Option<String> {
        self.pipe.restart().ok()?;
        self.state = State::default();
        let mut variables: Vec<Variable> =
            formulas.iter().flat_map(LinearFormula::variables).collect();
        variables.sort_unstable();
        variables.dedup();
        let declared: String = variables.into_iter().map(script::declaration).collect();
        Some(format!("{}{declared}", script::PREAMBLE_FOR_INTERPOLANTS))
    }
}

/// Whether a formula speaks only of what the parts before a place have in common with the others.
fn is_shared(formula: &LinearFormula, sequence: &[LinearFormula], place: usize) -> bool {
    let (first, last) = sequence.split_at(place);
    let speaks = |parts: &[LinearFormula], variable| {
        parts.iter().any(|part| part.variables().contains(variable))
    };
    formula.variables().iter().all(|v| speaks(first, v) && speaks(last, v))
}
