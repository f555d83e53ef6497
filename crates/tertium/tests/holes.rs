//! Holes in programs with processes and over integers: a definite verdict is that of every filling.

use logic::Logic;
use std::cell::Cell;
use std::time::Duration;
use tertium::{Answer, Model, Options, Verdict};
use testkit::programs::interleaved_text;
use testkit::{Rng, for_seeds};

fn model(text: &str) -> Result<Model, String> {
    Model::read("while", "program.while", text).map_err(|error| format!("{error}\n{text}"))
}

/// Puts a hole over some of `g`, `h` and `k` in the place of an assignment to one of them; its variables.
fn with_hole(rng: &mut Rng, program: &str) -> Option<(Vec<String>, usize, Vec<&'static str>)> {
    let lines: Vec<String> = program.lines().map(str::to_owned).collect();
    let is_assignment = |line: &str| line.starts_with("g := ") || line.starts_with("h := ");
    let found: Vec<usize> = (0..lines.len()).filter(|&line| is_assignment(&lines[line])).collect();
    let place = *(!found.is_empty()).then(|| rng.pick(&found))?;
    let frame = rng.pick(&[vec!["k"], vec!["g", "k"], vec!["g", "h"], vec!["h", "k"]]).clone();
    Some((lines, place, frame))
}

/// The program with this command in the place of the hole.
fn filled(lines: &[String], place: usize, command: &str) -> String {
    let end = if lines[place].ends_with(';') { ";" } else { "" };
    let own = format!("{command}{end}");
    let lines = lines.iter().enumerate();
    let texts: Vec<&str> =
        lines.map(|(at, line)| if at == place { &own } else { &**line }).collect();
    texts.join("\n")
}

/// A condition on `k`, up to 2, which nothing but the hole changes.
struct Invariant {
    text: &'static str,
    holds: fn(i64) -> bool,
}

const INVARIANTS: [Invariant; 4] = [
    Invariant { text: "k < 2", holds: |k| k < 2 },
    Invariant { text: "k = 0", holds: |k| k == 0 },
    Invariant { text: "k != 1", holds: |k| k != 1 },
    Invariant { text: "k = 1 | k = 0", holds: |k| k == 1 || k == 0 },
];

/// An assignment that keeps an invariant, wherever it holds before.
fn keeping(rng: &mut Rng, frame: &[&str], kept: Option<&Invariant>) -> String {
    for _ in 0..20 {
        let (a, b, constant) = (*rng.pick(frame), *rng.pick(frame), rng.below(2) as i64);
        let (text, values): (String, &dyn Fn(i64) -> Vec<i64>) = match rng.below(3) {
            0 => (format!("{a} := any"), &|_| vec![0, 1, 2]),
            1 => (format!("{a} := {constant}"), &|_| vec![constant]),
            _ if b == "k" => (format!("{a} := (k + 1) mod 2"), &|k| vec![(k + 1) % 2]),
            _ => (format!("{a} := ({b} + 1) mod 2"), &|_| vec![0, 1]),
        };
        let is_kept = |kept: &Invariant| {
            let mut from = (0..=2).filter(|&k| (kept.holds)(k));
            a != "k" || from.all(|k| values(k).into_iter().all(kept.holds))
        };
        if kept.is_none_or(is_kept) {
            return text;
        }
    }
    "skip".to_owned()
}

/// A small program over the variables of a hole, each step of which keeps an invariant.
fn filling(rng: &mut Rng, frame: &[&str], depth: usize, kept: Option<&Invariant>) -> String {
    let (a, b) = (*rng.pick(frame), *rng.pick(frame));
    let test =
        rng.pick(&[format!("{a} = 0"), format!("{a} < {b} + 1"), "0 = 0".to_owned()]).clone();
    let inner = depth.saturating_sub(1);
    match rng.below(if depth == 0 { 5 } else { 9 }) {
        0 => "skip".to_owned(),
        1 => format!("assert {test}"),
        2..=4 => keeping(rng, frame, kept),
        5 => format!("while {test} do {} od", filling(rng, frame, inner, kept)),
        6 => format!("if {test} then {} fi", filling(rng, frame, inner, kept)),
        _ => {
            let first = filling(rng, frame, inner, kept);
            format!("{first}; {}", filling(rng, frame, inner, kept))
        }
    }
}

fn is_certified(answer: &Answer) -> Result<bool, String> {
    match answer.audit().map_err(|error| error.to_string())? {
        Some(found) if !found.is_valid() => Err(format!("its certificate: {:?}", found.fault)),
        found => Ok(found.is_some()),
    }
}

/// How many verdicts were definite, and for how many unknown ones fillings of both kinds were found.
#[derive(Default)]
struct Counts {
    definite: Cell<u32>,
    unknown: Cell<u32>,
    mixed: Cell<u32>,
}

