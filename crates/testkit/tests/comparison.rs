//! Mixed simulation and bisimulation against a checker that follows the definition round by round,
//! and every explanation against that.

use logic::{Family, Truth};
use model::{
    CompareError, ComparedBy, ComparedModel, ComparedStep, ComparisonReport, Kind, Mismatch, Mode,
    ModelBuilder, PartialModel, bisimulation, compare, mixed_simulation,
};
use support::Monitor;
use testkit::{Case, ModelShape, Rng, abstraction, for_seeds, model, model_text, refinement};

/// The greatest mixed simulation by its definition: all pairs, then again and again those out that
/// do not meet C Def. 2.2 (for sets: its generalisation). Each pair with the round in which it went.
struct Naive<'a> {
    concrete: &'a PartialModel,
    abstracted: &'a PartialModel,
    gone: Vec<Vec<Option<u32>>>,
}

type Label = Option<String>;

fn mays(model: &PartialModel, state: u32) -> Vec<(Label, u32)> {
    let out = model.edges().out(state).filter(|(_, class)| class.mode.may);
    out.map(|(t, class)| (class.action.map(|a| model.actions().name(a).to_owned()), t)).collect()
}

fn musts(model: &PartialModel, state: u32) -> Vec<(Label, Vec<u32>)> {
    let out = model.edges().out(state).filter(|(_, class)| class.mode.must);
    let plain = out.map(|(t, c)| (c.action.map(|a| model.actions().name(a).to_owned()), vec![t]));
    plain.chain(model.hyper_from(state).iter().map(|h| (None, h.targets.clone()))).collect()
}

impl<'a> Naive<'a> {
    fn new(concrete: &'a PartialModel, abstracted: &'a PartialModel) -> Self {
        let gone = vec![vec![None; abstracted.states()]; concrete.states()];
        let mut naive = Self { concrete, abstracted, gone };
        for round in 0.. {
            let leave: Vec<(u32, u32)> = naive
                .pairs()
                .filter(|&(s, t)| naive.related(s, t) && !naive.fits(s, t, round))
                .collect();
            if leave.is_empty() && round > 0 {
                return naive;
            }
            leave.into_iter().for_each(|(s, t)| naive.gone[s as usize][t as usize] = Some(round));
        }
        unreachable!("finitely many pairs can go")
    }

    fn pairs(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let (concrete, abstracted) =
            (self.concrete.states() as u32, self.abstracted.states() as u32);
        (0..concrete).flat_map(move |s| (0..abstracted).map(move |t| (s, t)))
    }

    fn related(&self, s: u32, t: u32) -> bool {
        self.gone[s as usize][t as usize].is_none()
    }

    fn labels_fit(&self, s: u32, t: u32) -> bool {
        self.abstracted.props().iter().all(|(id, name)| {
            let own = self.concrete.props().get(name).expect("the caller has checked the names");
            let claimed = self.abstracted.label(t, id);
            claimed == Truth::Unknown || claimed == self.concrete.label(s, own)
        })
    }

    /// Only the labels count in round 0.
    fn fits(&self, s: u32, t: u32, round: u32) -> bool {
        if round == 0 {
            return self.labels_fit(s, t);
        }
        let may = |(action, s2): (Label, u32)| {
            mays(self.abstracted, t).iter().any(|(a, t2)| *a == action && self.related(s2, *t2))
        };
        let must = |(action, targets): (Label, Vec<u32>)| {
            let matches =
                |own: &Vec<u32>| own.iter().all(|&v| targets.iter().any(|&u| self.related(v, u)));
            musts(self.concrete, s).iter().any(|(a, own)| *a == action && matches(own))
        };
        mays(self.concrete, s).into_iter().all(may)
            && musts(self.abstracted, t).into_iter().all(must)
    }

