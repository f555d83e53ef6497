//! The game arena S × Sub(φ) of an explicit model (C §2.1), computed on demand.
//!
//! A position is one number, the equation in its high bits and the place in its low ones. A place is
//! a state, or a must hyper-transition before one of its targets is chosen. Moves are read off the
//! model's own edges.

use crate::arena::{Arena, Player};
use crate::plan::{Op, Plan};
use logic::{Formula, Modality, Truth};
use model::{Edges, PartialModel};
use std::ops::Range;
use support::{Monitor, Reservation, StopReason, Stopped};

/// The two 2-valued games of a 3-valued one (\[10\] of C). The pessimist lets the verifier use must
/// transitions only and the falsifier all may transitions, and takes unknown for false: what is true
/// here is true. The optimist does the reverse: what is false there is false.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    Pessimistic,
    Optimistic,
}

const MAY: u8 = 1;
const MUST: u8 = 2;

pub struct ModelGame<'a> {
    pub model: &'a PartialModel,
    pub plan: &'a Plan,
    backward: Option<Edges>,
    /// By action set and edge class: MAY and MUST bits, none if the action is not in the set.
    matching: Vec<Vec<u8>>,
    /// By state: its hyper-transitions, `hyper_offsets[s]..hyper_offsets[s + 1]`.
    hyper_offsets: Vec<u32>,
    /// By state: the hyper-transitions that it is a target of.
    hyper_of: Vec<Vec<u32>>,
    shift: u32,
    _reservation: Reservation,
}

impl<'a> ModelGame<'a> {
    pub fn new(
        model: &'a PartialModel,
        formula: &Formula,
        plan: &'a Plan,
        monitor: &Monitor,
    ) -> Result<Self, Stopped> {
        let places = model.states() + model.hyper().len();
        // At least 6, so that an equation begins at a word of a bit set.
        let shift = places.next_power_of_two().trailing_zeros().max(6);
        if shift > 31 || (plan.len() as u64) << shift > 1 << 32 {
            return Err(Stopped(StopReason::Size));
        }
        let (hyper_offsets, hyper_of) = index_hyper(model);
        let (matching, room) = matching(model, formula, monitor)?;
        let wanted = asked_backward(plan, &matching, model.edges().classes().len());
        let backward = if wanted.contains(&true) {
            Some(model.edges().reversed(|class| wanted[class as usize], monitor)?)
        } else {
            None
        };
        Ok(Self {
            model,
            plan,
            backward,
            matching,
            hyper_offsets,
            hyper_of,
            shift,
            _reservation: room,
        })
    }

    /// How many numbers positions take; not all of them are positions.
    pub fn size(&self) -> usize {
        self.plan.len() << self.shift
    }

    #[inline]
    pub fn position(&self, place: u32, equation: u32) -> u32 {
        equation << self.shift | place
    }

    #[inline]
    pub fn equation(&self, position: u32) -> u32 {
        position >> self.shift
    }

    #[inline]
    pub fn place(&self, position: u32) -> u32 {
        position & ((1u32 << self.shift) - 1)
    }

    /// All numbers of the positions of one equation.
    pub fn range(&self, equation: u32) -> Range<usize> {
        (equation as usize) << self.shift..(equation as usize + 1) << self.shift
    }

    pub fn places(&self) -> usize {
        self.model.states() + self.model.hyper().len()
    }

    /// The state of a place that is one.
    pub fn state(&self, position: u32) -> Option<u32> {
        let place = self.place(position);
        ((place as usize) < self.model.states()).then_some(place)
    }

    pub fn view(&self, view: View) -> ArenaView<'_, 'a> {
        ArenaView { arena: self, view }
    }

    /// The value of a literal or constant; `None` for other operators.
    pub fn terminal(&self, position: u32) -> Option<Truth> {
        match self.plan.equations[self.equation(position) as usize].op {
            Op::Const(value) => Some(value.into()),
            Op::Lit(prop, positive) => {
                let value = self.model.label(self.place(position), prop);
                Some(if positive { value } else { !value })
            }
            _ => None,
        }
    }

    /// Every successor by may or must transitions.
    pub fn for_each_successor(&self, position: u32, mut visit: impl FnMut(u32)) {
        let _ = self.find(position, 0, MAY | MUST, |successor| {
            visit(successor);
            false
        });
    }

