//! Certificates about while-programs: those of a plain prover are valid, each broken one is refused with its reason.

mod prover;

use audit::format::Checksum;
use audit::modular::{ModularHead, ModularSubject, NamedFormula, audit};
use audit::{AuditError, Reader};
use logic::Surface;
use prover::{Claimed, Prover};
use std::sync::Arc;
use support::{FileId, Monitor};
use testkit::Rng;
use testkit::WhileDocument;
use testkit::programs::{Oracle, RandomCuts, Size, random_ctl, random_program};
use transition::cfg::{Assumed, Closure, CtlAtom, OneBlock, Partition, Statements, UnfoldedId};

/// A program that was read, with its formulas.
struct Read {
    document: WhileDocument,
    assumed: Vec<Assumed>,
    assumptions: Vec<String>,
    surfaces: Vec<Surface>,
    closure: Closure,
}

/// A certificate before it is written.
struct Made {
    levels: Vec<Vec<Claimed>>,
    verdicts: Vec<Option<bool>>,
}

impl Read {
    fn new(text: &str, assumptions: &[&str]) -> Self {
        let mut document = testkit::read_while(FileId(0), &text.into()).expect("a program");
        let read = |text: &&str| {
            let text: Arc<str> = (*text).into();
            front::read_assumption(FileId(1), &text, &mut document.program).expect("an assumption")
        };
        let assumed = assumptions.iter().map(read).collect();
        let assumptions = assumptions.iter().map(|text| (*text).to_owned()).collect();
        let surfaces: Vec<Surface> = document
            .properties
            .iter()
            .map(|property| property.surface().unwrap().clone())
            .collect();
        let is_complete = !document.program.has_holes();
        let closure = Closure::new(&surfaces, is_complete, |name| atom(&document, name));
        Self { assumed, assumptions, surfaces, closure: closure.expect("CTL"), document }
    }

    fn properties(&self) -> Vec<NamedFormula> {
        let of = |property: &front::Specification| NamedFormula {
            name: property.name.clone().unwrap_or_default(),
            formula: property.surface().unwrap().source(),
        };
        self.document.properties.iter().map(of).collect()
    }

    fn prover<'a>(&'a self, partition: &'a Partition) -> Prover<'a> {
        Prover::new(&self.document.program, &self.closure, &self.assumed, partition)
    }

    /// Certificate of the prover, changed.
    fn certificate(&self, partition: &Partition, change: impl FnOnce(&mut Made)) -> Vec<u8> {
        let mut prover = self.prover(partition);
        let levels = prover.prove();
        let verdicts = self.closure.roots.iter().map(|&root| prover.verdict(root)).collect();
        let mut made = Made { levels, verdicts };
        change(&mut made);
        prover.written(&self.properties(), &self.assumptions, &made.levels, &made.verdicts)
    }

    fn audit(&self, bytes: &[u8]) -> Result<Vec<Option<bool>>, String> {
        let audited = || {
            let mut reader = Reader::new(bytes)?;
            let head = ModularHead::read(&mut reader)?;
            let subject = ModularSubject {
                program: &self.document.program,
                formulas: &self.surfaces,
                atom: &|name| atom(&self.document, name),
                assumed: &self.assumed,
                most_nodes: 1 << 20,
            };
            audit(reader, &head, &subject, &Monitor::new())
        };
        audited().map(|shown| shown.verdicts).map_err(|fault: AuditError| fault.to_string())
    }

    fn statements(&self) -> Partition {
        Partition::new(&self.document.program, &mut Statements)
    }
}

fn atom(document: &WhileDocument, name: &str) -> Option<CtlAtom> {
    document.propositions.iter().find(|(known, _)| known == name).map(|(_, atom)| *atom)
}

#[track_caller]
fn refused(audited: Result<Vec<Option<bool>>, String>, why: &str) {
    let error = audited.expect_err("refused");
    assert!(error.contains(why), "{error}");
}

