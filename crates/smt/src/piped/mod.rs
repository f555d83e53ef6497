//! Any solver that speaks SMT-LIB 2, behind a pipe.
//!
//! Every part of a question is implied by an assumption of its own, so that the solver can name those that
//! contradict each other. Nothing that a solver does makes an answer wrong: a model is evaluated, what is not
//! understood is unknown, and a solver that has failed is started afresh with the context told again.

mod interpolants;
mod reply;
mod script;

use crate::{Counters, LinearFormula, SatAnswer, SmtModel, Solver, Variable};
use interpolants::InterpolantCommand;
use reply::Reply;
use std::fmt;

/// The text that a solver echoes after its answers, with or without quotes.
pub const END_OF_ANSWER: &str = "end-of-answer";

/// How often in a row a solver may fail before it is given up.
const PATIENCE: u32 = 3;

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PipeFault {
    /// There was no answer in time.
    Late,
    /// The solver has ended.
    Ended,
    /// It cannot be started, or talked to, for this reason.
    Broken(String),
}

impl fmt::Display for PipeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PipeFault::Late => f.write_str("the solver did not answer in time"),
            PipeFault::Ended => f.write_str("the solver has ended"),
            PipeFault::Broken(why) => write!(f, "the solver cannot be talked to: {why}"),
        }
    }
}

impl std::error::Error for PipeFault {}

/// A solver that can be talked to. The process and the clock are the implementor's.
pub trait Pipe {
    /// Sends commands, the last of which makes the solver print [`END_OF_ANSWER`], and gives all that it
    /// printed before that.
    fn exchange(&mut self, text: &str) -> Result<String, PipeFault>;

    /// Ends the solver, if it runs, and starts it afresh.
    fn restart(&mut self) -> Result<(), PipeFault>;
}

/// A solver behind a pipe.
pub struct Piped<P> {
    pipe: P,
    counters: Counters,
    context: Vec<LinearFormula>,
    state: State,
    /// Failures since the last answer.
    failures: u32,
    /// Of interpolants.
    knows: InterpolantCommand,
}

/// The state of the solver's process.
#[derive(Default)]
struct State {
    is_running: bool,
    /// The variables declared with each formula of the context that was told.
    reported: Vec<Vec<Variable>>,
    /// Commands that go before the next.
    unsent: String,
}

impl<P: Pipe> Piped<P> {
    pub fn new(pipe: P) -> Self {
        let (counters, context) = (Counters::default(), Vec::new());
        let (state, knows) = (State::default(), InterpolantCommand::default());
        Self { pipe, counters, context, state, failures: 0, knows }
    }

    fn ask(&mut self, parts: &[LinearFormula]) -> SatAnswer {
        if self.failures >= PATIENCE {
            return SatAnswer::Unknown("the solver has failed too often".to_owned());
        }
        match self.try_to_ask(parts) {
            Ok(answer) => {
                self.failures = 0;
                answer
            }
            Err(why) => {
                self.failures += 1;
                self.state = State::default();
                SatAnswer::Unknown(why)
            }
        }
    }

    /// An error makes the solver start afresh.
    fn try_to_ask(&mut self, parts: &[LinearFormula]) -> Result<SatAnswer, String> {
        self.prepare()?;
        let declared = self.assert_question(parts);
        let reply = self.exchange("")?;
        match reply.split_whitespace().next() {
            Some("sat") => self.model(parts, &declared),
            Some("unsat") => Ok(SatAnswer::Unsat(self.core(parts.len()))),
            Some("unknown" | "timeout") => {
                self.forget_question();
                Ok(SatAnswer::Unknown("the solver does not know".to_owned()))
            }
            _ => Err(not_understood(&reply)),
        }
    }

    /// Starts the solver if need be, and tells it what it does not know of the context.
    fn prepare(&mut self) -> Result<(), String> {
        if !self.state.is_running {
            self.pipe.restart().map_err(|fault| fault.to_string())?;
            self.state = State { is_running: true, ..State::default() };
            self.state.unsent.push_str(script::PREAMBLE);
        }
        for formula in &self.context[self.state.reported.len()..] {
            let new = self.state.begin(std::slice::from_ref(formula));
            self.state.unsent += &format!("(assert {})\n", script::formula(formula));
            self.state.reported.push(new);
        }
        Ok(())
    }

