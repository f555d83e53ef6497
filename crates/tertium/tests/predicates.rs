//! `symbolic` on programs over integers: the standard and the reduced semantics of their predicate abstraction (paper X).

use cegar::abstraction::blocks;
use std::cell::Cell;
use tertium::{ConvertOptions, Model, Options, Semantics, Verdict, certify, convert};
use testkit::{Rng, for_seeds};

fn verdicts(text: &str, semantics: Semantics) -> Vec<Verdict> {
    let model = Model::read("while", "program.while", text).expect("a program");
    let options = Options::default().method("symbolic").semantics(semantics);
    let check = |property| model.check(property, &options).expect("a verdict").verdict();
    model.properties().iter().map(check).collect()
}

/// Both branches lead on: so does what is known of neither.
#[test]
fn a_guard_and_its_negation_are_one_predicate() {
    let program = "var x, y : int; x := y; if x > 0 then skip fi; END: fin\n";
    for property in ["EF at_END", "EF (at_END & (x <= 0 | !(x < 1)))"] {
        let text = format!("{program}property p: ctl {property};");
        assert_eq!(verdicts(&text, Semantics::Ris), [Verdict::True], "{property}");
        assert_eq!(verdicts(&text, Semantics::Sis), [Verdict::Unknown], "{property}");
    }
}

/// Equivalent conditions, and one that implies another: no number is at most 0 and above 1.
#[test]
fn minterms_without_states_need_no_step() {
    for (first, second) in [
        ("x > 0", "2 * x > 1"),
        ("x > 1", "x > 0"),
        ("x mod 2 = 0", "x mod 4 = 0"),
        ("x > y & y > 0", "x > 1"),
    ] {
        let text = format!(
            "var x, y, z : int; x := z; if {first} then skip fi; if {second} then skip fi; END: fin
             property p: ctl EF at_END;"
        );
        assert_eq!(verdicts(&text, Semantics::Ris), [Verdict::True], "{first}, {second}");
    }
}

/// X Fig. 3, with all numbers at the start: those of I1 and of I2 are among them.
#[test]
fn figure_3_on_the_text_of_the_program() {
    [1, 2, 40, 100, 200, 250, 2000].into_iter().for_each(figure_3);
}

fn figure_3(blocks: u32) {
    use Verdict::{False, True, Unknown};
    let text = blocks::text(blocks);
    assert_eq!(verdicts(&text, Semantics::Ris), [True, True, False], "n = {blocks}");
    assert_eq!(verdicts(&text, Semantics::Sis), [Unknown, Unknown, False], "n = {blocks}");
}

fn condition(rng: &mut Rng) -> String {
    let variable = *rng.pick(&["x", "y", "x - y", "x + y"]);
    let comparison = *rng.pick(&["<", "<=", "=", "!=", ">"]);
    match rng.below(5) {
        0 => format!("({variable}) mod 2 = {}", rng.below(2)),
        _ => format!("{variable} {comparison} {}", rng.between(0, 4) as i64 - 2),
    }
}

fn commands(rng: &mut Rng, depth: usize) -> String {
    let value =
        |rng: &mut Rng| (*rng.pick(&["y", "x + 1", "y - x", "1 - x / 2", "any", "2"])).to_owned();
    let one = |rng: &mut Rng| match rng.below(if depth == 0 { 2 } else { 4 }) {
        0 => format!("x := {}", value(rng)),
        1 => format!("y := {}", value(rng)),
        2 => {
            let (condition, then) = (condition(rng), commands(rng, depth - 1));
            format!("if {condition} then {then} else {} fi", commands(rng, depth - 1))
        }
        _ => format!("while {} do {} od", condition(rng), commands(rng, depth - 1)),
    };
    (0..rng.between(1, 3)).map(|_| one(rng)).collect::<Vec<_>>().join("; ")
}

fn program(rng: &mut Rng) -> String {
    let start = *rng.pick(&["", " := 0"]);
    let property = *rng.pick(&["EF", "AF", "EG !", "AG !"]);
    format!(
        "var x : int{start}; var y : int;\n{}; END: fin\nproperty p: ctl {property}(at_END & {});\n",
        commands(rng, 2),
        condition(rng)
    )
}

