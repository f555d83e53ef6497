//! Any bytes are a certificate that shows something right, or a fault.

#![no_main]

use audit::modular::ModularHead;
use audit::{AfterDeadlock, AuditError, CertificateKind, Claim, ExplicitSubject, Reader};
use explicit::certificate::{self, Evidence, Steps};
use logic::{Formula, Logic, Signature, Truth};
use model::System;
use std::sync::LazyLock;
use support::{FileId, Monitor};

const SYSTEM: &str = "component M gkmts { props p, q; init a;
    a: {p, q?} -> b ?> c; b: {!p, q} -> a, c !> {a, b}; c: {p, !q} -> c !> b; }";
const FORMULA: &str = "nu X. mu Y. (p & <> X | [] Y & (mu Z. q | [] Z))";

static QUESTION: LazyLock<(System, Formula, Truth)> = LazyLock::new(|| {
    let (system, text) = (SYSTEM.into(), FORMULA.into());
    let read = testkit::read_tm(FileId(0), &system, &Monitor::new(), &mut |_| Err(String::new()));
    let system = read.expect("a document").system.expect("a system");
    let surface = front::parse_formula(Logic::Mu, FileId(0), &text, 0..text.len());
    let (props, family) = (system.props(), system.family());
    let signature = Signature { family, props: &props, actions: &[] };
    let formula = logic::compile(&surface.expect("a formula"), &signature, &mut Vec::new());
    let formula = formula.expect("the names are there");
    let values = testkit::reference::evaluate(&system.components[0].model, &formula);
    let value = values.truth(formula.root(), 0).expect("no contradiction");
    (system, formula, value)
});

fn audit(certificate: &[u8]) -> Result<(), AuditError> {
    let (system, formula, value) = &*QUESTION;
    let monitor = Monitor::new();
    let mut subject = ExplicitSubject::new(system);
    let mut reader = Reader::new(fuzz::Trickle(certificate))?;
    while let Some(claim) = reader.claim()? {
        audit::audit(&mut subject, formula, &claim, &mut reader, &monitor)?;
        assert_eq!(Truth::from(claim.verdict), *value);
    }
    Ok(())
}

const KINDS: [CertificateKind; 7] = [
    CertificateKind::Explicit,
    CertificateKind::Symbolic,
    CertificateKind::Modular,
    CertificateKind::Integers,
    CertificateKind::Assumption,
    CertificateKind::Components,
    CertificateKind::Recursion,
];

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _ = audit(data);
    for kind in KINDS {
        let certificate = [&kind.header(QUESTION.0.digest()), data].concat();
        let _ = audit(&certificate);
        let reader = || Reader::new(&certificate[..]).expect("the header is right");
        let _ = ModularHead::read(&mut reader());
        let _ = reader().claim_about_integers();
    }
    // The head would take a fuzzer long to guess.
    let (system, formula, _) = &*QUESTION;
    for verdict in [true, false] {
        let mut certificate = Vec::new();
        let claim = Claim::new("p", formula, AfterDeadlock::Ends, verdict);
        certificate::write_start(&mut certificate, system.digest()).expect("a vector takes all");
        certificate::write_claim(&mut certificate, &claim, &Evidence::Direct(Steps::default()))
            .expect("the same");
        certificate.pop();
        certificate.extend_from_slice(data);
        let _ = audit(&certificate);
    }
});
