//! Between what bounds the values of variables lie, in all states that can be reached.
//!
//! An interval for each variable of a process at each of its locations, where no other process changes it, and one for
//! each shared variable and each field of a channel. They grow until nothing changes; what grows too often is
//! given the bounds of its type.

use super::super::program::{
    Action, ChannelId, ExprId, LocationId, Pattern, ProcessId, PromelaBinary, PromelaEdge,
    PromelaExpr, PromelaModel, PromelaUnary, PromelaVar, Storage, VarId, VarType,
};
use rustc_hash::FxHashMap;
use support::IdVec;

type Interval = (i64, i64);

/// Something that grows more often than this grows at once as far as it can.
const MOST_GROWTH: u32 = 300;

/// Bounds that are those of so many bits, with or without a sign.
pub(super) struct Ranges {
    pub vars: IdVec<VarId, (i32, i32)>,
    /// By channel, the bounds of each field.
    pub fields: IdVec<ChannelId, Vec<(i32, i32)>>,
}

pub(super) fn ranges(program: &PromelaModel) -> Ranges {
    let mut analysis = Analysis::new(program);
    analysis.run();
    let most = (0, program.processes.len() as i64);
    let vars = program.vars.iter().map(|(id, var)| {
        let is_pid = var.owner.is_some_and(|owner| program.processes[owner].pid == Some(id));
        if is_pid || program.count == Some(id) {
            return rounded(var.ty, most);
        }
        let own = analysis.all_places(id).unwrap_or(analysis.shared[id]);
        rounded(var.ty, own)
    });
    let fields = program.channels.iter().map(|(id, channel)| {
        let found = channel.fields.iter().zip(&analysis.fields[id]);
        found.map(|(ty, interval)| rounded(*ty, *interval)).collect()
    });
    Ranges { vars: vars.collect(), fields: fields.collect() }
}

/// The bounds of the fewest bits that have these values.
fn rounded(ty: VarType, (low, high): Interval) -> (i32, i32) {
    let bits = |value: i64| 64 - value.leading_zeros();
    let width = bits(high.max(0)).max(bits((-1 - low).max(0)));
    let most = (1i64 << width) - 1;
    let least = if low < 0 { -most - 1 } else { 0 };
    let (lowest, highest) = ty.range();
    if most > highest.into() || least < lowest.into() {
        return (lowest, highest);
    }
    (least as i32, most.max(1) as i32)
}

/// The abstract values of the variables of a process at a location.
type Known = FxHashMap<VarId, Interval>;

struct Analysis<'p> {
    program: &'p PromelaModel,
    /// By process and place; nothing if it is never reached.
    places: FxHashMap<(ProcessId, LocationId), Known>,
    /// All variables, as far as others can see them.
    shared: IdVec<VarId, Interval>,
    fields: IdVec<ChannelId, Vec<Interval>>,
    growth: u32,
    has_changed: bool,
}

impl<'p> Analysis<'p> {
    fn new(program: &'p PromelaModel) -> Self {
        let shared = program.vars.values().map(|var| (var.init.into(), var.init.into())).collect();
        let fields = program.channels.values().map(|channel| vec![(0, 0); channel.fields.len()]);
        Self {
            program,
            places: FxHashMap::default(),
            shared,
            fields: fields.collect(),
            growth: 0,
            has_changed: true,
        }
    }

    fn run(&mut self) {
        let program = self.program;
        for (process, described) in program.processes.iter() {
            if described.is_active {
                self.reach(process, described.start, self.beginning(process));
            }
        }
        while std::mem::take(&mut self.has_changed) {
            self.growth += 1;
            for (process, described) in program.processes.iter() {
                for edge in &described.edges {
                    self.edge(process, edge);
                }
            }
        }
    }

    /// The abstract values of the variables of a process at its start.
    fn beginning(&self, process: ProcessId) -> Known {
        let vars = self.program.vars.iter().filter(|(_, var)| var.owner == Some(process));
        vars.map(|(id, var)| (id, (var.init.into(), var.init.into()))).collect()
    }