    /// The explanation tells the truth: each move is there, all answers to it fail, and what is shown
    /// as the best answer is one.
    fn check_path(&self, path: &[ComparedStep]) -> Result<(), String> {
        for (index, step) in path.iter().enumerate() {
            let (s, t) = (step.concrete, step.abstracted);
            if self.related(s, t) {
                return Err(format!("({s}, {t}) is related"));
            }
            let answer = path.get(index + 1).map(|next| (next.concrete, next.abstracted));
            let answers = self.answers(s, t, &step.why)?;
            if answers.iter().any(|&(v, u)| self.related(v, u))
                && !matches!(step.why, Mismatch::Must { .. })
            {
                return Err(format!("({s}, {t}) can answer {:?}", step.why));
            }
            match answer {
                None if answers.is_empty() => {}
                Some(answer) if answers.contains(&answer) => {}
                _ => {
                    return Err(format!("{answer:?} is no answer to {:?} in ({s}, {t})", step.why));
                }
            }
        }
        let rank =
            self.gone[path[0].concrete as usize][path[0].abstracted as usize].unwrap() as usize;
        if path.len() != rank && path.len() != rank + 1 {
            return Err(format!("{} steps where {rank} moves are enough", path.len()));
        }
        Ok(())
    }

    fn answers(&self, s: u32, t: u32, why: &Mismatch) -> Result<Vec<(u32, u32)>, String> {
        match why {
            Mismatch::Label { prop, concrete, abstracted } => {
                let known = self.concrete.label(s, self.concrete.props().get(prop).unwrap());
                let claimed = self.abstracted.label(t, self.abstracted.props().get(prop).unwrap());
                let right =
                    (known, claimed) == (*concrete, *abstracted) && !claimed.is_refined_by(known);
                if right {
                    Ok(Vec::new())
                } else {
                    Err(format!("{prop} is not wrong in ({s}, {t})"))
                }
            }
            Mismatch::May { action, target } => {
                if !mays(self.concrete, s).contains(&(action.clone(), *target)) {
                    return Err(format!("{s} has no such move: {why:?}"));
                }
                let own = mays(self.abstracted, t).into_iter().filter(|(a, _)| a == action);
                Ok(own.map(|(_, t2)| (*target, t2)).collect())
            }
            Mismatch::Must { action, targets } => {
                if !musts(self.abstracted, t).contains(&(action.clone(), targets.clone())) {
                    return Err(format!("{t} has no such move: {why:?}"));
                }
                let own = musts(self.concrete, s).into_iter().filter(|(a, _)| a == action);
                let own: Vec<Vec<u32>> = own.map(|(_, own)| own).collect();
                let matches = |own: &Vec<u32>| {
                    own.iter().all(|&v| targets.iter().any(|&u| self.related(v, u)))
                };
                if own.iter().any(matches) {
                    return Err(format!("({s}, {t}) can answer {why:?}"));
                }
                let pairs =
                    own.concat().into_iter().flat_map(|v| targets.iter().map(move |&u| (v, u)));
                Ok(pairs.collect())
            }
        }
    }

    fn check(&self, comparison: &ComparisonReport) -> Result<(), String> {
        let partner = |s: &u32| self.abstracted.init().iter().any(|&t| self.related(*s, t));
        let forth = self.concrete.init().iter().all(partner);
        let owner = |t: &u32| self.concrete.init().iter().any(|&s| self.related(s, *t));
        let back = self.abstracted.init().iter().all(owner);
        let expected = forth && (back || comparison.method == ComparedBy::MixedSimulation);
        if comparison.holds() != expected {
            return Err(format!("{expected} by definition, but {comparison:?}"));
        }
        if let Some(&(s, t)) = comparison.initial.iter().find(|&&(s, t)| !self.related(s, t)) {
            return Err(format!("({s}, {t}) is not related"));
        }
        let Some(failure) = &comparison.failure else { return Ok(()) };
        match failure.side {
            ComparedModel::Concrete if partner(&failure.state) => {
                Err("it has a partner".to_owned())
            }
            ComparedModel::Abstract if owner(&failure.state) => Err("it has a partner".to_owned()),
            _ => self.check_path(&failure.path),
        }
    }
}

