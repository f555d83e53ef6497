//! Random programs of few states with a semantics of their own: lists of states and loops over them.

use std::collections::BTreeSet;
use std::fmt::Write;
use testkit::Rng;

pub type State = Vec<i64>;

/// A conjunction of `x = a` and `x != a`.
#[derive(Clone)]
pub struct Condition(pub Vec<(usize, i64, bool)>);

impl Condition {
    pub fn random(rng: &mut Rng, sizes: &[i64]) -> Self {
        let literal = |rng: &mut Rng| {
            let var = rng.below(sizes.len());
            (var, rng.below(sizes[var] as usize) as i64, rng.chance(0.7))
        };
        Self((0..rng.between(1, 2)).map(|_| literal(rng)).collect())
    }

    pub fn holds(&self, state: &State) -> bool {
        self.0.iter().all(|&(var, value, is_equal)| (state[var] == value) == is_equal)
    }

    pub fn vars(&self) -> impl Iterator<Item = usize> {
        self.0.iter().map(|literal| literal.0)
    }

    pub fn text(&self) -> String {
        let sign = |is_equal| if is_equal { "=" } else { "!=" };
        let texts = self.0.iter().map(|&(var, value, is)| format!("x{var} {} {value}", sign(is)));
        texts.collect::<Vec<_>>().join(" & ")
    }
}

#[derive(Clone)]
pub enum Value {
    Any(Vec<i64>),
    Copy(usize),
}

impl Value {
    fn random(rng: &mut Rng, var: usize, sizes: &[i64]) -> Self {
        let fits: Vec<usize> =
            (0..sizes.len()).filter(|&other| sizes[other] <= sizes[var]).collect();
        if rng.chance(0.3) {
            return Value::Copy(*rng.pick(&fits));
        }
        let all: Vec<i64> = (0..sizes[var]).collect();
        let some = rng.some(&all, 0.4);
        Value::Any(if some.is_empty() { vec![0] } else { some })
    }

    fn of(&self, state: &State) -> Vec<i64> {
        match self {
            Value::Any(values) => values.clone(),
            Value::Copy(var) => vec![state[*var]],
        }
    }

    fn text(&self) -> String {
        match self {
            Value::Any(values) => {
                let values: Vec<String> = values.iter().map(i64::to_string).collect();
                format!("{{{}}}", values.join(", "))
            }
            Value::Copy(var) => format!("x{var}"),
        }
    }
}

pub struct Var {
    pub size: i64,
    pub init: Vec<i64>,
    pub cases: Vec<(Condition, Value)>,
    pub otherwise: Value,
}

impl Var {
    /// The right-hand side of `next`.
    pub fn next(&self) -> String {
        let mut text = "case ".to_owned();
        for (condition, value) in &self.cases {
            write!(text, "{} : {}; ", condition.text(), value.text()).unwrap();
        }
        write!(text, "TRUE : {}; esac", self.otherwise.text()).unwrap();
        text
    }

    /// The variables that the next value depends on.
    pub fn reads(&self) -> BTreeSet<usize> {
        let mut read: BTreeSet<usize> = BTreeSet::new();
        let values = self.cases.iter().map(|(_, value)| value).chain([&self.otherwise]);
        read.extend(
            values.filter_map(|value| if let Value::Copy(var) = value { Some(*var) } else { None }),
        );
        read.extend(self.cases.iter().flat_map(|(condition, _)| condition.vars()));
        read
    }
}

pub struct Program {
    pub vars: Vec<Var>,
    /// Excluded states.
    pub excluded: Option<Condition>,
    pub fairness: Vec<Condition>,
}

