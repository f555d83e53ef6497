//! Paper X by its definitions: abstract states as sets of concrete ones, all concrete systems one after
//! the other. An oracle for small models only; nothing of the engines is used, and nothing of what
//! `model` knows about covering.
//!
//! Start at [`Space`], which says what abstract states stand for, and [`Partial`], a model as sets.

mod generate;
mod partial;
mod refinements;
mod semantics;
mod space;
mod thorough;
mod translations;

pub use generate::{Abstracted, MixedShape, abstracted, arbitrary, noted_abstraction};
pub use partial::Partial;
pub use refinements::{Concrete, Refinements, all_concrete};
pub use semantics::{Element, reduce, ris, sis};
pub use space::{Set, Space, members, set_of};
pub use thorough::{Verdicts, thorough, verdicts};
pub use translations::{gtom, mtok};
