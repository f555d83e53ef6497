//! Rows and columns that fit a terminal.

use super::text::TextView;
use super::wrap::{cut, pad, width, wrap};
use crate::style::Colour;

/// The least width of a column.
const NARROWEST: usize = 6;
const INDENT: usize = 2;
const GAP: usize = 2;

pub(crate) struct Word {
    pub text: String,
    pub is_changed: bool,
}

impl Word {
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_changed: false }
    }

    fn length(&self) -> usize {
        self.text.chars().count()
    }
}

pub(crate) enum Entry {
    /// By column: its words. Then what is to be said of the row.
    Row(Vec<Vec<Word>>, String),
    /// A line that is no row.
    Line(String),
}

/// Columns without any text are left out.
pub(crate) struct Grid {
    pub heads: Vec<String>,
    pub entries: Vec<Entry>,
}

impl Grid {
    /// `None` if it does not fit.
    pub fn to_text(&self, view: TextView) -> Option<String> {
        let mut widths = self.widths();
        shrink(&mut widths, view.width)?;
        let heads = self.heads.iter().zip(&widths).filter(|(_, columns)| **columns > 0);
        let heads = heads.map(|(head, &columns)| pad(&cut(&format!(" {head}"), columns), columns));
        let heads: Vec<String> = heads.collect();
        let mut out = String::new();
        put(&mut out, &view.colour.bold(join(&heads).trim_end()));
        for entry in &self.entries {
            match entry {
                Entry::Row(cells, note) => put_row(&mut out, cells, note, &widths, view),
                Entry::Line(line) => {
                    put(&mut out, &format!("{}{line}", " ".repeat(widths[0] + GAP + 1)))
                }
            }
        }
        Some(out)
    }

    /// As wide as its widest cell, and its head if there is any cell.
    fn widths(&self) -> Vec<usize> {
        let mut widths = vec![0; self.heads.len()];
        for entry in &self.entries {
            let Entry::Row(cells, _) = entry else { continue };
            for (columns, cell) in widths.iter_mut().zip(cells) {
                *columns = (*columns).max(length(cell));
            }
        }
        for (columns, head) in widths.iter_mut().zip(&self.heads).filter(|(c, _)| **c > 0) {
            *columns = (*columns).max(head.chars().count() + 1);
        }
        widths
    }
}

/// Takes from the widest columns until all fit.
fn shrink(widths: &mut [usize], most: usize) -> Option<()> {
    while total(widths) > most {
        let widest = widths.iter_mut().max().filter(|columns| **columns > NARROWEST)?;
        *widest -= 1;
    }
    Some(())
}

fn total(widths: &[usize]) -> usize {
    let used = widths.iter().filter(|columns| **columns > 0);
    INDENT + used.map(|columns| columns + GAP).sum::<usize>() - GAP
}

fn put_row(out: &mut String, cells: &[Vec<Word>], note: &str, widths: &[usize], view: TextView) {
    let shown = cells.iter().zip(widths).filter(|(_, columns)| **columns > 0);
    let cells: Vec<String> = shown.map(|(cell, &columns)| show(cell, columns, view)).collect();
    let text = join(&cells);
    let room = view.width.saturating_sub(total(widths) + GAP);
    if note.chars().count() <= room {
        return put(out, &format!("{text}{}{note}", " ".repeat(GAP)));
    }
    put(out, &text);
    let indent = INDENT + widths[0] + GAP + 1;
    put(out, &wrap(&format!("{}{note}", " ".repeat(indent - INDENT)), view.width - INDENT, indent));
}

/// Place for a mark and the words, with commas between them.
fn length(cell: &[Word]) -> usize {
    let [first, others @ ..] = cell else { return 0 };
    let more = others.iter().map(|word| word.length() + 2 + usize::from(word.is_changed));
    1 + first.length() + more.sum::<usize>()
}

fn show(cell: &[Word], columns: usize, view: TextView) -> String {
    let mut text = String::new();
    for (index, word) in cell.iter().enumerate() {
        let mark = if word.is_changed && view.colour == Colour::Off { "*" } else { "" };
        let lead = match (index, mark) {
            (0, "") => " ".to_owned(),
            (0, mark) => mark.to_owned(),
            (_, mark) => format!(", {mark}"),
        };
        let more = if index + 1 < cell.len() { 2 } else { 0 };
        let room = columns.saturating_sub(width(&text) + width(&lead) + more);
        if index > 0 && word.length() > room {
            text.push_str(", …");
            break;
        }
        let shown = cut(&word.text, room.max(1));
        let shown = if word.is_changed { view.colour.bold(shown) } else { shown };
        text.push_str(&format!("{lead}{shown}"));
    }
    pad(&text, columns)
}

fn join(cells: &[String]) -> String {
    cells.join(&" ".repeat(GAP))
}

fn put(out: &mut String, text: &str) {
    out.push_str(&" ".repeat(INDENT));
    out.push_str(text.trim_end());
    out.push('\n');
}