const COUNTER: &str = "\
var x : 0..4 := 0; var b : bool;
while x < 3 do if b then x := x + 1 else b := true fi od;
done: skip
property ends: ctl AF at_done;
property stays: ctl AG (x < 4 & EX !error);
property short: ctl EF (x = 4 & at_done);
property steps: ctl AG (!at_done -> A[x < 3 U at_done | x = 3]);
";

#[test]
fn what_a_plain_prover_writes_is_valid() {
    let counter = Read::new(COUNTER, &[]);
    let expected = Ok(vec![Some(true), Some(true), Some(false), Some(true)]);
    for partition in
        [counter.statements(), Partition::new(&counter.document.program, &mut OneBlock)]
    {
        assert_eq!(counter.audit(&counter.certificate(&partition, |_| {})), expected);
    }
}

#[test]
fn a_set_that_is_too_large_is_refused() {
    let counter = Read::new(COUNTER, &[]);
    let mut refusals = 0;
    for level in 0..counter.closure.levels.len() {
        let larger = |made: &mut Made| {
            for set in made.levels[level].iter_mut().flat_map(|claim| &mut claim.sets) {
                if let Some(missing) = set.iter_mut().find(|is_in| !**is_in) {
                    *missing = true;
                    return;
                }
            }
        };
        let result = counter.audit(&counter.certificate(&counter.statements(), larger));
        refused(result, "does not imply the claim");
        refusals += 1;
    }
    assert!(refusals > 1, "several levels");
}

#[test]
fn claims_come_after_what_they_rest_on() {
    let counter = Read::new(COUNTER, &[]);
    let bytes = counter.certificate(&counter.statements(), |made| made.levels[0].reverse());
    refused(counter.audit(&bytes), "does not imply the claim");
}

#[test]
fn no_claim_may_be_missing() {
    let counter = Read::new(COUNTER, &[]);
    let partition = counter.statements();
    let without_last = counter.certificate(&partition, |made| drop(made.levels[0].pop()));
    refused(counter.audit(&without_last), "allows more");
    let none = counter.certificate(&partition, |made| made.levels.iter_mut().for_each(Vec::clear));
    refused(counter.audit(&none), "allows more");
    let without_level = counter.certificate(&partition, |made| drop(made.levels.pop()));
    assert!(counter.audit(&without_level).is_err());
}

#[test]
fn smaller_steps_are_as_good() {
    let counter = Read::new(COUNTER, &[]);
    // Each claim is made twice, once of nothing.
    let bytes = counter.certificate(&counter.statements(), |made| {
        for claims in &mut made.levels {
            let nothing = |claim: &Claimed| Claimed {
                place: claim.place,
                sets: claim.sets.iter().map(|set| vec![false; set.len()]).collect(),
            };
            let twice = std::mem::take(claims);
            claims.extend(twice.into_iter().flat_map(|claim| [nothing(&claim), claim]));
        }
    });
    assert!(counter.audit(&bytes).is_ok());
}

#[test]
fn another_program_is_reported() {
    let counter = Read::new(COUNTER, &[]);
    let bytes = counter.certificate(&counter.statements(), |_| {});
    let others = [
        ("x < 3 do", "x < 2 do"),
        (":= 0", ":= 1"),
        ("done", "end_"),
        ("x := x + 1", "x := x + 2"),
        ("0..4", "0..5"),
        ("skip", "b := any"),
        ("var b", "var a, b"),
    ];
    for (old, new) in others {
        let other = Read::new(&COUNTER.replace(old, new), &[]);
        refused(other.audit(&bytes), "about another program");
    }
    let same = Read::new(&COUNTER.replace("; var", ";// here\n  var"), &[]);
    assert!(same.audit(&bytes).is_ok());
}

#[test]
fn another_formula_is_reported() {
    let counter = Read::new(COUNTER, &[]);
    let bytes = counter.certificate(&counter.statements(), |_| {});
    let other = Read::new(&COUNTER.replace("AF at_done", "EF at_done"), &[]);
    refused(other.audit(&bytes), "about the formula `AF at_done`, and this is `EF at_done`");
    let fewer = COUNTER.split_once("property steps").expect("a property").0;
    refused(Read::new(fewer, &[]).audit(&bytes), "about other properties");
}

