//! `covers a: b, c;`: which abstract states stand for what others stand for.

use super::component::Draft;
use crate::tm::ast::Covers;
use model::Kind;
use support::Diagnostic;

pub(super) fn add(draft: &mut Draft) {
    let body = draft.body;
    let mut by_state: Vec<Vec<(u32, usize)>> = vec![Vec::new(); body.states.len()];
    for (index, line) in body.covers.iter().enumerate() {
        let Some((state, covered)) = check_line(draft, line) else { continue };
        by_state[state as usize].extend(covered.iter().map(|&other| (other, index)));
        draft.builder.covers(state, covered, line.exactly);
    }
    check_cycles(draft, &by_state);
}

fn check_line(draft: &mut Draft, line: &Covers) -> Option<(u32, Vec<u32>)> {
    if !matches!(draft.kind, Kind::MixTs | Kind::Gkmts) {
        draft.error(|draft| {
            let message = format!("`covers` in a `{}` component", draft.kind.name());
            Diagnostic::error(message, line.keyword, "only for `mixts` and `gkmts`")
                .with_label(draft.body.kind_span, "the states of this kind are disjoint")
                .with_help("take the line out, or declare the component as `mixts`")
        });
        return None;
    }
    let state = draft.state(&line.state);
    let covered: Vec<Option<u32>> = line.covered.iter().map(|name| draft.state(name)).collect();
    let mut covered: Vec<u32> = covered.into_iter().collect::<Option<_>>()?;
    let state = state?;
    if let Some(itself) = line.covered.iter().find(|name| name.text == line.state.text) {
        draft.error(|_| {
            let message = format!("the state `{}` covers itself", line.state.text);
            Diagnostic::error(message, itself.span, "the covering state again")
                .with_help("every state covers itself: remove it from the list")
        });
        return None;
    }
    covered.sort_unstable();
    covered.dedup();
    Some((state, covered))
}

/// Two states that cover each other would be one.
fn check_cycles(draft: &mut Draft, covered_by: &[Vec<(u32, usize)>]) {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        No,
        Above,
        Done,
    }
    let mut seen = vec![Seen::No; covered_by.len()];
    for root in 0..covered_by.len() {
        if seen[root] != Seen::No {
            continue;
        }
        seen[root] = Seen::Above;
        let mut path = vec![(root as u32, 0)];
        while let Some((state, next)) = path.last_mut() {
            let Some(&(below, line)) = covered_by[*state as usize].get(*next) else {
                seen[*state as usize] = Seen::Done;
                path.pop();
                continue;
            };
            *next += 1;
            match seen[below as usize] {
                Seen::Done => {}
                Seen::Above => {
                    let states: Vec<u32> = path.iter().map(|(state, _)| *state).collect();
                    report_cycle(draft, &states, below, line);
                }
                Seen::No => {
                    seen[below as usize] = Seen::Above;
                    path.push((below, 0));
                }
            }
        }
    }
}

fn report_cycle(draft: &mut Draft, path: &[u32], back_to: u32, line: usize) {
    let name = |state: &u32| format!("`{}`", draft.body.states[*state as usize].name.text);
    let from = path.iter().position(|&state| state == back_to).unwrap_or(0);
    let cycle: Vec<String> = path[from..].iter().chain([&back_to]).map(name).collect();
    let keyword = draft.body.covers[line].keyword;
    draft.error(|_| {
        let message = format!("the `covers` lines are cyclic: {}", cycle.join(" covers "));
        Diagnostic::error(message, keyword, "this line closes the cycle")
            .with_help("states that cover each other are equal: make them one state")
    });
}