    /// A variable at all places of its process.
    fn all_places(&self, var: VarId) -> Option<Interval> {
        let owner = self.program.vars[var].owner?;
        let places = self.places.iter().filter(|((process, _), _)| *process == owner);
        let init = i64::from(self.program.vars[var].init);
        let start = (init, init);
        Some(places.filter_map(|(_, known)| known.get(&var)).fold(start, |a, b| hull(a, *b)))
    }

    fn edge(&mut self, process: ProcessId, edge: &PromelaEdge) {
        let Some(known) = self.places.get(&(process, edge.source)) else { return };
        let mut known = known.clone();
        if !self.refine(edge.guard, true, &mut known) {
            return;
        }
        match &edge.action {
            Action::Pass | Action::Print { .. } | Action::Die | Action::Overflow => {}
            Action::Assert(condition) => {
                if !self.refine(*condition, true, &mut known) {
                    return;
                }
            }
            Action::Assign { place, value } => {
                let value = self.value(*value, &known);
                self.store(*place, value, &mut known);
            }
            Action::Send { channel, values, .. } => {
                for (field, value) in values.iter().enumerate() {
                    let value = self.value(*value, &known);
                    self.send(*channel, field, value);
                }
            }
            Action::Receive { channel, patterns, .. } => {
                for (field, pattern) in patterns.iter().enumerate() {
                    if let Pattern::Store(place) = pattern {
                        let value = self.fields[*channel][field];
                        self.store(*place, value, &mut known);
                    }
                }
            }
            Action::Start { process, values } => {
                let mut begins = self.beginning(*process);
                for (var, value) in values {
                    let value = self.value(*value, &known);
                    let PromelaVar { ty, owner, .. } = self.program.vars[*var];
                    match owner {
                        Some(_) => {
                            begins.insert(*var, cut(ty, value));
                        }
                        None => self.store(Storage::Var(*var), value, &mut known),
                    }
                }
                self.reach(*process, self.program.processes[*process].start, begins);
            }
        }
        self.reach(process, edge.target, known);
    }

    fn grown(&mut self, old: Interval, new: Interval, ty: VarType) -> Interval {
        let joined = hull(old, new);
        if joined == old {
            return old;
        }
        self.has_changed = true;
        let (lowest, highest) = ty.range();
        match self.growth > MOST_GROWTH {
            true => (lowest.into(), highest.into()),
            false => joined,
        }
    }

    fn reach(&mut self, process: ProcessId, place: LocationId, known: Known) {
        let Some(mut old) = self.places.remove(&(process, place)) else {
            self.has_changed = true;
            self.places.insert((process, place), known);
            return;
        };
        for (var, new) in known {
            let before = old[&var];
            let after = self.grown(before, new, self.program.vars[var].ty);
            old.insert(var, after);
        }
        self.places.insert((process, place), old);
    }

    fn send(&mut self, channel: ChannelId, field: usize, value: Interval) {
        let ty = self.program.channels[channel].fields[field];
        let old = self.fields[channel][field];
        self.fields[channel][field] = self.grown(old, cut(ty, value), ty);
    }

    fn store(&mut self, place: Storage, value: Interval, known: &mut Known) {
        match place {
            Storage::Nowhere => {}
            Storage::Var(var) => {
                let ty = self.program.vars[var].ty;
                let value = cut(ty, value);
                match known.get_mut(&var) {
                    Some(own) => *own = value,
                    None => self.shared[var] = self.grown(self.shared[var], value, ty),
                }
            }
            Storage::Element(array, _) => {
                let array = &self.program.arrays[array];
                for var in (array.first.0..array.first.0 + array.len).map(VarId) {
                    let ty = self.program.vars[var].ty;
                    let value = cut(ty, value);
                    match known.get_mut(&var) {
                        Some(own) => *own = hull(*own, value),
                        None => self.shared[var] = self.grown(self.shared[var], value, ty),
                    }
                }
            }
        }
    }

    fn var(&self, var: VarId, known: &Known) -> Interval {
        known.get(&var).copied().unwrap_or(self.shared[var])
    }

