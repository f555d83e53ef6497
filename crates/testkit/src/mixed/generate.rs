//! Random statespaces and partial models over them.

use super::partial::Partial;
use super::refinements::Concrete;
use super::semantics::Element;
use super::space::{Set, Space, members, set_of};
use crate::failure::Case;
use crate::rng::Rng;
use crate::text::model_text;
use model::{Kind, Mode, ModelBuilder, PartialModel};

/// The size and kind of random mixed models.
#[derive(Clone, Debug)]
pub struct MixedShape {
    /// `mixts` or `gkmts`.
    pub kind: Kind,
    /// States that cover nothing, at most.
    pub atoms: usize,
    /// States that cover others, at most.
    pub unions: usize,
    /// Concrete states for each atom, at most.
    pub copies: usize,
    pub props: usize,
    /// States may stand for the same.
    pub twins: bool,
    /// As Def. 7 requires.
    pub monotone: bool,
    /// The chance that something known is forgotten.
    pub weaken: f64,
}

impl MixedShape {
    pub fn random(rng: &mut Rng) -> Self {
        Self {
            kind: *rng.pick(&[Kind::MixTs, Kind::Gkmts]),
            atoms: 4,
            unions: 4,
            copies: 2,
            props: 2,
            twins: false,
            monotone: rng.chance(0.5),
            weaken: *rng.pick(&[0.0, 0.1, 0.3]),
        }
    }

    /// So few concrete states that all systems over them can be tried.
    pub fn tiny(rng: &mut Rng) -> Self {
        Self { atoms: 2, unions: 2, copies: 1, props: 1, ..Self::random(rng) }
    }
}

/// The states of a model to be: by state, the lines that say what it covers, and whether nothing else.
struct Frame {
    covers: Vec<Vec<(Vec<u32>, bool)>>,
}

impl Frame {
    /// Any number can cover any other. Unless there are twins no two states stand for the same.
    fn random(rng: &mut Rng, shape: &MixedShape) -> Frame {
        let atoms = rng.between(1, shape.atoms).max(rng.between(1, shape.atoms));
        let mut frame = Frame { covers: vec![Vec::new(); atoms] };
        for _ in 0..rng.between(0, 2 * shape.unions).min(shape.unions) {
            let states: Vec<u32> = (0..frame.covers.len() as u32).collect();
            let covered = rng.some(&states, 0.5);
            frame.covers.push(lines(rng, covered));
            let space = Space::new(&frame.model(Kind::MixTs), |_| 1);
            let newest = space.gamma(states.len() as u32);
            if !shape.twins && states.iter().any(|&s| space.gamma(s) == newest) {
                frame.covers.pop();
            }
        }
        frame.renumbered(rng)
    }

    fn renumbered(self, rng: &mut Rng) -> Frame {
        let mut numbers: Vec<u32> = (0..self.covers.len() as u32).collect();
        for i in (1..numbers.len()).rev() {
            numbers.swap(i, rng.below(i + 1));
        }
        let mut covers = vec![Vec::new(); numbers.len()];
        for (old, lines) in self.covers.into_iter().enumerate() {
            let renamed = |list: Vec<u32>| list.into_iter().map(|s| numbers[s as usize]).collect();
            let lines = lines.into_iter().map(|(list, exactly)| (renamed(list), exactly));
            covers[numbers[old] as usize] = lines.collect();
        }
        Frame { covers }
    }

    fn builder(&self, kind: Kind) -> ModelBuilder {
        let mut builder = ModelBuilder::new(kind, "M");
        for state in 0..self.covers.len() {
            builder.state(format!("s{state}"));
        }
        for (state, lines) in self.covers.iter().enumerate() {
            for (covered, exactly) in lines {
                builder.covers(state as u32, covered.clone(), *exactly);
            }
        }
        builder
    }

    /// The states alone.
    fn model(&self, kind: Kind) -> PartialModel {
        self.builder(kind).finish()
    }

