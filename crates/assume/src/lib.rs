//! Assumption synthesis (Finkbeiner, Schewe and Brill, paper A): a small process in the place of one of several.
//!
//! Given the processes M, the process N and a safety property P, the assumption A is the quotient of N by
//! an equivalence such that M‖A satisfies P if and only if M‖N does. Start at [`SafetyQuestion`], then at
//! [`Synthesis`], which refines an abstraction of M to find the equivalence.
//!
//! Computing the labels takes time linear in the edges of 𝓜‖P̄ times the transitions of N, as each label element
//! crosses each edge once; there are at most as many refinement steps as M has states. Where we differ from the paper
//! stands in THEORY.md: among others, the edge over which most states pass is refined first, and several processes are
//! refined alternately.

mod alternate;
mod assumption;
mod certificate;
mod classes;
mod determinise;
mod driver;
mod explore;
mod factor;
mod graph;
mod labels;
mod lts;
mod moves;
mod question;
mod set;
mod synthesis;
mod tuples;

pub use alternate::{MadeAssumption, alternate};
pub use assumption::{quotient, replace};
pub use certificate::certificate;
pub use driver::{
    AssumptionRequest, EndReason, EquivalenceChoice, Progress, SynthesisResult, synthesise,
};
pub use explore::{ErrorRun, JointStep, SafetySearch, search};
pub use question::{SafetyQuestion, Unfit};
pub use synthesis::{AnalysisPlan, Equivalence, InitialAbstraction, Synthesis};
