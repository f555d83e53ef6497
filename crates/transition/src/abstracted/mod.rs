//! Programs abstracted by predicates: the monotone MixTSs of predicate abstraction (X §2, §5).
//!
//! Start at [`Abstracted`]. The location of a program is always known; of its data only the predicates are. So a
//! state is a location and a monomial, and the best approximations α\[S\] are the locations with a minterm each.

mod explicit;
mod monomial;
mod program;

pub use explicit::TooLarge;
pub use monomial::{Monomial, common_targets, most_precise};
pub use program::{AbstractCommand, AbstractStart, Abstracted, Literals, Meaning};
