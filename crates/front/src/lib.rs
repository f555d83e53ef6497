//! Readers and writers: text to values or diagnostics, never a panic.

mod lexer;
