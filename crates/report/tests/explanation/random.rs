//! Explanations that the engine makes of random systems: their part of the model has the same verdict, and
//! no form stumbles over them.

use crate::head;
use crate::parts::{read_again, verdict_with};
use explicit::{COMPOSITIONAL, DIRECT, Deadlock, ExplainOptions, REFINE, Reason, Request};
use logic::evidence::UnfoldedEvidence;
use logic::{Formula, Truth};
use model::{Kind, System, ill_formed, mixed_simulation};
use report::Colour;
use report::explanation::{
    ExplanationHead, OmittedTransitions, TextView, dot, html, json, submodel, svg, text,
};
use std::cell::Cell;
use support::Monitor;
use testkit::{Case, Rng, for_seeds, pair, system_question};

struct Explained {
    system: System,
    formula: Formula,
    deadlock: Deadlock,
    explanation: UnfoldedEvidence,
    reason: Option<Reason>,
}

fn explained(rng: &mut Rng, case: &mut Case) -> Result<Option<Explained>, String> {
    let Some((system, formula)) = question(rng, case) else { return Ok(None) };
    let monitor = Monitor::new();
    let method = *rng.pick(&[DIRECT, COMPOSITIONAL, REFINE]);
    let deadlock = *rng.pick(&[Deadlock::Warn, Deadlock::Stutter]);
    case.note(format!("-- {method:?} {deadlock:?}"));
    let request = Request { deadlock, ..Request::new(&system, &formula, &monitor) };
    // A small limit makes it go to the parts.
    let positions = if rng.chance(0.2) { rng.between(2, 20) } else { 10_000 };
    let wish = ExplainOptions { positions, shortest: rng.chance(0.5) };
    match explicit::explain(method, &request, &wish) {
        Ok((outcome, explanation)) => {
            let reason = outcome.reason;
            let explained =
                |explanation| Explained { system, formula, deadlock, explanation, reason };
            Ok(explanation.map(explained))
        }
        // Musts without mays can contradict themselves.
        Err(explicit::CheckError::Contradiction { .. }) => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

/// Several components, or one of a kind that does not compose.
fn question(rng: &mut Rng, case: &mut Case) -> Option<(System, Formula)> {
    if rng.chance(0.7) {
        return system_question(rng, case, 14).map(|(system, _, formula)| (system, formula));
    }
    let (model, formula) = pair(rng, case, &[Kind::MixTs, Kind::Gkmts], 14);
    // A model that nothing refines cannot be read.
    ill_formed(&model).is_none().then(|| (System::single(model), formula))
}

fn same_verdict(explained: &Explained) -> Result<(), String> {
    let Explained { system, formula, deadlock, explanation, .. } = explained;
    for left_out in [OmittedTransitions::Unknown, OmittedTransitions::Absent] {
        // Where something is unknown, leaving steps out may decide it, and where musts are no mays it may
        // contradict itself.
        let is_mixed = matches!(system.components[0].model.kind, Kind::MixTs | Kind::Gkmts);
        let is_open = explanation.verdict == Truth::Unknown || is_mixed;
        if is_open && left_out == OmittedTransitions::Absent {
            continue;
        }
        let Some(part) = submodel(explanation, system, left_out) else { continue };
        let part = read_again(part);
        // What was left out makes deadlocks, and so does a must without a may, which no component can take.
        let is_plain = left_out == OmittedTransitions::Absent || is_mixed;
        let again = if is_plain { Deadlock::Warn } else { *deadlock };
        for deadlock in [Deadlock::Warn, again] {
            let value = verdict_with(deadlock, &part, formula.logic, formula.source());
            // That some step must be there, the part need not know: it may stand still then.
            let is_open = value == Truth::Unknown && deadlock == Deadlock::Stutter;
            if value != explanation.verdict && !is_open {
                let part = front::write_tm(&part, &[], &[]);
                return Err(format!(
                    "{left_out:?} {deadlock:?}: {value} in\n{part}\n{explanation:?}"
                ));
            }
        }
    }
    Ok(())
}

/// All claims of the part hold: it can replace the composition, if all initial states are explained.
fn abstracts_the_model(explained: &Explained) -> Result<bool, String> {
    let Explained { system, deadlock, explanation, .. } = explained;
    let monitor = Monitor::new();
    let composition = system.compose(&monitor).map_err(|error| format!("{error:?}"))?;
    let composition =
        if *deadlock == Deadlock::Stutter { composition.stuttering() } else { composition };
    if explanation.verdict != Truth::True && composition.init().len() > 1 {
        return Ok(false);
    }
    let Some(part) = submodel(explanation, system, OmittedTransitions::Unknown) else {
        return Ok(false);
    };
    let simulation =
        mixed_simulation(&composition, &part, &monitor).map_err(|error| format!("{error:?}"))?;
    match simulation.comparison().failure {
        None => Ok(true),
        Some(failure) => {
            let part = front::write_tm(&System::single(part), &[], &[]);
            Err(format!("{failure:?} in\n{part}\n{explanation:?}"))
        }
    }
}

fn all_forms(Explained { explanation, reason, .. }: &Explained) {
    let head = ExplanationHead { reason: reason.as_ref(), ..head("random", "true") };
    for width in [40, 100] {
        text(&head, explanation, TextView { colour: Colour::On, width });
    }
    for form in [dot, svg, html, json] {
        assert!(!form(&head, explanation).is_empty());
    }
}

#[test]
fn sub_models_of_random_systems_have_the_verdict_and_abstract_the_model() {
    let (seen, compared) = (Cell::new([0; 3]), Cell::new(0));
    for_seeds("submodel", 0..3_000, |rng, case| {
        let Some(explained) = explained(rng, case)? else { return Ok(()) };
        let explanation = &explained.explanation;
        all_forms(&explained);
        if explanation.cut > 0 {
            return Ok(());
        }
        let mut counts = seen.get();
        counts[explanation.verdict as usize] += 1;
        seen.set(counts);
        compared.set(compared.get() + u32::from(abstracts_the_model(&explained)?));
        same_verdict(&explained)
    });
    assert!(compared.get() > 1_000, "{compared:?}");
    assert!(seen.get().iter().all(|&count| count > 100), "{:?}", seen.get());
}
