//! SMV with unbounded integers: what is read, what is refused, and that it means what the same text means with ranges.

use crate::random_integers::{HIGH, LOW, TYPE, text};
use crate::support::{self, compact};
use ::support::{Diagnostic, FileId};
use front::{Document, Form};
use logic::{Fix, Formula, Modality, Node, NodeId, Truth, VarId};
use rustc_hash::FxHashMap;
use smt::Variable;
use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::Arc;
use testkit::{IntegerDocument, for_seeds, read_smv_either};
use transition::StepError;
use transition::integers::{IntegerStep, Proposition};

fn read(text: &str) -> Result<Document, Vec<Diagnostic>> {
    let shared: Arc<str> = text.into();
    read_smv_either(FileId(0), &shared)
}

fn integers(text: &str) -> IntegerDocument {
    match read(text) {
        Ok(read) => read.into(),
        Err(errors) => panic!("{}\n{text}", compact(text, &errors)),
    }
}

/// The states of a program, its numbers within bounds, by definition.
struct States {
    all: Vec<(u32, Vec<i64>)>,
    next: Vec<Vec<usize>>,
    starts: Vec<usize>,
    labels: Vec<Vec<bool>>,
}

/// The values of free choices: one more on both sides shows that it is never taken.
const CHOICES: std::ops::RangeInclusive<i64> = LOW - 1..=HIGH + 1;

fn successors(step: &IntegerStep, values: &[i64]) -> Vec<Vec<i64>> {
    let mut found = vec![values.to_vec()];
    // Those that are free are behind those of the program.
    let of = |chosen: i64| {
        move |variable: Variable| i128::from(*values.get(variable.0 as usize).unwrap_or(&chosen))
    };
    if !step.guard.holds(&of(0)).expect("small numbers") {
        return Vec::new();
    }
    for (changed, value) in &step.changes {
        let is_free = value.variables().iter().any(|variable| step.free.contains(variable));
        let choices = if is_free { CHOICES } else { 0..=0 };
        let new = choices.map(|chosen| value.value(&of(chosen)).expect("small numbers") as i64);
        let new: Vec<i64> = new.collect();
        let with = |state: &Vec<i64>, value: i64| {
            let mut state = state.clone();
            state[changed.0 as usize] = value;
            state
        };
        found = found.iter().flat_map(|s| new.iter().map(|&v| with(s, v))).collect();
    }
    found
}

impl States {
    fn of(read: &IntegerDocument) -> Option<Self> {
        let program = &read.program;
        let width = program.variables.len();
        let is_chosen = |variable: usize| {
            program.variables[variable].starts_with("next(") || program.variables[variable] == "i"
        };
        let mut begins = vec![Vec::new()];
        for variable in 0..width {
            // What is chosen before a step begins as anything.
            let values: Vec<i64> =
                if is_chosen(variable) { vec![0] } else { (LOW..=HIGH).collect() };
            begins = begins
                .iter()
                .flat_map(|s: &Vec<i64>| values.iter().map(move |&v| [&s[..], &[v]].concat()))
                .collect();
        }
        let start = &read.start;
        begins.retain(|state| {
            start.condition.holds(&|v| state[v.0 as usize].into()).expect("small numbers")
        });
        let mut states =
            Self { all: Vec::new(), next: Vec::new(), starts: Vec::new(), labels: Vec::new() };
        let mut numbers: FxHashMap<(u32, Vec<i64>), usize> = FxHashMap::default();
        let mut open = VecDeque::new();
        for state in begins {
            let number = states.number((start.location, state), &mut numbers, &mut open);
            states.starts.push(number);
        }
        while let Some(number) = open.pop_front() {
            let (place, values) = states.all[number].clone();
            let mut next = Vec::new();
            for step in program.steps.iter().filter(|step| step.source == place) {
                for values in successors(step, &values) {
                    next.push(states.number((step.target, values), &mut numbers, &mut open));
                }
            }
            states.next[number] = next;
            if states.all.len() > 4_000 {
                return None;
            }
        }
        let holds = |proposition: &Proposition, (place, values): &(u32, Vec<i64>)| match proposition
        {
            Proposition::At(places) => places.contains(place),
            Proposition::Holds(condition) => {
                condition.holds(&|v| values[v.0 as usize].into()).expect("small numbers")
            }
        };
        let propositions = &read.propositions;
        states.labels = propositions
            .iter()
            .map(|(_, p)| states.all.iter().map(|s| holds(p, s)).collect())
            .collect();
        Some(states)
    }

