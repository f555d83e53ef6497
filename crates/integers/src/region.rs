//! The states that can be reached, with their steps: a GKMTS that the program refines.

use crate::successors::{Arrow, Successors};
use crate::views::Views;
use arithmetic::{Excess, Formula};
use base::{Monitor, StopReason, Stopped};
use logic::{PropId, Truth};
use model::{Kind, Mode, Model, ModelBuilder};
use predicates::Proposition;
use predicates::lower::{Move, condition};
use rustc_hash::FxHashMap;

/// A state of the abstraction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub place: u32,
    /// The values of the atoms at the place.
    pub bits: u64,
    /// Of the step that has led here.
    pub class: u8,
}

/// Why there is no abstraction, or not all of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Hindrance {
    Stopped(Stopped),
    /// A number or a case too many.
    Excess(Excess),
}

impl From<Stopped> for Hindrance {
    fn from(stopped: Stopped) -> Self {
        Hindrance::Stopped(stopped)
    }
}

impl From<Excess> for Hindrance {
    fn from(excess: Excess) -> Self {
        Hindrance::Excess(excess)
    }
}

/// A part of a program that was abstracted.
pub struct Region {
    pub states: Vec<State>,
    pub(crate) arrows: Vec<Vec<Arrow>>,
    pub model: Model,
    /// The propositions that tell the class of the last step, from the first class on.
    pub classes: Vec<PropId>,
}

/// What is asked of a program.
pub(crate) struct Subject<'a> {
    pub moves: &'a [Move],
    pub start: (u32, Formula),
    pub propositions: &'a [(String, Proposition)],
}

/// More states than this are not looked at.
const MOST_STATES: usize = 200_000;

pub(crate) fn explore(
    subject: &Subject,
    views: &Views,
    successors: &mut Successors,
    monitor: &Monitor,
) -> Result<Region, Hindrance> {
    let mut explorer = Explorer { states: Vec::new(), numbers: FxHashMap::default() };
    let classes = 2 * successors.measures.len() + 1;
    let (place, begins) = &subject.start;
    let atoms: Vec<Formula> = views.at(*place).map(|atom| Formula::atom(atom.clone())).collect();
    let first = successors.valuations(std::slice::from_ref(begins), &atoms).ok_or(Excess::Cases)?;
    let class = classes as u8 - 1;
    for &bits in &first {
        explorer.number(State { place: *place, bits, class });
    }
    let init = explorer.states.len();
    let mut arrows: Vec<Vec<Arrow>> = Vec::new();
    while let Some(&state) = explorer.states.get(arrows.len()) {
        monitor.step(1)?;
        if explorer.states.len() > MOST_STATES {
            return Err(Hindrance::Stopped(Stopped(StopReason::Size)));
        }
        let mut own = Vec::new();
        for (step, taken) in (0..).zip(subject.moves) {
            if taken.source == state.place {
                own.extend(successors.arrow(views, step, state.bits)?);
            }
        }
        for arrow in &own {
            let place = subject.moves[arrow.step as usize].target;
            for &bits in &arrow.targets {
                explorer.number(State { place, bits, class: arrow.class });
            }
        }
        arrows.push(own);
    }
    let Explorer { states, numbers } = explorer;
    let mut builder = ModelBuilder::new(Kind::Gkmts, "program");
    (0..states.len()).for_each(|number| _ = builder.state(number.to_string()));
    (0..init as u32).for_each(|state| builder.init(state));
    let mut drawing = Drawing { subject, states: &states, numbers: &numbers, builder };
    drawing.add_labels(views, successors)?;
    let classes = drawing.add_classes(classes);
    drawing.add_steps(&arrows);
    let model = drawing.builder.finish();
    Ok(Region { states, arrows, model, classes })
}

struct Explorer {
    states: Vec<State>,
    numbers: FxHashMap<State, u32>,
}

impl Explorer {
    fn number(&mut self, state: State) -> u32 {
        let next = self.states.len() as u32;
        let number = *self.numbers.entry(state).or_insert(next);
        if number == next {
            self.states.push(state);
        }
        number
    }
}

/// A region on its way to a model.
struct Drawing<'r, 'a> {
    subject: &'r Subject<'a>,
    states: &'r [State],
    numbers: &'r FxHashMap<State, u32>,
    builder: ModelBuilder,
}

impl Drawing<'_, '_> {
    fn add_labels(&mut self, views: &Views, successors: &mut Successors) -> Result<(), Excess> {
        for (name, meaning) in self.subject.propositions {
            let prop = self.builder.prop(name);
            for (number, state) in (0..).zip(self.states) {
                let value = match meaning {
                    Proposition::At(places) => places.contains(&state.place).into(),
                    Proposition::Holds(wanted) => {
                        let wanted = condition(wanted)?;
                        let known = successors.holds(views, state.place, state.bits, &wanted);
                        known.map_or(Truth::Unknown, Truth::from)
                    }
                };
                self.builder.label(number, prop, value);
            }
        }
        Ok(())
    }

    fn add_classes(&mut self, classes: usize) -> Vec<PropId> {
        let props: Vec<PropId> =
            (0..classes).map(|class| self.builder.prop(&format!("class {class}"))).collect();
        for (number, state) in (0..).zip(self.states) {
            for (class, &prop) in props.iter().enumerate() {
                self.builder.label(number, prop, (class == state.class as usize).into());
            }
        }
        props
    }

    fn add_steps(&mut self, arrows: &[Vec<Arrow>]) {
        for (source, arrow) in
            (0..).zip(arrows).flat_map(|(s, own)| own.iter().map(move |a| (s, a)))
        {
            let place = self.subject.moves[arrow.step as usize].target;
            let target = |&bits: &u64| self.numbers[&State { place, bits, class: arrow.class }];
            for bits in &arrow.targets {
                self.builder.edge(source, None, Mode::MAY, target(bits));
            }
            for must in &arrow.musts {
                self.builder.hyper(source, must.iter().map(target).collect());
            }
        }
    }
}