fn add(cell: &Cell<u32>) {
    cell.set(cell.get() + 1);
}

/// Checks a program with a hole by a method for programs over integers, and fillings of it by one for finite models.
fn compare(name: &str, seeds: u64, method: &str, assumes: bool) -> Counts {
    let counts = Counts::default();
    for_seeds(name, 0..seeds, |rng: &mut Rng, case| {
        let made = interleaved_text(rng, false);
        let program = format!("var k : 0..2 := 0;\n{}", made.program);
        let Some((lines, place, frame)) = with_hole(rng, &program) else { return Ok(()) };
        let text = filled(&lines, place, &format!("hole net({})", frame.join(", ")));
        case.note(&text);
        let mut asked = made.in_program(&made.formulas[0]);
        if rng.chance(0.7) {
            asked = asked.replace("(g = 1)", "(k = 1)").replace("(h = 1)", "(k = 0)");
        }
        let kept = assumes.then(|| rng.pick(&INVARIANTS));
        if let Some(kept) = kept.filter(|_| rng.chance(0.4)) {
            asked = format!("A[{} W {asked}]", kept.text);
        }
        case.note(&asked);
        let open = model(&text)?;
        let property = open.property(Logic::Ctl, &asked).map_err(|error| error.to_string())?;
        let options = Options::default().method(method).evidence(method != "symbolic");
        let assumed = kept.map(|kept| format!("net: AG ({})", kept.text));
        assumed.iter().for_each(|assumed| case.note(assumed));
        let options = options.assume(assumed.into_iter().collect());
        let options = options.timeout(Duration::from_secs(2));
        let found = open.check(&property, &options).map_err(|error| error.to_string())?;
        let verdict = found.verdict();
        is_certified(&found)?;
        let mut seen = [false; 2];
        for _ in 0..8 {
            let command = filling(rng, &frame, 2, kept);
            let closed = model(&filled(&lines, place, &command))?;
            let property = closed.property(Logic::Ctl, &asked).map_err(|e| e.to_string())?;
            let direct = Options::default().method("direct");
            let right = closed.check(&property, &direct).map_err(|error| error.to_string())?;
            seen[usize::from(right.verdict() == Verdict::True)] = true;
            if verdict != Verdict::Unknown && right.verdict() != verdict {
                return Err(format!("{verdict}, but {} with `{command}`", right.verdict()));
            }
        }
        match verdict {
            Verdict::Unknown => {
                add(&counts.unknown);
                (0..u32::from(seen == [true; 2])).for_each(|_| add(&counts.mixed));
            }
            _ => add(&counts.definite),
        }
        Ok(())
    });
    let [definite, unknown, mixed] =
        [&counts.definite, &counts.unknown, &counts.mixed].map(Cell::get);
    println!("{definite} definite, {unknown} unknown, {mixed} of these depend on the filling");
    counts
}

#[test]
fn what_is_definite_holds_for_every_filling() {
    let counts = compare("holes-refine", 250, "refine", false);
    if std::env::var_os("TERTIUM_SEED").is_none() {
        assert!(counts.definite.get() > 50 && counts.mixed.get() > 10);
    }
}

#[test]
fn so_it_does_block_by_block() {
    let counts = compare("holes-modular", 60, "modular", false);
    if std::env::var_os("TERTIUM_SEED").is_none() {
        assert!(counts.definite.get() > 10);
    }
}

#[test]
fn and_on_sets_of_abstract_states() {
    let counts = compare("holes-symbolic", 60, "symbolic", false);
    if std::env::var_os("TERTIUM_SEED").is_none() {
        assert!(counts.definite.get() > 10);
    }
}

/// Each step of the filling keeps what is assumed, whatever the other processes do between its steps.
#[test]
fn what_is_definite_holds_for_every_filling_that_keeps_the_invariant() {
    let mut definite = 0;
    for (name, seeds, method) in [
        ("holes-assumed-refine", 250, "refine"),
        ("holes-assumed-modular", 60, "modular"),
        ("holes-assumed-symbolic", 60, "symbolic"),
    ] {
        definite += compare(name, seeds, method, true).definite.get();
    }
    if std::env::var_os("TERTIUM_SEED").is_none() {
        assert!(definite > 100, "{definite}");
    }
}

const OVER_INTEGERS: &str = "
var x, y : int := 0;
hole net(x);
y := y + 1;
if x > 0 then y := y + x fi;
done: fin
";

