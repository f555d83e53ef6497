//! A node that is used again gives what a new one would, whatever was assumed before.

use super::CheckedNode;
use crate::assumption::Assumption;
use crate::evaluator::Evaluator;
use crate::sets::ValuationSets;
use crate::sets::bits::{self, Bits};
use std::sync::Arc;
use support::{FileId, Monitor};
use testkit::WhileDocument;
use testkit::programs::{Size, random_ctl, random_program};
use testkit::{Rng, for_seeds};
use transition::cfg::{Cfg, Closure, LabelId, TemporalId};

type Words = Assumption<<Bits as ValuationSets>::Set>;

/// A random program with some formulas.
fn document(rng: &mut Rng) -> WhileDocument {
    let program = random_program(rng, Size::small());
    let mut text = program.text();
    for number in 0..rng.between(1, 2) {
        let formula = random_ctl(rng, &program, 5).text(&program);
        text.push_str(&format!("property p{number}: ctl {formula};\n"));
    }
    let text: Arc<str> = text.into();
    testkit::read_while(FileId(0), &text).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"))
}

fn closure(document: &WhileDocument) -> Closure {
    let formulas: Vec<_> =
        document.properties.iter().map(|known| known.surface().unwrap().clone()).collect();
    let atom = |name: &str| Some(document.propositions.iter().find(|(known, _)| known == name)?.1);
    Closure::new(&formulas, true, atom).expect("it is CTL")
}

/// Grows, shrinks or replaces what is assumed, or says it of another location.
fn change(rng: &mut Rng, at: &Words, labels: usize, evaluator: &Evaluator<Bits>) -> Words {
    let mut next = at.clone();
    if rng.chance(0.3) {
        next.labels = (0..labels as u32).filter(|_| rng.chance(0.5)).map(LabelId).collect();
    }
    let all = evaluator.sets.all();
    for id in evaluator.closure.temporals.ids().filter(|_| rng.chance(0.5)).collect::<Vec<_>>() {
        let Some(old) = at.get(id) else { continue };
        let kind = rng.below(3);
        let words = old.iter().zip(all.iter()).map(|(old, all)| {
            let other = rng.next_u64() & rng.next_u64() & all;
            match kind {
                0 => old | other,
                1 => old & !other,
                _ => other,
            }
        });
        let set = bits::ValuationBits::new(words.collect(), &Monitor::new());
        next.set(id, set.expect("nothing stops it"));
    }
    next
}

#[test]
fn what_was_assumed_before_does_not_matter() {
    for_seeds("node", 0..2000, |rng, case| {
        let document = document(rng);
        let (program, closure) = (&document.program, closure(&document));
        case.note(format!("{:?}", document.properties.iter().map(|p| &p.text).collect::<Vec<_>>()));
        // Without `fin`, so that there is an exit.
        let commands = &program.body[..program.body.len() - 1];
        let Some(top) = closure.levels.len().checked_sub(1).filter(|_| !commands.is_empty()) else {
            return Ok(());
        };
        let monitor = Monitor::new();
        let sets = Bits::new(Arc::new(program.data.clone()), &monitor).expect("nothing stops it");
        let mut evaluator = Evaluator::new(sets, &closure).expect("nothing stops it");
        let node = |evaluator: &mut Evaluator<Bits>| {
            CheckedNode::new(Cfg::of(program, &[], commands), evaluator)
        };
        let mut used = node(&mut evaluator).expect("nothing stops it");
        let mut exit = Words::unknown(Vec::new(), &closure);
        for id in closure.temporals.ids() {
            exit.set(id, evaluator.sets.none());
        }
        for _ in 0..8 {
            exit = change(rng, &exit, program.labels.len(), &evaluator);
            let level = rng.between(0, top);
            let mut fresh = node(&mut evaluator).expect("nothing stops it");
            for node in [&mut used, &mut fresh] {
                node.evaluate(&[&exit], level, &mut evaluator).expect("nothing stops it");
            }
            for location in used.cfg().locations.ids() {
                let differs = |id: &TemporalId| used.get(location, *id) != fresh.get(location, *id);
                if let Some(id) = closure.up_to(level).find(differs) {
                    return Err(format!("{location:?} and {id:?} on level {level}"));
                }
            }
        }
        Ok(())
    });
}
