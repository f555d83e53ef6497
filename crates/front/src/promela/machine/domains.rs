//! Between what bounds the values of variables lie.

use super::super::program::{ChannelId, Program, VarId};
use base::IdVec;

pub(super) struct Ranges {
    pub vars: IdVec<VarId, (i32, i32)>,
    /// By channel, the bounds of each field.
    pub fields: IdVec<ChannelId, Vec<(i32, i32)>>,
}

pub(super) fn ranges(program: &Program) -> Ranges {
    let vars = program.vars.values().map(|var| var.ty.range()).collect();
    let fields = program
        .channels
        .values()
        .map(|channel| channel.fields.iter().map(|ty| ty.range()).collect());
    Ranges { vars, fields: fields.collect() }
}
