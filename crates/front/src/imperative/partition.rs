//! Partition graphs as text: which commands are taken apart, and where nodes begin.
//!
//! ```text
//! open 12:3      // the command at line 12, column 3 is taken apart
//! cut 15:3       // a node begins with the command there
//! cut 18:3/2     // with the second step of the call there
//! ```

use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;
use support::{Diagnostic, FileId, IdVec, SourceMap, Span};
use transition::cfg::{
    CommandId, CommandKind, Cuts, Partition, PartitionGraph, Program, Unfolding,
};

/// Where a file says that a program is taken apart.
#[derive(Clone, Debug, Default)]
pub struct GivenCuts {
    opened: FxHashSet<CommandId>,
    begun: FxHashSet<CommandId>,
}

impl Cuts for GivenCuts {
    fn opens(&mut self, _: &Program, command: CommandId) -> bool {
        self.opened.contains(&command)
    }

    fn begins(&mut self, _: &Program, _: &[CommandId], command: CommandId) -> bool {
        self.begun.contains(&command)
    }
}

/// Reads where a program is taken apart; the program's text is in the sources.
pub fn read_partition(
    file: FileId,
    text: &str,
    program: &Program,
    sources: &SourceMap,
) -> Result<GivenCuts, Vec<Diagnostic>> {
    let by_position = Positions::new(program, sources);
    let mut cuts = GivenCuts::default();
    let mut errors = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let content = line.split("//").next().unwrap_or_default();
        let begin = start + (content.len() - content.trim_start().len());
        let content = content.trim();
        let span = Span::new(file, begin..begin + content.len());
        if !content.is_empty()
            && let Err((message, label)) = by_position.add(content, program, &mut cuts)
        {
            errors
                .push(Diagnostic::error(message, span, label).with_help(
                    "a line is `open 12:3` or `cut 15:3`: line and column of a command",
                ));
        }
        start += line.len();
    }
    if errors.is_empty() { Ok(cuts) } else { Err(errors) }
}

/// The commands by where they begin, in the order of their steps; a call has several. And which are kept whole.
struct Positions(FxHashMap<(usize, usize), Vec<CommandId>>, IdVec<CommandId, bool>);

type Complaint = (String, &'static str);

impl Positions {
    fn new(program: &Program, sources: &SourceMap) -> Self {
        let mut all: FxHashMap<(usize, usize), Vec<CommandId>> = FxHashMap::default();
        for (id, command) in program.commands.iter() {
            all.entry(sources.position(command.span)).or_default().push(id);
        }
        Self(all, program.indivisible())
    }

    fn add(&self, line: &str, program: &Program, cuts: &mut GivenCuts) -> Result<(), Complaint> {
        let (word, place) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let commands = self.at(place.trim())?;
        match word {
            "open" => {
                let is_compound = |id: &&CommandId| {
                    matches!(
                        program.commands[**id].kind,
                        CommandKind::If { .. } | CommandKind::While { .. } | CommandKind::Call(_)
                    )
                };
                let found = commands.iter().find(is_compound);
                let missing =
                    || (format!("`{place}` is no `if`, `while` or call"), "cannot be split");
                let found = *found.ok_or_else(missing)?;
                if self.1[found] {
                    let message =
                        format!("a `break`, `continue` or `return` leads out of `{place}`");
                    return Err((message, "cannot be split"));
                }
                cuts.opened.insert(found);
            }
            "cut" => {
                cuts.begun.insert(commands[0]);
            }
            _ => {
                return Err((format!("expected `open` or `cut`, found `{word}`"), "what is this?"));
            }
        }
        Ok(())
    }

    fn at(&self, place: &str) -> Result<&[CommandId], Complaint> {
        let unreadable = || (format!("`{place}` is no place"), "expected a line and a column");
        let (position, step) = place.split_once('/').unwrap_or((place, "1"));
        let (line, column) = position.split_once(':').ok_or_else(unreadable)?;
        let number = |text: &str| text.trim().parse::<usize>().ok();
        let (line, column) = number(line).zip(number(column)).ok_or_else(unreadable)?;
        let step = number(step).filter(|&step| step > 0).ok_or_else(unreadable)?;
        let found = self.0.get(&(line, column)).and_then(|commands| commands.get(step - 1..));
        let missing = || (format!("no command begins at {place}"), "of the program");
        found.filter(|commands| !commands.is_empty()).ok_or_else(missing)
    }
}

/// Writes what [`read_partition`] reads.
pub fn write_partition(program: &Program, partition: &Partition, sources: &SourceMap) -> String {
    let positions = Positions::new(program, sources);
    let mut lines: Vec<((usize, usize), usize, &str)> = Vec::new();
    let mut add = |word, command: CommandId| {
        let position = sources.position(program.commands[command].span);
        let step = positions.0[&position].iter().position(|&other| other == command);
        lines.push((position, step.unwrap_or(0), word));
    };
    for graph in partition.graphs.values() {
        match graph {
            PartitionGraph::Block(commands) => add("cut", commands[0]),
            PartitionGraph::If { command, .. }
            | PartitionGraph::While { command, .. }
            | PartitionGraph::Call { command, .. } => {
                add("open", *command);
            }
            PartitionGraph::Seq(_) => {}
        }
    }
    lines.sort_unstable();
    let mut out = String::from(
        "// partition: commands that are split (open), first commands of blocks (cut)\n",
    );
    for ((line, column), step, word) in lines {
        let step =
            if step == 0 || word == "open" { String::new() } else { format!("/{}", step + 1) };
        let _ = writeln!(out, "{word} {line}:{column}{step}");
    }
    out
}

/// More nodes than this are not drawn.
const MOST_DRAWN: usize = 2000;

/// Draws a partition graph (M §4); `None` if it is too large for that.
pub fn draw_partition(
    program: &Program,
    partition: &Partition,
    sources: &SourceMap,
) -> Option<String> {
    let places = Unfolding::new(partition).filter(|places| places.nodes.len() <= MOST_DRAWN)?;
    let mut out = String::from("digraph partition {\n  node [fontname=\"monospace\"];\n");
    for (place, node) in places.nodes.iter() {
        let (shape, text) = match &partition.graphs[node.graph] {
            PartitionGraph::Block(commands) => ("box", block_text(program, commands, sources)),
            PartitionGraph::If { command, .. } | PartitionGraph::While { command, .. } => {
                ("diamond", first_line(program, *command, sources))
            }
            PartitionGraph::Seq(_) | PartitionGraph::Call { .. } => ("box", String::new()),
        };
        let _ = writeln!(out, "  n{} [shape={shape}, label=\"{}\"];", place.0, escaped(&text));
        for (exit, to) in node.exits.iter().enumerate() {
            let label = match (shape, exit) {
                ("diamond", 0) => " [label=\"yes\"]",
                ("diamond", _) => " [label=\"no\"]",
                _ => "",
            };
            let _ = writeln!(out, "  n{} -> n{}{label};", place.0, to.0);
        }
    }
    out.push_str("}\n");
    Some(out)
}

fn first_line(program: &Program, command: CommandId, sources: &SourceMap) -> String {
    let span = program.commands[command].span;
    let text = sources.text(span).lines().next().unwrap_or_default();
    format!("{}: {}", sources.position(span).0, text.trim())
}

fn block_text(program: &Program, commands: &[CommandId], sources: &SourceMap) -> String {
    let first = first_line(program, commands[0], sources);
    match commands {
        [] | [_] => first,
        [.., last] => format!("{first}\n…\n{}", first_line(program, *last, sources)),
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\l") + "\\l"
}