    fn number(
        &mut self,
        state: (u32, Vec<i64>),
        numbers: &mut FxHashMap<(u32, Vec<i64>), usize>,
        open: &mut VecDeque<usize>,
    ) -> usize {
        let next = self.all.len();
        *numbers.entry(state).or_insert_with_key(|state| {
            self.all.push(state.clone());
            self.next.push(Vec::new());
            open.push_back(next);
            next
        })
    }

    /// The µ-calculus to the letter.
    fn evaluate(
        &self,
        formula: &Formula,
        id: NodeId,
        env: &mut FxHashMap<VarId, Vec<bool>>,
    ) -> Vec<bool> {
        let count = self.all.len();
        match formula.node(id) {
            Node::Const(value) => vec![value; count],
            Node::Lit(prop, positive) => {
                self.labels[prop.0 as usize].iter().map(|v| *v == positive).collect()
            }
            Node::And(a, b) => {
                let (a, b) = (self.evaluate(formula, a, env), self.evaluate(formula, b, env));
                a.iter().zip(b).map(|(a, b)| *a && b).collect()
            }
            Node::Or(a, b) => {
                let (a, b) = (self.evaluate(formula, a, env), self.evaluate(formula, b, env));
                a.iter().zip(b).map(|(a, b)| *a || b).collect()
            }
            Node::Modal(modality, _, body) => {
                let body = self.evaluate(formula, body, env);
                let step = |next: &Vec<usize>| match modality {
                    Modality::Dia => next.iter().any(|&s| body[s]),
                    Modality::Box => next.iter().all(|&s| body[s]),
                };
                self.next.iter().map(step).collect()
            }
            Node::Var(var) => env[&var].clone(),
            Node::Fix(var) => {
                let mut value = vec![formula.var(var).kind == Fix::Nu; count];
                loop {
                    env.insert(var, value.clone());
                    let next = self.evaluate(formula, formula.var(var).body, env);
                    if next == value {
                        return value;
                    }
                    value = next;
                }
            }
        }
    }

    fn verdict(&self, formula: &Formula) -> bool {
        let values = self.evaluate(formula, formula.root(), &mut FxHashMap::default());
        self.starts.iter().all(|&state| values[state])
    }
}

fn is_too_large(errors: &[Diagnostic]) -> bool {
    errors.iter().any(|error| error.message.contains("too many"))
}

/// Compares a text with `integer` to the text with a range. Not if it is too large.
fn compare(text: &str) -> Result<bool, String> {
    let range = text.replace(TYPE, &format!("{LOW}..{HIGH}"));
    let finite = support::read(&range).map_err(|errors| compact(&range, &errors))?;
    let read = match read(&text.replace(TYPE, "integer")) {
        Ok(read) => IntegerDocument::from(read),
        Err(errors) if is_too_large(&errors) => return Ok(false),
        Err(errors) => return Err(compact(text, &errors)),
    };
    let Some(states) = States::of(&read) else { return Ok(false) };
    let goes_right =
        read.no_error.as_ref().is_none_or(|no_error| states.verdict(&no_error.formula));
    let (enumeration, fairness) = match support::fair_states(&finite, true, 1_000_000) {
        Ok(found) if goes_right => found,
        Err(StepError::Fault(_)) if !goes_right => return Ok(true),
        Ok(_) => return Err("something goes wrong among integers only".to_owned()),
        Err(other) => return Err(format!("among ranges only: {other:?}")),
    };
    let is_total = enumeration.deadlocks.is_clear();
    if read.is_total && !is_total {
        return Err("not total".to_owned());
    }
    let wanted = support::verdicts(&finite, enumeration, &fairness);
    for (specification, wanted) in read.properties.iter().zip(wanted) {
        let formula = read.formula(specification, |surface, signature, fairness| {
            logic::compile_fair(surface, signature, fairness, &mut Vec::new())
        });
        let formula = formula.map_err(|errors| format!("{errors:?}"))?;
        let found = formula.as_ref().map(|formula| states.verdict(formula));
        if found != wanted.map(|wanted| wanted == Truth::True) {
            return Err(format!("{}: {found:?} and {wanted:?}", specification.text));
        }
    }
    Ok(true)
}

