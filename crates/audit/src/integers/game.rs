//! Conditions 6 and 7: the GKMTS that the game is played on.

use super::IntegerSubject;
use super::data::{ClaimedAbstraction, ClaimedPosition, ClaimedRanking};
use super::prover::Prover;
use crate::error::{AuditError, ensure};
use logic::{Fix, Formula, Node, PropId, Truth, VarId};
use model::{Kind, Mode, ModelBuilder, PartialModel};
use rustc_hash::FxHashMap;
use transition::integers::Proposition;

pub(crate) struct Game<'a> {
    pub model: PartialModel,
    /// As it is ranked.
    pub formula: Formula,
    numbers: Numbers<'a>,
    abstraction: &'a ClaimedAbstraction,
}

type Numbers<'a> = FxHashMap<&'a ClaimedPosition, u32>;

impl<'a> Game<'a> {
    pub fn new(
        subject: &IntegerSubject,
        formula: &Formula,
        abstraction: &'a ClaimedAbstraction,
        prover: &mut Prover,
    ) -> Result<Self, AuditError> {
        let mut builder = ModelBuilder::new(Kind::Gkmts, "program");
        let mut numbers = Numbers::default();
        for position in &abstraction.positions {
            let ClaimedPosition { state, classes } = position;
            let number = builder.state(format!("state {state}, classes {classes:?}"));
            let is_new = numbers.insert(position, number).is_none();
            ensure(is_new, format_args!("position {number} is there twice"))?;
        }
        add_labels(&mut builder, subject, formula, abstraction, prover)?;
        let classes = add_classes(&mut builder, subject.propositions.len(), abstraction)?;
        let formula = ranked(formula, &abstraction.rankings, &classes)?;
        for &state in &abstraction.initial {
            builder.init(number(&numbers, &beginning(abstraction, state))?);
        }
        add_steps(&mut builder, &numbers, abstraction)?;
        Ok(Self { model: builder.finish(), formula, numbers, abstraction })
    }

    /// The position of an initial state.
    pub fn beginning(&self, state: u32) -> Option<u32> {
        self.numbers.get(&beginning(self.abstraction, state)).copied()
    }
}

fn beginning(abstraction: &ClaimedAbstraction, state: u32) -> ClaimedPosition {
    ClaimedPosition { state, classes: vec![0; abstraction.rankings.len()] }
}

fn number(numbers: &Numbers, position: &ClaimedPosition) -> Result<u32, AuditError> {
    let ClaimedPosition { state, classes } = position;
    numbers.get(position).copied().ok_or_else(|| {
        let how = format_args!("state {state} can be reached by classes {classes:?}");
        AuditError::Invalid(format!("{how}, and is not there"))
    })
}

/// The formula with each of its fixpoints that has a ranking ranked.
fn ranked(
    formula: &Formula,
    rankings: &[ClaimedRanking],
    classes: &[Vec<PropId>],
) -> Result<Formula, AuditError> {
    let rankable = [Fix::Mu, Fix::Nu].map(|kind| formula.rankable(kind)).concat();
    let mut by: FxHashMap<VarId, &[PropId]> = FxHashMap::default();
    for (ranking, classes) in rankings.iter().zip(classes) {
        let var = VarId(ranking.var);
        let is_for_it = rankable.contains(&var) && by.insert(var, classes).is_none();
        ensure(is_for_it, "a ranking is for a fixpoint that cannot have it")?;
    }
    Ok(formula.ranked_by(&by))
}

/// Condition 6, for the propositions that the formula speaks of.
fn add_labels(
    builder: &mut ModelBuilder,
    subject: &IntegerSubject,
    formula: &Formula,
    abstraction: &ClaimedAbstraction,
    prover: &mut Prover,
) -> Result<(), AuditError> {
    let mut is_asked = vec![false; subject.propositions.len()];
    for (_, node) in formula.nodes() {
        if let Node::Lit(prop, _) = node {
            let is_asked = is_asked.get_mut(prop.0 as usize);
            *is_asked.ok_or_else(|| AuditError::invalid("a proposition means nothing"))? = true;
        }
    }
    for (number, (name, meaning)) in subject.propositions.iter().enumerate() {
        let prop = new_prop(builder, number, name)?;
        if !is_asked[number] {
            continue;
        }
        let values = values(meaning, abstraction, prover)?;
        for (number, position) in (0..).zip(&abstraction.positions) {
            builder.label(number, prop, values[position.state as usize]);
        }
    }
    Ok(())
}

fn new_prop(builder: &mut ModelBuilder, number: usize, name: &str) -> Result<PropId, AuditError> {
    let prop = builder.prop(name);
    ensure(prop.0 as usize == number, format_args!("there are two propositions `{name}`"))?;
    Ok(prop)
}

/// The values of a proposition by state.
fn values(
    meaning: &Proposition,
    abstraction: &ClaimedAbstraction,
    prover: &mut Prover,
) -> Result<Vec<Truth>, AuditError> {
    let wanted = match meaning {
        Proposition::At(locations) => {
            let states = abstraction.states.iter();
            return Ok(states.map(|state| locations.contains(&state.location).into()).collect());
        }
        Proposition::Holds(wanted) => wanted.clone(),
    };
    let mut value = |state| {
        let here = abstraction.literals(state);
        Ok(match prover.implies(&here, &wanted)? {
            true => Truth::True,
            false if prover.implies(&here, &wanted.negated())? => Truth::False,
            false => Truth::Unknown,
        })
    };
    (0..abstraction.states.len() as u32).map(&mut value).collect()
}

/// The propositions that tell classes, by ranking. They stand behind so many others.
fn add_classes(
    builder: &mut ModelBuilder,
    mut before: usize,
    abstraction: &ClaimedAbstraction,
) -> Result<Vec<Vec<PropId>>, AuditError> {
    let mut all = Vec::new();
    for (which, ranking) in abstraction.rankings.iter().enumerate() {
        let mut own = Vec::new();
        for class in 0..ranking.count() {
            let name = format!("class {class} of ranking {which}");
            own.push(new_prop(builder, before + class, &name)?);
        }
        before += own.len();
        for (number, position) in (0..).zip(&abstraction.positions) {
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
    abstraction: &ClaimedAbstraction,
) -> Result<(), AuditError> {
    let mut first_edge = 0;
    let mut first_edges = Vec::new();
    for own in &abstraction.transitions {
        first_edges.push(first_edge);
        first_edge += own.iter().map(|transition| transition.targets.len()).sum::<usize>();
    }
    for (source, &ClaimedPosition { state, .. }) in (0..).zip(&abstraction.positions) {
        let mut edge = first_edges[state as usize];
        for transition in &abstraction.transitions[state as usize] {
            let mut targets = FxHashMap::default();
            for &to in &transition.targets {
                let classes =
                    abstraction.rankings.iter().map(|ranking| ranking.classes[edge]).collect();
                let number = number(numbers, &ClaimedPosition { state: to, classes })?;
                builder.edge(source, None, Mode::MAY, number);
                targets.insert(to, number);
                edge += 1;
            }
            for must in &transition.musts {
                // They are targets, by condition 3.
                let states = must.states.iter().filter_map(|state| targets.get(state).copied());
                builder.hyper(source, states.collect());
            }
        }
    }
    Ok(())
}
