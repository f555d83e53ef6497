//! Checks certificates. It depends on formulas, models and transition systems only and shares no code with the engines
//! that find verdicts; it owns the format of certificates ([`mod@format`]), which engines write.
//!
//! Let P be the player that a claim says wins: the verifier if the verdict is true, the falsifier if it
//! is false. A *position* is a state and a subformula in normal form, where `ηZ.ψ` and `Z` are one
//! subformula whose definition is ψ. P moves in disjunctions and diamonds (the verifier) or in
//! conjunctions and boxes (the falsifier), along must transitions and hyper-transitions only; the
//! opponent moves in the others, along may transitions (C §2.1, \[10\] of C). A *proof* is a
//! sequence of steps:
//!
//! - `prove`: these positions are won by P, because of what is known from steps before;
//! - `open` … `close`: a bracket with a level, in which `add_obligation` takes positions as won in advance. They are proof
//!   obligations: when the bracket is closed each of them has to follow from all that is known by then.
//!
//! The conditions that are checked, and all of them ([`audit`]):
//!
//! 1. The claim is about this system (its digest), and its formula is the one it is checked against.
//! 2. A position *follows* if it is a literal or constant that is definitely right for P; if it is P's
//!    and P has a move to a position that is known, or a hyper-transition all of whose targets are; if
//!    it is the opponent's and all of his moves lead to positions that are known. Who cannot move
//!    loses.
//! 3. Every position of a `prove` follows when the step is made, and every proof obligation follows when its
//!    bracket is closed. No position is named twice.
//! 4. Brackets are nested, inner ones at lower levels, and closed in the end. All positions in a bracket belong to one
//!    block of the formula (a part in which everything depends on everything). None has a priority above the bracket's
//!    level, and proof obligations have just that priority, which is one of P's: even for the verifier, odd for the
//!    falsifier. A subformula that is no variable counts as the lowest priority of its block.
//! 5. In the end the whole formula is known in the initial states: true in all of them; false in one, or
//!    where parts of the system are missing (`unknown`), in one for each choice of the initial states of
//!    those.
//!
//! A claim may instead be proved of *parts*: of lifted components (C Def. 4.3), of components whose states
//! were put together in blocks, and of products of parts. Then 2 to 4 hold in each part, whose
//! transitions are those that [`model::lift`] and [`model::Regions`] give, and what earlier parts of the
//! same components have proved is known from the start. Further:
//!
//! 6. All states of a block agree on the joint propositions (C Def. 5.3), and no initial state and no
//!    state that follows one of a block is in no block.
//! 7. No component is a part twice. A product is one of two earlier parts that have no component in common. Nothing is
//!    proved by steps of states that it does not name: they have their transitions elsewhere.
//! 8. Condition 5 holds of the initial states of the composition, where the formula is known in a state if
//!    some part proves it of the members, or blocks, that it has of the state.
//!
//! **Theorem.** Then P wins the game from these initial states, so the claim is right (C Thm 2.4).
//!
//! *Proof.* Let P move as the conditions found, always to a known position. Plays that end are won: the
//! opponent is the one who cannot move, or the literal is right. A play that never ends goes round a
//! cycle in the end; let x → y be moves on it. Then y became known before x was found to follow. So on the
//! cycle there is a proof obligation, as otherwise each position would be older than itself. Of all brackets with
//! a proof obligation on the cycle, let B be the one that is closed last. On the cycle, from a
//! position that was found to follow before B was opened only such positions can be reached, and a
//! position that became known after B was closed can only be reached from such; hence the whole cycle was
//! made known within B. All its positions are in one block and their priorities are at most B's level, and the one
//! obliged in B has that priority, or is no variable: then the level is the lowest priority of the
//! block, and the variable that every cycle passes has it. So the highest priority on the cycle is one of
//! P's. ∎
//!
//! Of parts: the composition refines the system of the blocks, because each component does (C Def. 5.1) and
//! composition keeps that if blocks agree on what is joint (C Thm 5.4); and that refines each of its parts, since what
//! its components may do together is all that the composition may, and what they must and the environment cannot block
//! ([`model::Interface`]) the composition must (C Thm 4.4). So what P wins in a part he wins in the composition (C Thm
//! 2.3), in each state over it; and what he wins in a smaller part, in a larger one.
//!
//! One pass over the certificate; every position is looked at once or, if it is a proof obligation, twice.
//!
//! A claim about linear time (LTL, CTL\*) is proved of a formula that the certificate brings. That this one says enough
//! is checked first: see the module `linear` and [`claimed_formula`].
//!
//! Of a transition system with too many states to list them, the same is proved a set of states at a time: see
//! [`symbolic`]. Of a process for which an assumption stands, see [`audit_assumptions`]; of a while-program that is
//! taken apart, [`modular`]; of one with recursive calls, [`recursion`]; of a program over unbounded integers,
//! [`integers`].

mod assumption;
mod brackets;
mod error;
mod explicit;
pub mod format;
pub mod integers;
mod linear;
pub mod modular;
mod proof;
mod read;
pub mod recursion;
pub mod symbolic;

pub use assumption::{AssumedVerdict, ClaimedAssumption, Fit, audit_assumptions, digest_of};
pub use error::AuditError;
pub use explicit::{ExplicitSubject, MAX_INITIAL, audit};
pub use format::{AfterDeadlock, CertificateKind, Claim};
pub use linear::{FormulaContext, claimed_formula};
pub use proof::Audited;
pub use read::Reader;