#[test]
fn integers_mean_what_ranges_mean() {
    let compared = Cell::new(0);
    for_seeds("SMV with integers", 0..1500, |rng, case| {
        let text = text(rng, 3);
        case.note(&text);
        compared.set(compared.get() + u32::from(compare(&text)?));
        Ok(())
    });
    assert!(compared.get() > 1200, "{compared:?}");
}

/// "place -> place: guard, changes", a line a step.
fn shown(read: &IntegerDocument) -> Vec<String> {
    let program = &read.program;
    let names = &program.variables;
    let place = |place: u32| &program.locations[place as usize];
    let name = |variable: Variable| names[variable.0 as usize].clone();
    let shown = |step: &IntegerStep| {
        let is_test = step.guard != smt::LinearFormula::Constant(true);
        let guard = is_test.then(|| step.guard.show(&name));
        let changes = step.changes.iter().map(|(variable, value)| {
            let own = &names[variable.0 as usize];
            match value.as_term().expect("no quotients") {
                term if term.coefficients().iter().any(|(v, _)| step.free.contains(v)) => {
                    format!("{own} := any")
                }
                term => format!("{own} := {}", term.show(&name)),
            }
        });
        let parts: Vec<String> = guard.into_iter().chain(changes).collect();
        format!("{} -> {}: {}", place(step.source), place(step.target), parts.join(", "))
    };
    program.steps.iter().map(shown).collect()
}

/// Texts behind `VAR`, and the steps that they become.
const STEPS: &[(&str, &[&str])] = &[
    (
        "x : integer; ASSIGN init(x) := 0; next(x) := x > 5 ? 0 : x + 1;",
        &["the state -> the state: x <= 5, x := x + 1", "the state -> the state: x >= 6, x := 0"],
    ),
    (
        "x : integer; y : integer; ASSIGN next(x) := y;",
        &["the state -> the state: x := y, y := any"],
    ),
    (
        "x : integer; m : {a, c}; ASSIGN init(m) := a; next(m) := case x > 0 : c; TRUE : m; esac; next(x) := x;",
        &["m = a -> m = a: x <= 0", "m = a -> m = c: x > 0", "m = c -> m = c: "],
    ),
    // Equations are assignments, and so are values between near bounds.
    (
        "x : integer; TRANS next(x) = x + 1 | next(x) >= x & next(x) - 0 < x + 2 & x > 7;",
        &[
            "the state -> the state, values chosen: next(x) := any",
            "the state, values chosen -> the state: x >= 8 & x <= next(x) & next(x) <= x + 1, x := next(x)",
            "the state, values chosen -> the state: x := x + 1",
        ],
    ),
    (
        "x : integer; TRANS next(x) >= x & next(x) < x + 2;",
        &["the state -> the state: x := x + 1", "the state -> the state: "],
    ),
    // What is chosen and constrained is chosen before.
    (
        "x : integer; TRANS next(x) > x;",
        &[
            "the state -> the state, values chosen: next(x) := any",
            "the state, values chosen -> the state: x < next(x), x := next(x)",
        ],
    ),
    (
        "x : integer; IVAR i : integer; ASSIGN next(x) := x + i;",
        &[
            "the state -> the state, values chosen: i := any",
            "the state, values chosen -> the state: x := x + i",
        ],
    ),
    // What goes wrong leads to `error`, and so does what goes wrong at the start.
    (
        "x : integer; r : 0..99; ASSIGN init(r) := 0; next(r) := x;",
        &[
            "the state -> the state: x >= 0 & x <= 99, x := any, r := x",
            "the state -> error: x < 0 | x >= 100",
            "error -> error: ",
        ],
    ),
];

#[test]
fn what_files_become() {
    for (text, wanted) in STEPS {
        let mut found = shown(&integers(&format!("MODULE main VAR {text}")));
        found.sort();
        let mut wanted: Vec<&str> = wanted.to_vec();
        wanted.sort_unstable();
        assert_eq!(found, wanted, "{text}");
    }
}

