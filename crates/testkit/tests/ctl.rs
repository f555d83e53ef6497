//! CTL by graph search, straight from what the operators say about paths, against the translation
//! into fixpoints.
//!
//! A path that ends is no path: `EG` and the weak operators ask for an infinite one, as the game does
//! (a play stops where the model stops). On total structures this is the usual meaning.
//!
//! With fairness every operator asks for an infinite path on which each condition is met again and again.

use logic::{
    ActionSet, Expr, ExprId, FairTerm, Fairness, Logic, PathOp, PropId, Quantifier, Signature,
    StateOp, Surface, Truth, compile_fair,
};
use model::{Kind, Mode, ModelBuilder, PartialModel};
use testkit::reference::evaluate;
use testkit::{FormulaShape, ModelShape, Rng, compile_for, for_seeds, formula, model, model_text};

type Set = Vec<bool>;

struct Paths<'a> {
    model: &'a PartialModel,
    surface: &'a Surface,
    /// The states that fair paths meet infinitely often, if only such paths count.
    fair: Option<Vec<Set>>,
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

    /// Those states of a set in which a path begins that counts.
    fn counted(&self, f: &Set) -> Set {
        match &self.fair {
            Some(_) => both(f, &self.exists_globally(&vec![true; f.len()])),
            None => f.clone(),
        }
    }

    fn exists_next(&self, f: &Set) -> Set {
        let f = self.counted(f);
        (0..f.len()).map(|s| self.successors(s).iter().any(|&t| f[t])).collect()
    }

    fn exists_until(&self, f: &Set, g: &Set) -> Set {
        self.leads(f, &self.counted(g))
    }

    /// From each state: depth-first search through `f` for a state of `g`.
    fn leads(&self, f: &Set, g: &Set) -> Set {
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

    /// An infinite path within `f` leads to a state of `f` that can come back to itself within `f`, through
    /// states that meet each condition.
    fn exists_globally(&self, f: &Set) -> Set {
        let on_a_cycle: Set = (0..f.len())
            .map(|state| {
                let only: Set = (0..f.len()).map(|t| t == state).collect();
                let back = both(f, &self.leads(f, &only));
                let is_met = |met: &Set| self.leads(f, &both(&back, met))[state];
                let returns = self.successors(state).iter().any(|&t| back[t]);
                f[state] && returns && self.fair.iter().flatten().all(is_met)
            })
            .collect();
        both(f, &self.leads(f, &on_a_cycle))
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
            Expr::Linear(..) | Expr::LinearPair(..) | Expr::Quantified(..) => {
                unreachable!("formulas of CTL have none")
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
            _ => unreachable!("not CTL"),
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
fn made_total(model: &PartialModel) -> PartialModel {
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
        let expected =
            Paths { model: &structure, surface: &surface, fair: None }.value(surface.root);
        for (state, &expected) in expected.iter().enumerate() {
            let found = values.truth(compiled.root(), state as u32);
            if found != Some(expected.into()) {
                return Err(format!("in s{state} {found:?}, by its paths {expected}"));
            }
        }
        Ok(())
    });
}

fn signature(model: &PartialModel) -> Signature<'_> {
    Signature { family: model.kind.family(), props: model.props(), actions: &[] }
}

fn states_with(model: &PartialModel, prop: PropId) -> Set {
    (0..model.states() as u32).map(|state| model.label(state, prop) == Truth::True).collect()
}

/// Conditions over the propositions of a model, some of them twice.
fn conditions(rng: &mut Rng, model: &PartialModel) -> Vec<PropId> {
    let props: Vec<PropId> = model.props().iter().map(|(prop, _)| prop).collect();
    (0..rng.below(4)).map(|_| *rng.pick(&props)).collect()
}

