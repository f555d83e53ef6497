//! Aldebaran files: round trips, every error with its place, and bytes that are no such file.

mod common;

use common::{Trickle, describe, mutate};
use front::{AutError, ReadError, read_aut, write_aut};
use model::{ActionId, EdgeClass, EdgesBuilder, Kind, Mode, ModelBuilder, PartialModel, TAU};
use proptest::prelude::*;
use support::{Interner, Monitor, StopReason, Stopped};

fn read(text: &[u8]) -> Result<PartialModel, ReadError> {
    read_aut(text, "test.aut", &Monitor::new())
}

fn written(model: &PartialModel) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_aut(model, &mut bytes).unwrap();
    bytes
}

/// Every transition as `source -action-> target`, in the order of the model.
fn arrows(model: &PartialModel) -> Vec<String> {
    let states = 0..model.states() as u32;
    let from = |source| {
        model.edges().out(source).map(move |(target, class)| {
            assert_eq!(class.mode, Mode::BOTH);
            format!("{source} -{}-> {target}", model.actions().name(class.action.unwrap()))
        })
    };
    states.flat_map(from).collect()
}

#[test]
fn a_file_as_tools_write_it() {
    let text = "des (1,4,3)\n(0,\"a\",1)\n(0,\"tau\",2)\n(1,\"b(1,2)\",0)\n(2,\"a\",2)\n";
    let model = read(text.as_bytes()).unwrap();
    assert_eq!((model.kind, model.states(), model.init()), (Kind::Lts, 3, &[1][..]));
    assert_eq!(arrows(&model), ["0 -a-> 1", "0 -tau-> 2", "1 -b(1,2)-> 0", "2 -a-> 2"]);
    assert_eq!(String::from_utf8(written(&model)).unwrap(), text);
}

#[test]
fn white_space_line_ends_and_spellings_of_labels() {
    let text = "\n  des ( 0 , 9,3 )  \r\n\r\n( 0 , a , 1 )\r\n(0, \"a\", 2)\n(0,PUT !1, 0)\n\
                (1,f(x,\"y\"),2)\n(1,\" a \",2)\n(1,\"say \\\"hi\\\", \\\\ (now)\",2)\n\
                (1,\"a\"b\",0)\n\t(2,i,0)   \n(2,\"tau\",1)";
    let model = read(text.as_bytes()).unwrap();
    assert_eq!(
        arrows(&model),
        [
            "0 -a-> 1",
            "0 -a-> 2",
            "0 -PUT !1-> 0",
            "1 -f(x,\"y\")-> 2",
            "1 - a -> 2",
            "1 -say \"hi\", \\ (now)-> 2",
            "1 -a\"b-> 0",
            "2 -tau-> 0",
            "2 -tau-> 1",
        ]
    );
    assert_eq!(arrows(&read(&written(&model)).unwrap()), arrows(&model));
}

#[test]
fn an_unquoted_label_is_not_taken_for_a_quoted_one_with_blanks() {
    let text = "des (0,4,1)\n(0,\"a \",0)\n(0,a ,0)\n(0,\" a\",0)\n(0,  a,0)\n";
    let model = read(text.as_bytes()).unwrap();
    assert_eq!(arrows(&model), ["0 -a -> 0", "0 -a-> 0", "0 - a-> 0", "0 -a-> 0"]);
}

#[test]
fn transitions_in_any_order_are_sorted_by_source() {
    let model = read(b"des (0,4,3)\n(2,a,0)\n(0,b,1)\n(2,b,1)\n(1,a,1)\n").unwrap();
    assert_eq!(arrows(&model), ["0 -b-> 1", "1 -a-> 1", "2 -a-> 0", "2 -b-> 1"]);
}

#[test]
fn states_without_transitions() {
    assert_eq!(read(b"des (0,0,1)").unwrap().states(), 1);
    let model = read(b"des (4,1,1000)\n(7,a,900)\n").unwrap();
    assert_eq!((model.states(), model.edges().len()), (1000, 1));
}

