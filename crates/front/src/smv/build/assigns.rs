//! Assignments, and the turns that processes take.

use super::Builder;
use super::expressions::{describe, is_one_sort};
use super::scope::{ArrayVar, Definition, State, Symbol, Value};
use super::unsupported::{Lowered, Refusal};
use crate::smv::ast::{Expr, ExprId, Item};
use rustc_hash::FxHashMap;
use support::{Diagnostic, Span};
use transition::{Assign, Choice, ChoiceId, Domain, InstanceId, NodeId, VarId, VarKind, When};

/// An assignment to a variable in one instance.
#[derive(Clone)]
struct InstanceAssign {
    instance: InstanceId,
    choice: ChoiceId,
    span: Span,
}

type AssignsOf = FxHashMap<(VarId, When), Vec<InstanceAssign>>;

impl Builder<'_, '_> {
    pub(super) fn add_assigns(&mut self) {
        let mut assigns = AssignsOf::default();
        let mut order: Vec<(VarId, When)> = Vec::new();
        let mut left_out = FxHashMap::default();
        for index in 0..self.items.len() {
            let (instance, Item::Assign { when, target, value, span }) = self.items[index] else {
                continue;
            };
            let Ok(var) = self.target(instance, *target, *when) else { continue };
            let choice = match self.assigned(instance, var, *when, *value) {
                Ok(choice) => choice,
                Err(Refusal::Unsupported(construct)) => {
                    self.note_unsupported(construct);
                    left_out.entry(var).or_insert(construct);
                    continue;
                }
                Err(Refusal::Reported) => continue,
            };
            let place = assigns.entry((var, *when)).or_default();
            if place.is_empty() {
                order.push((var, *when));
            }
            place.push(InstanceAssign { instance, choice, span: *span });
        }
        self.refuse_twice(&assigns, &order);
        for key in order {
            let all = &assigns[&key];
            let (choice, writers) = match key.1 {
                When::Next => self.interleaved(key.0, all),
                When::Init | When::Always => (all[0].choice, vec![all[0].instance]),
            };
            let (var, when) = key;
            self.machine.assigns.push(Assign { var, when, choice, writers, span: all[0].span });
        }
        if !self.sink.has_errors() {
            self.refuse_cycles();
            self.close_unsupported(left_out);
        }
    }

    /// The variable that is assigned to.
    fn target(&mut self, scope: InstanceId, expr: ExprId, when: When) -> Lowered<VarId> {
        let span = self.span(expr);
        let var = match self.place(scope, expr)? {
            Symbol::Var(var) => var,
            Symbol::Array(_) => return Err(self.not_a_value(&array(), span)),
            Symbol::Instance(instance) => {
                return Err(self.not_a_value(&Value::Instance(instance), span));
            }
            Symbol::Undeclared => return Err(Refusal::Reported),
            Symbol::Unsupported(construct) => return Err(Refusal::Unsupported(construct)),
            Symbol::Def(_) | Symbol::Running(_) => return Err(self.not_assignable(span)),
        };
        let refusal = match (self.machine.vars[var].kind, when) {
            (VarKind::Input, _) => "an input gets any value in every step",
            (VarKind::Frozen, When::Next | When::Always) => {
                "a frozen variable keeps its first value"
            }
            _ => return Ok(var),
        };
        let (name, declared) = (self.variable_name(var).to_owned(), self.machine.vars[var].span);
        Err(self.error(|_| {
            let message = format!("`{name}` cannot be assigned to");
            Diagnostic::error(message, span, refusal)
                .with_label(declared, "declared here")
                .with_help("declare it by `VAR`")
        }))
    }

    fn not_assignable(&mut self, span: Span) -> Refusal {
        self.error(|_| {
            let message = "an assignment to what is no variable";
            Diagnostic::error(message, span, "this is defined elsewhere")
                .with_help("assign to variables only; definitions are made by `DEFINE`")
        })
    }

    /// Resolves a path of names and constant indices, through parameters.
    fn place(&mut self, scope: InstanceId, expr: ExprId) -> Lowered<Symbol> {
        if let Expr::Element(array, index) = *self.file.exprs.get(expr)
            && self.lookup(scope, expr).is_none()
        {
            return self.indexed(scope, array, index);
        }
        match self.lookup(scope, expr) {
            Some(Symbol::Def(def)) => {
                let (scope, inner) = (self.definitions[def].scope, self.definitions[def].expr);
                let is_path = matches!(
                    self.file.exprs.get(inner),
                    Expr::Name(_) | Expr::Dot(..) | Expr::Element(..)
                );
                self.demand(vec![def]);
                let Definition { is_argument, state, .. } = &self.definitions[def];
                let state = state.clone();
                let is_done = matches!(state, State::Done(_) | State::Unsupported(_));
                if is_done && *is_argument && is_path && self.leads_on(scope, inner) {
                    return self.place(scope, inner);
                }
                match state {
                    State::Unsupported(construct) => Err(Refusal::Unsupported(construct)),
                    _ => Err(self.not_assignable(self.span(expr))),
                }
            }
            Some(symbol) => Ok(symbol),
            None => Err(self.unknown_name(scope, expr)),
        }
    }