#[test]
fn each_verdict_has_to_be_shown() {
    let counter = Read::new(COUNTER, &[]);
    for number in 0..counter.surfaces.len() {
        let flip = |made: &mut Made| made.verdicts[number] = made.verdicts[number].map(|v| !v);
        let result = counter.audit(&counter.certificate(&counter.statements(), flip));
        refused(result, "it is not proved that");
        let silent = |made: &mut Made| made.verdicts[number] = None;
        assert!(counter.audit(&counter.certificate(&counter.statements(), silent)).is_ok());
    }
}

#[test]
fn another_partition_is_reported() {
    let counter = Read::new(COUNTER, &[]);
    let (whole, partition) =
        (Partition::new(&counter.document.program, &mut OneBlock), counter.statements());
    let mut prover = counter.prover(&partition);
    let levels = prover.prove();
    let verdicts: Vec<_> = counter.closure.roots.iter().map(|&r| prover.verdict(r)).collect();
    let other = counter.prover(&whole);
    let bytes = other.written(&counter.properties(), &[], &levels, &verdicts);
    refused(counter.audit(&bytes), "an undefined location");
    let shifted = |made: &mut Made| {
        made.levels
            .iter_mut()
            .flatten()
            .for_each(|claim| claim.place = UnfoldedId(claim.place.0 ^ 1));
    };
    assert!(counter.audit(&counter.certificate(&partition, shifted)).is_err());
}

#[test]
fn each_byte_matters() {
    let text = "var b : bool; while b do b := any od; fin property p: ctl AF !b;";
    let small = Read::new(text, &[]);
    let bytes = small.certificate(&small.statements(), |_| {});
    assert_eq!(small.audit(&bytes), Ok(vec![Some(false)]));
    for place in 0..bytes.len() {
        for bit in 0..8 {
            let mut changed = bytes.clone();
            changed[place] ^= 1 << bit;
            assert!(small.audit(&changed).is_err(), "bit {bit} of byte {place}");
        }
        assert!(small.audit(&bytes[..place]).is_err(), "{place} bytes");
    }
    assert!(small.audit(&[&bytes[..], &[0]].concat()).is_err());
}

#[test]
fn no_lie_gets_through_with_a_right_checksum() {
    let text = "var x : 0..2 := 0; while x < 2 do x := any od; fin property p: ctl EF x = 2 & !EX EG x = 1;";
    let small = Read::new(text, &[]);
    let bytes = small.certificate(&small.statements(), |_| {});
    let (head, end) = ("tertium certificate\n".len() + 1, bytes.len() - 8);
    assert_eq!(small.audit(&bytes), Ok(vec![Some(true)]));
    for (place, bit) in (head..end).flat_map(|place| (0..8).map(move |bit| (place, bit))) {
        let mut changed = bytes[..end].to_vec();
        changed[place] ^= 1 << bit;
        Checksum::seal(&mut changed);
        let audited = small.audit(&changed);
        assert!(audited.is_err() || audited == Ok(vec![Some(true)]) || audited == Ok(vec![None]));
    }
}

#[test]
fn nor_does_one_in_bytes_that_were_shuffled() {
    let counter = Read::new(COUNTER, &[]);
    let bytes = counter.certificate(&counter.statements(), |_| {});
    let (head, end) = ("tertium certificate\n".len() + 9, bytes.len() - 8);
    let right = counter.audit(&bytes).expect("valid");
    for seed in 0..2000 {
        let mut rng = Rng::new(seed);
        let mut changed = bytes[..end].to_vec();
        for _ in 0..rng.between(1, 4) {
            let place = rng.between(head, changed.len() - 1);
            match rng.below(3) {
                0 => changed[place] = rng.below(256) as u8,
                1 => changed.insert(place, rng.below(8) as u8),
                _ => drop(changed.remove(place)),
            }
        }
        Checksum::seal(&mut changed);
        let Ok(verdicts) = counter.audit(&changed) else { continue };
        let is_right =
            |(said, right): (&Option<bool>, &Option<bool>)| said.is_none() || said == right;
        assert!(verdicts.iter().zip(&right).all(is_right), "{seed}: {verdicts:?}");
    }
}

