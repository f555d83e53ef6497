//! Components with a parameter and data, against what they mean: every state with every valuation, and of these what is
//! reached.

use logic::Truth;
use model::{Mode, PartialModel};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;
use support::{FileId, Monitor};
use testkit::{Rng, for_seeds};

/// A term over the names `i` (a parameter), `x`, `y` (variables), `b` (a variable of truth values), `n` (bound).
#[derive(Clone)]
enum Term {
    Number(i64),
    Name(char),
    Not(Box<Term>),
    Pair(&'static str, Box<Term>, Box<Term>),
}

type Values = BTreeMap<char, i64>;

impl Term {
    fn number(rng: &mut Rng, names: &str, depth: usize) -> Term {
        if depth == 0 || rng.chance(0.3) {
            let names: Vec<char> = names.chars().filter(|&name| name != 'b').collect();
            return match rng.chance(0.3) {
                true => Term::Number(rng.below(4) as i64),
                false => Term::Name(*rng.pick(&names)),
            };
        }
        let operator = *rng.pick(&["+", "-", "*", "%"]);
        let left = Term::number(rng, names, depth - 1);
        let right = match operator {
            "%" => Term::Number(rng.between(1, 4) as i64),
            _ => Term::number(rng, names, depth - 1),
        };
        Term::Pair(operator, Box::new(left), Box::new(right))
    }

    fn condition(rng: &mut Rng, names: &str, depth: usize) -> Term {
        if depth > 0 && rng.chance(0.4) {
            let [left, right] = [(); 2].map(|()| Box::new(Term::condition(rng, names, depth - 1)));
            return match rng.below(3) {
                0 => Term::Not(left),
                1 => Term::Pair("&", left, right),
                _ => Term::Pair("|", left, right),
            };
        }
        if rng.chance(0.2) {
            return Term::Name('b');
        }
        let operator = *rng.pick(&["=", "!=", "<", "<=", ">", ">="]);
        let [left, right] = [(); 2].map(|()| Box::new(Term::number(rng, names, 1)));
        Term::Pair(operator, left, right)
    }

    fn evaluate(&self, values: &Values) -> i64 {
        match self {
            Term::Number(number) => *number,
            Term::Name(name) => values[name],
            Term::Not(inner) => 1 - inner.evaluate(values),
            Term::Pair(operator, left, right) => {
                let (a, b) = (left.evaluate(values), right.evaluate(values));
                match *operator {
                    "+" => a + b,
                    "-" => a - b,
                    "*" => a * b,
                    "%" => ((a % b) + b) % b,
                    "&" => a * b,
                    "|" => (a + b).min(1),
                    "=" => i64::from(a == b),
                    "!=" => i64::from(a != b),
                    "<" => i64::from(a < b),
                    "<=" => i64::from(a <= b),
                    ">" => i64::from(a > b),
                    _ => i64::from(a >= b),
                }
            }
        }
    }

    fn level(&self) -> u8 {
        match self {
            Term::Pair("|", ..) => 0,
            Term::Pair("&", ..) => 1,
            Term::Pair("+" | "-", ..) => 3,
            Term::Pair("*" | "%", ..) => 4,
            Term::Pair(..) => 2,
            _ => 5,
        }
    }

