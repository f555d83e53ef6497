//! How a program is divided, for people and for `--partition`.

use super::question::ModularQuestion;
use crate::error::Error;
use crate::options::Options;
use crate::source::Loader;
use crate::transition_system::FiniteModel;

/// A drawing, or a list that can be read again.
pub fn text(
    text: &FiniteModel,
    partition: &str,
    is_drawn: bool,
    options: Options,
    loader: &dyn Loader,
) -> Result<String, Error> {
    let ctl: Vec<usize> = (0..text.all.len()).filter(|&n| text.all[n].is_fair).collect();
    let options = options.partition(partition);
    let subject = ModularQuestion::new(text, &ctl, &options)?;
    let partition = subject.partition(&options, loader)?;
    let program = &subject.document.program;
    if !is_drawn {
        return Ok(front::write_partition(program, &partition, &subject.sources));
    }
    front::draw_partition(program, &partition, &subject.sources).ok_or_else(|| {
        Error::message("there are too many blocks to draw")
            .with_help("write a list of them into a file with another ending than .dot")
    })
}
