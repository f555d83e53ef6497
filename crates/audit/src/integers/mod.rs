//! Certificates about programs over unbounded integers, which are proved of an abstraction.
//!
//! A program has locations, and steps with a guard from location to location, which change variables or choose any
//! value for them. An abstraction has predicates at every location. A state of it is a location with a
//! value for each of the atoms there; γ(a) are the concrete states that it stands for, as far as the invariant of the
//! program holds in them. For each state and step it has *targets* and *musts*, which are sets of targets.
//!
//! Fixpoints of the formula can have a ranking each. One with K levels gives every edge (a state, a step, a target) a
//! class from 0 to 2K. The game is played in positions: a state, and for each ranking the class of the edge that was
//! taken last; on the formula that [`logic::Formula::ranked_by`] makes for these classes.
//!
//! The conditions that are checked, and all of them ([`audit`]), questions of arithmetic by a solver that the caller
//! chooses:
//!
//! 1. The claim is about this program (its digest) and this formula. The invariant holds at the start, and no step
//!    leaves it. The start is covered: where the program can begin, it is in one of the initial states, which are at
//!    its first location.
//! 2. For each state a and each step from its location, there or not: a step from γ(a) leads into γ(b) for a target b.
//!    So where a step has no targets, it cannot be taken.
//! 3. The states of a must are targets of the same step, and there is one. Steps of holes, which a program in the place
//!    of a hole may have or not, have no musts.
//! 4. From all of γ(a) the step can be taken, and with some choice leads into γ(b) for a b of the must: with the choice
//!    that is named; if none is, quantifiers are eliminated.
//! 5. A ranking is for a fixpoint that can be ranked ([`logic::Formula::rankable`]). For each of its levels d let G be
//!    the edges of class 2d + 1 or above, and C a strongly connected component of G with an edge of class 2d + 1 in it.
//!    Then all states of C have a ranking function at this level, which is a term; for all edges of G in C that of the
//!    target is, after the step, at most that of the source before it; for those of class 2d + 1 it is less, and that
//!    of the source is not negative.
//! 6. A proposition has a value in a state if it follows from what the state says. (This is derived here; a certificate
//!    says nothing of it.)
//! 7. The positions contain each initial state with classes 0, and with a position those that edges lead to. With
//!    these, and with the musts as hyper-transitions, they are a GKMTS. The steps of the certificate show the ranked
//!    formula in positions of it, by rules 2 to 4 at the head of this crate.
//! 8. If the verdict is true, the formula is proved in all initial positions. If it is false, it is refuted in one in
//!    which the program can begin: the solver gives values, and these are tried out.
//!
//! **Theorem.** Then the claim is right.
//!
//! *Proof.* Let the *companion* of the program have states (c, a, j) with c in γ(a) and j a list of classes, and a step
//! to (c', a', j') if the program has a step s from c to c', a' is a target of a by s with c' in γ(a'), and j' are the
//! classes of that edge. To forget a and j is a bisimulation: by 2 every step of the program has one in the companion,
//! the invariant (1) being kept. So of (c, a, j) a formula says what it says of c.
//!
//! On a path of the companion without end, let j be the least class of a ranking that is taken again and again. Suppose
//! j = 2d + 1. From some point on all edges are of class j or above, and the path stays in one component C of G, in
//! which it takes edges of class j again and again. By 5 the value of the ranking function of the current state never
//! increases from there on, and decreases again and again, each time from a number that is not negative. That cannot
//! be. So j is even. A play in which a ranked fixpoint is the outermost that is unfolded for ever unfolds it once with
//! every step, no other fixpoint lying between; in the ranked formula the outermost of its variables that are unfolded
//! for ever is that of the least class, which is of the fixpoint's own kind, as j is even. So on the companion each
//! play is won by the same player as before, and the ranked formula says what the formula says.
//!
//! The companion refines the GKMTS of 7, (c, a, j) being one of those for which (a, j) stands: labels agree by 6; each
//! of its steps is there by construction; and where (a, j) has a must, c has by 4 a step into γ(b) for a b of it, which
//! is a target by 3, so that the companion has this step too. What is proved of a position is therefore true of all
//! that it stands for. If the verdict is true, the program can by 1 begin only where an initial position stands for it;
//! if it is false, by 8 it begins in a state that one stands for in which the formula is false. ∎
//!
//! The solver is trusted where it answers unsatisfiable. Where it does not know, the certificate is rejected.

