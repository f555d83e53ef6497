//! A child process of the same program, which ends when it is dropped.

use crate::fault::{Fault, FaultKind, to_json};
use crate::protocol::{COMMAND, Order};
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;

/// A child that says more than this in a line, or in all, is not listened to any longer.
pub const MOST_BYTES: usize = 128 << 20;
/// Of what it says of its own mistakes so much is kept.
const MOST_ERRORS: u64 = 64 << 10;

pub struct Child {
    process: tokio::process::Child,
    /// The child ends when this is closed.
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    stderr: JoinHandle<String>,
}

impl Child {
    /// Starts one and sends it the request.
    pub async fn start(program: &Path, order: &Order) -> Result<Self, Fault> {
        let mut process = Command::new(program)
            .arg(COMMAND)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| internal(format!("cannot start a process: {error}")))?;
        let (stdin, stdout, stderr) =
            (process.stdin.take(), process.stdout.take(), process.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
            return Err(internal("a process without pipes"));
        };
        let (stdout, stderr) = (BufReader::new(stdout), tokio::spawn(errors(stderr)));
        let mut child = Self { process, stdin, stdout, stderr };
        child.tell(to_json(order)).await?;
        Ok(child)
    }

    /// Writes a line.
    pub async fn tell(&mut self, mut line: String) -> Result<(), Fault> {
        line.push('\n');
        let written = self.stdin.write_all(line.as_bytes()).await;
        written.map_err(|error| internal(format!("a process does not listen: {error}")))
    }

    /// The next line that it says, with its end; `None` if it has no more to say.
    pub async fn line(&mut self) -> Result<Option<Vec<u8>>, Fault> {
        let mut line = Vec::new();
        let mut bounded = (&mut self.stdout).take(MOST_BYTES as u64);
        match bounded.read_until(b'\n', &mut line).await {
            Ok(0) => Ok(None),
            Ok(_) if line.ends_with(b"\n") => Ok(Some(line)),
            Ok(_) if line.len() < MOST_BYTES => Ok(Some(line)),
            Ok(_) => Err(Fault::new(FaultKind::Limit, "the answer is too long")),
            Err(error) => Err(internal(format!("a process cannot be heard: {error}"))),
        }
    }

    /// All that it says until it ends.
    pub async fn everything(mut self) -> Result<(ExitStatus, Vec<u8>, String), Fault> {
        let mut said = Vec::new();
        let mut bounded = (&mut self.stdout).take(MOST_BYTES as u64);
        bounded
            .read_to_end(&mut said)
            .await
            .map_err(|error| internal(format!("a process cannot be heard: {error}")))?;
        if said.len() == MOST_BYTES {
            return Err(Fault::new(FaultKind::Limit, "the answer is too long"));
        }
        let (status, errors) = self.end().await?;
        Ok((status, said, errors))
    }

    /// How it has ended, and what it has said of its own mistakes.
    pub async fn end(mut self) -> Result<(ExitStatus, String), Fault> {
        let status = self.process.wait().await;
        let status =
            status.map_err(|error| internal(format!("a process does not end: {error}")))?;
        Ok((status, self.stderr.await.unwrap_or_default()))
    }
}

async fn errors(stderr: ChildStderr) -> String {
    let mut bytes = Vec::new();
    let mut stderr = BufReader::new(stderr);
    let _ = (&mut stderr).take(MOST_ERRORS).read_to_end(&mut bytes).await;
    // A client that does not read must not block it.
    let _ = tokio::io::copy(&mut stderr, &mut tokio::io::sink()).await;
    String::from_utf8_lossy(&bytes).into_owned()
}

pub fn internal(message: impl Into<String>) -> Fault {
    Fault::new(FaultKind::Internal, message)
}
