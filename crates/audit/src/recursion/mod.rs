//! Certificates about programs with recursive calls: CTL on the infinite graph of all stacks, node by node.
//!
//! A state is a stack of frames, the top of which is at a node of a *block*: of the main program, or of a procedure with
//! the values that it was entered with ([`transition::cfg::FrameSteps`]). The state at an exit of a procedure is the
//! state at the return of its caller. A *context* is a block with a value of each temporal formula in each node; it says
//! of each of its calls in which context the called block runs. So each stack that begins in context 0 has a context for
//! each of its frames, and a formula a value in each state.
//!
//! For an until f U g, let an *f-path* be a path on which f holds and g does not, but perhaps in its last state. An exit
//! is *passed* if an f-path leads to it from the entry in frames at or above the procedure's. The successors of a node
//! *in its frame* are those of its steps, or if it calls, the returns of the exits that the called context passes.
//!
//! The conditions that are checked, and all of them ([`audit`]):
//!
//! 1. The certificate is about this program (its digest), and the closure is that of the formulas at hand.
//! 2. The blocks are what the steps of the program give: the first begins with the initial valuations, every call leads
//!    to a listed block, and the exits of a block are those that are listed. The main program has none.
//! 3. A call leads to a context of the block that is called, in whose exits the temporal formulas have the values that
//!    they have in the returns.
//! 4. A next has in each node but exits the value that follows from the values of its operand in the successors, one of
//!    which is the entry of the called context if the node calls.
//! 5. The passed exits are those that can be reached from the entry over successors in the frame, through nodes in
//!    which f holds and g does not. Each has a number, and can be reached with only such passages through calls as have
//!    smaller numbers.
//! 6. An until holds in a node, exits aside, if g does. If neither does, f does not hold, or the until holds in no
//!    successor (E), or not in some (A). If it holds and g does not, f does, and its rank falls:
//!    - A: in all successors in the frame, and in the entry of what is called, it is *within* with a smaller rank;
//!    - E, *within*: so it is in one of these;
//!    - E, *leaving*: in a successor in the frame it is leaving with a smaller rank. In exits it is never within.
//! 7. A claimed verdict is whether the formula holds in all entries of context 0.
//!
//! **Theorem.** Then each value is the truth of its formula in every state, and the verdicts are right.
//!
//! *Proof.* By induction on formulas, let the values of the operands be right in all states. By 2 and 3 a state has one
//! value of a formula, also where it is an exit and a return, and the values of its successors are those that the
//! conditions compare. So a next is right by 4. By induction on its number, a passed exit is reached by an f-path (5);
//! and an f-path to an exit shows that it is passed, by induction on its length, as calls on it that return do so at
//! passed exits. If an until has the value false, g does not hold, and along successors with value false the path that
//! E needs is never there, while A has a path on which g never holds, or f fails before it (6; every state of a program
//! has a successor). Let E have the value true in a state. If it is within, a finite f-path leads to g, by induction on
//! the rank. If it is leaving, then by induction on the rank an f-path leads to an exit, so to a state with a stack that
//! is lower by one and where the value is true; and by induction on the height of the stack it holds there, as in the
//! main program nothing can be leaving: the last of the falling ranks would be in an exit. Let A have the value
//! true, and a path from there refute it. All its states have the value true and f, but never g, so it has no
//! end. If infinitely often it has a stack of the height h, and finally no lower one, then its
//! states of this height follow each other in their frame, through passed exits, and ranks fall for ever. Otherwise
//! finally each height is left for good, and from the last state of one height the next step is a call whose entry has a
//! smaller rank, and up to the last state of that height ranks fall in its frame. Both cannot be. ∎
//!
//! Shared with the engine is what a step is, and nothing of how formulas are evaluated.

mod blocks;
mod equations;
mod format;

pub use format::{ListedBlock, ListedContext, ListedTemporal, NodeValue, RecursionProof};

use crate::error::{AuditError, ensure};
use crate::format::CertificateKind;
use crate::modular::{ModularHead, ModularSubject, ModularVerdicts, subject_closure};
use crate::read::Reader;
use blocks::Explorer;
use equations::Labelling;
use std::io::Read;
use support::Monitor;
use transition::cfg::{Bodies, FrameSteps};

/// Checks what follows the head of a certificate, to its end.
pub fn audit<R: Read>(
    mut reader: Reader<R>,
    head: &ModularHead,
    subject: &ModularSubject,
    monitor: &Monitor,
) -> Result<ModularVerdicts, AuditError> {
    monitor.phase("auditing", 0);
    let program = subject.program;
    let is_complete = head.is_complete && program.holes.is_empty();
    ensure(is_complete, "the certificate is about a program with holes")?;
    let closure = subject_closure(CertificateKind::Recursion, &reader, head, subject)?;
    let proof = RecursionProof::read(&mut reader)?;
    let bodies = Bodies::new(program);
    let steps = FrameSteps { program, bodies: &bodies };
    let initial = steps.initial(closure.atoms.values().copied(), monitor)?;
    let blocks = Explorer::new(steps, &proof.blocks, monitor)?.run(initial)?;
    let labelling = Labelling::new(steps, &closure, &blocks, &proof.contexts, monitor)?;
    labelling.check()?;
    let are_all = proof.verdicts.len() == head.properties.len();
    ensure(are_all, "it has not one verdict for each property")?;
    for ((property, root), &verdict) in
        head.properties.iter().zip(&closure.roots).zip(&proof.verdicts)
    {
        let name = &property.name;
        let problem = format_args!("it is not proved that `{name}` is {verdict}");
        ensure(labelling.holds_at_start(root.certain) == verdict, problem)?;
    }
    let verdicts = proof.verdicts.iter().copied().map(Some).collect();
    Ok(ModularVerdicts { verdicts, claims: proof.contexts.len() as u64 })
}
