//! Linear time on partial models, by definition: whether some path satisfies a formula, by the classical tableau of
//! Lichtenstein and Pnueli (POPL 1985). A node is a step of the model with a value for every subformula; the values of
//! neighbours have to fit, and what is put off has to come. It shares no code with the translation to automata.

use super::words::{PathBinary, PathFormula, PathUnary};
use logic::Truth;
use model::PartialModel;

/// A formula in negation normal form; literals are atoms by themselves.
#[derive(Clone, Debug)]
enum Part {
    Const(bool),
    Literal(u32, bool),
    And(usize, usize),
    Or(usize, usize),
    Next(usize),
    Until(usize, usize),
    Release(usize, usize),
    Previous(usize, bool),
    Since(usize, usize),
    Triggered(usize, usize),
}

/// A step: where it begins and ends, and the literals that hold there.
struct Step {
    from: u32,
    to: u32,
    literals: Vec<[bool; 2]>,
}

/// Whether the formula is true, and whether it is false, of the paths from a state.
pub fn value(
    formula: &PathFormula,
    model: &PartialModel,
    state: u32,
    names: &[&str],
) -> (bool, bool) {
    let negation = Parts::of(formula, true);
    let may = steps(model, names, true);
    let must = steps(model, names, false);
    (!negation.has_path(&may, state), negation.has_path(&must, state))
}

/// May steps, where an unknown proposition satisfies both literals, or must steps, where it satisfies none.
fn steps(model: &PartialModel, names: &[&str], is_may: bool) -> Vec<Step> {
    let mut all = Vec::new();
    for from in 0..model.states() as u32 {
        for (to, class) in model.edges().out(from) {
            if !(if is_may { class.mode.may } else { class.mode.must }) {
                continue;
            }
            let literals = names.iter().map(|name| match class.action {
                // `?a`: that a step with `a` is possible.
                Some(_) if name.starts_with('?') => {
                    let own = model.edges().out(from).filter(|(_, class)| {
                        class.action.is_some_and(|a| model.actions().name(a) == &name[1..])
                    });
                    let modes: Vec<_> = own.map(|(_, class)| class.mode).collect();
                    let [may, must] =
                        [modes.iter().any(|mode| mode.may), modes.iter().any(|mode| mode.must)];
                    if is_may { [may, !must] } else { [must, !may] }
                }
                Some(action) => {
                    let is_taken = model.actions().name(action) == *name;
                    [is_taken, !is_taken]
                }
                None => match model.props().get(name).map(|prop| model.label(from, prop)) {
                    Some(Truth::True) => [true, false],
                    Some(Truth::False) => [false, true],
                    _ => [is_may; 2],
                },
            });
            all.push(Step { from, to, literals: literals.collect() });
        }
    }
    all
}

struct Parts(Vec<Part>);

impl Parts {
    fn of(formula: &PathFormula, is_negated: bool) -> Self {
        let mut parts = Self(Vec::new());
        parts.add(formula, is_negated);
        parts
    }

    fn push(&mut self, part: Part) -> usize {
        self.0.push(part);
        self.0.len() - 1
    }

    fn add(&mut self, formula: &PathFormula, is_negated: bool) -> usize {
        match formula {
            PathFormula::Const(value) => self.push(Part::Const(*value != is_negated)),
            PathFormula::Atom(atom) => self.push(Part::Literal(*atom, !is_negated)),
            PathFormula::Unary(PathUnary::Not, a) => self.add(a, !is_negated),
            PathFormula::Unary(op, a) => {
                let a = self.add(a, is_negated);
                let [yes, no] = [true, false].map(|value| self.push(Part::Const(value)));
                self.push(match (op, is_negated) {
                    (PathUnary::X, _) => Part::Next(a),
                    (PathUnary::F, false) | (PathUnary::G, true) => Part::Until(yes, a),
                    (PathUnary::G, false) | (PathUnary::F, true) => Part::Release(no, a),
                    (PathUnary::Y, false) | (PathUnary::Z, true) => Part::Previous(a, false),
                    (PathUnary::Z, false) | (PathUnary::Y, true) => Part::Previous(a, true),
                    (PathUnary::O, false) | (PathUnary::H, true) => Part::Since(yes, a),
                    _ => Part::Triggered(no, a),
                })
            }
            PathFormula::Binary(PathBinary::Implies, a, b) => {
                let (a, b) = (self.add(a, !is_negated), self.add(b, is_negated));
                self.push(if is_negated { Part::And(a, b) } else { Part::Or(a, b) })
            }
            PathFormula::Binary(PathBinary::Iff, a, b) => {
                let both = (self.add(a, false), self.add(b, is_negated));
                let none = (self.add(a, true), self.add(b, !is_negated));
                let both = self.push(Part::And(both.0, both.1));
                let none = self.push(Part::And(none.0, none.1));
                self.push(Part::Or(both, none))
            }
            PathFormula::Binary(op, a, b) => {
                let (a, b) = (self.add(a, is_negated), self.add(b, is_negated));
                match (op, is_negated) {
                    (PathBinary::And, false) | (PathBinary::Or, true) => self.push(Part::And(a, b)),
                    (PathBinary::Or, false) | (PathBinary::And, true) => self.push(Part::Or(a, b)),
                    (PathBinary::U, false) | (PathBinary::R, true) => self.push(Part::Until(a, b)),
                    (PathBinary::R, false) | (PathBinary::U, true) => {
                        self.push(Part::Release(a, b))
                    }
                    (PathBinary::S, false) | (PathBinary::T, true) => self.push(Part::Since(a, b)),
                    (PathBinary::T, false) | (PathBinary::S, true) => {
                        self.push(Part::Triggered(a, b))
                    }
                    // a W b is b R (a | b), a M b is b U (a & b).
                    (PathBinary::W, false) => {
                        let either = self.push(Part::Or(a, b));
                        self.push(Part::Release(b, either))
                    }
                    (PathBinary::W, true) | (PathBinary::M, false) => {
                        let both = self.push(Part::And(a, b));
                        self.push(Part::Until(b, both))
                    }
                    _ => {
                        let either = self.push(Part::Or(a, b));
                        self.push(Part::Release(b, either))
                    }
                }
            }
        }
    }