#[test]
fn a_hole_may_do_anything_to_integers() {
    let open = model(OVER_INTEGERS).expect("a program");
    let asked = [
        ("AG y >= 0", Verdict::True),
        ("A[y = 0 W x != 0 | at_done | y = 1]", Verdict::True),
        ("AG (at_done -> y >= 1)", Verdict::True),
        ("AX y = 0", Verdict::True),
        ("AG EF at_done", Verdict::Unknown),
        ("EF y = 7", Verdict::Unknown),
        ("EF x < 0", Verdict::Unknown),
        ("AG x >= 0", Verdict::Unknown),
        ("AF at_done", Verdict::Unknown),
        ("EF error", Verdict::Unknown),
        ("EX x = 1", Verdict::Unknown),
        ("AG y < 0", Verdict::False),
    ];
    for (formula, expected) in asked {
        let property = open.property(Logic::Ctl, formula).expect("a formula");
        let options = Options::default().evidence(true).timeout(Duration::from_secs(5));
        let found = open.check(&property, &options).expect("an answer");
        assert_eq!(found.verdict(), expected, "{formula}");
        assert_eq!(is_certified(&found), Ok(expected != Verdict::Unknown), "{formula}");
    }
    let property = open.property(Logic::Ctl, "EF x = 3").expect("a formula");
    let found = open.check(&property, &Options::default()).expect("an answer");
    let reason = format!("{:?}", found.reason());
    assert!(reason.contains("Holes { names: [\"net\"]"), "{reason}");
}

#[test]
fn the_label_of_a_hole_is_not_known_inside() {
    let open = model(&OVER_INTEGERS.replace("hole", "part: hole")).expect("a program");
    let refused = open.property(Logic::Ctl, "AG !at_part").expect_err("it is not known");
    assert!(refused.to_string().contains("`at_part`"), "{refused}");
    assert!(open.property(Logic::Ctl, "AG !at_done").is_ok());
    let refused = open.property(Logic::Ltl, "F at_done").expect_err("of no hole");
    assert!(refused.to_string().contains("LTL"), "{refused}");
}

fn verdict_assuming(text: &str, assumption: &str, formula: &str) -> Result<Verdict, String> {
    let open = model(text)?;
    let property = open.property(Logic::Ctl, formula).map_err(|error| error.to_string())?;
    let options = Options::default().assume(vec![assumption.to_owned()]);
    let found = open.check(&property, &options.timeout(Duration::from_secs(5)));
    found.map(|found| found.verdict()).map_err(|error| error.to_string())
}

#[test]
fn invariants_of_holes_over_integers() {
    let process = "var x, y : int := 0; process P { hole net(x) } process Q { y := 1; x := 0 - y }";
    let asked = [
        (OVER_INTEGERS, "net: AG x >= 0", "AG x >= 0", Verdict::True),
        (OVER_INTEGERS, "net: AG (x >= 0 & x <= 3)", "AG y <= 4", Verdict::True),
        (OVER_INTEGERS, "net: AG x >= 0", "AG y <= 4", Verdict::Unknown),
        (OVER_INTEGERS, "net: AG (end -> x = 2)", "AG (at_done -> y = 3)", Verdict::True),
        (OVER_INTEGERS, "net: AG (end -> x = 2)", "AG x = 2", Verdict::False),
        (OVER_INTEGERS, "net: AG !error", "AG !error", Verdict::True),
        (OVER_INTEGERS, "net: AG (error -> x = 1) & AG !(x = 1)", "AG !error", Verdict::True),
        // It applies where it holds at the entry.
        (OVER_INTEGERS, "net: AG x > 0", "AG x >= 0", Verdict::Unknown),
        // What another process breaks, the hole need not keep.
        (process, "net: AG x >= 0", "A[x >= 0 W y = 1]", Verdict::True),
        (process, "net: AG x >= 0", "AG (x >= 0 | x = -1)", Verdict::Unknown),
    ];
    for (text, assumption, formula, expected) in asked {
        let found = verdict_assuming(text, assumption, formula);
        assert_eq!(found, Ok(expected), "{formula} if {assumption}");
    }
}

#[test]
fn what_cannot_be_assumed_is_named() {
    let refused = [
        ("net: AF end", "`AF end`"),
        ("net: AG x > 0 & EF (end & x = 1)", "`EF (end & x = 1)`"),
        ("net: AG EF end", "`AG EF end`"),
        ("net: x = 0 -> AG x = 0", "`x = 0 -> AG x = 0`"),
        ("net: A[x = 0 U end]", "`A[x = 0 U end]`"),
    ];
    for (assumption, construct) in refused {
        let error = verdict_assuming(OVER_INTEGERS, assumption, "AG y >= 0").expect_err(assumption);
        let problem = format!("{construct} cannot be assumed");
        assert!(error.contains(&problem), "{assumption}: {error}");
    }
    let twice = Options::default().assume(vec!["net: AG x = 0".into(), "net: AG x < 9".into()]);
    let open = model(OVER_INTEGERS).expect("a program");
    let property = open.property(Logic::Ctl, "AF at_done").expect("a formula");
    let refused = open.check(&property, &twice).err().expect("two assumptions");
    assert!(refused.to_string().contains("two assumptions"), "{refused}");
}