/// Each text with the first thing that is wrong with it.
const ERRORS: &[(&str, &str)] = &[
    ("", "1:1: expected the header of an Aldebaran file []"),
    ("\n \n", "3:1: expected the header of an Aldebaran file []"),
    ("digraph {", "1:1: expected the header of an Aldebaran file [digraph]"),
    ("des 0,0,1", "1:5: expected `(` after `des` [0]"),
    ("des (x,0,1)", "1:6: expected the number of the initial state [x]"),
    ("des (0;0,1)", "1:7: expected `,` after the initial state [;]"),
    ("des (0,-1,1)", "1:8: expected the number of transitions [-]"),
    ("des (0,0)", "1:9: expected `,` after the number of transitions [)]"),
    ("des (0,0,99999999999)", "1:10: the number of states is too large [99999999999]"),
    ("des (0,0,1", "1:11: expected `)` at the end of the header []"),
    ("des (0,0,1) x", "1:13: expected nothing more after the header [x]"),
    ("\n\ndes (5,0,5)", "3:6: there is no state 5, the initial one [5]"),
    ("des (0,0,0)", "1:6: there is no state 0, the initial one [0]"),
    ("des (0,2,2)\n(0,a,1)\n", "1:8: the header promises 2 transitions, but the file has 1 [2]"),
    (
        "des (0,4294967295,4294967295)\n",
        "1:8: the header promises 4294967295 transitions, but the file has 0 [4294967295]",
    ),
    ("des (0,0,4294967295)\n", "1:10: 4294967295 states, but only 0 transitions [4294967295]"),
    (
        "des (0,1,4294967295)\n(4294967294,a,1)",
        "1:10: 4294967295 states, but only 1 transition [4294967295]",
    ),
    (
        "des (0,1,2)\n(0,a,1)\n (1,a,0) \n",
        "3:1: more transitions than the 1 that the header promises [ (1,a,0)]",
    ),
    ("des (0,1,2)\n\n(2,a,1)\n", "3:2: there is no state 2 [2]"),
    ("des (0,1,2)\r\n(1,\"a\",  12)\r\n", "2:10: there is no state 12 [12]"),
    ("des (0,1,2)\n0,a,1)\n", "2:1: expected `(` at the beginning of a transition [0]"),
    ("des (0,1,2)\n(,a,1)\n", "2:2: expected the number of the source state [,]"),
    ("des (0,1,2)\n(0 a,1)\n", "2:4: expected `,` after the source state [a]"),
    ("des (0,1,2)\n(0,a,1\n", "2:7: expected `)` at the end of the transition []"),
    ("des (0,1,2)\n(0,a(x),1\n", "2:10: expected `)` at the end of the transition []"),
    ("des (0,1,2)\n(0,a,1)  junk\n", "2:10: expected nothing more after the transition [junk]"),
    ("des (0,1,2)\n(0,a,)\n", "2:6: expected the number of the target state [)]"),
    ("des (0,1,2)\n(0,a,x)\n", "2:6: expected the number of the target state [x]"),
    ("des (0,1,2)\n(0,a, -1)\n", "2:7: expected the number of the target state [-]"),
    ("des (0,1,2)\n(0,a)\n", "2:5: expected `,` and the number of the target state [)]"),
    ("des (0,1,2)\n(0,1)\n", "2:4: expected a label and a target state [1]"),
    ("des (0,1,2)\n(0,)\n", "2:4: expected `,` and the number of the target state [)]"),
    ("des (0,1,2)\n(0,\n", "2:4: expected a label []"),
    ("des (0,1,2)\n(0,\"a\" 1)\n", "2:8: expected `,` before the target state [1]"),
    ("des (0,1,2)\n(0,\"a,1)\n", "2:4: the closing quote of the label is missing [\"a,1)]"),
    ("des (0,1,2)\n(0,\"a\"b,1)\n", "2:7: expected `,` after the label [b]"),
    ("des (0,1,2)\n(0,\"\",1)\n", "2:4: the label is empty [\"\"]"),
    ("des (0,1,2)\n(0, ,1)\n", "2:5: the label is empty []"),
    (
        "des (0,1,2)\n(4294967296,a,1)\n",
        "2:2: the number of the source state is too large [4294967296]",
    ),
    (
        "des (0,1,2)\n(0,a,4294967296)\n",
        "2:6: the number of the target state is too large [4294967296]",
    ),
    ("des (0,1,2)\n(0,\"ä\",2)\n", "2:8: there is no state 2 [2]"),
    ("des (0,1,2)\n(0,\"a\nb\",1)\n", "2:4: the closing quote of the label is missing [\"a]"),
];