/// RIS knows all that SIS knows (X Thm 5), and neither contradicts what refinement finds.
#[test]
fn both_semantics_agree_with_refinement() {
    let (standard, reduced) = (Cell::new(0), Cell::new(0));
    for_seeds("predicates-random", 0..150, |rng, case| {
        let text = program(rng);
        case.note(text.clone());
        let model = Model::read("while", "program.while", &text).map_err(|e| e.to_string())?;
        let check = |options: Options| {
            model.check(&model.properties()[0], &options).map(|answer| answer.verdict())
        };
        let by = |semantics| check(Options::default().method("symbolic").semantics(semantics));
        let (Ok(sis), Ok(ris)) = (by(Semantics::Sis), by(Semantics::Ris)) else { return Ok(()) };
        let limits = Options::default().timeout(std::time::Duration::from_secs(2));
        let refined = check(limits).map_err(|error| error.to_string())?;
        let differ =
            |a: Verdict, b: Verdict| a != Verdict::Unknown && b != Verdict::Unknown && a != b;
        standard.set(standard.get() + u32::from(sis != Verdict::Unknown));
        reduced.set(reduced.get() + u32::from(ris != Verdict::Unknown));
        match sis != Verdict::Unknown && ris != sis || differ(ris, refined) {
            true => Err(format!("SIS {sis}, RIS {ris}, refinement {refined}")),
            false => Ok(()),
        }
    });
    assert!(standard.get() > 20 && reduced.get() > standard.get(), "{standard:?}, {reduced:?}");
}

fn read(text: &str) -> Result<Model, String> {
    Model::read("while", "program.while", text).map_err(|error| error.to_string())
}

/// The model that `convert` writes has the verdicts of `symbolic`. Under SIS it may say more: it has no states for
/// minterms that no values satisfy.
#[test]
fn the_written_abstraction_has_the_verdicts_of_the_program() {
    let (definite, written, more) = (Cell::new(0), Cell::new(0), Cell::new(0));
    for_seeds("predicates-written", 0..400, |rng, case| {
        let text = program(rng);
        case.note(text.clone());
        let model = read(&text)?;
        let options = ConvertOptions { to: vec!["tm".to_owned()], ..Default::default() };
        let Ok(converted) = convert(&model, &options) else { return Ok(()) };
        let mut bytes = Vec::new();
        converted.write(&mut bytes).map_err(|error| error.to_string())?;
        let states = String::from_utf8(bytes).map_err(|error| error.to_string())?;
        case.note(states.replace('\n', "\n// "));
        let states = Model::read("tm", "states.tm", &states).map_err(|error| error.to_string())?;
        written.set(written.get() + 1);
        for semantics in [Semantics::Ris, Semantics::Sis] {
            let check = |model: &Model, method: &str| {
                let options = Options::default().method(method).semantics(semantics);
                model.check(&model.properties()[0], &options).map(|answer| answer.verdict())
            };
            let by_bdds = check(&model, "symbolic").map_err(|error| error.to_string())?;
            let by_states = check(&states, "direct").map_err(|error| error.to_string())?;
            definite.set(definite.get() + u32::from(by_bdds != Verdict::Unknown));
            let is_more = semantics == Semantics::Sis && by_bdds == Verdict::Unknown;
            match by_bdds == by_states {
                true => {}
                false if is_more => more.set(more.get() + 1),
                false => {
                    return Err(format!("{semantics:?}: {by_bdds}, and {by_states} by states"));
                }
            }
        }
        Ok(())
    });
    let (definite, written, more) = (definite.get(), written.get(), more.get());
    println!("{written} written, {definite} definite verdicts, {more} more under SIS");
    assert!(written > 250 && definite > 60 && more < written / 10);
}

