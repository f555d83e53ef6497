//! The form of a certificate about a program over integers. `docs/src/certificate.md` describes it.

use super::data::{
    ClaimedAbstraction, ClaimedPosition, ClaimedRanking, ClaimedState, ClaimedTransition,
    MOST_ATOMS, MOST_LEVELS, Must,
};
use crate::error::AuditError;
use crate::format::{
    CLAIM, CertificateKind, Checksum, Claim, Codec, END, bytes, listed, normal_form, number,
};
use crate::linear::MOST_NESTED;
use crate::read::Reader;
use logic::{Formula, PropId};
use smt::{LinearAtom, Term, Variable};
use std::io::Read;
use support::Interner;
use transition::integers::IntegerProgram;

/// There can be more of anything than memory holds; the bytes that are there limit it further.
const MOST: usize = u32::MAX as usize;
const LENGTH: (usize, &str) = (MOST, "a list that is too long");
const STATE: &str = "a state that is not there";
const CLASS: &str = "a class that is not there";

/// A claim about a program over integers. It is about the formula as it is ranked, which speaks of these propositions
/// and, behind them, of the classes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IntegerClaim {
    pub claim: Claim,
    pub propositions: Vec<String>,
    /// The names in the formula of linear time that is claimed.
    pub atoms: Vec<String>,
    /// That formula as one of the µ-calculus, before it is ranked; empty for other logics.
    pub normal_form: Vec<u8>,
}

impl IntegerClaim {
    /// A claim about a formula as it is ranked, and the formula of the µ-calculus that one of linear time was translated
    /// to, with the names of its atoms.
    pub fn new(
        claim: Claim,
        propositions: Vec<String>,
        translation: Option<(&Formula, &Interner<PropId>)>,
    ) -> Self {
        let (atoms, normal_form) = match translation {
            Some((formula, atoms)) => {
                (atoms.names().map(str::to_owned).collect(), normal_form(formula))
            }
            None => Default::default(),
        };
        Self { claim, propositions, atoms, normal_form }
    }

    /// The claim about the formula of linear time itself, where atoms have these numbers.
    pub fn linear(&self, atoms: &Interner<PropId>) -> Result<Claim, AuditError> {
        let known: Vec<Option<PropId>> = self.atoms.iter().map(|name| atoms.get(name)).collect();
        let number = |prop: PropId| known.get(prop.0 as usize).copied().flatten();
        let Claim { logic, formula, .. } = &self.claim;
        let list = listed(&self.normal_form);
        let own = list.and_then(|list| list.formula(*logic, formula, MOST_NESTED));
        let own = own.and_then(|formula| formula.renumbered(number));
        let own = own.ok_or_else(|| AuditError::invalid("its normal form is none"))?;
        let Claim { property, deadlock, verdict, .. } = &self.claim;
        Ok(Claim::new(property, &own, *deadlock, *verdict))
    }
}

/// Writes a certificate: claims, then [`IntegerWriter::finish`].
pub struct IntegerWriter {
    out: Vec<u8>,
}

impl IntegerWriter {
    /// Begins a certificate about the program with this digest (`Program::digest`).
    pub fn start(digest: u64) -> Self {
        Self { out: CertificateKind::Integers.header(digest) }
    }

    /// Adds a claim and its proof. Steps are as in certificates about systems.
    pub fn claim(
        &mut self,
        about: &IntegerClaim,
        mut abstraction: ClaimedAbstraction,
        steps: &[u8],
    ) {
        let IntegerClaim { claim, propositions, atoms, normal_form } = about;
        number(&mut self.out, CLAIM);
        claim.write(&mut self.out);
        for names in [propositions, atoms] {
            number(&mut self.out, names.len() as u64);
            names.iter().for_each(|name| bytes(&mut self.out, name.as_bytes()));
        }
        bytes(&mut self.out, normal_form);
        let numbers = Numbers { locations: MOST, steps: MOST, variables: MOST };
        let Ok(()) = numbers.abstraction(&mut self.out, &mut abstraction);
        self.out.extend_from_slice(steps);
        number(&mut self.out, END);
    }

