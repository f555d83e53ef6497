//! Rounds of the refinement loop: on global properties, and with the abstractions of an earlier run.

use std::fmt::Write;
use std::fs::read_to_string;
use std::path::Path;
use std::time::Duration;
use tertium::{Answer, Model, Options, Property, Verdict};

/// A round table in `.tm`, as in examples/families. The last philosopher takes the right fork first.
fn philosophers(number: usize, properties: &str) -> Model {
    let mut text = String::new();
    for one in 0..number {
        let before = (one + number - 1) % number;
        writeln!(
            text,
            "component Fork{one} lts {{
               init free;
               free: -left{one}-> left -right{before}-> right;
               left: -leftdown{one}-> free;
               right: -rightdown{before}-> free;
             }}"
        )
        .unwrap();
        let hands = if one + 1 == number { ["right", "left"] } else { ["left", "right"] };
        let [first, second] = hands.map(|hand| format!("{hand}{one}"));
        writeln!(
            text,
            "component Phil{one} lts {{
               init thinks;
               thinks: -think{one}-> thinks -hungry{one}-> hungry;
               hungry: -{first}-> one;
               one: -{second}-> both1;
               both1: -eat{one}-> both2;
               both2: -eat{one}-> full;
               full: -leftdown{one}-> sated;
               sated: -rightdown{one}-> thinks;
             }}"
        )
        .unwrap();
    }
    let members = (0..number).map(|one| format!("Fork{one} || Phil{one}")).collect::<Vec<_>>();
    let text = format!("{text}system {};\n{properties}", members.join(" || "));
    Model::read("tm", "table.tm", &text).unwrap()
}

const NO_DEADLOCK: &str = "property p: mcf [true*] <true> true;";

fn refining() -> Options {
    Options::default().method("refine")
}

fn first(model: &Model, options: Options) -> Answer {
    model.check(&model.properties()[0], &options).unwrap()
}

/// Not one split a round, each time with a product of ten components: that took 1,400,000 nodes in 74 rounds.
#[test]
fn a_global_property_takes_few_large_games() {
    let answer = first(&philosophers(5, NO_DEADLOCK), refining());
    assert_eq!(answer.verdict(), Verdict::True);
    let figures = answer.figures();
    assert!(figures.iterations.unwrap() <= 20, "{figures:?}");
    assert!(figures.coloured_nodes.unwrap() <= 250_000, "{figures:?}");
}

#[test]
fn the_papers_refine_for_one_cause_at_a_time() {
    let figures = [refining(), refining().paper(true)].map(|options| {
        let answer = first(&philosophers(3, NO_DEADLOCK), options);
        assert_eq!(answer.verdict(), Verdict::True);
        answer.figures().iterations.unwrap()
    });
    assert!(figures[0] < figures[1], "{figures:?}");
}

/// Whatever `refine` makes of these, the others of the portfolio answer.
#[test]
fn auto_answers_where_refinement_does_not() {
    let properties = format!(
        "{NO_DEADLOCK} property q: mcf [true*.hungry0] mu X. (<true> true && [!eat0] X);
         property r: mcf <true*.hungry0> nu X. mu Y. (<eat2> X || <!eat0> Y);"
    );
    let model = philosophers(7, &properties);
    let options = Options::default().timeout(Duration::from_secs(120));
    let verdicts = [Verdict::True, Verdict::False, Verdict::True];
    for (property, verdict) in model.properties().iter().zip(verdicts) {
        assert_eq!(model.check(property, &options).unwrap().verdict(), verdict);
    }
}

fn rounds(model: &Model, property: &Property, options: Options) -> (u64, Verdict) {
    let answer = model.check(property, &options).unwrap();
    (answer.figures().iterations.unwrap(), answer.verdict())
}

/// The broken member of a family has one component changed. Its refinement begins with the abstractions that the
/// property took in the other.
#[test]
fn after_a_change_of_one_component_abstractions_are_reused() {
    let families =
        ["arbiter-tree", "client-server", "msi", "philosophers", "pipeline", "token-ring"];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/families");
    let read = |name: String| {
        let text = read_to_string(folder.join(&name)).unwrap();
        Model::read("tm", &name, &text).unwrap()
    };
    let mut shares = Vec::new();
    for family in families {
        let [before, changed] = [format!("{family}.tm"), format!("{family}-broken.tm")].map(read);
        for property in before.properties() {
            let mut same = changed.properties().iter().filter(|p| p.name() == property.name());
            let Some(later) = same.next() else { continue };
            let answer = before.check(property, &refining().abstractions(true)).unwrap();
            let given = answer.abstractions().classes.clone();
            let (from_scratch, expected) = rounds(&changed, later, refining());
            let (reused, verdict) = rounds(&changed, later, refining().start(given));
            assert_eq!(verdict, expected, "{family}: {}", property.name());
            // The round that gives the answer refines nothing.
            let refinements = (from_scratch - 1).max(1);
            shares.push((reused - 1) as f64 / refinements as f64);
        }
    }
    shares.sort_by(f64::total_cmp);
    assert!(shares.len() >= 90, "{} properties", shares.len());
    let median = shares[shares.len() / 2];
    println!("rounds with given abstractions, of those from scratch: median {median}");
    assert!(median <= 1.0 / 3.0, "median {median} of {shares:?}");
}
