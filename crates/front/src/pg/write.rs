//! Writing parity games.

use super::PgGame;
use crate::stream::Block;
use std::io::{self, Write};

/// Writes a game; the header gives the largest id, as PGSolver has it.
pub fn write_pg(game: &PgGame, out: &mut impl Write) -> io::Result<()> {
    let mut block = Block::new(out);
    if let Some(last) = game.len().checked_sub(1) {
        writeln!(block.text, "parity {};", game.id(last as u32))?;
    } else {
        block.text.extend_from_slice(b"parity 0;\n");
    }
    if let Some(start) = game.start {
        writeln!(block.text, "start {};", game.id(start))?;
    }
    for node in 0..game.len() as u32 {
        write_node(game, node, &mut block)?;
        block.hand_on_if_full()?;
    }
    block.finish()
}

fn write_node<W: Write>(game: &PgGame, node: u32, block: &mut Block<W>) -> io::Result<()> {
    block.number(game.id(node));
    block.text.push(b' ');
    block.number(game.priorities[node as usize]);
    block.text.extend_from_slice(if game.owners[node as usize] == 0 { b" 0" } else { b" 1" });
    for (index, &successor) in game.successors(node).iter().enumerate() {
        block.text.push(if index == 0 { b' ' } else { b',' });
        block.number(game.id(successor));
    }
    let name = game.names.as_ref().map_or("", |names| names.get(node));
    if name.contains('"') {
        let message = format!("the name {name:?} of node {} contains a quote", game.id(node));
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    if !name.is_empty() {
        write!(block.text, " \"{name}\"")?;
    }
    block.text.extend_from_slice(b";\n");
    Ok(())
}
