//! What was to be reached, and whether it was.

use super::measured::{Row, SIZES};
use super::trial::Trial;
use super::{in_percent, in_seconds, paper};
use crate::run::table::Table;
use cegar::abstraction::blocks::PROPERTIES;

const MOST_RATIO: f64 = 1.3;
const MOST_SECONDS: f64 = 60.0;
/// The paper says roughly 20 % to 25 %.
const MOST_SHARE: f64 = 0.25;
/// Of a property by number, for how many blocks it has to be decided in [`MOST_SECONDS`].
const LARGEST: [(usize, u32); 3] = [(0, 2000), (1, 2000), (2, 1000)];

const SEMANTICS: [&str; 2] = ["SIS", "RIS"];

struct Bars<'a> {
    rows: &'a [Row],
    table: Table,
}

pub fn table(rows: &[Row]) -> Table {
    let head = ["figure", "bar", "measured", ""];
    let table = Table::new("Mixed transition systems: what was to be reached", &head);
    let mut bars = Bars { rows, table };
    bars.verdicts();
    bars.iterations();
    bars.model();
    bars.share();
    bars.seconds();
    bars.ratios();
    bars.table
}

impl<'a> Bars<'a> {
    fn bar(&mut self, figure: String, bar: String, measured: String, is_met: bool) {
        let met = if is_met { "met" } else { "NOT MET" };
        self.table.row(vec![figure, bar, measured, met.to_owned()]);
    }

    fn of(&self, property: usize) -> impl Iterator<Item = &'a Row> + use<'a> {
        self.rows.iter().filter(move |row| row.property == property)
    }

    /// At every size, those of the paper.
    fn verdicts(&mut self) {
        for (property, (name, _)) in PROPERTIES.into_iter().enumerate() {
            let Some(expected) = paper::find(property, SIZES[0]) else { continue };
            let expected = [expected.standard.verdicts, expected.reduced.verdicts];
            let ours = |row: &Row| row.halves().map(|half| half.as_ref().map(|it| it.verdicts));
            let all = self.of(property).count();
            let same = self.of(property).filter(|row| ours(row) == expected.map(Some)).count();
            let letters = expected.map(|verdicts| verdicts.iter().collect::<String>());
            self.bar(
                format!("{name}: verdicts for I1 and I2"),
                format!("{} under SIS, {} under RIS", letters[0], letters[1]),
                format!("at {same} of {all} sizes"),
                same == all,
            );
        }
    }

    /// As many more with a further block as in the paper.
    fn iterations(&mut self) {
        for property in 0..PROPERTIES.len() {
            let Some(expected) = paper::iterations_a_block(property) else { continue };
            for (half, expected) in expected.into_iter().enumerate() {
                self.iterations_of(property, half, expected);
            }
        }
    }

    fn iterations_of(&mut self, property: usize, half: usize, expected: f64) {
        let count =
            |row: &Row| Some((row.blocks, row.halves()[half].as_ref().map(|it| it.iterations)?));
        let counts: Vec<(u32, u64)> = self.of(property).filter_map(count).collect();
        let [(few, first), .., (many, last)] = counts[..] else { return };
        let slope = (last as f64 - first as f64) / f64::from(many - few);
        let name = PROPERTIES[property].0;
        self.bar(
            format!("{name} under {}: iterations a block", SEMANTICS[half]),
            format!("{expected:.2} as in the paper"),
            format!("{slope:.2} ({first} at n = {few}, {last} at n = {many})"),
            // What does not grow converges in two.
            (slope - expected).abs() < 0.01 && (expected > 0.0 || last == 2),
        );
    }

    fn model(&mut self) {
        let ratios: Vec<f64> = self
            .rows
            .iter()
            .filter_map(|row| {
                Some(row.reduced.as_ref()?.model as f64 / row.standard.as_ref()?.model as f64)
            })
            .collect();
        let most = greatest(&ratios);
        self.bar(
            "model size, RIS against SIS".to_owned(),
            "smaller".to_owned(),
            format!("{most:.2} times at most (the paper: 0.59)"),
            most < 1.0,
        );
    }

    /// Of those that iterate at all.
    fn share(&mut self) {
        for property in [0, 2] {
            let reduced = self.of(property).filter_map(|row| row.reduced.as_ref());
            let shares: Vec<f64> = reduced.map(|trial| trial.share).collect();
            let least = shares.iter().copied().fold(f64::INFINITY, f64::min);
            let most = greatest(&shares);
            self.bar(
                format!("{}: share of time in ABSREDU", PROPERTIES[property].0),
                "the paper's 20–25 %, or less".to_owned(),
                format!("{} to {}", in_percent(least), in_percent(most)),
                most <= MOST_SHARE + 0.005,
            );
        }
    }

