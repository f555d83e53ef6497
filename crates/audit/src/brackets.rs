//! The brackets of a proof: condition 4 at the head of the crate.

use logic::{BlockId, Formula, Node, NodeId};

/// A bracket with its proof obligations.
struct Bracket<T> {
    level: u32,
    /// That of all positions in it, once there are any.
    block: Option<BlockId>,
    obligations: Vec<(NodeId, T)>,
}

/// The brackets that are open, and their proof obligations.
pub(crate) struct Brackets<'a, T> {
    pub formula: &'a Formula,
    verdict: bool,
    open: Vec<Bracket<T>>,
}

impl<'a, T> Brackets<'a, T> {
    pub fn new(formula: &'a Formula, verdict: bool) -> Self {
        Self { formula, verdict, open: Vec::new() }
    }

    /// Opens a bracket, whose level is one of the winner's.
    pub fn open(&mut self, level: u32) -> Result<(), String> {
        let value = self.verdict;
        if level.is_multiple_of(2) != value {
            return Err(format!("nothing is {value} because of priority {level}"));
        }
        if self.open.last().is_some_and(|outer| level >= outer.level) {
            return Err("a bracket in another one is not of a lower level".to_owned());
        }
        self.open.push(Bracket { level, block: None, obligations: Vec::new() });
        Ok(())
    }

    /// Whether a step can be about a subformula here.
    pub fn admit(&mut self, node: NodeId) -> Result<(), String> {
        let formula = self.formula;
        if matches!(formula.node(node), Node::Const(_) | Node::Lit(..) | Node::Fix(_)) {
            return Err(format!("there is no proof obligation for `{}`", formula.show(node)));
        }
        let (priority, block) = (self.priority(node), formula.block_of(node));
        for bracket in &mut self.open {
            let is_other = *bracket.block.get_or_insert(block) != block;
            if is_other || priority > bracket.level {
                let (name, level) = (formula.show(node), bracket.level);
                let what = if is_other { "another block" } else { "too high a priority" };
                return Err(format!("`{name}` is of {what} for the bracket at level {level}"));
            }
        }
        Ok(())
    }

    /// Whether the innermost bracket is one for proof obligations about this subformula.
    pub fn is_open_for(&self, node: NodeId) -> Result<(), String> {
        let priority = self.priority(node);
        if self.open.last().is_some_and(|bracket| bracket.level == priority) {
            return Ok(());
        }
        let name = self.formula.show(node);
        Err(format!("`{name}` has priority {priority}, and no such bracket is open"))
    }

    /// Notes a proof obligation in the innermost bracket.
    pub fn add_obligation(&mut self, node: NodeId, states: T) {
        if let Some(bracket) = self.open.last_mut() {
            bracket.obligations.push((node, states));
        }
    }

    /// Closes the innermost bracket; its proof obligations have to follow.
    pub fn close(&mut self) -> Result<Vec<(NodeId, T)>, String> {
        let bracket = self.open.pop().ok_or("a bracket is closed that was not opened")?;
        Ok(bracket.obligations)
    }

    /// In the end all are closed.
    pub fn end(&self) -> Result<(), String> {
        if self.open.is_empty() { Ok(()) } else { Err("a bracket is left open".to_owned()) }
    }

    /// That of a variable; any other subformula counts as the lowest variable of its block.
    fn priority(&self, node: NodeId) -> u32 {
        match self.formula.node(node) {
            Node::Var(var) => self.formula.priority(var),
            _ => self.formula.blocks()[self.formula.block_of(node)].priorities.map_or(0, |p| p.0),
        }
    }
}
