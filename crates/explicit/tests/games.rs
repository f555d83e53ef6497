//! The games that are shown are those that are played: their colours fit together, and give the verdict.

mod common;
mod reading;

use explicit::{Deadlock, Game, GameKind, Games, Request, games};
use game::{NodeClass, Subformulas};
use logic::{Formula, Truth};
use model::{PartialModel, System};
use std::collections::HashMap;
use support::Monitor;
use testkit::reference;
use testkit::{Case, Rng, for_seeds, system_question};

const SYSTEMS: u64 = 3_000;

fn one_system(rng: &mut Rng, case: &mut Case) -> Result<(), String> {
    let Some((system, _, formula)) = system_question(rng, case, 12) else { return Ok(()) };
    let monitor = Monitor::new();
    for deadlock in [Deadlock::Warn, Deadlock::Stutter] {
        let with_context = |error: String| format!("{deadlock:?}: {error}");
        let request = Request { deadlock, ..Request::new(&system, &formula, &monitor) };
        let played =
            games(&request, u32::MAX).map_err(|error| with_context(format!("{error:?}")))?;
        for (number, game) in played.games.iter().enumerate() {
            let fits =
                colours_fit(game, &played.subformulas).and_then(|()| of_others(game, &played));
            fits.map_err(|error| {
                with_context(format!("game {number} ({:?}): {error}", game.kind))
            })?;
        }
        let composition =
            system.composed(&monitor).map_err(|error| with_context(format!("{error:?}")))?;
        let composition = match deadlock {
            Deadlock::Stutter => composition.into_owned().stuttering(),
            _ => composition.into_owned(),
        };
        as_defined(&played, &system, &composition, &formula).map_err(with_context)?;
    }
    Ok(())
}

/// For the pessimist a node is won if it is true, for the optimist if it is not false; either has to follow from
/// the successors. Terminal nodes have their colours from elsewhere.
fn colours_fit(game: &Game, subformulas: &Subformulas) -> Result<(), String> {
    let stored = &game.stored;
    let certainly = |node: u32| stored.colour(node) == Truth::True;
    let maybe = |node: u32| stored.colour(node) != Truth::False;
    for node in 0..stored.len() as u32 {
        let successors = stored.successors(node);
        if successors.is_empty() {
            continue;
        }
        let class = subformulas.get(stored.at(node).1).class;
        let (pessimist, optimist) = match class {
            NodeClass::And | NodeClass::Box => (
                successors.iter().filter(|edge| edge.may()).all(|edge| certainly(edge.node())),
                successors.iter().filter(|edge| edge.must()).all(|edge| maybe(edge.node())),
            ),
            NodeClass::Or | NodeClass::Dia => (
                successors.iter().filter(|edge| edge.must()).any(|edge| certainly(edge.node())),
                successors.iter().filter(|edge| edge.may()).any(|edge| maybe(edge.node())),
            ),
            NodeClass::Deterministic => {
                (certainly(successors[0].node()), maybe(successors[0].node()))
            }
            NodeClass::Literal => return Err(format!("the literal {node} has successors")),
        };
        if Truth::from_bounds(pessimist, optimist) != Some(stored.colour(node)) {
            return Err(format!("{:?} at {node} is {}", class, stored.colour(node)));
        }
    }
    Ok(())
}

/// The verdict is that of the semantics; so is the value of every node in the game of the composition.
fn as_defined(
    played: &Games,
    system: &System,
    composition: &PartialModel,
    formula: &Formula,
) -> Result<(), String> {
    let values = reference::evaluate(composition, formula);
    let expected =
        common::expected(system, composition, |state| values.truth(formula.root(), state));
    if played.verdict != expected {
        return Err(format!("{} instead of {expected}", played.verdict));
    }
    let game = played.games.iter().find(|game| game.kind == GameKind::Composition);
    let stored = &game.ok_or("there is no game of the composition")?.stored;
    for node in 0..stored.len() as u32 {
        let (state, label) = stored.at(node);
        let defined = values.truth(played.subformulas.get(label).node, state);
        if Some(stored.colour(node)) != defined {
            return Err(format!("{node} is {} instead of {defined:?}", stored.colour(node)));
        }
    }
    Ok(())
}

type Colours = HashMap<(Vec<u32>, u32), Truth>;

/// By states of the components, in the order of the system, and subformula.
fn colours(game: &Game, nodes: impl Iterator<Item = u32>) -> Colours {
    let colour = |node: u32| {
        let (state, label) = game.stored.at(node);
        let mut members: Vec<(usize, u32)> =
            game.components.iter().copied().zip(game.tuple(&state)?.iter().copied()).collect();
        members.sort_unstable();
        let tuple = members.into_iter().map(|(_, member)| member).collect();
        Some(((tuple, label), game.stored.colour(node)))
    };
    nodes.filter_map(colour).collect()
}

/// The ?-subgraph of a game has its colours; a product of all components begins as the composition does,
/// where the components have left that undetermined.
fn of_others(game: &Game, played: &Games) -> Result<(), String> {
    let all = |game: &Game| colours(game, 0..game.stored.len() as u32);
    let (own, other) = match game.kind {
        GameKind::Unknown => (all(game), all(&played.games[game.of[0]])),
        GameKind::Product => {
            let composition = played.games.iter().find(|other| other.kind == GameKind::Composition);
            let composition = composition.ok_or("there is no game of the composition")?;
            if composition.components.len() != game.components.len() {
                return Ok(());
            }
            (colours(game, game.stored.initial.iter().copied()), all(composition))
        }
        GameKind::Component | GameKind::Composition => return Ok(()),
    };
    match own.iter().find(|(place, colour)| other.get(*place) != Some(colour)) {
        Some((place, colour)) => Err(format!("{place:?} is {colour}, and {:?}", other.get(place))),
        None => Ok(()),
    }
}

#[test]
fn colours_fit_together() {
    for_seeds("games", 0..SYSTEMS, one_system);
}

/// Larger ones are left out, and what is small is there all the same.
#[test]
fn a_composition_that_is_too_large_is_left_out() {
    let text = "component A kmts { props p; init s; s: {!p} ?> s, t; t: {p} -> s; }
                component B kmts { props q; init u; u: {!q} ?> u, v; v: {q} -> u; }
                system A || B;
                property both: ctl EF (p & q);";
    let (system, formula) = reading::read(text);
    let monitor = Monitor::new();
    let request = Request::new(&system, &formula, &monitor);
    let all = games(&request, 1000).expect("games");
    let kinds: Vec<GameKind> = all.games.iter().map(|game| game.kind).collect();
    let expected = {
        use GameKind::{Component, Composition, Product, Unknown};
        [Component, Unknown, Component, Unknown, Product, Unknown, Composition, Unknown]
    };
    assert_eq!(kinds, expected);
    let most = all.games[6].stored.len() as u32 - 1;
    let some = games(&request, most).expect("games");
    assert_eq!(some.left_out, Some(explicit::LeftOut::TooLarge));
    assert!(some.games.iter().all(|game| game.stored.len() <= most as usize));
}