/// Texts behind `MODULE main VAR `, and the messages about them.
const REFUSALS: &[(&str, &str)] = &[
    ("x : integer; y : 0..99; ASSIGN next(x) := x * y;", "this is not linear"),
    ("x : integer; ASSIGN next(x) := 0..999;", "the expression has too many cases"),
    ("x : integer; IVAR b : boolean; FAIRNESS b;", "`FAIRNESS` about steps is not supported"),
    (
        "x : integer; SPEC AG (case x > 0 : TRUE; x < 0 : FALSE; esac);",
        "this has no value in some states",
    ),
    ("x : integer; b : boolean; INVAR x = b;", "`=` between values of different types"),
];

/// Texts behind `MODULE main VAR x : integer; `, and the constructs in them that are not supported.
const LEFT_OUT: &[(&str, &str)] = &[
    ("r : real;", "the type `real`"),
    ("r : array integer of integer;", "an array that is indexed by integers"),
    ("w : word[8];", "a word beside unbounded integers"),
    ("y : integer; ASSIGN next(y) := x * y;", "a product of two unbounded integers"),
    ("y : integer; INVAR x / y = 1;", "a division by an unbounded integer"),
    ("y : integer; INIT x mod y = 1;", "`mod` by an unbounded integer"),
    ("INVAR x > 2305843009213693952 * 4;", "an integer that can get larger than 2^61"),
];

#[test]
fn what_is_left_out() {
    for (text, wanted) in LEFT_OUT {
        let text = format!("MODULE main VAR x : integer; {text} INVARSPEC x = x");
        let read = read(&text).unwrap_or_else(|errors| panic!("{}", compact(&text, &errors)));
        let messages: Vec<&str> = read.unsupported.iter().map(|said| &*said.message).collect();
        assert_eq!(messages, [format!("{wanted} is not supported")], "{text}");
        assert_eq!(
            read.properties[0].formula.is_err(),
            ["INVAR ", "INIT "].iter().any(|one| text.contains(one)),
            "{text}"
        );
    }
}

#[test]
fn what_is_refused() {
    for (text, wanted) in REFUSALS {
        let text = format!("MODULE main VAR {text}");
        let errors = read(&text).err().unwrap_or_else(|| panic!("read: {text}"));
        let found = compact(&text, &errors);
        assert!(found.contains(wanted), "{text}\n{found}");
        assert!(errors.iter().all(|error| !error.labels.is_empty()), "{found}");
    }
    let many: String = (0..14).map(|i| format!("b{i} : boolean; ")).collect();
    let errors = read(&format!("MODULE main VAR x : integer; {many}")).expect_err("too many");
    assert!(is_too_large(&errors), "{errors:?}");
}

#[test]
fn files_without_integers_stay_finite() {
    let unused = "MODULE m VAR x : integer; MODULE main VAR y : 0..3;";
    assert!(matches!(read(unused).map(|read| read.form), Ok(Form::Machine(_))));
    let errors = support::read("MODULE main VAR x : integer;").expect_err("not finite");
    assert_eq!(errors[0].message, "this needs variables with finite domains");
}

/// Examples with a few characters changed: read or refused, never a panic.
#[test]
fn changed_texts_never_panic() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/integers");
    let files =
        std::fs::read_dir(folder).expect("examples").map(|entry| entry.expect("a file").path());
    let texts: Vec<String> = files
        .filter(|path| path.extension().is_some_and(|ending| ending == "smv"))
        .map(|path| std::fs::read_to_string(path).expect("a text"))
        .collect();
    assert!(texts.len() >= 5);
    let chunks: Vec<&str> = texts.iter().flat_map(|text| text.split_inclusive(' ')).collect();
    for_seeds("changed SMV with integers", 0..1500, |rng, case| {
        let mut words: Vec<&str> = rng.pick(&texts).split_inclusive(' ').collect();
        for _ in 0..rng.between(1, 4) {
            let at = rng.below(words.len());
            match rng.below(3) {
                0 => drop(words.remove(at)),
                1 => words[at] = chunks[rng.below(chunks.len())],
                _ => words.insert(at, chunks[rng.below(chunks.len())]),
            }
        }
        let text = words.concat();
        case.note(&text);
        if let Err(errors) = read(&text) {
            compact(
                &text,
                &errors.into_iter().filter(|error| !error.labels.is_empty()).collect::<Vec<_>>(),
            );
        }
        Ok(())
    });
}
