//! Certificates of programs with recursive calls: all are valid, and no lie is.

use crate::evidence::audited;
use crate::jumping::{expected, read};
use crate::{EVERYTHING, closure, request};
use audit::format::Checksum;
use audit::modular::{About, NamedFormula};
use audit::recursion::{NodeValue, RecursionProof};
use logic::Truth;
use modular::{Claims, InMemory, ModularRequest, check};
use std::cell::Cell;
use support::Monitor;
use testkit::programs::{JumpingText, jumping_text};
use testkit::{Rng, WhileDocument, for_seeds};
use transition::cfg::{Closure, OneBlock, Partition};

/// A recursive program, with the proof of its verdicts.
struct Proved {
    document: WhileDocument,
    closure: Closure,
    partition: Partition,
    verdicts: Vec<Truth>,
    proof: RecursionProof,
}

impl Proved {
    /// `None` if the program has no recursive call.
    fn new(text: &JumpingText, rng: &mut Rng) -> Result<Option<Self>, String> {
        let document = read(text)?;
        if document.program.recursion().is_none() {
            return Ok(None);
        }
        let partition = Partition::new(&document.program, &mut OneBlock);
        let (closure, store, monitor) = (closure(&document), InMemory::default(), Monitor::new());
        let request = request(&document, &partition, &closure, &store, &monitor, rng);
        let outcome = check(&ModularRequest { wish: EVERYTHING, ..request });
        let outcome = outcome.map_err(|stopped| stopped.to_string())?;
        let verdicts = outcome.verdicts;
        let claims = outcome.evidence.and_then(|evidence| evidence.claims);
        let Some(Claims::Contexts(proof)) = claims else {
            return Err("there is no proof".to_owned());
        };
        Ok(Some(Self { document, closure, partition, verdicts, proof }))
    }

    fn written(&self, proof: RecursionProof) -> Vec<u8> {
        let name = |property: &front::Specification| NamedFormula {
            name: property.text.clone(),
            formula: property.text.clone(),
        };
        proof.write(&About {
            program: &self.document.program,
            closure: &self.closure,
            is_complete: true,
            properties: &self.document.properties.iter().map(name).collect::<Vec<_>>(),
            assumptions: &[],
            partition: &self.partition,
        })
    }

    fn audited(&self, bytes: &[u8]) -> Result<Vec<Truth>, String> {
        let verdicts = audited(&self.document, &[], bytes)?;
        let truth = |verdict: Option<bool>| verdict.map(Truth::from).ok_or("no verdict".to_owned());
        verdicts.into_iter().map(truth).collect()
    }
}

#[test]
fn verdicts_of_recursive_programs_are_certified() {
    let sizes = [const { Cell::new(0) }; 3];
    for_seeds("modular-recursion-certificates", 0..2000, |rng, case| {
        let text = jumping_text(rng, true);
        case.note(&text.program);
        case.note(format!("{:?}", text.formulas));
        let Some(proved) = Proved::new(&text, rng)? else { return Ok(()) };
        let shown = proved.audited(&proved.written(proved.proof.clone()))?;
        let is_right =
            |(expected, shown): (Truth, &Truth)| expected == Truth::Unknown || expected == *shown;
        let expected = expected(&proved.document).unwrap_or_default();
        if shown != proved.verdicts || !expected.into_iter().zip(&shown).all(is_right) {
            return Err(format!("{shown:?} and not {:?}", proved.verdicts));
        }
        let contexts = &proved.proof.contexts;
        let values = || contexts.iter().flat_map(|c| &c.temporals).flat_map(|t| &t.values);
        sizes[0].set(sizes[0].get() + usize::from(contexts.len() > proved.proof.blocks.len() + 1));
        let is_leaving = values().any(|value| matches!(value, NodeValue::Leaving(1..)));
        sizes[1].set(sizes[1].get() + usize::from(is_leaving));
        let passages = contexts.iter().flat_map(|c| &c.temporals).flat_map(|t| &t.passages);
        sizes[2].set(sizes[2].get() + usize::from(passages.max() > Some(&1)));
        Ok(())
    });
    // Blocks in several contexts, untils that lead out of calls, and passages through calls that rest on others.
    if std::env::var_os("TERTIUM_SEED").is_none() {
        assert!(sizes.iter().all(|size| size.get() > 50), "{sizes:?}");
    }
}

