//! Answer of the loop at its end, or when a limit stops it.

use super::Run;
use super::colour_cache::Decided;
use crate::outcome::{DecidedStates, Outcome, Reason, Stats};
use crate::verdict::verdict;
use logic::Truth;
use support::Stopped;

impl Run<'_, '_> {
    /// The answer as far as it is known, and, if it is not definite, why.
    pub(super) fn outcome(&self, reason: Option<Reason>) -> Outcome {
        let verdict = verdict(self.request.system, &self.initial);
        let named: Vec<(String, Truth)> =
            self.initial.iter().map(|(tuple, value)| (self.tuple_name(tuple), *value)).collect();
        let with = |wanted| {
            let mut found = named.iter().filter(|(_, value)| *value == wanted);
            found.next().map(|(name, _)| name.clone()).unwrap_or_default()
        };
        let reason = (!verdict.is_definite()).then(|| {
            reason.unwrap_or_else(|| Reason::InitialStates {
                satisfying: with(Truth::True),
                falsifying: with(Truth::False),
            })
        });
        Outcome {
            reason,
            initial: named,
            deadlock_state: self.deadlock_state.clone(),
            stats: self.stats(),
            ..Outcome::new(verdict)
        }
    }

    /// The best that is known when a limit is reached.
    pub(super) fn stopped(&self, stopped: Stopped) -> Outcome {
        Outcome {
            reason: Some(Reason::Stopped(stopped)),
            stats: self.stats(),
            known_values: self.knowledge(),
            ..Outcome::new(Truth::Unknown)
        }
    }

    fn stats(&self) -> Stats {
        let stats = self.stats.clone();
        Stats { iterations: Some(self.rounds), abstract_states: Some(self.sizes()), ..stats }
    }

    /// Which subformulas are decided where.
    fn knowledge(&self) -> Vec<DecidedStates> {
        let mut decided: Vec<_> = self.memory.decided().collect();
        decided.sort_unstable_by_key(|&(components, tuple, label, value)| {
            (std::cmp::Reverse(label), components, value, tuple)
        });
        let same = |a: &Decided, b: &Decided| (a.0, a.2, a.3) == (b.0, b.2, b.3);
        let groups = decided.chunk_by(same);
        groups.map(|group| self.known_group(group)).collect()
    }

    fn known_group(&self, group: &[Decided]) -> DecidedStates {
        const SHOWN: usize = 8;
        let (components, _, label, value) = group[0];
        let name = |tuple: &[u32]| {
            let parts = components.iter().zip(tuple);
            let names: Vec<String> =
                parts.map(|(&c, &state)| self.abstractions[c].concrete.name(state)).collect();
            names.join(",")
        };
        DecidedStates {
            subformula: self.question.formula.show(self.question.subformulas.get(label).node),
            components: components.iter().map(|&component| self.name(component)).collect(),
            value,
            count: group.len() as u64,
            states: group.iter().take(SHOWN).map(|(_, tuple, ..)| name(tuple)).collect(),
        }
    }

    fn tuple_name(&self, tuple: &[u32]) -> String {
        let members = self.abstractions.iter().zip(tuple);
        let names: Vec<String> =
            members.map(|(part, &state)| part.concrete.initial_name(state)).collect();
        names.join(",")
    }
}
