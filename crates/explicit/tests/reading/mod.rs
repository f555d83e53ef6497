//! Systems from their text.

use logic::{Formula, Signature};
use model::System;
use support::{FileId, Monitor};

/// The system of a `.tm` text and its first property.
pub fn read(text: &str) -> (System, Formula) {
    let no_files = &mut |_: &str| Err("no other files".to_owned());
    let document = testkit::read_tm(FileId(0), &text.to_owned().into(), &Monitor::new(), no_files)
        .expect("a good text");
    let system = document.system.expect("a system");
    let (props, actions) = (system.props(), system.actions());
    let signature = Signature { family: system.family(), props: &props, actions: &actions };
    let surface = document.properties[0].surface().unwrap();
    let formula = logic::compile(surface, &signature, &mut Vec::new()).expect("names exist");
    (system, formula)
}
