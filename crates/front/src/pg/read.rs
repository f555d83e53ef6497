//! Reading parity games.

use super::PgGame;
use super::ids::Ids;
use super::names::NodeNames;
use super::statements::{HeaderNumber, Statements, accept_keyword, player, read_statements};
use crate::stream::{
    Cursor, Excerpt, ReadError, Window, Wrong, count_lines, invalid_utf8, quick_number,
};
use std::io::Read;
use std::ops::Range;
use support::{Monitor, Reservation, Stopped};

/// `0 0 0 0;`
const SHORTEST_STATEMENT: usize = 8;

/// Reads a game. `file` is what messages call the input.
pub fn read_pg(input: impl Read, file: &str, monitor: &Monitor) -> Result<PgGame, ReadError> {
    monitor.phase("reading", 0);
    let mut window = Window::new(input, file);
    let mut rows = Rows::new();
    read_statements(&mut window, &mut rows, monitor)?;
    if rows.header.is_none() && rows.ids.len() == 0 {
        let message = "expected a parity game, but the file is empty";
        return Err(window.fault(*Wrong::new(0..0, message, "the text ends here")));
    }
    rows.finish(file, monitor)
}

/// The nodes so far, in the order of the file, their successors by id.
struct Rows {
    header: Option<HeaderNumber>,
    start: Option<HeaderNumber>,
    ids: Ids,
    priorities: Vec<u32>,
    owners: Vec<u8>,
    successor_offsets: Vec<u32>,
    successors: Vec<u32>,
    names: Option<NodeNames>,
    lines: Lines,
    room: Reservation,
}

impl Statements for Rows {
    fn make_room(&mut self, bytes: usize, monitor: &Monitor) -> Result<(), Stopped> {
        let rows = bytes / SHORTEST_STATEMENT + 1;
        self.room.make_room(&mut self.priorities, rows, monitor)?;
        self.room.make_room(&mut self.owners, rows, monitor)?;
        self.room.make_room(&mut self.successor_offsets, rows, monitor)?;
        self.room.make_room(&mut self.successors, bytes / 2 + 1, monitor)
    }

    #[inline]
    fn statement(&mut self, cursor: &mut Cursor, line: usize) -> Result<(), Box<Wrong>> {
        if !cursor.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return self.keyword(cursor, line);
        }
        let edges = self.successors.len();
        self.node(cursor, line).inspect_err(|_| self.successors.truncate(edges))
    }
}

impl Rows {
    fn new() -> Self {
        Self {
            header: None,
            start: None,
            ids: Ids::new(),
            priorities: Vec::new(),
            owners: Vec::new(),
            successor_offsets: vec![0],
            successors: Vec::new(),
            names: None,
            lines: Lines::default(),
            room: Reservation::default(),
        }
    }

    fn keyword(&mut self, cursor: &mut Cursor, line: usize) -> Result<(), Box<Wrong>> {
        let start = cursor.at;
        let is_header = accept_keyword(cursor, b"parity");
        if !is_header && !accept_keyword(cursor, b"start") {
            return Err(cursor.unexpected("expected the number of a node"));
        }
        let promise = HeaderNumber::read(cursor, "a number of nodes", line)?;
        let is_late = self.ids.len() > 0 || is_header && self.start.is_some();
        let slot = if is_header { &mut self.header } else { &mut self.start };
        if is_late || slot.is_some() {
            let message = "expected `parity` and then `start` once each, before all nodes";
            return Err(Wrong::new(start..cursor.at, message, "in the wrong place"));
        }
        *slot = Some(promise);
        Ok(())
    }

    fn node(&mut self, cursor: &mut Cursor, line: usize) -> Result<(), Box<Wrong>> {
        let start = cursor.at;
        let id = cursor.number("the number of a node")?;
        let id_end = cursor.at;
        let priority = cursor.number("a priority")?;
        let owner = player(cursor, "an owner")?;
        self.read_successors(cursor, id)?;
        let name = name(cursor)?;
        cursor.expect(b';', "at the end of the node")?;
        if id > self.largest_promised() {
            return Err(self.not_promised(id, start..id_end));
        }
        if !self.ids.push(id) {
            let message = format!("node {id} is defined twice");
            return Err(Wrong::new(start..id_end, message, "the second definition"));
        }
        self.push_name(name);
        self.lines.push(line);
        self.priorities.push(priority);
        self.owners.push(owner);
        self.successor_offsets.push(self.successors.len() as u32);
        Ok(())
    }

