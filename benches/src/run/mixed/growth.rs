//! The same program with more blocks than the paper's had.

use super::measured::Row;
use super::trial::Trial;
use super::{in_percent, in_seconds, shown};
use crate::run::table::{Table, exponent};
use cegar::abstraction::blocks;

pub fn table(rows: &[Row]) -> Table {
    let head = [
        "property",
        "n",
        "SIS: seconds",
        "with encoding",
        "on the wall",
        "iterations",
        "most nodes",
        "RIS: seconds",
        "with encoding",
        "on the wall",
        "iterations",
        "most nodes",
        "ABSREDU",
        "RIS / SIS",
        "an iteration",
    ];
    let mut table = Table::new("Mixed transition systems: growth in n", &head);
    for row in rows {
        let mut cells = vec![blocks::PROPERTIES[row.property].0.to_owned(), row.blocks.to_string()];
        for half in row.halves() {
            let cell = |show: &dyn Fn(&Trial) -> String| shown(half.as_ref(), show);
            cells.extend([
                cell(&|trial| in_seconds(trial.analysis)),
                cell(&|trial| in_seconds(trial.in_all())),
                cell(&|trial| in_seconds(trial.wall)),
                cell(&|trial| trial.iterations.to_string()),
                cell(&|trial| trial.peak.to_string()),
            ]);
        }
        let ratio = |ratio: Option<f64>| shown(ratio, |ratio| format!("{ratio:.2}"));
        cells.push(shown(row.reduced.as_ref(), |trial| in_percent(trial.share)));
        cells.extend([ratio(row.ratio()), ratio(row.ratio_an_iteration())]);
        table.row(cells);
    }
    for (property, (name, _)) in blocks::PROPERTIES.into_iter().enumerate() {
        table.note(exponents(rows, property, name));
    }
    table
}

/// Of the time in the number of blocks, over all sizes and over the larger half of them.
fn exponents(rows: &[Row], property: usize, name: &str) -> String {
    let half = |number: usize, semantics: &str| {
        let own = rows.iter().filter(|row| row.property == property);
        let points: Vec<(f64, f64)> = own
            .filter_map(|row| {
                Some((f64::from(row.blocks), row.halves()[number].as_ref()?.analysis))
            })
            .collect();
        let fitted = |points: &[(f64, f64)]| {
            shown((points.len() > 1).then(|| exponent(points)), |it| format!("{it:.2}"))
        };
        let larger = &points[points.len() / 2..];
        format!("{semantics} {} ({} from the larger half)", fitted(&points), fitted(larger))
    };
    format!(
        "Fitted exponents of the analysis time in n for {name}: {}, {}.",
        half(0, "SIS"),
        half(1, "RIS")
    )
}
