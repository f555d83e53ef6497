//! Solutions of parity games: `paritysol N;`, then `id winner strategy;` for each node, the strategy
//! only where the winner moves.

use super::ids::Ids;
use super::statements::{HeaderNumber, Statements, accept_keyword, player, read_statements};
use crate::stream::{Block, Cursor, ReadError, Window, Wrong};
use std::io::{self, Read, Write};
use support::{Monitor, Reservation, Stopped};

/// `0 0;`
const SHORTEST_STATEMENT: usize = 4;

/// The winner of a node, and the strategy there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solved {
    /// As the game's file calls the node.
    pub id: u32,
    /// 0 or 1.
    pub winner: u8,
    /// The id of the successor to move to.
    pub strategy: Option<u32>,
}

/// Reads a solution, in the order of the file. Whether it is one of a certain game is another matter.
pub fn read_solution(
    input: impl Read,
    file: &str,
    monitor: &Monitor,
) -> Result<Vec<Solved>, ReadError> {
    let mut window = Window::new(input, file);
    let room = Reservation::default();
    let mut reader = Reader { header: None, ids: Ids::new(), nodes: Vec::new(), room };
    read_statements(&mut window, &mut reader, monitor)?;
    if let Some(header) = &reader.header {
        header.check(reader.ids.largest(), reader.ids.len(), file)?;
    }
    Ok(reader.nodes)
}

struct Reader {
    header: Option<HeaderNumber>,
    ids: Ids,
    nodes: Vec<Solved>,
    room: Reservation,
}

impl Statements for Reader {
    fn make_room(&mut self, bytes: usize, monitor: &Monitor) -> Result<(), Stopped> {
        self.room.make_room(&mut self.nodes, bytes / SHORTEST_STATEMENT + 1, monitor)
    }

    fn statement(&mut self, cursor: &mut Cursor, line: usize) -> Result<(), Box<Wrong>> {
        let is_first = self.header.is_none() && self.nodes.is_empty();
        if is_first && accept_keyword(cursor, b"paritysol") {
            self.header = Some(HeaderNumber::read(cursor, "a number of nodes", line)?);
            return Ok(());
        }
        let (id, id_at) = cursor.located_number("the number of a node")?;
        let winner = player(cursor, "a winner")?;
        cursor.skip_space();
        let has_strategy = cursor.peek().is_some_and(|byte| byte.is_ascii_digit());
        let strategy = has_strategy.then(|| cursor.number("the number of a successor"));
        let strategy = strategy.transpose()?;
        cursor.expect(b';', "at the end of the node")?;
        if !self.ids.push(id) {
            let message = format!("node {id} is solved twice");
            return Err(Wrong::new(id_at, message, "the second time"));
        }
        self.nodes.push(Solved { id, winner, strategy });
        Ok(())
    }
}

/// Writes a solution of a game whose largest id is `largest`.
pub fn write_solution(
    nodes: impl IntoIterator<Item = Solved>,
    largest: u32,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut block = Block::new(out);
    writeln!(block.text, "paritysol {largest};")?;
    for Solved { id, winner, strategy } in nodes {
        block.number(id);
        block.text.extend_from_slice(if winner == 0 { b" 0" } else { b" 1" });
        if let Some(successor) = strategy {
            block.text.push(b' ');
            block.number(successor);
        }
        block.text.extend_from_slice(b";\n");
        block.hand_on_if_full()?;
    }
    block.finish()
}