mod data;
mod format;
mod game;
mod prover;
mod ranking;
mod steps;

pub use data::{
    ClaimedAbstraction, ClaimedPosition, ClaimedRanking, ClaimedState, ClaimedTransition,
    MOST_ATOMS, MOST_LEVELS, Must,
};
pub use format::{IntegerClaim, IntegerWriter};

use crate::error::{AuditError, ensure};
use crate::explicit::Known;
use crate::format::{AfterDeadlock, CertificateKind, Claim};
use crate::proof::{Audited, go_through};
use crate::read::Reader;
use prover::Prover;
use smt::{LinearFormula, Solver};
use std::io::Read;
use steps::{Steps, distinct};
use support::Monitor;
use transition::integers::IntegerStep;
use transition::integers::{IntegerProgram, Proposition};

/// A program over integers that certificates are checked against, as it was read.
#[derive(Clone, Copy)]
pub struct IntegerSubject<'a> {
    pub program: &'a IntegerProgram,
    pub start: (u32, &'a LinearFormula),
    /// An invariant of the program, as it is claimed.
    pub invariant: &'a LinearFormula,
    /// By the numbers that the formula has for them.
    pub propositions: &'a [(String, Proposition)],
}

impl IntegerSubject<'_> {
    /// Whether a certificate is about this program.
    pub fn is_meant_by<R>(&self, reader: &Reader<R>) -> Result<(), AuditError> {
        let is_meant = reader.is_about(CertificateKind::Integers, self.program.digest(self.start));
        ensure(is_meant, "the certificate is about another program")
    }
}

/// Checks the proof of a claim that was just read ([`Reader::claim_about_integers`]), which is about this formula. If
/// it is right, the reader stands at the next claim.
pub fn audit<R: Read>(
    subject: &IntegerSubject,
    formula: &logic::Formula,
    claim: &Claim,
    reader: &mut Reader<R>,
    solver: &mut dyn Solver,
    monitor: &Monitor,
) -> Result<Audited, AuditError> {
    subject.is_meant_by(reader)?;
    monitor.phase("auditing", 0);
    let moves = &subject.program.steps;
    let (invariant, begins) = (subject.invariant.clone(), subject.start.1.clone());
    let abstraction = reader.abstraction(subject.program)?;
    let mut prover = Prover { solver, monitor, names: &subject.program.variables };
    check_invariant(&invariant, &begins, moves, &mut prover)?;
    prover.solver.push(&invariant);
    let auditor = Auditor { subject, formula, claim, abstraction: &abstraction, begins, invariant };
    let audited = auditor.audit(moves, reader, &mut prover);
    prover.solver.pop();
    audited
}

/// Confirms that something is impossible that the reader of a program has left out for being so.
pub fn confirm(
    parts: &[LinearFormula],
    names: &[String],
    solver: &mut dyn Solver,
    monitor: &Monitor,
) -> Result<(), AuditError> {
    let is_impossible = Prover { solver, monitor, names }.is_impossible(parts)?;
    ensure(is_impossible, "an assumption of the reader does not hold")
}

