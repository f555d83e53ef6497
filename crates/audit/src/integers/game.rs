//! Conditions 6 and 7: the GKMTS that the game is played on.

use super::Subject;
use super::asker::Asker;
use super::data::{Abstraction, Position, Ranking};
use crate::fault::Fault;
use logic::{Fix, Formula, Node, PropId, Truth, VarId};
use model::{Kind, Mode, Model, ModelBuilder};
use rustc_hash::FxHashMap;
use smt::Formula as Arithmetic;
use transition::integers::Proposition;

pub(crate) struct Game<'a> {
    pub model: Model,
    /// As it is ranked.
    pub formula: Formula,
    numbers: Numbers<'a>,
    shown: &'a Abstraction,
}

type Numbers<'a> = FxHashMap<&'a Position, u32>;

impl<'a> Game<'a> {
    pub fn new(
        subject: &Subject,
        formula: &Formula,
        shown: &'a Abstraction,
        asker: &mut Asker,
    ) -> Result<Self, Fault> {
        let mut builder = ModelBuilder::new(Kind::Gkmts, "program");
        let mut numbers = Numbers::default();
        for position in &shown.positions {
            let Position { state, classes } = position;
            let number = builder.state(format!("state {state}, classes {classes:?}"));
            if numbers.insert(position, number).is_some() {
                return Err(Fault::Invalid(format!("position {number} is there twice")));
            }
        }
        add_labels(&mut builder, subject, formula, shown, asker)?;
        let classes = add_classes(&mut builder, subject.propositions.len(), shown)?;
        let formula = ranked(formula, &shown.rankings, &classes)?;
        for &state in &shown.initial {
            builder.init(number(&numbers, &beginning(shown, state))?);
        }
        add_steps(&mut builder, &numbers, shown)?;
        Ok(Self { model: builder.finish(), formula, numbers, shown })
    }

    /// The position of an initial state.
    pub fn beginning(&self, state: u32) -> Option<u32> {
        self.numbers.get(&beginning(self.shown, state)).copied()
    }
}

fn beginning(shown: &Abstraction, state: u32) -> Position {
    Position { state, classes: vec![0; shown.rankings.len()] }
}

fn number(numbers: &Numbers, position: &Position) -> Result<u32, Fault> {
    let Position { state, classes } = position;
    let missing =
        || format!("state {state} can be reached by classes {classes:?}, and is not there");
    numbers.get(position).copied().ok_or_else(|| Fault::Invalid(missing()))
}

/// The formula with each of its fixpoints that has a ranking ranked.
fn ranked(
    formula: &Formula,
    rankings: &[Ranking],
    classes: &[Vec<PropId>],
) -> Result<Formula, Fault> {
    let rankable = [Fix::Mu, Fix::Nu].map(|kind| formula.rankable(kind)).concat();
    let mut by: FxHashMap<VarId, &[PropId]> = FxHashMap::default();
    for (ranking, classes) in rankings.iter().zip(classes) {
        let var = VarId(ranking.var);
        if !rankable.contains(&var) || by.insert(var, classes).is_some() {
            let problem = "a ranking is for a fixpoint that cannot have it";
            return Err(Fault::Invalid(problem.to_owned()));
        }
    }
    Ok(formula.ranked_by(&by))
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
        for (number, position) in (0..).zip(&shown.positions) {
            builder.label(number, prop, values[position.state as usize]);
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
        Proposition::Holds(wanted) => wanted.clone(),
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

/// The propositions that tell classes, by ranking. They stand behind so many others.
fn add_classes(
    builder: &mut ModelBuilder,
    mut before: usize,
    shown: &Abstraction,
) -> Result<Vec<Vec<PropId>>, Fault> {
    let mut all = Vec::new();
    for (which, ranking) in shown.rankings.iter().enumerate() {
        let mut own = Vec::new();
        for class in 0..ranking.count() {
            let name = format!("class {class} of ranking {which}");
            own.push(new_prop(builder, before + class, &name)?);
        }
        before += own.len();
        for (number, position) in (0..).zip(&shown.positions) {
            for (class, &prop) in (0..).zip(&own) {
                builder.label(number, prop, (class == position.classes[which]).into());
            }
        }
        all.push(own);
    }
    Ok(all)
}

fn add_steps(
    builder: &mut ModelBuilder,
    numbers: &Numbers,
    shown: &Abstraction,
) -> Result<(), Fault> {
    let mut first_edge = 0;
    let mut first_edges = Vec::new();
    for own in &shown.arrows {
        first_edges.push(first_edge);
        first_edge += own.iter().map(|arrow| arrow.targets.len()).sum::<usize>();
    }
    for (source, &Position { state, .. }) in (0..).zip(&shown.positions) {
        let mut edge = first_edges[state as usize];
        for arrow in &shown.arrows[state as usize] {
            let mut targets = FxHashMap::default();
            for &to in &arrow.targets {
                let classes = shown.rankings.iter().map(|ranking| ranking.classes[edge]).collect();
                let number = number(numbers, &Position { state: to, classes })?;
                builder.edge(source, None, Mode::MAY, number);
                targets.insert(to, number);
                edge += 1;
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
