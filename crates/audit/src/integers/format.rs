//! The form of a certificate about a program over integers. `docs/src/certificate.md` describes it.

use super::data::{Abstraction, Arrow, MOST_ATOMS, MOST_LEVELS, Must, Position, Ranking, State};
use crate::fault::Fault;
use crate::format::{CLAIM, Checksum, Claim, END, VERSION_OF_INTEGERS, bytes, number, start};
use crate::read::Reader;
use smt::{Atom, Term, Variable};
use std::io::Read;
use transition::integers::IntegerProgram;

/// Whatever there can be more of than memory holds; the bytes that are there limit it further.
const MOST: usize = u32::MAX as usize;

/// Writes a certificate: claims, then [`Writer::finish`].
pub struct Writer {
    out: Vec<u8>,
}

impl Writer {
    /// Begins a certificate about the program with this digest ([`IntegerProgram::digest`]).
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
        self.length(&shown.rankings);
        shown.rankings.iter().for_each(|ranking| self.ranking(ranking));
        self.length(&shown.positions);
        for Position { state, classes } in &shown.positions {
            self.number(*state);
            classes.iter().for_each(|&class| self.number(class));
        }
    }

    fn numbers(&mut self, list: &[u32]) {
        self.length(list);
        list.iter().for_each(|&value| self.number(value));
    }

    fn arrow(&mut self, arrow: &Arrow) {
        self.number(arrow.step);
        self.numbers(&arrow.targets);
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
        self.number(ranking.var);
        self.length(&ranking.measures);
        ranking.measures.iter().for_each(|measure| self.term(measure));
        self.length(&ranking.levels);
        for measure in ranking.levels.iter().flatten() {
            // None is 0.
            self.number(measure.map_or(0, |number| u64::from(number) + 1));
        }
        ranking.classes.iter().for_each(|&class| self.number(class));
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
    pub(crate) fn abstraction(&mut self, program: &IntegerProgram) -> Result<Abstraction, Fault> {
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
        let arrows: Result<Vec<Vec<Arrow>>, Fault> =
            (0..count).map(|_| self.list(|reader| reader.arrow(program, count))).collect();
        let arrows = arrows?;
        let edges = arrows.iter().flatten().map(|arrow| arrow.targets.len()).sum();
        let rankings = self.list(|reader| reader.ranking(program, count, edges))?;
        let counts: Vec<usize> = rankings.iter().map(Ranking::count).collect();
        let positions = self.list(|reader| {
            let state = reader.number_of_state(count)?;
            let classes = counts.iter().map(|&count| reader.class(count)).collect::<Result<_, _>>();
            Ok(Position { state, classes: classes? })
        })?;
        Ok(Abstraction { atoms, states, initial, arrows, rankings, positions })
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

    fn class(&mut self, count: usize) -> Result<u32, Fault> {
        self.below(count, "a class that is not there")
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

    fn arrow(&mut self, program: &IntegerProgram, states: usize) -> Result<Arrow, Fault> {
        let step = self.below(program.steps.len(), "a step that the program does not have")?;
        let targets = self.list(|reader| reader.number_of_state(states))?;
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

    fn ranking(
        &mut self,
        program: &IntegerProgram,
        states: usize,
        edges: usize,
    ) -> Result<Ranking, Fault> {
        let var = self.below(MOST, "a fixpoint that is not there")?;
        let measures = self.list(|reader| reader.term(program))?;
        let count = self.below(MOST_LEVELS + 1, "more levels than there can be")?;
        let mut measure = || {
            let number = self.below(measures.len() + 1, "a measure that is not there")?;
            Ok(number.checked_sub(1))
        };
        let mut level = || (0..states).map(|_| measure()).collect::<Result<Vec<_>, Fault>>();
        let levels = (0..count).map(|_| level()).collect::<Result<Vec<_>, _>>()?;
        let mut ranking = Ranking { var, measures, levels, classes: Vec::new() };
        for _ in 0..edges {
            ranking.classes.push(self.class(ranking.count())?);
        }
        Ok(ranking)
    }

    fn atom(&mut self, program: &IntegerProgram) -> Result<Atom, Fault> {
        let kind = self.below(3, "no kind of atom")?;
        let divisor = if kind == 2 { self.number()? } else { 0 };
        let term = self.term(program)?;
        Ok(match kind {
            0 => Atom::AtMost(term),
            1 => Atom::Zero(term),
            _ => Atom::Divides(divisor, term),
        })
    }

    fn term(&mut self, program: &IntegerProgram) -> Result<Term, Fault> {
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
