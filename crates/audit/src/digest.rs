//! One number that tells a system from others, so that a certificate for another one is refused with the
//! right words. Nothing rests on it: whatever a certificate says is checked against the system at hand.
//! Therefore FNV-1a is enough, a word at a time: it need not resist anybody.

use model::{Model, System};

/// Taken over what the files say of the components and how they run together; comments, the order of
/// declarations in different files and the names of states do not matter.
pub fn digest(system: &System) -> u64 {
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    for component in &system.components {
        hash.word(u64::from(component.is_unknown));
        hash.model(&component.model);
    }
    for vector in &system.sync.vectors {
        for (component, action) in &vector.parts {
            hash.word(*component as u64);
            hash.text(action);
        }
        hash.text(&vector.result);
    }
    system.sync.hidden.iter().for_each(|name| hash.text(name));
    hash.0
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

    fn model(&mut self, model: &Model) {
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
    }
}
