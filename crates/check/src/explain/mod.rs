//! Why a verdict is what it is (G §3).

mod explanation;

pub use explanation::{Explanation, ShownMember, ShownNode, ShownSon, ShownState, ShownStep, Why};
