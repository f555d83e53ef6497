//! Aldebaran files (`.aut`): `des (initial, transitions, states)`, then a line `(source, label,
//! target)` for each transition.
//!
//! The file streams through a [`Window`]. Lines as tools write them go through [`quick`], which gives
//! up on anything unusual; [`careful`] takes over then, and everything that can be said about a wrong
//! line is said there.

mod labels;
mod line;
mod write;

use self::labels::Labels;
use self::line::{EdgeLine, careful, quick};
pub use self::write::{AutError, write_aut};

use crate::document::Document;
use crate::language::{Language, Reading, SourceText, StreamReader};
use crate::stream::{Cursor, KeptLine, ReadError, Window, Wrong};

use model::{ActionId, EdgeClass, EdgesBuilder, Mode, PartialModel, System};
use std::io::Read;
use std::ops::Range;
use support::{Diagnostic, Monitor, Severity};

/// Aldebaran's format of labelled transition systems.
pub(crate) struct Aut;

impl Language for Aut {
    fn name(&self) -> &'static str {
        "aut"
    }

    fn title(&self) -> &'static str {
        "an .aut file"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["aut"]
    }

    fn is_system(&self) -> bool {
        false
    }

    fn looks_like(&self, start: &[u8]) -> bool {
        start.trim_ascii_start().starts_with(b"des")
    }

    fn read(&self, source: &SourceText, reading: Reading) -> Result<Document, Vec<Diagnostic>> {
        let properties = crate::tm::asked(reading.questions)?;
        match read_aut(source.text.as_bytes(), &source.name, reading.monitor) {
            Ok(model) => {
                Ok(Document { properties, ..Document::of_components(System::single(model)) })
            }
            Err(ReadError::Stopped(_)) => Err(Vec::new()),
            Err(ReadError::Fault(fault)) => Err(vec![fault.within(source)]),
            Err(ReadError::Io(error)) => Err(vec![Diagnostic {
                severity: Severity::Error,
                message: error.to_string(),
                labels: Vec::new(),
                help: None,
            }]),
        }
    }

    fn stream(&self) -> Option<StreamReader> {
        Some(|input, name, monitor| read_aut(input, name, monitor))
    }
}

/// `(0,a,0)` and a line end.
const SHORTEST_LINE: usize = 8;

/// Reads an LTS. `file` is what messages call the input and what the model is named.
pub fn read_aut(
    input: impl Read,
    file: &str,
    monitor: &Monitor,
) -> Result<PartialModel, ReadError> {
    monitor.phase("reading", 0);
    let mut window = Window::new(input, file);
    let header = Header::read(&mut window, monitor)?;
    let mut body = Body::new(header);
    loop {
        body.edges.make_room(window.text().len() / SHORTEST_LINE + 1, monitor)?;
        let taken = body.read_lines(window.text(), window.has_ended());
        window.take(taken.map_err(|wrong| window.fault(*wrong))?);
        if window.has_ended() {
            return body.finish(file, monitor);
        }
        window.more(monitor)?;
    }
}

fn promise_of(states: u32) -> String {
    match states {
        0 => "the header promises no states".to_owned(),
        1 => "the header promises one state, 0".to_owned(),
        _ => format!("the header promises {states} states, numbered from 0"),
    }
}

/// The numbers of the first line.
pub(crate) struct Header {
    pub init: u32,
    pub transitions: u32,
    pub states: u32,
    /// For the errors that are found only at the end.
    line: KeptLine,
    transitions_at: Range<usize>,
    states_at: Range<usize>,
}

impl Header {
    fn read(window: &mut Window<impl Read>, monitor: &Monitor) -> Result<Self, ReadError> {
        loop {
            let blank = window.text().iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            window.take(blank);
            let text = window.text();
            let end = text.iter().position(|&byte| byte == b'\n');
            if end.is_some() || window.has_ended() {
                let len = end.unwrap_or(text.len());
                let header = Self::parse(&text[..len], window.line());
                let header = header.map_err(|wrong| window.fault(*wrong))?;
                window.take(len);
                return Ok(header);
            }
            window.more(monitor)?;
        }
    }

    fn parse(line: &[u8], number: usize) -> Result<Self, Box<Wrong>> {
        let mut cursor = Cursor::new(line.trim_ascii_end());
        if !cursor.rest().starts_with(b"des") {
            return Err(cursor
                .unexpected("expected the header of an Aldebaran file")
                .with_help("it has the form `des (initial state, transitions, states)`"));
        }
        cursor.at += b"des".len();
        cursor.expect(b'(', "after `des`")?;
        let (init, init_at) = cursor.located_number("the number of the initial state")?;
        cursor.expect(b',', "after the initial state")?;
        let (transitions, transitions_at) = cursor.located_number("the number of transitions")?;
        cursor.expect(b',', "after the number of transitions")?;
        let (states, states_at) = cursor.located_number("the number of states")?;
        cursor.expect(b')', "at the end of the header")?;
        cursor.skip_space();
        if !cursor.rest().is_empty() {
            return Err(cursor.unexpected("expected nothing more after the header"));
        }
        if init >= states {
            let message = format!("there is no state {init}, the initial one");
            let label = promise_of(states);
            return Err(Wrong::new(init_at, message, label));
        }
        let line = KeptLine::new(cursor.text.to_owned(), number);
        Ok(Self { init, transitions, states, line, transitions_at, states_at })
    }
}