    /// With as few parentheses as the grammar allows.
    fn show(&self, least: u8) -> String {
        let level = self.level();
        let text = match self {
            Term::Number(number) => number.to_string(),
            Term::Name(name) => name.to_string(),
            Term::Not(inner) => format!("!{}", inner.show(5)),
            Term::Pair(operator, left, right) => {
                let of_left = if level == 2 { 3 } else { level };
                format!("{} {operator} {}", left.show(of_left), right.show(level + 1))
            }
        };
        if level < least { format!("({text})") } else { text }
    }
}

/// Assignments to variables: `None` for any value.
type Updates = Vec<(char, Option<Term>)>;

struct Arrow {
    guard: Option<Term>,
    /// Whether its action is `c[n in 0..2]`, else `a[…]`.
    binds: bool,
    index: Term,
    mode: Mode,
    targets: Vec<(usize, Updates)>,
}

struct State {
    labels: Vec<(&'static str, Truth, Option<Term>)>,
    arrows: Vec<Arrow>,
}

struct Template {
    kind: &'static str,
    parameter: i64,
    /// The largest value of each variable, its first one (`None` for any), and whether it is an input.
    variables: Vec<(char, i64, Option<i64>, bool)>,
    states: Vec<State>,
}

impl Template {
    fn random(rng: &mut Rng) -> Template {
        let kind = *rng.pick(&["lts", "mts", "kripke", "kmts"]);
        let mut variables = Vec::new();
        for (name, most) in
            [('x', rng.between(1, 3) as i64), ('y', rng.between(0, 1) as i64), ('b', 1)]
        {
            let is_input = rng.chance(0.2);
            let first =
                (!is_input && rng.chance(0.7)).then(|| rng.between(0, most as usize) as i64);
            variables.push((name, most, first, is_input));
        }
        let count = rng.between(1, 3);
        let mut template =
            Template { kind, parameter: rng.below(3) as i64, variables, states: Vec::new() };
        for _ in 0..count {
            let state = template.state(rng, count);
            template.states.push(state);
        }
        template
    }

    fn has_actions(&self) -> bool {
        matches!(self.kind, "lts" | "mts")
    }

    fn state(&self, rng: &mut Rng, count: usize) -> State {
        let mut labels = Vec::new();
        for prop in ["p", "q"] {
            let values: &[Truth] = match self.kind {
                "kripke" => &[Truth::True, Truth::False],
                "kmts" => &Truth::ALL,
                _ => &[],
            };
            if !values.is_empty() && rng.chance(0.6) {
                let guard = rng.chance(0.5).then(|| Term::condition(rng, "ixyb", 1));
                labels.push((prop, *rng.pick(values), guard));
            }
        }
        let arrows = (0..rng.below(4)).map(|_| self.arrow(rng, count)).collect();
        State { labels, arrows }
    }

    fn arrow(&self, rng: &mut Rng, count: usize) -> Arrow {
        let binds = self.has_actions() && rng.chance(0.4);
        let names = if binds { "ixybn" } else { "ixyb" };
        let guard = rng.chance(0.6).then(|| Term::condition(rng, names, 2));
        let may_only = matches!(self.kind, "mts" | "kmts") && rng.chance(0.4);
        let mode = if may_only { Mode::MAY } else { Mode::BOTH };
        // An index is not negative.
        let index = Term::number(rng, "ixy", 1);
        let index = Term::Pair("%", Box::new(index), Box::new(Term::Number(3)));
        let targets = (0..rng.between(1, 2)).map(|_| (rng.below(count), self.updates(rng, names)));
        let targets = targets.collect();
        Arrow { guard, binds, index, mode, targets }
    }

    fn updates(&self, rng: &mut Rng, names: &str) -> Vec<(char, Option<Term>)> {
        let mut updates = Vec::new();
        for (name, most, ..) in &self.variables {
            if !rng.chance(0.4) {
                continue;
            }
            let value = match name {
                'b' => Term::condition(rng, names, 1),
                _ => {
                    let number = Box::new(Term::number(rng, names, 2));
                    Term::Pair("%", number, Box::new(Term::Number(most + 1)))
                }
            };
            updates.push((*name, rng.chance(0.85).then_some(value)));
        }
        updates
    }

