//! Values for variables.

use crate::Variable;
use std::collections::BTreeMap;

/// A value for every variable: 0 for those that are not mentioned.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SmtModel(BTreeMap<Variable, i128>);

impl SmtModel {
    pub fn value(&self, variable: Variable) -> i128 {
        self.0.get(&variable).copied().unwrap_or(0)
    }

    /// Those that are mentioned, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Variable, i128)> + '_ {
        self.0.iter().map(|(&variable, &value)| (variable, value))
    }
}

impl FromIterator<(Variable, i128)> for SmtModel {
    fn from_iter<I: IntoIterator<Item = (Variable, i128)>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}