    /// Every successor of a position of a state, by may or must transitions other than hyper-transitions, with
    /// the edge class where the move is a transition.
    pub fn for_each_step(&self, position: u32, mut visit: impl FnMut(u32, Option<u32>)) {
        let (equation, place) = (self.equation(position), self.place(position));
        let Op::Modal(_, actions, body) = self.plan.equations[equation as usize].op else {
            return self.for_each_successor(position, |successor| visit(successor, None));
        };
        let edges = self.model.edges();
        for edge in edges.row(place) {
            let class = edges.class(edge);
            if self.matching[actions.0 as usize][class as usize] != 0 {
                visit(self.position(edges.target(edge), body), Some(class));
            }
        }
    }

    /// Whether the transition between two states that a modality of `equation` uses may and must
    /// happen, some action of the modality for each.
    pub fn modes(&self, equation: u32, source: u32, target: u32) -> (bool, bool) {
        let Op::Modal(_, actions, _) = self.plan.equations[equation as usize].op else {
            return (true, true);
        };
        let edges = self.model.edges();
        let matching = &self.matching[actions.0 as usize];
        let to_target = edges.row(source).filter(|&edge| edges.target(edge) == target);
        let bits = to_target.fold(0, |bits, edge| bits | matching[edges.class(edge) as usize]);
        (bits & MAY != 0, bits & MUST != 0)
    }

    /// An edge between two states that a modality of `equation` uses and that may happen and need not.
    pub fn open_edge(&self, equation: u32, source: u32, target: u32) -> Option<u32> {
        let Op::Modal(_, actions, _) = self.plan.equations[equation as usize].op else {
            return None;
        };
        let edges = self.model.edges();
        let matching = &self.matching[actions.0 as usize];
        let open = |edge: u32| matching[edges.class(edge) as usize] == MAY;
        edges.row(source).find(|&edge| edges.target(edge) == target && open(edge))
    }

    /// The first successor, from the `from`-th candidate on, that `found` holds of, as a candidate number.
    #[inline]
    fn find(
        &self,
        position: u32,
        from: u32,
        bits: u8,
        mut found: impl FnMut(u32) -> bool,
    ) -> Option<u32> {
        let (equation, place) = (self.equation(position), self.place(position));
        match self.plan.equations[equation as usize].op {
            Op::Const(_) | Op::Lit(..) => None,
            Op::And(a, b) | Op::Or(a, b) => {
                let successors = [self.position(place, a), self.position(place, b)];
                (from..2).find(|&i| found(successors[i as usize]))
            }
            Op::Pass(body) => (from == 0 && found(self.position(place, body))).then_some(0),
            Op::Modal(_, actions, body) if (place as usize) < self.model.states() => {
                let edges = self.model.edges();
                let matching = &self.matching[actions.0 as usize][..];
                let row = edges.row(place);
                for edge in row.start + from..row.end {
                    if matching[edges.class(edge) as usize] & bits != 0
                        && found(self.position(edges.target(edge), body))
                    {
                        return Some(edge - row.start);
                    }
                }
                self.find_hyper(equation, place, from.max(row.len() as u32), bits, found)
            }
            Op::Modal(_, _, body) => {
                let hyper = &self.model.hyper()[place as usize - self.model.states()];
                let rest = from as usize..hyper.targets.len();
                rest.map(|i| i as u32)
                    .find(|&i| found(self.position(hyper.targets[i as usize], body)))
            }
        }
    }

    fn find_hyper(
        &self,
        equation: u32,
        state: u32,
        from: u32,
        bits: u8,
        mut found: impl FnMut(u32) -> bool,
    ) -> Option<u32> {
        if bits & MUST == 0 || self.model.hyper().is_empty() {
            return None;
        }
        let ordinary = self.model.edges().row(state).len() as u32;
        let own = self.hyper_offsets[state as usize]..self.hyper_offsets[state as usize + 1];
        (from - ordinary..own.len() as u32)
            .find(|i| {
                let place = self.model.states() as u32 + own.start + i;
                found(self.position(place, equation))
            })
            .map(|i| ordinary + i)
    }

