//! Abstractions as weak as a verdict allows, in the direction of the coarsest abstraction (C Def. 5.1).
//!
//! Must transitions become may transitions, and labels that are not joint become unknown. Halves of these facts are
//! dropped together where that keeps the verdict, as in delta debugging (Zeller and Hildebrandt, TSE 2002). A verdict
//! that some facts give is given by more of them, so no single fact that stays could be dropped at the end.
//! At most 2 k log n checks for n facts of which k stay.

use crate::failure::Failure;
use logic::PropId;
use model::{Mode, ModelBuilder, PartialModel};
use rustc_hash::FxHashSet;

/// A fact that an abstraction can do without.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Definite {
    /// The transition with this number is a must.
    Must(usize),
    Label(u32, PropId),
}

/// By component.
type DefiniteFact = (usize, Definite);

fn facts(models: &[PartialModel], joint: &[String]) -> Vec<DefiniteFact> {
    let mut facts = Vec::new();
    for (component, model) in models.iter().enumerate() {
        let own = model.props().iter().filter(|(_, name)| !joint.iter().any(|j| j == name));
        for (prop, _) in own {
            let known = (0..model.states() as u32).filter(|&s| model.label(s, prop).is_definite());
            facts.extend(known.map(|state| (component, Definite::Label(state, prop))));
        }
        let musts = model
            .edges()
            .triples()
            .enumerate()
            .filter(|&(_, (_, class, _))| model.edges().classes()[class as usize].mode.must);
        facts.extend(musts.map(|(edge, _)| (component, Definite::Must(edge))));
    }
    facts
}

/// The models with as few facts as `suffice` allows. A limit leaves what was reached before it.
pub(super) fn weakest(
    models: &[PartialModel],
    joint: &[String],
    suffice: impl Fn(&[PartialModel]) -> Result<bool, Failure>,
) -> Result<Vec<PartialModel>, Failure> {
    let mut weakening = Weakening { suffice, dropped: Vec::new(), models };
    match weakening.drop(&facts(models, joint)) {
        Ok(()) | Err(Failure::Stopped(_)) => Ok(weaker(models, &weakening.dropped)),
        Err(failure) => Err(failure),
    }
}

struct Weakening<'a, F> {
    suffice: F,
    models: &'a [PartialModel],
    dropped: Vec<DefiniteFact>,
}

impl<F: Fn(&[PartialModel]) -> Result<bool, Failure>> Weakening<'_, F> {
    /// Drops as many of some facts as the verdict allows.
    fn drop(&mut self, facts: &[DefiniteFact]) -> Result<(), Failure> {
        if facts.is_empty() {
            return Ok(());
        }
        let before = self.dropped.len();
        self.dropped.extend_from_slice(facts);
        let is_enough = (self.suffice)(&weaker(self.models, &self.dropped));
        if !matches!(is_enough, Ok(true)) {
            self.dropped.truncate(before);
        }
        if is_enough? {
            return Ok(());
        }
        if facts.len() > 1 {
            let (left, right) = facts.split_at(facts.len() / 2);
            self.drop(left)?;
            self.drop(right)?;
        }
        Ok(())
    }
}

/// The models without some facts.
fn weaker(models: &[PartialModel], dropped: &[DefiniteFact]) -> Vec<PartialModel> {
    let models = models.iter().enumerate().map(|(component, model)| {
        let dropped = dropped.iter().filter(|(c, _)| *c == component).map(|&(_, fact)| fact);
        let dropped: FxHashSet<Definite> = dropped.collect();
        let mut builder = ModelBuilder::new(model.kind, model.name.clone());
        for name in model.props().names() {
            builder.prop(name);
        }
        for name in model.actions().names() {
            builder.action(name);
        }
        for state in 0..model.states() as u32 {
            builder.state(model.state_name(state));
            for (prop, _) in model.props().iter() {
                if !dropped.contains(&Definite::Label(state, prop)) {
                    builder.label(state, prop, model.label(state, prop));
                }
            }
        }
        model.init().iter().for_each(|&state| builder.init(state));
        for (edge, (source, class, target)) in model.edges().triples().enumerate() {
            let class = model.edges().classes()[class as usize];
            let must = class.mode.must && !dropped.contains(&Definite::Must(edge));
            builder.edge(source, class.action, Mode { may: class.mode.may, must }, target);
        }
        builder.finish()
    });
    models.collect()
}
