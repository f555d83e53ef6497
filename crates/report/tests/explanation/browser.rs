//! The page in a real browser, from a file and without a network: unfold, hover, no complaints.
//!
//! Skipped, with a message, where there is no Chromium.

use crate::chromium::Chromium;
use crate::{head, head_of, samples};
use explicit::{Cause, Reason};
use logic::evidence::UnfoldedEvidence;
use report::explanation::{ExplanationHead, html};
use serde_json::json;
use std::path::PathBuf;

/// A folder of its own, gone when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tertium-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for temporary files");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Nothing depends on its being gone.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Opens the page of an explanation and looks at it.
fn visit(
    name: &str,
    head: &ExplanationHead,
    explanation: &UnfoldedEvidence,
    look: impl Fn(&mut Chromium),
) {
    let folder = Folder::new(name);
    let Some(mut browser) = Chromium::start(&folder.0) else { return };
    let file = folder.0.join("page.html");
    std::fs::write(&file, html(head, explanation)).expect("the page is written");
    browser.open(&file);
    look(&mut browser);
    browser.evaluate("0");
    assert_eq!(browser.complaints, Vec::<String>::new());
}

fn boxes(browser: &mut Chromium) -> u64 {
    browser.evaluate("document.querySelectorAll('.node').length").as_u64().expect("a number")
}

#[test]
fn a_tree_unfolds_and_tells_its_formulas() {
    let explanation = samples::branching();
    visit("tree", &head_of("always back", &explanation), &explanation, |browser| {
        assert_eq!(browser.evaluate("document.querySelector('#verdict').textContent"), "false");
        assert_eq!(
            browser.evaluate("document.querySelector('#property').textContent"),
            "always back"
        );
        assert_eq!(browser.evaluate("document.querySelector('#trace').hidden"), true);
        assert_eq!(boxes(browser), 6, "a small graph is unfolded");
        browser.click("#fold");
        assert_eq!(boxes(browser), 1);
        browser.click("[data-box=\"0\"]");
        assert_eq!(boxes(browser), 2);
        browser.click("[data-box=\"0\"]");
        assert_eq!(boxes(browser), 1);
        browser.click("#unfold");
        assert_eq!(boxes(browser), 6);

        assert_eq!(browser.evaluate("document.querySelector('#tip').hidden"), true);
        browser.hover("[data-box=\"1\"]");
        browser.wait_for("!document.querySelector('#tip').hidden");
        let tip = browser.evaluate("document.querySelector('#tip').textContent");
        assert!(
            tip.as_str().is_some_and(|tip| tip.contains("AG EF p") && tip.contains("s1")),
            "{tip}"
        );
        let lit = "document.querySelectorAll('.edge.lit').length";
        assert_eq!(browser.evaluate(lit), 2, "what leads to the box and what leads on");
        browser.hover("#count");
        browser.wait_for("document.querySelector('#tip').hidden");

        browser.click("#every");
        browser.click("#unfold");
        let count = browser.evaluate("document.querySelector('#count').textContent");
        assert_eq!(count, "20 of 20 positions");
    });
}

#[test]
fn the_keyboard_is_enough() {
    let explanation = samples::branching();
    visit("keys", &head_of("always back", &explanation), &explanation, |browser| {
        browser.click("#fold");
        browser.evaluate("document.querySelector('[data-box=\"0\"]').focus()");
        browser.wait_for("!document.querySelector('#tip').hidden");
        browser.press("Enter");
        assert_eq!(boxes(browser), 2);
        browser.press("ArrowDown");
        assert_eq!(browser.evaluate("document.activeElement.dataset.box"), "1");
        browser.press("Escape");
        assert_eq!(browser.evaluate("document.querySelector('#tip').hidden"), true);
    });
}

#[test]
fn a_path_has_its_table_beside_it() {
    let explanation = samples::path();
    visit("path", &head_of("safe", &explanation), &explanation, |browser| {
        assert_eq!(browser.evaluate("document.querySelectorAll('#table tbody tr').length"), 3);
        assert_eq!(browser.evaluate("document.querySelectorAll('#table td.changed').length"), 5);
        browser.click("#fold");
        browser.click("#table tbody tr:nth-child(3)");
        browser.wait_for("document.querySelector('.node.chosen .state')?.textContent === 's2,t1'");
    });
}

