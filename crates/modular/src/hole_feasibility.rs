//! Whether a program satisfies the assumption about a hole, from every entry that the assumption allows.

use crate::evaluator::Evaluator;
use crate::sets::ValuationSets;
use support::Stopped;
use transition::cfg::{Assumed, Cfg, CfgTarget, CommandKind, HoleId, LocationId, Program};

/// A hole that no program can fill as is assumed of it. Only to end can be too much: to go on for ever in a state is
/// to keep whatever holds there.
pub fn impossible<S: ValuationSets>(
    program: &Program,
    assumed: &[Assumed],
    evaluator: &mut Evaluator<S>,
) -> Result<Option<HoleId>, Stopped> {
    for (command, written) in program.commands.iter() {
        let CommandKind::Hole { hole, .. } = &written.kind else { continue };
        let Some(own) = assumed.iter().find(|own| own.hole == *hole && own.ends) else { continue };
        let cfg = Cfg::of(program, assumed, &[command]);
        if !can_end(&cfg, own, evaluator)? {
            return Ok(Some(*hole));
        }
    }
    Ok(None)
}

/// Whether every state in which it may be entered has a way to an end.
fn can_end<S: ValuationSets>(
    cfg: &Cfg,
    own: &Assumed,
    evaluator: &mut Evaluator<S>,
) -> Result<bool, Stopped> {
    let inside = evaluator.sets.holds(own.inside)?;
    let ends = |location: &transition::cfg::Location| {
        location.in_hole.as_ref().is_some_and(|in_hole| in_hole.ends)
    };
    let Some((kept, _)) = cfg.locations.iter().find(|(_, location)| ends(location)) else {
        return Ok(true);
    };
    let mut from_kept = evaluator.sets.none();
    loop {
        let grown = leading_out(cfg, kept, kept, &from_kept, evaluator)?;
        if grown == from_kept {
            break;
        }
        from_kept = grown;
    }
    let from_entry = leading_out(cfg, cfg.entry, kept, &from_kept, evaluator)?;
    let cannot_end = evaluator.sets.minus(&inside, &from_entry)?;
    Ok(evaluator.sets.is_empty(&cannot_end))
}

/// The states of a location from which some step ends the hole, or leads to where it can be ended from.
fn leading_out<S: ValuationSets>(
    cfg: &Cfg,
    location: LocationId,
    kept: LocationId,
    from_kept: &S::Set,
    evaluator: &mut Evaluator<S>,
) -> Result<S::Set, Stopped> {
    let mut found = evaluator.sets.none();
    for edge in &cfg.locations[location].edges {
        let target = match edge.to {
            CfgTarget::Exit(_) => evaluator.sets.all(),
            CfgTarget::Inside(to) if to == kept => from_kept.clone(),
            CfgTarget::Inside(_) | CfgTarget::Error => continue,
        };
        let step = evaluator.sets.step(edge)?;
        let all = evaluator.sets.all();
        let more = evaluator.sets.before(&step, &target, &all)?;
        found = evaluator.sets.or(&found, &more)?;
    }
    Ok(found)
}
