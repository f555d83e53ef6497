//! What a verdict on a machine rests on, in its own states: a path, a path with a loop, or a graph of states with
//! the subformulas that are true or false there.

mod guide;
mod plan;
mod unfold;
mod walk;

use crate::proof::prove;
use crate::session::Session;
use crate::turns::turns;
use bdd::Stop;
use logic::{Formula, NodeId, PropId};
use plan::Plan;
use transition::{Machine, Slice, VarId};
use unfold::Unfolder;
use walk::Field;

/// A graph of positions: in this state this subformula has the value of the verdict, because of the sons.
#[derive(Clone, Debug)]
pub struct Evidence {
    pub verdict: bool,
    /// By state: the values of the variables.
    pub states: Vec<Vec<(VarId, i64)>>,
    /// By state: the propositions that are true in it.
    pub labels: Vec<Vec<PropId>>,
    pub positions: Vec<Position>,
    /// The formula in initial states.
    pub roots: Vec<u32>,
    /// How many positions were not looked at any more.
    pub cut: u64,
    /// The variables that have one value in all states that can be reached.
    pub constants: Vec<VarId>,
}

#[derive(Clone, Debug)]
pub struct Position {
    pub state: u32,
    pub node: NodeId,
    pub why: Why,
    pub sons: Vec<Son>,
}

/// Why a position has its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// The state says so, or nothing follows it.
    Itself,
    /// One son is enough.
    One,
    /// Every son has the value.
    All,
    /// The definition of a fixpoint.
    Unfolding,
    /// All that follows has to be looked at, which is too much to be told.
    Throughout,
    /// Not looked at.
    Cut,
}

#[derive(Clone, Debug)]
pub struct Son {
    pub position: u32,
    /// If a step leads there, the inputs of the machine in it.
    pub step: Option<Vec<(VarId, i64)>>,
}

/// So many positions are looked at before all that follows is too much to be told.
const FEW: usize = 600;

impl Session {
    /// Shows that the formula is true in all initial states, or false in one of them; `None` if that is not so.
    /// No more positions than `most` are looked at.
    pub fn evidence(
        &mut self,
        machine: &Machine,
        slice: &Slice,
        formula: &Formula,
        verdict: bool,
        most: usize,
    ) -> Result<Option<Evidence>, Stop> {
        let Some(proof) = prove(&mut self.structure, formula, verdict, &self.reached)? else {
            return Ok(None);
        };
        let plan = Plan::new(&proof.steps, &mut self.structure.diagrams)?;
        let selected =
            turns(&mut machine.clone(), slice).iter().map(|turn| turn.selected).collect();
        let (structure, layout) = (&mut self.structure, &self.layout);
        let field = Field { structure, layout, machine, slice, selected };
        let mut unfolder = Unfolder::new(field, &proof, &plan, &self.reached);
        if unfolder.asks_for_all() {
            let whole = unfolder.unfold(most.min(FEW), false)?;
            if whole.cut == 0 {
                return Ok(Some(whole));
            }
        }
        unfolder.unfold(most, true).map(Some)
    }
}