    #[inline]
    fn read_successors(&mut self, cursor: &mut Cursor, id: u32) -> Result<(), Box<Wrong>> {
        cursor.skip_space();
        if matches!(cursor.peek(), Some(b';' | b'"')) {
            let message = format!("node {id} has no successor");
            let wrong = Wrong::new(cursor.token(), message, "expected the first one here");
            return Err(wrong.with_help("in PGSolver's format every node has at least one"));
        }
        let limit = self.largest_promised();
        loop {
            self.read_successors_quickly(cursor, limit);
            cursor.skip_space();
            let start = cursor.at;
            let successor = cursor.number("the number of a successor")?;
            if successor > limit {
                return Err(self.not_promised(successor, start..cursor.at));
            }
            self.successors.push(successor);
            cursor.skip_space();
            if !cursor.accept(b',') {
                break;
            }
        }
        if self.successors.len() > u32::MAX as usize {
            let message = "the game has more than 2^32 edges";
            return Err(Wrong::new(cursor.token(), message, "too many successors before this"));
        }
        Ok(())
    }

    /// Takes successors as long as there is a comma right behind them and nothing is wrong.
    #[inline]
    fn read_successors_quickly(&mut self, cursor: &mut Cursor, limit: u32) {
        while let Some((successor, len)) = quick_number(cursor.rest())
            && cursor.text.get(cursor.at + len) == Some(&b',')
            && successor <= limit
        {
            self.successors.push(successor);
            cursor.at += len + 1;
        }
    }

    #[inline]
    fn largest_promised(&self) -> u32 {
        self.header.as_ref().map_or(u32::MAX, |header| header.number)
    }

    #[cold]
    fn not_promised(&self, id: u32, at: Range<usize>) -> Box<Wrong> {
        let label = format!("the header promises nodes up to {}", self.largest_promised());
        Wrong::new(at, format!("there is no node {id}"), label)
    }

    fn push_name(&mut self, name: &str) {
        let rows = self.priorities.len();
        if !name.is_empty() {
            self.names.get_or_insert_with(|| NodeNames::unnamed(rows));
        }
        if let Some(names) = &mut self.names {
            names.push(name);
        }
    }

    fn finish(mut self, file: &str, monitor: &Monitor) -> Result<PgGame, ReadError> {
        if let Some(header) = &self.header {
            header.check(self.ids.largest(), self.ids.len(), file)?;
        }
        let start = self.start.as_ref().map(|start| {
            let message = format!("the game should start in node {}", start.number);
            let undefined = || start.fault(file, message, "there is no such node");
            self.ids.row(start.number).ok_or_else(undefined)
        });
        let start = start.transpose()?;
        self.resolve_successors(file)?;
        let Self { ids, priorities, owners, successor_offsets, successors, names, .. } = self;
        let game =
            PgGame { priorities, owners, successor_offsets, successors, ids: None, names, start };
        match ids {
            Ids::Counting(_) => Ok(shrunk(game)),
            Ids::Any { by_row, .. } => Ok(by_rising_id(game, by_row, monitor)?),
        }
    }

    /// Replaces the ids of the successors by the numbers of their rows.
    fn resolve_successors(&mut self, file: &str) -> Result<(), ReadError> {
        let undefined = match self.ids {
            Ids::Counting(count) => {
                self.successors.iter().position(|&successor| successor >= count)
            }
            Ids::Any { .. } => self.successors.iter_mut().position(|successor| {
                let row = self.ids.row(*successor);
                *successor = row.unwrap_or(*successor);
                row.is_none()
            }),
        };
        undefined.map_or(Ok(()), |edge| Err(self.undefined(edge, file)))
    }

