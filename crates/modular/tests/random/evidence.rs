//! Evidence is sound: certificates pass the auditor, and paths are paths of the program.

use crate::{EVERYTHING, closure, read, request};
use audit::modular::{About, ModularHead, ModularSubject, NamedFormula, audit};
use audit::recursion::audit as audit_recursion;
use audit::{CertificateKind, Reader};
use logic::{Surface, Truth};
use modular::{
    InMemory, ModularEvidence, ModularRequest, PathState, ProgramPath, certificate, check,
};
use support::Monitor;
use testkit::WhileDocument;
use transition::cfg::{
    Assumed, Cfg, CfgTarget, Closure, CtlAtom, CtlNode, FormulaId, Operator, Partition,
};
use transition::{ExprNode, NodeId};

use testkit::programs::{
    Ctl, PathOperator, Quantifier, RandomCuts, Size, random_ctl, random_program,
};
use testkit::{Rng, for_seeds};

pub fn audited(
    document: &WhileDocument,
    assumed: &[Assumed],
    certificate: &[u8],
) -> Result<Vec<Option<bool>>, String> {
    let mut reader = Reader::new(certificate).map_err(|fault| format!("{fault:?}"))?;
    let head = ModularHead::read(&mut reader).map_err(|fault| format!("{fault:?}"))?;
    let formulas: Vec<Surface> =
        document.properties.iter().map(|property| property.surface().unwrap().clone()).collect();
    let atom = |name: &str| -> Option<CtlAtom> {
        Some(document.propositions.iter().find(|(known, _)| known == name)?.1)
    };
    let subject = ModularSubject {
        program: &document.program,
        formulas: &formulas,
        atom: &atom,
        assumed,
        most_nodes: 1 << 20,
    };
    let monitor = Monitor::new();
    let shown = match reader.kind() {
        CertificateKind::Recursion => audit_recursion(reader, &head, &subject, &monitor),
        _ => audit(reader, &head, &subject, &monitor),
    };
    shown.map(|shown| shown.verdicts).map_err(|fault| format!("{fault:?}"))
}

fn value(document: &WhileDocument, node: NodeId, values: &[i64]) -> i64 {
    let leaf =
        |node: ExprNode| if let ExprNode::Now(var) = node { values[var.0 as usize] } else { 0 };
    document.program.data.exprs.evaluate(node, leaf).unwrap_or(0)
}

/// Whether there is a step between two states: an edge of the whole program at a location of the one's command.
fn is_step(
    document: &WhileDocument,
    whole: &Cfg,
    path: &ProgramPath,
    from: usize,
    to: usize,
) -> bool {
    let (here, there) = (&path.states[from], &path.states[to]);
    let Some(command) = here.command else { return there == here || there.command.is_none() };
    let locations = whole.locations.values().filter(|location| location.command == command);
    let mut edges = locations.flat_map(|location| &location.edges);
    edges.any(|edge| {
        let leads_to = match edge.to {
            CfgTarget::Inside(to) => Some(whole.locations[to].command),
            CfgTarget::Exit(_) | CfgTarget::Error => None,
        };
        let is_open = edge.guard.is_none_or(|guard| value(document, guard, &here.values) != 0);
        let changed = |var: usize| here.values[var] != there.values[var];
        let fits = match edge.effect {
            transition::cfg::Effect::Set(var, node) => {
                there.values[var.0 as usize] == value(document, node, &here.values)
                    && (0..here.values.len())
                        .all(|other| other == var.0 as usize || !changed(other))
            }
            transition::cfg::Effect::Any(var) => {
                (0..here.values.len()).all(|other| other == var.0 as usize || !changed(other))
            }
            transition::cfg::Effect::Nothing | transition::cfg::Effect::Fails => {
                here.values == there.values
            }
        };
        leads_to == there.command && is_open && fits
    })
}

fn is_path(
    document: &WhileDocument,
    assumed: &[Assumed],
    path: &ProgramPath,
) -> Result<(), String> {
    let whole = Cfg::of(&document.program, assumed, &document.program.body);
    let last = path.states.len() - 1;
    let steps = (0..last).map(|from| (from, from + 1)).chain(path.loop_start.map(|to| (last, to)));
    for (from, to) in steps {
        if !is_step(document, &whole, path, from, to) {
            return Err(format!("no step from {from} to {to} in {path:?}"));
        }
    }
    if path.is_cut {
        return Err(format!("{path:?} is cut"));
    }
    Ok(())
}

