//! The auditor agrees with the translation, which it does not see, and with no other formula.

use crate::models::{random_ctl_star, surface};
use crate::sizes::parsed;
use audit::{AfterDeadlock, Claim, FormulaContext, claimed_formula};
use automata::{Valuations, compile};
use logic::{
    ActionSet, FairSteps, FairTerm, Fairness, Family, Formula, Logic, PropId, Signature, Surface,
};
use std::cell::Cell;
use support::{Interner, Monitor};
use testkit::linear::PathFormula;
use testkit::{Rng, for_seeds};

const NAMES: [&str; 3] = ["p", "q", "r"];

/// Up to two conditions, and on actions up to three fair steps.
fn conditions(rng: &mut Rng, family: Family) -> Fairness {
    let terms = (0..rng.below(3)).map(|number| match family {
        Family::Props => FairTerm::State(PropId(number as u32), NAMES[number].to_owned()),
        Family::Actions => FairTerm::Step(ActionSet::one(NAMES[number])),
    });
    let terms = terms.collect();
    let mut steps = Vec::new();
    if family == Family::Actions {
        for _ in 0..rng.below(4) {
            let actions = ActionSet::one(*rng.pick(&NAMES));
            steps.push(FairSteps { actions, is_strong: rng.chance(0.5) });
        }
    }
    Fairness { terms, steps, everywhere: true, ..Fairness::default() }
}

struct Vocabulary {
    family: Family,
    props: Interner<PropId>,
    actions: Vec<String>,
    fairness: Fairness,
    valuations: Valuations,
}

impl Vocabulary {
    fn random(rng: &mut Rng) -> Self {
        let family = *rng.pick(&[Family::Props, Family::Props, Family::Actions]);
        let valuations = *rng.pick(&[Valuations::Complete, Valuations::Partial]);
        let fairness = if rng.chance(0.3) { conditions(rng, family) } else { Fairness::default() };
        let props = NAMES.into_iter().collect();
        let actions = NAMES.iter().map(|&name| name.to_owned()).collect();
        Self { family, props, actions, fairness, valuations }
    }

    fn signature(&self) -> Signature<'_> {
        let actions = if self.family == Family::Props { &[][..] } else { &self.actions };
        Signature { family: self.family, props: &self.props, actions }
    }

    /// The translation; some formulas are too large for it.
    fn compile(&self, surface: &Surface) -> Option<Formula> {
        let signature = self.signature();
        compile(surface, &signature, &self.fairness, self.valuations, &mut Vec::new()).ok()
    }

    /// Whether the auditor accepts the formula as one that shows the verdict.
    fn accepts(&self, surface: &Surface, formula: &Formula, verdict: bool) -> Result<(), String> {
        let claim = Claim::new("it", formula, AfterDeadlock::Ends, verdict);
        let context = FormulaContext {
            surface,
            signature: &self.signature(),
            fairness: &self.fairness,
            is_complete: self.valuations == Valuations::Complete,
        };
        claimed_formula(&claim, &context, &Monitor::new()).map(|_| ()).map_err(|e| e.to_string())
    }
}

/// The auditor does not see of every formula that it agrees, but of all except very few.
fn agree(name: &str, seeds: std::ops::Range<u64>, most: usize) {
    let [tried, refused] = [const { Cell::new(0) }; 2];
    for_seeds(name, seeds, |rng, case| {
        let vocabulary = Vocabulary::random(rng);
        let (size, with_past) = (rng.between(1, most), rng.chance(0.4));
        let surface = match rng.chance(0.3) {
            true => random_ctl_star(rng, size, &NAMES),
            false => {
                let atoms = rng.between(1, 3);
                surface(&PathFormula::random(rng, size, atoms, with_past), &NAMES, Logic::Ltl)
            }
        };
        let Vocabulary { valuations, fairness, .. } = &vocabulary;
        case.note(format!(
            "{} {valuations:?} {:?} {:?}",
            surface.text, fairness.terms, fairness.steps
        ));
        let Some(formula) = vocabulary.compile(&surface) else { return Ok(()) };
        for verdict in [true, false] {
            tried.set(tried.get() + 1);
            if let Err(error) = vocabulary.accepts(&surface, &formula, verdict) {
                println!("{verdict}: {} {fairness:?}: {error}", surface.text);
                refused.set(refused.get() + 1);
            }
        }
        Ok(())
    });
    println!("{} of {} refused", refused.get(), tried.get());
    assert!(500 * refused.get() <= tried.get(), "{} of {}", refused.get(), tried.get());
}

#[test]
fn translations_are_accepted_in_both_directions() {
    agree("accepted-translations", 0..500, 10);
}

/// Automata of formulas with the past, from which reverse simulation would take away the states in which to wait.
#[test]
fn translations_of_formulas_that_look_back_are_accepted() {
    let cases: [(&str, &[usize]); 4] = [
        ("G ((!p1 W (H p0 T p1)) U p1)", &[]),
        ("H G ((O p0 M p2) <-> p2)", &[0, 2]),
        ("F ((O p0 R F p0) T X X (p0 S p1))", &[0, 1]),
        ("G (p0 -> Y O p1)", &[]),
    ];
    for (text, fair) in cases {
        let surface = surface(&parsed(text).0, &NAMES, Logic::Ltl);
        for valuations in [Valuations::Complete, Valuations::Partial] {
            let state =
                |&atom: &usize| FairTerm::State(PropId(atom as u32), NAMES[atom].to_owned());
            let terms = fair.iter().map(state).collect();
            let vocabulary = Vocabulary {
                family: Family::Props,
                props: NAMES.into_iter().collect(),
                actions: Vec::new(),
                fairness: Fairness { terms, everywhere: true, ..Fairness::default() },
                valuations,
            };
            let formula = vocabulary.compile(&surface).expect("a small formula");
            for verdict in [true, false] {
                let accepted = vocabulary.accepts(&surface, &formula, verdict);
                assert_eq!(accepted, Ok(()), "{verdict} of {text}, {valuations:?}");
            }
        }
    }
}

#[test]
#[ignore = "minutes: 100,000 formulas"]
fn many_translations_are_accepted_in_both_directions() {
    agree("many-accepted-translations", 1_000_000..1_100_000, 12);
}