#[test]
fn every_error_has_its_place() {
    for (text, expected) in ERRORS {
        for step in [1, 3, usize::MAX] {
            let input = Trickle { text: text.as_bytes(), step };
            let error = read_aut(input, "test.aut", &Monitor::new()).unwrap_err();
            assert_eq!(&describe(error), expected, "in {text:?}, {step} bytes at a time");
        }
    }
}

#[test]
fn a_label_that_is_no_text() {
    let error = read(b"des (0,1,2)\n(0,\"a\xffb\",1)\n").unwrap_err();
    assert_eq!(describe(error), "2:6: the label is not valid UTF-8 [\u{fffd}]");
}

#[test]
fn a_place_in_a_long_file_and_in_a_long_line() {
    let lines = 100_000;
    let mut text = format!("des (0,{},2)\n", lines + 1);
    text.extend((0..lines).map(|_| "(0,\"some action\",1)\n"));
    let label = "x".repeat(1 << 20);
    text += &format!("(0,{label},7)\n");
    let error = read(text.as_bytes()).unwrap_err();
    let ReadError::Fault(fault) = &error else { panic!("{error}") };
    assert!(fault.excerpt.text.len() < 1000);
    assert_eq!(fault.excerpt.first_line, lines + 2);
    assert_eq!(fault.diagnostic.message, "there is no state 7 (byte 1048581 of the line)");
}

#[test]
fn the_last_line_of_a_cut_off_file() {
    let error = read(b"des (0,2,2)\n(0,a,1)\n(1,").unwrap_err();
    let ReadError::Fault(fault) = &error else { panic!("{error}") };
    assert_eq!(fault.diagnostic.help.as_deref(), Some("the file seems to be cut off here"));
    assert_eq!(&*fault.excerpt.text, "(1,");
}

#[test]
fn a_complete_last_line_is_not_called_cut_off() {
    let error = read(b"des (0,1,1)\n(0,a,0)\n(0,b,0)").unwrap_err();
    let ReadError::Fault(fault) = &error else { panic!("{error}") };
    assert_eq!(fault.diagnostic.help, None);
}

#[test]
fn a_valid_file_cut_off_anywhere() {
    let text = b"des (0,3,12)\r\n(0,\"a \\\" b\",11)\n(1,i,2)\n\n(10, f(x,y), 0)\n";
    let complete = text.len() - 1;
    for len in 0..complete {
        assert!(read(&text[..len]).is_err(), "{len} bytes");
    }
    assert!(read(&text[..complete]).is_ok());
}

#[test]
fn more_labels_than_a_byte_and_two_can_number() {
    for labels in [256, 257, 70_000] {
        let mut text = format!("des (0,{labels},1)\n");
        text.extend((0..labels).map(|label| format!("(0,\"l{label}\",0)\n")));
        let model = read(text.as_bytes()).unwrap();
        assert_eq!(written(&model), text.as_bytes());
    }
}

#[test]
fn limits_stop_the_reader() {
    let mut text = "des (0,200000,2)\n".to_owned();
    text.extend((0..200_000).map(|_| "(0,a,1)\n"));
    let monitor = Monitor::new();
    monitor.limit_memory(300_000);
    let result = read_aut(text.as_bytes(), "test.aut", &monitor);
    assert!(matches!(result, Err(ReadError::Stopped(Stopped(StopReason::Memory)))));
    let monitor = Monitor::new();
    monitor.stop(StopReason::Timeout);
    let result = read_aut(text.as_bytes(), "test.aut", &monitor);
    assert!(matches!(result, Err(ReadError::Stopped(Stopped(StopReason::Timeout)))));
}