    /// An edge to a node that is not there. The text is gone by now, so that the node is shown as
    /// this crate would write it.
    fn undefined(&self, edge: usize, file: &str) -> ReadError {
        const SHOWN: usize = 8;
        let row = self.successor_offsets.partition_point(|&start| start as usize <= edge) - 1;
        let range = self.successor_offsets[row] as usize..self.successor_offsets[row + 1] as usize;
        let (id, successor) = (self.ids.id(row as u32), self.successors[edge]);
        let list = |range: Range<usize>, is_mapped: bool| -> Vec<String> {
            let id = |&successor: &u32| if is_mapped { self.ids.id(successor) } else { successor };
            self.successors[range].iter().map(|successor| id(successor).to_string()).collect()
        };
        let first = range.start.max(edge.saturating_sub(SHOWN));
        let last = range.end.min(edge + 1 + SHOWN);
        let mut before = format!("{id} {} {} ", self.priorities[row], self.owners[row]);
        before += if first > range.start { "…," } else { "" };
        before += &list(first..edge, true)
            .iter()
            .map(|successor| format!("{successor},"))
            .collect::<String>();
        let mut after: String =
            list(edge + 1..last, false).iter().map(|successor| format!(",{successor}")).collect();
        after += if last < range.end { ",…" } else { ";" };
        let middle = successor.to_string();
        let parts = [before.as_bytes(), middle.as_bytes(), after.as_bytes()];
        let message = format!("node {id} has the successor {successor}, which is not defined");
        let wrong = Wrong::new(0..0, message, "there is no such node");
        Excerpt { name: file, first_line: self.lines.of(row), parts }.fault(*wrong)
    }
}

/// The name in quotes that may stand here, otherwise nothing.
#[inline]
fn name<'a>(cursor: &mut Cursor<'a>) -> Result<&'a str, Box<Wrong>> {
    cursor.skip_space();
    if !cursor.accept(b'"') {
        return Ok("");
    }
    let start = cursor.at;
    let Some(len) = cursor.rest().iter().position(|&byte| byte == b'"') else {
        let message = "the closing quote of the name is missing";
        return Err(Wrong::new(start - 1..cursor.text.len(), message, "opened here"));
    };
    let name = &cursor.rest()[..len];
    cursor.lines += count_lines(name);
    cursor.at += len + 1;
    std::str::from_utf8(name).map_err(|error| invalid_utf8("name", &error, name.len()).moved(start))
}

fn shrunk(mut game: PgGame) -> PgGame {
    game.priorities.shrink_to_fit();
    game.owners.shrink_to_fit();
    game.successor_offsets.shrink_to_fit();
    game.successors.shrink_to_fit();
    game
}

/// Renumbers the nodes, of which `ids` tells what the file calls them.
fn by_rising_id(game: PgGame, mut ids: Vec<u32>, monitor: &Monitor) -> Result<PgGame, Stopped> {
    let nodes = game.len();
    let _room = monitor.reserve((nodes * 21 + game.successors.len() * 4) as u64)?;
    let mut rows: Vec<u32> = (0..nodes as u32).collect();
    rows.sort_unstable_by_key(|&row| ids[row as usize]);
    let mut numbers = vec![0; nodes];
    for (number, &row) in rows.iter().enumerate() {
        numbers[row as usize] = number as u32;
    }
    let mut sorted = PgGame { successor_offsets: vec![0], ..PgGame::default() };
    sorted.successors.reserve_exact(game.successors.len());
    for &row in &rows {
        let successors = game.successors(row).iter().map(|&successor| numbers[successor as usize]);
        sorted.successors.extend(successors);
        sorted.successor_offsets.push(sorted.successors.len() as u32);
    }
    sorted.priorities = rows.iter().map(|&row| game.priorities[row as usize]).collect();
    sorted.owners = rows.iter().map(|&row| game.owners[row as usize]).collect();
    sorted.names = game.names.map(|names| rows.iter().map(|&row| names.get(row)).collect());
    sorted.start = game.start.map(|row| numbers[row as usize]);
    ids.sort_unstable();
    sorted.ids = ids.iter().zip(0..).any(|(&id, node)| id != node).then_some(ids);
    Ok(sorted)
}

/// In which line each row begins: a list of the rows that do not follow the line of the row before.
#[derive(Default)]
struct Lines {
    jumps: Vec<(usize, usize)>,
    rows: usize,
    next: usize,
}

impl Lines {
    #[inline]
    fn push(&mut self, line: usize) {
        if line != self.next {
            self.jumps.push((self.rows, line));
        }
        self.rows += 1;
        self.next = line + 1;
    }

    fn of(&self, row: usize) -> usize {
        let after = self.jumps.partition_point(|&(first, _)| first <= row);
        let (first, line) = self.jumps[after - 1];
        line + row - first
    }
}
