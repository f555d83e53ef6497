//! Claims that are proved of parts of the system. The conditions stand at the head of the crate.

use super::{Known, conclude};
use crate::error::{AuditError, ensure};
use crate::format::{AfterDeadlock, COMPONENT, Claim, END, PRODUCT};
use crate::proof::{Audited, go_through};
use crate::read::Reader;
use fixedbitset::FixedBitSet;
use logic::{ActionSet, Formula};
use model::{Blocks, Component, Interface, JointRegion, Kind, Lifting, Regions, System, lift};
use std::io::Read;
use support::Monitor;

/// More initial states than this are not distinguished one by one.
pub const MAX_INITIAL: usize = 1 << 16;

/// A part that has been gone through.
struct ProvedPart {
    components: Vec<usize>,
    /// How many states the certificate has named; what follows these has higher numbers.
    given: usize,
    /// The states of a product; those of a component are their own numbers.
    region: Option<JointRegion>,
    /// By subformula: the states in which it is proved.
    sets: Vec<FixedBitSet>,
}

impl ProvedPart {
    fn tuple(&self, state: u32) -> Vec<u32> {
        self.region.as_ref().map_or(vec![state], |region| region.tuple(state).to_vec())
    }

    fn find(&self, tuple: &[u32]) -> Option<u32> {
        self.region.as_ref().map_or(tuple.first().copied(), |region| region.find(tuple))
    }
}

pub(crate) fn audit<R: Read>(
    system: &System,
    formula: &Formula,
    claim: &Claim,
    reader: &mut Reader<R>,
    monitor: &Monitor,
) -> Result<Audited, AuditError> {
    let is_plain = |kind| matches!(kind, Kind::Kripke | Kind::Kmts | Kind::Lts | Kind::Mts);
    let are_plain = system.components.iter().all(|part| is_plain(part.model.kind));
    ensure(are_plain, "compositional proofs do not support such components")?;
    let blocks = read_blocks(system, reader)?;
    // Condition 6.
    let abstracted = system.quotient(&blocks).map_err(|(component, fault)| {
        let name = &system.components[component].model.name;
        AuditError::invalid(format_args!("component `{name}`: {fault}"))
    })?;
    let asked: Vec<ActionSet> = formula.action_sets().values().cloned().collect();
    let regions = Regions {
        system: &abstracted,
        interface: &Interface::new(&abstracted),
        asked: &asked,
        stutter: claim.deadlock == AfterDeadlock::Stutters,
        monitor,
    };
    let mut parts: Vec<ProvedPart> = Vec::new();
    let mut total = Audited::default();
    loop {
        let (proved, audited) = match reader.number()? {
            END => break,
            COMPONENT => {
                let component = reader.below(blocks.len(), "a component that is not there")?;
                if parts.iter().any(|part| part.components == [component as usize]) {
                    return Err(reader.malformed("a component that was shown already"));
                }
                prove_component(&regions, formula, claim, component as usize, reader)
            }
            PRODUCT => prove_product(&regions, formula, claim, &parts, reader),
            _ => return Err(reader.malformed("no part of a kind that is known")),
        }
        .map_err(|error| match error {
            AuditError::Invalid(problem) => {
                AuditError::Invalid(format!("part {}: {problem}", parts.len()))
            }
            other => other,
        })?;
        total.steps += audited.steps;
        total.positions += audited.positions;
        parts.push(proved);
    }
    let Some(initial) = system.initial_tuples(MAX_INITIAL, monitor)? else {
        let problem = "the system has too many initial states to go through them";
        return Err(AuditError::invalid(problem));
    };
    let root = formula.representative(formula.root()).0 as usize;
    let is_proved = |tuple: &[u32]| {
        let of = |component: usize| match &blocks[component] {
            Some(blocks) => blocks.of[tuple[component] as usize],
            None => tuple[component],
        };
        parts.iter().any(|part| {
            let own: Vec<u32> = part.components.iter().map(|&component| of(component)).collect();
            let state = part.find(&own);
            state.is_some_and(|state| part.sets[root].contains(state as usize))
        })
    };
    let name = |tuple: &[u32]| {
        let members = system.components.iter().zip(tuple);
        members.map(|(part, &s)| part.model.state_name(s)).collect::<Vec<_>>().join(",")
    };
    let initial = initial.into_iter().map(|tuple| {
        let (is_proved, name) = (is_proved(&tuple), name(&tuple));
        (tuple, is_proved, name)
    });
    conclude(system, claim, initial)?;
    Ok(total)
}

fn read_blocks<R: Read>(
    system: &System,
    reader: &mut Reader<R>,
) -> Result<Vec<Option<Blocks>>, AuditError> {
    let mut read = |part: &Component| {
        let states = part.model.states();
        let count = reader.below(states + 1, "more blocks than there are states")?;
        if count == 0 {
            return Ok(None);
        }
        let mut block = || reader.below(count as usize + 1, "a block that is not there");
        let of: Result<Vec<u32>, AuditError> =
            (0..states).map(|_| Ok(block()?.wrapping_sub(1))).collect();
        Ok(Some(Blocks { of: of?, count }))
    };
    system.components.iter().map(&mut read).collect()
}

fn prove_component<R: Read>(
    regions: &Regions,
    formula: &Formula,
    claim: &Claim,
    component: usize,
    reader: &mut Reader<R>,
) -> Result<(ProvedPart, Audited), AuditError> {
    let Regions { system, interface, asked, stutter, monitor } = *regions;
    let lifted = lift(system, interface, component, asked, Lifting::Summaries, stutter);
    let states = lifted.model.states();
    let mut known = Known::new(&lifted.model, states, formula, claim.verdict);
    let audited = go_through(&mut known, formula, claim.verdict, reader, monitor)?;
    let (components, given) = (vec![component], lifted.model.states());
    Ok((ProvedPart { components, given, region: None, sets: known.into_sets() }, audited))
}

/// Condition 7.
fn prove_product<R: Read>(
    regions: &Regions,
    formula: &Formula,
    claim: &Claim,
    parts: &[ProvedPart],
    reader: &mut Reader<R>,
) -> Result<(ProvedPart, Audited), AuditError> {
    let mut earlier = || reader.below(parts.len(), "a part that does not stand before");
    let [left, right] = [earlier()?, earlier()?].map(|number| &parts[number as usize]);
    let is_twice = left.components.iter().any(|component| right.components.contains(component));
    ensure(!is_twice, "a component is combined with itself")?;
    let pairs = reader.below(u32::MAX as usize, "too many states")?;
    let mut tuples = Vec::new();
    for _ in 0..pairs {
        for part in [left, right] {
            let state = reader.below(part.given, "a state that the part does not have")?;
            tuples.extend(part.tuple(state));
        }
    }
    let components = [&left.components[..], &right.components].concat();
    let region = regions.region(&components, &tuples)?;
    ensure(region.given == pairs, "a state is named twice")?;
    let mut known = Known::new(&region.model, pairs as usize, formula, claim.verdict);
    let width = left.components.len();
    known.take_over(&left.sets, |state| left.find(&region.tuple(state)[..width]));
    known.take_over(&right.sets, |state| right.find(&region.tuple(state)[width..]));
    let audited = go_through(&mut known, formula, claim.verdict, reader, regions.monitor)?;
    let sets = known.into_sets();
    Ok((ProvedPart { components, given: pairs as usize, region: Some(region), sets }, audited))
}