    /// The successor behind a candidate number that [`find`](Self::find) gave.
    fn successor_at(&self, position: u32, candidate: u32) -> u32 {
        let (equation, place) = (self.equation(position), self.place(position));
        match self.plan.equations[equation as usize].op {
            Op::And(a, b) | Op::Or(a, b) => {
                self.position(place, if candidate == 0 { a } else { b })
            }
            Op::Pass(body) => self.position(place, body),
            Op::Modal(_, _, body) if (place as usize) < self.model.states() => {
                let row = self.model.edges().row(place);
                match candidate.checked_sub(row.len() as u32) {
                    None => self.position(self.model.edges().target(row.start + candidate), body),
                    Some(i) => {
                        let hyper = self.hyper_offsets[place as usize] + i;
                        self.position(self.model.states() as u32 + hyper, equation)
                    }
                }
            }
            Op::Modal(_, _, body) => {
                let hyper = &self.model.hyper()[place as usize - self.model.states()];
                self.position(hyper.targets[candidate as usize], body)
            }
            Op::Const(_) | Op::Lit(..) => unreachable!("a terminal position has no successors"),
        }
    }
}

fn matching(
    model: &PartialModel,
    formula: &Formula,
    monitor: &Monitor,
) -> Result<(Vec<Vec<u8>>, Reservation), Stopped> {
    let classes = model.edges().classes();
    let sets = formula.action_sets();
    let room = monitor.reserve((sets.len() * classes.len()) as u64)?;
    let bit = |set: bool, bit: u8| if set { bit } else { 0 };
    let bits: Vec<u8> =
        classes.iter().map(|class| bit(class.mode.may, MAY) | bit(class.mode.must, MUST)).collect();
    let mut classes_of = vec![Vec::new(); model.actions().len()];
    for (index, class) in classes.iter().enumerate() {
        if let Some(action) = class.action {
            classes_of[action.0 as usize].push(index);
        }
    }
    // By the names of a set, which are few, and not by the classes, which can be many.
    let column = |set: &logic::ActionSet| {
        let named = set.names().iter().filter_map(|name| model.actions().get(name));
        let named: Vec<usize> =
            named.flat_map(|action| classes_of[action.0 as usize].iter().copied()).collect();
        let all = set.is_complement() || model.actions().is_empty();
        let mut column = if all { bits.clone() } else { vec![0; bits.len()] };
        for index in named {
            column[index] = if set.is_complement() { 0 } else { bits[index] };
        }
        column
    };
    Ok((sets.values().map(column).collect(), room))
}

/// By edge class: whether a modality asks for its predecessors along such edges. Only those in recursive
/// stages do.
fn asked_backward(plan: &Plan, matching: &[Vec<u8>], classes: usize) -> Vec<bool> {
    let mut wanted = vec![false; classes];
    for stage in plan.stages.iter().filter(|stage| stage.recursive) {
        for equation in &plan.equations[stage.low as usize..stage.high as usize] {
            let Op::Modal(_, actions, _) = equation.op else { continue };
            for (wanted, &bits) in wanted.iter_mut().zip(&matching[actions.0 as usize]) {
                *wanted |= bits != 0;
            }
        }
    }
    wanted
}

fn index_hyper(model: &PartialModel) -> (Vec<u32>, Vec<Vec<u32>>) {
    if model.hyper().is_empty() {
        return (Vec::new(), Vec::new());
    }
    let mut offsets = vec![0u32; model.states() + 1];
    let mut of = vec![Vec::new(); model.states()];
    for (index, hyper) in model.hyper().iter().enumerate() {
        offsets[hyper.source as usize + 1] += 1;
        for &target in &hyper.targets {
            of[target as usize].push(index as u32);
        }
    }
    for state in 0..model.states() {
        offsets[state + 1] += offsets[state];
    }
    (offsets, of)
}

/// The arena as one of the two players' parity game.
#[derive(Clone, Copy)]
pub struct ArenaView<'b, 'a> {
    pub arena: &'b ModelGame<'a>,
    view: View,
}