#[test]
fn a_loop_is_closed_by_its_step() {
    let explanation = samples::inner_loop(3, 1, "go");
    visit("loop", &head_of("live", &explanation), &explanation, |browser| {
        let back = browser.evaluate("document.querySelector('#table td.loop').textContent");
        assert_eq!(back, "-go-> back to step 1");
        assert_eq!(browser.evaluate("document.querySelectorAll('#table tbody tr').length"), 4);
    });
}

#[test]
fn a_step_that_is_not_known_is_drawn() {
    let (explanation, mut reason) = (samples::unknown(), samples::CAUSE.clone());
    let Reason::Undetermined(doubt) = &mut reason else { panic!("a doubt") };
    let Cause::Transition { steps, target, .. } = &mut doubt.cause else { panic!("a step") };
    (steps[0].from, steps[0].to) = ("{ack}".into(), "{!ack}".into());
    target[1] = "{!ack}".into();
    let head = ExplanationHead { reason: Some(&reason), ..head_of("safe", &explanation) };
    visit("open", &head, &explanation, |browser| {
        let last = "[...document.querySelectorAll('[data-box]')].pop().getAttribute('aria-label')";
        assert_eq!(browser.evaluate(last), "s1,{!ack}: this transition is unknown");
        assert_eq!(browser.evaluate("document.querySelectorAll('.edge.may').length"), 2);
    });
}

#[test]
fn odd_names_stay_text() {
    let explanation = samples::weird();
    visit("odd", &head("</script><img src=x onerror=alert(1)>", "p"), &explanation, |browser| {
        assert_eq!(browser.evaluate("document.querySelectorAll('img, b').length"), 0);
        let property = browser.evaluate("document.querySelector('#property').textContent");
        assert_eq!(property, "</script><img src=x onerror=alert(1)>");
    });
}

#[test]
fn a_huge_page_can_be_used() {
    let explanation = samples::grid(71);
    visit("huge", &head_of("safe", &explanation), &explanation, |browser| {
        browser.click("#unfold");
        let count = browser.evaluate("document.querySelector('#count').textContent");
        assert_eq!(count, "5041 of 5041 positions");
        browser.click("#whole");
        assert!(boxes(browser) > 0);
    });
}

#[test]
fn dark_and_light_differ() {
    let explanation = samples::unknown();
    visit("dark", &head_of("safe", &explanation), &explanation, |browser| {
        let paper = "getComputedStyle(document.body).backgroundColor";
        let mut papers = Vec::new();
        for scheme in ["light", "dark"] {
            let feature = json!({"name": "prefers-color-scheme", "value": scheme});
            browser.call("Emulation.setEmulatedMedia", json!({"features": [feature]}));
            papers.push(browser.evaluate(paper));
        }
        assert_ne!(papers[0], papers[1]);
    });
}

/// Of an example as the program explains it.
#[test]
fn the_page_of_a_real_verdict_can_be_walked_through() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/mutex.tm");
    let text = std::fs::read_to_string(path).expect("the example");
    let monitor = support::Monitor::new();
    let no_files = &mut |_: &str| Err("no other files".to_owned());
    let document = testkit::read_tm(support::FileId(0), &text.into(), &monitor, no_files);
    let document = document.expect("a good file");
    let system = document.system.expect("a system");
    let (props, actions) = (system.props(), system.actions());
    let signature = logic::Signature { family: system.family(), props: &props, actions: &actions };
    for property in &document.properties {
        let formula = logic::compile(property.surface().unwrap(), &signature, &mut Vec::new());
        let formula = formula.expect("names that exist");
        let request = explicit::Request::new(&system, &formula, &monitor);
        let wish = explicit::ExplainOptions { positions: 1000, shortest: true };
        let (_, explanation) =
            explicit::explain(explicit::DIRECT, &request, &wish).expect("a proper question");
        let explanation = explanation.expect("nothing stops it");
        visit("real", &head_of(property.title(), &explanation), &explanation, |browser| {
            browser.click("#fold");
            assert_eq!(boxes(browser), explanation.roots.len() as u64);
            browser.click("[data-box=\"0\"]");
            assert!(boxes(browser) > explanation.roots.len() as u64, "{}", property.title());
        });
    }
}
