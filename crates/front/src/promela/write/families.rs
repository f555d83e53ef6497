//! Steps that differ only in the value of one variable, written as one: `x = x + 1`, `x != 3`.

use crate::promela::VarId;
use crate::promela::VarType;
use crate::promela::processes::ProcessStep;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A step to a class. What has been merged stands in words.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Choice {
    pub step: ProcessStep,
    pub guards: Vec<String>,
    pub effects: Vec<String>,
    pub target: u32,
}

/// A variable with all the values that it can have.
pub(super) struct Family<'a> {
    pub var: VarId,
    pub ty: VarType,
    pub name: &'a str,
    pub values: &'a BTreeSet<i32>,
}

/// The new value of the variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Change {
    Nothing,
    To(i32),
    By(i64),
}

impl Family<'_> {
    /// Merges choices into fewer ones that are equivalent.
    pub fn merged(&self, choices: Vec<Choice>) -> Vec<Choice> {
        let mut counts: FxHashMap<(Choice, Change), usize> = FxHashMap::default();
        for (rest, _, changes) in choices.iter().filter_map(|choice| self.without(choice)) {
            changes
                .iter()
                .for_each(|&change| *counts.entry((rest.clone(), change)).or_default() += 1);
        }
        let mut out: Vec<Choice> = Vec::new();
        let mut groups: Vec<(Choice, Change, BTreeSet<i32>)> = Vec::new();
        let mut numbers: FxHashMap<(Choice, Change), usize> = FxHashMap::default();
        for choice in choices {
            let Some((rest, before, changes)) = self.without(&choice) else {
                out.push(choice);
                continue;
            };
            let count = |change: &Change| counts[&(rest.clone(), *change)];
            let change = changes.iter().copied().max_by_key(count).unwrap_or(Change::Nothing);
            if count(&change) == 1 {
                out.push(choice);
                continue;
            }
            let number = *numbers.entry((rest.clone(), change)).or_insert_with(|| {
                groups.push((rest, change, BTreeSet::new()));
                groups.len() - 1
            });
            groups[number].2.insert(before);
        }
        out.extend(
            groups.into_iter().map(|(rest, change, values)| self.choice(rest, change, &values)),
        );
        out
    }

    /// The choice without the variable, if that is read; the value that it is read as; what becomes of it.
    fn without(&self, choice: &Choice) -> Option<(Choice, i32, Vec<Change>)> {
        let mut rest = choice.clone();
        let used = rest.step.vars.remove(&self.var)?;
        let before = used.before?;
        let changes = match used.after {
            None => vec![Change::Nothing],
            Some(after) if self.counts() => {
                vec![Change::To(after), Change::By(self.distance(before, after))]
            }
            Some(after) => vec![Change::To(after)],
        };
        Some((rest, before, changes))
    }

    fn counts(&self) -> bool {
        !matches!(self.ty, VarType::Bit | VarType::Bool | VarType::Mtype)
    }

    /// The increment, as the smaller of the two modulo the size.
    fn distance(&self, before: i32, after: i32) -> i64 {
        let (least, most) = self.ty.range();
        let size = i64::from(most) - i64::from(least) + 1;
        let up = (i64::from(after) - i64::from(before)).rem_euclid(size);
        if up > size / 2 { up - size } else { up }
    }

    fn choice(&self, mut rest: Choice, change: Change, values: &BTreeSet<i32>) -> Choice {
        let name = self.name;
        let others: Vec<String> =
            self.values.difference(values).map(|value| format!("{name} != {value}")).collect();
        if others.len() < values.len() {
            rest.guards.extend(others);
        } else {
            let these: Vec<String> =
                values.iter().map(|value| format!("{name} == {value}")).collect();
            rest.guards.push(format!("({})", these.join(" || ")));
        }
        match change {
            Change::Nothing => {}
            Change::To(value) => rest.effects.push(format!("{name} = {value}")),
            Change::By(0) => rest.effects.push(format!("{name} = {name}")),
            Change::By(more) if more < 0 => {
                rest.effects.push(format!("{name} = {name} - {}", -more))
            }
            Change::By(more) => rest.effects.push(format!("{name} = {name} + {more}")),
        }
        rest
    }
}
