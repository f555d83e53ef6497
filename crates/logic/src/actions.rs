//! Sets of actions.

/// The actions that a modality speaks of: the named ones, or all but the named ones.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ActionSet {
    /// Sorted, without duplicates.
    names: Vec<String>,
    complement: bool,
}

impl ActionSet {
    pub fn any() -> Self {
        Self { names: Vec::new(), complement: true }
    }

    pub fn none() -> Self {
        Self { names: Vec::new(), complement: false }
    }

    pub fn one(name: impl Into<String>) -> Self {
        Self { names: vec![name.into()], complement: false }
    }

    /// The set of these actions, which come in order.
    pub(crate) fn of<'a>(names: impl Iterator<Item = &'a String>) -> Self {
        Self { names: names.cloned().collect(), complement: false }
    }

    /// The set with another name for an action.
    #[must_use]
    pub(crate) fn renamed(&self, from: &str, to: &str) -> Self {
        let rename = |name: &String| if name == from { to.to_owned() } else { name.clone() };
        let names = merge(self.names.iter().map(rename).collect(), Vec::new());
        Self { names, complement: self.complement }
    }

    #[must_use]
    pub fn complement(mut self) -> Self {
        self.complement = !self.complement;
        self
    }

    #[must_use]
    pub fn or(self, other: Self) -> Self {
        self.complement().and(other.complement()).complement()
    }

    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self.complement, other.complement) {
            (true, true) => Self { names: merge(self.names, other.names), complement: true },
            (false, _) => self.kept_in(&other),
            (true, false) => other.kept_in(&self),
        }
    }

    /// Of a set that is no complement, what the other has too.
    fn kept_in(mut self, other: &Self) -> Self {
        self.names.retain(|name| other.contains(name));
        self
    }

    pub fn contains(&self, name: &str) -> bool {
        self.names.binary_search_by(|n| n.as_str().cmp(name)).is_ok() != self.complement
    }

    pub fn is_any(&self) -> bool {
        self.complement && self.names.is_empty()
    }

    pub fn is_empty(&self) -> bool {
        !self.complement && self.names.is_empty()
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    pub fn is_complement(&self) -> bool {
        self.complement
    }
}

/// Two sorted lists as one, without duplicates.
fn merge(mut a: Vec<String>, b: Vec<String>) -> Vec<String> {
    a.extend(b);
    // Stable sorting finds the two runs and merges them in linear time.
    a.sort();
    a.dedup();
    a
}

#[cfg(test)]
mod tests {
    use super::ActionSet;

    /// Every set over three names, a fourth standing for all other names.
    #[test]
    fn action_sets_are_a_boolean_algebra() {
        let names = ["a", "b", "c", "other"];
        let sets: Vec<ActionSet> = (0..16)
            .map(|bits: u32| {
                let named = (0..3).filter(|i| bits >> i & 1 == 1).map(|i| ActionSet::one(names[i]));
                let set = named.rev().fold(ActionSet::none(), ActionSet::or);
                if bits < 8 { set } else { set.complement() }
            })
            .collect();
        for a in &sets {
            for b in &sets {
                for name in names {
                    let (in_a, in_b) = (a.contains(name), b.contains(name));
                    assert_eq!(a.clone().and(b.clone()).contains(name), in_a && in_b);
                    assert_eq!(a.clone().or(b.clone()).contains(name), in_a || in_b);
                }
                // Equal sets have one form: they are made once.
                assert_eq!(a.clone().and(b.clone()), b.clone().and(a.clone()));
                assert!(sets.contains(&a.clone().or(b.clone())));
            }
        }
    }
}