/// One change of a proof after which it has to be refused; `false` if there is nothing to change.
fn falsify(proof: &mut RecursionProof, closure: &Closure, rng: &mut Rng) -> bool {
    let context = rng.below(proof.contexts.len());
    let context = &mut proof.contexts[context];
    match rng.below(6) {
        0 => {
            let verdict = rng.below(proof.verdicts.len());
            proof.verdicts[verdict] ^= true;
            true
        }
        1 if !closure.temporals.is_empty() => {
            let temporal = rng.below(context.temporals.len());
            let values = &mut context.temporals[temporal].values;
            let node = rng.below(values.len());
            values[node] = match values[node] {
                NodeValue::False => NodeValue::Within(rng.below(20) as u32),
                NodeValue::Within(_) | NodeValue::Leaving(_) => NodeValue::False,
            };
            true
        }
        2 => {
            // A rank that falls no more: the goal has 1, a step before it 2.
            let untils = closure.temporals.iter().filter(|(_, temporal)| temporal.is_until());
            let untils: Vec<usize> = untils.map(|(id, _)| id.0 as usize).collect();
            let values = untils
                .into_iter()
                .flat_map(|id| context.temporals[id].values.iter().map(move |value| (id, *value)));
            let is_late = |(_, value): &(usize, NodeValue)| {
                matches!(value, NodeValue::Within(2..) | NodeValue::Leaving(1..))
            };
            let late: Vec<(usize, NodeValue)> = values.filter(is_late).collect();
            let Some(&(id, value)) = (!late.is_empty()).then(|| rng.pick(&late)) else {
                return false;
            };
            let own = context.temporals[id].values.iter_mut().find(|own| **own == value);
            *own.expect("it was found there") = match value {
                NodeValue::Leaving(_) => NodeValue::Leaving(0),
                _ => NodeValue::Within(0),
            };
            true
        }
        3 => {
            let mut passages: Vec<&mut u32> =
                context.temporals.iter_mut().flat_map(|t| &mut t.passages).collect();
            if passages.is_empty() {
                return false;
            }
            let passage = rng.below(passages.len());
            *passages[passage] = u32::from(*passages[passage] == 0);
            true
        }
        4 if !proof.blocks.is_empty() => {
            let block = rng.below(proof.blocks.len());
            proof.blocks[block].exits.pop().is_some()
        }
        5 => context.called.pop().is_some(),
        _ => false,
    }
}

#[test]
fn changed_proofs_are_refused() {
    let refused = Cell::new(0);
    for_seeds("modular-recursion-changed", 0..300, |rng, case| {
        let text = jumping_text(rng, true);
        case.note(&text.program);
        case.note(format!("{:?}", text.formulas));
        let Some(proved) = Proved::new(&text, rng)? else { return Ok(()) };
        for _ in 0..20 {
            let mut changed = proved.proof.clone();
            if !falsify(&mut changed, &proved.closure, rng) {
                continue;
            }
            let bytes = proved.written(changed.clone());
            if let Ok(verdicts) = proved.audited(&bytes) {
                return Err(format!("{verdicts:?} with {changed:?}"));
            }
            refused.set(refused.get() + 1);
        }
        Ok(())
    });
    if std::env::var_os("TERTIUM_SEED").is_none() {
        assert!(refused.get() > 1000, "{}", refused.get());
    }
}

/// Whatever the bytes are, what is accepted is right; and without a right checksum nothing is.
#[test]
fn changed_bytes_show_nothing_wrong() {
    for_seeds("modular-recursion-bytes", 0..200, |rng, case| {
        let text = jumping_text(rng, true);
        case.note(&text.program);
        case.note(format!("{:?}", text.formulas));
        let Some(proved) = Proved::new(&text, rng)? else { return Ok(()) };
        let bytes = proved.written(proved.proof.clone());
        let (head, end) = ("tertium certificate recursion 1\n".len(), bytes.len() - 8);
        for _ in 0..30 {
            let mut changed = bytes.clone();
            changed[rng.between(head, bytes.len() - 1)] ^= 1 << rng.below(8);
            if proved.audited(&changed).is_ok() {
                return Err("a changed byte is accepted".to_owned());
            }
            let mut sealed = bytes[..end].to_vec();
            for _ in 0..rng.between(1, 3) {
                let place = rng.between(head + 8, sealed.len() - 1);
                match rng.below(3) {
                    0 => sealed[place] = rng.below(256) as u8,
                    1 => sealed.insert(place, rng.below(8) as u8),
                    _ => drop(sealed.remove(place)),
                }
            }
            Checksum::seal(&mut sealed);
            let shown = proved.audited(&sealed);
            if shown.is_ok_and(|verdicts| verdicts != proved.verdicts) {
                return Err("a wrong verdict is accepted".to_owned());
            }
        }
        Ok(())
    });
}

/// An until that nothing shows but going round in a loop of calls for ever.
#[test]
fn no_rank_goes_round_through_calls() {
    let program = "
        var x : 0..2 := 0;
        proc p(in d : 0..1) { if d = 1 then p(0) else x := {0, 1} fi }
        while x < 2 do p(1) od; fin";
    for (formula, rank) in [("EF x = 2", NodeValue::Leaving(7)), ("AF x = 2", NodeValue::Within(7))]
    {
        let formulas = vec![formula.to_owned()];
        let text = JumpingText { program: program.to_owned(), formulas };
        let proved = Proved::new(&text, &mut Rng::new(0)).unwrap().expect("it is recursive");
        let right = proved.audited(&proved.written(proved.proof.clone()));
        assert_eq!(right, Ok(vec![Truth::False]), "{formula}");
        let mut changed = proved.proof.clone();
        changed.verdicts = vec![true];
        let temporals = changed.contexts.iter_mut().flat_map(|context| &mut context.temporals);
        temporals.for_each(|temporal| temporal.values.fill(rank));
        let fault = proved.audited(&proved.written(changed)).expect_err("it is false");
        assert!(fault.contains("has a wrong value"), "{formula}: {fault}");
    }
}
