//! An abstracted program written down state by state, for small ones.

use crate::abstracted::monomial::{Monomial, common_targets};
use crate::abstracted::program::{AbstractCommand, Abstracted, Literals, Meaning};
use logic::{PropId, Truth};
use model::{Kind, Mode, ModelBuilder, PartialModel};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt;

/// There are more states than were allowed, or more predicates than states can tell apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge {
    pub most_states: usize,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there are more than {} states", self.most_states)
    }
}

impl std::error::Error for TooLarge {}

/// A location and a monomial over the predicates.
type State = (u32, Monomial);

impl Abstracted {
    /// The complete MixTS over locations × Mon(P), monotone to the letter (X Def. 7), without the monomials whose γ is
    /// empty. A monomial that leaves predicates open exactly covers those that are got by settling the first of these.
    pub fn to_model(&self, name: &str, most_states: usize) -> Result<PartialModel, TooLarge> {
        let mut writer = Writer::new(self, name, Extent::Whole, most_states)?;
        for location in 0..self.locations.len() as u32 {
            for monomial in Monomial::all(self.predicates.len()) {
                if writer.is_possible(monomial) {
                    writer.number((location, monomial))?;
                }
            }
        }
        writer.finish()
    }

    /// The part reachable from the initial states, without the must transitions that follow by monotonicity from more
    /// precise ones. A monomial covers its minterms, and is the most precise one that does: what all of them say, it
    /// says. Every formula has the same value in the states that are there as in [`to_model`](Self::to_model) under the
    /// reduced semantics, and without contradictions under the standard one too.
    pub fn to_outline(&self, name: &str, most_states: usize) -> Result<PartialModel, TooLarge> {
        Writer::new(self, name, Extent::Reached, most_states)?.finish()
    }

    /// The name of a state in a `.tm` file: the location, and a letter for each predicate.
    fn state_name(&self, (location, monomial): State) -> String {
        let letter = |predicate: usize| match (
            monomial.known >> predicate & 1,
            monomial.values >> predicate & 1,
        ) {
            (0, _) => 'u',
            (_, 0) => 'f',
            _ => 't',
        };
        let letters: String = (0..self.predicates.len()).map(letter).collect();
        let location = &self.locations[location as usize];
        if letters.is_empty() { location.clone() } else { format!("{location}_{letters}") }
    }

    fn label(meaning: &Meaning, (location, monomial): State) -> Truth {
        match meaning {
            Meaning::At(locations) => Truth::from(locations.contains(&location)),
            Meaning::Literal(predicate, _) if monomial.known >> predicate & 1 == 0 => {
                Truth::Unknown
            }
            Meaning::Literal(predicate, value) => {
                Truth::from((monomial.values >> predicate & 1 == 1) == *value)
            }
        }
    }
}

impl AbstractCommand {
    /// Restricts a monomial over all predicates to those that the step touches.
    fn seen(&self, monomial: Monomial) -> Monomial {
        let gather = |bits: u64| {
            let bit = |(i, &touched): (usize, &u32)| (bits >> touched & 1) << i;
            self.touches.iter().enumerate().map(bit).sum()
        };
        Monomial { known: gather(monomial.known), values: gather(monomial.values) }
    }

    /// The monomial with something else said of the touched predicates.
    fn changed(&self, monomial: Monomial, touched: Monomial) -> Monomial {
        let scatter = |bits: u64| {
            let bit = |(i, &touched): (usize, &u32)| (bits >> i & 1) << touched;
            self.touches.iter().enumerate().map(bit).sum::<u64>()
        };
        let rest = monomial.without(scatter(u64::MAX));
        Monomial {
            known: rest.known | scatter(touched.known),
            values: rest.values | scatter(touched.values),
        }
    }

    /// Where a state may step to: for each minterm that it covers, all that the minterm may step to (X Def. 7), with
    /// the predicates open that are not touched.
    fn may_from(&self, monomial: Monomial) -> Vec<Monomial> {
        let (seen, width) = (self.seen(monomial), self.touches.len());
        let is_within = |&&(source, _): &&(u64, u64)| seen.covers(Monomial::minterm(source, width));
        let mut targets: Vec<u64> = self.may.iter().filter(is_within).map(|&(_, to)| to).collect();
        targets.sort_unstable();
        targets.dedup();
        targets.iter().map(|&to| self.changed(monomial, Monomial::minterm(to, width))).collect()
    }

