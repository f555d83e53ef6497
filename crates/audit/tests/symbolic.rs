//! Certificates of BDDs made by hand, and for each condition one that breaks it and nothing else.

use audit::format::{CLAIM, CLOSE, CertificateKind, END, KEEP, OBLIGATION, OPEN, PROVE, number};
use audit::symbolic::SymbolicSubject;
use audit::{AfterDeadlock, Claim, Reader};
use logic::{Family, Formula, Node, NodeId, Signature};
use std::sync::Arc;
use support::{FileId, Monitor};
use testkit::{SmvDocument, read_smv};

/// Counts to 3 and stays there, if it goes on at all. An input of three values, and a variable that nothing
/// depends on.
const COUNTER: &str = "\
MODULE main
VAR x : 0..3; other : boolean;
IVAR go : 0..2;
ASSIGN init(x) := 0; next(x) := case go = 0 | x = 3 : x; TRUE : x + 1; esac;
MUSPEC mu Y. x = 3 | <> Y
MUSPEC nu Z. x <= 3 & [] Z
MUSPEC nu Z. x < 3 & <> Z
MUSPEC nu Z. mu Y. <> (x = 3 & Z) | <> Y
MUSPEC mu Y. x = 3 | [] Y
";

/// `x` and `go` have two bits each. All claims here name them in the same order, from above.
const ORDER: [(u64, u64); 4] = [(0, 1), (0, 0), (2, 1), (2, 0)];

