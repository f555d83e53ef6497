//! Nested loops continue from their last result (M §5.2: "keeping information from previous calculations"). Every pass
//! of the outer loop checks the inner one again, under an assumption that has only grown.
//!
//! *Why it is right.* Untils are least fixpoints, monotone in the assumption. So the least fixpoint under the smaller
//! assumption is below the new one; an iteration that starts below the least fixpoint only adds, and where it adds
//! nothing it has reached a fixpoint, which is then the least.

use crate::assumption::Assumption;
use crate::check_graph::GraphChecker;
use crate::sets::ValuationSets;
use crate::store::RecordKey;
use support::Stopped;
use transition::cfg::GraphId;

/// The body of a loop, and the number of its first node.
type Body = (GraphId, u64);

impl<S: ValuationSets> GraphChecker<'_, S> {
    /// Gives the untils of a level at the beginning of a loop's body: what came out the last time if that can be used,
    /// nothing otherwise.
    pub(crate) fn begin(
        &mut self,
        body: Body,
        exit: &Assumption<S::Set>,
        at: &Assumption<S::Set>,
        level: usize,
        inside: &mut Assumption<S::Set>,
    ) -> Result<(), Stopped> {
        let closure = self.request().closure;
        let ids = &closure.levels[level];
        for &id in ids {
            inside.set(id, self.evaluator.sets.none());
        }
        let Some(key) = self.key_of_loop(body, exit, at, level) else { return Ok(()) };
        let is_ours = self.context.log.is_none_or(|log| log.is_recorded(key));
        let Some(record) = self.request().store.get(key).filter(|_| is_ours) else { return Ok(()) };
        let mut rest = &record[..];
        let [mut before, mut came_out] = [(); 2].map(|()| Assumption::unknown(Vec::new(), closure));
        let is_complete = before.read_next(ids, &mut rest, &mut self.evaluator.sets)?
            && came_out.read(ids, rest, &mut self.evaluator.sets)?;
        if is_complete && before.is_within(exit, ids, &mut self.evaluator.sets)? {
            for &id in ids.iter().filter(|&&id| closure.temporals[id].is_until()) {
                let set = came_out.get(id).cloned().unwrap_or_else(|| self.evaluator.sets.none());
                inside.set(id, set);
            }
        }
        Ok(())
    }

    /// Keeps what came out for the next time.
    pub(crate) fn keep(
        &mut self,
        body: Body,
        exit: &Assumption<S::Set>,
        at: &Assumption<S::Set>,
        level: usize,
        inside: &Assumption<S::Set>,
    ) {
        let Some(key) = self.key_of_loop(body, exit, at, level) else { return };
        let ids = &self.request().closure.levels[level];
        let mut record = exit.write(ids, &self.evaluator.sets);
        record.extend(inside.write(ids, &self.evaluator.sets));
        self.request().store.put(key, &record);
        if let Some(log) = self.context.log {
            log.note(key);
        }
    }

    /// The key of a loop: all formulas of lower levels, and labels. A loop that no other encloses has none: it is
    /// entered once.
    fn key_of_loop(
        &self,
        (body, place): Body,
        exit: &Assumption<S::Set>,
        at: &Assumption<S::Set>,
        level: usize,
    ) -> Option<RecordKey> {
        if !self.is_within_another() {
            return None;
        }
        let closure = self.request().closure;
        let lower = |assumption: &Assumption<S::Set>| match level {
            0 => Assumption::unknown(assumption.labels.clone(), closure),
            _ => assumption.up_to(level - 1, closure),
        };
        let digests = [exit, at].map(|one| lower(one).digest(level, closure, &self.evaluator.sets));
        let place = if self.context.log.is_some() { place } else { 0 };
        let loop_at = [u128::MAX - 1, u128::from(body.0), u128::from(place), level as u128];
        Some(RecordKey::joined([self.request().question].into_iter().chain(loop_at).chain(digests)))
    }
}
