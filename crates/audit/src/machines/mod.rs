//! Certificates about machines, whose sets of states are decision diagrams.
//!
//! They are argued as all certificates are (see the head of the crate), a set of states at a time, and the
//! theorem there is what makes them right. What is different, and all of it:
//!
//! - A claim begins with an order of bits. The variables that it names are a part of the machine that can be
//!   looked at without the rest ([`transition::Machine::cone`]).
//! - `show` and `suppose` name variables of the formula only. A set of states *follows* if it is contained in
//!   what the body of the fixpoint says, computed from the sets that are known: subformulas without
//!   variables need no steps of their own, as they could have been shown before.
//! - What is known already may be shown or supposed again: that changes nothing, and nothing has to follow.
//! - `keep`: these states contain the initial ones, no step leaves them, and in none of them and in no step from
//!   them an expression has no value. It is asked for if some expression may have none: where it is so, the
//!   machine means nothing.
//!
//! Steps are taken from the machine's own conditions, one after the other, in a way that is shared with nobody
//! (`steps`). What is shared with the engine is how variables and expressions become truth functions
//! (the crate `coding`) and the operations on these (`diagrams`).

mod known;
pub(crate) mod sets;
mod steps;

use crate::brackets::Brackets;
use crate::fault::Fault;
use crate::format::{CLOSE, Claim, Deadlock, END, KEEP, OPEN, SHOW, SUPPOSE};
use crate::proof::Audited;
use crate::read::Reader;
use bdd::{Diagrams, Policy, Set};
use encode::Layout;
use known::Known;
use logic::{Formula, Node, NodeId};
use sets::Sets;
use std::fmt::Display;
use std::io::Read;
use steps::Steps;
use support::Monitor;
use transition::{Machine, Property, Slice, VarId};

/// A machine that certificates are checked against, as it was read.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    pub machine: &'a Machine,
    /// The propositions of formulas, by number.
    pub labels: &'a [Property],
    /// The conditions on steps that modalities speak of, by name.
    pub conditions: &'a [Property],
    /// No more nodes than this.
    pub most_nodes: usize,
}

impl Subject<'_> {
    /// Whether a certificate is about this machine.
    pub fn is_meant_by<R>(&self, reader: &Reader<R>) -> Result<(), Fault> {
        match reader.has_diagrams() && reader.digest == self.machine.digest() {
            true => Ok(()),
            false => Err(Fault::Invalid("the certificate is about another system".to_owned())),
        }
    }
}

/// Checks the steps of a claim that was just read. If it is right, the reader stands at the next claim.
pub fn audit<R: Read>(
    subject: &Subject,
    formula: &Formula,
    claim: &Claim,
    reader: &mut Reader<R>,
    monitor: &Monitor,
) -> Result<Audited, Fault> {
    subject.is_meant_by(reader)?;
    claim.is_about(formula)?;
    if claim.deadlock != Deadlock::Ends {
        return Err(Fault::Invalid("of machines that stand still nothing can be shown".to_owned()));
    }
    monitor.phase("auditing", 0);
    let policy = Policy { most_nodes: subject.most_nodes, ..Policy::default() };
    let mut diagrams = Diagrams::new(monitor, policy);
    let (slice, order) = part(subject.machine, reader)?;
    let layout = Layout::in_order(subject.machine, &order, &mut diagrams);
    let sets = Sets::new(subject.machine, &layout, &order);
    let steps = Steps::new(subject, &slice, &layout, diagrams, formula)?;
    let known = Known::new(steps, formula, claim.verdict);
    let brackets = Brackets::new(formula, claim.verdict);
    let mut auditor =
        Auditor { known, sets, brackets, is_kept: false, audited: Audited::default() };
    while auditor.advance(reader)? {
        monitor.step(1)?;
    }
    auditor.conclude(claim.verdict)?;
    Ok(auditor.audited)
}

/// Reads the bits that a certificate speaks of, in their order, and the part of the machine that they are.
fn part<R: Read>(
    machine: &Machine,
    reader: &mut Reader<R>,
) -> Result<(Slice, Vec<(VarId, u32)>), Fault> {
    let order = sets::order(machine, reader)?;
    let mut with_reads = machine.clone();
    let roots: Vec<transition::NodeId> =
        order.iter().map(|&(var, _)| with_reads.now(var)).collect();
    let slice = with_reads.cone(roots);
    let named = machine.vars.ids().filter(|&var| slice.contains(var));
    if !sets::has_all_bits(machine, &order, named) {
        let problem = "its bits are not those of a part of the machine that stands by itself";
        return Err(Fault::Invalid(problem.to_owned()));
    }
    Ok((slice, order))
}