    fn value(&self, expr: ExprId, known: &Known) -> Interval {
        let found = match &self.program.exprs[expr] {
            PromelaExpr::Const(value) => ((*value).into(), (*value).into()),
            PromelaExpr::Var(var) => self.var(*var, known),
            PromelaExpr::Element(array, _) => {
                let array = &self.program.arrays[*array];
                let vars = (array.first.0..array.first.0 + array.len).map(VarId);
                // What there is not is 0.
                vars.fold((0, 0), |all, var| hull(all, self.var(var, known)))
            }
            PromelaExpr::Unary(PromelaUnary::Neg, a) => {
                let (low, high) = self.value(*a, known);
                (-high, -low)
            }
            PromelaExpr::Unary(PromelaUnary::Complement, a) => {
                let (low, high) = self.value(*a, known);
                (-1 - high, -1 - low)
            }
            PromelaExpr::Binary(operator, a, b) if !operator.is_truth() => {
                arithmetic(*operator, self.value(*a, known), self.value(*b, known))
            }
            PromelaExpr::If(_, then, otherwise) => {
                hull(self.value(*then, known), self.value(*otherwise, known))
            }
            PromelaExpr::Len(channel) => (0, self.program.channels[*channel].capacity.into()),
            PromelaExpr::Unary(PromelaUnary::Not, _)
            | PromelaExpr::Binary(..)
            | PromelaExpr::CanReceive(..)
            | PromelaExpr::At(..)
            | PromelaExpr::IsThere(_)
            | PromelaExpr::Timeout => (0, 1),
        };
        cut(VarType::Int, found)
    }

    /// Keeps of the process's own variables what an expression leaves if it is true, or false; whether anything is
    /// left.
    fn refine(&self, expr: ExprId, is_true: bool, known: &mut Known) -> bool {
        match &self.program.exprs[expr] {
            PromelaExpr::Const(value) => (*value != 0) == is_true,
            PromelaExpr::Unary(PromelaUnary::Not, a) => self.refine(*a, !is_true, known),
            PromelaExpr::Binary(PromelaBinary::And, a, b) if is_true => {
                self.refine(*a, true, known) && self.refine(*b, true, known)
            }
            PromelaExpr::Binary(PromelaBinary::Or, a, b) if !is_true => {
                self.refine(*a, false, known) && self.refine(*b, false, known)
            }
            PromelaExpr::Binary(operator, a, b) => {
                let Some(operator) = compared(*operator, is_true) else { return true };
                let (left, right) = (self.value(*a, known), self.value(*b, known));
                self.narrow(*a, below(operator, left, right), known)
                    && self.narrow(*b, below(mirrored(operator), right, left), known)
            }
            _ => true,
        }
    }

    /// Gives a variable of the process new bounds.
    fn narrow(&self, expr: ExprId, (low, high): Interval, known: &mut Known) -> bool {
        if let PromelaExpr::Var(var) = self.program.exprs[expr]
            && let Some(own) = known.get_mut(&var)
        {
            *own = (own.0.max(low), own.1.min(high));
            return own.0 <= own.1;
        }
        true
    }
}

fn hull(a: Interval, b: Interval) -> Interval {
    (a.0.min(b.0), a.1.max(b.1))
}

/// The range of values between these after truncation to a type.
fn cut(ty: VarType, (low, high): Interval) -> Interval {
    let (lowest, highest) = ty.range();
    if low < lowest.into() || high > highest.into() {
        return (lowest.into(), highest.into());
    }
    (low, high)
}

fn arithmetic(operator: PromelaBinary, a: Interval, b: Interval) -> Interval {
    const ANY: Interval = (i32::MIN as i64, i32::MAX as i64);
    match operator {
        PromelaBinary::Add => (a.0 + b.0, a.1 + b.1),
        PromelaBinary::Sub => (a.0 - b.1, a.1 - b.0),
        PromelaBinary::Mul => {
            let corners = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
            corners.into_iter().fold((corners[0], corners[0]), |all, c| hull(all, (c, c)))
        }
        PromelaBinary::Div => {
            let size = a.0.abs().max(a.1.abs());
            (if a.0 < 0 || b.0 < 0 { -size } else { 0 }, size)
        }
        PromelaBinary::Mod => {
            // By 0 the dividend is left.
            let size = match b.0 > 0 {
                true => b.1 - 1,
                false => a.0.abs().max(a.1.abs()),
            };
            (if a.0 < 0 { -size } else { 0 }, if a.1 > 0 { size } else { 0 })
        }
        PromelaBinary::BitAnd | PromelaBinary::BitOr | PromelaBinary::BitXor
            if a.0 >= 0 && b.0 >= 0 =>
        {
            let width = 64 - a.1.max(b.1).leading_zeros();
            (0, (1 << width) - 1)
        }
        _ => ANY,
    }
}

