//! States with data: those that are reached, each for one valuation of the variables.

use super::Expander;
use crate::cursor::Name;
use crate::sink::{Parsed, Reported};
use crate::tm::ast::{
    Arrow, Body, Covers, Group, Init, Inits, Labels, Literal, State, Target, Update,
};
use crate::tm::term::Term;
use crate::tm::value::{Value, Values};
use logic::Truth;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use support::{Diagnostic, Span};

pub(super) struct Variable<'a> {
    pub name: Name<'a>,
    pub values: Values<'a>,
    /// The position of the first value; `None` for any.
    pub init: Option<u32>,
    pub is_input: bool,
    /// Whether a proposition has its name, and so its value.
    pub is_prop: bool,
}

/// The variables of a component.
pub(super) struct Data<'a> {
    /// Where they stand in the scope.
    pub start: usize,
    pub end: usize,
    pub variables: Vec<Variable<'a>>,
    pub known: FxHashMap<String, usize>,
}

/// By variable: the position of its value.
pub(super) type Valuation = Box<[u32]>;

/// A state for some values of the names that are bound in its own.
pub(super) struct Line<'b, 'a> {
    pub name: Name<'a>,
    pub state: &'b State<'a>,
    pub bound: Vec<(Cow<'a, str>, Value<'a>)>,
}

/// Called with an arrow and its action, while the names that it binds have values.
type OfArrow<'t, 'b, 'e, 'a> =
    &'t mut dyn FnMut(&mut Expander<'e, 'a>, &'b Group<'a>, Option<Name<'a>>) -> Parsed<()>;

/// A target of an arrow: a state, and what the variables are there.
struct Successor<'a> {
    state: Name<'a>,
    valuations: Vec<Valuation>,
}

impl<'a> Data<'a> {
    /// The size of a valuation, in names: it takes as much room.
    fn cost(&self) -> u32 {
        1 + self.variables.len() as u32 / 4
    }

