//! Programs seen through predicates, in BDDs.
//!
//! Control is in the places; commands become local relations, over the predicates that they touch. Under the
//! reduced semantics may leads from minterms to minterms, must from minterms to monomials (X Thm 8). Under the
//! standard one sources are monomials too: what a monomial must do is what all its minterms must do, what it
//! may do is what one of them may, and predicates that a command does not touch stay unknown where they are; see
//! `minterm_projection` for what that means for may.

use super::minterm_projection::MintermProjection;
use super::step::{Choice, ModalOperands, ProjectedStep, Step};
use super::{ControlLocation, Encoding, Label, Mixed, MixedSemantics, value};
use bdd::{Bdd, BddVar, Cube, Manager, Renaming, Stop};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use transition::abstracted::{AbstractCommand, Abstracted, Literals, Meaning, Monomial};

/// An iteration needs what some earlier ones have found of every place; with less room much of it is computed
/// again, measured on the program of the experiment.
const RESULTS_A_PLACE: usize = 256;
const MOST_RESULTS: usize = 1 << 22;

/// The variables of a predicate, in one group (X §5).
#[derive(Clone, Copy)]
pub(super) struct Predicate {
    /// b.
    pub now: BddVar,
    /// h, under the standard semantics.
    pub unknown: Option<BddVar>,
    /// b'.
    pub next: BddVar,
    /// h'.
    next_unknown: BddVar,
}

impl Predicate {
    fn new(semantics: MixedSemantics, manager: &mut Manager) -> Self {
        match semantics {
            MixedSemantics::Standard => {
                let [unknown, now, next_unknown, next] = manager.add_group();
                manager.add_unknown(now, unknown);
                Self { now, unknown: Some(unknown), next, next_unknown }
            }
            MixedSemantics::Reduced => {
                let [now, next_unknown, next] = manager.add_group();
                manager.add_unknown(next, next_unknown);
                Self { now, unknown: None, next, next_unknown }
            }
        }
    }
}

pub(super) fn encode(
    program: &Abstracted,
    semantics: MixedSemantics,
    mut manager: Manager,
) -> Result<Mixed, Stop> {
    // On top, so that U and O need nothing of each other.
    let [sel] = manager.add_group();
    manager.reserve_cache((program.locations.len() * RESULTS_A_PLACE).min(MOST_RESULTS));
    let order = order(program);
    let mut placed = vec![None; order.len()];
    for &number in &order {
        placed[number as usize] = Some(Predicate::new(semantics, &mut manager));
    }
    let predicates = placed.into_iter().flatten().collect();
    let mut encoder = Encoder {
        semantics,
        manager,
        sel,
        predicates,
        contradictions: by_predicate(program, semantics),
        renamings: FxHashMap::default(),
        cubes: FxHashMap::default(),
    };
    let mut locations: Vec<ControlLocation> =
        program.locations.iter().map(|_| ControlLocation::default()).collect();
    for command in &program.commands {
        let step = encoder.step(command)?;
        locations[command.source as usize].steps.push(step);
        let before = &mut locations[command.target as usize].before;
        if !before.contains(&command.source) {
            before.push(command.source);
        }
    }
    for place in &mut locations {
        place.choice = Choice::new(&place.steps, &mut encoder.manager)?;
    }
    let mut labels = Vec::new();
    for (_, meaning) in &program.propositions {
        labels.push(encoder.label(meaning, program.locations.len())?);
    }
    let minterm_projection = match semantics {
        MixedSemantics::Standard => Some(encoder.minterm_projection()?),
        MixedSemantics::Reduced => None,
    };
    let Encoder { manager, predicates, .. } = encoder;
    let universe = manager.constant(true);
    let encoding = Encoding::Program { predicates, order };
    Ok(Mixed {
        manager,
        sel,
        universe,
        locations,
        labels: labels.into(),
        encoding,
        minterm_projection,
    })
}

/// The predicates from above: those that a command touches together are next to each other.
fn order(program: &Abstracted) -> Vec<u32> {
    let mut order: Vec<u32> = Vec::with_capacity(program.predicates.len());
    let mut is_placed = FixedBitSet::with_capacity(program.predicates.len());
    let touched = program.commands.iter().flat_map(|command| &command.touches).copied();
    let all = 0..program.predicates.len() as u32;
    order.extend(touched.chain(all).filter(|&number| !is_placed.put(number as usize)));
    order
}

/// The contradictions that count: those of RED (X §4.2). The standard semantics has none.
fn by_predicate(program: &Abstracted, semantics: MixedSemantics) -> FxHashMap<u32, Vec<&Literals>> {
    let mut all: FxHashMap<u32, Vec<&Literals>> = FxHashMap::default();
    if semantics == MixedSemantics::Reduced {
        for contradiction in &program.contradictions {
            for (predicate, _) in contradiction {
                all.entry(*predicate).or_default().push(contradiction);
            }
        }
    }
    all
}

