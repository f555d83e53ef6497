//! The server of `tertium explore`: who is let in, what is answered, and that nothing is left behind.

mod checks;
mod client;
mod guard;
mod large;
mod views;
