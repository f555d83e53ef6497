//! A table in Markdown, and how its cells are written.

use std::fmt::{self, Display};

/// A table whose columns and whose last notes are in `benches/tables.md`.
pub struct Table {
    title: String,
    head: &'static str,
    rows: Vec<Vec<String>>,
    notes: Vec<String>,
    /// Notes under the table, and the values in them for `{name}`.
    last_notes: &'static str,
    values: Vec<(&'static str, String)>,
}

/// The cells of a row.
macro_rules! row {
    ($($cell:expr),* $(,)?) => { vec![$($cell.to_string()),*] };
}
pub(crate) use row;

impl Table {
    pub fn new(title: impl Into<String>) -> Self {
        let title = title.into();
        let mut known = include_str!("../../tables.md").split("\n## ").skip(1);
        let own = known.find_map(|known| {
            let (begin, rest) = known.split_once("\n| ")?;
            rest.split_once(" |\n").filter(|_| title.starts_with(begin))
        });
        let (head, last_notes) = own.unwrap_or_else(|| panic!("`{title}` is not in tables.md"));
        let (rows, notes, values) = (Vec::new(), Vec::new(), Vec::new());
        Self { title, head, rows, notes, last_notes: last_notes.trim(), values }
    }

    /// A value that the last notes tell.
    pub fn fill(&mut self, name: &'static str, value: impl Display) {
        self.values.push((name, value.to_string()));
    }

    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    pub fn note_once(&mut self, note: &str) {
        if !self.notes.iter().any(|known| known == note) {
            self.note(note);
        }
    }

    pub fn row(&mut self, cells: Vec<String>) {
        debug_assert_eq!(cells.len(), self.columns(), "{}", self.title);
        self.rows.push(cells);
    }

    fn columns(&self) -> usize {
        self.head.split(" | ").count()
    }
}

impl Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "## {}\n\n| {} |", self.title, self.head)?;
        writeln!(f, "|{}", " --- |".repeat(self.columns()))?;
        for row in &self.rows {
            writeln!(f, "| {} |", row.join(" | "))?;
        }
        self.notes.iter().try_for_each(|note| writeln!(f, "\n{note}"))?;
        let replaced = |text: String, (name, value): &(&str, String)| {
            text.replace(&format!("{{{name}}}"), value)
        };
        let last = self.values.iter().fold(self.last_notes.to_owned(), replaced);
        if last.is_empty() { Ok(()) } else { writeln!(f, "\n{last}") }
    }
}

/// The cell for a missing value.
pub const NOTHING: &str = "–";
pub const NO_ANSWER: &str = "no answer";

/// A value, or a word where there is none.
pub fn or<T: Display>(value: Option<T>, none: &str) -> String {
    value.map_or(none.to_owned(), |value| value.to_string())
}

/// With two digits.
pub fn ratio(value: Option<f64>, none: &str) -> String {
    or(value.map(|value| format!("{value:.2}")), none)
}

pub fn met(is_met: bool) -> &'static str {
    if is_met { "met" } else { "missed" }
}

/// How many rows are within a bar.
#[derive(Default)]
pub struct Score {
    within: usize,
    all: usize,
}

impl Score {
    pub fn count(&mut self, is_within: bool) -> bool {
        self.within += usize::from(is_within);
        self.all += 1;
        is_within
    }
}

impl Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.within, self.all)
    }
}

pub fn geometric_mean(values: &[f64]) -> f64 {
    (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp()
}

pub fn greatest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(f64::NEG_INFINITY, f64::max)
}

pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The exponent b of the best fit y = a·x^b, if there are two points.
pub fn exponent(points: &[(f64, f64)]) -> Option<f64> {
    let logs: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (x.ln(), y.ln())).collect();
    let count = logs.len() as f64;
    let mean_x = logs.iter().map(|p| p.0).sum::<f64>() / count;
    let mean_y = logs.iter().map(|p| p.1).sum::<f64>() / count;
    let above: f64 = logs.iter().map(|p| (p.0 - mean_x) * (p.1 - mean_y)).sum();
    let below: f64 = logs.iter().map(|p| (p.0 - mean_x).powi(2)).sum();
    (points.len() > 1).then_some(above / below)
}

pub fn milliseconds(value: f64) -> String {
    let value = value * 1e3;
    if value < 10.0 { format!("{value:.2} ms") } else { format!("{value:.0} ms") }
}

pub fn seconds(value: f64) -> String {
    if value < 10.0 { format!("{value:.3} s") } else { format!("{value:.1} s") }
}

/// In the unit that suits.
pub fn readable(value: f64) -> String {
    if value < 1.0 { milliseconds(value) } else { seconds(value) }
}

/// Names, as a note has them.
pub fn list(names: &[String]) -> String {
    match names {
        [] => "none".to_owned(),
        _ => names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
    }
}

/// A share that is small is not shown as none.
pub fn percent(value: f64) -> String {
    if value == 0.0 || value >= 0.01 { format!("{value:.2} %") } else { "< 0.01 %".to_owned() }
}

pub fn megabytes(bytes: u64) -> String {
    format!("{:.0} MB", bytes as f64 / 1e6)
}

/// A size in kilobytes.
pub fn kilobytes(bytes: u64) -> String {
    format!("{:.1} kB", bytes as f64 / 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fits_and_small_shares() {
        let points: Vec<(f64, f64)> =
            (1..9).map(|x| (f64::from(x), 3.0 * f64::from(x).powf(1.25))).collect();
        assert!((exponent(&points).expect("points") - 1.25).abs() < 1e-9);
        assert!((geometric_mean(&[2.0, 8.0]) - 4.0).abs() < 1e-9);
        assert_eq!([0.0, 0.001, 0.5].map(percent), ["0.00 %", "< 0.01 %", "0.50 %"]);
    }
}
