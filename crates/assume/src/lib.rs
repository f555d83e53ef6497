//! Assumption synthesis (paper A): a small stand-in for one process of several.
//!
//! Given the processes M, the process N and a safety property P, the assumption is the quotient of N by
//! an equivalence such that M‖A satisfies P exactly if M‖N does. Start at [`SafetyQuestion`], then at
//! [`Synthesis`], which finds the equivalence step by step.

mod alternate;
mod assumption;
mod certificate;
mod classes;
mod determinise;
mod explore;
mod factor;
mod graph;
mod labels;
mod lts;
mod make;
mod moves;
mod question;
mod set;
mod synthesis;
mod tuples;

pub use alternate::{MadeAssumption, alternate};
pub use assumption::{quotient, replace};
pub use certificate::certificate;
pub use explore::{ErrorRun, JointStep, SafetySearch, search};
pub use make::{AssumptionRequest, Ended, EquivalenceChoice, Made, Point, make};
pub use question::{SafetyQuestion, Unfit};
pub use synthesis::{AnalysisPlan, Equivalence, InitialAbstraction, Synthesis};
