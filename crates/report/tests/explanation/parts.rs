//! The part of the model that an explanation speaks of, written, read again and checked.

use crate::samples::{self, Maker};
use explicit::{DIRECT, Deadlock, Request};
use logic::evidence::{Justification, UnfoldedEvidence};
use logic::{ActionSet, Logic, Signature, Truth};
use model::{Kind, PartialModel, System};
use report::explanation::{OmittedTransitions, submodel};
use support::{FileId, Monitor};
use testkit::TmDocument;

/// The system of a `.tm` file.
fn system(text: &str) -> System {
    let mut no_other_files = |other: &str| Err(format!("wants `{other}`"));
    let document = testkit::read_tm(FileId(0), &text.into(), &Monitor::new(), &mut no_other_files);
    let TmDocument { system, .. } = document.unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    system.expect("a component")
}

/// The value of a formula in a system.
fn verdict(system: &System, logic: Logic, formula: &str) -> Truth {
    verdict_with(Deadlock::Warn, system, logic, formula)
}

pub fn verdict_with(deadlock: Deadlock, system: &System, logic: Logic, formula: &str) -> Truth {
    let (props, actions, monitor) = (system.props(), system.actions(), Monitor::new());
    let signature = Signature { family: system.family(), props: &props, actions: &actions };
    let surface = front::parse_formula(logic, FileId(0), &formula.into(), 0..formula.len());
    let surface = surface.expect("a formula");
    let formula = logic::compile(&surface, &signature, &mut Vec::new()).expect("names exist");
    let request = Request::new(system, &formula, &monitor);
    let request = Request { deadlock, ..request };
    DIRECT.run(&request).expect("a proper question").verdict
}

fn part_of(
    explanation: &UnfoldedEvidence,
    model: &System,
    left_out: OmittedTransitions,
) -> PartialModel {
    submodel(explanation, model, left_out).expect("one model")
}

/// As it comes back from a `.tm` file.
pub fn read_again(part: PartialModel) -> System {
    system(&front::write_tm(&System::single(part), &[], &[]))
}

fn assert_kept(
    explanation: &UnfoldedEvidence,
    model: &System,
    logic: Logic,
    formula: &str,
    kinds: [Kind; 2],
) {
    assert_eq!(verdict(model, logic, formula), explanation.verdict, "the sample is wrong");
    for (left_out, kind) in
        [OmittedTransitions::Unknown, OmittedTransitions::Absent].into_iter().zip(kinds)
    {
        let part = part_of(explanation, model, left_out);
        assert_eq!(part.kind, kind);
        let part = read_again(part);
        assert_eq!(verdict(&part, logic, formula), explanation.verdict, "{left_out:?}");
    }
}

const PAIR: &str = "
component M1 kripke { props r, o; init s0; s0: {} -> s1; s1: {r} -> s1, s2; s2: {r, o} -> s0; }
component M2 kripke { props r, i; init t0; t0: {} -> t1; t1: {r, i} -> t1, t0; }
system M1 || M2;";

#[test]
fn a_path_fails_by_itself() {
    let model = system(PAIR);
    assert_kept(&samples::path(), &model, Logic::Ctl, "AG !(i & o)", [Kind::Kmts, Kind::Kripke]);
}

#[test]
fn a_loop_holds_by_itself() {
    let model = system(
        "component M kripke { props p, q; init s0; s0: {p} -> s1; s1: {p} -> s2; s2: {p} -> s3; \
         s3: {p} -> s1, s4; s4: {} -> s4; }",
    );
    assert_kept(&samples::lasso(4, 1), &model, Logic::Ctl, "EG p", [Kind::Kmts, Kind::Kripke]);
    // What the explanation does not speak of is left open.
    let part = read_again(part_of(&samples::lasso(4, 1), &model, OmittedTransitions::Unknown));
    assert_eq!(verdict(&part, Logic::Ctl, "AG p"), Truth::Unknown);
    assert_eq!(verdict(&part, Logic::Ctl, "EF q"), Truth::Unknown);
}

#[test]
fn a_tree_fails_by_itself() {
    let model = system(
        "component M kripke { props p, q; init s0; s0: {p} -> s0, s1; s1: {p} -> s0, s2; \
         s2: {} -> s3, s4; s3: {q} -> s2, s4; s4: {} -> s4; }",
    );
    assert_kept(&samples::branching(), &model, Logic::Ctl, "AG EF p", [Kind::Kmts, Kind::Kripke]);
}

#[test]
fn actions_make_an_aldebaran_file() {
    let model = system(
        "component Sender lts { actions send; init idle; idle: -send-> sent; sent: ; }
         component Line lts { actions send, drop, receive; init empty; \
           empty: -send-> full; full: -drop-> lost -receive-> empty; lost: -tau-> lost; }
         component Receiver lts { actions receive; init wait; wait: -receive-> wait; }
         component Clock lts { actions tick; init c; c: -tick-> c; }
         system Sender || Line || Receiver || Clock;",
    );
    let explanation = samples::actions();
    let formula = "[true*] <receive> true";
    assert_kept(&explanation, &model, Logic::Mcf, formula, [Kind::Mts, Kind::Lts]);
    let part = part_of(&explanation, &model, OmittedTransitions::Absent);
    let mut bytes = Vec::new();
    front::write_aut(&part, &mut bytes).expect("an LTS");
    let read = front::read_aut(&mut &bytes[..], "part", &Monitor::new()).expect("what was written");
    assert_eq!(verdict(&System::single(read), Logic::Mcf, formula), Truth::False);
}

