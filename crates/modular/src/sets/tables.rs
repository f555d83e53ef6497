//! Expressions as tables: their values for all values of the variables that they read.

use rustc_hash::FxHashMap;
use transition::{ExprNode, Exprs, Machine, NodeId, VarId};

/// Where the number of each variable's value stands among the bits of a valuation.
#[derive(Clone, Debug)]
pub struct Placement {
    /// By variable: the lowest bit, and how many.
    fields: Vec<(u32, u32)>,
    pub bits: u32,
}

impl Placement {
    /// In the order of the variables.
    pub fn new(machine: &Machine) -> Self {
        let mut bits = 0;
        let mut fields = Vec::with_capacity(machine.vars.len());
        for var in machine.vars.values() {
            let width = var.domain.bits();
            fields.push((bits, width));
            bits += width;
        }
        Self { fields, bits }
    }

    /// All bits from the lowest on: of which variable, and which of its bits.
    pub fn places(&self) -> impl Iterator<Item = (VarId, u32)> {
        let fields = self.fields.iter().enumerate();
        fields.flat_map(|(var, &(_, width))| (0..width).map(move |bit| (VarId(var as u32), bit)))
    }

    pub fn field(&self, var: VarId) -> (u32, u32) {
        self.fields[var.0 as usize]
    }
}

/// An expression's values. The variables that it reads are numbered by fewer bits than a whole valuation has.
pub struct Table {
    pub values: Vec<i64>,
    /// For each bit of a valuation, which bit of the index it is.
    pub index_bits: Vec<Option<u32>>,
}

/// An expression as instructions over slots; an operand has a smaller slot.
struct Code<'m> {
    exprs: &'m Exprs,
    nodes: Vec<(NodeId, [usize; 3])>,
}

impl<'m> Code<'m> {
    fn new(exprs: &'m Exprs, root: NodeId) -> Self {
        let mut slots: FxHashMap<NodeId, usize> = FxHashMap::default();
        let mut nodes = Vec::new();
        for id in exprs.below([root]) {
            let mut operands = [0; 3];
            for (place, operand) in operands.iter_mut().zip(exprs.node(id).operands()) {
                *place = slots[&operand];
            }
            slots.insert(id, nodes.len());
            nodes.push((id, operands));
        }
        Self { exprs, nodes }
    }

    fn run(&self, slots: &mut [i64], leaf: impl Fn(VarId) -> i64) -> i64 {
        for (slot, &(id, [a, b, c])) in self.nodes.iter().enumerate() {
            let ty = self.exprs.ty(id);
            slots[slot] = match self.exprs.node(id) {
                ExprNode::Const(value) => value,
                ExprNode::Now(var) => leaf(var),
                // Neither stands in an expression of a program that was read: see `transition::cfg::Program::data`.
                ExprNode::Next(_) | ExprNode::Fault(_) => 0,
                ExprNode::Unary(op, _) => transition::unary(op, ty, slots[a]),
                ExprNode::Cast(_) => transition::cast(ty, slots[a]),
                ExprNode::Extract(_, low) => transition::extract(ty, slots[a], low),
                ExprNode::Binary(op, x, y) => {
                    let [x, y] = [x, y].map(|operand| self.exprs.ty(operand));
                    transition::binary(op, ty, (x, slots[a]), (y, slots[b]))
                }
                ExprNode::Ite(..) if slots[a] != 0 => slots[b],
                ExprNode::Ite(..) => slots[c],
            };
        }
        slots.last().copied().unwrap_or(0)
    }
}

impl Table {
    pub fn new(machine: &Machine, placement: &Placement, root: NodeId) -> Self {
        let code = Code::new(&machine.exprs, root);
        let mut index_bits = vec![None; placement.bits as usize];
        // By variable: where its number stands in the index.
        let mut shifts: FxHashMap<VarId, (u32, u32)> = FxHashMap::default();
        let mut used = 0;
        for var in machine.access([root]).now {
            let (low, width) = placement.field(var);
            shifts.insert(var, (used, width));
            for bit in 0..width {
                index_bits[(low + bit) as usize] = Some(used + bit);
            }
            used += width;
        }
        let mut slots = vec![0; code.nodes.len()];
        let value = |index: usize, var: VarId| {
            let (shift, width) = shifts.get(&var).copied().unwrap_or_default();
            let domain = &machine.vars[var].domain;
            let number = (index >> shift) as u64 & ((1u64 << width) - 1);
            // Patterns that are no number of a value are in no set.
            domain.value(number.min((domain.size() - 1) as u64))
        };
        let values = (0..1usize << used)
            .map(|index| code.run(&mut slots, |var| value(index, var)))
            .collect();
        Self { values, index_bits }
    }

    /// For every valuation, where its value is in the table.
    pub fn indices(&self) -> Vec<u32> {
        let mut indices = Vec::with_capacity(1 << self.index_bits.len());
        indices.push(0);
        for bit in &self.index_bits {
            let more = bit.map_or(0, |bit| 1u32 << bit);
            let half = indices.len();
            for at in 0..half {
                let index: u32 = indices[at];
                indices.push(index + more);
            }
        }
        indices
    }
}