    pub fn finish(mut self) -> Vec<u8> {
        number(&mut self.out, END);
        Checksum::seal(&mut self.out);
        self.out
    }
}

impl<R: Read> Reader<R> {
    /// The next claim about a program over integers; its proof follows. `None` at the end of the certificate.
    pub fn claim_about_integers(&mut self) -> Result<Option<IntegerClaim>, AuditError> {
        let Some(claim) = self.claim()? else { return Ok(None) };
        let [mut propositions, mut atoms] = <[Vec<String>; 2]>::default();
        self.list(&mut propositions, LENGTH, String::new, Codec::string)?;
        self.list(&mut atoms, LENGTH, String::new, Codec::string)?;
        let normal_form = self.bytes()?;
        Ok(Some(IntegerClaim { claim, propositions, atoms, normal_form }))
    }

    /// An abstraction of a program. All numbers in it are numbers of something.
    pub(crate) fn abstraction(
        &mut self,
        program: &IntegerProgram,
    ) -> Result<ClaimedAbstraction, AuditError> {
        let numbers = Numbers {
            locations: program.locations.len(),
            steps: program.steps.len(),
            variables: program.variables.len(),
        };
        let mut abstraction = ClaimedAbstraction::default();
        numbers.abstraction(self, &mut abstraction)?;
        Ok(abstraction)
    }
}

/// How many locations, steps and variables the program has. All numbers that are read are below.
struct Numbers {
    locations: usize,
    steps: usize,
    variables: usize,
}

impl Numbers {
    fn abstraction<C: Codec>(
        &self,
        codec: &mut C,
        abstraction: &mut ClaimedAbstraction,
    ) -> Result<(), C::Error> {
        let ClaimedAbstraction { atoms, states, initial, transitions, rankings, positions } =
            abstraction;
        codec.list(atoms, LENGTH, Vec::new, |codec, own| {
            let blank = || LinearAtom::Zero(Term::default());
            codec.list(own, LENGTH, blank, |codec, atom| self.atom(codec, atom))
        })?;
        codec.check(atoms.len() == self.locations, "these are not the locations of the program")?;
        let is_small = atoms.iter().all(|own| own.len() <= MOST_ATOMS);
        codec.check(is_small, "too many predicates at a location")?;
        let blank = || ClaimedState { location: 0, bits: 0 };
        codec.list(states, LENGTH, blank, |codec, state| {
            codec.id(&mut state.location, atoms.len(), "an undefined location")?;
            let count = atoms[state.location as usize].len();
            let mut bits = state.bits.to_le_bytes();
            codec.octets(&mut bits[..count.div_ceil(8)])?;
            state.bits = u64::from_le_bytes(bits);
            let rest = state.bits.checked_shr(count as u32).unwrap_or(0);
            codec.check(rest == 0, "more bits than predicates")
        })?;
        let count = states.len();
        let state = |codec: &mut C, state: &mut u32| codec.id(state, count, STATE);
        codec.list(initial, LENGTH, u32::default, state)?;
        transitions.resize_with(count, Vec::new);
        for own in &mut *transitions {
            codec.list(own, LENGTH, ClaimedTransition::default, |codec, transition| {
                codec.id(
                    &mut transition.step,
                    self.steps,
                    "a step that the program does not have",
                )?;
                codec.list(&mut transition.targets, LENGTH, u32::default, state)?;
                codec.list(&mut transition.musts, LENGTH, Must::default, |codec, must| {
                    codec.list(&mut must.states, LENGTH, u32::default, state)?;
                    let blank = || (Variable(0), Term::default());
                    codec.list(&mut must.naming, LENGTH, blank, |codec, (variable, term)| {
                        codec.id(&mut variable.0, MOST, "a variable that is not there")?;
                        self.term(codec, term)
                    })
                })
            })?;
        }
        let edges = transitions.iter().flatten().map(|transition| transition.targets.len()).sum();
        codec.list(rankings, LENGTH, ClaimedRanking::default, |codec, ranking| {
            self.ranking(codec, ranking, count, edges)
        })?;
        codec.list(positions, LENGTH, ClaimedPosition::default, |codec, position| {
            state(codec, &mut position.state)?;
            position.classes.resize(rankings.len(), 0);
            let classes = position.classes.iter_mut().zip(&*rankings);
            classes.into_iter().try_for_each(|(class, of)| codec.id(class, of.count(), CLASS))
        })
    }

