//! Conditions 6 and 7: the GKMTS that the game is played on.

use super::Subject;
use super::asker::Asker;
use super::data::Abstraction;
use crate::fault::Fault;
use arithmetic::Formula as Arithmetic;
use logic::{Formula, Node, PropId, Truth};
use model::{Kind, Mode, Model, ModelBuilder};
use predicates::Proposition;
use predicates::lower::condition;
use rustc_hash::FxHashMap;

pub(crate) struct Game {
    pub model: Model,
    /// As it is ranked.
    pub formula: Formula,
    numbers: FxHashMap<(u32, u32), u32>,
    last: u32,
}

impl Game {
    pub fn new(
        subject: &Subject,
        formula: &Formula,
        shown: &Abstraction,
        asker: &mut Asker,
    ) -> Result<Self, Fault> {
        let mut builder = ModelBuilder::new(Kind::Gkmts, "program");
        let mut numbers = FxHashMap::default();
        for &(state, class) in &shown.positions {
            let number = builder.state(format!("state {state}, class {class}"));
            if numbers.insert((state, class), number).is_some() {
                return Err(Fault::Invalid(format!("state {state} is there twice in one class")));
            }
        }
        add_labels(&mut builder, subject, formula, shown, asker)?;
        let classes = add_classes(&mut builder, subject.propositions.len(), shown)?;
        let formula = match shown.ranking.kind {
            Some(kind) => formula.ranked(&classes, kind),
            None => formula.clone(),
        };
        let last = shown.ranking.class(None);
        for &state in &shown.initial {
            builder.init(number(&numbers, state, last)?);
        }
        add_steps(&mut builder, &numbers, shown)?;
        Ok(Self { model: builder.finish(), formula, numbers, last })
    }

    /// The position of an initial state.
    pub fn beginning(&self, state: u32) -> u32 {
        self.numbers[&(state, self.last)]
    }
}

fn number(numbers: &FxHashMap<(u32, u32), u32>, state: u32, class: u32) -> Result<u32, Fault> {
    let missing = || format!("state {state} can be reached by class {class}, and is not there");
    numbers.get(&(state, class)).copied().ok_or_else(|| Fault::Invalid(missing()))
}

/// Condition 6, for the propositions that the formula speaks of.
fn add_labels(
    builder: &mut ModelBuilder,
    subject: &Subject,
    formula: &Formula,
    shown: &Abstraction,
    asker: &mut Asker,
) -> Result<(), Fault> {
    let mut is_asked = vec![false; subject.propositions.len()];
    for (_, node) in formula.nodes() {
        if let Node::Lit(prop, _) = node {
            match is_asked.get_mut(prop.0 as usize) {
                Some(is_asked) => *is_asked = true,
                None => return Err(Fault::Invalid("a proposition means nothing".to_owned())),
            }
        }
    }
    for (number, (name, meaning)) in subject.propositions.iter().enumerate() {
        let prop = new_prop(builder, number, name)?;
        if !is_asked[number] {
            continue;
        }
        let values = values(meaning, shown, asker)?;
        for (position, &(state, _)) in (0..).zip(&shown.positions) {
            builder.label(position, prop, values[state as usize]);
        }
    }
    Ok(())
}

fn new_prop(builder: &mut ModelBuilder, number: usize, name: &str) -> Result<PropId, Fault> {
    let prop = builder.prop(name);
    match prop.0 as usize == number {
        true => Ok(prop),
        false => Err(Fault::Invalid(format!("there are two propositions `{name}`"))),
    }
}

/// The values of a proposition by state.
fn values(
    meaning: &Proposition,
    shown: &Abstraction,
    asker: &mut Asker,
) -> Result<Vec<Truth>, Fault> {
    let wanted = match meaning {
        Proposition::At(places) => {
            let value = |state: &super::State| places.contains(&state.place).into();
            return Ok(shown.states.iter().map(value).collect());
        }
        Proposition::Holds(wanted) => condition(wanted)?,
    };
    (0..shown.states.len() as u32).map(|state| value(&wanted, shown, state, asker)).collect()
}

fn value(
    wanted: &Arithmetic,
    shown: &Abstraction,
    state: u32,
    asker: &mut Asker,
) -> Result<Truth, Fault> {
    let here = shown.literals(state);
    if asker.implies(&here, wanted)? {
        return Ok(Truth::True);
    }
    match asker.implies(&here, &wanted.negated())? {
        true => Ok(Truth::False),
        false => Ok(Truth::Unknown),
    }
}

/// They stand behind so many propositions.
fn add_classes(
    builder: &mut ModelBuilder,
    before: usize,
    shown: &Abstraction,
) -> Result<Vec<PropId>, Fault> {
    let classes = 0..=shown.ranking.class(None);
    let props = classes.zip(before..);
    let props = props.map(|(class, number)| new_prop(builder, number, &format!("class {class}")));
    let props = props.collect::<Result<Vec<PropId>, Fault>>()?;
    for (position, &(_, own)) in (0..).zip(&shown.positions) {
        for (class, &prop) in (0..).zip(&props) {
            builder.label(position, prop, (class == own).into());
        }
    }
    Ok(props)
}

fn add_steps(
    builder: &mut ModelBuilder,
    numbers: &FxHashMap<(u32, u32), u32>,
    shown: &Abstraction,
) -> Result<(), Fault> {
    for (source, &(state, _)) in (0..).zip(&shown.positions) {
        for arrow in &shown.arrows[state as usize] {
            let mut targets = FxHashMap::default();
            for target in &arrow.targets {
                let class = shown.ranking.class(target.level);
                let number = number(numbers, target.state, class)?;
                builder.edge(source, None, Mode::MAY, number);
                targets.insert(target.state, number);
            }
            for must in &arrow.musts {
                // They are targets, by condition 3.
                let states = must.states.iter().filter_map(|state| targets.get(state).copied());
                builder.hyper(source, states.collect());
            }
        }
    }
    Ok(())
}