struct Encoder<'p> {
    semantics: MixedSemantics,
    manager: Manager,
    sel: BddVar,
    predicates: Vec<Predicate>,
    /// Those that a predicate occurs in, by its number.
    contradictions: FxHashMap<u32, Vec<&'p Literals>>,
    /// Commands that change the same predicates share renamings and cubes.
    renamings: FxHashMap<Vec<u32>, Renaming>,
    cubes: FxHashMap<Vec<BddVar>, Cube>,
}

/// Predicates after a command that touches them, each with its bit in the tables.
struct Touched {
    all: Vec<(usize, Predicate)>,
    /// In which a target can differ from its source.
    changed: Vec<(usize, Predicate)>,
    /// Which must transitions leave unknown.
    unknown: Vec<(usize, Predicate)>,
}

impl Touched {
    /// The variables for targets of one of them.
    fn targets(&self, at: usize, of: Predicate) -> Vec<BddVar> {
        let is_left_unknown = self.unknown.iter().any(|&(other, _)| other == at);
        is_left_unknown.then_some(of.next_unknown).into_iter().chain([of.next]).collect()
    }
}

fn bit(bits: u64, at: usize) -> bool {
    bits >> at & 1 == 1
}

/// The may transitions, which lead to minterms.
fn may(command: &AbstractCommand) -> impl Iterator<Item = (u64, Monomial)> {
    let minterm = |values: u64| Monomial { known: u64::MAX, values };
    command.may.iter().map(move |&(source, target)| (source, minterm(target)))
}

