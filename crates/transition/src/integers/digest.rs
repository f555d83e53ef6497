//! The digest of a program over integers, as that of a symbolic transition system ([`crate::Machine::digest`]).

use crate::digest;
use crate::integers::program::{IntegerProgram, Proposition};
use smt::LinearFormula;

impl IntegerProgram {
    /// Taken over the variables, the steps, and where it begins. Places have their numbers; their names tell where they
    /// stand in a file, and do not matter.
    pub fn digest(&self, start: (u32, &LinearFormula)) -> u64 {
        digest((&self.variables, self.locations.len(), &self.steps, start))
    }
}

/// That of propositions and of what they mean.
pub fn digest_of(propositions: &[(String, Proposition)]) -> u64 {
    digest(propositions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integers::IntegerStep;
    use smt::{Term, Variable};

    #[test]
    fn what_changes_an_answer_changes_the_digest() {
        let always = LinearFormula::Constant(true);
        let one = Term::constant(1).expect("small").into();
        let step = IntegerStep::new((0, 1), always.clone(), [(Variable(0), Some(one))], 1);
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let program = IntegerProgram {
            variables: names(&["x"]),
            locations: names(&["a", "b"]),
            steps: vec![step],
        };
        let digest = program.digest((0, &always));
        let renamed = IntegerProgram { locations: names(&["c", "d"]), ..program.clone() };
        assert_eq!(renamed.digest((0, &always)), digest);
        let mut other = program.clone();
        other.steps[0].target = 0;
        assert_ne!(other.digest((0, &always)), digest);
        let larger = IntegerProgram { locations: names(&["a", "b", "c"]), ..program.clone() };
        assert_ne!(larger.digest((0, &always)), digest);
        assert_ne!(program.digest((1, &always)), digest);
        assert_ne!(program.digest((0, &LinearFormula::Constant(false))), digest);
        let at = |location| [("p".to_owned(), Proposition::At(vec![location]))];
        assert_ne!(digest_of(&at(0)), digest_of(&at(1)));
    }
}
