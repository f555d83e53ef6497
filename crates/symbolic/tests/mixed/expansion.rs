//! Programs seen through predicates, written down state by state from the definitions.

use logic::Truth;
use model::{Kind, Mode, ModelBuilder, PartialModel};
use testkit::Rng;
use transition::abstracted::{AbstractCommand, Abstracted, Literals, Meaning, Monomial};

/// Two to four predicates, up to three places, and any tables.
pub fn random_program(rng: &mut Rng) -> Abstracted {
    let predicates = rng.between(2, 4);
    let places = rng.between(1, 3) as u32;
    let commands =
        (0..rng.between(1, 6)).map(|_| random_command(rng, predicates, places)).collect();
    let at = (0..places).filter(|_| rng.chance(0.5)).collect();
    let mut propositions = vec![("here".to_owned(), Meaning::At(at))];
    for predicate in 0..predicates as u32 {
        propositions.push((format!("p{predicate}"), Meaning::Literal(predicate, rng.chance(0.7))));
    }
    let mut program = Abstracted {
        predicates: (0..predicates).map(|at| format!("p{at}")).collect(),
        locations: (0..places).map(|at| format!("L{at}")).collect(),
        commands,
        propositions,
        starts: Vec::new(),
        contradictions: (0..rng.below(3)).map(|_| random_contradiction(rng, predicates)).collect(),
    };
    if !has_states(&program) {
        program.contradictions.clear();
    }
    program
}

/// Whether no must transition leads from a minterm with states to a monomial without.
fn has_states(program: &Abstracted) -> bool {
    let width = program.predicates.len();
    let is_possible = |values: u64| !is_impossible(program, Monomial::minterm(values, width));
    let sources: Vec<u64> = (0..1 << width).filter(|&values| is_possible(values)).collect();
    program.commands.iter().all(|command| {
        let mut targets = sources.iter().flat_map(|&from| must_after(command, from, width));
        targets.all(|target| target.minterms(width).any(is_possible))
    })
}

/// Of one predicate or several.
pub fn random_contradiction(rng: &mut Rng, predicates: usize) -> Literals {
    let first = rng.below(predicates) as u32;
    let is_in: Vec<bool> = (0..predicates).map(|_| rng.chance(0.4)).collect();
    let all = (0..predicates as u32).filter(|&at| at == first || is_in[at as usize]);
    all.collect::<Vec<u32>>().into_iter().map(|at| (at, rng.chance(0.5))).collect()
}

/// Whether no state satisfies a minterm.
fn is_impossible(program: &Abstracted, minterm: Monomial) -> bool {
    let holds = |&(of, value): &(u32, bool)| (minterm.values >> of & 1 == 1) == value;
    program.contradictions.iter().any(|none| none.iter().all(holds))
}

fn random_command(rng: &mut Rng, predicates: usize, places: u32) -> AbstractCommand {
    let touches: Vec<u32> = (0..predicates as u32).filter(|_| rng.chance(0.5)).collect();
    let width = touches.len();
    let (degree, musts) = (*rng.pick(&[0.1, 0.3, 0.6]), *rng.pick(&[0.1, 0.4, 0.9]));
    let (mut may, mut must) = (Vec::new(), Vec::new());
    for source in 0..1u64 << width {
        // Guards keep what they read; other commands do anything.
        let targets =
            (0..1u64 << width).filter(|&to| rng.chance(if to == source { 0.5 } else { degree }));
        let targets: Vec<u64> = targets.collect();
        may.extend(targets.iter().map(|&target| (source, target)));
        for target in targets.into_iter().chain(rng.chance(0.05).then_some(0)) {
            if rng.chance(musts) {
                let known = rng.next_u64() | rng.next_u64() & ((1 << width) - 1);
                let known = known & ((1 << width) - 1);
                must.push((source, Monomial { known, values: target & known }));
            }
        }
    }
    let place = |rng: &mut Rng| rng.below(places as usize) as u32;
    AbstractCommand { source: place(rng), target: place(rng), touches, may, must }
}

/// Restriction of a monomial over all predicates to those that a command touches.
fn seen(command: &AbstractCommand, monomial: u64) -> u64 {
    let touches = command.touches.iter().enumerate();
    touches.map(|(at, &predicate)| (monomial >> predicate & 1) << at).sum()
}

/// A minterm after a command that leads to a monomial of what it touches.
fn after(command: &AbstractCommand, minterm: u64, target: Monomial, width: usize) -> Monomial {
    let mut monomial = Monomial::minterm(minterm, width);
    for (at, &predicate) in command.touches.iter().enumerate() {
        let (mask, bit) = (1u64 << predicate, |bits: u64| (bits >> at & 1) << predicate);
        monomial.known = monomial.known & !mask | bit(target.known);
        monomial.values = monomial.values & !mask | bit(target.values);
    }
    monomial
}

