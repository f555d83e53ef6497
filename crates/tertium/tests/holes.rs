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

/// Puts a hole over some of `g` and `h` in the place of an assignment to one of them; its variables.
fn with_hole(rng: &mut Rng, program: &str) -> Option<(Vec<String>, usize, Vec<&'static str>)> {
    let lines: Vec<String> = program.lines().map(str::to_owned).collect();
    let is_assignment = |line: &str| line.starts_with("g := ") || line.starts_with("h := ");
    let found: Vec<usize> = (0..lines.len()).filter(|&line| is_assignment(&lines[line])).collect();
    let place = *(!found.is_empty()).then(|| rng.pick(&found))?;
    let frame = rng.pick(&[vec!["g"], vec!["h"], vec!["g", "h"]]).clone();
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

/// A small program over the variables of a hole.
fn filling(rng: &mut Rng, frame: &[&str], depth: usize) -> String {
    let (a, b) = (*rng.pick(frame), *rng.pick(frame));
    let test =
        rng.pick(&[format!("{a} = 0"), format!("{a} < {b} + 1"), "0 = 0".to_owned()]).clone();
    let inner = depth.saturating_sub(1);
    match rng.below(if depth == 0 { 5 } else { 9 }) {
        0 => "skip".to_owned(),
        1 => format!("{a} := any"),
        2 => format!("{a} := {}", rng.below(2)),
        3 => format!("{a} := ({b} + 1) mod 2"),
        4 => format!("assert {test}"),
        5 => format!("while {test} do {} od", filling(rng, frame, inner)),
        6 => format!("if {test} then {} fi", filling(rng, frame, inner)),
        _ => format!("{}; {}", filling(rng, frame, inner), filling(rng, frame, inner)),
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
fn compare(name: &str, seeds: u64, method: &str) -> Counts {
    let counts = Counts::default();
    for_seeds(name, 0..seeds, |rng: &mut Rng, case| {
        let made = interleaved_text(rng, false);
        let Some((lines, place, frame)) = with_hole(rng, &made.program) else { return Ok(()) };
        let text = filled(&lines, place, &format!("hole net({})", frame.join(", ")));
        case.note(&text);
        let asked = made.in_program(&made.formulas[0]);
        case.note(&asked);
        let open = model(&text)?;
        let property = open.property(Logic::Ctl, &asked).map_err(|error| error.to_string())?;
        let options = Options::default().method(method).evidence(method != "symbolic");
        let options = options.timeout(Duration::from_secs(2));
        let found = open.check(&property, &options).map_err(|error| error.to_string())?;
        let verdict = found.verdict();
        is_certified(&found)?;
        let mut seen = [false; 2];
        for _ in 0..8 {
            let command = filling(rng, &frame, 2);
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
    let counts = compare("holes-refine", 250, "refine");
    if std::env::var_os("TERTIUM_SEED").is_none() {
        assert!(counts.definite.get() > 50 && counts.mixed.get() > 10);
    }
}

#[test]
fn so_it_does_block_by_block() {
    let counts = compare("holes-modular", 60, "modular");
    if std::env::var_os("TERTIUM_SEED").is_none() {
        assert!(counts.definite.get() > 10);
    }
}

#[test]
fn and_on_sets_of_abstract_states() {
    let counts = compare("holes-symbolic", 60, "symbolic");
    if std::env::var_os("TERTIUM_SEED").is_none() {
        assert!(counts.definite.get() > 10);
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
    let assuming = Options::default().assume(vec!["net: AF end".to_owned()]);
    let property = open.property(Logic::Ctl, "AF at_done").expect("a formula");
    let refused = open.check(&property, &assuming).err().expect("not in this program");
    assert!(refused.to_string().contains("`--assume`"), "{refused}");
}
