//! A program as a machine (M Def. A.2): its variables, and a variable that says where it is. Bodies of procedures
//! are there once for every call.
//!
//! A location with several edges is taken apart into groups of edges that exclude each other. Where the groups
//! differ in more than one variable, an input says by which of them the program goes on.

use crate::cfg::graph::{Cfg, CfgEdge, CfgTarget, Location, LocationId};
use crate::cfg::groups::groups;
use crate::cfg::program::{CtlAtom, Effect, Program};
use crate::{
    Assign, Binary, ChoiceId, Domain, InstanceId, Machine, MachineVar, NodeId, StateProperty, Type,
    VarId, VarKind, When, symbol_value,
};
use rustc_hash::FxHashMap;
use support::{FileId, IdVec, Span};

/// A program as a symbolic transition system.
pub struct ProgramMachine {
    pub machine: Machine,
    /// The propositions as expressions over its variables.
    pub propositions: Vec<StateProperty>,
    /// The program counter, and the input that chooses among edges, if there is one.
    pub counter: VarId,
    pub choice: Option<VarId>,
    /// The commands at the locations, by value of the program counter.
    pub spans: Vec<(i64, Span)>,
}

/// The machine of a program without holes. The text is there for the numbers of lines, by which places are called.
pub fn machine_of(
    program: &Program,
    text: &str,
    propositions: &[(String, CtlAtom)],
) -> ProgramMachine {
    let cfg = Cfg::of(program, &[], &program.body);
    let mut machine = program.data.clone();
    let split: Split =
        cfg.locations.values().map(|location| groups(&machine.exprs, &location.edges)).collect();
    let places = places(&mut machine, program, &cfg, text);
    let mut encoder = Encoder::new(machine, places, &split);
    encoder.start(cfg.entry);
    encoder.steps(&split);
    let propositions = propositions
        .iter()
        .map(|(name, atom)| StateProperty { name: name.clone(), node: encoder.atom(*atom, &cfg) });
    let propositions = propositions.collect();
    let span =
        |(location, &symbol): (&Location, &i64)| (symbol, program.commands[location.command].span);
    let spans = cfg.locations.values().zip(&encoder.symbols).map(span).collect();
    let Encoder { machine, place: counter, choice, .. } = encoder;
    ProgramMachine { machine, propositions, counter, choice, spans }
}

/// The names of the locations, and of the place `error` behind them.
fn places(machine: &mut Machine, program: &Program, cfg: &Cfg, text: &str) -> Vec<i64> {
    let start = |location: &Location| program.commands[location.command].span.start as usize;
    let mut order: Vec<LocationId> = cfg.locations.ids().collect();
    // What follows has smaller numbers.
    order.sort_by_key(|&id| (start(&cfg.locations[id]), std::cmp::Reverse(id)));
    let prefix = unused_prefix(machine);
    let mut values = vec![0; cfg.locations.len() + 1];
    let names = line_names(text, order.iter().map(|&id| start(&cfg.locations[id])));
    for (id, name) in order.iter().zip(names) {
        let name = format!("{prefix}{name}");
        values[id.0 as usize] = symbol_value(machine.symbols.intern(&name));
    }
    values[cfg.locations.len()] = symbol_value(machine.symbols.intern("error"));
    values
}

/// The numbers of the lines in which something begins, in this order, with the number of the copy behind all but the
/// first of a line.
pub(crate) fn line_names(text: &str, starts: impl Iterator<Item = usize>) -> Vec<String> {
    let lines: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let mut copies: FxHashMap<usize, u32> = FxHashMap::default();
    let name = |start: usize| {
        let line = lines.partition_point(|&begin| begin <= start);
        let copy = copies.entry(line).or_insert(0);
        *copy += 1;
        if *copy == 1 { line.to_string() } else { format!("{line}_{copy}") }
    };
    starts.map(name).collect()
}