    fn ranking<C: Codec>(
        &self,
        codec: &mut C,
        ranking: &mut ClaimedRanking,
        states: usize,
        edges: usize,
    ) -> Result<(), C::Error> {
        codec.id(&mut ranking.var, MOST, "a fixpoint that is not there")?;
        let ClaimedRanking { ranking_functions, levels, .. } = ranking;
        codec
            .list(ranking_functions, LENGTH, Term::default, |codec, term| self.term(codec, term))?;
        let limit = (MOST_LEVELS + 1, "more levels than there can be");
        codec.list(levels, limit, Vec::new, |codec, level| {
            level.resize(states, None);
            level.iter_mut().try_for_each(|ranking_function| {
                // None is 0.
                let mut number = ranking_function.map_or(0, |number| number + 1);
                codec.id(
                    &mut number,
                    ranking_functions.len() + 1,
                    "an undefined ranking function",
                )?;
                *ranking_function = number.checked_sub(1);
                Ok(())
            })
        })?;
        let count = ranking.count();
        ranking.classes.resize(edges, 0);
        ranking.classes.iter_mut().try_for_each(|class| codec.id(class, count, CLASS))
    }

    fn atom<C: Codec>(&self, codec: &mut C, atom: &mut LinearAtom) -> Result<(), C::Error> {
        let (mut kind, mut divisor) = match *atom {
            LinearAtom::AtMost(_) => (0, 0),
            LinearAtom::Zero(_) => (1, 0),
            LinearAtom::Divides(divisor, _) => (2, divisor),
        };
        codec.id(&mut kind, 3, "an unknown kind of predicate")?;
        if kind == 2 {
            codec.size(&mut divisor)?;
        }
        let mut term = atom.term().clone();
        self.term(codec, &mut term)?;
        *atom = match kind {
            0 => LinearAtom::AtMost(term),
            1 => LinearAtom::Zero(term),
            _ => LinearAtom::Divides(divisor, term),
        };
        Ok(())
    }

    fn term<C: Codec>(&self, codec: &mut C, term: &mut Term) -> Result<(), C::Error> {
        let (mut offset, mut products) = (term.offset(), term.coefficients().to_vec());
        signed(codec, &mut offset)?;
        codec.list(
            &mut products,
            LENGTH,
            || (Variable(0), 0),
            |codec, (variable, factor)| {
                let problem = "a variable that the program does not have";
                codec.id(&mut variable.0, self.variables, problem)?;
                signed(codec, factor)
            },
        )?;
        match Term::sum(products, offset) {
            Ok(sum) => *term = sum,
            Err(excess) => codec.check(false, &excess.to_string())?,
        }
        Ok(())
    }
}

/// The sign and the size, which has 63 bits at most where it is read.
fn signed<C: Codec>(codec: &mut C, value: &mut i64) -> Result<(), C::Error> {
    let (mut is_negative, mut size) = (*value < 0, value.unsigned_abs());
    codec.flag(&mut is_negative, "no sign")?;
    codec.size(&mut size)?;
    *value = if is_negative { (size as i64).wrapping_neg() } else { size as i64 };
    Ok(())
}