    /// In the language.
    fn show(&self) -> String {
        let mut text = format!("component C(i in 0..2) {} {{\n", self.kind);
        if !self.has_actions() {
            text += "  props p, q, b;\n";
        }
        for (name, most, first, is_input) in &self.variables {
            let word = if *is_input { "input" } else { "var" };
            let domain = if *name == 'b' { "bool".to_owned() } else { format!("0..{most}") };
            let first = first.map(|first| match name {
                'b' => format!(" := {}", first == 1),
                _ => format!(" := {first}"),
            });
            writeln!(text, "  {word} {name} : {domain}{};", first.unwrap_or_default()).unwrap();
        }
        text += "  init s0;\n";
        for (number, state) in self.states.iter().enumerate() {
            write!(text, "  s{number}:").unwrap();
            if !self.has_actions() {
                let labels: Vec<String> = state.labels.iter().map(show_label).collect();
                write!(text, " {{{}}}", labels.join(", ")).unwrap();
            }
            state.arrows.iter().for_each(|arrow| text += &self.show_arrow(arrow));
            text += ";\n";
        }
        text + &format!("}}\nsystem C({});\n", self.parameter)
    }

    fn show_arrow(&self, arrow: &Arrow) -> String {
        let mut text = String::new();
        if let Some(guard) = &arrow.guard {
            write!(text, " when {}", guard.show(0)).unwrap();
        }
        let head = if arrow.mode == Mode::MAY { "?>" } else { "->" };
        match (self.has_actions(), arrow.binds) {
            (false, _) => write!(text, " {head}"),
            (true, true) => write!(text, " -c[n in 0..2]{head}"),
            (true, false) => write!(text, " -a[{}]{head}", arrow.index.show(0)),
        }
        .unwrap();
        let targets = arrow.targets.iter().map(|(target, updates)| {
            let update = |(name, value): &(char, Option<Term>)| match value {
                Some(value) => format!("{name} := {}", value.show(0)),
                None => format!("{name} := any"),
            };
            let updates: Vec<String> = updates.iter().map(update).collect();
            let word = if updates.is_empty() { "" } else { " do " };
            format!(" s{target}{word}{}", updates.join(", "))
        });
        text + &targets.collect::<Vec<_>>().join(",")
    }

    /// All valuations that have the values that are given.
    fn valuations(&self, given: &Values) -> Vec<Values> {
        let mut all = vec![Values::from([('i', self.parameter)])];
        for (name, most, ..) in &self.variables {
            let values: Vec<i64> =
                (0..=*most).filter(|v| given.get(name).is_none_or(|g| g == v)).collect();
            let with = |old: &Values, value: i64| {
                let mut new = old.clone();
                new.insert(*name, value);
                new
            };
            all = all
                .iter()
                .flat_map(|old| values.iter().map(move |&value| with(old, value)))
                .collect();
        }
        all
    }

    /// The meaning of the template.
    fn meaning(&self) -> Meaning {
        let firsts = self.variables.iter();
        let firsts = firsts.filter_map(|(name, _, first, _)| Some((*name, (*first)?))).collect();
        let mut meaning = Meaning::default();
        let mut edges: Vec<(String, String, Mode, String)> = Vec::new();
        for values in self.valuations(&Values::new()) {
            for (number, state) in self.states.iter().enumerate() {
                let name = name(number, &values);
                for arrow in &state.arrows {
                    self.follow(&name, arrow, &values, &mut edges);
                }
                self.label(&name, state, &values, &mut meaning);
            }
        }
        meaning.init = self.valuations(&firsts).iter().map(|values| name(0, values)).collect();
        let mut reached = meaning.init.clone();
        loop {
            let before = reached.len();
            for (source, _, _, target) in &edges {
                if reached.contains(source) {
                    reached.insert(target.clone());
                }
            }
            if reached.len() == before {
                break;
            }
        }
        for (source, action, mode, target) in edges.into_iter().filter(|e| reached.contains(&e.0)) {
            let found = meaning.edges.entry((source, action, target)).or_insert(mode);
            found.must |= mode.must;
        }
        meaning.labels.retain(|(state, _), _| reached.contains(state));
        meaning.states = reached;
        meaning
    }