    /// With transitions and labels.
    fn filled(&self, rng: &mut Rng, kind: Kind, partial: &Partial) -> PartialModel {
        let mut builder = self.builder(kind);
        let states = self.covers.len();
        for _ in 0..rng.between(1, 2) {
            builder.init(rng.below(states) as u32);
        }
        for (label, name) in partial.labels.iter().zip(["p", "q", "r"]) {
            let prop = builder.prop(name);
            for state in 0..states as u32 {
                let value = label.truth(state).expect("labels are consistent");
                builder.label(state, prop, value);
            }
        }
        for (state, (&may, must)) in partial.may.iter().zip(&partial.must).enumerate() {
            members(may).for_each(|t| builder.edge(state as u32, None, Mode::MAY, t));
            for &set in must {
                builder.hyper(state as u32, members(set).collect());
            }
        }
        builder.finish()
    }
}

/// One line, now and then two that say the same together.
fn lines(rng: &mut Rng, covered: Vec<u32>) -> Vec<(Vec<u32>, bool)> {
    let exactly = rng.chance(0.7);
    let part = rng.some(&covered, 0.5);
    match rng.chance(0.1) {
        true => vec![(part, false), (covered, exactly)],
        false => vec![(covered, exactly)],
    }
}

/// A model and one concrete system that it abstracts.
pub struct Abstracted {
    pub model: PartialModel,
    pub space: Space,
    pub concrete: Concrete,
}

/// A random concrete system and a random abstraction of it.
pub fn abstracted(rng: &mut Rng, shape: &MixedShape) -> Abstracted {
    let frame = Frame::random(rng, shape);
    let copies: Vec<usize> = frame.covers.iter().map(|_| rng.between(1, shape.copies)).collect();
    let space = Space::new(&frame.model(shape.kind), |s| copies[s as usize]);
    let concrete = Concrete::random(rng, &space, shape.props);
    let mut abstractor = Abstractor { rng, shape, space, concrete };
    let partial = abstractor.abstraction();
    let Abstractor { rng, space, concrete, .. } = abstractor;
    Abstracted { model: frame.filled(rng, shape.kind, &partial), space, concrete }
}

/// A random abstraction, recorded as the case under test.
pub fn noted_abstraction(rng: &mut Rng, case: &mut Case, shape: &MixedShape) -> Abstracted {
    let abstracted = abstracted(rng, shape);
    case.note(model_text(&abstracted.model));
    abstracted
}

/// A random model with a monotone labelling and any transitions. It need not have refinements.
pub fn arbitrary(rng: &mut Rng, shape: &MixedShape) -> PartialModel {
    let frame = Frame::random(rng, shape);
    let space = Space::new(&frame.model(shape.kind), |_| 1);
    let concrete = Concrete::random(rng, &space, shape.props);
    let states: Vec<u32> = space.states().collect();
    let density = *rng.pick(&[0.3, 0.6]);
    let mut some = |chance| set_of(states.iter().copied().filter(|_| rng.chance(chance)));
    let may = states.iter().map(|_| some(density)).collect();
    let must = states.iter().map(|_| match shape.kind {
        Kind::Gkmts => vec![some(density), some(density)],
        _ => members(some(density / 2.0)).map(|t| 1 << t).collect(),
    });
    let must = must.collect();
    let labels = Abstractor { rng, shape, space, concrete }.labels();
    frame.filled(rng, shape.kind, &Partial { may, must, labels })
}

struct Abstractor<'a> {
    rng: &'a mut Rng,
    shape: &'a MixedShape,
    space: Space,
    concrete: Concrete,
}