impl ArenaView<'_, '_> {
    #[inline]
    fn bits(&self, modality: Modality) -> u8 {
        match (self.view, modality) {
            (View::Pessimistic, Modality::Dia) | (View::Optimistic, Modality::Box) => MUST,
            (View::Pessimistic, Modality::Box) | (View::Optimistic, Modality::Dia) => MAY,
        }
    }

    #[inline]
    fn bits_at(&self, position: u32) -> u8 {
        let equation = self.arena.equation(position);
        match self.arena.plan.equations[equation as usize].op {
            Op::Modal(modality, ..) => self.bits(modality),
            _ => 0,
        }
    }

    /// The predecessors of a position in one modality that has its equation as body.
    #[inline]
    pub(crate) fn for_each_modal_predecessor(
        &self,
        position: u32,
        user: u32,
        mut visit: impl FnMut(u32),
    ) {
        let arena = self.arena;
        let place = arena.place(position);
        let Op::Modal(modality, actions, _) = arena.plan.equations[user as usize].op else {
            return;
        };
        if place as usize >= arena.model.states() {
            return;
        }
        let bits = self.bits(modality);
        let matching = &arena.matching[actions.0 as usize][..];
        // Without any, no edge matches a modality of a recursive stage, and only those are asked.
        if let Some(backward) = &arena.backward {
            for edge in backward.row(place) {
                if matching[backward.class(edge) as usize] & bits != 0 {
                    visit(arena.position(backward.target(edge), user));
                }
            }
        }
        if !arena.hyper_of.is_empty() {
            for &hyper in &arena.hyper_of[place as usize] {
                visit(arena.position(arena.model.states() as u32 + hyper, user));
            }
        }
    }

    /// The position from which a hyper-transition was chosen.
    pub(crate) fn hyper_predecessor(&self, position: u32) -> Option<u32> {
        let arena = self.arena;
        let index = (arena.place(position) as usize).checked_sub(arena.model.states())?;
        let source = arena.model.hyper()[index].source;
        (self.bits_at(position) == MUST).then(|| arena.position(source, arena.equation(position)))
    }

    /// Whether a terminal position is won by the verifier.
    pub fn holds(&self, value: Truth) -> bool {
        match self.view {
            View::Pessimistic => value == Truth::True,
            View::Optimistic => value != Truth::False,
        }
    }
}

impl Arena for ArenaView<'_, '_> {
    #[inline]
    fn owner(&self, position: u32) -> Player {
        let arena = self.arena;
        let hyper = arena.place(position) as usize >= arena.model.states();
        match arena.plan.equations[arena.equation(position) as usize].op {
            Op::And(..) => Player::Falsifier,
            Op::Or(..) | Op::Pass(_) => Player::Verifier,
            Op::Modal(Modality::Box, ..) if hyper => Player::Verifier,
            Op::Modal(Modality::Dia, ..) if hyper => Player::Falsifier,
            Op::Modal(Modality::Box, ..) => Player::Falsifier,
            Op::Modal(Modality::Dia, ..) => Player::Verifier,
            Op::Const(_) | Op::Lit(..) => {
                let holds = arena.terminal(position).is_some_and(|value| self.holds(value));
                if holds { Player::Falsifier } else { Player::Verifier }
            }
        }
    }

    #[inline]
    fn priority(&self, position: u32) -> u32 {
        self.arena.plan.equations[self.arena.equation(position) as usize].priority
    }

    #[inline]
    fn find_successor(
        &self,
        position: u32,
        from: u32,
        found: impl FnMut(u32) -> bool,
    ) -> Option<u32> {
        self.arena.find(position, from, self.bits_at(position), found)
    }

    #[inline]
    fn successor_at(&self, position: u32, candidate: u32) -> u32 {
        self.arena.successor_at(position, candidate)
    }

    #[inline]
    fn for_each_predecessor(&self, position: u32, mut visit: impl FnMut(u32)) {
        let arena = self.arena;
        let (equation, place) = (arena.equation(position), arena.place(position));
        if place as usize >= arena.model.states() {
            return self.hyper_predecessor(position).into_iter().for_each(visit);
        }
        for &user in &arena.plan.users[equation as usize] {
            match arena.plan.equations[user as usize].op {
                Op::Modal(..) => self.for_each_modal_predecessor(position, user, &mut visit),
                _ => visit(arena.position(place, user)),
            }
        }
    }
}
