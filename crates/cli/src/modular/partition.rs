//! `tertium convert --partition`: how a program is taken apart, for people and for `check --partition`.

use super::subject::{Subject, Wanted};
use crate::flags::{Convert, Modular, Questions};
use crate::input::Trouble;
use crate::smv;
use support::Monitor;

/// A drawing if the file is to be one, and a list otherwise.
pub fn text(flags: &Convert, partition: &str, monitor: &Monitor) -> Result<String, Trouble> {
    if !smv::is_while(&flags.input) {
        return Err(Trouble::message("`--partition` is for while-programs"));
    }
    let questions = Questions::default();
    let wanted = Wanted { questions: &questions, property: &[], assume: &[], sets: None };
    let subject = Subject::read_unasked(&flags.input, &wanted, monitor)?;
    let modular = Modular { partition: Some(partition.to_owned()), ..Modular::default() };
    let partition = subject.partition(&modular, flags.limits.memory)?;
    let program = &subject.document.program;
    let is_drawn = flags.output.extension().is_some_and(|ending| ending == "dot" || ending == "gv");
    if !is_drawn {
        return Ok(front::write_partition(program, &partition, &subject.sources));
    }
    front::draw_partition(program, &partition, &subject.sources).ok_or_else(|| {
        Trouble::message("there are too many pieces to draw")
            .with_help("write a list of them into a file with another ending than .dot")
    })
}
