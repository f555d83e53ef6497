//! Going through the steps of a certificate. The conditions stand at the head of the crate.

use crate::brackets::Brackets;
use crate::fault::Fault;
use crate::format::{CLOSE, Claim, Deadlock, END, Method, OPEN, SHOW, SUPPOSE};
use crate::known::Known;
use crate::parts;
use crate::read::Reader;
use logic::{Formula, NodeId};
use model::{Model, System};
use std::borrow::Cow;
use std::fmt::Display;
use std::io::Read;
use std::ops::Range;
use support::Monitor;

/// A system that certificates are checked against, as it was read.
pub struct Subject<'a> {
    pub(crate) system: &'a System,
    digest: u64,
    /// The composition, once it is asked for, and the same with states that stand still.
    whole: Option<Cow<'a, Model>>,
    stuttering: Option<Model>,
}

impl<'a> Subject<'a> {
    pub fn new(system: &'a System) -> Self {
        Self { system, digest: system.digest(), whole: None, stuttering: None }
    }

    /// Whether a certificate is about this system.
    pub fn is_meant_by<R>(&self, reader: &Reader<R>) -> Result<(), Fault> {
        if reader.digest == self.digest && reader.has_lists() {
            return Ok(());
        }
        Err(Fault::Invalid("the certificate is about another system".to_owned()))
    }

    fn model(&mut self, deadlock: Deadlock, monitor: &Monitor) -> Result<&Model, Fault> {
        let whole = match &mut self.whole {
            Some(whole) => whole,
            none => none.insert(self.system.whole(monitor)?),
        };
        Ok(match deadlock {
            Deadlock::Ends => whole,
            Deadlock::Stutters => {
                self.stuttering.get_or_insert_with(|| whole.clone().into_owned().stuttering())
            }
        })
    }
}

/// What a valid certificate consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Audited {
    pub steps: u64,
    /// Positions that were shown or supposed.
    pub positions: u64,
}

/// Checks the steps of a claim that was just read. If it is right, the reader stands at the next claim.
pub fn audit<R: Read>(
    subject: &mut Subject,
    formula: &Formula,
    claim: &Claim,
    reader: &mut Reader<R>,
    monitor: &Monitor,
) -> Result<Audited, Fault> {
    subject.is_meant_by(reader)?;
    claim.is_about(formula)?;
    monitor.phase("auditing", 0);
    if reader.method == Method::Parts {
        return parts::audit(subject.system, formula, claim, reader, monitor);
    }
    let system = subject.system;
    let model = subject.model(claim.deadlock, monitor)?;
    let mut known = Known::new(model, model.states(), formula, claim.verdict);
    let audited = go_through(&mut known, claim, reader, monitor)?;
    let shown = known.of(formula.root());
    let initial = model.init().iter().map(|&state| {
        (model.members(state), shown.contains(state as usize), model.state_name(state))
    });
    conclude(system, claim, initial)?;
    Ok(audited)
}

/// Goes through steps, up to their end.
pub(crate) fn go_through<R: Read>(
    known: &mut Known,
    claim: &Claim,
    reader: &mut Reader<R>,
    monitor: &Monitor,
) -> Result<Audited, Fault> {
    let brackets = Brackets::new(known.formula, claim.verdict);
    let mut auditor = Auditor { known, claim, brackets, audited: Audited::default() };
    while auditor.advance(reader)? {
        monitor.step(1)?;
    }
    auditor.brackets.end().map_err(|problem| auditor.broken(problem))?;
    Ok(auditor.audited)
}

/// Condition 5, of the initial states: the members of each, whether the formula is shown there, its name.
pub(crate) fn conclude(
    system: &System,
    claim: &Claim,
    initial: impl Iterator<Item = (Vec<u32>, bool, String)>,
) -> Result<(), Fault> {
    let (initial, names): (Vec<(Vec<u32>, bool)>, Vec<String>) =
        initial.map(|(tuple, is_shown, name)| ((tuple, is_shown), name)).unzip();
    if initial.is_empty() {
        return match claim.verdict && system.never_starts() {
            true => Ok(()),
            false => Err(Fault::Invalid("there is no initial state".into())),
        };
    }
    let lacking = initial.iter().position(|(_, is_shown)| !is_shown);
    match lacking.filter(|_| claim.verdict || !system.is_falsified(&initial)) {
        Some(index) => Err(Fault::Invalid(format!(
            "it is not shown that the formula is {} in `{}`",
            claim.verdict, names[index]
        ))),
        None => Ok(()),
    }
}