    /// Writes the question down; gives the variables that it speaks of.
    fn assert_question(&mut self, parts: &[LinearFormula]) -> Vec<Variable> {
        let mut speaks_of = self.state.begin(parts);
        speaks_of.extend(self.state.reported.iter().flatten());
        let names: Vec<String> = (0..parts.len()).map(script::assumption).collect();
        let text = &mut self.state.unsent;
        for (name, part) in names.iter().zip(parts) {
            *text += &format!("(declare-fun {name} () Bool)\n");
            *text += &format!("(assert (=> {name} {}))\n", script::formula(part));
        }
        *text += &format!("(check-sat-assuming ({}))\n", names.join(" "));
        speaks_of
    }

    fn forget_question(&mut self) {
        self.state.unsent.push_str("(pop 1)\n");
    }

    fn exchange(&mut self, text: &str) -> Result<String, String> {
        let unsent = std::mem::take(&mut self.state.unsent);
        let all = format!("{unsent}{text}(echo \"{END_OF_ANSWER}\")\n");
        self.pipe.exchange(&all).map_err(|fault| fault.to_string())
    }

    fn model(
        &mut self,
        parts: &[LinearFormula],
        speaks_of: &[Variable],
    ) -> Result<SatAnswer, String> {
        let model = self.values(speaks_of)?;
        self.forget_question();
        let is_so =
            |part: &LinearFormula| part.holds(&|variable| model.value(variable)) == Some(true);
        Ok(match self.context.iter().chain(parts).all(is_so) {
            true => SatAnswer::Sat(model),
            false => SatAnswer::Unknown("the solver's model is wrong".to_owned()),
        })
    }

    fn values(&mut self, variables: &[Variable]) -> Result<SmtModel, String> {
        if variables.is_empty() {
            return Ok(SmtModel::default());
        }
        let names: Vec<String> = variables.iter().map(|v| format!("v{}", v.0)).collect();
        let reply = self.exchange(&format!("(get-value ({}))\n", names.join(" ")))?;
        let pair = |pair: &Reply| match pair.list()? {
            [name, value] => Some((script::variable_called(name.word()?)?, value.number()?)),
            _ => None,
        };
        let pairs = Reply::first(&reply);
        let values = pairs.as_ref().and_then(Reply::list);
        values.and_then(|all| all.iter().map(pair).collect()).ok_or_else(|| not_understood(&reply))
    }

    /// The parts that the solver names; all of them, if it does not do that.
    fn core(&mut self, parts: usize) -> Vec<usize> {
        let named = self.exchange("(get-unsat-assumptions)\n").ok().and_then(|reply| {
            let names = Reply::first(&reply)?;
            let part = |name: &Reply| script::part_called(name.word()?).filter(|&p| p < parts);
            names.list()?.iter().map(part).collect::<Option<Vec<usize>>>()
        });
        match named {
            Some(mut core) => {
                self.forget_question();
                core.sort_unstable();
                core.dedup();
                core
            }
            None => {
                self.state = State::default();
                (0..parts).collect()
            }
        }
    }
}

impl State {
    /// Begins a scope that the formulas can be told in; gives the variables that are new there.
    fn begin(&mut self, formulas: &[LinearFormula]) -> Vec<Variable> {
        let mut new: Vec<Variable> = formulas.iter().flat_map(LinearFormula::variables).collect();
        new.sort_unstable();
        new.dedup();
        new.retain(|variable| !self.reported.iter().any(|known| known.contains(variable)));
        self.unsent.push_str("(push 1)\n");
        new.iter().for_each(|&variable| self.unsent += &script::declaration(variable));
        new
    }
}

fn not_understood(reply: &str) -> String {
    let start: String = reply.trim().chars().take(80).collect();
    format!("the solver's answer is not understood: {start:?}")
}

impl<P: Pipe> Solver for Piped<P> {
    fn check(&mut self, parts: &[LinearFormula]) -> SatAnswer {
        let answer = self.ask(parts);
        self.counters.count(&answer);
        answer
    }

    fn push(&mut self, part: &LinearFormula) {
        self.context.push(part.clone());
    }

    fn pop(&mut self) {
        self.context.pop();
        if self.state.reported.len() > self.context.len() {
            self.state.reported.pop();
            self.state.unsent.push_str("(pop 1)\n");
        }
    }

    fn counters(&self) -> Counters {
        self.counters
    }

    fn interpolate(&mut self, sequence: &[LinearFormula]) -> Option<Vec<LinearFormula>> {
        self.interpolants(sequence)
    }
}
