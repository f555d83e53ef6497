//! Explanations of while-programs: a path through the text, with the values of the variables.

use super::subject::Subject;
use super::{Run, Settings, impossible};
use crate::error::Error;
use crate::explanation::{Explained, Shape};
use crate::machine::Text;
use crate::options::Options;
use crate::source::Loader;
use modular::{Moment, Remark, Story, Wish};
use report::{ProgramStory, StoryStep, StorySteps};
use std::time::Instant;
use support::{Monitor, SourceMap, Span};
use transition::cfg::{Atom, AtomId, Formula};

/// Explains one property.
pub fn explain(
    text: &Text,
    number: usize,
    options: &Options,
    loader: &dyn Loader,
    monitor: &Monitor,
) -> Result<Explained, Error> {
    let subject = Subject::new(text, &[number], options)?;
    let partition = subject.partition(options, loader)?;
    let run = Run { subject: &subject, partition: &partition, memory: options.memory };
    let wish = Wish { stories: true, ..Wish::NOTHING };
    let settings = Settings { kept: None, wish, threads: 1 };
    let began = Instant::now();
    let disk = super::store::Disk::hidden()?;
    let found = run.check(&subject.closure, &subject.assumed, &disk, settings, monitor)?;
    if found.is_impossible {
        return Err(impossible());
    }
    let outcome = run.outcome(&found, 0, began.elapsed(), monitor);
    let stories = found.evidence.map(|evidence| evidence.stories).unwrap_or_default();
    let story = stories.into_iter().flatten().next().unwrap_or_default();
    let steps = Teller { subject: &subject }.steps(&story);
    let told = ProgramStory {
        reason: outcome.reason.as_ref().map(report::reason),
        back_to: story.back_to,
        is_cut: story.is_cut,
        ..ProgramStory::new(outcome.verdict, StorySteps::Commands(steps))
    };
    Ok(Explained { outcome, shape: Shape::Run(told) })
}

/// The line of a command, and its text there.
pub fn command_at(sources: &SourceMap, span: Span) -> (usize, String) {
    let text = sources.text(span).lines().next().unwrap_or_default();
    // An `else` that is not there is a step too.
    let text = if text == "fi" { "else skip" } else { text.trim() };
    (sources.position(span).0, text.to_owned())
}

struct Teller<'a> {
    subject: &'a Subject,
}

impl Teller<'_> {
    fn steps(&self, story: &Story) -> Vec<StoryStep> {
        story.moments.iter().map(|moment| self.step(moment)).collect()
    }

    fn step(&self, moment: &Moment) -> StoryStep {
        let (line, mut command) = match moment.command {
            Some(command) => {
                let span = self.subject.document.program.commands[command].span;
                let (line, text) = command_at(&self.subject.sources, span);
                (Some(line), text)
            }
            None => (None, "something has gone wrong".to_owned()),
        };
        if moment.in_hole {
            command.push_str("   (whatever it does)");
        }
        let remarks = moment.remarks.iter().map(|remark| self.remark(remark)).collect();
        StoryStep { line, command, values: self.subject.values(&moment.values), remarks }
    }

    fn remark(&self, remark: &Remark) -> String {
        let closure = &self.subject.closure;
        let name = |atom| self.name(atom);
        let is_temporal = matches!(closure.formulas[remark.formula], Formula::Temporal(_));
        let text = match remark.holds || !is_temporal {
            true => closure.show(remark.formula, &name),
            false => closure.show_negated(remark.formula, &name),
        };
        let ways = if remark.on_all_ways { ", whichever way it goes on" } else { "" };
        let holds = if remark.holds || is_temporal { "holds" } else { "does not hold" };
        format!("here {text} {holds}{ways}")
    }

    fn name(&self, atom: AtomId) -> String {
        let atom: Atom = self.subject.closure.atoms[atom];
        self.subject.document.name_of(atom).unwrap_or_default().to_owned()
    }
}
