//! The form of a certificate about a program over integers. `docs/src/certificate.md` describes it.

use super::data::{Abstraction, Arrow, MOST_ATOMS, MOST_LEVELS, Must, Ranking, State, Target};
use crate::fault::Fault;
use crate::format::{
    CLAIM, Checksum, Claim, END, VERSION_OF_INTEGERS, bytes, index_of, number, start,
};
use crate::read::Reader;
use arithmetic::{Atom, Term, Variable};
use logic::Fix;
use predicates::Program;
use std::io::Read;

const KINDS: [Option<Fix>; 3] = [None, Some(Fix::Mu), Some(Fix::Nu)];

/// Whatever there can be more of than memory holds; the bytes that are there limit it further.
const MOST: usize = u32::MAX as usize;

/// Writes a certificate: claims, then [`Writer::finish`].
pub struct Writer {
    out: Vec<u8>,
}

impl Writer {
    /// Begins a certificate about the program with this digest ([`Program::digest`]).
    pub fn start(digest: u64) -> Self {
        Self { out: start(VERSION_OF_INTEGERS, digest) }
    }

    /// Adds a claim and what shows it. The claim is about the formula as it is ranked, which speaks of these propositions
    /// and, behind them, of the classes. Steps are as in certificates about systems.
    pub fn claim(
        &mut self,
        claim: &Claim,
        propositions: &[&str],
        shown: &Abstraction,
        steps: &[u8],
    ) {
        number(&mut self.out, CLAIM);
        claim.write(&mut self.out);
        self.length(propositions);
        propositions.iter().for_each(|name| bytes(&mut self.out, name.as_bytes()));
        self.abstraction(shown);
        self.out.extend_from_slice(steps);
        number(&mut self.out, END);
    }

    pub fn finish(mut self) -> Vec<u8> {
        number(&mut self.out, END);
        Checksum::seal(&mut self.out);
        self.out
    }

    fn number(&mut self, value: impl Into<u64>) {
        number(&mut self.out, value.into());
    }

    fn length<T>(&mut self, list: &[T]) {
        number(&mut self.out, list.len() as u64);
    }

    fn abstraction(&mut self, shown: &Abstraction) {
        self.length(&shown.atoms);
        for atoms in &shown.atoms {
            self.length(atoms);
            atoms.iter().for_each(|atom| self.atom(atom));
        }
        self.length(&shown.states);
        for state in &shown.states {
            self.number(state.place);
            let atoms = shown.atoms[state.place as usize].len();
            self.out.extend_from_slice(&state.bits.to_le_bytes()[..atoms.div_ceil(8)]);
        }
        self.numbers(&shown.initial);
        for own in &shown.arrows {
            self.length(own);
            own.iter().for_each(|arrow| self.arrow(arrow));
        }
        self.ranking(&shown.ranking);
        self.length(&shown.positions);
        for &(state, class) in &shown.positions {
            self.number(state);
            self.number(class);
        }
    }

    fn numbers(&mut self, list: &[u32]) {
        self.length(list);
        list.iter().for_each(|&value| self.number(value));
    }

    /// Nothing is 0.
    fn perhaps(&mut self, value: Option<u32>) {
        self.number(value.map_or(0, |value| u64::from(value) + 1));
    }

    fn arrow(&mut self, arrow: &Arrow) {
        self.number(arrow.step);
        self.length(&arrow.targets);
        for target in &arrow.targets {
            self.number(target.state);
            self.perhaps(target.level);
        }
        self.length(&arrow.musts);
        for must in &arrow.musts {
            self.numbers(&must.states);
            self.length(&must.naming);
            for (variable, term) in &must.naming {
                self.number(variable.0);
                self.term(term);
            }
        }
    }

    fn ranking(&mut self, ranking: &Ranking) {
        self.number(index_of(&KINDS, &ranking.kind));
        self.length(&ranking.measures);
        ranking.measures.iter().for_each(|measure| self.term(measure));
        self.length(&ranking.levels);
        let all = ranking.levels.iter().flatten();
        all.for_each(|&measure| self.perhaps(measure));
    }

    fn atom(&mut self, atom: &Atom) {
        match atom {
            Atom::AtMost(_) => self.number(0u32),
            Atom::Zero(_) => self.number(1u32),
            Atom::Divides(divisor, _) => {
                self.number(2u32);
                self.number(*divisor);
            }
        }
        self.term(atom.term());
    }

    fn term(&mut self, term: &Term) {
        self.signed(term.offset());
        self.length(term.coefficients());
        for &(variable, factor) in term.coefficients() {
            self.number(variable.0);
            self.signed(factor);
        }
    }

    fn signed(&mut self, value: i64) {
        self.number(value < 0);
        self.number(value.unsigned_abs());
    }
}

impl<R: Read> Reader<R> {
    /// The next claim about a program over integers, and the propositions that its formula speaks of; what shows it
    /// follows. `None` at the end of the certificate.
    pub fn claim_about_integers(&mut self) -> Result<Option<(Claim, Vec<String>)>, Fault> {
        match self.number()? {
            CLAIM => {}
            END => return self.end().map(|()| None),
            _ => return Err(self.malformed("neither a claim nor the end")),
        }
        let claim = self.content_of_claim()?;
        Ok(Some((claim, self.list(Self::text)?)))
    }

