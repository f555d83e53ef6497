//! The same families as SMV: a module for each kind of part, synchronous steps, properties in CTL by the
//! same names and with the same verdicts.
//!
//! A part reads the variables of its neighbours and nobody else's, so what is combinational down a chain
//! is a variable there and no definition, which would stand for all that is before it. Those properties
//! that have no CTL formula are not in the file, which NuSMV would refuse; they are asked apart.

mod arbiter_tree;
mod client_server;
mod msi;
mod philosophers;
mod pipeline;
mod sheet;
#[cfg(test)]
mod tests;
mod token_ring;

use super::{Family, Instance, Logic, Wish};
use crate::random::Random;
use sheet::Sheet;

/// What distinguishes a family.
struct Design {
    about: &'static str,
    /// Said of a member that carries irrelevant data.
    data: &'static str,
    /// `$` stands for the number of the last part.
    formulas: &'static [Stated],
    /// The modules, with lines that are not in all of them (see `sheet`).
    modules: &'static str,
    /// Makes the parts.
    write: fn(&mut Instance, &mut Sheet),
}

/// A property of the family by its name, and its formula.
type Stated = (&'static str, Logic, &'static str);

/// A property as it is asked of an SMV file.
pub struct Formula {
    /// As the family knows it: `local: …`.
    pub name: &'static str,
    /// As the file does.
    pub label: String,
    pub text: String,
    /// Whether it is in the file; the others are in the µ-calculus.
    pub is_ctl: bool,
}

impl Family {
    fn design(self) -> Design {
        match self {
            Family::TokenRing => token_ring::DESIGN,
            Family::Philosophers => philosophers::DESIGN,
            Family::Pipeline => pipeline::DESIGN,
            Family::ClientServer => client_server::DESIGN,
            Family::ArbiterTree => arbiter_tree::DESIGN,
            Family::Msi => msi::DESIGN,
        }
    }
}

/// All properties of a family at a size, in the order in which it has them.
pub fn formulas(family: Family, size: u32) -> Vec<Formula> {
    let formula = |&(name, logic, text): &Stated| Formula {
        name,
        label: label(name),
        text: text.replace('$', &(size - 1).to_string()),
        is_ctl: matches!(logic, Logic::Ctl),
    };
    family.design().formulas.iter().map(formula).collect()
}

/// A name as an identifier: `two_party_neighbours_can_share`.
fn label(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_")
}

/// The text of an `.smv` file with some of the properties.
pub fn make(wish: &Wish, is_asked: impl Fn(&Formula) -> bool) -> String {
    let &Wish { family, size, broken, seed, data, .. } = wish;
    let Design { about, data: about_data, modules, write, .. } = family.design();
    let plan = family.plan();
    let mut sheet = Sheet::new(broken, data);
    let remarks = [(true, about), (data.is_some(), about_data), (broken, plan.fault)];
    for (_, remark) in remarks.into_iter().filter(|(is_made, _)| *is_made) {
        sheet.prose(remark);
        sheet.prose("");
    }
    let asked: Vec<Formula> =
        formulas(family, size).into_iter().filter(|f| f.is_ctl && is_asked(f)).collect();
    for Formula { name, label, .. } in &asked {
        let stated = plan.properties.iter().find(|property| property.name == *name);
        let value = stated.is_some_and(|property| property.verdict(broken));
        sheet.prose(&format!("expect: {label} = {value}"));
    }
    write(&mut Instance { size, broken, random: Random::new(seed) }, &mut sheet);
    sheet.finish(&asked, modules)
}
