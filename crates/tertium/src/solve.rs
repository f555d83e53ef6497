//! Parity games in PGSolver's format.

use crate::error::Error;
use crate::options::Cancel;
use crate::source::{FileSystem, Source};
use front::Solved;
use game::solve::{Solution, verify};
use game::{ParityGame, Player};
use std::io::{self, BufRead, Write};
use std::path::Path;

pub use game::solve::Algorithm;

/// A parity game, with the numbers that its text gives to the nodes.
pub struct NamedGame {
    game: ParityGame,
    /// If they are not 0, 1, 2 and so on.
    ids: Option<Vec<u32>>,
}

/// A game that is solved: who wins each node, and how.
pub struct SolvedGame<'a> {
    game: &'a NamedGame,
    solution: Solution,
}

impl NamedGame {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or it is no game.
    pub fn open(path: impl AsRef<Path>, cancel: &Cancel) -> Result<Self, Error> {
        Self::of(Source::file(path.as_ref()), cancel)
    }

    /// Reads a stream. The name stands in messages.
    ///
    /// # Errors
    ///
    /// The stream cannot be read, or it is no game.
    pub fn read(
        name: &str,
        stream: Box<dyn BufRead + Send>,
        cancel: &Cancel,
    ) -> Result<Self, Error> {
        Self::of(Source::bytes(name, stream), cancel)
    }

    fn of(source: Source, cancel: &Cancel) -> Result<Self, Error> {
        let name = source.name.clone();
        let read = front::read_pg(source.open(&FileSystem)?, &name, cancel.monitor());
        let read = read.map_err(|error| Error::from_reader(Path::new(&name), error))?;
        let player = |&owner: &u8| if owner == 0 { Player::Verifier } else { Player::Falsifier };
        let owners = read.owners.iter().map(player).collect();
        let game =
            ParityGame::new(read.priorities, owners, read.successor_offsets, read.successors);
        Ok(Self { game, ids: read.ids })
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.game.len()
    }

    /// The number of edges.
    pub fn edges(&self) -> usize {
        self.game.successors.len()
    }

    fn id(&self, node: u32) -> u32 {
        self.ids.as_ref().map_or(node, |ids| ids[node as usize])
    }
}

/// Solves a parity game.
///
/// ```
/// use std::io::Cursor;
/// let text = Cursor::new("parity 1; 0 2 0 1; 1 0 1 0;");
/// let game = tertium::NamedGame::read("two.pg", Box::new(text), &Default::default())?;
/// let solved = tertium::solve(&game, Default::default(), &Default::default())?;
/// assert_eq!(solved.won(), [2, 0]);
/// # Ok::<(), tertium::Error>(())
/// ```
///
/// # Errors
///
/// A limit was reached.
pub fn solve<'a>(
    game: &'a NamedGame,
    algorithm: Algorithm,
    cancel: &Cancel,
) -> Result<SolvedGame<'a>, Error> {
    cancel.monitor().phase("solving", 0);
    let solution = game::solve::solve(&game.game, algorithm, cancel.monitor())?;
    Ok(SolvedGame { game, solution })
}

impl SolvedGame<'_> {
    /// Checks the winners and the strategies independently of the solver.
    ///
    /// # Errors
    ///
    /// A limit was reached, or the solution is wrong.
    pub fn verify(&self, cancel: &Cancel) -> Result<(), Error> {
        match verify(&self.game.game, &self.solution, cancel.monitor())? {
            None => Ok(()),
            Some(flaw) => {
                Err(Error::message(format!("the solution is wrong: {flaw}"))
                    .with_help(crate::REPORT))
            }
        }
    }

    /// The numbers of nodes that the players 0 and 1 win.
    pub fn won(&self) -> [u64; 2] {
        let mut won = [0; 2];
        for node in 0..self.game.nodes() as u32 {
            won[self.solution.winner(node).index()] += 1;
        }
        won
    }

    /// Writes the winners and the strategies in PGSolver's format.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write(&self, mut out: &mut dyn Write) -> io::Result<()> {
        let nodes = 0..self.game.nodes() as u32;
        let id = |node: u32| self.game.id(node);
        let largest = nodes.clone().next_back().map_or(0, id);
        let solved = nodes.map(|node| Solved {
            id: id(node),
            winner: self.solution.winner(node).index() as u8,
            strategy: self.solution.strategy(node).map(id),
        });
        front::write_solution(solved, largest, &mut out)
    }
}
