//! Why an invariant of a transition system holds.

use super::TransitionSystem;
use super::encoded::{Encoded, stats};
use crate::error::Error;
use crate::invariant::MOST_LEMMAS;
use logic::evidence::{InductiveInvariant, ShownVariable};
use support::Stopped;
use symbolic::Lemma;
use transition::{Slice, VarId};

impl Encoded {
    /// The proof of an invariant; `None` if the formula is another one.
    pub(crate) fn invariant_proof(
        &mut self,
        program: &TransitionSystem,
        number: usize,
    ) -> Result<Option<InductiveInvariant>, Error> {
        let Some(property) = &program.all[number].property else { return Ok(None) };
        let mut fairness = self.words.plain_fairness();
        fairness.everywhere = fairness.everywhere || self.is_fair_everywhere(&fairness)?;
        let formula = self.words.compile(&property.surface, &fairness)?;
        let slice = program.slice(&self.words.all());
        let subject = (&program.document.machine, &slice);
        let Some(lemmas) =
            self.session.inductive_lemmas(subject, &formula).map_err(Stopped::from)?
        else {
            return Ok(None);
        };
        let lemmas = lemmas.filter(|lemmas| lemmas.len() <= MOST_LEMMAS);
        let written = |lemmas: Vec<Lemma>| lemmas.iter().map(|one| program.lemma(one)).collect();
        Ok(Some(InductiveInvariant {
            lemmas: lemmas.map(written),
            states: stats(&self.session.stats()).states,
            variables: self.variables(program, &slice)?,
        }))
    }

    /// The variables of the cone of influence with their values in the reachable states.
    fn variables(
        &mut self,
        program: &TransitionSystem,
        slice: &Slice,
    ) -> Result<Vec<ShownVariable>, Error> {
        let machine = &program.document.machine;
        let found = self.session.values_in_reachable_states((machine, slice));
        let (control, own): (Vec<_>, Vec<_>) = found
            .map_err(Stopped::from)?
            .into_iter()
            .partition(|(var, _)| program.is_control(*var));
        let text = |var: VarId, value: i64| {
            let text = machine.text(var, value);
            program.line_of(var, &text).map_or(text, |line| format!("line {line}"))
        };
        let shown = |(var, values): (VarId, Vec<i64>)| {
            let mut values: Vec<String> = values.iter().map(|&value| text(var, value)).collect();
            values.dedup();
            ShownVariable { name: machine.vars[var].name.clone(), values }
        };
        // A program counter is told by its lines; what only orders the steps is left out.
        let is_place = |one: &ShownVariable| one.values.iter().any(|v| v.starts_with("line "));
        let places = control.into_iter().map(shown).filter(is_place);
        Ok(own.into_iter().map(shown).chain(places).collect())
    }
}

impl TransitionSystem {
    /// `!(turn = 0 & left.at = inside)`
    fn lemma(&self, lemma: &Lemma) -> String {
        let literals = lemma.excluded.iter().map(|(var, values)| self.literal(*var, values));
        let literals: Vec<String> = literals.collect();
        match &literals[..] {
            [] => "false".to_owned(),
            [one] => match one.strip_prefix('!') {
                Some(positive) => positive.to_owned(),
                None if one.contains(' ') => format!("!({one})"),
                None => format!("!{one}"),
            },
            more => format!("!({})", more.join(" & ")),
        }
    }
}