/// Where a minterm may get to by a command.
fn may_after(
    command: &AbstractCommand,
    minterm: u64,
    width: usize,
) -> impl Iterator<Item = Monomial> {
    let from = seen(command, minterm);
    let of_minterm = command.may.iter().filter(move |&&(source, _)| source == from);
    of_minterm.map(move |&(_, to)| {
        after(command, minterm, Monomial::minterm(to, command.touches.len()), width)
    })
}

fn must_after(
    command: &AbstractCommand,
    minterm: u64,
    width: usize,
) -> impl Iterator<Item = Monomial> {
    let from = seen(command, minterm);
    let of_minterm = command.must.iter().filter(move |&&(source, _)| source == from);
    of_minterm.map(move |&(_, to)| after(command, minterm, to, width))
}

pub struct Expansion {
    pub model: PartialModel,
    /// By place and then by number.
    pub states: Vec<(u32, Monomial)>,
}

struct Writer<'a> {
    program: &'a Abstracted,
    builder: ModelBuilder,
    states: Vec<(u32, Monomial)>,
}

impl<'a> Writer<'a> {
    fn new(program: &'a Abstracted, monomials: &[Monomial]) -> Self {
        let mut builder = ModelBuilder::new(Kind::Gkmts, "expansion");
        let mut states = Vec::new();
        for place in 0..program.locations.len() as u32 {
            states.extend(monomials.iter().map(|&monomial| (place, monomial)));
        }
        for number in 0..states.len() {
            builder.state(format!("s{number}"));
        }
        for (name, meaning) in &program.propositions {
            let prop = builder.prop(name);
            for (number, &(place, monomial)) in states.iter().enumerate() {
                let value = match meaning {
                    Meaning::At(places) => places.contains(&place).into(),
                    Meaning::Literal(at, _) if monomial.known >> at & 1 == 0 => Truth::Unknown,
                    Meaning::Literal(at, is) => ((monomial.values >> at & 1 == 1) == *is).into(),
                };
                builder.label(number as u32, prop, value);
            }
        }
        Self { program, builder, states }
    }

    fn width(&self) -> usize {
        self.program.predicates.len()
    }

    fn number(&self, state: (u32, Monomial)) -> u32 {
        self.states.iter().position(|&other| other == state).expect("a state") as u32
    }

    /// Calls for every state and every command from there.
    fn each(&mut self, mut write: impl FnMut(&mut Self, u32, Monomial, &AbstractCommand)) {
        for number in 0..self.states.len() {
            let (place, monomial) = self.states[number];
            for command in &self.program.commands {
                if command.source == place {
                    write(self, number as u32, monomial, command);
                }
            }
        }
    }

    fn finish(self) -> Expansion {
        Expansion { model: self.builder.finish(), states: self.states }
    }
}

/// The atoms that have states, with must transitions to sets of them (X §4.2).
pub fn atoms(program: &Abstracted) -> Expansion {
    let width = program.predicates.len();
    let minterms: Vec<Monomial> =
        (0..1 << width).map(|values| Monomial::minterm(values, width)).collect();
    let minterms: Vec<Monomial> =
        minterms.into_iter().filter(|&minterm| !is_impossible(program, minterm)).collect();
    let mut writer = Writer::new(program, &minterms);
    writer.each(|writer, number, monomial, command| {
        for target in may_after(command, monomial.values, width) {
            if is_impossible(program, target) {
                continue;
            }
            let target = writer.number((command.target, target));
            writer.builder.edge(number, None, Mode::MAY, target);
        }
        for target in must_after(command, monomial.values, width) {
            let within = minterms.iter().filter(|&&minterm| target.covers(minterm));
            let within = within.map(|&minterm| writer.number((command.target, minterm)));
            let within = within.collect();
            writer.builder.hyper(number, within);
        }
    });
    writer.finish()
}

/// All monomials. What one may do is what a minterm under it may do; what it must do, by a command, is to get
/// into what all minterms under it must get into (X Def. 7).
pub fn monomials(program: &Abstracted) -> Expansion {
    let width = program.predicates.len();
    let all: Vec<Monomial> = Monomial::all(width).collect();
    let mut writer = Writer::new(program, &all);
    writer.each(|writer, number, monomial, command| {
        let under: Vec<u64> = (0..1 << writer.width())
            .filter(|&values| monomial.covers(Monomial::minterm(values, width)))
            .collect();
        for &minterm in &under {
            for target in may_after(command, minterm, width) {
                let target = writer.number((command.target, target));
                writer.builder.edge(number, None, Mode::MAY, target);
            }
        }
        for &target in &all {
            let gets_there =
                |&minterm: &u64| must_after(command, minterm, width).any(|to| target.covers(to));
            if under.iter().all(gets_there) {
                let target = writer.number((command.target, target));
                writer.builder.edge(number, None, Mode::MUST, target);
            }
        }
    });
    writer.finish()
}
