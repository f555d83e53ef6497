//! How many rounds a refinement can have.

use explicit::{Change, Refinement, Round};
use logic::{Formula, Node};
use model::{PartialModel, System};

/// How often each kind of refinement step can occur, as proved at the head of `refine`.
pub struct Bound {
    /// Labels, transitions, splits, components.
    plain: usize,
    /// A colour decides a modality in a tuple of concrete states of the components that are in the game, of
    /// which there are at most as many choices as components.
    colours: usize,
    /// From a state by an action into a set of states, anew after each split.
    hyper: usize,
}

impl Bound {
    pub fn new(system: &System, formula: &Formula, refinement: &Refinement) -> Self {
        let components = system.components.len();
        let models = || system.components.iter().map(|part| &part.model);
        let labels: usize = models().map(|model| model.states() * model.props().len()).sum();
        let states: usize = models().map(PartialModel::states).sum();
        let tuples: usize = models().map(PartialModel::states).product();
        let modal = formula.nodes().filter(|(_, node)| matches!(node, Node::Modal(..))).count();
        let sets = |model: &PartialModel| {
            (model.states() * model.actions().len().max(1)) << model.states()
        };
        let keeps_colours = refinement.keep_colours && !refinement.hyper;
        let hyper = if refinement.hyper { models().map(sets).sum::<usize>() } else { 0 };
        Self {
            plain: labels + 2 * states + components,
            colours: if keeps_colours { components * modal * tuples } else { 0 },
            hyper: hyper * (states + 1),
        }
    }

    pub fn keeps(&self, rounds: &[Round]) -> Result<(), String> {
        let count = |kind: fn(&Change) -> bool| rounds.iter().filter(|r| kind(&r.change)).count();
        let colours = count(|change| matches!(change, Change::Colour { .. }));
        let hyper = count(|change| matches!(change, Change::Hyper { .. }));
        let plain = rounds.len() - colours - hyper;
        for (found, most, what) in [
            (plain, self.plain, "rounds"),
            (colours, self.colours, "colours"),
            (hyper, self.hyper, "hyper-transitions"),
        ] {
            if found > most {
                return Err(format!("{found} {what}, at most {most}"));
            }
        }
        Ok(())
    }
}
