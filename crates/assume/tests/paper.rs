//! The examples of paper A through the loop itself: mutual exclusion (Figs. 1 to 6) and the sliding window
//! (Fig. 7).

use assume::{AnalysisPlan, InitialAbstraction, SafetyQuestion, Synthesis, search};
use model::{PartialModel, System};
use std::path::Path;
use support::{FileId, Monitor};
use testkit::TmDocument;
use testkit::assumption_oracle::{assumption_classes, backward_classes, forward_classes};

const STARTS: [InitialAbstraction; 3] =
    [InitialAbstraction::Trivial, InitialAbstraction::Discrete, InitialAbstraction::Auto];

struct Example {
    system: System,
    safeties: Vec<PartialModel>,
}

impl Example {
    fn read(name: &str) -> Example {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/assume").join(name);
        let text = std::fs::read_to_string(path).expect("the example");
        let read =
            testkit::read_tm(FileId(0), &text.into(), &Monitor::new(), &mut |_| Err(String::new()));
        let TmDocument { system, safeties, .. } = read.expect("a document");
        let safeties = safeties.into_iter().map(|safety| safety.model).collect();
        Example { system: system.expect("components"), safeties }
    }

    fn process(&self, name: &str) -> usize {
        let mut parts = self.system.components.iter();
        parts.position(|part| part.model.name == name).expect("a process")
    }

    fn question(&self, process: &str, safety: &PartialModel) -> SafetyQuestion {
        SafetyQuestion::new(&self.system, self.process(process), safety).expect("a question")
    }

    /// The classes as the paper writes them.
    fn named(&self, process: &str, classes: &[u32]) -> Vec<String> {
        let model = &self.system.components[self.process(process)].model;
        let count = classes.iter().max().map_or(0, |&last| last + 1);
        let mut named = vec![String::new(); count as usize];
        for (state, &class) in (0..).zip(classes) {
            named[class as usize] += &model.state_name(state);
        }
        named
    }
}

/// The classes after each step, the first being those before any.
fn classes_by_step(
    question: &SafetyQuestion,
    start: InitialAbstraction,
    plan: AnalysisPlan,
) -> Vec<(Vec<u32>, usize)> {
    let monitor = Monitor::new();
    let mut synthesis = Synthesis::new(question, start, plan, &monitor).expect("no limit");
    let mut found = Vec::new();
    loop {
        found.push((synthesis.equivalence().class_of, synthesis.environment_classes()));
        if !synthesis.step(&monitor).expect("no limit") {
            found.push((synthesis.equivalence().class_of, synthesis.environment_classes()));
            return found;
        }
    }
}

fn last(question: &SafetyQuestion, start: InitialAbstraction, plan: AnalysisPlan) -> Vec<u32> {
    classes_by_step(question, start, plan).pop().expect("one at least").0
}

/// A Fig. 3.
#[test]
fn mutual_exclusion_has_the_three_classes_of_the_paper() {
    let example = Example::read("mutex.tm");
    let question = example.question("N", &example.safeties[0]);
    for start in STARTS {
        let classes = last(&question, start, AnalysisPlan::Both);
        assert_eq!(example.named("N", &classes), ["j", "klmnop", "qr"], "{start:?}");
    }
    let other = example.question("M", &example.safeties[0]);
    for start in STARTS {
        let classes = last(&other, start, AnalysisPlan::Both);
        assert_eq!(example.named("M", &classes), ["a", "bcdefg", "hi"], "{start:?}");
    }
}

/// A Figs. 4 and 5: R is {m, n, o, p}, and nothing else is merged.
#[test]
fn the_forward_quotient_merges_what_never_happens() {
    let example = Example::read("mutex.tm");
    let question = example.question("N", &example.safeties[0]);
    for start in STARTS {
        let classes = last(&question, start, AnalysisPlan::Forward);
        assert_eq!(example.named("N", &classes), ["j", "k", "l", "mnop", "q", "r"], "{start:?}");
    }
}

/// A Fig. 6: an abstraction of M into three classes is enough for that, and it stays so.
#[test]
fn an_abstraction_of_three_classes_gives_the_forward_quotient() {
    let example = Example::read("mutex.tm");
    let question = example.question("N", &example.safeties[0]);
    let found = classes_by_step(&question, InitialAbstraction::Trivial, AnalysisPlan::Forward);
    assert!(found.iter().any(|&(_, environment)| environment == 3));
    for (classes, environment) in found {
        let named = example.named("N", &classes);
        assert_eq!(named, ["j", "k", "l", "mnop", "q", "r"], "with {environment} classes");
    }
}

