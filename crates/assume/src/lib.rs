//! Assumption synthesis (paper A): a small stand-in for one process of several.
//!
//! Given the processes M, the process N and a safety property P, the assumption is the quotient of N by
//! an equivalence such that M‖A satisfies P exactly if M‖N does. Start at [`Question`], then at
//! [`Synthesis`], which finds the equivalence step by step.

mod assumption;
mod certificate;
mod classes;
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

pub use assumption::{quotient, replace};
pub use certificate::{Stand, certificate};
pub use explore::{JointStep, Run, Search, search};
pub use make::{Ended, Made, Point, Request, make};
pub use question::{Question, Unfit};
pub use synthesis::{Equivalence, Plan, Start, Synthesis};
