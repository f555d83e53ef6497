//! Readers of large line-oriented formats: they see the text once, through a window.

mod block;
mod cursor;
mod digits;
mod fault;
mod window;

pub(crate) use block::Block;
pub(crate) use cursor::Cursor;
pub(crate) use digits::quick as quick_number;
pub use fault::{ReadError, ReadFault};
pub(crate) use fault::{Wrong, invalid_utf8};
pub(crate) use window::{Excerpt, KeptLine, Window, count_lines};
