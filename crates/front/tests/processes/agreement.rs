//! Spin's verdicts on a model, on the model split into processes, and on the model with an assumption.

use crate::support::{fails_within, quotient, replaced};
use front::promela::{ProcessPart, processes, read_promela, write_with_assumption};
use model::PartialModel;
use support::{FileId, Monitor};
use testkit::Rng;

/// Whether something goes wrong in a model; `None` if that is too much to find out, an error if the text is
/// not accepted.
pub type Judge = dyn Fn(&str) -> Result<Option<bool>, String>;

/// Models with more states are left alone.
pub const MOST_STATES: u32 = 20_000;

/// Compares what the judge says with us; `None` if one of us gives up.
pub fn agrees(seed: u64, text: &str, judge: &Judge) -> Option<()> {
    let program = read_promela(FileId(0), text).ok()?;
    let apart = processes(&program, &Monitor::new()).ok()?;
    let fails = fails_within(&apart.system, MOST_STATES)?;
    let original = judge(text).ok()??;
    assert_eq!(fails, original, "seed {seed}: taken apart\n{text}");
    let mut rng = Rng::new(seed ^ 0x5eed);
    let process = *rng.pick(&program.processes.ids().collect::<Vec<_>>());
    let component = process.0 as usize;
    assert_eq!(apart.of[component], ProcessPart::Process(process));
    let model = &apart.system.components[component].model;
    let with = |assumption: &PartialModel| {
        write_with_assumption(text, &program, &apart, component, assumption, &[]).ok()
    };
    let judged = |text: &str| {
        judge(text).unwrap_or_else(|reported| panic!("seed {seed}: {reported}\n{text}"))
    };
    let written = with(model)?;
    assert_eq!(judged(&written)?, original, "seed {seed}: itself\n{text}\n{written}");
    let count = rng.between(1, 4);
    let classes: Vec<u32> = (0..model.states()).map(|_| rng.below(count) as u32).collect();
    let coarse = quotient(model, &classes);
    let written = with(&coarse)?;
    let with_assumption = judged(&written)?;
    let expected = fails_within(&replaced(&apart.system, component, coarse), MOST_STATES)?;
    // A process that is merged with itself before it starts can do more than any that is started.
    let agree = match program.processes[process].is_active {
        true => with_assumption == expected,
        false => with_assumption <= expected,
    };
    assert!(agree && original <= with_assumption, "seed {seed}: a quotient\n{text}\n{written}");
    Some(())
}
