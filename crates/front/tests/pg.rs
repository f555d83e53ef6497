//! Parity games and their solutions: round trips, every error with its place, bytes that are neither.

mod common;

use common::{Trickle, describe, mutate};
use front::{
    NodeNames, PgGame, ReadError, Solved, read_pg, read_solution, write_pg, write_solution,
};
use proptest::prelude::*;
use support::{Monitor, StopReason, Stopped};

fn read(text: &[u8]) -> Result<PgGame, ReadError> {
    read_pg(text, "test.pg", &Monitor::new())
}

fn written(game: &PgGame) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_pg(game, &mut bytes).unwrap();
    bytes
}

#[test]
fn a_game_as_tools_write_it() {
    let text =
        "parity 2;\nstart 1;\n0 6 1 1,2 \"first\";\n1 0 0 1;\n2 4294967295 1 0,2,1 \"\u{e4};\";\n";
    let game = read(text.as_bytes()).unwrap();
    assert_eq!(game.priorities, [6, 0, u32::MAX]);
    assert_eq!(game.owners, [1, 0, 1]);
    assert_eq!(game.successor_offsets, [0, 2, 3, 6]);
    assert_eq!(game.successors, [1, 2, 1, 0, 2, 1]);
    assert_eq!((game.start, &game.ids), (Some(1), &None));
    let names = game.names.as_ref().unwrap();
    assert_eq!([names.get(0), names.get(1), names.get(2)], ["first", "", "\u{e4};"]);
    assert_eq!(written(&game), text.as_bytes());
}

#[test]
fn the_header_is_the_largest_id_or_the_number_of_nodes_or_missing() {
    for header in ["parity 1;", "parity 2;", "", "  parity\n1\t;"] {
        let game = read(format!("{header} 0 0 0 1;1 1 1 0 ;").as_bytes()).unwrap();
        assert_eq!(game.successors, [1, 0]);
    }
    assert!(read(b"parity 0;").unwrap().is_empty());
}

#[test]
fn nodes_in_any_order_with_or_without_gaps() {
    let game = read(b"parity 2;\nstart 2;\n2 22 0 0,1;\n0 0 1 2 \"zero\";\n1 11 0 1;\n").unwrap();
    assert_eq!(written(&game), b"parity 2;\nstart 2;\n0 0 1 2 \"zero\";\n1 11 0 1;\n2 22 0 0,1;\n");
    assert_eq!(game.ids, None);
    let sparse = "parity 70;\n5 1 0 70;\n60 2 1 5,60 \"x\";\n70 3 0 60;\n";
    let game = read(sparse.as_bytes()).unwrap();
    assert_eq!(game.ids.as_deref(), Some(&[5, 60, 70][..]));
    assert_eq!(game.successors, [2, 0, 1, 1]);
    assert_eq!((game.node(60), game.node(6), game.id(2)), (Some(1), None, 70));
    assert_eq!(written(&game), sparse.as_bytes());
}

/// Each text with the first thing that is wrong with it.
const ERRORS: &[(&str, &str)] = &[
    ("", "1:1: expected a parity game, but the file is empty []"),
    (" \n\n", "3:1: expected a parity game, but the file is empty []"),
    ("des (0,1,1)", "1:1: expected the number of a node [des]"),
    ("parity x;", "1:8: expected a number of nodes [x]"),
    ("parity 5\n0 0 0 0;", "2:1: expected `;` after the number [0]"),
    ("parity 4294967296;", "1:8: a number of nodes is too large [4294967296]"),
    (
        "parity 0;\nparity 0;",
        "2:1: expected `parity` and then `start` once each, before all nodes [parity 0;]",
    ),
    (
        "0 0 0 0;start 0;",
        "1:9: expected `parity` and then `start` once each, before all nodes [start 0;]",
    ),
    ("parity 1;\nstart 7;\n0 0 0 0;\n", "2:7: the game should start in node 7 [7]"),
    (
        "\nparity 3;\n0 0 0 1;\n1 0 0 0;\n",
        "2:8: the header promises nodes up to 3, found 2, the largest 1 [3]",
    ),
    ("parity 3;", "1:8: the header promises nodes up to 3, found none [3]"),
    ("parity 1;\n0 0 0 1;\n2 0 0 0;\n", "3:1: there is no node 2 [2]"),
    ("parity 1;\n0 0 0 1, 2;\n", "2:10: there is no node 2 [2]"),
    ("parity 1;\n0 0 0 1;\n0 0 0 1;\n", "3:1: node 0 is defined twice [0]"),
    ("9 0 0 9;\n9 0 0 9;\n", "2:1: node 9 is defined twice [9]"),
    ("0 0 0 1,17,0;\n1 0 0 0;\n", "1:9: node 0 has the successor 17, which is not defined [17]"),
    (
        "parity 9;\n\n9 3 0 9;\n8 1 1 9,8,7,9;\n",
        "4:11: node 8 has the successor 7, which is not defined [7]",
    ),
    ("parity 0;\n0 1 1 ;\n", "2:7: node 0 has no successor [;]"),
    ("parity 0;\n0 1 1 \"name\";\n", "2:7: node 0 has no successor [\"]"),
    ("0 1 1 0,;\n", "1:9: expected the number of a successor [;]"),
    ("0 1 1 x;\n", "1:7: expected the number of a successor [x]"),
    ("0 1 1 0 0;\n", "1:9: expected `;` at the end of the node [0]"),
    ("0 1 2 0;\n", "1:5: expected an owner [2]"),
    ("0 1 x 0;\n", "1:5: expected an owner [x]"),
    ("0 -1 0 0;\n", "1:3: expected a priority [-]"),
    ("0 4294967296 0 0;\n", "1:3: a priority is too large [4294967296]"),
    ("4294967296 0 0 0;\n", "1:1: the number of a node is too large [4294967296]"),
    ("0 0 0 0 \"a\" \"b\";\n", "1:13: expected `;` at the end of the node [\"]"),
    ("0 0 0 0;\n1 0 0 0 \"a;\n", "2:9: the closing quote of the name is missing [\"a;]"),
    ("0 0 0 0\n", "1:8: expected `;` at the end of the node []"),
];