#[test]
fn a_written_abstraction_says_what_its_letters_mean() {
    let text =
        "var x, y : int; x := y; if x > 0 then skip fi; END: fin\nproperty p: ctl EF at_END;";
    let options = ConvertOptions { to: vec!["tm".to_owned()], ..Default::default() };
    let converted = convert(&read(text).expect("a program"), &options).expect("a small model");
    let mut bytes = Vec::new();
    converted.write(&mut bytes).expect("room");
    let states = String::from_utf8(bytes).expect("text");
    for part in ["// letter 1: x > 0\n", "mixts", "covers", "property p: mu"] {
        assert!(states.contains(part), "{part}: {states}");
    }
}

/// Every definite verdict has a certificate that the auditor accepts. With a byte of it changed, it is refused or still
/// says the same; of another program it is refused.
#[test]
fn definite_verdicts_are_certified_and_forgeries_are_refused() {
    let (definite, certified, refused) = (Cell::new(0), Cell::new(0), Cell::new(0));
    for_seeds("predicates-certified", 0..120, |rng, case| {
        let text = program(rng);
        case.note(text.clone());
        let model = read(&text)?;
        let semantics = *rng.pick(&[Semantics::Ris, Semantics::Sis]);
        let limit = std::time::Duration::from_secs(5);
        let options = Options::default().method("symbolic").semantics(semantics).evidence(true);
        let checked = model.check(&model.properties()[0], &options.timeout(limit));
        let Ok(answer) = checked else { return Ok(()) };
        if answer.verdict() == Verdict::Unknown {
            return Ok(());
        }
        definite.set(definite.get() + 1);
        let Ok(bytes) = answer.certificate() else { return Ok(()) };
        certified.set(certified.get() + 1);
        let is_claimed = |bytes: &[u8], model: &Model| -> Result<Option<bool>, String> {
            let Ok(found) = certify(model, bytes) else { return Ok(None) };
            match (found.is_valid(), found.claims.first()) {
                (true, Some(claim)) => Ok(Some(claim.verdict)),
                _ => Ok(None),
            }
        };
        let right = Some(answer.verdict() == Verdict::True);
        if is_claimed(&bytes, &model)? != right {
            return Err(format!("{} is not confirmed", answer.verdict()));
        }
        let other = read(&text.replace("; END: fin", "; x := x + 1; END: fin"))?;
        if is_claimed(&bytes, &other)?.is_some() {
            return Err("the certificate is accepted for another program".to_owned());
        }
        for _ in 0..20 {
            let mut forged = bytes[..bytes.len() - 8].to_vec();
            let line = forged.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1);
            let place = rng.between(line, forged.len() - 1);
            forged[place] ^= 1 << rng.below(8);
            audit::format::Checksum::seal(&mut forged);
            match is_claimed(&forged, &model)? {
                None => refused.set(refused.get() + 1),
                Some(verdict) if Some(verdict) == right => {}
                Some(_) => return Err(format!("a forgery at byte {place} is accepted")),
            }
        }
        Ok(())
    });
    let (definite, certified, refused) = (definite.get(), certified.get(), refused.get());
    println!("{definite} definite, {certified} certified, {refused} forgeries refused");
    assert!(certified > 20 && certified * 10 >= definite * 9 && refused > 10 * certified);
}

#[test]
fn definite_verdicts_are_explained() {
    let text = "var x, y : int; x := y; if x > 0 then skip fi; END: fin
        property reached: ctl EF at_END;
        property never: ctl AG !at_END;
        property unknown: ctl EF (at_END & x = 3);";
    let model = read(text).expect("a program");
    let options = Options::default().method("symbolic");
    let explain = |number: usize| {
        let answer = model.check(&model.properties()[number], &options).expect("an answer");
        (answer.verdict(), answer.trace(None).expect("no limit").map(|trace| trace.steps.len()))
    };
    assert_eq!(explain(0).0, Verdict::True);
    let (verdict, steps) = explain(1);
    assert_eq!(verdict, Verdict::False);
    assert!(steps.is_some_and(|steps| steps > 1), "{steps:?}");
    assert_eq!(explain(2).0, Verdict::Unknown);
}
