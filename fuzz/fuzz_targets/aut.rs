//! A file that can be read can be written and read again, and the pieces in which it arrives make no
//! difference.

#![no_main]

use fuzz::Trickle;
use support::Monitor;

fn written(model: &model::PartialModel) -> Vec<u8> {
    let mut bytes = Vec::new();
    front::write_aut(model, &mut bytes).expect("what was read can be written");
    bytes
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let whole = front::read_aut(data, "x.aut", &Monitor::new());
    let in_chunks = front::read_aut(Trickle(data), "x.aut", &Monitor::new());
    match (whole, in_chunks) {
        (Ok(model), Ok(other)) => {
            let text = written(&model);
            assert_eq!(text, written(&other));
            let again = front::read_aut(&text[..], "x.aut", &Monitor::new());
            assert_eq!(text, written(&again.expect("what was written can be read")));
        }
        (Err(error), Err(other)) => assert_eq!(fuzz::place(error), fuzz::place(other)),
        _ => panic!("the pieces make a difference"),
    }
});