/// A prefix, before a number, that no name of the program begins with.
pub(super) fn unused_prefix(machine: &Machine) -> String {
    let mut prefix = "line".to_owned();
    let names = || machine.symbols.names().chain(machine.vars.values().map(|var| &*var.name));
    let begins = |name: &str, prefix: &str| {
        name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    while names().any(|name| begins(name, &prefix)) {
        prefix.push('_');
    }
    prefix
}

fn unused_name(machine: &Machine, wanted: &str) -> String {
    let mut name = wanted.to_owned();
    let is_taken = |name: &str| {
        machine.symbols.get(name).is_some() || machine.vars.values().any(|var| var.name == name)
    };
    while is_taken(&name) {
        name.push('_');
    }
    name
}

pub(super) struct Encoder {
    pub machine: Machine,
    /// Where the program is.
    pub place: VarId,
    /// Its value.
    pub here: NodeId,
    /// Which group of edges is taken, where that matters.
    pub choice: Option<VarId>,
    /// The symbols of the locations, and of `error`.
    pub symbols: Vec<i64>,
}

/// The value that the edges of a location give a variable, where they change it.
pub(super) type Changes = Vec<(VarId, ChoiceId)>;

/// The edges of each location in groups.
pub(super) type Split<'e> = IdVec<LocationId, Vec<Vec<&'e CfgEdge>>>;

impl Encoder {
    fn new(mut machine: Machine, symbols: Vec<i64>, split: &Split) -> Self {
        let mut in_order = symbols.clone();
        in_order.sort_unstable();
        let domain = Domain::Values(in_order);
        let place = add_var(&mut machine, "pc", domain, VarKind::State);
        let choice = choice_among(&mut machine, split.values());
        let here = machine.now(place);
        Self { machine, place, here, choice, symbols }
    }

    pub fn symbol(&mut self, index: usize) -> NodeId {
        self.machine.exprs.constant(self.symbols[index], Type::Scalar)
    }

    fn error(&mut self) -> NodeId {
        self.symbol(self.symbols.len() - 1)
    }

    /// A full program has no way out: it ends with `fin`.
    fn target(&mut self, place: CfgTarget) -> NodeId {
        match place {
            CfgTarget::Inside(location) => self.symbol(location.0 as usize),
            CfgTarget::Error | CfgTarget::Exit(_) => self.error(),
        }
    }

    pub fn is_at(&mut self, symbol: NodeId) -> NodeId {
        self.machine.exprs.eq(self.here, symbol)
    }

    fn assign(&mut self, var: VarId, when: When, choice: ChoiceId) {
        let (writers, span) = (vec![InstanceId(0)], self.machine.vars[var].span);
        self.machine.assigns.push(Assign { var, when, choice, writers, span });
    }

    fn start(&mut self, entry: LocationId) {
        let symbol = self.symbol(entry.0 as usize);
        let choice = self.machine.one(symbol);
        self.assign(self.place, When::Init, choice);
    }

    fn steps(&mut self, split: &Split) {
        let vars: Vec<VarId> = self.machine.state_vars().filter(|&var| var != self.place).collect();
        let mut next: FxHashMap<VarId, ChoiceId> = FxHashMap::default();
        for &var in &vars {
            let kept = self.machine.now(var);
            next.insert(var, self.machine.one(kept));
        }
        // The error location is never left.
        let error = self.error();
        let mut next_place = self.machine.one(error);
        for (location, groups) in split.iter() {
            let symbol = self.symbol(location.0 as usize);
            let is_here = self.is_at(symbol);
            let (place, changes) = self.step(groups);
            next_place = self.machine.choose_if(is_here, place, next_place);
            for (var, choice) in changes {
                let changed = self.machine.choose_if(is_here, choice, next[&var]);
                next.insert(var, changed);
            }
        }
        self.assign(self.place, When::Next, next_place);
        for var in vars {
            self.assign(var, When::Next, next[&var]);
        }
    }

    /// Where a location leads to, and what it changes.
    pub fn step(&mut self, groups: &[Vec<&CfgEdge>]) -> (ChoiceId, Changes) {
        let enabled: Vec<NodeId> = groups.iter().map(|group| self.enabled(group)).collect();
        let places: Vec<ChoiceId> = groups.iter().map(|group| self.group_target(group)).collect();
        let is_joint = is_joint(groups);
        let place = self.chosen(&places, &enabled, is_joint);
        let mut changes = Vec::new();
        for var in changed_vars(groups) {
            let values: Vec<ChoiceId> =
                groups.iter().map(|group| self.group_value(group, var)).collect();
            changes.push((var, self.chosen(&values, &enabled, is_joint)));
        }
        (place, changes)
    }

    /// Where some edge of the group can be taken.
    pub fn enabled(&mut self, group: &[&CfgEdge]) -> NodeId {
        let exprs = &mut self.machine.exprs;
        let guards = group.iter().map(|edge| edge.guard.unwrap_or_else(|| exprs.bool(true)));
        let guards = guards.collect();
        exprs.join(Binary::Or, guards)
    }

    /// One of the groups that are enabled: as the input says, or the first if that one is not.
    fn chosen(&mut self, values: &[ChoiceId], enabled: &[NodeId], is_joint: bool) -> ChoiceId {
        let machine = &mut self.machine;
        let always = |&node: &NodeId| machine.exprs.as_constant(node) == Some(1);
        let Some((&last, rest)) = values.split_last() else {
            return machine.one(self.here);
        };
        if rest.iter().all(|&value| value == last) {
            return last;
        }
        let choice = match self.choice {
            Some(choice) if is_joint || !enabled.iter().all(always) => choice,
            _ => return machine.any_of(values.to_vec()),
        };
        let mut chosen = last;
        for (&value, &enabled) in rest.iter().zip(enabled).rev() {
            chosen = machine.choose_if(enabled, value, chosen);
        }
        for (number, (&value, &enabled)) in values.iter().zip(enabled).enumerate() {
            let (choice, number) = (machine.now(choice), machine.exprs.int(number as i64));
            let is_meant = machine.exprs.eq(choice, number);
            let is_taken = machine.exprs.and(is_meant, enabled);
            chosen = machine.choose_if(is_taken, value, chosen);
        }
        chosen
    }

    /// Where a group leads to if it is enabled: most edges lead to one place.
    fn group_target(&mut self, group: &[&CfgEdge]) -> ChoiceId {
        let mut counts: FxHashMap<CfgTarget, usize> = FxHashMap::default();
        for edge in group {
            *counts.entry(edge.to).or_default() += 1;
        }
        let first = group.first().map_or(CfgTarget::Error, |edge| edge.to);
        let usual = group
            .iter()
            .map(|edge| edge.to)
            .fold(first, |best, to| if counts[&to] > counts[&best] { to } else { best });
        let mut target = self.target(usual);
        for edge in group.iter().filter(|edge| edge.to != usual) {
            let other = self.target(edge.to);
            let exprs = &mut self.machine.exprs;
            let guard = edge.guard.unwrap_or_else(|| exprs.bool(true));
            target = exprs.ite(guard, other, target);
        }
        self.machine.one(target)
    }

    /// The value that an enabled group of edges gives a variable.
    fn group_value(&mut self, group: &[&CfgEdge], var: VarId) -> ChoiceId {
        let machine = &mut self.machine;
        let kept = machine.now(var);
        let mut value = machine.one(kept);
        for (index, edge) in group.iter().enumerate() {
            let changed = match edge.effect {
                Effect::Set(other, node) if other == var => machine.one(node),
                Effect::Any(other) if other == var => {
                    let domain = machine.vars[var].domain.clone();
                    machine.any_value(&domain).unwrap_or(value)
                }
                _ => continue,
            };
            value = match edge.guard {
                Some(guard) if index > 0 || group.len() > 1 => {
                    machine.choose_if(guard, changed, value)
                }
                _ => changed,
            };
        }
        value
    }

    fn atom(&mut self, atom: CtlAtom, cfg: &Cfg) -> NodeId {
        match atom {
            CtlAtom::Holds(node) => node,
            CtlAtom::Error => {
                let error = self.error();
                self.is_at(error)
            }
            // Only programs with processes have it.
            CtlAtom::End => self.machine.exprs.bool(false),
            CtlAtom::At(label) => {
                let there = cfg.locations.iter().filter(|(_, place)| place.labels.contains(&label));
                let nodes = there.map(|(location, _)| {
                    let symbol = self.symbol(location.0 as usize);
                    self.is_at(symbol)
                });
                let nodes = nodes.collect();
                self.machine.exprs.join(Binary::Or, nodes)
            }
        }
    }
}

/// The input that says by which group of edges the program goes on, if one is needed.
pub(super) fn choice_among<'s, 'e: 's>(
    machine: &mut Machine,
    split: impl Iterator<Item = &'s Vec<Vec<&'e CfgEdge>>>,
) -> Option<VarId> {
    let most = split.filter(|groups| is_joint(groups)).map(Vec::len).max()?;
    Some(add_var(machine, "choice", Domain::Range(0, most as i64 - 1), VarKind::Input))
}