/// A Figs. 1 and 2: the protocol keeps the rule, and π is a step away for one that does not.
#[test]
fn mutual_exclusion_holds_and_is_violated_by_a_process_that_does_not_watch() {
    let mut example = Example::read("mutex.tm");
    let monitor = Monitor::new();
    let question = example.question("N", &example.safeties[0]);
    assert_eq!(search(&question, &monitor).expect("no limit").error, None);
    let text =
        "component N lts { actions r2, c2, n2; init j; j: -r2-> q; q: -c2-> r; r: -n2-> j; }";
    let read = testkit::read_tm(FileId(0), &text.into(), &monitor, &mut |_| Err(String::new()));
    let careless = read.expect("a document").system.expect("a component");
    let number = example.process("N");
    example.system.components[number] = careless.components[0].clone();
    let question = example.question("N", &example.safeties[0]);
    let found = search(&question, &monitor).expect("no limit").error.expect("an error");
    let shown: Vec<&str> = found.steps.iter().map(|step| &*step.shown).collect();
    assert_eq!(shown, ["r1", "c1", "r2", "c2"]);
}

/// A Fig. 7: A and C end in what A §3 and §4 give without abstraction, B and D in one state.
#[test]
fn the_sliding_window_ends_in_the_basic_construction() {
    let example = Example::read("sliding-window.tm");
    let process = example.process("Receiver");
    for safety in &example.safeties {
        let question = example.question("Receiver", safety);
        let basic = last(&question, InitialAbstraction::Discrete, AnalysisPlan::Both);
        let refined = last(&question, InitialAbstraction::Trivial, AnalysisPlan::Both);
        assert_eq!(basic, refined, "{}", safety.name);
        let count = basic.iter().max().map_or(0, |&last| last + 1);
        let expected = if ["A", "C"].contains(&&*safety.name) { 13 } else { 1 };
        assert_eq!(count, expected, "{}", safety.name);
        if count > 1 {
            assert_eq!(basic, assumption_classes(&example.system, process, safety));
        }
    }
}

/// Merging by the forward equivalence first adds paths to an error, which tell more states apart than the
/// backward equivalence alone has to.
#[test]
fn the_backward_equivalence_alone_may_be_coarser_than_both() {
    let example = Example::read("sliding-window.tm");
    let process = example.process("Receiver");
    let safety = &example.safeties[0];
    let question = example.question("Receiver", safety);
    let count = |plan| {
        last(&question, InitialAbstraction::Trivial, plan).into_iter().max().map(|last| last + 1)
    };
    assert_eq!(count(AnalysisPlan::Forward), Some(41));
    assert_eq!(count(AnalysisPlan::Both), Some(13));
    assert_eq!(count(AnalysisPlan::Backward), Some(6));
    let forward = last(&question, InitialAbstraction::Trivial, AnalysisPlan::Forward);
    assert_eq!(forward, forward_classes(&example.system, process, safety));
    let backward = last(&question, InitialAbstraction::Trivial, AnalysisPlan::Backward);
    assert_eq!(backward, backward_classes(&example.system, process, safety, None));
}

/// A §6: the loop ends after at most as many steps as M has states to be told apart.
#[test]
fn no_more_steps_than_there_are_states() {
    for (name, process) in
        [("mutex.tm", "N"), ("sliding-window.tm", "Receiver"), ("peterson.tm", "Process1")]
    {
        let example = Example::read(name);
        let own = example.process(process);
        let others = example.system.components.iter().enumerate().filter(|&(part, _)| part != own);
        let states: usize = others.map(|(_, part)| part.model.states()).sum();
        for safety in &example.safeties {
            let question = example.question(process, safety);
            let found = classes_by_step(&question, InitialAbstraction::Trivial, AnalysisPlan::Both);
            let sizes: Vec<usize> = found.iter().map(|&(_, environment)| environment).collect();
            assert!(sizes.last().is_some_and(|&last| last <= states), "{name} {}", safety.name);
            let mut steps = sizes[..sizes.len() - 1].windows(2);
            assert!(steps.all(|two| two[1] == two[0] + 1), "a step is a split: {sizes:?}");
        }
    }
}
