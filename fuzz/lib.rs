//! What the fuzz targets share.

use logic::{Family, Logic, Signature};
use support::{FileId, SourceMap};

/// Parses the bytes as a formula and, if it is one, brings it into normal form.
pub fn formula(logic: Logic, data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let shared = text.into();
    match front::parse_formula(logic, FileId(0), &shared, 0..text.len()) {
        Ok(surface) => {
            let props = ["p", "q"].into_iter().collect();
            for family in [Family::Props, Family::Actions] {
                let signature = Signature { family, props: &props, actions: &[] };
                let _ = logic::compile(&surface, &signature, &mut Vec::new());
            }
        }
        Err(errors) => {
            assert!(errors.iter().any(support::Diagnostic::is_error));
            let mut map = SourceMap::new();
            map.add("formula", text);
            for (span, _) in errors.iter().flat_map(|error| &error.labels) {
                // Panics if the place is not in the text.
                let _ = map.position(*span);
            }
        }
    }
}

/// Gives three bytes at a time.
pub struct Trickle<'a>(pub &'a [u8]);

impl std::io::Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let (now, later) = self.0.split_at(self.0.len().min(buffer.len()).min(3));
        buffer[..now.len()].copy_from_slice(now);
        self.0 = later;
        Ok(now.len())
    }
}

/// Line, column and message of an error of a reader that streams.
pub fn place(error: front::ReadError) -> (usize, usize, String) {
    let front::ReadError::Fault(fault) = error else { panic!("{error}") };
    let mut map = SourceMap::new();
    let diagnostic = fault.into_diagnostic(&mut map);
    let (line, column) = map.position(diagnostic.labels[0].0);
    (line, column, diagnostic.message)
}