/// Step that a test writes.
enum Step<'a> {
    Show(usize, &'a [u8]),
    Open(u64),
    Suppose(usize, &'a [u8]),
    Close,
    Keep(&'a [u8]),
    Raw(&'a [u64]),
}

use Step::{Close, Keep, Open, Raw, Show, Suppose};

struct Counter {
    document: SmvDocument,
    formula: Formula,
}

impl Counter {
    /// With the specification of this number.
    fn new(text: &str, index: usize) -> Self {
        let text: Arc<str> = text.into();
        let document = read_smv(FileId(0), &text).expect("a document");
        let Ok(surface) = &document.specifications[index].formula else { panic!("no formula") };
        let props = document.propositions.iter().map(|property| &*property.name).collect();
        let signature = Signature { family: Family::Props, props: &props, actions: &[] };
        let formula = logic::compile(surface, &signature, &mut Vec::new()).expect("a formula");
        Self { document, formula }
    }

    /// The variables of the formula, outer ones first as they are written.
    fn variable(&self, number: usize) -> NodeId {
        let nodes = self.formula.nodes();
        let is_it = |node: Node| matches!(node, Node::Var(var) if var.0 as usize == number);
        nodes.into_iter().find(|&(_, node)| is_it(node)).expect("a variable").0
    }

    fn file(&self, verdict: bool, order: &[(u64, u64)], steps: &[Step]) -> Vec<u8> {
        let mut out = CertificateKind::Symbolic.header(self.document.machine.digest());
        number(&mut out, CLAIM);
        Claim::new("p", &self.formula, AfterDeadlock::Ends, verdict).write(&mut out);
        number(&mut out, order.len() as u64);
        order.iter().for_each(|&(var, bit)| [var, bit].iter().for_each(|n| number(&mut out, *n)));
        for step in steps {
            match step {
                Show(var, set) | Suppose(var, set) => {
                    let is_shown = matches!(step, Show(..));
                    number(&mut out, if is_shown { PROVE } else { OBLIGATION });
                    number(&mut out, u64::from(self.variable(*var).0));
                    write_set(&mut out, set);
                }
                Open(level) => [OPEN, *level].iter().for_each(|n| number(&mut out, *n)),
                Close => number(&mut out, CLOSE),
                Keep(set) => {
                    number(&mut out, KEEP);
                    write_set(&mut out, set);
                }
                Raw(numbers) => numbers.iter().for_each(|n| number(&mut out, *n)),
            }
        }
        number(&mut out, END);
        number(&mut out, END);
        out
    }

    fn audit_bytes(&self, bytes: &[u8]) -> Result<(), String> {
        let labels = &self.document.propositions;
        let machine = &self.document.machine;
        let subject = SymbolicSubject { machine, labels, conditions: &[], most_nodes: 1 << 20 };
        let audit = || {
            let mut reader = Reader::new(bytes)?;
            while let Some(claim) = reader.claim()? {
                let monitor = Monitor::new();
                audit::symbolic::audit(&subject, &self.formula, &claim, &mut reader, &monitor)?;
            }
            Ok(())
        };
        audit().map_err(|fault: audit::AuditError| fault.to_string())
    }

    fn audit(&self, verdict: bool, steps: &[Step]) -> Result<(), String> {
        self.audit_bytes(&self.file(verdict, &ORDER, steps))
    }
}

/// The states with these values of `x`, in three new nodes: the low bit under a high bit of 1 and under one of
/// 0, and the high bit.
fn write_set(out: &mut Vec<u8>, values: &[u8]) {
    let constant = |value: u8| if values.contains(&value) { 0 } else { 1 };
    let nodes = [1, constant(3), constant(2), 1, constant(1), constant(0), 0, 4, 2];
    number(out, 3);
    nodes.into_iter().for_each(|n| number(out, n));
    number(out, 2);
}

fn refused(audited: Result<(), String>, why: &str) {
    let error = audited.expect_err("refused");
    assert!(error.contains(why), "{error}");
}

#[test]
fn a_least_fixpoint_is_shown_in_rings() {
    let reaches = Counter::new(COUNTER, 0);
    let rings = [Show(0, &[3]), Show(0, &[2, 3]), Show(0, &[1, 2, 3]), Show(0, &[0, 1, 2, 3])];
    assert_eq!(reaches.audit(true, &rings), Ok(()));
    // Each new part is enough.
    assert_eq!(
        reaches.audit(true, &[Show(0, &[3]), Show(0, &[2]), Show(0, &[1]), Show(0, &[0])]),
        Ok(())
    );
}

#[test]
fn no_ring_may_be_missing() {
    let reaches = Counter::new(COUNTER, 0);
    let rings = [Show(0, &[3]), Show(0, &[1, 2, 3])];
    refused(reaches.audit(true, &rings), "step 2: it does not follow everywhere");
    refused(
        reaches.audit(true, &[Show(0, &[3]), Show(0, &[2])]),
        "it is not proved that the formula is true",
    );
}

#[test]
fn what_is_left_out_of_a_set_is_not_shown() {
    refused(Counter::new(COUNTER, 0).audit(true, &[]), "it is not proved that the formula is true");
    refused(
        Counter::new(COUNTER, 0).audit(false, &[]),
        "it is not proved that the formula is false",
    );
}

#[test]
fn a_greatest_fixpoint_is_assumed() {
    let stays = Counter::new(COUNTER, 1);
    let all: &[u8] = &[0, 1, 2, 3];
    assert_eq!(stays.audit(true, &[Open(0), Suppose(0, all), Close]), Ok(()));
    refused(
        stays.audit(true, &[Open(0), Suppose(0, &[0, 1, 2]), Close]),
        "step 3: it does not follow",
    );
    refused(stays.audit(true, &[Open(0), Suppose(0, all)]), "a bracket is left open");
    refused(stays.audit(true, &[Suppose(0, all), Close]), "no such bracket is open");
}

#[test]
fn a_set_that_is_too_large_does_not_follow() {
    let low = Counter::new(COUNTER, 2);
    // `go = 0` stays.
    assert_eq!(low.audit(true, &[Open(0), Suppose(0, &[0, 1, 2]), Close]), Ok(()));
    refused(low.audit(true, &[Open(0), Suppose(0, &[0, 3]), Close]), "step 3: it does not follow");
}

#[test]
fn an_assumed_least_fixpoint_is_refused() {
    let unavoidable = Counter::new(COUNTER, 4);
    // It may wait for ever: nothing but 3 can be shown, and the opposite can.
    refused(unavoidable.audit(true, &[Show(0, &[3]), Show(0, &[2, 3])]), "it does not follow");
    refused(unavoidable.audit(true, &[Open(1), Suppose(0, &[0]), Close]), "because of priority 1");
    refused(unavoidable.audit(true, &[Open(0), Suppose(0, &[0]), Close]), "too high a priority");
    assert_eq!(unavoidable.audit(false, &[Open(1), Suppose(0, &[0, 1, 2]), Close]), Ok(()));
    refused(unavoidable.audit(false, &[Open(1), Suppose(0, &[0, 3]), Close]), "it does not follow");
}

#[test]
fn fixpoints_in_each_other_are_shown_in_brackets() {
    let again = Counter::new(COUNTER, 3);
    let all: &[u8] = &[0, 1, 2, 3];
    let rings = |last: &'static [u8]| [Show(1, &[2, 3]), Show(1, &[1, 2, 3]), Show(1, last)];
    let [a, b, c] = rings(all as _).map(|step| step);
    assert_eq!(again.audit(true, &[Open(2), Suppose(0, all), a, b, c, Close]), Ok(()));
    let [a, b, _] = rings(all as _);
    refused(
        again.audit(true, &[Open(2), Suppose(0, all), a, b, Close]),
        "step 5: it does not follow",
    );
    refused(again.audit(true, &[Show(1, &[2, 3])]), "step 1: it does not follow");
}

#[test]
fn the_bits_are_those_of_a_part_of_the_machine() {
    let stays = Counter::new(COUNTER, 1);
    let steps = [Open(0), Suppose(0, &[0, 1, 2, 3]), Close];
    let with = |order: &[(u64, u64)]| stays.audit_bytes(&stays.file(true, order, &steps));
    // The other variable may be there or not.
    let mut more = ORDER.to_vec();
    more.push((1, 0));
    assert_eq!(with(&more), Ok(()));
    refused(with(&ORDER[..2]), "not closed under dependencies");
    refused(with(&[ORDER[0], ORDER[1], ORDER[2], ORDER[2]]), "not closed under dependencies");
    refused(with(&[(7, 0)]), "a variable that is not there");
    refused(with(&[(0, 2)]), "a bit that the variable does not have");
}

#[test]
fn malformed_sets_are_reported_with_their_position() {
    let reaches = Counter::new(COUNTER, 0);
    let y = u64::from(reaches.variable(0).0);
    let raw = |numbers: &[u64]| reaches.audit(true, &[Raw(numbers)]);
    refused(raw(&[PROVE, y, 1, 9, 0, 1, 2]), "a bit that the certificate does not name");
    refused(raw(&[PROVE, y, 1, 2, 0, 1, 2]), "a bit of an input in a set of states");
    refused(raw(&[PROVE, y, 1, 0, 4, 1, 2]), "a node that is not there");
    refused(raw(&[PROVE, 999, 0, 0]), "a subformula that is not there");
    refused(raw(&[PROVE, u64::from(reaches.formula.root().0), 0, 0]), "is no variable");
    refused(raw(&[9]), "an unknown kind of proof step");
    let error = raw(&[PROVE, y, 1, 9, 0, 1, 2]).expect_err("refused");
    assert!(error.starts_with("byte "), "{error}");
}

/// Divides by what may be 0.
const DIVIDES: &str = "\
MODULE main
VAR x : 0..3; y : 0..3;
ASSIGN init(x) := 0; next(x) := {0, 1}; init(y) := 0; next(y) := case x = 2 : 3 / (x - 2); TRUE : y; esac;
MUSPEC nu Z. x <= 3 & [] Z
";

#[test]
fn it_is_shown_that_nothing_goes_wrong() {
    let divides = Counter::new(DIVIDES, 0);
    let order = [(0, 1), (0, 0), (1, 1), (1, 0)];
    let with = |steps: &[Step]| divides.audit_bytes(&divides.file(true, &order, steps));
    // The value of `y` is in no set here.
    let shown = || [Open(0), Suppose(0, &[0, 1]), Close];
    let [a, b, c] = shown();
    assert_eq!(with(&[Keep(&[0, 1]), a, b, c]), Ok(()));
    refused(with(&shown()), "it is not proved that all expressions are defined");
    let [a, b, c] = shown();
    refused(with(&[Keep(&[0]), a, b, c]), "a step leaves the states");
    let [a, b, c] = shown();
    refused(with(&[Keep(&[1]), a, b, c]), "an initial state is not among");
    let [a, b, c] = shown();
    refused(with(&[Keep(&[0, 1, 2]), a, b, c]), "an expression has no value");
}

#[test]
fn another_system_and_another_version_are_reported() {
    let reaches = Counter::new(COUNTER, 0);
    let other = Counter::new(&COUNTER.replace("init(x) := 0", "init(x) := 1"), 0);
    let bytes = reaches.file(true, &ORDER, &[Show(0, &[3])]);
    refused(other.audit_bytes(&bytes), "about another system");
    let mut bytes = bytes;
    bytes["tertium certificate symbolic ".len()] = b'7';
    refused(reaches.audit_bytes(&bytes), "version 7");
}

#[test]
fn subformulas_of_several_others_are_looked_into_once() {
    let equivalence =
        |inner: String, number: usize| format!("((<> x = {}) <-> {inner})", number % 2);
    let nested = (0..60).fold("x = 0".to_owned(), equivalence);
    let text = format!("{}MUSPEC {nested}\n", COUNTER.split_once("MUSPEC").expect("a machine").0);
    let counter = Counter::new(&text, 0);
    assert_eq!(counter.audit(true, &[Keep(&[0, 1, 2, 3])]), Ok(()));
    refused(
        counter.audit(false, &[Keep(&[0, 1, 2, 3])]),
        "it is not proved that the formula is false",
    );
}