pub(super) fn add_var(machine: &mut Machine, name: &str, domain: Domain, kind: VarKind) -> VarId {
    let name = unused_name(machine, name);
    let span = Span::new(FileId(0), 0..0);
    machine.vars.push(MachineVar { name, domain, kind, instance: InstanceId(0), span })
}

fn changed_vars(groups: &[Vec<&CfgEdge>]) -> Vec<VarId> {
    let changed = |edge: &&CfgEdge| match edge.effect {
        Effect::Set(var, _) | Effect::Any(var) => Some(var),
        Effect::Nothing | Effect::Fails => None,
    };
    let mut vars: Vec<VarId> = groups.iter().flatten().filter_map(changed).collect();
    vars.sort_unstable();
    vars.dedup();
    vars
}

/// Whether groups differ in more than one thing, or may not be enabled: then what is chosen for one variable has to
/// be what is chosen for the others.
fn is_joint(groups: &[Vec<&CfgEdge>]) -> bool {
    if groups.len() < 2 {
        return false;
    }
    let mut edges = groups.iter().flatten();
    let first = edges.next().map(|edge| edge.to);
    let differs = edges.any(|edge| Some(edge.to) != first);
    let has_guard = groups.iter().flatten().any(|edge| edge.guard.is_some());
    has_guard || changed_vars(groups).len() + usize::from(differs) > 1
}
