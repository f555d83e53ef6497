//! The views of the page, ready to be sent.

pub mod component;
pub mod formula;
pub mod game;
pub mod message;
pub mod outline;
pub mod search;
pub mod walk;
pub mod window;
