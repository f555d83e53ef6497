//! `tertium solve`: parity games in PGSolver's format.

use crate::console::or_exit;
use crate::flags::Solve;
use crate::input::{self, Trouble, name_in_json};
use crate::supervisor::{self, Session};
use crate::{Status, allocator};
use front::{PgGame, Solved};
use game::solve::{Solution, solve, verify};
use game::{ParityGame, Player};
use report::SolveDocument;
use std::io::{Write, stdout};
use std::sync::Arc;
use std::time::Instant;

pub fn run(flags: Solve) -> Status {
    let flags = Arc::new(flags);
    let worker = flags.clone();
    let mut document = empty_document(&flags);
    let (ended, mut console) = supervisor::run(
        &flags.limits,
        move |session: &Session<SolveDocument>| session.settle(solve_file(&worker, session)),
        |news, _| document = news,
    );
    if let Err(stopped) = ended {
        document.reason = Some(stopped.to_string());
        if !flags.json {
            console.err(&format!("unknown: {stopped}\n"));
        }
    }
    document.peak_bytes = allocator::peak_bytes();
    if flags.json && ended != Ok(Status::Wrong) {
        console.out(&report::to_json(&document));
    }
    if flags.stats {
        console.err(&document.to_text());
    }
    ended.unwrap_or(Status::Unknown)
}

/// Tells what is known whenever something more is known.
fn solve_file(flags: &Solve, session: &Session<SolveDocument>) -> Result<Status, Trouble> {
    let mut document = empty_document(flags);
    let started = Instant::now();
    let name = input::name_of(&flags.file);
    let read = front::read_pg(input::open(&flags.file)?, &name, &session.monitor);
    let (game, ids) = split(read.map_err(|error| Trouble::from_reader(&flags.file, error))?);
    document.read_seconds = started.elapsed().as_secs_f64();
    (document.nodes, document.edges) = (game.len() as u64, game.sons.len() as u64);
    session.tell(document.clone());

    let started = Instant::now();
    session.monitor.phase("solving", 0);
    let solution = solve(&game, flags.algorithm.into(), &session.monitor)?;
    document.solve_seconds = started.elapsed().as_secs_f64();
    document.won = Some(count(&game, &solution));

    let faulty = if flags.verify { verify(&game, &solution, &session.monitor)? } else { None };
    document.verified = flags.verify.then_some(faulty.is_none());
    session.tell(document);
    if let Some(error) = faulty {
        return Err(Trouble::message(format!("the solution is wrong: {error}"))
            .with_help(crate::status::REPORT));
    }
    if !flags.json {
        session.begin_writing();
        write(&game, ids.as_deref(), &solution);
    }
    Ok(Status::Good)
}

/// The game, and what the file calls its nodes if that is not their numbers.
fn split(game: PgGame) -> (ParityGame, Option<Vec<u32>>) {
    let player = |&owner: &u8| if owner == 0 { Player::Verifier } else { Player::Falsifier };
    let owners = game.owners.iter().map(player).collect();
    (ParityGame::new(game.priorities, owners, game.son_offsets, game.sons), game.ids)
}

fn count(game: &ParityGame, solution: &Solution) -> [u64; 2] {
    let mut won = [0; 2];
    for node in 0..game.len() as u32 {
        won[solution.winner(node).index()] += 1;
    }
    won
}

fn write(game: &ParityGame, ids: Option<&[u32]>, solution: &Solution) {
    let nodes = 0..game.len() as u32;
    let id = |node: u32| ids.map_or(node, |ids| ids[node as usize]);
    let largest = nodes.clone().next_back().map_or(0, id);
    let solved = nodes.map(|node| Solved {
        id: id(node),
        winner: solution.winner(node).index() as u8,
        strategy: solution.strategy(node).map(id),
    });
    let mut out = stdout().lock();
    or_exit(front::write_solution(solved, largest, &mut out).and_then(|()| out.flush()));
}

fn empty_document(flags: &Solve) -> SolveDocument {
    SolveDocument {
        tool: "tertium",
        version: env!("CARGO_PKG_VERSION"),
        file: name_in_json(&flags.file),
        nodes: 0,
        edges: 0,
        won: None,
        verified: None,
        reason: None,
        read_seconds: 0.0,
        solve_seconds: 0.0,
        peak_bytes: 0,
    }
}