const HOLE: &str = "\
var x : 0..3 := 0; var y : 0..3 := 0;
part: hole net(x);
y := x;
done: fin
property alone: ctl AG y = x | EF y != 4;
property ends: ctl AF at_done;
property small: ctl AG x < 3;
property at: ctl AX !at_part;
";

#[test]
fn holes_leave_open_what_they_may_do() {
    let verdicts = |assumptions: &[&str]| {
        let hole = Read::new(HOLE, assumptions);
        hole.audit(&hole.certificate(&hole.statements(), |_| {}))
    };
    assert_eq!(verdicts(&[]), Ok(vec![Some(true), None, None, None]));
    assert_eq!(verdicts(&["net: AF end"]), Ok(vec![Some(true), Some(true), None, None]));
    let both = verdicts(&["net: AG x < 3 & AF end"]);
    assert_eq!(both, Ok(vec![Some(true), Some(true), Some(true), None]));
}

#[test]
fn what_rests_on_an_assumption_needs_it() {
    let assumed = Read::new(HOLE, &["net: AF end"]);
    let bytes = assumed.certificate(&assumed.statements(), |_| {});
    let head = ModularHead::read(&mut Reader::new(&bytes[..]).expect("a reader")).expect("a head");
    assert_eq!(head.assumptions, ["net: AF end"]);
    refused(Read::new(HOLE, &[]).audit(&bytes), "does not imply the claim");
}

/// Checks what the prover finds, and that nothing else can be claimed.
fn check(read: &Read, rng: &mut Rng) -> Vec<Option<bool>> {
    let partition = Partition::new(&read.document.program, &mut RandomCuts::new(rng));
    let verdicts = read.audit(&read.certificate(&partition, |_| {})).expect("valid");
    let flipped = |made: &mut Made| {
        made.verdicts.iter_mut().for_each(|verdict| *verdict = Some(!verdict.unwrap_or(true)));
    };
    assert!(read.audit(&read.certificate(&partition, flipped)).is_err());
    let number = rng.below(1 << 20);
    let mut is_grown = false;
    let grown = |made: &mut Made| {
        let all = made.levels.iter_mut().flatten().flat_map(|claim| &mut claim.sets);
        let mut missing: Vec<&mut bool> = all.flatten().filter(|is_in| !**is_in).collect();
        let count = missing.len();
        if count > 0 {
            *missing[number % count] = true;
            is_grown = true;
        }
    };
    let bytes = read.certificate(&partition, grown);
    assert!(!is_grown || read.audit(&bytes).is_err());
    verdicts
}

#[test]
fn verdicts_on_random_programs_are_those_of_the_oracle() {
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let size = if seed % 3 == 0 { Size::small().with_procedures() } else { Size::small() };
        let program = random_program(&mut rng, size);
        let formula = random_ctl(&mut rng, &program, 6);
        let text = format!("{}\nproperty p: ctl {};\n", program.text(), formula.text(&program));
        let verdicts = check(&Read::new(&text, &[]), &mut rng);
        assert_eq!(verdicts, [Some(Oracle::new(&program).holds(&formula))], "{seed}: {text}");
    }
}

#[test]
fn random_programs_with_holes() {
    let mut decided = 0;
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        let program = random_program(&mut rng, Size::small().with_holes());
        let formula = random_ctl(&mut rng, &program, 6);
        let text = format!("{}\nproperty p: ctl {};\n", program.text(), formula.text(&program));
        let assumptions: Vec<String> = match seed % 2 {
            0 => Vec::new(),
            _ => program.holes().iter().map(|(name, _)| format!("{name}: AF end")).collect(),
        };
        let assumptions: Vec<&str> = assumptions.iter().map(String::as_str).collect();
        let verdicts = check(&Read::new(&text, &assumptions), &mut rng);
        decided += verdicts.iter().flatten().count();
    }
    assert!((10..100).contains(&decided), "{decided}");
}
