//! A while-program as it is after reading: names are looked up, calls have become assignments around a body, and
//! commands that can fail have the condition of their run-time errors.

use crate::{Machine, NodeId, VarId};
use rustc_hash::FxHashMap;
use support::{IdVec, Interner, Span, define_id};

define_id!(CommandId, "c");
define_id!(LabelId, "l");
define_id!(ProcedureId, "p");
define_id!(
    /// A part that is not written yet.
    HoleId,
    "h"
);

/// A full program of M Def. 3.1.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Its variables, all of them part of the state, and its expressions. Constraints on the start are what
    /// initial values say (M Def. A.2 has none: a program starts with any values). No expression in it that a
    /// command or an atom refers to can fail.
    pub data: Machine,
    pub commands: IdVec<CommandId, ProgramCommand>,
    /// Ends with `fin`, which is nowhere else.
    pub body: Block,
    /// In the place of the body, those of a program with `process`, `assume` or `int`: they run interleaved.
    pub processes: Vec<ProgramProcess>,
    /// A procedure calls only those before it, but for recursive calls.
    pub procedures: IdVec<ProcedureId, Procedure>,
    pub labels: Interner<LabelId>,
    pub holes: Interner<HoleId>,
}

#[derive(Clone, Debug)]
pub struct ProgramProcess {
    /// Empty for the program itself.
    pub name: String,
    pub span: Span,
    /// Ends with `fin`, which is nowhere else.
    pub body: Block,
    /// The variables that it has in the place of those of procedures that others call, too.
    pub own: FxHashMap<VarId, VarId>,
}

/// Commands one after the other; at least one.
pub type Block = Vec<CommandId>;

#[derive(Clone, Debug)]
pub struct ProgramCommand {
    pub kind: CommandKind,
    pub labels: Vec<LabelId>,
    /// Of an `if` or a `while`, with its body.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum CommandKind {
    /// An infinite loop that changes nothing.
    Fin,
    /// One step; for all values of the variables some branch can be taken, except of an `assume`, which programs with
    /// processes have. `skip` has one that does nothing.
    Step(Vec<Branch>),
    If {
        test: Test,
        then: Block,
        otherwise: Block,
    },
    While {
        test: Test,
        body: Block,
    },
    /// Runs the body and takes no step itself. The assignments of its parameters stand around it.
    Call(ProcedureId),
    /// A call of a procedure that may call itself: one step into the body, and one back from its end.
    Recurse(RecursiveCall),
    /// One step to somewhere else than the next command.
    Jump(Jump),
    /// Anything that a program could do to these variables, in at least one step.
    Hole {
        hole: HoleId,
        frame: Vec<VarId>,
    },
}

/// A call with a frame of its own. The step into the body assigns the arguments, all at once; the step back restores
/// the caller's variables and then assigns the results, in this order.
#[derive(Clone, Debug)]
pub struct RecursiveCall {
    pub procedure: ProcedureId,
    /// The parameters with their values. Where `is_fine` does not hold, the step is a run-time error.
    pub arguments: Vec<(VarId, NodeId)>,
    /// All arguments are defined and values that the parameters can have.
    pub is_fine: NodeId,
    /// The variables that get results, each with the parameter. A value that a variable cannot have is a run-time
    /// error.
    pub results: Vec<(VarId, VarId)>,
    /// The caller's own variables, if the procedure may call the caller.
    pub saved: Vec<VarId>,
}

/// Where a jump leads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Jump {
    /// Behind the innermost loop around it.
    Break,
    /// To the condition of the innermost loop around it.
    Continue,
    /// Behind the call of the procedure.
    Return,
}

/// One way in which a step can go.
#[derive(Clone, Copy, Debug)]
pub struct Branch {
    /// When it is possible; always, if nothing is said.
    pub guard: Option<NodeId>,
    pub effect: Effect,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    Nothing,
    /// The value is one that the variable can have, wherever the guard holds.
    Set(VarId, NodeId),
    /// Any of its values.
    Any(VarId),
    /// A run-time error: no value changes, and the program stays at the location `error` for ever.
    Fails,
}

/// A condition. To evaluate it is a step. For all values one of the three is true, and only one.
#[derive(Clone, Copy, Debug)]
pub struct Test {
    pub holds: NodeId,
    pub fails_to_hold: NodeId,
    /// Where evaluating it is a run-time error; `None` if it never is.
    pub error_condition: Option<NodeId>,
}

/// A body that is run from several places. Its parameters and its variables are variables of the program.
#[derive(Clone, Debug)]
pub struct Procedure {
    pub name: String,
    pub body: Block,
    pub span: Span,
}