/// A comparison that is true, or the one that is true instead.
fn compared(operator: PromelaBinary, is_true: bool) -> Option<PromelaBinary> {
    Some(match (operator, is_true) {
        (PromelaBinary::Eq, true) | (PromelaBinary::Ne, false) => PromelaBinary::Eq,
        (PromelaBinary::Lt, true) | (PromelaBinary::Ge, false) => PromelaBinary::Lt,
        (PromelaBinary::Le, true) | (PromelaBinary::Gt, false) => PromelaBinary::Le,
        (PromelaBinary::Gt, true) | (PromelaBinary::Le, false) => PromelaBinary::Gt,
        (PromelaBinary::Ge, true) | (PromelaBinary::Lt, false) => PromelaBinary::Ge,
        _ => return None,
    })
}

fn mirrored(operator: PromelaBinary) -> PromelaBinary {
    match operator {
        PromelaBinary::Lt => PromelaBinary::Gt,
        PromelaBinary::Le => PromelaBinary::Ge,
        PromelaBinary::Gt => PromelaBinary::Lt,
        PromelaBinary::Ge => PromelaBinary::Le,
        other => other,
    }
}

/// The range of the left operand of a comparison that holds.
fn below(operator: PromelaBinary, left: Interval, right: Interval) -> Interval {
    match operator {
        PromelaBinary::Eq => right,
        PromelaBinary::Lt => (left.0, right.1 - 1),
        PromelaBinary::Le => (left.0, right.1),
        PromelaBinary::Gt => (right.0 + 1, left.1),
        _ => (right.0, left.1),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::read_promela;
    use super::*;
    use support::FileId;

    fn bounds(text: &str) -> Vec<(String, (i32, i32))> {
        let program = read_promela(FileId(0), text).expect("a program");
        let found = ranges(&program);
        program.vars.iter().map(|(id, var)| (var.name.clone(), found.vars[id])).collect()
    }

    fn bound(text: &str, name: &str) -> (i32, i32) {
        bounds(text).into_iter().find(|(own, _)| own == name).expect("the variable").1
    }

    #[test]
    fn counters_stay_as_small_as_their_guards_say() {
        let text = "active proctype P() { int i; do :: i < 5 -> i++ :: else -> break od; i = 0 }";
        assert_eq!(bound(text, "P:i"), (0, 7));
        let text = "int x; active proctype P() { do :: x = (x + 1) % 3 od }";
        assert_eq!(bound(text, "x"), (0, 3));
        let text = "active proctype P() { int i = 3; do :: i > -2 -> i-- :: else -> break od }";
        assert_eq!(bound(text, "P:i"), (-4, 3));
    }

    #[test]
    fn what_others_change_grows_to_its_type() {
        let text = "byte x; active [2] proctype P() { do :: x < 3 -> x++ od }";
        assert_eq!(bound(text, "x"), (0, 255));
        let text = "int x; active proctype P() { do :: x++ od }";
        assert_eq!(bound(text, "x"), (i32::MIN, i32::MAX));
        let text = "bool b; active proctype P() { b = 2 }";
        assert_eq!(bound(text, "b"), (0, 1));
    }

    #[test]
    fn messages_bring_values_with_them() {
        let text = "chan c = [1] of { int }; active proctype P() { c!9 } \
                    active proctype Q() { int y; c?y }";
        assert_eq!(bound(text, "Q:y"), (0, 15));
        let text = "proctype P(int n) { n = n + 1 } init { int k; k = 6; run P(k) }";
        assert_eq!(bound(text, "P:n"), (0, 7));
    }
}
