//! Promela models taken apart, and put together again with an assumption for one process.

mod agreement;
mod examples;
mod generate;
mod machine;
mod peer;
mod robustness;
mod steps;
mod support;
mod writing;