    /// The values of all parts at a step that fit, given those of the temporal ones as bits.
    fn values(&self, step: &Step, temporal: u32) -> u64 {
        let mut free = 0;
        let mut values = 0u64;
        for (place, part) in self.0.iter().enumerate() {
            let of = |part: usize| values >> part & 1 == 1;
            let value = match *part {
                Part::Const(value) => value,
                Part::Literal(atom, sign) => step.literals[atom as usize][usize::from(!sign)],
                Part::And(a, b) => of(a) && of(b),
                Part::Or(a, b) => of(a) || of(b),
                _ => {
                    free += 1;
                    temporal >> (free - 1) & 1 == 1
                }
            };
            values |= u64::from(value) << place;
        }
        values
    }

    fn fits_first(&self, now: u64) -> bool {
        let at = |values: u64, part: usize| values >> part & 1 == 1;
        self.0.iter().enumerate().all(|(place, part)| match *part {
            Part::Previous(_, at_start) => at(now, place) == at_start,
            Part::Since(_, b) | Part::Triggered(_, b) => at(now, place) == at(now, b),
            _ => true,
        })
    }

    fn fits(&self, now: u64, next: u64) -> bool {
        let at = |values: u64, part: usize| values >> part & 1 == 1;
        self.0.iter().enumerate().all(|(place, part)| match *part {
            Part::Next(a) => at(now, place) == at(next, a),
            Part::Until(a, b) => at(now, place) == (at(now, b) || at(now, a) && at(next, place)),
            Part::Release(a, b) => {
                at(now, place) == (at(now, b) && (at(now, a) || at(next, place)))
            }
            Part::Previous(a, _) => at(next, place) == at(now, a),
            Part::Since(a, b) => at(next, place) == (at(next, b) || at(next, a) && at(now, place)),
            Part::Triggered(a, b) => {
                at(next, place) == (at(next, b) && (at(next, a) || at(now, place)))
            }
            _ => true,
        })
    }

    /// Whether an infinite path from the state satisfies the formula.
    fn has_path(&self, steps: &[Step], state: u32) -> bool {
        let is_temporal = |part: &&Part| {
            !matches!(part, Part::Const(_) | Part::Literal(..) | Part::And(..) | Part::Or(..))
        };
        let free = self.0.iter().filter(is_temporal).count();
        let nodes: Vec<(usize, u64)> = (0..steps.len())
            .flat_map(|step| (0..1u32 << free).map(move |bits| (step, bits)))
            .map(|(step, bits)| (step, self.values(&steps[step], bits)))
            .collect();
        let successors: Vec<Vec<u32>> = nodes
            .iter()
            .map(|&(step, now)| {
                let follows = |&(_, &(next, later)): &(usize, &(usize, u64))| {
                    steps[next].from == steps[step].to && self.fits(now, later)
                };
                nodes.iter().enumerate().filter(follows).map(|(node, _)| node as u32).collect()
            })
            .collect();
        let of = support::components(nodes.len(), |node| successors[node as usize].iter().copied());
        let root = self.0.len() - 1;
        let starts = (0..nodes.len()).filter(|&node| {
            let (step, now) = nodes[node];
            steps[step].from == state && now >> root & 1 == 1 && self.fits_first(now)
        });
        let mut seen = vec![false; nodes.len()];
        let mut open: Vec<usize> = starts.collect();
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                open.extend(successors[node].iter().map(|&next| next as usize));
            }
        }
        (0..nodes.len()).any(|node| {
            let inside = |other: &u32| of[*other as usize] == of[node];
            seen[node] && successors[node].iter().any(inside) && {
                let members: Vec<u64> =
                    (0..nodes.len()).filter(|&m| of[m] == of[node]).map(|m| nodes[m].1).collect();
                self.is_fulfilled(&members)
            }
        })
    }

    /// Whether what is put off comes within these nodes: an until whose second operand holds, or that does not.
    fn is_fulfilled(&self, members: &[u64]) -> bool {
        self.0.iter().enumerate().all(|(place, part)| {
            let at = |values: u64, part: usize| values >> part & 1 == 1;
            members.iter().any(|&values| match *part {
                Part::Until(_, b) => !at(values, place) || at(values, b),
                Part::Release(_, b) => at(values, place) || !at(values, b),
                _ => true,
            })
        })
    }
}