    /// The name of a state with these values.
    fn name(&self, state: &Name<'a>, valuation: &[u32]) -> Name<'a> {
        let values = self.variables.iter().zip(valuation);
        let values: Vec<Value> = values.map(|(variable, &at)| variable.values.at(at)).collect();
        crate::tm::template::instance(state, &values)
    }

    /// All choices of values, one list of positions by variable.
    pub(super) fn choices(&self, by_variable: &[Option<u32>]) -> Vec<Valuation> {
        let mut all: Vec<Vec<u32>> = vec![Vec::new()];
        for (variable, given) in self.variables.iter().zip(by_variable) {
            let positions = match given {
                Some(position) => *position..position + 1,
                None => 0..variable.values.count() as u32,
            };
            let with = |row: &Vec<u32>, at: u32| row.iter().copied().chain([at]).collect();
            let longer = all.iter().flat_map(|row| positions.clone().map(move |at| with(row, at)));
            all = longer.collect();
        }
        all.into_iter().map(Vec::into_boxed_slice).collect()
    }
}

/// The states and valuations reached so far.
#[derive(Default)]
struct Reached {
    numbers: FxHashMap<(usize, Valuation), usize>,
    list: Vec<(usize, Valuation)>,
}

impl Reached {
    fn add(&mut self, line: usize, valuation: Valuation) {
        if !self.numbers.contains_key(&(line, valuation.clone())) {
            self.numbers.insert((line, valuation.clone()), self.list.len());
            self.list.push((line, valuation));
        }
    }
}

impl<'e, 'a> Expander<'e, 'a> {
    /// Adds to the body the states that are reached from the initial ones, and these.
    pub(super) fn reach(
        &mut self,
        body: &mut Body<'a>,
        data: &Data<'a>,
        lines: &[Line<'_, 'a>],
        init: Option<Init<'a>>,
        covers: &[Covers<'a>],
    ) -> Parsed<()> {
        let mut by_name: FxHashMap<&str, usize> = FxHashMap::default();
        for (number, line) in lines.iter().enumerate() {
            by_name.entry(&*line.name.text).or_insert(number);
        }
        let together = self.together(covers, &by_name, lines.len())?;
        let mut reached = Reached::default();
        body.init = self.start(data, &by_name, init, &mut reached)?;
        let mut next = 0;
        while let Some((number, valuation)) = reached.list.get(next).cloned() {
            next += 1;
            let line = &lines[number];
            self.spend_many(line.name.span, data.cost())?;
            let successors = self.successors(line, data, &valuation)?;
            for Successor { state, valuations } in successors {
                let target = self.line_of(&state, &by_name)?;
                valuations.into_iter().for_each(|valuation| reached.add(target, valuation));
            }
            for &with in &together[number] {
                reached.add(with, valuation.clone());
            }
        }
        for (line, valuation) in &reached.list {
            body.states.push(self.state(&lines[*line], data, valuation)?);
        }
        body.covers = covers_of(covers, data, &by_name, &reached);
        Ok(())
    }

    /// By line: the lines that stand with it in a line of `covers`.
    fn together(
        &mut self,
        covers: &[Covers<'a>],
        by_name: &FxHashMap<&str, usize>,
        count: usize,
    ) -> Parsed<Vec<Vec<usize>>> {
        let mut together = vec![Vec::new(); count];
        for line in covers {
            let state = self.line_of(&line.state, by_name)?;
            for covered in &line.covered {
                let covered = self.line_of(covered, by_name)?;
                together[state].push(covered);
                together[covered].push(state);
            }
        }
        Ok(together)
    }

    fn start(
        &mut self,
        data: &Data<'a>,
        by_name: &FxHashMap<&str, usize>,
        init: Option<Init<'a>>,
        reached: &mut Reached,
    ) -> Parsed<Option<Init<'a>>> {
        let Some(Init { keyword, inits: Inits::States(names) }) = init else { return Ok(init) };
        let given: Vec<Option<u32>> = data.variables.iter().map(|variable| variable.init).collect();
        self.refuse_too_many(data, &given, keyword)?;
        let valuations = data.choices(&given);
        let mut inits = Vec::new();
        for name in &names {
            let line = self.line_of(name, by_name)?;
            for valuation in &valuations {
                self.spend_many(name.span, data.cost())?;
                inits.push(data.name(name, valuation));
                reached.add(line, valuation.clone());
            }
        }
        Ok(Some(Init { keyword, inits: Inits::States(inits) }))
    }

    /// Refuses choices that are more than all names that may be made, before they are listed.
    pub(super) fn refuse_too_many(
        &mut self,
        data: &Data<'a>,
        given: &[Option<u32>],
        span: Span,
    ) -> Parsed<()> {
        let open = data.variables.iter().zip(given).filter(|(_, given)| given.is_none());
        let counts = open.map(|(variable, _)| variable.values.count());
        let product = counts.fold(u64::from(data.cost()), u64::saturating_mul);
        if product <= u64::from(self.left) {
            return Ok(());
        }
        Err(self.sink.error(|| {
            let message = "too many valuations of the variables";
            Diagnostic::error(message, span, "they would be listed here")
                .with_help("make the ranges smaller, or give variables a value")
        }))
    }

    fn line_of(&mut self, name: &Name<'a>, by_name: &FxHashMap<&str, usize>) -> Parsed<usize> {
        by_name.get(&*name.text).copied().ok_or_else(|| {
            self.sink.error(|| {
                let message = format!("unknown state `{}`", name.text);
                Diagnostic::error(message, name.span, "the component has no state of this name")
                    .with_help("each state needs a line of its own, even without arrows: `s: ;`")
                    .with_nearest(&name.text, by_name.keys().copied())
            })
        })
    }

    /// Gives the variables and the names that the line binds their values.
    pub(super) fn enter(&mut self, line: &Line<'_, 'a>, data: &Data<'a>, valuation: &[u32]) {
        self.scope.names.truncate(data.end);
        let places = self.scope.names[data.start..data.end].iter_mut();
        for ((place, variable), &at) in places.zip(&data.variables).zip(valuation) {
            place.1 = variable.values.at(at);
        }
        self.scope.names.extend(line.bound.iter().cloned());
    }

    /// The state of a line with these values.
    pub(super) fn state(
        &mut self,
        line: &Line<'_, 'a>,
        data: &Data<'a>,
        valuation: &[u32],
    ) -> Parsed<State<'a>> {
        self.enter(line, data, valuation);
        let labels = line.state.labels.as_ref().map(|labels| self.labels(labels));
        let mut labels = labels.transpose()?;
        for (variable, &at) in data.variables.iter().zip(valuation) {
            let (true, Value::Bool(value)) = (variable.is_prop, variable.values.at(at)) else {
                continue;
            };
            let none = || Labels { span: line.name.span, literals: Vec::new() };
            let literals = &mut labels.get_or_insert_with(none).literals;
            let (name, span) = (variable.name.clone(), variable.name.span);
            literals.push(Literal { name, value: Truth::from(value), span });
        }
        let mut groups = Vec::new();
        self.each_group(line, &mut |this, group, action| {
            let mut targets = Vec::new();
            for target in &group.targets {
                this.target(target, data, valuation, &mut targets)?;
            }
            let arrow = Arrow { action, ..group.arrow };
            groups.push(Group { arrow, targets });
            Ok(())
        })?;
        self.scope.names.truncate(data.end);
        Ok(State { name: data.name(&line.name, valuation), labels, groups })
    }

