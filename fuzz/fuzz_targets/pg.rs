//! A game that can be read can be written and read again, and the pieces in which it arrives make no
//! difference. Solutions are read from the same bytes.

#![no_main]

use fuzz::Trickle;
use support::Monitor;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let whole = front::read_pg(data, "x.pg", &Monitor::new());
    let in_chunks = front::read_pg(Trickle(data), "x.pg", &Monitor::new());
    match (whole, in_chunks) {
        (Ok(game), Ok(other)) => {
            assert_eq!(game, other);
            let mut text = Vec::new();
            front::write_pg(&game, &mut text).expect("what was read can be written");
            let again = front::read_pg(&text[..], "x.pg", &Monitor::new());
            assert_eq!(again.expect("what was written can be read"), game);
        }
        (Err(error), Err(other)) => assert_eq!(fuzz::place(error), fuzz::place(other)),
        _ => panic!("the pieces make a difference"),
    }
    if let Ok(nodes) = front::read_solution(data, "x.sol", &Monitor::new()) {
        let largest = nodes.iter().map(|node| node.id).max().unwrap_or(0);
        let mut text = Vec::new();
        front::write_solution(nodes.iter().copied(), largest, &mut text).expect("can be written");
        let again = front::read_solution(&text[..], "x.sol", &Monitor::new());
        assert_eq!(again.expect("what was written can be read"), nodes);
    }
});
