//! A number that distinguishes a system from others.
//!
//! It detects accidents, not attacks: a certificate for another system is to be reported as such, and its claims are
//! checked against the system at hand anyhow. So FNV-1a is enough, a word at a time.

use crate::partial::PartialModel;
use crate::system::System;

impl System {
    /// Taken over the components and how they run together. What does not change an answer, as the names
    /// of states and what the files look like, does not matter.
    pub fn digest(&self) -> u64 {
        let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
        for component in &self.components {
            hash.word(u64::from(component.is_unknown));
            hash.model(&component.model);
        }
        for vector in &self.sync.vectors {
            for (component, action) in &vector.parts {
                hash.word(*component as u64);
                hash.text(action);
            }
            hash.text(&vector.result);
        }
        self.sync.hidden.iter().for_each(|name| hash.text(name));
        hash.0
    }
}

struct Fnv(u64);

impl Fnv {
    #[inline]
    fn word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29);
    }

    fn text(&mut self, text: &str) {
        self.word(text.len() as u64);
        text.bytes().for_each(|byte| self.word(u64::from(byte)));
    }

    fn model(&mut self, model: &PartialModel) {
        self.text(&model.name);
        self.text(model.kind.name());
        self.word(model.states() as u64);
        model.init().iter().for_each(|&state| self.word(u64::from(state)));
        for (prop, name) in model.props().iter() {
            self.text(name);
            for set in [model.true_in(prop), model.false_in(prop)] {
                set.as_slice().iter().for_each(|&word| self.word(word as u64));
            }
        }
        model.actions().names().for_each(|name| self.text(name));
        for class in model.edges().classes() {
            let action = class.action.map_or(0, |action| u64::from(action.0) + 1);
            self.word(action << 2 | u64::from(class.mode.may) << 1 | u64::from(class.mode.must));
        }
        for (source, class, target) in model.edges().triples() {
            self.word(u64::from(source) << 32 | u64::from(target) ^ u64::from(class) << 24);
        }
        for hyper in model.hyper() {
            self.word(u64::from(hyper.source));
            hyper.targets.iter().for_each(|&target| self.word(u64::from(target) << 32 | 1));
        }
        for covers in model.covers() {
            self.word(u64::from(covers.state) << 1 | u64::from(covers.exactly));
            covers.covered.iter().for_each(|&state| self.word(u64::from(state) << 32 | 2));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kind, Mode, ModelBuilder};

    fn digest(target: u32, label: bool) -> u64 {
        let mut builder = ModelBuilder::new(Kind::Kripke, "M");
        (0..3).for_each(|state| _ = builder.state(format!("s{state}")));
        builder.init(0);
        let prop = builder.prop("p");
        builder.label(1, prop, label.into());
        builder.edge(0, None, Mode::BOTH, target);
        System::single(builder.finish()).digest()
    }

    #[test]
    fn small_differences_are_seen() {
        assert_eq!(digest(1, true), digest(1, true));
        assert_ne!(digest(1, true), digest(2, true));
        assert_ne!(digest(1, true), digest(1, false));
    }
}