#[test]
fn every_error_has_its_place() {
    for (text, expected) in ERRORS {
        for step in [1, 3, usize::MAX] {
            let input = Trickle { text: text.as_bytes(), step };
            let error = read_pg(input, "test.pg", &Monitor::new()).unwrap_err();
            assert_eq!(&describe(error), expected, "in {text:?}, {step} bytes at a time");
        }
    }
}

#[test]
fn a_name_that_is_no_text() {
    let error = read(b"0 0 0 0 \"a\xff\";").unwrap_err();
    assert_eq!(describe(error), "1:11: the name is not valid UTF-8 [\u{fffd}]");
}

#[test]
fn a_long_list_with_an_undefined_node_is_shown_in_part() {
    let successors: Vec<String> = (0..100).map(|successor| (successor % 2).to_string()).collect();
    let text = format!("0 0 0 {},77,{};\n1 0 0 0;", successors.join(","), successors.join(","));
    let error = read(text.as_bytes()).unwrap_err();
    let ReadError::Fault(fault) = &error else { panic!("{error}") };
    assert_eq!(&*fault.excerpt.text, "0 0 0 …,0,1,0,1,0,1,0,1,77,0,1,0,1,0,1,0,1,…");
}

#[test]
fn a_list_longer_than_the_window() {
    let nodes = 100_000u32;
    let successors: Vec<String> = (0..nodes).map(|successor| successor.to_string()).collect();
    let mut text = format!("parity {};\n0 0 0 {};\n", nodes - 1, successors.join(",\n"));
    text.extend((1..nodes).map(|node| format!("{node} 1 0 0;\n")));
    let game = read(text.as_bytes()).unwrap();
    assert!(game.successors(0).iter().copied().eq(0..nodes));
}

#[test]
fn a_valid_game_cut_off_anywhere() {
    let text = b"parity 11;\nstart 10;\n10 6 1 11,10 \"a; b\";\n11 0 0 10;";
    for len in 0..text.len() {
        assert!(read(&text[..len]).is_err(), "{len} bytes");
    }
    assert!(read(text).is_ok());
}

#[test]
fn only_a_statement_that_does_not_end_is_called_cut_off() {
    let help = |text: &[u8]| match read(text).unwrap_err() {
        ReadError::Fault(fault) => fault.diagnostic.help,
        error => panic!("{error}"),
    };
    let successors = help(b"parity 0;\n0 0 0;").unwrap();
    assert_eq!(successors, "in PGSolver's format every node has at least one");
    assert_eq!(help(b"parity;"), None);
    assert!(help(b"parity 0;\n0 0 0").is_some_and(|help| help.contains("cut off")));
}

#[test]
fn a_promise_of_four_billion_nodes_costs_nothing() {
    let error = read(b"parity 4294967295;\n0 0 0 4294967295;\n").unwrap_err();
    assert!(describe(error).contains("promises nodes up to 4294967295"));
    let game = read(b"4294967295 0 0 4294967295;\n").unwrap();
    assert_eq!((game.ids.as_deref(), game.successors), (Some(&[u32::MAX][..]), vec![0]));
}

#[test]
fn limits_stop_the_reader() {
    let text: String = (0..100_000).map(|node| format!("{node} 0 0 {node};\n")).collect();
    let monitor = Monitor::new();
    monitor.limit_memory(100_000);
    let result = read_pg(text.as_bytes(), "test.pg", &monitor);
    assert!(matches!(result, Err(ReadError::Stopped(Stopped(StopReason::Memory)))));
}

#[test]
fn solutions() {
    let text = "paritysol 3;\n0 1;\n1 0 3;\n3 1 0;\n";
    let nodes = read_solution(text.as_bytes(), "test.sol", &Monitor::new()).unwrap();
    let solved = |id, winner, strategy| Solved { id, winner, strategy };
    assert_eq!(nodes, [solved(0, 1, None), solved(1, 0, Some(3)), solved(3, 1, Some(0))]);
    let mut bytes = Vec::new();
    write_solution(nodes, 3, &mut bytes).unwrap();
    assert_eq!(bytes, text.as_bytes());
}

