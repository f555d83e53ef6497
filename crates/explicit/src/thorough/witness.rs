//! A refinement as a winning strategy of the tableau describes it.

use super::steps::Target;
use super::tableau::{Numbering, PlaceId, Tableau};
use game::solve::Solution;
use logic::{Family, PropId, Truth};
use model::{Kind, Mode, ModelBuilder, PartialModel};
use rustc_hash::FxHashMap;

/// A requirement on a concrete state: to be at a place, or any refinement of a state.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Concrete {
    At(PlaceId),
    Any(u32),
}

struct Writer<'a> {
    model: &'a PartialModel,
    builder: ModelBuilder,
    numbers: FxHashMap<Concrete, u32>,
    states: Vec<Concrete>,
}

/// The complete model of the strategy from a place, if the verifier wins there.
pub(super) fn witness(
    model: &PartialModel,
    tableau: &Tableau,
    root: PlaceId,
    solution: &Solution,
    numbering: &Numbering,
) -> Option<PartialModel> {
    let kind = match model.kind.family() {
        Family::Props => Kind::Kripke,
        Family::Actions => Kind::Lts,
    };
    let mut builder = ModelBuilder::new(kind, model.name.as_str());
    for name in model.props().names() {
        builder.prop(name);
    }
    for name in model.actions().names() {
        builder.action(name);
    }
    let mut writer = Writer { model, builder, numbers: FxHashMap::default(), states: Vec::new() };
    let first = writer.state(Concrete::At(root), tableau);
    writer.builder.init(first);
    let mut next = 0;
    while next < writer.states.len() {
        match writer.states[next] {
            Concrete::At(place) => {
                let (branch, targets) = tableau.chosen(place, solution, numbering)?;
                let is_true = |prop| branch.literals.contains(&(prop, true));
                writer.label(next as u32, tableau.state(place), is_true);
                for (target, place) in targets {
                    let to = place.map_or(Concrete::Any(target.state), Concrete::At);
                    writer.edge(next as u32, target, to, tableau);
                }
            }
            Concrete::Any(state) => {
                writer.label(next as u32, state, |_| false);
                for targets in tableau.steps.musts(state) {
                    if let Some(&target) = targets.first() {
                        writer.edge(next as u32, target, Concrete::Any(target.state), tableau);
                    }
                }
            }
        }
        next += 1;
    }
    Some(writer.builder.finish())
}

impl Writer<'_> {
    fn state(&mut self, concrete: Concrete, tableau: &Tableau) -> u32 {
        if let Some(&known) = self.numbers.get(&concrete) {
            return known;
        }
        let number = self.states.len() as u32;
        let of = match concrete {
            Concrete::At(place) => tableau.state(place),
            Concrete::Any(state) => state,
        };
        self.builder.state(format!("{}_{number}", self.model.state_name(of)));
        self.numbers.insert(concrete, number);
        self.states.push(concrete);
        number
    }

    /// Labels a state; what is open is true where it is asked for.
    fn label(&mut self, number: u32, state: u32, is_true: impl Fn(PropId) -> bool) {
        for (prop, _) in self.model.props().iter() {
            let value = match self.model.label(state, prop) {
                Truth::Unknown => Truth::from(is_true(prop)),
                known => known,
            };
            self.builder.label(number, prop, value);
        }
    }

    fn edge(&mut self, from: u32, target: Target, to: Concrete, tableau: &Tableau) {
        let to = self.state(to, tableau);
        self.builder.edge(from, target.action, Mode::BOTH, to);
    }
}
