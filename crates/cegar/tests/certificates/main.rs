//! Certificates about programs over integers: right ones, changed ones, and solvers that fail.

mod forgeries;
mod liar;
mod liars;
mod made;
mod naming;

use made::{Asked, Made, asked};

/// Loops that end and loops that do not, choices, remainders, two ranking functions, and a range.
const PROGRAMS: [&str; 5] = [
    "var x : int; while x > 0 do x := x - 1 od; done: fin
     property ends: ctl AF at_done;
     property runs: ctl EG !at_done;
     property low: ctl AG (at_done -> x <= 0);
     property zero: ctl AG (at_done -> x = 0);",
    "var x : int := 1; while x > 0 do x := x + 1 od; done: fin
     property runs: ctl EG !at_done;
     property ends: ctl AF at_done;
     property positive: ctl AG x > 0;",
    "var x, y : int; while x > 0 do y := any; while y > 0 do y := y - 1 od; x := x - 1 od; done: fin
     property ends: ctl AF at_done;
     property \"can end\": ctl AG EF at_done;",
    "var x : int := 0; loop: while true do x := any; assume x mod 2 = 0; x := x + 2 od
     property even: ctl AG (at_loop -> x mod 2 = 0);
     property \"can be ten\": ctl AG EF x = 10;
     property \"gets to ten\": ctl AF x = 10;",
    "var r : 0..3 := 0; var x : int := 0; while x >= 0 do if r < 3 then r := r + 1 else r := 0 fi; x := x + r od
     property small: ctl AG r <= 3;
     property returns: ctl AG EF r = 0;
     property grows: ctl AG AF x > 5;",
];

fn all() -> Vec<(Asked, Made)> {
    let all = PROGRAMS.iter().flat_map(|text| asked(text));
    all.map(|asked| {
        let made = asked.made();
        (asked, made)
    })
    .collect()
}

#[test]
fn what_shows_a_verdict_is_valid() {
    let known = [
        true, false, true, false, true, false, true, true, true, true, false, false, true, true,
        true,
    ];
    let all = all();
    assert_eq!(all.len(), known.len());
    for ((asked, made), expected) in all.iter().zip(known) {
        assert_eq!(asked.check(made), Ok(expected), "{}", asked.name);
    }
    let ranked = all.iter().filter(|(_, made)| !made.shown.rankings.is_empty()).count();
    assert!(ranked >= 3, "{ranked} need measures");
}