    fn follow(
        &self,
        source: &str,
        arrow: &Arrow,
        values: &Values,
        edges: &mut Vec<(String, String, Mode, String)>,
    ) {
        for bound in if arrow.binds { 0..3 } else { 0..1 } {
            let mut here = values.clone();
            here.insert('n', bound);
            if arrow.guard.as_ref().is_some_and(|guard| guard.evaluate(&here) == 0) {
                continue;
            }
            let action = match (self.has_actions(), arrow.binds) {
                (false, _) => String::new(),
                (true, true) => format!("c.{bound}"),
                (true, false) => format!("a.{}", arrow.index.evaluate(&here)),
            };
            for (target, updates) in &arrow.targets {
                let mut given = values.clone();
                for (name, ..) in self.variables.iter().filter(|variable| variable.3) {
                    given.remove(name);
                }
                for (name, value) in updates {
                    match value {
                        Some(value) => given.insert(*name, value.evaluate(&here)),
                        None => given.remove(name),
                    };
                }
                for there in self.valuations(&given) {
                    edges.push((
                        source.to_owned(),
                        action.clone(),
                        arrow.mode,
                        name(*target, &there),
                    ));
                }
            }
        }
    }

    fn label(&self, name: &str, state: &State, values: &Values, meaning: &mut Meaning) {
        if self.has_actions() {
            return;
        }
        let open = if self.kind == "kripke" { Truth::False } else { Truth::Unknown };
        for prop in ["p", "q"] {
            let said = state.labels.iter().find(|(other, _, guard)| {
                *other == prop && guard.as_ref().is_none_or(|guard| guard.evaluate(values) == 1)
            });
            let value = said.map_or(open, |(_, value, _)| *value);
            meaning.labels.insert((name.to_owned(), prop.to_owned()), value);
        }
        let value = Truth::from(values[&'b'] == 1);
        meaning.labels.insert((name.to_owned(), "b".to_owned()), value);
    }
}

fn show_label((prop, value, guard): &(&'static str, Truth, Option<Term>)) -> String {
    let literal = match value {
        Truth::True => (*prop).to_owned(),
        Truth::False => format!("!{prop}"),
        Truth::Unknown => format!("{prop}?"),
    };
    match guard {
        Some(guard) => format!("{literal} when {}", guard.show(0)),
        None => literal,
    }
}

fn name(state: usize, values: &Values) -> String {
    format!("s{state}.{}.{}.{}", values[&'x'], values[&'y'], values[&'b'])
}

#[derive(Default, PartialEq, Debug)]
struct Meaning {
    init: BTreeSet<String>,
    states: BTreeSet<String>,
    labels: BTreeMap<(String, String), Truth>,
    edges: BTreeMap<(String, String, String), Mode>,
}

fn meaning_of(model: &PartialModel) -> Meaning {
    let name = |state: u32| model.state_name(state);
    let init = model.init().iter().map(|&state| name(state)).collect();
    let mut meaning = Meaning { init, ..Meaning::default() };
    for state in 0..model.states() as u32 {
        meaning.states.insert(name(state));
        for (prop, said) in model.props().iter() {
            meaning.labels.insert((name(state), said.to_owned()), model.label(state, prop));
        }
        for (target, class) in model.edges().out(state) {
            let action = class.action.map_or("", |action| model.actions().name(action));
            let key = (name(state), action.to_owned(), name(target));
            let mode = meaning.edges.entry(key).or_insert(class.mode);
            mode.must |= class.mode.must;
        }
    }
    meaning
}

#[test]
fn templates_mean_their_valuations() {
    for_seeds("templates", 0..2000, |rng, case| {
        let template = Template::random(rng);
        let text = template.show();
        case.note(&text);
        let shared: Arc<str> = text.as_str().into();
        let mut none = |_: &str| Err("no other files".to_owned());
        let document = testkit::read_tm(FileId(0), &shared, &Monitor::new(), &mut none);
        let document = document.map_err(|errors| format!("{errors:?}"))?;
        let system = document.system.ok_or("no system")?;
        let (found, meant) = (meaning_of(&system.components[0].model), template.meaning());
        if found == meant { Ok(()) } else { Err(format!("{found:#?}\nis not\n{meant:#?}")) }
    });
}