#[test]
fn every_error_in_a_solution_has_its_place() {
    const ERRORS: &[(&str, &str)] = &[
        ("paritysol;", "1:10: expected a number of nodes [;]"),
        (
            "paritysol 5;\n0 0;\n",
            "1:11: the header promises nodes up to 5, found 1, the largest 0 [5]",
        ),
        ("0 0;\n0 1;\n", "2:1: node 0 is solved twice [0]"),
        ("0 2;", "1:3: expected a winner [2]"),
        ("0;", "1:2: expected a winner [;]"),
        ("0 1 5 6;", "1:7: expected `;` at the end of the node [6]"),
        ("parity 5;", "1:1: expected the number of a node [parity]"),
        ("0 0 4294967296;", "1:5: the number of a successor is too large [4294967296]"),
    ];
    for (text, expected) in ERRORS {
        let error = read_solution(text.as_bytes(), "test.sol", &Monitor::new()).unwrap_err();
        assert_eq!(&describe(error), expected, "in {text:?}");
    }
}

#[test]
fn a_quote_in_a_name_cannot_be_written() {
    let names = Some(["a\"b"].into_iter().collect::<NodeNames>());
    let game = PgGame { names, ..read(b"0 0 0 0;").unwrap() };
    let error = write_pg(&game, &mut Vec::new()).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
}

fn any_game() -> impl Strategy<Value = PgGame> {
    let successors = prop::collection::vec(any::<prop::sample::Index>(), 1..6);
    let name = prop_oneof![3 => Just(String::new()), 1 => "[^\"]{0,9}"];
    let node = (any::<u32>(), 0..2u8, successors, name, 0..3u32);
    (prop::collection::vec(node, 1..30), any::<Option<prop::sample::Index>>()).prop_map(
        |(nodes, start)| {
            let mut game = PgGame { successor_offsets: vec![0], ..PgGame::default() };
            let mut ids = Vec::new();
            for (priority, owner, successors, _, gap) in &nodes {
                game.priorities.push(*priority);
                game.owners.push(*owner);
                game.successors
                    .extend(successors.iter().map(|successor| successor.index(nodes.len()) as u32));
                game.successor_offsets.push(game.successors.len() as u32);
                ids.push(ids.last().map_or(*gap, |last| last + 1 + gap / 2));
            }
            game.ids = ids.iter().zip(0..).any(|(&id, node)| id != node).then_some(ids);
            let is_named = nodes.iter().any(|node| !node.3.is_empty());
            game.names = is_named.then(|| nodes.iter().map(|node| node.3.as_str()).collect());
            game.start = start.map(|start| start.index(nodes.len()) as u32);
            game
        },
    )
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(game in any_game(), step in 1..50usize) {
        let bytes = written(&game);
        let input = Trickle { text: &bytes, step };
        prop_assert_eq!(read_pg(input, "test.pg", &Monitor::new()).unwrap(), game);
    }

    #[test]
    fn the_order_of_the_nodes_does_not_matter(game in any_game(), seed in any::<usize>()) {
        // A name may contain line ends, which would be torn apart below.
        let game = PgGame { names: None, ..game };
        let text = String::from_utf8(written(&game)).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let (head, nodes) = lines.split_at(1 + usize::from(game.start.is_some()));
        let mut nodes = nodes.to_vec();
        let by = seed % nodes.len();
        nodes.rotate_left(by);
        nodes.reverse();
        let shuffled = [head, &nodes].concat().join("\n");
        prop_assert_eq!(read(shuffled.as_bytes()).unwrap(), game);
    }

    #[test]
    fn damaged_games_give_a_game_or_an_error(
        game in any_game(),
        changes in prop::collection::vec((any::<usize>(), any::<u8>(), any::<u8>()), 1..6),
        step in 1..50usize,
    ) {
        let text = mutate(&written(&game), &changes);
        let whole = read(&text).map_err(describe);
        let in_chunks = read_pg(Trickle { text: &text, step }, "test.pg", &Monitor::new());
        prop_assert_eq!(in_chunks.map_err(describe), whole);
    }

    #[test]
    fn any_bytes_give_a_game_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&bytes);
        let _ = read_solution(&bytes[..], "test.sol", &Monitor::new());
    }

    #[test]
    fn solutions_are_read_back(
        nodes in prop::collection::btree_map(any::<u32>(), (0..2u8, any::<Option<u32>>()), 1..40),
    ) {
        let largest = *nodes.keys().next_back().unwrap();
        let nodes: Vec<Solved> = nodes
            .into_iter()
            .map(|(id, (winner, strategy))| Solved { id, winner, strategy })
            .collect();
        let mut bytes = Vec::new();
        write_solution(nodes.iter().copied(), largest, &mut bytes).unwrap();
        prop_assert_eq!(read_solution(&bytes[..], "test.sol", &Monitor::new()).unwrap(), nodes);
    }
}
