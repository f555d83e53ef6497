//! Certificates about programs over integers: what they are checked against.

use super::subject::{Subject, meanings};
use crate::input::{self, Trouble};
use arithmetic::Solver;
use audit::{Audited, Claim, Fault, Reader, integers};
use base::{Diagnostic, FileId, Interner, Monitor};
use front::{EitherDocument, IntegerDocument, SmvQuestion};
use logic::{Family, Formula, Node, PropId, Signature};
use predicates::Proposition;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// A program over integers that certificates are checked against, as it was read.
pub struct Auditing {
    text: Arc<str>,
    document: IntegerDocument,
}

/// What is wrong, with the property that it is wrong with.
type Wrong = (String, Fault);

impl Auditing {
    pub fn read(path: &Path, monitor: &Monitor) -> Result<Self, Trouble> {
        let text: Arc<str> = input::read_text(path, input::open(path)?, monitor)?.into();
        let sources = || {
            let mut sources = base::SourceMap::new();
            sources.add(input::name_of(path), text.clone());
            Box::new(sources)
        };
        match read(&text, &[]).map_err(|errors| Trouble::Faults(errors, sources()))? {
            Some(document) => Ok(Self { text, document }),
            None => Err(about_integers()),
        }
    }

    /// The program that was checked, from its text.
    pub fn again(subject: &Subject) -> Result<Self, Fault> {
        let text = subject.sources.files()[0].text.clone();
        match read(&text, &[]) {
            Ok(Some(document)) => Ok(Self { text, document }),
            Ok(None) => Err(Fault::Invalid("it is about another program".to_owned())),
            Err(errors) => Err(unreadable(&errors)),
        }
    }

    /// Checks claim after claim, as long as they are right.
    pub fn audit(
        &self,
        mut reader: Reader<impl Read>,
        solver: &mut dyn Solver,
        monitor: &Monitor,
        is_right: &mut dyn FnMut(&Claim, Audited),
    ) -> Result<(), Wrong> {
        let of_all = |fault| (String::new(), fault);
        let invariant = self.document.invariant();
        let about = Subjects { document: &self.document, invariant: &invariant };
        about.subject(&[]).is_meant_by(&reader).map_err(of_all)?;
        while let Some((claim, names)) = reader.claim_about_integers().map_err(of_all)? {
            let audited = self.question(&claim, &names).and_then(|(formula, propositions)| {
                let subject = about.subject(&propositions);
                integers::audit(&subject, &formula, &claim, &mut reader, solver, monitor)
            });
            match audited {
                Ok(audited) => is_right(&claim, audited),
                Err(fault) => return Err((claim.property, fault)),
            }
        }
        Ok(())
    }

    /// The formula of a claim over the propositions that it names, and what these mean.
    fn question(
        &self,
        claim: &Claim,
        names: &[String],
    ) -> Result<(Formula, Vec<(String, Proposition)>), Fault> {
        let document = self.asked(claim)?;
        let property = document.properties.iter().find(|known| known.title() == claim.property);
        let property = property.ok_or_else(|| {
            Fault::Invalid("there is no property of this name in the file".to_owned())
        })?;
        let props: Interner<PropId> = names.iter().map(|name| &**name).collect();
        let signature = Signature { family: Family::Props, props: &props, actions: &[] };
        let formula = logic::compile(&property.surface, &signature, &mut Vec::new())
            .map_err(|errors| unreadable(&errors))?;
        let mut known = meanings(&document);
        let mut meaning = |(number, name): (u32, &String)| {
            let is_asked = |(_, node)| matches!(node, Node::Lit(prop, _) if prop == PropId(number));
            let place = known.iter().position(|(other, _)| other == name);
            match place {
                Some(place) => Ok(known.swap_remove(place)),
                // It belongs to another question, and nobody asks for it here.
                None if !formula.nodes().any(is_asked) => {
                    Ok((name.clone(), Proposition::At(Vec::new())))
                }
                None => Err(Fault::Invalid(format!("the file says nothing of `{name}`"))),
            }
        };
        let propositions = (0..).zip(names).map(&mut meaning).collect::<Result<_, _>>()?;
        Ok((formula, propositions))
    }

    /// The program with the property that a claim is about: one of the file, or a formula of the command line, which
    /// is its own name.
    fn asked(&self, claim: &Claim) -> Result<IntegerDocument, Fault> {
        let is_known = self.document.properties.iter().any(|p| p.title() == claim.property);
        if is_known || claim.property != claim.formula {
            return Ok(self.document.clone());
        }
        let (logic, text) = (claim.logic, claim.formula.as_str().into());
        let question = SmvQuestion { logic, file: FileId(1), text };
        match read(&self.text, &[question]) {
            Ok(Some(document)) => Ok(document),
            Ok(None) => Ok(self.document.clone()),
            Err(errors) => Err(unreadable(&errors)),
        }
    }
}

/// What claims are checked against, whatever they are about.
struct Subjects<'a> {
    document: &'a IntegerDocument,
    invariant: &'a predicates::Condition,
}

impl<'a> Subjects<'a> {
    fn subject(&self, propositions: &'a [(String, Proposition)]) -> integers::Subject<'a> {
        let start = &self.document.start;
        integers::Subject {
            program: &self.document.program,
            start: (start.place, &start.condition),
            invariant: self.invariant,
            propositions,
        }
    }
}

/// Nothing if the program is not over integers.
fn read(
    text: &Arc<str>,
    asked: &[SmvQuestion],
) -> Result<Option<IntegerDocument>, Vec<Diagnostic>> {
    match front::read_either_asking(FileId(0), text, asked)? {
        EitherDocument::Integers(document) => Ok(Some(*document)),
        EitherDocument::Finite(_) => Ok(None),
    }
}

pub fn about_integers() -> Trouble {
    Trouble::message("the certificate is about a program over integers")
        .with_help("give the file that was checked")
}

fn unreadable(diagnostics: &[Diagnostic]) -> Fault {
    let first = diagnostics.first().map_or("", |diagnostic| &diagnostic.message);
    Fault::Invalid(format!("its formula says nothing of this program: {first}"))
}
