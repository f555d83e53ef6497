//! X Fig. 3.

/// Blocks, and nodes of the model under SIS and RIS.
pub const SIZES: [(u32, u64, u64); 3] =
    [(100, 370_070, 216_689), (200, 1_460_270, 853_389), (250, 2_275_196, 1_329_215)];

/// What is printed of one property with so many blocks. The verdicts are for I1 and I2.
pub struct Row {
    pub property: usize,
    pub blocks: u32,
    pub standard: Half,
    pub reduced: Half,
    /// Seconds in ABSREDU; `None` for less than a ten-thousandth.
    pub reduction: Option<f64>,
}

pub struct Half {
    pub seconds: f64,
    pub iterations: u64,
    pub verdicts: [char; 2],
}

const fn row(
    (property, blocks): (usize, u32),
    (seconds, iterations): (f64, u64),
    verdicts: [char; 2],
    (reduced_seconds, reduction, reduced_iterations): (f64, Option<f64>, u64),
    reduced_verdicts: [char; 2],
) -> Row {
    let reduced = Half {
        seconds: reduced_seconds,
        iterations: reduced_iterations,
        verdicts: reduced_verdicts,
    };
    Row { property, blocks, standard: Half { seconds, iterations, verdicts }, reduced, reduction }
}

const TU: [char; 2] = ['T', 'U'];
const TT: [char; 2] = ['T', 'T'];
const FF: [char; 2] = ['F', 'F'];

pub const ROWS: [Row; 9] = [
    row((0, 100), (2.20, 301), TU, (3.60, Some(0.74), 401), TT),
    row((0, 200), (15.36, 601), TU, (27.77, Some(6.45), 801), TT),
    row((0, 250), (28.92, 751), TU, (55.19, Some(13.40), 1001), TT),
    row((1, 100), (3.60, 203), TU, (0.03, None, 2), TT),
    row((1, 200), (27.16, 403), TU, (0.12, None, 2), TT),
    row((1, 250), (54.62, 503), TU, (0.19, None, 2), TT),
    row((2, 100), (33.96, 400), FF, (21.24, Some(4.5), 400), FF),
    row((2, 200), (395.24, 800), FF, (258.72, Some(42.44), 800), FF),
    row((2, 250), (1108.67, 1000), FF, (546.88, Some(101.20), 1000), FF),
];

pub fn find(property: usize, blocks: u32) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.property == property && row.blocks == blocks)
}

/// How many iterations a further block costs there, under SIS and under RIS.
pub fn iterations_a_block(property: usize) -> Option<[f64; 2]> {
    let (few, many) = (find(property, 100)?, find(property, 250)?);
    let slope = |many: u64, few: u64| (many as f64 - few as f64) / 150.0;
    Some([
        slope(many.standard.iterations, few.standard.iterations),
        slope(many.reduced.iterations, few.reduced.iterations),
    ])
}