impl Abstractor<'_> {
    fn abstraction(&mut self) -> Partial {
        let states: Vec<u32> = self.space.states().collect();
        let mut may: Vec<Set> = states.iter().map(|&s| self.may(s)).collect();
        let mut must: Vec<Vec<Set>> = states.iter().map(|&s| self.must(s)).collect();
        if self.shape.monotone {
            (may, must) = (self.monotone_may(&may), self.monotone_must(&must));
        }
        Partial { may, must, labels: self.labels() }
    }

    fn forgets(&mut self) -> bool {
        self.rng.chance(self.shape.weaken)
    }

    /// The labels that all concrete states agree on. A label dropped from a state is unknown in all that are less
    /// precise.
    fn labels(&mut self) -> Vec<Element> {
        let columns = self.concrete.true_in.clone();
        columns.into_iter().map(|true_in| self.label(true_in)).collect()
    }

    fn label(&mut self, true_in: Set) -> Element {
        let states: Vec<u32> = self.space.states().collect();
        let forgotten: Vec<u32> = states.iter().copied().filter(|_| self.forgets()).collect();
        let space = &self.space;
        let known = |&s: &u32| !forgotten.iter().any(|&t| space.is_less_precise(s, t));
        let known: Vec<u32> = states.iter().copied().filter(known).collect();
        let among = |set: Set| {
            let agreed = known.iter().copied().filter(|&s| space.gamma(s) & !set == 0);
            set_of(agreed)
        };
        Element { under: among(true_in), over: set_of(states.iter().copied()) & !among(!true_in) }
    }

    /// States that together stand for all concrete targets, and some more.
    fn may(&mut self, s: u32) -> Set {
        let sources = members(self.space.gamma(s));
        let needed = sources.fold(0, |set, c| set | self.concrete.next[c as usize]);
        let mut may =
            set_of(self.space.states().filter(|_| self.rng.chance(self.shape.weaken / 3.0)));
        for target in members(needed) {
            let stands = |&t: &u32| self.space.gamma(t) >> target & 1 == 1;
            let about: Vec<u32> = self.space.states().filter(stands).collect();
            if self.space.gamma_of(may) >> target & 1 == 0 {
                let precise = !self.forgets();
                let t = if precise { self.space.alpha(target) } else { *self.rng.pick(&about) };
                may |= 1 << t;
            }
        }
        may
    }

    /// Sets that every concrete source goes into, single states in a `mixts`.
    fn must(&mut self, s: u32) -> Vec<Set> {
        let states: Vec<u32> = self.space.states().collect();
        let mut sets: Vec<Set> = states.iter().map(|&t| 1 << t).collect();
        if self.shape.kind == Kind::Gkmts {
            sets.extend((0..3).map(|_| set_of(self.rng.some(&states, 0.5))));
        }
        sets.retain(|&set| {
            let target = self.space.gamma_of(set);
            let mut sources = members(self.space.gamma(s));
            sources.all(|c| self.concrete.next[c as usize] & target != 0)
        });
        sets.retain(|_| !self.forgets());
        sets
    }

    /// A concrete state goes where all states that stand for it say; a state may go to all that lies
    /// within what those of its concrete states can reach.
    fn monotone_may(&mut self, may: &[Set]) -> Vec<Set> {
        let space = &self.space;
        let allowed = |c: u32| {
            let about = space.states().filter(move |&s| space.gamma(s) >> c & 1 == 1);
            about.fold(Set::MAX, |set, s| set & space.gamma_of(may[s as usize]))
        };
        let reached = |s| members(space.gamma(s)).fold(0, |set, c| set | allowed(c));
        let within = |set: Set| set_of(space.states().filter(|&t| space.gamma(t) & !set == 0));
        let full: Vec<Set> = space.states().map(|s| within(reached(s))).collect();
        let image = space.image();
        // Def. 7 does not ask for states in which nothing new lies.
        let few: Vec<Set> = full.iter().map(|set| set & image).collect();
        let finer_are_atoms = members(image)
            .all(|s| space.states().all(|t| !space.is_less_precise(s, t) || image >> t & 1 == 1));
        if finer_are_atoms && self.rng.chance(0.5) { few } else { full }
    }

    /// The must-transitions of less precise states, closed under less precise targets.
    fn monotone_must(&self, must: &[Vec<Set>]) -> Vec<Vec<Set>> {
        let space = &self.space;
        let own = |s| {
            let coarser = space.states().filter(move |&t| space.is_less_precise(t, s));
            let sets: Vec<Set> = coarser.flat_map(|t| must[t as usize].iter().copied()).collect();
            let singles = space.states().map(|t| 1 << t).filter(|&single: &Set| {
                let stands = space.gamma_of(single);
                sets.iter().any(|&set| space.gamma_of(set) & !stands == 0)
            });
            let mut all: Vec<Set> = sets.iter().copied().chain(singles).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        space.states().map(own).collect()
    }
}
