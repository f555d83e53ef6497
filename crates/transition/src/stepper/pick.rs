//! Choices whose expressions have been computed: what is drawn from them.

use super::fault::RuntimeErrorKind;
use super::tape::{Slot, Values};

pub(super) type PickId = u32;

#[derive(Clone, Debug)]
pub(super) enum Pick {
    One(Slot),
    Range(i64, i64),
    Any(Vec<PickId>),
    If(Slot, PickId, PickId),
}

#[derive(Clone, Default, Debug)]
pub(super) struct Picks(Vec<Pick>);

impl Picks {
    pub fn add(&mut self, pick: Pick) -> PickId {
        self.0.push(pick);
        self.0.len() as PickId - 1
    }

    /// Appends the values that can be drawn, all different.
    pub fn draw(
        &self,
        mut root: PickId,
        values: &Values,
        into: &mut Vec<i64>,
    ) -> Result<(), RuntimeErrorKind> {
        let get = |slot: Slot| values.get(slot).map_err(RuntimeErrorKind::FailureSite);
        // Mostly one way leads to one value.
        while let Pick::If(condition, then, otherwise) = self.0[root as usize] {
            root = if get(condition)? != 0 { then } else { otherwise };
        }
        if let Pick::One(slot) = self.0[root as usize] {
            into.push(get(slot)?);
            return Ok(());
        }
        let start = into.len();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            match &self.0[id as usize] {
                Pick::One(slot) => into.push(get(*slot)?),
                Pick::Range(low, high) => into.extend(*low..=*high),
                Pick::Any(parts) => open.extend(parts.iter().rev()),
                Pick::If(condition, then, otherwise) => {
                    open.push(if get(*condition)? != 0 { *then } else { *otherwise });
                }
            }
        }
        leave_different(into, start);
        Ok(())
    }
}

/// Sorts what stands from `start` on and leaves each value once.
fn leave_different(values: &mut Vec<i64>, start: usize) {
    values[start..].sort_unstable();
    let mut kept = start;
    for index in start..values.len() {
        if kept == start || values[index] != values[kept - 1] {
            values[kept] = values[index];
            kept += 1;
        }
    }
    values.truncate(kept);
}
