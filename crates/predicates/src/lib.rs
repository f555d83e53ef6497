//! Programs seen through predicates: the monotone MixTSs of predicate abstraction (X §2, §5).
//!
//! Start at [`Abstracted`]. Where a program stands is always known; of its data only the predicates are. So a
//! state is a place and a monomial, and the best approximations α\[S\] are the places with a minterm each.

mod abstracted;
mod monomial;

pub use abstracted::{Abstracted, Command, Meaning, Start};
pub use monomial::Monomial;