#[test]
fn only_what_was_looked_at_is_known() {
    let model = system("component C lts { actions a, d; init s0; s0: -a-> s1; s1: -d-> s0; }");
    let mut maker = Maker::new(Truth::False, &["C"]);
    let state = maker.state(&["s0"]);
    let node = maker.node(state, "<!a> true", Justification::Itself);
    maker.asks(node, ActionSet::one("a").complement());
    let part = part_of(&maker.root(node), &model, OmittedTransitions::Unknown);
    let written = front::write_tm(&System::single(part), &[], &[]);
    assert!(written.contains("s0: -a?> rest;"), "{written}");
    let part = system(&written);
    for (formula, value) in [("<!a> true", Truth::False), ("<a> true", Truth::Unknown)] {
        assert_eq!(verdict(&part, Logic::Mcf, formula), value, "{formula}");
    }
}

#[test]
fn one_step_to_one_of_two_states_stays_one() {
    let model = system(
        "component G gkmts { props p, q; init s; s: {p, q?} !> {t, u} ?> t, u, v; \
           t: {p, !q} -> s; u: {p, q} -> u ?> v; v: {!p, !q} -> v; }",
    );
    let explanation = samples::hyper();
    let kinds = [Kind::Gkmts, Kind::Gkmts];
    assert_kept(&explanation, &model, Logic::Mu, "nu Z. (p & <> Z)", kinds);
    let part = part_of(&explanation, &model, OmittedTransitions::Unknown);
    let written = front::write_tm(&System::single(part), &[], &[]);
    assert!(written.contains("s: {p} ?> t, u, rest !> {t, u};"), "{written}");
    assert_eq!(verdict(&system(&written), Logic::Mu, "<> q"), Truth::Unknown);
}

#[test]
fn what_is_known_of_several_parts_is_no_model() {
    let model = system(PAIR);
    let none = Maker::new(Truth::Unknown, &["M1", "M2"]).0;
    assert!(submodel(&none, &model, OmittedTransitions::Unknown).is_none());
    let mut maker = Maker::new(Truth::True, &["M1", "M2"]);
    let (state, part) = (maker.state(&["s0", "t0"]), maker.state(&["_", "t0"]));
    let node = maker.node(state, "!i | o", Justification::One);
    let successor = maker.node(part, "!i", Justification::Itself);
    maker.link(node, successor);
    assert!(submodel(&maker.root(node), &model, OmittedTransitions::Unknown).is_none());
}

#[test]
fn a_state_that_is_called_rest_is_no_other() {
    let model = system("component C kripke { props p; init rest; rest: {p} -> rest; }");
    let mut maker = Maker::new(Truth::True, &["C"]);
    let state = maker.state(&["rest p"]);
    let node = maker.node(state, "p", Justification::Itself);
    let part = read_again(part_of(&maker.root(node), &model, OmittedTransitions::Unknown));
    assert_eq!(part.components[0].model.state_name(1), "rest_");
}

#[test]
fn the_unknown_stays_unknown() {
    let model = system(
        "component A kripke { props q; init s0; s0: {q} -> s1; s1: {} -> s0; }
         component Net unknown { props ack; init {!ack}; }
         system A || Net;",
    );
    let explanation = samples::unknown();
    let part = read_again(part_of(&explanation, &model, OmittedTransitions::Unknown));
    assert_eq!(verdict(&part, Logic::Ctl, "AG (q | ack)"), Truth::Unknown);
}

#[test]
fn what_does_not_matter_is_unknown() {
    let model = system(PAIR);
    let mut maker = Maker::new(Truth::True, &["M1", "M2"]);
    let state = maker.state(&["_", "t0"]);
    let node = maker.node(state, "!i", Justification::Itself);
    let part = read_again(part_of(&maker.root(node), &model, OmittedTransitions::Unknown));
    for (formula, value) in [("!i", Truth::True), ("o", Truth::Unknown), ("!r", Truth::True)] {
        assert_eq!(verdict(&part, Logic::Ctl, formula), value, "{formula}");
    }
}

#[test]
fn odd_names_can_be_read_again() {
    let model = system(
        r#"component A lts { actions "--><a \"b\">\\"; init s; s: -"--><a \"b\">\\"-> s; }
         component B lts { actions b; init s; s: -b-> s; }
         system A || B;"#,
    );
    let part = part_of(&samples::weird(), &model, OmittedTransitions::Unknown);
    assert_eq!(read_again(part).components[0].model.states(), 5);
}