struct Auditor<'a> {
    known: Known<'a>,
    sets: Sets,
    brackets: Brackets<'a, Set>,
    /// Whether it is shown that nothing goes wrong.
    is_kept: bool,
    audited: Audited,
}

impl Auditor<'_> {
    /// Makes one step; false at the end.
    fn advance<R: Read>(&mut self, reader: &mut Reader<R>) -> Result<bool, Fault> {
        let kind = reader.number()?;
        if kind == END {
            return Ok(false);
        }
        self.audited.steps += 1;
        match kind {
            SHOW => {
                let (node, set) = self.claimed(reader)?;
                let new = self.known.new_in(node, &set)?;
                self.follow(node, &new)?;
                self.known.add(node, &set)?;
            }
            OPEN => {
                let level = reader.below(u32::MAX as usize, "a level that is too high")?;
                self.brackets.open(level).map_err(|problem| self.broken(problem))?;
            }
            SUPPOSE => {
                let (node, set) = self.claimed(reader)?;
                self.brackets.is_open_for(node).map_err(|problem| self.broken(problem))?;
                let new = self.known.new_in(node, &set)?;
                self.brackets.suppose(node, new);
                self.known.add(node, &set)?;
            }
            CLOSE => {
                let supposed = self.brackets.close().map_err(|problem| self.broken(problem))?;
                supposed.iter().try_for_each(|(node, set)| self.follow(*node, set))?;
            }
            KEEP => self.keep(reader)?,
            _ => return Err(reader.malformed("no step that is known")),
        }
        Ok(true)
    }

    fn broken(&self, problem: impl Display) -> Fault {
        Fault::Invalid(format!("step {}: {problem}", self.audited.steps))
    }

    /// A variable of the formula and a set of states.
    fn claimed<R: Read>(&mut self, reader: &mut Reader<R>) -> Result<(NodeId, Set), Fault> {
        let formula = self.known.formula;
        let node = NodeId(reader.below(formula.len(), "a subformula that is not there")?);
        if !matches!(formula.node(node), Node::Var(_)) {
            let problem = format!("`{}` is no variable", formula.show(node));
            return Err(self.broken(problem));
        }
        self.brackets.admit(node).map_err(|problem| self.broken(problem))?;
        let set = self.sets.read(reader, &mut self.known.steps.diagrams)?;
        self.audited.positions += 1;
        Ok((node, set))
    }

    fn keep<R: Read>(&mut self, reader: &mut Reader<R>) -> Result<(), Fault> {
        let set = self.sets.read(reader, &mut self.known.steps.diagrams)?;
        self.known.steps.is_kept(&set)?.map_err(|problem| self.broken(problem))?;
        self.is_kept = true;
        Ok(())
    }

    /// Condition 3.
    fn follow(&mut self, node: NodeId, set: &Set) -> Result<(), Fault> {
        if self.known.follows(node, set)? {
            return Ok(());
        }
        let (name, value) = (self.known.formula.show(node), self.known.verdict);
        Err(self.broken(format!("it does not follow everywhere that `{name}` is {value}")))
    }

    /// Condition 5, of the initial states, and that nothing goes wrong.
    fn conclude(&mut self, verdict: bool) -> Result<(), Fault> {
        self.brackets.end().map_err(|problem| self.broken(problem))?;
        if self.known.steps.can_go_wrong() && !self.is_kept {
            let problem = "it is not shown that expressions have values in all states";
            return Err(Fault::Invalid(problem.to_owned()));
        }
        let init = self.known.steps.init.clone();
        let shown = self.known.within(self.known.formula.root(), &init)?;
        let (is_shown, which) = match verdict {
            true => (shown == init, "all initial states"),
            false => (!shown.is_empty(), "an initial state"),
        };
        match is_shown {
            true => Ok(()),
            false => Err(Fault::Invalid(format!(
                "it is not shown that the formula is {verdict} in {which}"
            ))),
        }
    }
}