/// An atomic proposition about a state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CtlAtom {
    /// An expression that cannot fail.
    Holds(NodeId),
    /// `at_l`.
    At(LabelId),
    /// A run-time error has occurred.
    Error,
    /// All processes have ended, in a program that has some.
    End,
}

impl Program {
    /// The labels at the entry of a command.
    pub fn labels_of(&self, command: CommandId) -> Vec<LabelId> {
        match self.commands[command].kind {
            CommandKind::Call(procedure) => self.labels_of(self.procedures[procedure].body[0]),
            _ => self.commands[command].labels.clone(),
        }
    }

    /// The commands that a jump within them leaves or repeats: a partition keeps each in one block, since in
    /// M Def. A.3 every graph has one exit.
    pub fn indivisible(&self) -> IdVec<CommandId, bool> {
        let mut indivisible: IdVec<CommandId, bool> = self.commands.iter().map(|_| false).collect();
        let bodies = self.procedures.values().map(|procedure| &procedure.body);
        let returns: IdVec<ProcedureId, bool> =
            bodies.map(|body| self.jumps_out(body, &mut indivisible).1).collect();
        self.jumps_out(&self.body, &mut indivisible);
        for process in &self.processes {
            self.jumps_out(&process.body, &mut indivisible);
        }
        for (id, command) in self.commands.iter() {
            if let CommandKind::Call(procedure) = command.kind {
                indivisible[id] = returns[procedure];
            }
        }
        indivisible
    }

    /// Whether jumps lead from a block to the loop around it, and out of the procedure.
    fn jumps_out(
        &self,
        block: &[CommandId],
        indivisible: &mut IdVec<CommandId, bool>,
    ) -> (bool, bool) {
        let mut out = (false, false);
        for &command in block {
            let (to_loop, returns) = match &self.commands[command].kind {
                CommandKind::Jump(Jump::Return) => (false, true),
                CommandKind::Jump(Jump::Break | Jump::Continue) => (true, false),
                CommandKind::If { then, otherwise, .. } => {
                    let (a, b) =
                        (self.jumps_out(then, indivisible), self.jumps_out(otherwise, indivisible));
                    let both = (a.0 || b.0, a.1 || b.1);
                    indivisible[command] = both.0 || both.1;
                    both
                }
                CommandKind::While { body, .. } => {
                    let (to_loop, returns) = self.jumps_out(body, indivisible);
                    indivisible[command] = to_loop || returns;
                    (false, returns)
                }
                CommandKind::Fin
                | CommandKind::Step(_)
                | CommandKind::Call(_)
                | CommandKind::Recurse(_)
                | CommandKind::Hole { .. } => (false, false),
            };
            out = (out.0 || to_loop, out.1 || returns);
        }
        out
    }

    pub fn has_holes(&self) -> bool {
        !self.holes.is_empty()
    }

    /// A recursive call, if there is one: then the program has a stack.
    pub fn recursion(&self) -> Option<&ProgramCommand> {
        self.commands.values().find(|command| matches!(command.kind, CommandKind::Recurse(_)))
    }
}

/// How many locations each command has, the bodies that it calls included.
#[derive(Clone, Debug)]
pub struct Weights(IdVec<CommandId, u64>);

impl Weights {
    pub fn new(program: &Program) -> Self {
        let mut weights = Self(program.commands.iter().map(|_| 0).collect());
        let mut procedures: IdVec<ProcedureId, u64> = IdVec::new();
        for procedure in program.procedures.values() {
            let weight = weights.weigh(program, &procedure.body, &procedures);
            procedures.push(weight);
        }
        weights.weigh(program, &program.body, &procedures);
        for process in &program.processes {
            weights.weigh(program, &process.body, &procedures);
        }
        weights
    }

    pub fn of(&self, command: CommandId) -> u64 {
        self.0[command]
    }

    fn weigh(
        &mut self,
        program: &Program,
        block: &[CommandId],
        called: &IdVec<ProcedureId, u64>,
    ) -> u64 {
        let mut sum = 0u64;
        for &command in block {
            let weight = match &program.commands[command].kind {
                CommandKind::Fin
                | CommandKind::Step(_)
                | CommandKind::Jump(_)
                | CommandKind::Recurse(_) => 1,
                CommandKind::Hole { .. } => 3,
                CommandKind::Call(procedure) => called[*procedure],
                CommandKind::While { body, .. } => {
                    self.weigh(program, body, called).saturating_add(1)
                }
                CommandKind::If { then, otherwise, .. } => {
                    let then = self.weigh(program, then, called);
                    then.saturating_add(self.weigh(program, otherwise, called)).saturating_add(1)
                }
            };
            self.0[command] = weight;
            sum = sum.saturating_add(weight);
        }
        sum
    }
}