/// The transitions so far.
struct Body {
    header: Header,
    edges: EdgesBuilder,
    labels: Labels,
}

impl Body {
    fn new(header: Header) -> Self {
        Self { header, edges: EdgesBuilder::new(), labels: Labels::new() }
    }

    /// Reads the whole lines of the text and tells how many bytes they are.
    fn read_lines(&mut self, text: &[u8], is_all: bool) -> Result<usize, Box<Wrong>> {
        let mut at = 0;
        loop {
            at += self.read_quickly(&text[at..]);
            let rest = &text[at..];
            let end = rest.iter().position(|&byte| byte == b'\n');
            match end {
                Some(len) => self.read_carefully(&rest[..len]).map_err(|w| w.moved(at))?,
                None if is_all => self.read_last(rest).map_err(|wrong| wrong.moved(at))?,
                None => return Ok(at),
            }
            at += end.map_or(rest.len(), |len| len + 1);
            if at == text.len() {
                return Ok(at);
            }
        }
    }

    /// Reads lines until one is unusual in any way, and tells how many bytes were read.
    fn read_quickly(&mut self, text: &[u8]) -> usize {
        let mut at = 0;
        let mut room = self.header.transitions as usize - self.edges.len();
        let states = self.header.states;
        while let Some(edge_line) = quick(&text[at..])
            && let Some(class) = self.labels.find(&text[at..], edge_line.label)
            && edge_line.source < states
            && edge_line.target < states
            && room > 0
        {
            self.edges.push(edge_line.source, class, edge_line.target);
            room -= 1;
            at += edge_line.len;
        }
        at
    }

    fn read_last(&mut self, line: &[u8]) -> Result<(), Box<Wrong>> {
        self.read_carefully(line).map_err(|wrong| {
            let line = line.trim_ascii_end();
            let is_cut_off = wrong.range.end >= line.len() && !line.ends_with(b")");
            if is_cut_off { wrong.with_help("the file seems to be cut off here") } else { wrong }
        })
    }

    fn read_carefully(&mut self, line: &[u8]) -> Result<(), Box<Wrong>> {
        if line.trim_ascii().is_empty() {
            return Ok(());
        }
        let edge_line = careful(line)?;
        self.check(line, &edge_line)?;
        let class = self.labels.intern(&line[edge_line.label.clone()]);
        let class = class.map_err(|wrong| wrong.moved(edge_line.label.start))?;
        self.edges.push(edge_line.source, class, edge_line.target);
        Ok(())
    }

    fn check(&self, line: &[u8], edge_line: &EdgeLine) -> Result<(), Box<Wrong>> {
        let Header { states, transitions, .. } = self.header;
        for (state, at) in
            [(edge_line.source, &edge_line.source_at), (edge_line.target, &edge_line.target_at)]
        {
            if state >= states {
                let label = promise_of(states);
                return Err(Wrong::new(at.clone(), format!("there is no state {state}"), label));
            }
        }
        if self.edges.len() == transitions as usize {
            let message =
                format!("more transitions than the {transitions} that the header promises");
            let len = line.trim_ascii_end().len();
            return Err(Wrong::new(0..len, message, "the first one too many"));
        }
        Ok(())
    }

    fn finish(self, file: &str, monitor: &Monitor) -> Result<PartialModel, ReadError> {
        let Header { init, transitions, states, .. } = self.header;
        let found = self.edges.len();
        if found < transitions as usize {
            let message =
                format!("the header promises {transitions} transitions, but the file has {found}");
            let wrong = Wrong::new(self.header.transitions_at, message, "promised here");
            let wrong = wrong.with_help("the file may be cut off");
            return Err(self.header.line.fault(file, *wrong));
        }
        if states as usize > most_states(found) {
            let plural = if found == 1 { "" } else { "s" };
            let message = format!("{states} states, but only {found} transition{plural}");
            let wrong = Wrong::new(self.header.states_at, message, "promised here");
            let help = "almost all states would be without transitions: a mistake in the header?";
            return Err(self.header.line.fault(file, *wrong.with_help(help)));
        }
        let actions = self.labels.into_actions();
        let class = |action| EdgeClass { action: Some(ActionId(action)), mode: Mode::BOTH };
        let classes = (0..actions.len() as u32).map(class).collect();
        let edges = self.edges.finish(states as usize, classes, monitor)?;
        Ok(PartialModel::numbered_lts(file, actions, edges, init))
    }
}

/// States take memory even if nothing in the file but the header speaks of them. This is far more
/// than any tool writes for so many transitions.
fn most_states(transitions: usize) -> usize {
    (1 << 24) + 64 * transitions
}
