//! The states of a program that can be reached, each with the commands that are left and a stack of calls: an
//! interpreter of the commands as they stand there, which knows no control-flow graph. With it go recursion and jumps.

use logic::Truth;
use model::{Kind, Mode, ModelBuilder, PartialModel};
use std::collections::HashMap;
use transition::cfg::{
    Branch, CommandId, CommandKind, CtlAtom, Effect, Jump, LabelId, Program, Test,
};
use transition::{ExprNode, NodeId, Section, VarId};

/// A frame of the stack of pending commands, the next one last.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Left {
    Command(CommandId),
    /// The condition again, behind the body of a loop.
    Again(CommandId),
    /// The end of a body that has no frame.
    EndOfBody,
    /// The end of a recursive call, with the caller's values of its variables.
    EndOfCall(CommandId, Vec<i64>),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum State {
    Running(Vec<Left>, Vec<i64>),
    Failed(Vec<i64>),
    /// There are more frames than are looked at: anything can happen.
    TooDeep,
}

/// Labelled with these atoms. Behind calls that are more than so many deep, nothing is known. `None` if there are more
/// states than this.
pub fn stacked_model(
    program: &Program,
    propositions: &[(String, CtlAtom)],
    deepest: usize,
    most: usize,
) -> Option<PartialModel> {
    let builder = ModelBuilder::new(Kind::Kmts, "program");
    let mut walk = Walk { program, deepest, builder, known: HashMap::new(), open: Vec::new() };
    for values in walk.beginnings(propositions) {
        let left = program.body.iter().rev().map(|&command| Left::Command(command)).collect();
        let start = walk.settled(left, values);
        let start = walk.number(start);
        walk.builder.init(start);
    }
    while let Some(state) = walk.open.pop() {
        let (source, mode) = (
            walk.known[&state],
            match state {
                State::TooDeep => Mode::MAY,
                _ => Mode::BOTH,
            },
        );
        for next in walk.next(&state) {
            let target = walk.number(next);
            walk.builder.edge(source, None, mode, target);
        }
        if walk.known.len() > most {
            return None;
        }
    }
    for (name, atom) in propositions {
        let prop = walk.builder.prop(name);
        for (state, &number) in &walk.known {
            let value = holds(program, state, *atom);
            walk.builder.label(number, prop, value);
        }
    }
    Some(walk.builder.finish())
}

/// Whether the program has a path through these states, each given by its next command, which is none after a run-time
/// error, and its values. Of an ended call the command is next once more. Calls that are too deep are taken to fit.
pub fn has_stacked_path(
    program: &Program,
    propositions: &[(String, CtlAtom)],
    deepest: usize,
    path: &[(Option<CommandId>, Vec<i64>)],
) -> bool {
    let builder = ModelBuilder::new(Kind::Kmts, "program");
    let walk = Walk { program, deepest, builder, known: HashMap::new(), open: Vec::new() };
    let fits = |state: &State, (command, values): &(Option<CommandId>, Vec<i64>)| match state {
        State::TooDeep => true,
        State::Failed(own) => command.is_none() && own == values,
        State::Running(left, own) => own == values && next_command(left) == *command,
    };
    let first = |values: Vec<i64>| {
        let left = program.body.iter().rev().map(|&command| Left::Command(command)).collect();
        walk.settled(left, values)
    };
    let mut states: Vec<State> = walk.beginnings(propositions).into_iter().map(first).collect();
    for (number, shown) in path.iter().enumerate() {
        if number > 0 {
            states = states.iter().flat_map(|state| walk.next(state)).collect();
        }
        states.retain(|state| fits(state, shown));
    }
    !states.is_empty()
}

fn next_command(left: &[Left]) -> Option<CommandId> {
    match left.last()? {
        Left::Command(command) | Left::Again(command) | Left::EndOfCall(command, _) => {
            Some(*command)
        }
        Left::EndOfBody => None,
    }
}

