//! A table in Markdown.

use std::fmt;

pub struct Table {
    title: String,
    notes: Vec<String>,
    head: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(title: impl Into<String>, head: &[&'static str]) -> Self {
        Self { title: title.into(), notes: Vec::new(), head: head.to_vec(), rows: Vec::new() }
    }

    pub fn title(&self) -> &str {
        &self.title
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
        debug_assert_eq!(cells.len(), self.head.len());
        self.rows.push(cells);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "## {}\n", self.title)?;
        writeln!(f, "| {} |", self.head.join(" | "))?;
        writeln!(f, "|{}", " --- |".repeat(self.head.len()))?;
        for row in &self.rows {
            writeln!(f, "| {} |", row.join(" | "))?;
        }
        for note in &self.notes {
            writeln!(f, "\n{note}")?;
        }
        Ok(())
    }
}

pub fn geometric_mean(values: &[f64]) -> f64 {
    (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp()
}

/// The exponent b of the best fit y = a·x^b.
pub fn exponent(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (x.ln(), y.ln())).collect();
    let count = logs.len() as f64;
    let mean_x = logs.iter().map(|p| p.0).sum::<f64>() / count;
    let mean_y = logs.iter().map(|p| p.1).sum::<f64>() / count;
    let above: f64 = logs.iter().map(|p| (p.0 - mean_x) * (p.1 - mean_y)).sum();
    let below: f64 = logs.iter().map(|p| (p.0 - mean_x).powi(2)).sum();
    above / below
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

/// The same for what may be small.
pub fn kilobytes(bytes: u64) -> String {
    format!("{:.1} kB", bytes as f64 / 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fits() {
        let points: Vec<(f64, f64)> =
            (1..9).map(|x| (f64::from(x), 3.0 * f64::from(x).powf(1.25))).collect();
        assert!((exponent(&points) - 1.25).abs() < 1e-9);
        assert!((geometric_mean(&[2.0, 8.0]) - 4.0).abs() < 1e-9);
    }

    #[test]
    fn small_shares_are_not_rounded_to_nothing() {
        assert_eq!(
            [0.0, 0.001, 0.5, 250.0].map(percent),
            ["0.00 %", "< 0.01 %", "0.50 %", "250.00 %"]
        );
    }
}
