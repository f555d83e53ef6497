//! Random partial models of every kind.

use crate::rng::Rng;
use logic::{Family, Truth};
use model::{Kind, Mode, ModelBuilder, PartialModel, TAU};

/// The size and kind of random models.
#[derive(Clone, Debug)]
pub struct ModelShape {
    pub kind: Kind,
    pub name: String,
    pub states: usize,
    /// Transitions out of a state, on average.
    pub degree: f64,
    pub props: Vec<String>,
    pub actions: Vec<String>,
    /// Chances that a label is unknown, that a transition is may only, that it is must only.
    pub unknown_label: f64,
    pub may_only: f64,
    pub must_only: f64,
    /// Hyper-transitions out of a state, on average.
    pub hyper: f64,
    pub initial: usize,
    /// Labels that all initial states have.
    pub initial_labels: Vec<(String, Truth)>,
}

impl ModelShape {
    /// A few states over `p`, `q` or over `a`, `b`, `tau`, with chances that differ from call to call.
    pub fn small(rng: &mut Rng, kind: Kind) -> Self {
        let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect();
        let (props, actions) = match kind.family() {
            Family::Props => (names(&["p", "q"]), Vec::new()),
            Family::Actions => (Vec::new(), names(&["a", "b", TAU])),
        };
        let sometimes = |rng: &mut Rng| *rng.pick(&[0.0, 0.1, 0.3, 0.6]);
        Self {
            kind,
            name: "M".to_owned(),
            states: rng.between(1, 7),
            degree: *rng.pick(&[0.7, 1.5, 2.5]),
            props,
            actions,
            unknown_label: sometimes(rng),
            may_only: sometimes(rng),
            must_only: sometimes(rng),
            hyper: *rng.pick(&[0.0, 0.3, 1.0]),
            initial: rng.between(1, 2),
            initial_labels: Vec::new(),
        }
    }
}

/// A random model; chances that its kind does not allow are ignored.
pub fn model(rng: &mut Rng, shape: &ModelShape) -> PartialModel {
    let mut builder = ModelBuilder::new(shape.kind, shape.name.as_str());
    let states: Vec<u32> = (0..shape.states).map(|i| builder.state(format!("s{i}"))).collect();
    let initial = shape.initial.min(states.len());
    states[..initial].iter().for_each(|&state| builder.init(state));
    for name in &shape.props {
        add_labels(rng, shape, &mut builder, name, &states);
    }
    let actions: Vec<_> = shape.actions.iter().map(|name| builder.action(name)).collect();
    for _ in 0..times(rng, shape.degree * shape.states as f64) {
        let (source, target) = (*rng.pick(&states), *rng.pick(&states));
        let action = (!actions.is_empty()).then(|| *rng.pick(&actions));
        builder.edge(source, action, mode(rng, shape), target);
    }
    if shape.kind == Kind::Gkmts {
        for _ in 0..times(rng, shape.hyper * shape.states as f64) {
            let targets = rng.some(&states, 2.0 / states.len() as f64);
            builder.hyper(*rng.pick(&states), targets);
        }
    }
    builder.finish()
}

fn add_labels(
    rng: &mut Rng,
    shape: &ModelShape,
    builder: &mut ModelBuilder,
    name: &str,
    states: &[u32],
) {
    let prop = builder.prop(name);
    let fixed = shape.initial_labels.iter().find(|(fixed, _)| fixed == name);
    for &state in states {
        let unknown = !shape.kind.is_complete() && rng.chance(shape.unknown_label);
        let random = if unknown { Truth::Unknown } else { rng.chance(0.5).into() };
        let initial = (state as usize) < shape.initial;
        let value = fixed.filter(|_| initial).map_or(random, |&(_, value)| value);
        builder.label(state, prop, value);
    }
}

fn mode(rng: &mut Rng, shape: &ModelShape) -> Mode {
    let must_only = matches!(shape.kind, Kind::MixTs | Kind::Gkmts);
    match () {
        () if shape.kind.is_complete() => Mode::BOTH,
        () if rng.chance(shape.may_only) => Mode::MAY,
        () if must_only && rng.chance(shape.must_only) => Mode::MUST,
        () => Mode::BOTH,
    }
}

/// A whole number near `mean`.
fn times(rng: &mut Rng, mean: f64) -> usize {
    mean.floor() as usize + usize::from(rng.chance(mean.fract()))
}