impl Encoder<'_> {
    fn step(&mut self, command: &AbstractCommand) -> Result<Step, Stop> {
        let touched = self.touched(command);
        let (may, must) = match self.semantics {
            MixedSemantics::Reduced => {
                let must = command.must.iter().copied();
                (self.relation(may(command), &touched)?, self.relation(must, &touched)?)
            }
            MixedSemantics::Standard => self.of_monomials(command, &touched)?,
        };
        let relation = ModalOperands::new(&mut self.manager, self.sel, &must, &may)?;
        let unknown = match self.semantics {
            MixedSemantics::Reduced if !touched.unknown.is_empty() => {
                Some(self.cube(touched.unknown.iter().map(|(_, of)| of.next).collect())?)
            }
            _ => None,
        };
        let changed = &touched.changed;
        let renaming = (!changed.is_empty()).then(|| self.renaming(command, changed));
        let projections = self.projections(relation, &touched)?;
        let impossible = self.impossible(command, &touched)?;
        Ok(Step {
            target: command.target,
            projections,
            renaming,
            unknown,
            impossible,
            hyper: Vec::new(),
        })
    }

    /// The minterms that no state satisfies because of something that the command changes: where the others are
    /// contradictory already, it cannot be.
    fn impossible(&mut self, command: &AbstractCommand, touched: &Touched) -> Result<Bdd, Stop> {
        let mut impossible = self.manager.constant(false);
        for &(at, _) in &touched.changed {
            for contradiction in self.contradictions.get(&command.touches[at]).into_iter().flatten()
            {
                let literals = contradiction.iter();
                let values = literals.map(|&(of, value)| (self.predicates[of as usize].now, value));
                let values: Vec<(BddVar, bool)> = values.collect();
                let one = self.manager.conjunction(values)?;
                impossible = self.manager.or(&impossible, &one)?;
            }
        }
        Ok(impossible)
    }

    /// One predicate after the other no longer counts, the highest first.
    fn projections(
        &mut self,
        relation: ModalOperands,
        touched: &Touched,
    ) -> Result<Vec<ProjectedStep>, Stop> {
        let targets: Vec<Vec<BddVar>> =
            touched.changed.iter().map(|&(at, of)| touched.targets(at, of)).collect();
        let (ignored, next) = (self.cube(Vec::new())?, self.cube(targets.concat())?);
        let mut projections = vec![ProjectedStep { ignored, relation, next }];
        for counts in 1..=targets.len() {
            let one = self.cube(targets[counts - 1].clone())?;
            let relation = projections[counts - 1].relation.exists(&one, &mut self.manager)?;
            let ignored = self.cube(targets[..counts].concat())?;
            projections.push(ProjectedStep {
                ignored,
                relation,
                next: self.cube(targets[counts..].concat())?,
            });
        }
        Ok(projections)
    }

    /// From minterms, a predicate that keeps its value in all transitions needs no variable for its target;
    /// from monomials it does, as guards find out what it is.
    fn touched(&self, command: &AbstractCommand) -> Touched {
        let all: Vec<(usize, Predicate)> =
            command.touches.iter().map(|&at| self.predicates[at as usize]).enumerate().collect();
        if self.semantics == MixedSemantics::Standard {
            return Touched { changed: all.clone(), unknown: all.clone(), all };
        }
        let transitions: Vec<_> = may(command).chain(command.must.iter().copied()).collect();
        let is_left_unknown = |at: usize| transitions.iter().any(|(_, to)| !bit(to.known, at));
        let is_changed = |at: usize| {
            let differs = |from: u64, to: Monomial| bit(from, at) != bit(to.values, at);
            is_left_unknown(at) || transitions.iter().any(|&(from, to)| differs(from, to))
        };
        let some = |among: &dyn Fn(usize) -> bool| {
            all.iter().copied().filter(|&(at, _)| among(at)).collect()
        };
        Touched { changed: some(&is_changed), unknown: some(&is_left_unknown), all }
    }

    fn renaming(&mut self, command: &AbstractCommand, changed: &[(usize, Predicate)]) -> Renaming {
        let numbers = changed.iter().map(|&(at, _)| command.touches[at]).collect();
        let mut pairs = Vec::new();
        for (_, of) in changed {
            pairs.extend(of.unknown.map(|unknown| (unknown, of.next_unknown)));
            pairs.push((of.now, of.next));
        }
        *self.renamings.entry(numbers).or_insert_with(|| self.manager.renaming(&pairs))
    }

    fn cube(&mut self, vars: Vec<BddVar>) -> Result<Cube, Stop> {
        if let Some(known) = self.cubes.get(&vars) {
            return Ok(known.clone());
        }
        let cube = self.manager.cube(vars.iter().copied())?;
        self.cubes.insert(vars, cube.clone());
        Ok(cube)
    }

    fn literal(&mut self, var: BddVar, is_true: bool) -> Result<Bdd, Stop> {
        let set = self.manager.var(var)?;
        Ok(if is_true { set } else { set.not() })
    }

    fn sources(source: u64, touched: &Touched) -> Vec<(BddVar, bool)> {
        touched.all.iter().map(|&(at, of)| (of.now, bit(source, at))).collect()
    }

    /// Transitions from minterms, as a relation.
    fn relation(
        &mut self,
        transitions: impl Iterator<Item = (u64, Monomial)>,
        touched: &Touched,
    ) -> Result<Bdd, Stop> {
        let mut relation = self.manager.constant(false);
        for (source, target) in transitions {
            let mut values = Self::sources(source, touched);
            let unknown = touched.unknown.iter();
            values.extend(unknown.map(|&(at, of)| (of.next_unknown, !bit(target.known, at))));
            let known = touched.changed.iter().filter(|&&(at, _)| bit(target.known, at));
            values.extend(known.map(|&(at, of)| (of.next, bit(target.values, at))));
            let one = self.manager.conjunction(values)?;
            relation = self.manager.or(&relation, &one)?;
        }
        Ok(relation)
    }

    /// May and must transitions of monomials.
    fn of_monomials(
        &mut self,
        command: &AbstractCommand,
        touched: &Touched,
    ) -> Result<(Bdd, Bdd), Stop> {
        let sources = self.cube(touched.all.iter().map(|(_, of)| of.now).collect())?;
        let may = self.relation(may(command), touched)?;
        let may = self.manager.reduce(&may.not(), &sources)?.not();
        let must = self.less_precise_must(command, touched)?;
        Ok((may, self.manager.reduce(&must, &sources)?))
    }

    /// Must transitions with all less precise targets: minterms of one monomial agree on one of these.
    fn less_precise_must(
        &mut self,
        command: &AbstractCommand,
        touched: &Touched,
    ) -> Result<Bdd, Stop> {
        let mut must = self.manager.constant(false);
        for &(source, target) in &command.must {
            let mut one = self.manager.conjunction(Self::sources(source, touched))?;
            for &(at, of) in &touched.all {
                let mut part = self.manager.var(of.next_unknown)?;
                if bit(target.known, at) {
                    let value = self.literal(of.next, bit(target.values, at))?;
                    part = self.manager.or(&part, &value)?;
                }
                one = self.manager.and(&one, &part)?;
            }
            must = self.manager.or(&must, &one)?;
        }
        Ok(must)
    }

    fn minterm_projection(&mut self) -> Result<MintermProjection, Stop> {
        let unknown: Vec<BddVar> = self.predicates.iter().filter_map(|of| of.unknown).collect();
        let minterms = self.manager.conjunction(unknown.iter().map(|&var| (var, false)))?;
        let now = self.manager.cube(self.predicates.iter().map(|of| of.now))?;
        Ok(MintermProjection { minterms, unknown: self.manager.cube(unknown)?, now })
    }

    fn label(&mut self, meaning: &Meaning, locations: usize) -> Result<Label, Stop> {
        match meaning {
            Meaning::At(at) => {
                let mut set = FixedBitSet::with_capacity(locations);
                at.iter().for_each(|&place| set.insert(place as usize));
                Ok(Label::At(set))
            }
            &Meaning::Literal(predicate, value) => {
                let of = self.predicates[predicate as usize];
                let positive = self.predicate(of, value)?;
                Ok(Label::Everywhere { positive, negative: self.predicate(of, !value)? })
            }
        }
    }

    /// The value of a predicate or of its negation.
    fn predicate(&mut self, of: Predicate, is_true: bool) -> Result<Bdd, Stop> {
        let literal = self.literal(of.now, is_true)?;
        let Some(unknown) = of.unknown else { return Ok(literal) };
        let unknown = self.manager.var(unknown)?;
        let under = self.manager.minus(&literal, &unknown)?;
        let over = self.manager.or(&literal, &unknown)?;
        value(&mut self.manager, self.sel, &under, &over)
    }
}
