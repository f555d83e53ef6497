//! Explanations as text.

use crate::samples;
use crate::{head, head_of};
use explicit::Reason;
use logic::Truth;
use logic::evidence::UnfoldedEvidence;
use report::Colour;
use report::explanation::{ExplanationHead, TextView, text};
use snapbox::{assert_data_eq, file};
use std::time::{Duration, Instant};

const PLAIN: TextView = TextView { colour: Colour::Off, width: 80 };

fn reported(explanation: &UnfoldedEvidence) -> String {
    text(&head_of("safe", explanation), explanation, PLAIN)
}

#[test]
fn a_path_is_a_table() {
    assert_data_eq!(reported(&samples::path()), file!["snapshots/path.txt"].raw());
}

#[test]
fn a_loop_is_marked() {
    assert_data_eq!(reported(&samples::lasso(4, 1)), file!["snapshots/lasso.txt"].raw());
    let text = reported(&samples::lasso(3, 2));
    assert!(text.contains("Step 2 can repeat forever, and there `p` is true"), "{text}");
}

#[test]
fn a_loop_that_ends_in_the_state_where_it_starts_has_no_step_too_many() {
    assert_data_eq!(reported(&samples::inner_loop(2, 0, "")), file!["snapshots/inner.txt"].raw());
    let middle = reported(&samples::inner_loop(4, 1, "go"));
    assert_data_eq!(middle, file!["snapshots/inner-middle.txt"].raw());
    let text = reported(&samples::inner_loop(1, 0, "go?"));
    assert!(text.contains("-go?> back to step 0\n\nStep 0 can repeat forever"), "{text}");
}

#[test]
fn a_change_of_the_subject_is_noted() {
    assert_data_eq!(reported(&samples::response()), file!["snapshots/response.txt"].raw());
}

#[test]
fn a_long_path_is_cut_in_the_middle() {
    let text = reported(&samples::lasso(5000, 1234));
    assert_data_eq!(text.clone(), file!["snapshots/long.txt"].raw());
    assert!(text.lines().count() < 80);
}

#[test]
fn what_branches_is_a_tree() {
    assert_data_eq!(reported(&samples::branching()), file!["snapshots/branching.txt"].raw());
    assert_data_eq!(reported(&samples::roots()), file!["snapshots/roots.txt"].raw());
    assert_data_eq!(reported(&samples::alternating()), file!["snapshots/alternating.txt"].raw());
}

#[test]
fn each_reason_leads_its_own_steps() {
    assert_data_eq!(reported(&samples::reasons()), file!["snapshots/reasons.txt"].raw());
}

#[test]
fn a_step_to_one_of_several_states_is_one() {
    assert_data_eq!(reported(&samples::hyper()), file!["snapshots/hyper.txt"].raw());
}

#[test]
fn a_sentence_ends_with_the_property() {
    let mut maker = samples::Maker::new(Truth::False, &["K"]);
    let state = maker.state(&["s"]);
    let node = maker.node(state, "false", logic::evidence::Justification::Itself);
    let text = text(&head("x", "EX false"), &maker.root(node), PLAIN);
    assert!(text.ends_with("it reduces to `false`, so `EX false` fails.\n"), "{text}");
}

#[test]
fn actions_have_a_column_and_what_stands_still_has_none() {
    assert_data_eq!(reported(&samples::actions()), file!["snapshots/actions.txt"].raw());
}

#[test]
fn the_unknown_is_explained() {
    assert_data_eq!(reported(&samples::unknown()), file!["snapshots/unknown.txt"].raw());
}

#[test]
fn positions_not_expanded_are_counted() {
    assert_data_eq!(reported(&samples::cut()), file!["snapshots/cut.txt"].raw());
}

#[test]
fn a_huge_invariant_is_one_sentence() {
    let explanation = samples::grid(71);
    assert!(explanation.nodes.len() > 20_000);
    let start = Instant::now();
    let text = reported(&explanation);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert_data_eq!(text, file!["snapshots/grid.txt"].raw());
}