impl Program {
    pub fn random(rng: &mut Rng) -> Self {
        let sizes: Vec<i64> = (0..rng.between(2, 4)).map(|_| rng.between(2, 4) as i64).collect();
        let var = |var: usize, rng: &mut Rng| {
            let case =
                |rng: &mut Rng| (Condition::random(rng, &sizes), Value::random(rng, var, &sizes));
            let all: Vec<i64> = (0..sizes[var]).collect();
            let mut init = rng.some(&all, 0.4);
            init.push(0);
            init.sort_unstable();
            init.dedup();
            let cases = (0..rng.below(4)).map(|_| case(rng)).collect();
            Var { size: sizes[var], init, cases, otherwise: Value::random(rng, var, &sizes) }
        };
        let vars = (0..sizes.len()).map(|number| var(number, rng)).collect();
        let excluded = rng.chance(0.3).then(|| Condition::random(rng, &sizes));
        let fairness = (0..rng.below(6).saturating_sub(3)).map(|_| Condition::random(rng, &sizes));
        let fairness = fairness.collect();
        Self { vars, excluded, fairness }
    }

    pub fn sizes(&self) -> Vec<i64> {
        self.vars.iter().map(|var| var.size).collect()
    }

    /// The declarations, with these right-hand sides of `next` and this form of conditions.
    pub fn text(&self, next: impl Fn(usize) -> String) -> String {
        let mut text = "MODULE main\n".to_owned();
        for (number, Var { size, init, .. }) in self.vars.iter().enumerate() {
            let init = Value::Any(init.clone()).text();
            writeln!(text, "VAR x{number} : 0..{};", size - 1).unwrap();
            writeln!(
                text,
                "ASSIGN init(x{number}) := {init}; next(x{number}) := {};",
                next(number)
            )
            .unwrap();
        }
        if let Some(excluded) = &self.excluded {
            writeln!(text, "INVAR !({})", excluded.text()).unwrap();
        }
        for fair in &self.fairness {
            writeln!(text, "FAIRNESS {}", fair.text()).unwrap();
        }
        text
    }

    fn is_state(&self, state: &State) -> bool {
        self.excluded.as_ref().is_none_or(|excluded| !excluded.holds(state))
    }

    fn product(&self, choices: Vec<Vec<i64>>) -> Vec<State> {
        let mut all: Vec<State> = vec![Vec::new()];
        for values in choices {
            let with = |state: &State, value: &i64| [state.clone(), vec![*value]].concat();
            all = all
                .iter()
                .flat_map(|state| values.iter().map(|v| with(state, v)).collect::<Vec<_>>())
                .collect();
        }
        all.retain(|state| self.is_state(state));
        all
    }

    pub fn starts(&self) -> Vec<State> {
        self.product(self.vars.iter().map(|var| var.init.clone()).collect())
    }

    pub fn successors(&self, state: &State) -> Vec<State> {
        let next = |var: &Var| {
            let case = var.cases.iter().find(|(condition, _)| condition.holds(state));
            case.map_or(&var.otherwise, |(_, value)| value).of(state)
        };
        self.product(self.vars.iter().map(next).collect())
    }

    pub fn states(&self) -> Vec<State> {
        self.product(self.vars.iter().map(|var| (0..var.size).collect()).collect())
    }

    pub fn reachable(&self) -> BTreeSet<State> {
        let mut seen: BTreeSet<State> = BTreeSet::new();
        let mut open = self.starts();
        while let Some(state) = open.pop() {
            if seen.insert(state.clone()) {
                open.extend(self.successors(&state));
            }
        }
        seen
    }

    /// The states in which a fair path begins.
    pub fn fair(&self) -> BTreeSet<State> {
        let mut fair: BTreeSet<State> = self.states().into_iter().collect();
        let any = [Condition(Vec::new())];
        let conditions = if self.fairness.is_empty() { &any[..] } else { &self.fairness };
        loop {
            let before = fair.len();
            for condition in conditions {
                // The states with a path of at least one step within `fair` to one where the condition holds.
                let mut good: BTreeSet<State> = BTreeSet::new();
                loop {
                    let leads = |state: &&State| {
                        self.successors(state).iter().any(|next| {
                            fair.contains(next) && (condition.holds(next) || good.contains(next))
                        })
                    };
                    let more: BTreeSet<State> = fair.iter().filter(leads).cloned().collect();
                    if more.len() == good.len() {
                        break;
                    }
                    good = more;
                }
                fair = good;
            }
            if fair.len() == before {
                return fair;
            }
        }
    }
}
