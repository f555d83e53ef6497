//! CTL by graph search, straight from what the operators say about paths, against the translation
//! into fixpoints.
//!
//! A path that ends is no path: `EG` and the weak operators ask for an infinite one, as the game does
//! (a play stops where the model stops). On total structures this is the usual meaning.

use logic::{Expr, ExprId, Logic, PathOp, Quantifier, StateOp, Surface, Truth};
use model::reference::evaluate;
use model::{Kind, Mode, Model, ModelBuilder};
use testkit::{FormulaShape, ModelShape, compile_for, for_seeds, formula, model, model_text};

type Set = Vec<bool>;

struct Paths<'a> {
    model: &'a Model,
    surface: &'a Surface,
}

fn not(set: &Set) -> Set {
    set.iter().map(|&s| !s).collect()
}

fn both(a: &Set, b: &Set) -> Set {
    a.iter().zip(b).map(|(&a, &b)| a && b).collect()
}

fn either(a: &Set, b: &Set) -> Set {
    a.iter().zip(b).map(|(&a, &b)| a || b).collect()
}

impl Paths<'_> {
    fn successors(&self, state: usize) -> Vec<usize> {
        self.model.edges().out(state as u32).map(|(target, _)| target as usize).collect()
    }

    fn exists_next(&self, f: &Set) -> Set {
        (0..f.len()).map(|s| self.successors(s).iter().any(|&t| f[t])).collect()
    }

    /// From each state: depth-first search through `f` for a state of `g`.
    fn exists_until(&self, f: &Set, g: &Set) -> Set {
        (0..f.len())
            .map(|start| {
                let (mut seen, mut stack) = (vec![false; f.len()], vec![start]);
                while let Some(state) = stack.pop() {
                    if g[state] {
                        return true;
                    }
                    if f[state] && !std::mem::replace(&mut seen[state], true) {
                        stack.extend(self.successors(state));
                    }
                }
                false
            })
            .collect()
    }

    /// An infinite path within `f` leads to a state of `f` that can come back to itself within `f`.
    fn exists_globally(&self, f: &Set) -> Set {
        let on_a_cycle: Set = (0..f.len())
            .map(|state| {
                let only: Set = (0..f.len()).map(|t| t == state).collect();
                let back = self.exists_until(f, &only);
                f[state] && self.successors(state).iter().any(|&t| f[t] && back[t])
            })
            .collect();
        both(f, &self.exists_until(f, &on_a_cycle))
    }

    fn value(&self, id: ExprId) -> Set {
        let states = self.model.states();
        match &self.surface.exprs[id].0 {
            Expr::Const(value) => vec![*value; states],
            Expr::Prop(name) => {
                let prop = self.model.props().get(name).expect("it was made from these names");
                (0..states as u32).map(|s| self.model.label(s, prop) == Truth::True).collect()
            }
            Expr::Not(e) => not(&self.value(*e)),
            Expr::And(es) => es.iter().map(|&e| self.value(e)).reduce(|a, b| both(&a, &b)).unwrap(),
            Expr::Or(es) => {
                es.iter().map(|&e| self.value(e)).reduce(|a, b| either(&a, &b)).unwrap()
            }
            Expr::Implies(a, b) => either(&not(&self.value(*a)), &self.value(*b)),
            Expr::Iff(a, b) => {
                self.value(*a).into_iter().zip(self.value(*b)).map(|(a, b)| a == b).collect()
            }
            Expr::State(Quantifier::Exists, op, e) => self.exists_state(*op, &self.value(*e)),
            Expr::State(Quantifier::All, op, e) => {
                let counter = match op {
                    StateOp::Next => StateOp::Next,
                    StateOp::Finally => StateOp::Globally,
                    StateOp::Globally => StateOp::Finally,
                };
                not(&self.exists_state(counter, &not(&self.value(*e))))
            }
            Expr::Path(Quantifier::Exists, op, f, g) => {
                let (f, g) = (self.value(*f), self.value(*g));
                match op {
                    PathOp::Until => self.exists_until(&f, &g),
                    PathOp::WeakUntil => {
                        either(&self.exists_until(&f, &g), &self.exists_globally(&f))
                    }
                    PathOp::Release => {
                        either(&self.exists_until(&g, &both(&f, &g)), &self.exists_globally(&g))
                    }
                }
            }
            Expr::Path(Quantifier::All, op, f, g) => {
                self.all_paths(*op, &self.value(*f), &self.value(*g))
            }
            Expr::Var(_) | Expr::Modal(..) | Expr::Fix(..) => unreachable!("not CTL"),
        }
    }

    fn exists_state(&self, op: StateOp, f: &Set) -> Set {
        match op {
            StateOp::Next => self.exists_next(f),
            StateOp::Finally => self.exists_until(&vec![true; f.len()], f),
            StateOp::Globally => self.exists_globally(f),
        }
    }

    /// By the paths that go wrong: `f` ends before `g` came, or `g` never comes.
    fn all_paths(&self, op: PathOp, f: &Set, g: &Set) -> Set {
        let ends_early = self.exists_until(&not(g), &both(&not(f), &not(g)));
        match op {
            PathOp::WeakUntil => not(&ends_early),
            PathOp::Until => not(&either(&ends_early, &self.exists_globally(&not(g)))),
            PathOp::Release => not(&self.exists_until(&not(f), &not(g))),
        }
    }
}

/// Adds a loop wherever the structure stops.
fn made_total(model: &Model) -> Model {
    let mut builder = ModelBuilder::new(Kind::Kripke, "M");
    for state in 0..model.states() as u32 {
        builder.state(format!("s{state}"));
        for (prop, name) in model.props().iter() {
            let id = builder.prop(name);
            builder.label(state, id, model.label(state, prop));
        }
        let targets: Vec<u32> = model.edges().out(state).map(|(target, _)| target).collect();
        let targets = if targets.is_empty() { vec![state] } else { targets };
        targets.into_iter().for_each(|target| builder.edge(state, None, Mode::BOTH, target));
    }
    builder.init(0);
    builder.finish()
}

#[test]
fn the_translation_means_what_ctl_means() {
    for_seeds("ctl-by-paths", 0..4000, |rng, case| {
        let shape = ModelShape::small(rng, Kind::Kripke);
        let mut structure = model(rng, &shape);
        if rng.chance(0.5) {
            structure = made_total(&structure);
        }
        let size = rng.between(2, 12);
        let surface = formula(rng, &FormulaShape::over(&structure, Logic::Ctl, size));
        case.note(model_text(&structure));
        case.note(format!("property failing: ctl {};", surface.source()));
        let compiled = compile_for(&surface, &structure);
        if !compiled.is_alternation_free() {
            return Err("CTL became an alternating formula".to_owned());
        }
        let values = evaluate(&structure, &compiled);
        let expected = Paths { model: &structure, surface: &surface }.value(surface.root);
        for (state, &expected) in expected.iter().enumerate() {
            let found = values.truth(compiled.root(), state as u32);
            if found != Some(expected.into()) {
                return Err(format!("in s{state} {found:?}, by its paths {expected}"));
            }
        }
        Ok(())
    });
}