#[test]
fn a_huge_tree_is_quick_and_short() {
    let mut explanation = samples::grid(71);
    // Now each place says something else.
    for (number, node) in explanation.nodes.iter_mut().enumerate() {
        if node.why == logic::evidence::Justification::Itself {
            node.subformula = format!("p{number}");
        }
    }
    let start = Instant::now();
    let text = reported(&explanation);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert!(text.lines().count() < 200, "{} lines", text.lines().count());
    assert_data_eq!(text, file!["snapshots/tree.txt"].raw());
}

#[test]
fn a_long_run_is_one_line() {
    let mut explanation = samples::lasso(300, 299);
    // A second successor of the last state makes it branch.
    let last = explanation.nodes.len() - 1;
    let other = explanation.nodes[last].successors[0].clone();
    let mut first = other.clone();
    first.node = explanation.roots[0];
    explanation.nodes[last].successors.push(first);
    assert_data_eq!(reported(&explanation), file!["snapshots/run.txt"].raw());
}

#[test]
fn odd_names_stay_text_and_lines_fit() {
    let explanation = samples::weird();
    let text = text(&head("<odd>\u{1b}", "p"), &explanation, PLAIN);
    assert!(!text.contains(['\u{1b}', '\u{202e}', '\t']), "{text:?}");
    assert_data_eq!(text, file!["snapshots/weird.txt"].raw());
}

#[test]
fn many_components_are_reported_by_their_changes() {
    let names: Vec<String> = (0..30).map(|n| format!("Component{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut maker = samples::Maker::new(Truth::False, &names);
    let mut last = None;
    for row in 0..4 {
        let members: Vec<String> =
            (0..30).map(|n| format!("s{}", if n < 15 + row { row } else { 0 })).collect();
        let members: Vec<&str> = members.iter().map(String::as_str).collect();
        let state = maker.state(&members);
        let why = if row == 3 {
            logic::evidence::Justification::Itself
        } else {
            logic::evidence::Justification::One
        };
        let node = maker.node(state, if row == 3 { "p" } else { "[] [] [] p" }, why);
        if let Some(last) = last {
            maker.step(last, "", node);
        }
        last = Some(node);
    }
    assert_data_eq!(reported(&maker.root(0)), file!["snapshots/many.txt"].raw());
}

#[test]
fn colours_mark_changes_where_they_are_wanted() {
    let explanation = samples::path();
    let view = TextView { colour: Colour::On, width: 80 };
    let coloured = text(&head_of("safe", &explanation), &explanation, view);
    assert!(coloured.contains("\u{1b}[1ms1\u{1b}[0m"), "{coloured:?}");
    assert!(!coloured.contains('*'), "{coloured}");
}

#[test]
fn narrow_terminals_get_narrow_tables() {
    for sample in [samples::path(), samples::actions(), samples::weird(), samples::branching()] {
        for width in [0, 40, 60, 80, 1000] {
            let view = TextView { colour: Colour::Off, width };
            text(&head_of("safe", &sample), &sample, view);
        }
    }
    let explanation = samples::actions();
    let view = TextView { colour: Colour::Off, width: 44 };
    let narrow = text(&head_of("safe", &explanation), &explanation, view);
    assert!(narrow.lines().all(|line| line.chars().count() <= 44), "{narrow}");
}

#[test]
fn a_limit_leaves_a_reason_and_no_positions() {
    let explanation = samples::Maker::new(Truth::Unknown, &["M"]).0;
    let reason = Reason::Stopped(support::Stopped(support::StopReason::Timeout));
    let head = ExplanationHead { reason: Some(&reason), ..head("safe", "AG p") };
    let text = text(&head, &explanation, PLAIN);
    assert_eq!(text, "unknown  safe\n         AG p\nThe time limit was reached.\n");
}