/// A formula without temporal operators, in a state of a program without holes; `None` if it is another.
fn plain(
    document: &WhileDocument,
    closure: &Closure,
    formula: FormulaId,
    state: &PathState,
) -> Option<bool> {
    match closure.formulas[formula] {
        CtlNode::True => Some(true),
        CtlNode::Not(a) => Some(!plain(document, closure, a, state)?),
        CtlNode::Or(a, b) => {
            let both = [a, b].map(|operand| plain(document, closure, operand, state));
            Some(both[0]? || both[1]?)
        }
        CtlNode::Temporal(_) => None,
        CtlNode::Atom(atom, _) => Some(match closure.atoms[atom] {
            CtlAtom::Holds(node) => value(document, node, &state.values) != 0,
            CtlAtom::Error => state.command.is_none(),
            CtlAtom::End => false,
            CtlAtom::At(label) => {
                let command = state.command.filter(|_| !state.is_return);
                let labels = command.map(|command| document.program.labels_of(command));
                labels.is_some_and(|labels| labels.contains(&label))
            }
        }),
    }
}

/// Whether a path shows a formula `f U g` of plain f and g, or that it does not hold; other formulas are taken as they
/// are.
pub fn is_to_the_point(
    document: &WhileDocument,
    closure: &Closure,
    root: FormulaId,
    path: &ProgramPath,
) -> bool {
    let mut formula = root;
    while let CtlNode::Not(operand) = closure.formulas[formula] {
        formula = operand;
    }
    let CtlNode::Temporal(id) = closure.formulas[formula] else { return true };
    let Operator::Until(left, goal) = closure.temporals[id].operator else { return true };
    let Some((last, before)) = path.states.split_last() else { return false };
    let holds = |formula, state: &PathState| plain(document, closure, formula, state);
    if [left, goal].iter().any(|&part| holds(part, last).is_none()) {
        return true;
    }
    // Evidence for all paths is not one path.
    if before.is_empty()
        && path.loop_start.is_none()
        && last.formula_values.iter().any(|remark| remark.on_all_paths)
    {
        return true;
    }
    // One that is not plain may have a value because of another part, in some states.
    let is_on_the_way =
        |state| holds(left, state) != Some(false) && holds(goal, state) != Some(true);
    let ends_well = match (path.loop_start, holds(left, last), holds(goal, last)) {
        (Some(_), left, goal) => left == Some(true) && goal == Some(false),
        (None, left, goal) => goal == Some(true) || left == Some(false),
    };
    before.iter().all(is_on_the_way) && ends_well
}

/// Checks a program once more and has the reasons looked at. The assumptions are given as they are and as texts.
pub fn is_shown(
    rng: &mut Rng,
    document: &WhileDocument,
    partition: &Partition,
    (assumed, assumptions): (&[Assumed], &[String]),
) -> Result<(), String> {
    let closure = closure(document);
    let (store, monitor) = (InMemory::default(), Monitor::new());
    let request = request(document, partition, &closure, &store, &monitor, rng);
    let request = ModularRequest { wish: EVERYTHING, assumed, ..request };
    let outcome = check(&request).expect("nothing stops it");
    let ModularEvidence { paths, claims, .. } = outcome.evidence.ok_or("there is no evidence")?;
    paths.iter().flatten().try_for_each(|path| is_path(document, assumed, path))?;
    for (path, root) in paths.iter().zip(&closure.roots) {
        let Some(path) = path.as_ref().filter(|_| !document.program.has_holes()) else {
            continue;
        };
        if !is_to_the_point(document, &closure, root.certain, path) {
            return Err(format!("{path:?} does not show {:?}", root.certain));
        }
    }
    let claims = claims.ok_or("there are no claims")?;
    let name = |property: &front::Specification| NamedFormula {
        name: property.text.clone(),
        formula: property.text.clone(),
    };
    let program = &document.program;
    let about = About {
        program,
        closure: &closure,
        is_complete: !program.has_holes(),
        properties: &document.properties.iter().map(name).collect::<Vec<_>>(),
        assumptions,
        partition,
    };
    let shown = audited(document, assumed, &certificate(&about, &claims, &outcome.verdicts))?;
    let said = outcome.verdicts.iter().map(|verdict| match verdict {
        Truth::Unknown => None,
        definite => Some(*definite == Truth::True),
    });
    match shown.iter().copied().eq(said) {
        true => Ok(()),
        false => Err(format!("{shown:?} and {:?}", outcome.verdicts)),
    }
}

#[test]
fn evidence_shows_the_verdict() {
    for_seeds("modular-evidence", 0..2000, |rng, case| {
        let size = if rng.chance(0.3) { Size::small().with_procedures() } else { Size::small() };
        let program = random_program(rng, size);
        case.note(program.text());
        let mut formulas: Vec<Ctl> =
            (0..rng.between(1, 2)).map(|_| random_ctl(rng, &program, 4)).collect();
        // Of which a path has to satisfy something.
        let [left, goal] = [1, 1].map(|size| Box::new(random_ctl(rng, &program, size)));
        let quantifier = if rng.chance(0.5) { Quantifier::Exists } else { Quantifier::All };
        formulas.push(Ctl::Path(quantifier, PathOperator::Until, left, goal));
        formulas.iter().for_each(|formula| case.note(formula.text(&program)));
        let document = read(&program, &formulas)?;
        let partition = Partition::new(&document.program, &mut RandomCuts::new(rng));
        is_shown(rng, &document, &partition, (&[], &[]))
    });
}
