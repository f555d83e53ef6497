//! X Fig. 3 as it is printed: its two parts, each row followed by the paper's.

use super::measured::{Row, SIZES};
use super::trial::Trial;
use super::{NO_ANSWER, in_percent, in_seconds, paper, shown};
use crate::run::table::Table;
use cegar::abstraction::blocks;

pub fn sizes(rows: &[Row]) -> Table {
    let head = ["n", "SIS", "RIS", "RIS / SIS", "the paper's SIS", "its RIS", "its RIS / SIS"];
    let mut table = Table::new("Mixed transition systems: model size (X Fig. 3)", &head);
    for (blocks, standard, reduced) in paper::SIZES {
        let Some(row) = rows.iter().find(|row| row.blocks == blocks) else { continue };
        let [ours, ours_reduced] = row.halves().map(|half| half.as_ref().map(|it| it.model as f64));
        let nodes = |count: Option<f64>| shown(count, |count| count.to_string());
        table.row(vec![
            blocks.to_string(),
            nodes(ours),
            nodes(ours_reduced),
            shown(ours.zip(ours_reduced), |(all, reduced)| format!("{:.2}", reduced / all)),
            standard.to_string(),
            reduced.to_string(),
            format!("{:.2}", reduced as f64 / standard as f64),
        ]);
    }
    table.note(
        "Nodes of all transition relations together. Ours are small since control is known and each command has a relation of \
         its own over the predicates that it touches: they grow with n, the paper's with n².",
    );
    table
}

pub fn properties(rows: &[Row]) -> Table {
    let head = [
        "property",
        "n",
        "whose",
        "SIS: seconds",
        "iterations",
        "I1",
        "I2",
        "RIS: seconds",
        "ABSREDU",
        "its share",
        "iterations",
        "I1",
        "I2",
    ];
    let mut table = Table::new("Mixed transition systems: both semantics (X Fig. 3)", &head);
    for row in rows.iter().filter(|row| SIZES.contains(&row.blocks)) {
        table.row(ours(row));
        if let Some(row) = paper::find(row.property, row.blocks) {
            table.row(theirs(row));
        }
    }
    table.note(NOTE);
    table
}

const NOTE: &str = "Analysis without encoding, in seconds of the processor, medians of up to five runs that take turns; ABSREDU is measured in \
    runs of its own. The program is ours (`gen mixed N` prints it), the paper's is not printed; an iteration of ours computes only \
    what can have changed, and the last one, when nothing has, is counted.";

fn ours(row: &Row) -> Vec<String> {
    let half = |half: &Option<Trial>, show: &dyn Fn(&Trial) -> String| shown(half.as_ref(), show);
    let seconds = |trial: &Trial| in_seconds(trial.analysis);
    let iterations = |trial: &Trial| trial.iterations.to_string();
    let verdict = |i: usize| move |trial: &Trial| trial.verdicts[i].to_string();
    let (standard, reduced) = (&row.standard, &row.reduced);
    vec![
        blocks::PROPERTIES[row.property].0.to_owned(),
        row.blocks.to_string(),
        "ours".to_owned(),
        half(standard, &seconds),
        half(standard, &iterations),
        half(standard, &verdict(0)),
        half(standard, &verdict(1)),
        half(reduced, &seconds),
        half(reduced, &|trial| in_seconds(trial.analysis * trial.share)),
        half(reduced, &|trial| in_percent(trial.share)),
        half(reduced, &iterations),
        half(reduced, &verdict(0)),
        half(reduced, &verdict(1)),
    ]
}

fn theirs(row: &paper::Row) -> Vec<String> {
    let (standard, reduced) = (&row.standard, &row.reduced);
    let share = row.reduction.map(|reduction| reduction / reduced.seconds);
    vec![
        String::new(),
        String::new(),
        "the paper's".to_owned(),
        standard.seconds.to_string(),
        standard.iterations.to_string(),
        standard.verdicts[0].to_string(),
        standard.verdicts[1].to_string(),
        reduced.seconds.to_string(),
        row.reduction.map_or("< 10⁻⁴".to_owned(), |seconds| seconds.to_string()),
        share.map_or(NO_ANSWER.to_owned(), in_percent),
        reduced.iterations.to_string(),
        reduced.verdicts[0].to_string(),
        reduced.verdicts[1].to_string(),
    ]
}
