//! Certificates of linear time that are changed part by part: what the auditor still accepts is right all the same.

use crate::certified::{answer, question};
use audit::format::Checksum;
use std::cell::RefCell;
use std::collections::BTreeMap;
use tertium::{Logic, Model, Verdict, certify};
use testkit::{Rng, for_seeds};

/// The only claim of a certificate, field by field.
#[derive(Clone)]
struct Parts {
    /// The header and, of some kinds, an order of bits.
    before: Vec<u8>,
    property: String,
    logic: u64,
    formula: String,
    normal_form: NormalForm,
    deadlock: u64,
    verdict: u64,
    proof: Vec<u64>,
    is_sealed: bool,
}

/// By subformula its tag and what follows it, and the number of the formula itself.
#[derive(Clone)]
struct NormalForm {
    nodes: Vec<Vec<u64>>,
    root: u64,
}

fn number(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for place in 0..9 {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << (7 * place);
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

fn write(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn text(bytes: &mut &[u8]) -> Option<String> {
    let length = number(bytes)? as usize;
    let (text, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    String::from_utf8(text.to_vec()).ok()
}

fn write_text(out: &mut Vec<u8>, text: &[u8]) {
    write(out, text.len() as u64);
    out.extend_from_slice(text);
}

impl NormalForm {
    fn read(mut bytes: &[u8]) -> Option<Self> {
        let bytes = &mut bytes;
        let mut nodes = Vec::new();
        for _ in 0..number(bytes)? {
            let mut node = vec![number(bytes)?];
            let operands = match node[0] {
                0 | 1 => 0,
                2 | 3 | 8 => 1,
                4 | 5 | 9 | 10 => 2,
                _ => 3,
            };
            for _ in 0..operands {
                node.push(number(bytes)?);
            }
            if let [6 | 7, _, _, names] = node[..] {
                for _ in 0..names {
                    let name = text(bytes)?;
                    node.push(name.len() as u64);
                    node.extend(name.bytes().map(u64::from));
                }
            }
            nodes.push(node);
        }
        let root = number(bytes)?;
        bytes.is_empty().then_some(Self { nodes, root })
    }

    fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        write(&mut out, self.nodes.len() as u64);
        self.nodes.iter().flatten().for_each(|&value| write(&mut out, value));
        write(&mut out, self.root);
        out
    }

    /// Changes one subformula, or which one is meant.
    fn change(&mut self, rng: &mut Rng) {
        let place = rng.below(self.nodes.len());
        let lower = rng.below(place.max(1)) as u64;
        let node = &mut self.nodes[place];
        match (rng.below(4), node[0]) {
            // The dual.
            (0 | 1, 0 | 2 | 4 | 6) => node[0] += 1,
            (0 | 1, 1 | 3 | 5 | 7 | 10) => node[0] -= 1,
            (0 | 1, 9) => node[0] += 1,
            (2, 4 | 5) => node[rng.between(1, 2)] = lower,
            (2, 6 | 7) => node[rng.between(1, 2)] ^= 1,
            (2, 2 | 3 | 8) => node[1] ^= 1,
            (2, 9 | 10) => node[2] = lower,
            (3, _) if place > 0 => self.nodes[place] = self.nodes[lower as usize].clone(),
            _ => self.root = lower,
        }
    }
}

impl Parts {
    /// Takes a certificate apart that has one claim about this property.
    fn read(bytes: &[u8], property: &str) -> Option<Self> {
        let kind = bytes.strip_prefix(b"tertium certificate ")?;
        let is_sealed = !kind.starts_with(b"explicit") && !kind.starts_with(b"symbolic");
        let end = bytes.len() - if is_sealed { 8 } else { 0 };
        let mut named = Vec::new();
        write_text(&mut named, property.as_bytes());
        // The name, the logic, and the formula, which is its own name.
        let is_start = |start: &usize| {
            let rest = bytes[*start..].strip_prefix(&named[..]);
            rest.is_some_and(|rest| rest.len() > 1 && rest[0] < 5 && rest[1..].starts_with(&named))
        };
        let start = (0..end).find(is_start)?;
        let mut rest = &bytes[start..end];
        let rest = &mut rest;
        let (property, logic, formula) = (text(rest)?, number(rest)?, text(rest)?);
        let length = number(rest)? as usize;
        let (normal_form, after) = rest.split_at_checked(length)?;
        let normal_form = NormalForm::read(normal_form)?;
        *rest = after;
        let (deadlock, verdict) = (number(rest)?, number(rest)?);
        let mut proof = Vec::new();
        while !rest.is_empty() {
            proof.push(number(rest)?);
        }
        let before = bytes[..start].to_vec();
        Some(Self {
            before,
            property,
            logic,
            formula,
            normal_form,
            deadlock,
            verdict,
            proof,
            is_sealed,
        })
    }

    fn bytes(&self) -> Vec<u8> {
        let mut out = self.before.clone();
        write_text(&mut out, self.property.as_bytes());
        write(&mut out, self.logic);
        write_text(&mut out, self.formula.as_bytes());
        write_text(&mut out, &self.normal_form.bytes());
        write(&mut out, self.deadlock);
        write(&mut out, self.verdict);
        self.proof.iter().for_each(|&value| write(&mut out, value));
        if self.is_sealed {
            Checksum::seal(&mut out);
        }
        out
    }

    /// Changes a number of the proof, or leaves out, repeats or exchanges some.
    fn change_proof(&mut self, rng: &mut Rng) {
        let count = self.proof.len();
        if count == 0 {
            return;
        }
        let place = rng.below(count);
        let other = rng.below(count);
        match rng.below(6) {
            0 => self.proof[place] ^= 1,
            1 => self.proof[place] += rng.between(1, 3) as u64,
            2 => self.proof[place] = self.proof[place].saturating_sub(1),
            3 => drop(self.proof.remove(place)),
            4 => self.proof.swap(place, other),
            _ => self.proof.truncate(place),
        }
    }
}

const FORGERIES: [&str; 8] = [
    "byte",
    "digest",
    "normal form",
    "verdict",
    "deadlock",
    "proof",
    "other formula",
    "other model",
];

/// A certificate that was changed in this part. The other one is of another formula or model.
fn forge(rng: &mut Rng, part: &str, own: &Parts, other: &Parts) -> Vec<u8> {
    let mut parts = own.clone();
    match part {
        "byte" => {
            let mut bytes = own.bytes();
            let end = bytes.len() - if own.is_sealed { 8 } else { 0 };
            let place = rng.below(end);
            bytes[place] ^= 1 << rng.below(8);
            if own.is_sealed {
                bytes.truncate(end);
                Checksum::seal(&mut bytes);
            }
            return bytes;
        }
        "digest" => {
            let first = own.before.iter().position(|&byte| byte == b'\n').expect("a first line");
            parts.before[first + rng.between(1, 8)] ^= 1 << rng.below(8);
        }
        "normal form" => (0..rng.between(1, 3)).for_each(|_| parts.normal_form.change(rng)),
        "verdict" => parts.verdict ^= 1,
        "deadlock" => parts.deadlock ^= 1,
        "proof" => (0..rng.between(1, 2)).for_each(|_| parts.change_proof(rng)),
        // A right certificate in which another formula stands, or that is said to be about another model.
        "other formula" => {
            let (logic, formula) = (own.logic, own.formula.clone());
            parts = Parts { property: own.property.clone(), logic, formula, ..other.clone() };
        }
        _ => parts = Parts { before: own.before.clone(), ..other.clone() },
    }
    parts.bytes()
}

fn forged(name: &str, seeds: std::ops::Range<u64>, wanted: u32) {
    // By part: refused, and what shows the verdict all the same.
    let counts: RefCell<BTreeMap<&str, [u32; 2]>> = RefCell::default();
    for_seeds(name, seeds, |rng, case| {
        let (language, text, asked, method) = question(rng);
        let (logic, formula) = &asked;
        case.note(format!("{text}\n-- {method} {} {formula}", logic.name()));
        let parts = |text: &str,
                     asked: &(Logic, String)|
         -> Result<Option<(Verdict, Option<Parts>)>, String> {
            let Some(answer) = answer(language, text, asked, method)? else { return Ok(None) };
            let bytes = match answer.verdict().is_definite() && answer.not_certified().is_none() {
                true => answer.certificate().map_err(|error| error.to_string())?,
                false => return Ok(Some((answer.verdict(), None))),
            };
            let parts = Parts::read(&bytes, answer.property().name());
            let parts = parts.ok_or("the certificate is not as documented")?;
            match parts.bytes() == bytes {
                true => {}
                // Of a proof over integers not everything is a number of one word.
                false if language == "while" => return Ok(Some((answer.verdict(), None))),
                false => return Err("the certificate was read in a wrong way".to_owned()),
            }
            Ok(Some((answer.verdict(), Some(parts))))
        };
        let Some((verdict, Some(own))) = parts(&text, &asked)? else { return Ok(()) };
        let model = Model::read(language, "model", &text).map_err(|error| error.to_string())?;
        let others = |rng: &mut Rng, is_same_language: &str| loop {
            let (other, text, asked, _) = question(rng);
            if other == is_same_language {
                return (text, asked);
            }
        };
        for round in 0..32 {
            let part = FORGERIES[round % FORGERIES.len()];
            let (other_text, other_asked) = others(rng, language);
            let other = match part {
                "other formula" => parts(&text, &other_asked)?,
                "other model" => parts(&other_text, &asked).unwrap_or(None),
                _ => None,
            };
            let other = match (part, other) {
                (_, Some((_, Some(other)))) => other,
                ("other formula" | "other model", _) => continue,
                _ => own.clone(),
            };
            let bytes = forge(rng, part, &own, &other);
            if bytes == own.bytes() {
                continue;
            }
            let found = certify(&model, &bytes).ok().filter(|found| found.is_valid());
            // A claim about another formula of the command line is one of its own.
            let claims = found.iter().flat_map(|found| &found.claims);
            let shown: Vec<bool> = claims
                .filter(|claim| claim.property == own.property)
                .map(|claim| claim.verdict)
                .collect();
            if shown.iter().any(|&shown| shown != (verdict == Verdict::True)) {
                return Err(format!("{part}: {} is shown, and it is {verdict}", shown[0]));
            }
            counts.borrow_mut().entry(part).or_default()[usize::from(!shown.is_empty())] += 1;
        }
        Ok(())
    });
    let counts = counts.into_inner();
    println!("refused, still right: {counts:?}");
    let refused: u32 = counts.values().map(|count| count[0]).sum();
    println!("{refused} refused");
    assert!(refused >= wanted, "{refused} of {wanted}");
    assert!(FORGERIES.iter().all(|part| counts.get(part).is_some_and(|count| count[0] > 0)));
}

#[test]
fn forged_certificates_show_nothing_wrong() {
    forged("forged-linear-time", 0..20, 300);
}

#[test]
#[ignore = "minutes: 20,000 certificates refused"]
fn many_forged_certificates_show_nothing_wrong() {
    forged("many-forged-linear-time", 1_000_000..1_001_500, 20_000);
}