/// Condition 1, of the invariant.
fn check_invariant(
    invariant: &LinearFormula,
    begins: &LinearFormula,
    moves: &[IntegerStep],
    prover: &mut Prover,
) -> Result<(), AuditError> {
    let mut is_one = prover.implies(std::slice::from_ref(begins), invariant)?;
    for taken in moves {
        let after = invariant.map_atoms(&mut |atom| taken.after(atom))?;
        is_one &= prover.implies(&[invariant.clone(), taken.guard.clone()], &after)?;
    }
    ensure(is_one, "the variables can leave their declared ranges")
}

struct Auditor<'a> {
    subject: &'a IntegerSubject<'a>,
    formula: &'a logic::Formula,
    claim: &'a Claim,
    abstraction: &'a ClaimedAbstraction,
    begins: LinearFormula,
    invariant: LinearFormula,
}

impl Auditor<'_> {
    fn audit<R: Read>(
        &self,
        moves: &[IntegerStep],
        reader: &mut Reader<R>,
        prover: &mut Prover,
    ) -> Result<Audited, AuditError> {
        let Self { abstraction, claim, .. } = *self;
        let ends = claim.deadlock == AfterDeadlock::Ends;
        ensure(ends, "a program ends where it has no step")?;
        self.check_start(prover)?;
        let steps = Steps::new(abstraction, moves)?;
        (0..abstraction.states.len() as u32)
            .try_for_each(|state| steps.check(abstraction, state, prover))?;
        for ranking in &abstraction.rankings {
            ranking::check(abstraction, ranking, &steps, prover)?;
        }
        let game = game::Game::new(self.subject, self.formula, abstraction, prover)?;
        claim.is_about(&game.formula)?;
        let states = game.model.states();
        let mut known = Known::new(&game.model, states, &game.formula, claim.verdict);
        let audited = go_through(&mut known, &game.formula, claim.verdict, reader, prover.monitor)?;
        let known = known.of(game.formula.root());
        let is_known = |state: u32| {
            game.beginning(state).is_some_and(|position| known.contains(position as usize))
        };
        let (right, open): (Vec<u32>, Vec<u32>) =
            abstraction.initial.iter().partition(|&&state| is_known(state));
        self.conclude(&right, &open, prover)?;
        Ok(audited)
    }

    /// Condition 1, of the start.
    fn check_start(&self, prover: &mut Prover) -> Result<(), AuditError> {
        let (abstraction, location) = (self.abstraction, self.subject.start.0);
        let is_first = |&state: &u32| abstraction.states[state as usize].location == location;
        let are_first = abstraction.initial.iter().all(is_first);
        ensure(are_first, "an initial state is not at the first location")?;
        let atoms = abstraction.atoms[location as usize]
            .iter()
            .map(|atom| LinearFormula::atom(atom.clone()));
        let atoms: Vec<LinearFormula> = atoms.collect();
        let begins = std::slice::from_ref(&self.begins);
        let is_covered =
            prover.is_among(begins, &atoms, &distinct(abstraction, &abstraction.initial))?;
        ensure(is_covered, "the program can begin in no initial state")
    }

    /// Condition 8, where the formula is known to be as claimed in some initial states and not in the others.
    fn conclude(&self, right: &[u32], open: &[u32], prover: &mut Prover) -> Result<(), AuditError> {
        let verdict = self.claim.verdict;
        if verdict {
            return open.first().map_or(Ok(()), |state| {
                let problem = format!("it is not proved that the formula is true in state {state}");
                Err(AuditError::Invalid(problem))
            });
        }
        let problem = "it is not proved that the formula is false in an initial state";
        let mut error = AuditError::invalid(problem);
        for &state in right {
            let here = [self.begins.clone(), self.invariant.clone()];
            match prover.is_possible(&[&here[..], &self.abstraction.literals(state)].concat()) {
                Ok(true) => return Ok(()),
                Ok(false) => {
                    error =
                        AuditError::Invalid(format!("the program cannot begin in state {state}"));
                }
                Err(undecided @ AuditError::Undecided(_)) => error = undecided,
                Err(error) => return Err(error),
            }
        }
        Err(error)
    }
}