struct Auditor<'k, 'a> {
    known: &'k mut Known<'a>,
    claim: &'k Claim,
    brackets: Brackets<'a, Range<u32>>,
    audited: Audited,
}

impl Auditor<'_, '_> {
    /// Makes one step; false at the end.
    fn advance<R: Read>(&mut self, reader: &mut Reader<R>) -> Result<bool, Fault> {
        let kind = reader.number()?;
        if kind == END {
            return Ok(false);
        }
        self.audited.steps += 1;
        match kind {
            SHOW => self.show(reader)?,
            OPEN => {
                let level = reader.below(u32::MAX as usize, "a level that is too high")?;
                self.brackets.open(level).map_err(|problem| self.broken(problem))?;
            }
            SUPPOSE => self.suppose(reader)?,
            CLOSE => self.close()?,
            _ => return Err(reader.malformed("no step that is known")),
        }
        Ok(true)
    }

    fn broken(&self, problem: impl Display) -> Fault {
        Fault::Invalid(format!("step {}: {problem}", self.audited.steps))
    }

    /// Condition 3, for what is shown.
    fn show<R: Read>(&mut self, reader: &mut Reader<R>) -> Result<(), Fault> {
        let node = self.subformula(reader)?;
        self.for_each_run(reader, |this, run| {
            this.follow(node, run)?;
            this.add(node, run)
        })
    }

    fn suppose<R: Read>(&mut self, reader: &mut Reader<R>) -> Result<(), Fault> {
        let node = self.subformula(reader)?;
        self.brackets.is_open_for(node).map_err(|problem| self.broken(problem))?;
        self.for_each_run(reader, |this, run| {
            this.brackets.suppose(node, run.clone());
            this.add(node, run)
        })
    }

    /// Condition 3, for what was supposed.
    fn close(&mut self) -> Result<(), Fault> {
        let supposed = self.brackets.close().map_err(|problem| self.broken(problem))?;
        supposed.iter().try_for_each(|(node, run)| self.follow(*node, run))
    }

    /// Reads a subformula that something can be shown of here (condition 4).
    fn subformula<R: Read>(&mut self, reader: &mut Reader<R>) -> Result<NodeId, Fault> {
        let count = self.known.formula.len();
        let node = NodeId(reader.below(count, "a subformula that is not there")?);
        self.brackets.admit(node).map_err(|problem| self.broken(problem))?;
        Ok(node)
    }

    fn for_each_run<R: Read>(
        &mut self,
        reader: &mut Reader<R>,
        mut visit: impl FnMut(&mut Self, &Range<u32>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let states = self.known.given;
        let runs = reader.below(states + 1, "more ranges than there are states")?;
        let mut end = 0;
        for _ in 0..runs {
            let run = reader.run(&mut end, states)?;
            self.audited.positions += u64::from(run.end - run.start);
            visit(self, &run)?;
        }
        // An empty step would make a long certificate of nothing.
        if runs == 0 { Err(self.broken("it names no state")) } else { Ok(()) }
    }

    fn add(&mut self, node: NodeId, run: &Range<u32>) -> Result<(), Fault> {
        if self.known.add(node, run) {
            return Ok(());
        }
        let (name, from) = (self.known.formula.show(node), self.known.model.state_name(run.start));
        Err(self.broken(format!("`{name}` is known already somewhere from `{from}` on")))
    }

    fn follow(&self, node: NodeId, run: &Range<u32>) -> Result<(), Fault> {
        let Err(state) = self.known.follow(node, run) else { return Ok(()) };
        let value = self.claim.verdict;
        let place = |(node, state)| {
            let (formula, model) = (self.known.formula, self.known.model);
            format!("`{}` is {value} in `{}`", formula.show(node), model.state_name(state))
        };
        let lacking = match self.known.lacking(node, state) {
            Some(son) => format!("it is not known that {}", place(son)),
            None => "there is no move".to_owned(),
        };
        Err(self.broken(format!("it does not follow that {}: {lacking}", place((node, state)))))
    }
}
