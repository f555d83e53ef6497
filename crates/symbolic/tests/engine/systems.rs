//! Random systems of partial models and random formulas, against the reference semantics.

use logic::{Formula, Truth};
use model::{Kind, PartialModel, System};
use std::cell::Cell;
use std::thread;
use std::time::Duration;
use support::{Monitor, StopReason, Stopped};
use symbolic::{ComposedSystem, Policy, Stop, UnfitSystem};
use testkit::reference::evaluate;
use testkit::{Case, Rng, for_seeds, model_text, system_question};

/// The verdict by definition: of the initial states of a missing part an implementation has some.
fn expected(system: &System, composition: &PartialModel, formula: &Formula) -> Truth {
    let values = evaluate(composition, formula);
    let value = |state: u32| values.truth(formula.root(), state).expect("no contradiction");
    let missing = |state: u32| -> Vec<u32> {
        let members = composition.members(state);
        let parts = members.iter().zip(&system.components);
        parts.filter(|(_, part)| part.is_unknown).map(|(&member, _)| member).collect()
    };
    let init = composition.init();
    if init.iter().all(|&state| value(state) == Truth::True) {
        return Truth::True;
    }
    let falsified = |&state: &u32| {
        let same = init.iter().filter(|&&other| missing(other) == missing(state));
        same.clone().any(|&other| value(other) == Truth::False)
    };
    if init.iter().all(falsified) { Truth::False } else { Truth::Unknown }
}

/// A system, and its composition with deadlocks as it is asked.
pub struct Question {
    pub system: System,
    composition: PartialModel,
    pub formula: Formula,
    pub stutters: bool,
}

impl Question {
    pub fn random(rng: &mut Rng, case: &mut Case) -> Option<Self> {
        let (system, composition, formula) = system_question(rng, case, 14)?;
        let stutters = rng.chance(0.3);
        case.note(format!("// stutters: {stutters}"));
        Some(Self { system, composition, formula, stutters })
    }

    /// Asks the question about another system, if its components can start together.
    pub fn of_another(&self, system: System) -> Option<Self> {
        let composition = system.compose(&Monitor::new()).ok()?;
        Some(Self { system, composition, formula: self.formula.clone(), stutters: self.stutters })
    }

    pub fn expected(&self) -> Truth {
        expected(&self.system, &self.deadlock_composition(), &self.formula)
    }

    /// The composition, with deadlocks as they are asked for.
    pub fn deadlock_composition(&self) -> PartialModel {
        let composition = self.composition.clone();
        if self.stutters { composition.stuttering() } else { composition }
    }

    fn found(&self, policy: Policy, monitor: &Monitor) -> Result<Truth, Stop> {
        match ComposedSystem::new(&self.system, self.stutters, policy, monitor) {
            Ok(mut composition) => Ok(composition.check(&self.formula)?),
            Err(UnfitSystem::Stop(stop)) => Err(stop),
            Err(other) => panic!("{other:?}"),
        }
    }

    fn compare(&self, policy: Policy) -> Result<Truth, String> {
        let found = self.found(policy, &Monitor::new()).map_err(|stop| format!("{stop:?}"))?;
        match self.expected() {
            expected if expected == found => Ok(found),
            expected => Err(format!("{found}, by definition {expected}")),
        }
    }
}

/// How often each verdict came out.
#[derive(Default)]
pub struct Tally([Cell<u32>; 3]);

impl Tally {
    pub fn count(&self, verdict: Truth) {
        let index = Truth::ALL.iter().position(|&value| value == verdict).expect("one of three");
        self.0[index].set(self.0[index].get() + 1);
    }

    /// Panics where there were not so many verdicts, or not so many unknown ones.
    pub fn has_each(&self, least: u32, least_unknown: u32) {
        println!("{:?}: {:?}", Truth::ALL, self.0);
        let all: u32 = self.0.iter().map(Cell::get).sum();
        let unknown = Truth::ALL.iter().position(|&value| value == Truth::Unknown);
        let unknown = unknown.map_or(0, |index| self.0[index].get());
        assert!(all >= least && unknown >= least_unknown, "{:?}", self.0);
    }

    /// Panics where there were not so many verdicts, or hardly any of one sort.
    pub fn is_varied(&self, least: u32) {
        println!("{:?}: {:?}", Truth::ALL, self.0);
        let all: u32 = self.0.iter().map(Cell::get).sum();
        assert!(all >= least && self.0.iter().all(|of| of.get() > least / 20), "{:?}", self.0);
    }
}

