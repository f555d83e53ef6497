//! Claims about components with explicit states.

use super::{Certification, Refusal, formula_of, of_all, right};
use crate::error::Error;
use crate::explicit_model::ExplicitStates;
use crate::model::Model;
use crate::options::{Options, Semantics};
use crate::property::About;
use crate::transition_system::encoded::most_nodes;
use audit::symbolic::{ComponentsSubject, audit_components};
use audit::{AuditError, Audited, Claim, ExplicitSubject, Reader};
use logic::{Formula, Surface};
use model::System;
use std::sync::Arc;
use support::Monitor;

/// Checks claims about lists of states.
pub(super) fn audit_lists(
    mut reader: Reader<&[u8]>,
    model: &Model,
    monitor: &Monitor,
    found: &mut Certification,
) -> Result<(), Refusal> {
    let is_meant = |system: &System| ExplicitSubject::new(system).is_meant_by(&reader).is_ok();
    let states = meant_states(model, is_meant)?;
    let mut subject = ExplicitSubject::new(&states.system);
    subject.is_meant_by(&reader).map_err(of_all)?;
    audit_claims(&states, (model, monitor), &mut reader, found, |formula, claim, reader| {
        audit::audit(&mut subject, formula, claim, reader, monitor)
    })
}

/// Checks claims about sets of states that are BDDs.
pub(super) fn audit_sets(
    mut reader: Reader<&[u8]>,
    model: &Model,
    options: &Options,
    monitor: &Monitor,
    found: &mut Certification,
) -> Result<(), Refusal> {
    let most_nodes = most_nodes(options.memory);
    let is_meant =
        |system: &System| ComponentsSubject { system, most_nodes }.is_meant_by(&reader).is_ok();
    let states = meant_states(model, is_meant)?;
    let subject = ComponentsSubject { system: &states.system, most_nodes };
    subject.is_meant_by(&reader).map_err(of_all)?;
    audit_claims(&states, (model, monitor), &mut reader, found, |formula, claim, reader| {
        audit_components(&subject, formula, claim, reader, monitor)
    })
}

/// The states that a certificate is about: under the reduced semantics those of the reduction.
fn meant_states(
    model: &Model,
    is_meant: impl Fn(&System) -> bool,
) -> Result<Arc<ExplicitStates>, Error> {
    let states = model.states(Some(Semantics::Sis))?;
    if is_meant(&states.system) { Ok(states) } else { model.states(None) }
}

/// Checks claim after claim, as long as they are right.
fn audit_claims(
    states: &ExplicitStates,
    (model, monitor): (&Model, &Monitor),
    reader: &mut Reader<&[u8]>,
    found: &mut Certification,
    mut audit: impl FnMut(&Formula, &Claim, &mut Reader<&[u8]>) -> Result<Audited, AuditError>,
) -> Result<(), Refusal> {
    let surface = |property: &crate::Property| match property.about() {
        About::Components(surface, _) => Some((property.name().to_owned(), surface.clone())),
        _ => None,
    };
    let properties: Vec<(String, Surface)> =
        model.properties().iter().filter_map(surface).collect();
    let provided = if states.covering.is_some() { ", with `--semantics ris`" } else { "" };
    while let Some(claim) = reader.claim().map_err(of_all)? {
        let audited = formula_of(&claim, states, &properties, monitor)
            .and_then(|formula| audit(&formula, &claim, reader));
        match audited {
            Ok(audited) => found.claims.push(right(&claim, provided, Some(&audited))),
            Err(fault) => return Err(Refusal::Fault(claim.property, fault)),
        }
    }
    Ok(())
}
