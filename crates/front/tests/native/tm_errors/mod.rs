//! Every complaint about a `.tm` file: place, message, labels, help.

mod components;
mod items;
mod systems;
mod templates;

use crate::support::complaints;

fn assert_complaints(cases: &[(&str, &[&str])]) {
    for (text, expected) in cases {
        let found = complaints(text);
        assert_eq!(found.lines().collect::<Vec<_>>(), *expected, "{text}");
    }
}