#[test]
fn verdicts_are_those_of_the_reference() {
    let (tally, depths) = (Tally::default(), <[Cell<u32>; 5]>::default());
    for_seeds("symbolic-systems", 0..21_000, |rng, case| {
        let Some(question) = Question::random(rng, case) else { return Ok(()) };
        tally.count(question.compare(Policy::default())?);
        let depth = &depths[(question.formula.alternation_depth() as usize).min(4)];
        depth.set(depth.get() + 1);
        Ok(())
    });
    println!("by alternation depth: {depths:?}");
    tally.is_varied(20_000);
    assert!(depths[..4].iter().all(|count| count.get() > 20), "{depths:?}");
}

#[test]
fn reordering_in_the_middle_of_everything_changes_nothing() {
    let tally = Tally::default();
    for_seeds("symbolic-unrest", 0..3_000, |rng, case| {
        let Some(question) = Question::random(rng, case) else { return Ok(()) };
        let unrest = Some(rng.between(1, 6) as u64);
        tally.count(question.compare(Policy { unrest, ..Policy::default() })?);
        Ok(())
    });
    tally.is_varied(2_500);
}

#[test]
fn too_little_room_changes_a_verdict_only_to_none() {
    let (tally, full) = (Tally::default(), Cell::new(0));
    for_seeds("symbolic-room", 0..4_000, |rng, case| {
        let Some(question) = Question::random(rng, case) else { return Ok(()) };
        let reorder_at = rng.chance(0.5).then_some(rng.between(4, 64));
        let unrest = rng.chance(0.2).then_some(7);
        let policy =
            Policy { most_nodes: rng.between(1, 150), reorder_at, unrest, ..Policy::default() };
        match question.found(policy, &Monitor::new()) {
            Err(Stop::Full) => full.set(full.get() + 1),
            Err(other) => return Err(format!("{other:?}")),
            Ok(_) => tally.count(question.compare(policy)?),
        }
        Ok(())
    });
    println!("{full:?} without room");
    assert!(full.get() > 500, "{full:?}");
    tally.is_varied(2_000);
}

#[test]
fn a_cancelled_check_stops() {
    let stopped = Cell::new(0);
    for_seeds("symbolic-stop", 0..1_000, |rng, case| {
        let Some(question) = Question::random(rng, case) else { return Ok(()) };
        let monitor = Monitor::new();
        let patience = Duration::from_micros(rng.below(400) as u64);
        // Some are stopped in any case, however busy the machine is.
        if rng.chance(0.3) {
            monitor.stop(StopReason::Timeout);
        }
        let policy = Policy { unrest: Some(3), ..Policy::default() };
        let found = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(patience);
                monitor.stop(StopReason::Timeout);
            });
            question.found(policy, &monitor)
        });
        match found {
            Err(Stop::Stopped(Stopped(StopReason::Timeout))) => stopped.set(stopped.get() + 1),
            Ok(found) if found == question.expected() => {}
            other => return Err(format!("{other:?}")),
        }
        Ok(())
    });
    assert!(stopped.get() > 50, "{stopped:?}");
}

#[test]
fn states_and_deadlocks_are_those_of_the_composition() {
    let dead = Cell::new(0);
    for_seeds("symbolic-states", 0..3_000, |rng, case| {
        let Some(Question { system, composition, .. }) = Question::random(rng, case) else {
            return Ok(());
        };
        let session = ComposedSystem::new(&system, false, Policy::default(), &Monitor::new());
        let session = session.map_err(|refusal| format!("{refusal:?}"))?;
        let (count, states) = (session.stats().states, composition.reachable().count_ones(..));
        if count != states as f64 {
            return Err(format!("{count} states, composed {states}"));
        }
        let named = |tuple: &Vec<u32>| {
            let mut states = 0..composition.states() as u32;
            states.find(|&state| composition.members(state) == *tuple)
        };
        match (session.deadlock_state(), composition.deadlock_state()) {
            (None, None) => Ok(()),
            (Some(tuple), Some(_)) => {
                dead.set(dead.get() + 1);
                let state = named(&tuple).ok_or_else(|| format!("{tuple:?} is no state"))?;
                let moves = composition.moves(state);
                if moves.may { Err(format!("{tuple:?} moves")) } else { Ok(()) }
            }
            (found, state) => Err(format!("{found:?} is a deadlock, {state:?} is")),
        }
    });
    assert!(dead.get() > 300, "{dead:?}");
}

#[test]
fn kinds_that_do_not_fit_are_refused() {
    for_seeds("symbolic-refusal", 0..50, |rng, case| {
        let kind = *rng.pick(&[Kind::MixTs, Kind::Gkmts]);
        let shape = testkit::ModelShape::small(rng, kind);
        let model = testkit::model(rng, &shape);
        case.note(model_text(&model));
        let system = System::single(model);
        match ComposedSystem::new(&system, false, Policy::default(), &Monitor::new()) {
            Err(UnfitSystem::Kind { kind: found, component })
                if found == kind && component == "M" =>
            {
                Ok(())
            }
            Err(other) => Err(format!("{other:?}")),
            Ok(_) => Err("not refused".to_owned()),
        }
    });
}