#[test]
fn under_fairness_only_fair_paths_count() {
    for_seeds("ctl-by-fair-paths", 0..2000, |rng, case| {
        let shape = ModelShape::small(rng, Kind::Kripke);
        let mut structure = model(rng, &shape);
        if rng.chance(0.5) {
            structure = made_total(&structure);
        }
        let met = conditions(rng, &structure);
        // Nested fairness is slow by plain iteration.
        let size = rng.between(2, 6);
        let surface = formula(rng, &FormulaShape::over(&structure, Logic::Ctl, size));
        case.note(model_text(&structure));
        case.note(format!("property failing: ctl {}; // fair: {met:?}", surface.source()));
        let sets = met.iter().map(|&prop| states_with(&structure, prop)).collect();
        let paths = Paths { model: &structure, surface: &surface, fair: Some(sets) };
        let fair = paths.exists_globally(&vec![true; structure.states()]);
        let terms = met.into_iter().map(|prop| FairTerm::State(prop, String::new())).collect();
        // The evaluator may use that all states are fair.
        let everywhere = fair.iter().all(|&fair| fair) && rng.chance(0.8);
        let fairness =
            Fairness { terms, everywhere, trims: rng.chance(0.5), ..Fairness::default() };
        let compiled = compile_fair(&surface, &signature(&structure), &fairness, &mut Vec::new())
            .map_err(|errors| format!("{errors:?}"))?;
        let values = evaluate(&structure, &compiled);
        let states = fairness.states();
        let fair_values = evaluate(&structure, &states);
        for (state, &expected) in paths.value(surface.root).iter().enumerate() {
            let found = values.truth(compiled.root(), state as u32);
            // Of states without a fair path nothing is asked.
            if found != Some((expected || !fair[state]).into()) {
                return Err(format!("in s{state} {found:?}, by its paths {expected}"));
            }
            if fair_values.truth(states.root(), state as u32) != Some(fair[state].into()) {
                return Err(format!("s{state} is fair: {}", fair[state]));
            }
        }
        Ok(())
    });
}

/// A condition on steps is one on states if every state remembers by which step it was come to.
#[test]
fn conditions_on_steps_are_met_by_steps() {
    for_seeds("fair-steps", 0..1000, |rng, case| {
        let shape = ModelShape::small(rng, Kind::Lts);
        let steps = model(rng, &shape);
        case.note(model_text(&steps));
        let names = ["a", "b", "tau"];
        let actions: Vec<&str> = (0..rng.between(1, 3)).map(|_| *rng.pick(&names)).collect();
        case.note(format!("// fair: {actions:?}"));
        let terms = actions.iter().map(|&name| FairTerm::Step(ActionSet::one(name)));
        let fairness = Fairness { terms: terms.collect(), ..Fairness::default() };
        let formula = fairness.states();
        let values = evaluate(&steps, &formula);
        let (states, expected) = remembering(&steps, &actions);
        for (state, &is_fair) in expected.iter().enumerate().take(states) {
            if values.truth(formula.root(), state as u32) != Some(is_fair.into()) {
                return Err(format!("in s{state}: fair is {is_fair}"));
            }
        }
        Ok(())
    });
}

/// For each state come to by nothing: whether a path begins there that has all actions infinitely often.
fn remembering(steps: &PartialModel, actions: &[&str]) -> (usize, Set) {
    let names: Vec<&str> = steps.actions().names().collect();
    let count = steps.states();
    let mut builder = ModelBuilder::new(Kind::Kripke, "M");
    let props: Vec<PropId> = names.iter().map(|name| builder.prop(name)).collect();
    for copy in 0..=names.len() {
        for state in 0..count {
            let id = builder.state(format!("s{state}_{copy}"));
            for (index, &prop) in props.iter().enumerate() {
                builder.label(id, prop, (copy == index + 1).into());
            }
        }
    }
    for copy in 0..=names.len() {
        for state in 0..count as u32 {
            for (target, class) in steps.edges().out(state) {
                let action = class.action.map_or(0, |action| action.0 as usize);
                let (from, to) = (copy * count, (action + 1) * count);
                builder.edge(from as u32 + state, None, Mode::BOTH, to as u32 + target);
            }
        }
    }
    builder.init(0);
    let model = builder.finish();
    let met = actions.iter().map(|name| match model.props().get(name) {
        Some(prop) => states_with(&model, prop),
        None => vec![false; model.states()],
    });
    let surface = formula(&mut Rng::new(0), &FormulaShape::over(&model, Logic::Ctl, 1));
    let paths = Paths { model: &model, surface: &surface, fair: Some(met.collect()) };
    (count, paths.exists_globally(&vec![true; model.states()]))
}