fn check_pair(
    case: &mut Case,
    concrete: &PartialModel,
    abstracted: &PartialModel,
) -> Result<(), String> {
    case.note(model_text(concrete));
    case.note(model_text(abstracted));
    let naive = Naive::new(concrete, abstracted);
    let monitor = Monitor::new();
    let found = mixed_simulation(concrete, abstracted, &monitor).map_err(|e| e.to_string())?;
    if let Some((s, t)) = naive.pairs().find(|&(s, t)| found.contains(s, t) != naive.related(s, t))
    {
        return Err(format!("({s}, {t}) in the relation: {}", found.contains(s, t)));
    }
    let same_props = concrete.props().len() == abstracted.props().len();
    if concrete.is_complete() && abstracted.is_complete() && same_props {
        let found = bisimulation(concrete, abstracted, &monitor).map_err(|e| e.to_string())?;
        let differs = |&(s, t): &(u32, u32)| found.contains(s, t) != naive.related(s, t);
        if let Some((s, t)) = naive.pairs().find(differs) {
            return Err(format!("({s}, {t}) bisimilar: {}", found.contains(s, t)));
        }
    }
    let comparison = compare(concrete, abstracted, &monitor).map_err(|e| e.to_string())?;
    naive.check(&comparison)
}

fn random_model(rng: &mut Rng, family: Family) -> PartialModel {
    let kinds: Vec<Kind> = Kind::ALL.into_iter().filter(|kind| kind.family() == family).collect();
    let kind = *rng.pick(&kinds);
    let mut shape = ModelShape::small(rng, kind);
    // Else next to no pair would be related.
    shape.unknown_label = shape.unknown_label.max(*rng.pick(&[0.0, 0.8]));
    shape.props.truncate(rng.between(0, 2));
    model(rng, &shape)
}

#[test]
fn any_two_models_against_the_definition() {
    for_seeds("compare-any", 0..4000, |rng, case| {
        let family = *rng.pick(&[Family::Props, Family::Actions]);
        let (concrete, abstracted) = (random_model(rng, family), random_model(rng, family));
        if abstracted.props().names().any(|name| concrete.props().get(name).is_none()) {
            let error = mixed_simulation(&concrete, &abstracted, &Monitor::new()).err();
            let expected = matches!(
                error,
                Some(CompareError::MissingProp { lacking: ComparedModel::Concrete, .. })
            );
            return if expected { Ok(()) } else { Err(format!("no word of it: {error:?}")) };
        }
        check_pair(case, &concrete, &abstracted)
    });
}

/// Two implementations of one partial model: bisimilar, or nearly so.
#[test]
fn complete_models_against_the_definition() {
    for_seeds("compare-complete", 0..4000, |rng, case| {
        let kind = *rng.pick(&[Kind::Kripke, Kind::Kmts, Kind::Lts, Kind::Mts]);
        let mut shape = ModelShape::small(rng, kind);
        shape.states = rng.between(1, 9);
        (shape.unknown_label, shape.may_only) = (shape.unknown_label / 5.0, shape.may_only / 3.0);
        let common = model(rng, &shape);
        let [left, right] = [(); 2].map(|()| refinement(rng, &common, true).model);
        check_pair(case, &left, &right)
    });
}

#[test]
fn refinements_and_abstractions_are_recognised() {
    for_seeds("compare-refined", 0..2000, |rng, case| {
        let kind = *rng.pick(&Kind::ALL);
        let shape = ModelShape::small(rng, kind);
        let abstracted = model(rng, &shape);
        let complete = rng.chance(0.5);
        let refined = refinement(rng, &abstracted, complete);
        case.note(model_text(&refined.model));
        case.note(model_text(&abstracted));
        let found = mixed_simulation(&refined.model, &abstracted, &Monitor::new());
        let found = found.map_err(|e| e.to_string())?;
        match (0..).zip(&refined.stands_for).find(|&(s, &t)| !found.contains(s, t)) {
            Some(pair) => Err(format!("{pair:?} is missing")),
            None => Ok(()),
        }
    });
    for_seeds("compare-abstracted", 0..2000, |rng, case| {
        let (from, to) = *rng.pick(&[
            (Kind::Kripke, Kind::Kmts),
            (Kind::Kmts, Kind::MixTs),
            (Kind::Kripke, Kind::Gkmts),
            (Kind::Lts, Kind::Mts),
            (Kind::Mts, Kind::Mts),
        ]);
        let shape = ModelShape::small(rng, from);
        let concrete = model(rng, &shape);
        let weaken = rng.chance(0.5);
        let found = abstraction(rng, &concrete, to, weaken);
        check_pair(case, &concrete, &found.model)?;
        let holds = compare(&concrete, &found.model, &Monitor::new()).is_ok_and(|c| c.holds());
        // Between complete models `compare` asks for more: bisimulation.
        let complete = concrete.is_complete() && found.model.is_complete();
        if holds || complete { Ok(()) } else { Err("an abstraction was refused".to_owned()) }
    });
}

