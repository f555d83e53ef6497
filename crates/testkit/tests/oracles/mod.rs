//! Shared by the tests of this folder: reading formulas, and checkers written from the definitions.

use logic::{Formula, Logic, Surface};
use model::PartialModel;
use support::FileId;
use testkit::compile_for;

pub fn parse(logic: Logic, text: &str) -> Surface {
    let parsed = front::parse_formula(logic, FileId(0), &text.into(), 0..text.len());
    parsed.unwrap_or_else(|errors| panic!("`{text}`: {errors:?}"))
}

pub fn compiled(model: &PartialModel, logic: Logic, text: &str) -> Formula {
    compile_for(&parse(logic, text), model)
}
