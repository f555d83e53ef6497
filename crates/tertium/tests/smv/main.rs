//! SMV: the lengths of paths, and constructs that are not supported.

mod lengths;
mod programs;
mod unsupported;