#[test]
fn what_cannot_be_written() {
    let build = |kind, action: Option<&str>, mode, inits: u32| {
        let mut builder = ModelBuilder::new(kind, "m");
        for state in 0..2 {
            builder.state(state.to_string());
        }
        (0..inits).for_each(|state| builder.init(state));
        let action = action.map(|name| builder.action(name));
        builder.edge(0, action, mode, 1);
        builder.finish()
    };
    let refused = |model: PartialModel| write_aut(&model, &mut Vec::new()).unwrap_err();
    let kinds = [Kind::Kripke, Kind::Kmts, Kind::MixTs, Kind::Gkmts];
    for kind in kinds {
        assert!(
            matches!(refused(build(kind, None, Mode::BOTH, 1)), AutError::Kind(k) if k == kind)
        );
    }
    let may = refused(build(Kind::Mts, Some("a"), Mode::MAY, 1));
    assert!(may.to_string().contains("no may transitions"), "{may}");
    let two = refused(build(Kind::Lts, Some("a"), Mode::BOTH, 2));
    assert!(matches!(two, AutError::Initial(2)));
    for name in ["i", "", "two\nlines"] {
        let error = refused(build(Kind::Lts, Some(name), Mode::BOTH, 1));
        assert!(matches!(error, AutError::Action(action) if action == name));
    }
    let complete = build(Kind::Mts, Some(TAU), Mode::BOTH, 1);
    assert_eq!(written(&complete), b"des (0,1,2)\n(0,\"tau\",1)\n");
}

fn any_model() -> impl Strategy<Value = PartialModel> {
    let label = prop_oneof!["[a-z]{1,12}", "[ -~]{1,20}", "\\PC{1,10}", Just(TAU.to_owned())];
    let labels = prop::collection::vec(label, 1..6);
    let edges = prop::collection::vec((any::<u32>(), any::<u32>(), any::<u32>()), 0..60);
    (1..40u32, labels, edges, any::<u32>(), any::<bool>()).prop_map(
        |(states, labels, edges, init, is_sorted)| {
            let actions: Interner<ActionId> =
                labels.iter().map(|label| if label == "i" { "j" } else { label }).collect();
            let mut triples: Vec<_> = edges
                .iter()
                .map(|&(s, a, t)| (s % states, a % actions.len() as u32, t % states))
                .collect();
            if is_sorted {
                triples.sort_unstable();
            }
            let classes = (0..actions.len() as u32)
                .map(|a| EdgeClass { action: Some(ActionId(a)), mode: Mode::BOTH })
                .collect();
            let mut builder = EdgesBuilder::new();
            triples.iter().for_each(|&(s, a, t)| builder.push(s, a, t));
            let edges = builder.finish(states as usize, classes, &Monitor::new()).unwrap();
            PartialModel::numbered_lts("m", actions, edges, init % states)
        },
    )
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(model in any_model(), step in 1..50usize) {
        let bytes = written(&model);
        let input = Trickle { text: &bytes, step };
        let back = read_aut(input, "m", &Monitor::new()).unwrap();
        prop_assert_eq!(arrows(&back), arrows(&model));
        prop_assert_eq!((back.states(), back.init()), (model.states(), model.init()));
        prop_assert_eq!(written(&back), bytes);
    }

    #[test]
    fn damaged_files_give_a_model_or_an_error(
        model in any_model(),
        changes in prop::collection::vec((any::<usize>(), any::<u8>(), any::<u8>()), 1..6),
        step in 1..50usize,
    ) {
        let text = mutate(&written(&model), &changes);
        let whole = read(&text).map(|model| arrows(&model)).map_err(describe);
        let input = Trickle { text: &text, step };
        let in_chunks = read_aut(input, "test.aut", &Monitor::new());
        prop_assert_eq!(in_chunks.map(|model| arrows(&model)).map_err(describe), whole);
    }

    #[test]
    fn any_bytes_give_a_model_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&bytes);
        let _ = read(&[b"des (0,3,3)\n", &bytes[..]].concat());
    }
}