    /// Whether a path begins with a name that stands for something, and not with a constant.
    fn leads_on(&self, scope: InstanceId, expr: ExprId) -> bool {
        match self.file.exprs.get(expr) {
            Expr::Element(array, _) => self.leads_on(scope, *array),
            _ => self.lookup(scope, expr).is_some(),
        }
    }

    fn indexed(&mut self, scope: InstanceId, array: ExprId, index: ExprId) -> Lowered<Symbol> {
        let span = self.span(array);
        let found = match self.place(scope, array)? {
            Symbol::Array(found) => found,
            Symbol::Unsupported(construct) => return Err(Refusal::Unsupported(construct)),
            _ => {
                return Err(self.error(|_| {
                    Diagnostic::error("an index on what is no array", span, "this is no array")
                        .with_help("a word is assigned at once, not bit by bit")
                }));
            }
        };
        let node = self.node(scope, index);
        if let Err(Refusal::Unsupported(construct)) = node {
            // Any element may be meant, and so any may have this assignment.
            self.note_unsupported(construct);
            self.unsupported_constraint.get_or_insert(construct);
        }
        let node = node?;
        let place = self.span(index);
        let Some(value) = self.machine.exprs.as_constant(node) else {
            return Err(self.error(|_| {
                let message = "a variable index on the left of an assignment";
                Diagnostic::error(message, place, "this is no constant")
                    .with_help("assign to each element: `next(a[0]) := i = 0 ? … : a[0];`")
            }));
        };
        let ArrayVar { low, items } = &self.arrays[found];
        let (low, high) = (*low, *low + items.len() as i64 - 1);
        let item = usize::try_from(value - low).ok().and_then(|place| items.get(place)).copied();
        item.ok_or(()).map_err(|()| {
            self.error(|_| {
                let message = format!("the index {value} is outside of the array's bounds");
                Diagnostic::error(message, place, format!("the bounds are {low}..{high}"))
            })
        })
    }

    /// The assigned expression, converted to the type of the variable.
    fn assigned(
        &mut self,
        scope: InstanceId,
        var: VarId,
        when: When,
        value: ExprId,
    ) -> Lowered<ChoiceId> {
        let choice = self.choice(scope, value)?;
        let span = self.span(value);
        self.check_type(var, choice, span)?;
        if when != When::Next {
            let nodes = self.machine.choices.nodes(choice);
            let next = nodes.iter().find(|&&node| self.machine.exprs.reads_next(node));
            if let Some(&node) = next {
                let place = if when == When::Init { "`init(x) := …`" } else { "`x := …`" };
                self.refuse_next(node, value, place)?;
            }
            self.refuse_inputs(nodes, span, "an assignment to a state")?;
        }
        Ok(choice)
    }

    fn check_type(&mut self, var: VarId, choice: ChoiceId, span: Span) -> Lowered<()> {
        let (wanted, found) = (self.machine.vars[var].domain.ty(), self.set_type(choice));
        let declared = self.machine.vars[var].span;
        if !is_one_sort(wanted, found) {
            let name = self.variable_name(var).to_owned();
            return Err(self.error(|_| {
                let message =
                    format!("`{name}` is {} and is assigned {}", describe(wanted), describe(found));
                Diagnostic::error(message, span, format!("this is {}", describe(found)))
                    .with_label(declared, "declared here")
            }));
        }
        match self.impossible(var, choice) {
            Some(value) => {
                let text = self.machine.text(var, value);
                let name = self.variable_name(var).to_owned();
                Err(self.error(|_| {
                    let message = format!("`{name}` is assigned {text}, which is out of range");
                    Diagnostic::error(message, span, "outside of its type")
                        .with_label(declared, "declared here")
                }))
            }
            None => Ok(()),
        }
    }

    /// A value that is listed and that the variable cannot have.
    fn impossible(&self, var: VarId, choice: ChoiceId) -> Option<i64> {
        let domain: &Domain = &self.machine.vars[var].domain;
        let listed = match self.machine.choices.get(choice) {
            Choice::Any(parts) => parts.clone(),
            _ => vec![choice],
        };
        listed.into_iter().find_map(|part| match *self.machine.choices.get(part) {
            Choice::One(node) => {
                self.machine.exprs.as_constant(node).filter(|&value| !domain.contains(value))
            }
            Choice::Range(low, high) => {
                [low, high].into_iter().find(|&value| !domain.contains(value))
            }
            _ => None,
        })
    }

