//! Drawings and pages.

use crate::samples;
use crate::{head, head_of};
use logic::evidence::UnfoldedEvidence;
use report::explanation::{dot, html, svg};
use snapbox::{assert_data_eq, file};
use std::time::{Duration, Instant};

fn all() -> Vec<UnfoldedEvidence> {
    vec![
        samples::path(),
        samples::lasso(4, 1),
        samples::branching(),
        samples::actions(),
        samples::unknown(),
        samples::cut(),
        samples::weird(),
        samples::roots(),
        samples::hyper(),
        samples::inner_loop(3, 1, "go"),
        samples::reasons(),
        samples::alternating(),
    ]
}

#[test]
fn graphviz_reads_what_is_written() {
    let explanation = samples::branching();
    let text = dot(&head_of("safe", &explanation), &explanation);
    assert_data_eq!(text, file!["snapshots/branching.dot"].raw());
    let explanation = samples::weird();
    let text = dot(&head("a \"b\"", "x\\"), &explanation);
    assert!(text.contains("digraph \"a \\\"b\\\"\" {"), "{text}");
}

#[test]
fn a_drawing_is_well_formed() {
    for explanation in all() {
        let drawing = svg(&head_of("a <b> & \"c\"", &explanation), &explanation);
        assert!(well_formed(&drawing), "{drawing}");
    }
    let explanation = samples::unknown();
    let drawing = svg(&head_of("safe", &explanation), &explanation);
    assert!(drawing.contains("class=\"may\""));
    let explanation = samples::branching();
    assert_data_eq!(
        svg(&head_of("safe", &explanation), &explanation),
        file!["snapshots/branching.svg"].raw()
    );
}

/// Tags are closed in the right order, and what stands between them has no bare `<` or `&`.
fn well_formed(xml: &str) -> bool {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = xml;
    while let Some(start) = rest.find('<') {
        let text = &rest[..start];
        let entities = ["amp;", "lt;", "gt;", "quot;"];
        if text.split('&').skip(1).any(|after| !entities.iter().any(|e| after.starts_with(e))) {
            return false;
        }
        let Some(length) = rest[start..].find('>') else { return false };
        let tag = &rest[start + 1..start + length];
        rest = &rest[start + length + 1..];
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
        if tag.starts_with('/') {
            if open.pop() != Some(name) {
                return false;
            }
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    open.is_empty()
}

#[test]
fn a_large_drawing_is_cut_with_a_note() {
    let explanation = samples::grid(71);
    let start = Instant::now();
    let drawing = svg(&head_of("safe", &explanation), &explanation);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert!(drawing.contains("4891 more positions; --html shows all"));
    assert!(well_formed(&drawing));
}

#[test]
fn what_was_not_looked_at_is_said() {
    let explanation = samples::cut();
    for form in [dot, svg] {
        let drawing = form(&head_of("safe", &explanation), &explanation);
        assert!(drawing.contains("2 positions were not explored"), "{drawing}");
        assert!(!drawing.contains("shows all"), "{drawing}");
    }
}

#[test]
fn a_step_to_one_of_several_states_is_marked() {
    let explanation = samples::hyper();
    let picture = dot(&head_of("live", &explanation), &explanation);
    assert_eq!(picture.matches("[label=\"one of\"]").count(), 2, "{picture}");
    let picture = svg(&head_of("live", &explanation), &explanation);
    assert_eq!(picture.matches(">one of</text>").count(), 2, "{picture}");
}

#[test]
fn a_page_needs_nothing_else() {
    for explanation in all() {
        let page = html(&head_of("</script><script>alert(1)</script>", &explanation), &explanation);
        assert_eq!(page.matches("<script").count(), 2, "data and program");
        assert_eq!(page.matches("</script>").count(), 2);
        // The name of a language of pictures is no address to load from.
        let page = page.replace("http://www.w3.org/2000/svg", "");
        for outside in ["http:", "https:", "src=", "@import", "url(//"] {
            assert!(!page.contains(outside), "{outside}");
        }
    }
}

#[test]
fn a_huge_page_is_quick_to_make() {
    let explanation = samples::grid(71);
    let start = Instant::now();
    let page = html(&head_of("safe", &explanation), &explanation);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert!(page.len() < 8_000_000, "{} bytes", page.len());
}
