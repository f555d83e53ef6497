//! Formulas in the arena of the translation.

use automata::{LtlArena, LtlId};
use testkit::linear::{PathBinary, PathFormula, PathUnary};

pub fn build(formula: &PathFormula, arena: &mut LtlArena) -> LtlId {
    match formula {
        PathFormula::Const(value) => arena.constant(*value),
        PathFormula::Atom(atom) => arena.literal(*atom, true),
        PathFormula::Unary(op, a) => {
            let a = build(a, arena);
            match op {
                PathUnary::Not => arena.not(a),
                PathUnary::X => arena.next(a),
                PathUnary::F => arena.finally(a),
                PathUnary::G => arena.globally(a),
                PathUnary::Y => arena.yesterday(a),
                PathUnary::Z => arena.weak_yesterday(a),
                PathUnary::O => arena.once(a),
                PathUnary::H => arena.historically(a),
            }
        }
        PathFormula::Binary(op, a, b) => {
            let (a, b) = (build(a, arena), build(b, arena));
            match op {
                PathBinary::And => arena.and([a, b]),
                PathBinary::Or => arena.or([a, b]),
                PathBinary::Implies => {
                    let a = arena.not(a);
                    arena.or([a, b])
                }
                PathBinary::Iff => {
                    let (not_a, not_b) = (arena.not(a), arena.not(b));
                    let (both, none) = (arena.and([a, b]), arena.and([not_a, not_b]));
                    arena.or([both, none])
                }
                PathBinary::U => arena.until(a, b),
                PathBinary::R => arena.release(a, b),
                PathBinary::W => arena.weak_until(a, b),
                PathBinary::M => {
                    let both = arena.and([a, b]);
                    arena.until(b, both)
                }
                PathBinary::S => arena.since(a, b),
                PathBinary::T => arena.triggered(a, b),
            }
        }
    }
}