    fn seconds(&mut self) {
        for (property, blocks) in LARGEST {
            let Some(row) = self.of(property).find(|row| row.blocks == blocks) else { continue };
            for (semantics, half) in SEMANTICS.into_iter().zip(row.halves()) {
                let seconds = half.as_ref().map(Trial::in_all);
                self.bar(
                    format!(
                        "{}, n = {blocks}, under {semantics}, encoding included",
                        PROPERTIES[property].0
                    ),
                    format!("under {MOST_SECONDS} s"),
                    half.as_ref().map_or("no answer".to_owned(), |trial| {
                        format!(
                            "{} s ({} s on the wall)",
                            in_seconds(trial.in_all()),
                            in_seconds(trial.wall)
                        )
                    }),
                    seconds.is_some_and(|seconds| seconds < MOST_SECONDS),
                );
            }
        }
    }

    fn ratios(&mut self) {
        for (property, (name, _)) in PROPERTIES.into_iter().enumerate() {
            let is_equal = self.of(property).all(Row::has_equal_iterations);
            let (what, ratios): (&str, Vec<f64>) = if is_equal {
                ("at equal iterations", self.of(property).filter_map(Row::ratio).collect())
            } else {
                ("an iteration", self.of(property).filter_map(Row::ratio_an_iteration).collect())
            };
            let whole: Vec<f64> = self.of(property).filter_map(Row::ratio).collect();
            let most = greatest(&ratios);
            self.bar(
                format!("{name}: RIS against SIS, {what}"),
                format!("at most {MOST_RATIO} times the time"),
                format!(
                    "{most:.2} at most; all iterations together {:.2} at most",
                    greatest(&whole)
                ),
                !ratios.is_empty() && most <= MOST_RATIO,
            );
        }
    }
}

fn greatest(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(blocks: u32, [slope, constant]: [u64; 2], seconds: f64, verdicts: [char; 2]) -> Trial {
        Trial {
            model: 10,
            peak: 0,
            iterations: slope * u64::from(blocks) + constant,
            verdicts,
            encoding: 0.0,
            analysis: seconds,
            wall: seconds,
            share: 0.2,
        }
    }

    /// As in the paper, with a reduced semantics that is faster for each iteration.
    fn fine() -> Vec<Row> {
        let row = |property: usize, blocks: u32| {
            let (standard, reduced) = match property {
                0 => (([3, 2], ['T', 'U']), ([4, 2], ['T', 'T'])),
                1 => (([2, 2], ['T', 'U']), ([0, 2], ['T', 'T'])),
                _ => (([4, 0], ['F', 'F']), ([4, 0], ['F', 'F'])),
            };
            let make = |(iterations, verdicts)| trial(blocks, iterations, 1.0, verdicts);
            let reduced = Trial { model: 5, analysis: 1e-4, ..make(reduced) };
            Row { property, blocks, standard: Some(make(standard)), reduced: Some(reduced) }
        };
        let mut rows = Vec::new();
        for (property, most) in LARGEST {
            rows.extend(SIZES.into_iter().chain([most]).map(|blocks| row(property, blocks)));
        }
        rows
    }

    fn missed(rows: &[Row]) -> Vec<String> {
        let text = table(rows).to_string();
        assert!(text.lines().filter(|line| line.ends_with("met |")).count() >= 12, "{text}");
        let missed = text.lines().filter(|line| line.ends_with("NOT MET |"));
        missed.map(|line| line.split(" | ").next().unwrap_or_default().replace("| ", "")).collect()
    }

    #[test]
    fn what_is_reached_is_met() {
        assert_eq!(missed(&fine()), [""; 0]);
    }

    #[test]
    fn what_is_not_reached_is_told() {
        let reduced = |row: &mut Row, change: fn(&mut Trial)| {
            row.reduced.as_mut().map(change).expect("it is there");
        };
        let mut rows = fine();
        reduced(&mut rows[0], |trial| trial.verdicts[1] = 'U');
        assert_eq!(missed(&rows), ["Prop1: verdicts for I1 and I2"]);
        let mut rows = fine();
        reduced(&mut rows[7], |trial| trial.iterations = 3);
        assert_eq!(missed(&rows), ["Prop2 under RIS: iterations a block"]);
        let mut rows = fine();
        reduced(&mut rows[1], |trial| trial.model = 10);
        assert_eq!(missed(&rows), ["model size, RIS against SIS"]);
        let mut rows = fine();
        reduced(&mut rows[9], |trial| trial.share = 0.3);
        assert_eq!(missed(&rows), ["Prop3: share of time in ABSREDU"]);
        let mut rows = fine();
        reduced(&mut rows[9], |trial| trial.analysis = 1.31);
        assert_eq!(missed(&rows), ["Prop3: RIS against SIS, at equal iterations"]);
        let mut rows = fine();
        rows[3].standard = None;
        let largest = "Prop1, n = 2000, under SIS, encoding included";
        assert_eq!(missed(&rows), ["Prop1: verdicts for I1 and I2", largest]);
    }
}