    /// A process changes its variables in its turns, and what no process changes in a turn stays.
    fn interleaved(&mut self, var: VarId, all: &[InstanceAssign]) -> (ChoiceId, Vec<InstanceId>) {
        let writers = all.iter().map(|assigns| assigns.instance).collect();
        if self.machine.selector.is_none() {
            return (all[0].choice, writers);
        }
        let now: NodeId = self.machine.now(var);
        let mut choice = self.machine.one(now);
        for assigns in all.iter().rev() {
            let process = self.scopes[assigns.instance].process.unwrap_or(InstanceId(0));
            let running = self.is_running(process);
            choice = self.machine.choose_if(running, assigns.choice, choice);
        }
        (choice, writers)
    }

    fn refuse_twice(&mut self, assigns: &AssignsOf, order: &[(VarId, When)]) {
        for &(var, when) in order {
            let all = &assigns[&(var, when)];
            for (index, second) in all.iter().enumerate() {
                let same_turn = |first: &&InstanceAssign| {
                    let process = |assigns: &InstanceAssign| self.scopes[assigns.instance].process;
                    when != When::Next || process(first) == process(second)
                };
                if let Some(first) = all[..index].iter().find(same_turn) {
                    let (first, second) = (first.span, second.span);
                    self.assigned_twice(var, first, second);
                }
            }
            if when == When::Always {
                continue;
            }
            if let Some(always) = assigns.get(&(var, When::Always)) {
                self.assigned_twice(var, always[0].span, all[0].span);
            }
        }
    }

    fn assigned_twice(&mut self, var: VarId, first: Span, second: Span) {
        let name = self.variable_name(var).to_owned();
        self.error(|_| {
            let message = format!("`{name}` is assigned to twice");
            Diagnostic::error(message, second, "assigned again here")
                .with_label(first, "assigned first here")
                .with_help("`x := …` says all; otherwise there is one `init(x)` and one `next(x)`")
        });
    }

    /// No value may depend on itself, at the start or in a step.
    fn refuse_cycles(&mut self) {
        for when in [When::Init, When::Next] {
            let mut needs: FxHashMap<VarId, (Vec<VarId>, Span)> = FxHashMap::default();
            for assign in &self.machine.assigns {
                if assign.when == when || assign.when == When::Always {
                    let access = self.machine.access(self.machine.choices.nodes(assign.choice));
                    let is_next = assign.when == When::Next;
                    let read = if is_next { access.next } else { access.now };
                    needs.insert(assign.var, (read, assign.span));
                }
            }
            if let Some(cycle) = cycle(&needs) {
                self.circular_assignment(&cycle, needs[&cycle[0]].1);
            }
        }
    }

    fn circular_assignment(&mut self, cycle: &[VarId], span: Span) {
        let names: Vec<String> =
            cycle.iter().map(|&var| format!("`{}`", self.variable_name(var))).collect();
        self.error(|_| {
            let message = format!("the value of {} depends on itself", names[0]);
            Diagnostic::error(message, span, "assigned here").with_help(format!(
                "the cycle is {} → {}",
                names.join(" → "),
                names[0]
            ))
        });
    }
}

/// Some array, to speak of.
fn array() -> Value {
    Value::Array(std::rc::Rc::new(super::scope::ArrayValue { low: 0, items: Vec::new() }))
}

/// Variables each of which needs the next one, and the last one the first.
fn cycle(needs: &FxHashMap<VarId, (Vec<VarId>, Span)>) -> Option<Vec<VarId>> {
    let mut done: FxHashMap<VarId, bool> = FxHashMap::default();
    let mut starts: Vec<VarId> = needs.keys().copied().collect();
    starts.sort_unstable();
    for start in starts {
        let mut open: Vec<(VarId, usize)> = vec![(start, 0)];
        if done.contains_key(&start) {
            continue;
        }
        done.insert(start, false);
        while let Some((var, place)) = open.last_mut() {
            let needed = needs.get(var).and_then(|(needed, _)| needed.get(*place)).copied();
            *place += 1;
            match needed.map(|needed| (needed, done.get(&needed).copied())) {
                None => {
                    done.insert(*var, true);
                    open.pop();
                }
                Some((needed, None)) => {
                    done.insert(needed, false);
                    open.push((needed, 0));
                }
                Some((needed, Some(false))) => {
                    let from = open.iter().position(|(var, _)| *var == needed)?;
                    return Some(open[from..].iter().map(|(var, _)| *var).collect());
                }
                Some((_, Some(true))) => {}
            }
        }
    }
    None
}