/// s0 {p} → s1 {!p} in the concrete model; the abstract one stays in p.
#[test]
fn the_reason_is_reported_from_the_initial_pair() {
    let mut builder = ModelBuilder::new(Kind::Kripke, "C");
    let p = builder.prop("p");
    builder.prop("q");
    let (s0, s1) = (builder.state("s0"), builder.state("s1"));
    builder.init(s0);
    builder.label(s0, p, Truth::True);
    builder.edge(s0, None, Mode::BOTH, s1);
    let concrete = builder.finish();
    let mut builder = ModelBuilder::new(Kind::Kmts, "A");
    let p = builder.prop("p");
    let t0 = builder.state("t0");
    builder.init(t0);
    builder.label(t0, p, Truth::True);
    builder.edge(t0, None, Mode::BOTH, t0);
    let abstracted = builder.finish();
    let comparison = compare(&concrete, &abstracted, &Monitor::new()).unwrap();
    assert_eq!(
        comparison.method,
        ComparedBy::MixedSimulation,
        "q is unknown in the abstract model"
    );
    let failure = comparison.failure.unwrap();
    let label =
        Mismatch::Label { prop: "p".into(), concrete: Truth::False, abstracted: Truth::True };
    assert_eq!(
        failure.path,
        [
            ComparedStep {
                concrete: s0,
                abstracted: t0,
                why: Mismatch::May { action: None, target: s1 }
            },
            ComparedStep { concrete: s1, abstracted: t0, why: label },
        ]
    );
    assert_eq!(
        compare(&abstracted, &concrete, &Monitor::new()),
        Err(CompareError::MissingProp { prop: "q".into(), lacking: ComparedModel::Concrete })
    );
}

#[test]
fn propositions_and_actions_do_not_compare() {
    let make = |kind| {
        let mut builder = ModelBuilder::new(kind, "M");
        let state = builder.state("s");
        builder.init(state);
        builder.finish()
    };
    let result = compare(&make(Kind::Lts), &make(Kind::Kripke), &Monitor::new());
    assert_eq!(result, Err(CompareError::Families));
}

/// Two cycles: every state of one is bisimilar to every state of the other, unless one of them has a
/// exit, which then takes as many rounds to be known as the cycle is long.
fn cycle(length: u32, with_exit: bool) -> PartialModel {
    let mut builder = ModelBuilder::new(Kind::Lts, "cycle");
    let (a, b) = (builder.action("a"), builder.action("b"));
    (0..length).for_each(|i| _ = builder.state(i.to_string()));
    (0..length).for_each(|i| builder.edge(i, Some(a), Mode::BOTH, (i + 1) % length));
    if with_exit {
        builder.edge(length - 1, Some(b), Mode::BOTH, 0);
    }
    builder.init(0);
    builder.finish()
}

#[test]
fn bisimulation_of_many_states_and_rounds() {
    let monitor = Monitor::new();
    let same = compare(&cycle(30_000, false), &cycle(20_000, false), &monitor).unwrap();
    assert!(same.holds() && same.method == ComparedBy::Bisimulation);
    let other = compare(&cycle(30_000, true), &cycle(20_000, false), &monitor).unwrap();
    assert_eq!(other.failure.unwrap().path.len(), 30_000);
}

#[test]
fn mixed_simulation_of_a_thousand_states() {
    let mut rng = Rng::new(7);
    let mut shape = ModelShape::small(&mut rng, Kind::Mts);
    (shape.states, shape.degree, shape.may_only, shape.initial) = (1000, 3.0, 0.3, 1);
    let abstracted = model(&mut rng, &shape);
    let refined = refinement(&mut rng, &abstracted, true).model;
    assert!(refined.states() > 1000);
    assert!(compare(&refined, &abstracted, &Monitor::new()).unwrap().holds());
    assert!(!compare(&abstracted, &refined, &Monitor::new()).unwrap().holds());
}