    /// An abstraction of a program. All numbers in it are numbers of something.
    pub(crate) fn abstraction(&mut self, program: &Program) -> Result<Abstraction, Fault> {
        let atoms = self.list(|reader| reader.list(|reader| reader.atom(program)))?;
        if atoms.len() != program.places.len() {
            return Err(self.malformed("not the places of the program"));
        }
        if atoms.iter().any(|own| own.len() > MOST_ATOMS) {
            return Err(self.malformed("more atoms at a place than there can be"));
        }
        let states = self.list(|reader| reader.state(&atoms))?;
        let count = states.len();
        let initial = self.list(|reader| reader.number_of_state(count))?;
        let arrows: Result<_, Fault> =
            (0..count).map(|_| self.list(|reader| reader.arrow(program, count))).collect();
        let arrows = arrows?;
        let ranking = self.ranking(program, count)?;
        let classes = 2 * ranking.levels.len() + 1;
        let positions = self.list(|reader| {
            let state = reader.number_of_state(count)?;
            Ok((state, reader.below(classes, "a class that is not there")?))
        })?;
        let shown = Abstraction { atoms, states, initial, arrows, ranking, positions };
        let levels = shown.ranking.levels.len() as u32;
        let is_there = shown.edges().all(|(_, _, target)| target.level.is_none_or(|l| l < levels));
        if is_there { Ok(shown) } else { Err(self.malformed("a level that is not there")) }
    }

    fn list<T>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        let length = self.below(MOST, "a list that is too long")?;
        // Whatever the length says, there is room for what was read only.
        let mut list = Vec::new();
        for _ in 0..length {
            list.push(read(self)?);
        }
        Ok(list)
    }

    fn number_of_state(&mut self, states: usize) -> Result<u32, Fault> {
        self.below(states, "a state that is not there")
    }

    fn perhaps(&mut self, limit: usize, problem: &str) -> Result<Option<u32>, Fault> {
        Ok(self.below(limit + 1, problem)?.checked_sub(1))
    }

    fn state(&mut self, atoms: &[Vec<Atom>]) -> Result<State, Fault> {
        let place = self.below(atoms.len(), "a place that is not there")?;
        let atoms = atoms[place as usize].len();
        let mut bits = [0; 8];
        for byte in &mut bits[..atoms.div_ceil(8)] {
            *byte = self.byte()?;
        }
        let bits = u64::from_le_bytes(bits);
        match bits.checked_shr(atoms as u32).unwrap_or(0) {
            0 => Ok(State { place, bits }),
            _ => Err(self.malformed("more bits than there are atoms")),
        }
    }

    fn arrow(&mut self, program: &Program, states: usize) -> Result<Arrow, Fault> {
        let step = self.below(program.steps.len(), "a step that the program does not have")?;
        let targets = self.list(|reader| {
            let state = reader.number_of_state(states)?;
            Ok(Target { state, level: reader.perhaps(MOST_LEVELS, "a level that is not there")? })
        })?;
        let musts = self.list(|reader| {
            let states = reader.list(|reader| reader.number_of_state(states))?;
            let naming = reader.list(|reader| {
                let variable = Variable(reader.below(MOST, "a variable that is not there")?);
                Ok((variable, reader.term(program)?))
            })?;
            Ok(Must { states, naming })
        })?;
        Ok(Arrow { step, targets, musts })
    }

    fn ranking(&mut self, program: &Program, states: usize) -> Result<Ranking, Fault> {
        let kind = self.one_of(&KINDS, "no kind of fixpoints")?;
        let measures = self.list(|reader| reader.term(program))?;
        let levels = self.below(MOST_LEVELS + 1, "more levels than there can be")?;
        let mut measure = || self.perhaps(measures.len(), "a measure that is not there");
        let mut level = || (0..states).map(|_| measure()).collect::<Result<Vec<_>, _>>();
        let levels = (0..levels).map(|_| level()).collect::<Result<_, _>>()?;
        Ok(Ranking { kind, measures, levels })
    }

    fn atom(&mut self, program: &Program) -> Result<Atom, Fault> {
        let kind = self.below(3, "no kind of atom")?;
        let divisor = if kind == 2 { self.number()? } else { 0 };
        let term = self.term(program)?;
        Ok(match kind {
            0 => Atom::AtMost(term),
            1 => Atom::Zero(term),
            _ => Atom::Divides(divisor, term),
        })
    }

    fn term(&mut self, program: &Program) -> Result<Term, Fault> {
        let offset = self.signed()?;
        let variables = program.variables.len();
        let products = self.list(|reader| {
            let variable = reader.below(variables, "a variable that the program does not have")?;
            Ok((Variable(variable), reader.signed()?))
        })?;
        Term::sum(products, offset).map_err(|excess| self.malformed(&excess.to_string()))
    }

    fn signed(&mut self) -> Result<i64, Fault> {
        let is_negative = self.one_of(&[false, true], "no sign")?;
        // The reader of numbers sees to it that they have 63 bits.
        let size = i64::try_from(self.number()?);
        let size = size.map_err(|_| self.malformed("a number that is too long"))?;
        Ok(if is_negative { -size } else { size })
    }
}