    /// The most precise states that a state must step to: that all minterms that it covers must step to.
    fn must_from(&self, monomial: Monomial) -> Vec<Monomial> {
        let (seen, width) = (self.seen(monomial), self.touches.len());
        let mut lists: BTreeMap<u64, Vec<Monomial>> = BTreeMap::new();
        for &(source, target) in &self.must {
            if seen.covers(Monomial::minterm(source, width)) {
                lists.entry(source).or_default().push(target);
            }
        }
        let open = width as u32 - seen.known.count_ones();
        if lists.len() as u128 != 1 << open {
            return Vec::new();
        }
        let targets = common_targets(lists.values().map(Vec::as_slice));
        targets.into_iter().map(|target| self.changed(monomial, target)).collect()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Whole,
    Reached,
}

/// Writes one state after the other.
struct Writer<'a> {
    program: &'a Abstracted,
    extent: Extent,
    most_states: usize,
    builder: ModelBuilder,
    props: Vec<(PropId, &'a Meaning)>,
    /// The contradictions of the program.
    contradictions: Vec<Monomial>,
    commands: Vec<Vec<&'a AbstractCommand>>,
    numbers: FxHashMap<State, u32>,
    /// By number.
    states: Vec<State>,
}

impl<'a> Writer<'a> {
    fn new(
        program: &'a Abstracted,
        name: &str,
        extent: Extent,
        most_states: usize,
    ) -> Result<Self, TooLarge> {
        if program.predicates.len() > 64 {
            return Err(TooLarge { most_states });
        }
        let mut builder = ModelBuilder::new(Kind::MixTs, name);
        let prop = |(name, meaning): &'a (String, Meaning)| (builder.prop(name), meaning);
        let props = program.propositions.iter().map(prop).collect();
        let mut commands = vec![Vec::new(); program.locations.len()];
        for command in &program.commands {
            commands[command.source as usize].push(command);
        }
        Ok(Self {
            program,
            extent,
            most_states,
            builder,
            props,
            contradictions: program.contradictions.iter().map(conjunction).collect(),
            commands,
            numbers: FxHashMap::default(),
            states: Vec::new(),
        })
    }

    fn finish(mut self) -> Result<PartialModel, TooLarge> {
        for start in &self.program.starts {
            let excluded: Vec<Monomial> = start.contradictions.iter().map(conjunction).collect();
            for state in self.minterms((start.location, conjunction(&start.literals))) {
                if excluded.iter().any(|excluded| excluded.covers(state.1)) {
                    continue;
                }
                let number = self.number(state)?;
                self.builder.init(number);
            }
        }
        let mut next = 0;
        while next < self.states.len() {
            self.write(next as u32)?;
            next += 1;
        }
        Ok(self.builder.finish())
    }

    fn number(&mut self, state: State) -> Result<u32, TooLarge> {
        if let Some(&number) = self.numbers.get(&state) {
            return Ok(number);
        }
        if self.states.len() >= self.most_states {
            return Err(TooLarge { most_states: self.most_states });
        }
        let number = self.builder.state(self.program.state_name(state));
        for &(prop, meaning) in &self.props {
            self.builder.label(number, prop, Abstracted::label(meaning, state));
        }
        self.numbers.insert(state, number);
        self.states.push(state);
        Ok(number)
    }

    fn write(&mut self, number: u32) -> Result<(), TooLarge> {
        let state = self.states[number as usize];
        self.write_covers(number, state)?;
        for command in self.commands[state.0 as usize].clone() {
            for target in command.may_from(state.1) {
                for minterm in self.minterms((command.target, target)) {
                    self.write_edge(number, Mode::MAY, minterm)?;
                }
            }
            for target in command.must_from(state.1) {
                self.write_must(number, (command.target, target))?;
            }
        }
        Ok(())
    }

    fn write_must(&mut self, source: u32, (location, target): State) -> Result<(), TooLarge> {
        match self.extent {
            Extent::Reached => {
                let precise = self.possible(target).reduce(Monomial::join).unwrap_or(target);
                self.write_edge(source, Mode::MUST, (location, precise))
            }
            Extent::Whole => target
                .covering()
                .try_for_each(|weaker| self.write_edge(source, Mode::MUST, (location, weaker))),
        }
    }

    fn write_edge(&mut self, source: u32, mode: Mode, target: State) -> Result<(), TooLarge> {
        let target = self.number(target)?;
        self.builder.edge(source, None, mode, target);
        Ok(())
    }

    fn write_covers(&mut self, number: u32, state: State) -> Result<(), TooLarge> {
        let (location, monomial) = state;
        let open = (!monomial.known).trailing_zeros() as usize;
        if open >= self.program.predicates.len() {
            return Ok(());
        }
        let mut covered = Vec::new();
        match self.extent {
            Extent::Reached => {
                for minterm in self.minterms(state) {
                    covered.push(self.number(minterm)?);
                }
            }
            Extent::Whole => {
                for value in [0, 1] {
                    let known = monomial.known | 1 << open;
                    let half = Monomial { known, values: monomial.values | value << open };
                    if self.is_possible(half) {
                        covered.push(self.number((location, half))?);
                    }
                }
            }
        }
        self.builder.covers(number, covered, true);
        Ok(())
    }

    /// Those with a state.
    fn minterms(&self, (location, monomial): State) -> Vec<State> {
        self.possible(monomial).map(|minterm| (location, minterm)).collect()
    }

    fn possible(&self, monomial: Monomial) -> impl Iterator<Item = Monomial> {
        let width = self.program.predicates.len();
        let minterms = monomial.minterms(width).map(move |values| Monomial::minterm(values, width));
        minterms.filter(|&minterm| !self.contradictions.iter().any(|none| none.covers(minterm)))
    }

    /// Whether γ is not empty, as far as the contradictions tell.
    fn is_possible(&self, monomial: Monomial) -> bool {
        self.possible(monomial).next().is_some()
    }
}

/// Of literals over fewer than 65 predicates.
fn conjunction(literals: &Literals) -> Monomial {
    let bit = |&(predicate, value): &(u32, bool)| Monomial {
        known: 1 << predicate,
        values: u64::from(value) << predicate,
    };
    literals.iter().map(bit).fold(Monomial::TRUE, |all, one| Monomial {
        known: all.known | one.known,
        values: all.values | one.values,
    })
}
