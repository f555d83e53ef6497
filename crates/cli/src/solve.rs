//! `tertium solve`: parity games in PGSolver's format.

use crate::console::or_exit;
use crate::flags::Solve;
use crate::input::{STANDARD_INPUT, is_dash, name_in_json};
use crate::supervisor::{self, Session};
use crate::{Status, allocator};
use report::SolveDocument;
use std::io::{BufReader, Write, stdin, stdout};
use std::sync::Arc;
use std::time::Instant;
use tertium::{Error, NamedGame};

pub fn run(flags: Solve) -> Status {
    let flags = Arc::new(flags);
    let worker = flags.clone();
    let mut document = empty_document(&flags);
    let (ended, mut console) = supervisor::run(
        &flags.limits,
        move |session: &Session<SolveDocument>| {
            session.settle(solve(&worker, session), worker.json)
        },
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
fn solve(flags: &Solve, session: &Session<SolveDocument>) -> Result<Status, Error> {
    let mut document = empty_document(flags);
    let (cancel, started) = (&session.cancel, Instant::now());
    let game = match is_dash(&flags.file) {
        true => NamedGame::read(STANDARD_INPUT, Box::new(BufReader::new(stdin())), cancel)?,
        false => NamedGame::open(&flags.file, cancel)?,
    };
    document.read_seconds = started.elapsed().as_secs_f64();
    (document.nodes, document.edges) = (game.nodes() as u64, game.edges() as u64);
    session.tell(document.clone());

    let started = Instant::now();
    let solved = tertium::solve(&game, flags.algorithm.into(), cancel)?;
    document.solve_seconds = started.elapsed().as_secs_f64();
    document.won = Some(solved.won());
    if flags.verify {
        solved.verify(cancel)?;
        document.verified = Some(true);
    }
    session.tell(document);
    if !flags.json {
        session.begin_writing();
        let mut out = stdout().lock();
        or_exit(solved.write(&mut out).and_then(|()| out.flush()));
    }
    Ok(Status::Good)
}

fn empty_document(flags: &Solve) -> SolveDocument {
    SolveDocument {
        tool: "tertium",
        version: env!("CARGO_PKG_VERSION"),
        format: report::JSON_FORMAT,
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