    /// The targets of all arrows of a state.
    fn successors(
        &mut self,
        line: &Line<'_, 'a>,
        data: &Data<'a>,
        valuation: &[u32],
    ) -> Parsed<Vec<Successor<'a>>> {
        self.enter(line, data, valuation);
        let mut all = Vec::new();
        self.each_group(line, &mut |this, group, _| {
            for target in &group.targets {
                let names = match target {
                    Target::State(name) => std::slice::from_ref(name),
                    Target::Set(names, _) => names,
                };
                for name in names {
                    this.updated(name, data, valuation, &mut all)?;
                }
            }
            Ok(())
        })?;
        self.scope.names.truncate(data.end);
        Ok(all)
    }

    /// Does something for each arrow that the values of the scope allow, with its action.
    fn each_group<'b>(&mut self, line: &Line<'b, 'a>, then: OfArrow<'_, 'b, 'e, 'a>) -> Parsed<()> {
        let notes = self.notes;
        for group in &line.state.groups {
            let guard = notes.get(&group.arrow.span.start).and_then(|note| note.guard.as_ref());
            match &group.arrow.action {
                Some(action) => self
                    .each_if(action, guard, &mut |this, action| then(this, group, Some(action)))?,
                None if self.holds(guard)? => then(self, group, None)?,
                None => {}
            }
        }
        Ok(())
    }

    fn target(
        &mut self,
        target: &Target<'a>,
        data: &Data<'a>,
        valuation: &[u32],
        targets: &mut Vec<Target<'a>>,
    ) -> Parsed<()> {
        let mut found = Vec::new();
        match target {
            Target::State(name) => {
                self.updated(name, data, valuation, &mut found)?;
                targets.extend(named(data, &found).map(Target::State));
            }
            Target::Set(names, span) => {
                for name in names {
                    self.updated(name, data, valuation, &mut found)?;
                }
                targets.push(Target::Set(named(data, &found).collect(), *span));
            }
        }
        Ok(())
    }

    /// Each state that a target stands for, with the values behind the arrow.
    fn updated(
        &mut self,
        target: &Name<'a>,
        data: &Data<'a>,
        valuation: &[u32],
        found: &mut Vec<Successor<'a>>,
    ) -> Parsed<()> {
        let notes = self.notes;
        let updates = notes.get(&target.span.start).map_or(&[][..], |note| &note.updates);
        self.each(target, &mut |this, state| {
            let kept = data.variables.iter().zip(valuation);
            let mut given: Vec<Option<u32>> =
                kept.map(|(variable, &at)| (!variable.is_input).then_some(at)).collect();
            let mut assigned: Vec<usize> = Vec::new();
            for update in updates {
                let (place, value) = this.update(update, data)?;
                if assigned.contains(&place) {
                    return Err(this.assigned_twice(&update.variable));
                }
                assigned.push(place);
                given[place] = value;
            }
            this.refuse_too_many(data, &given, target.span)?;
            let valuations = data.choices(&given);
            for _ in &valuations {
                this.spend_many(target.span, data.cost())?;
            }
            found.push(Successor { state, valuations });
            Ok(())
        })
    }

    /// Which variable, and the position of its new value; `None` for any.
    fn update(&mut self, update: &Update<'a>, data: &Data<'a>) -> Parsed<(usize, Option<u32>)> {
        let name = self.single(&update.variable)?;
        let Some(&place) = data.known.get(&*name.text) else {
            return Err(self.sink.error(|| {
                let message = format!("`{}` is no variable of the component", name.text);
                Diagnostic::error(message, name.span, "only variables change")
                    .with_help(format!("declare it: `var {} : 0..3 := 0;`", name.text))
                    .with_nearest(&name.text, data.known.keys().map(|name| &**name))
            }));
        };
        let variable = &data.variables[place];
        let value = update.value.as_ref();
        let value = value.map(|value| self.value_of(value, &variable.values, &name));
        Ok((place, value.transpose()?))
    }

    /// The position of a value that a variable is given.
    pub(super) fn value_of(
        &mut self,
        term: &Term<'a>,
        values: &Values<'a>,
        variable: &Name<'a>,
    ) -> Parsed<u32> {
        let value = self.scope.evaluate(term);
        let value = self.said(value)?;
        values.position(value).ok_or_else(|| {
            let given = self.scope.given(term);
            self.sink.error(|| {
                let message = format!("`{}` would be {value}{given}", variable.text);
                Diagnostic::error(message, term.span, format!("its values are {values}")).with_help(
                    match given.is_empty() {
                        true => "give it one of these values, or enlarge the range",
                        false => "put a condition before the arrow, or enlarge the range",
                    },
                )
            })
        })
    }

    fn assigned_twice(&mut self, name: &Name) -> Reported {
        self.sink.error(|| {
            let message = format!("`{}` is assigned twice", name.text);
            Diagnostic::error(message, name.span, "again here")
                .with_help("all updates of an arrow happen at once: take one of them out")
        })
    }
}

fn named<'s, 'a>(
    data: &'s Data<'a>,
    found: &'s [Successor<'a>],
) -> impl Iterator<Item = Name<'a>> + 's {
    found.iter().flat_map(|Successor { state, valuations }| {
        valuations.iter().map(|valuation| data.name(state, valuation))
    })
}

/// A state covers others with the same values.
fn covers_of<'a>(
    covers: &[Covers<'a>],
    data: &Data<'a>,
    by_name: &FxHashMap<&str, usize>,
    reached: &Reached,
) -> Vec<Covers<'a>> {
    let mut valuations: FxHashMap<usize, Vec<&Valuation>> = FxHashMap::default();
    for (line, valuation) in &reached.list {
        valuations.entry(*line).or_default().push(valuation);
    }
    let mut all = Vec::new();
    for line in covers {
        let number = by_name.get(&*line.state.text);
        for valuation in number.and_then(|number| valuations.get(number)).into_iter().flatten() {
            let covered = line.covered.iter().map(|name| data.name(name, valuation)).collect();
            all.push(Covers { state: data.name(&line.state, valuation), covered, ..*line });
        }
    }
    all
}
