//! Linear time by every method: verdicts against the semantics on paths and against NuSMV's, and certificates.

mod certified;
mod forged;
mod generate;
mod nusmv;
mod paths;
