//! `tertium explain` of a while-program: a way through its text, with the values of its variables.

use super::store::Disk;
use super::subject::{Subject, Wanted};
use super::{Run, Settings, impossible};
use crate::Status;
use crate::console::colour_of_stdout;
use crate::flags::{Explain, Modular};
use crate::input::Trouble;
use modular::{Moment, Remark, Story, Wish};
use report::explanation::Head;
use report::{ProgramStory, StoryStep, StorySteps};
use std::path::Path;
use std::time::Instant;
use support::{Monitor, SourceMap, Span};
use transition::cfg::{Atom, AtomId, Formula};

/// The question, or that there are several; and then its story.
pub fn read(flags: &Explain, path: &Path, monitor: &Monitor) -> Result<Subject, Trouble> {
    let wanted = Wanted {
        questions: &flags.questions,
        property: flags.property.as_slice(),
        assume: &flags.assume,
        sets: None,
    };
    Subject::read(path, &wanted, monitor)
}

/// Explains the only question of a subject.
pub fn explain(
    flags: &Explain,
    subject: &Subject,
    head: &Head,
    monitor: &Monitor,
) -> Result<(String, Status), Trouble> {
    let modular = Modular::default();
    let partition = subject.partition(&modular, flags.limits.memory)?;
    let run = Run { subject, partition: &partition, memory: flags.limits.memory };
    let wish = Wish { stories: true, ..Wish::NOTHING };
    let settings = Settings { kept: None, wish, threads: 1 };
    let began = Instant::now();
    let found =
        run.check(&subject.closure, &subject.assumed, &Disk::hidden()?, settings, monitor)?;
    if found.is_impossible {
        return Err(impossible());
    }
    let outcome = run.outcome(&found, 0, began.elapsed(), monitor);
    let stories = found.evidence.map(|evidence| evidence.stories).unwrap_or_default();
    let story = stories.into_iter().flatten().next().unwrap_or_default();
    let steps = Teller { subject }.steps(&story);
    let told = ProgramStory {
        reason: outcome.reason.as_ref().map(report::reason),
        back_to: story.back_to,
        is_cut: story.is_cut,
        ..ProgramStory::new(outcome.verdict, StorySteps::Commands(steps))
    };
    let text = match flags.form.json {
        true => told.to_json(head),
        false => told.to_text(head, colour_of_stdout()),
    };
    Ok((text, Status::of(&[outcome.verdict])))
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