struct Walk<'p> {
    program: &'p Program,
    deepest: usize,
    builder: ModelBuilder,
    known: HashMap<State, u32>,
    open: Vec<State>,
}

impl Walk<'_> {
    fn number(&mut self, state: State) -> u32 {
        if let Some(&known) = self.known.get(&state) {
            return known;
        }
        let number = self.builder.state(format!("s{}", self.known.len()));
        self.known.insert(state.clone(), number);
        self.open.push(state);
        number
    }

    /// Values at the start. Variables of procedures are assigned before they are read, so where none is asked for,
    /// it has its first value.
    fn beginnings(&self, propositions: &[(String, CtlAtom)]) -> Vec<Vec<i64>> {
        let data = &self.program.data;
        let asked = propositions.iter().filter_map(|(_, atom)| match atom {
            CtlAtom::Holds(node) => Some(*node),
            _ => None,
        });
        let asked = data.access(asked).now;
        let mut found = vec![Vec::new()];
        for (id, var) in data.vars.iter() {
            let is_free = !var.name.contains('.') || asked.contains(&id);
            let size = if is_free { var.domain.size() as u64 } else { 1 };
            let longer = |values: Vec<i64>| {
                (0..size).map(move |number| [&values[..], &[var.domain.value(number)]].concat())
            };
            found = found.into_iter().flat_map(longer).collect();
        }
        let start = data.constraints.iter().filter(|one| one.section == Section::Init);
        let start: Vec<NodeId> = start.map(|one| one.node).collect();
        found.retain(|values| start.iter().all(|&node| value(self.program, node, values) == 1));
        found
    }

    /// Executes the commands that take no step.
    fn settled(&self, mut left: Vec<Left>, values: Vec<i64>) -> State {
        loop {
            match left.last() {
                Some(Left::EndOfBody) => {
                    left.pop();
                }
                Some(Left::Command(command)) => match self.program.commands[*command].kind {
                    CommandKind::Call(procedure) => {
                        *left.last_mut().unwrap() = Left::EndOfBody;
                        let body = &self.program.procedures[procedure].body;
                        left.extend(body.iter().rev().map(|&command| Left::Command(command)));
                    }
                    _ => return State::Running(left, values),
                },
                Some(_) => return State::Running(left, values),
                None => panic!("a program ends with `fin`"),
            }
        }
    }

    fn next(&self, state: &State) -> Vec<State> {
        let State::Running(left, values) = state else { return vec![state.clone()] };
        let mut rest = left.clone();
        let top = rest.pop().expect("something is left");
        match top {
            Left::Command(command) | Left::Again(command) => self.command(command, rest, values),
            Left::EndOfCall(command, frame) => {
                let CommandKind::Recurse(call) = &self.program.commands[command].kind else {
                    panic!("a call")
                };
                let mut after = values.clone();
                for (var, value) in call.saved.iter().zip(frame) {
                    after[var.0 as usize] = value;
                }
                for &(target, result) in &call.results {
                    let value = values[result.0 as usize];
                    if !self.program.data.vars[target].domain.contains(value) {
                        return vec![State::Failed(values.clone())];
                    }
                    after[target.0 as usize] = value;
                }
                vec![self.settled(rest, after)]
            }
            Left::EndOfBody => panic!("it takes no step"),
        }
    }

    fn command(&self, command: CommandId, mut rest: Vec<Left>, values: &[i64]) -> Vec<State> {
        let holds = |node: NodeId| value(self.program, node, values) == 1;
        let then = |mut rest: Vec<Left>, block: &[CommandId]| {
            rest.extend(block.iter().rev().map(|&command| Left::Command(command)));
            self.settled(rest, values.to_vec())
        };
        let failed = || State::Failed(values.to_vec());
        let tested = |test: &Test| {
            if holds(test.holds) { Some(true) } else { holds(test.fails_to_hold).then_some(false) }
        };
        match &self.program.commands[command].kind {
            CommandKind::Fin => {
                rest.push(Left::Command(command));
                vec![self.settled(rest, values.to_vec())]
            }
            CommandKind::Step(branches) => {
                branches.iter().flat_map(|branch| self.branch(branch, &rest, values)).collect()
            }
            CommandKind::If { test, then: yes, otherwise } => match tested(test) {
                Some(true) => vec![then(rest, yes)],
                Some(false) => vec![then(rest, otherwise)],
                None => vec![failed()],
            },
            CommandKind::While { test, body } => match tested(test) {
                Some(true) => {
                    rest.push(Left::Again(command));
                    vec![then(rest, body)]
                }
                Some(false) => vec![then(rest, &[])],
                None => vec![failed()],
            },
            CommandKind::Jump(jump) => {
                let is_target = |left: &Left| match jump {
                    Jump::Break | Jump::Continue => matches!(left, Left::Again(_)),
                    Jump::Return => matches!(left, Left::EndOfBody | Left::EndOfCall(..)),
                };
                while !rest.last().is_some_and(is_target) {
                    rest.pop().expect("a jump leads somewhere");
                }
                if *jump == Jump::Break {
                    rest.pop();
                }
                vec![then(rest, &[])]
            }
            CommandKind::Recurse(call) => {
                if !holds(call.is_fine) {
                    return vec![failed()];
                }
                let frames = rest.iter().filter(|left| matches!(left, Left::EndOfCall(..)));
                if frames.count() == self.deepest {
                    return vec![State::TooDeep];
                }
                let frame = call.saved.iter().map(|var| values[var.0 as usize]).collect();
                rest.push(Left::EndOfCall(command, frame));
                let body = &self.program.procedures[call.procedure].body;
                rest.extend(body.iter().rev().map(|&command| Left::Command(command)));
                let mut inside = values.to_vec();
                for &(var, node) in &call.arguments {
                    inside[var.0 as usize] = value(self.program, node, values);
                }
                vec![self.settled(rest, inside)]
            }
            CommandKind::Call(_) | CommandKind::Hole { .. } => panic!("not here"),
        }
    }

    fn branch(&self, branch: &Branch, rest: &[Left], values: &[i64]) -> Vec<State> {
        if branch.guard.is_some_and(|guard| value(self.program, guard, values) != 1) {
            return Vec::new();
        }
        let with = |var: VarId, value: i64| {
            let mut after = values.to_vec();
            after[var.0 as usize] = value;
            self.settled(rest.to_vec(), after)
        };
        match branch.effect {
            Effect::Nothing => vec![self.settled(rest.to_vec(), values.to_vec())],
            Effect::Fails => vec![State::Failed(values.to_vec())],
            Effect::Set(var, node) => vec![with(var, value(self.program, node, values))],
            Effect::Any(var) => {
                let domain = &self.program.data.vars[var].domain;
                (0..domain.size() as u64).map(|number| with(var, domain.value(number))).collect()
            }
        }
    }
}

fn value(program: &Program, node: NodeId, values: &[i64]) -> i64 {
    let leaf =
        |leaf: ExprNode| if let ExprNode::Now(var) = leaf { values[var.0 as usize] } else { 0 };
    let value = program.data.exprs.evaluate(node, leaf);
    value.unwrap_or_else(|_| panic!("{node:?} goes wrong"))
}

fn holds(program: &Program, state: &State, atom: CtlAtom) -> Truth {
    let (State::Running(_, values) | State::Failed(values)) = state else { return Truth::Unknown };
    Truth::from(match atom {
        CtlAtom::Holds(node) => value(program, node, values) == 1,
        CtlAtom::Error => matches!(state, State::Failed(_)),
        CtlAtom::End => false,
        CtlAtom::At(label) => is_at(program, state, label),
    })
}

fn is_at(program: &Program, state: &State, label: LabelId) -> bool {
    let State::Running(left, _) = state else { return false };
    let Some(Left::Command(command) | Left::Again(command)) = left.last() else { return false };
    program.commands[*command].labels.contains(&label)
}
