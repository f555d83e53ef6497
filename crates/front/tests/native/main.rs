//! The native language and the formula logics.

mod formula_errors;
mod formulas;
mod generate;
mod robustness;
mod round_trip;
mod support;
mod sync_files;
mod templates;
mod tm_errors;
mod tm_models;
