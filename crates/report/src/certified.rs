//! Results of the validation of a certificate, as text.

use crate::style::{Colour, shorten};
use crate::visible::visible;
use logic::Truth;

/// A line about one claim: what was shown of the property, or why it was not.
pub fn certified(property: &str, found: Result<&str, &str>, colour: Colour) -> String {
    let name = match property {
        "" => String::new(),
        name => colour.bold(format!("{}  ", visible(&shorten(name)))),
    };
    match found {
        Ok(shown) => {
            let valid = colour.truth(Truth::True, "valid   ".to_owned());
            format!("{valid} {name}{}\n", visible(shown))
        }
        Err(problem) => {
            let invalid = colour.truth(Truth::False, "invalid ".to_owned());
            format!("{invalid} {name}{}\n", visible(problem))
        }
    }
}

/// A line about a property that a certificate says nothing of.
pub fn not_claimed(property: &str, colour: Colour) -> String {
    let missing = colour.truth(Truth::Unknown, "missing ".to_owned());
    let name = colour.bold(format!("{}  ", visible(&shorten(property))));
    format!("{missing} {name}the certificate does not claim it\n")
}

/// A line about an audit that went well.
pub fn audited(property: &str, steps: u64, positions: u64) -> String {
    let name = visible(&shorten(property)).into_owned();
    format!("`{name}`: audited, steps {steps}, positions {positions}\n")
}
