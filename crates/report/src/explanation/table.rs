//! A path as a table: a row a state, a column a component, changes marked.

use super::grid::{Entry, Grid, Word};
use super::text::TextView;
use super::words::{and, arrow, claim, facts, props};
use super::wrap::wrap;
use crate::visible::one_line;
use logic::evidence::{Digest, EvidencePath, PathRow, ShownMember};

/// Rows at the beginning and at the end that are shown of a long path.
const FIRST: usize = 40;
const LAST: usize = 20;

pub(crate) fn table(digest: &Digest, path: &EvidencePath, view: TextView) -> String {
    let table = Table::new(digest, path);
    let mut out = table.unchanged(view);
    out.push_str(&table.grid().to_text(view).unwrap_or_else(|| table.changes(view)));
    out
}

/// The first of many.
fn few(mut names: Vec<String>) -> Vec<String> {
    const MOST: usize = 12;
    if names.len() > MOST {
        let more = names.len() - MOST;
        names.truncate(MOST);
        names.push(format!("… {more} more"));
    }
    names
}

/// The text of a row.
struct Line {
    arrow: String,
    /// By component; `None` where its state does not matter.
    members: Vec<Option<Word>>,
    props: Vec<Word>,
    note: String,
}

struct Table<'t> {
    path: &'t EvidencePath<'t>,
    lines: Vec<Line>,
    /// Of the components.
    names: Vec<String>,
    /// Components that have a column, that keep their state, and that do not matter.
    moving: Vec<usize>,
    still: Vec<usize>,
    unused: Vec<usize>,
    has_arrows: bool,
}

impl<'t> Table<'t> {
    fn new(digest: &Digest, path: &'t EvidencePath<'t>) -> Self {
        let lines = lines(digest, path);
        let names = digest.explanation.components.iter().map(|n| one_line(n).into_owned());
        let names: Vec<String> = names.collect();
        let members = |c: usize| lines.iter().filter_map(move |line| line.members[c].as_ref());
        let changes = |c: usize| members(c).any(|word| word.is_changed);
        let (used, unused): (Vec<usize>, Vec<usize>) =
            (0..names.len()).partition(|&component| members(component).next().is_some());
        // Two columns are easier to read than a column and a line above.
        let folds = used.len() > 2 && used.iter().any(|&component| changes(component));
        let (moving, still) = used.into_iter().partition(|&c| !folds || changes(c));
        // The plain arrow is what everybody expects.
        let has_arrows = lines.iter().any(|line| !matches!(&*line.arrow, "" | "->"));
        Self { path, lines, names, moving, still, unused, has_arrows }
    }

    /// `unchanged: B = t0, C = u1`
    fn unchanged(&self, view: TextView) -> String {
        let state = |&c: &usize| {
            let mut members = self.lines.iter().filter_map(|line| line.members[c].as_ref());
            format!("{} = {}", self.names[c], members.next().map_or("", |word| &word.text))
        };
        let still = few(self.still.iter().map(state).collect());
        let unused = few(self.unused.iter().map(|&c| self.names[c].clone()).collect());
        let lines = [("unchanged", still.join(", ")), ("does not matter", unused.join(", "))];
        let lines = lines.iter().filter(|(_, names)| !names.is_empty());
        lines
            .map(|(what, names)| wrap(&format!("  {what}: {names}"), view.width, 4) + "\n")
            .collect()
    }

    /// All rows, or the first, the last and the one where the loop starts, with what is between them.
    fn shown(&self) -> Vec<Result<usize, String>> {
        let all = self.lines.len();
        let is_shown = |row: usize| {
            all <= FIRST + LAST + 1
                || row < FIRST
                || row + LAST >= all
                || self.path.back.as_ref().is_some_and(|back| back.row == row)
        };
        let mut shown = Vec::new();
        let mut next = 0;
        for row in (0..all).filter(|&row| is_shown(row)) {
            if row > next {
                shown.push(Err(format!("… {} more steps; --html shows all", row - next)));
            }
            shown.push(Ok(row));
            next = row + 1;
        }
        let arrow = |step| format!("{} ", arrow(step));
        shown.extend(self.path.back.as_ref().map(|back| {
            let arrow = back.step.map(arrow).filter(|arrow| arrow != "-> ").unwrap_or_default();
            Err(format!("{arrow}back to step {}", back.row))
        }));
        shown
    }

    fn grid(&self) -> Grid {
        let names = self.moving.iter().map(|&component| self.names[component].clone());
        let mut heads = vec!["step".to_owned(), String::new()];
        heads.extend(names);
        heads.push("true propositions".to_owned());
        let entries = self.shown().into_iter().map(|shown| match shown {
            Ok(row) => Entry::Row(self.cells(row), self.lines[row].note.clone()),
            Err(line) => Entry::Line(line),
        });
        Grid { heads, entries: entries.collect() }
    }

    fn cells(&self, row: usize) -> Vec<Vec<Word>> {
        let line = &self.lines[row];
        let word = |word: &Word| Word { text: word.text.clone(), is_changed: word.is_changed };
        let mut cells = vec![vec![Word::new(format!("{row:>4}"))]];
        cells.push(if self.has_arrows { vec![Word::new(line.arrow.clone())] } else { Vec::new() });
        let members = self.moving.iter().map(|&component| &line.members[component]);
        cells.extend(members.map(|member| match member {
            Some(member) => vec![word(member)],
            None => vec![Word::new("·")],
        }));
        cells.push(line.props.iter().map(word).collect());
        cells
    }

    /// For more components than columns: what changes in each step.
    fn changes(&self, view: TextView) -> String {
        let line = |shown| match shown {
            Ok(row) => self.changes_of(row),
            Err(line) => format!("        {line}"),
        };
        let lines = self.shown().into_iter().map(line);
        lines.map(|line| wrap(&line, view.width, 8) + "\n").collect()
    }

    fn changes_of(&self, row: usize) -> String {
        let line = &self.lines[row];
        let members = self.moving.iter().filter_map(|&c| Some((c, line.members[c].as_ref()?)));
        let reported = members.filter(|(_, word)| row == 0 || word.is_changed);
        let reported = reported.map(|(c, word)| format!("{} = {}", self.names[c], word.text));
        let members: Vec<String> = reported.collect();
        let props: Vec<&str> = line.props.iter().map(|prop| &*prop.text).collect();
        let props =
            if props.is_empty() { String::new() } else { format!("true: {}", props.join(", ")) };
        let parts = [members.join(", "), props, line.note.clone()];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let arrow = if line.arrow.is_empty() { "" } else { " " };
        format!("  {row:>4}{arrow}{}  {}", line.arrow, parts.join("; "))
    }
}

fn lines(digest: &Digest, path: &EvidencePath) -> Vec<Line> {
    let mut last: Vec<Option<&ShownMember>> = vec![None; digest.explanation.components.len()];
    let mut last_props: Option<Vec<String>> = None;
    let mut subject = digest.roots.first().map(|&root| digest.place(root).node);
    let mut lines = Vec::with_capacity(path.rows.len());
    for (number, row) in path.rows.iter().enumerate() {
        let state = &digest.explanation.states[row.state as usize];
        let members = state.members.iter().zip(&mut last);
        let members = members.map(|(member, last)| Some(changed(member.as_ref()?, last))).collect();
        let props = props(state);
        let is_new = |prop: &String| last_props.as_ref().is_some_and(|last| !last.contains(prop));
        let words = props.iter().map(|p| Word { text: p.clone(), is_changed: is_new(p) }).collect();
        let starts_loop = path.back.as_ref().is_some_and(|back| back.row == number);
        lines.push(Line {
            arrow: row.step.map(arrow).unwrap_or_default(),
            members,
            props: words,
            note: note(digest, row, &mut subject, starts_loop),
        });
        last_props = Some(props);
    }
    lines
}

fn changed<'a>(member: &'a ShownMember, last: &mut Option<&'a ShownMember>) -> Word {
    let before = last.replace(member);
    let is_changed = before.is_some_and(|before| before.name != member.name);
    Word { text: one_line(&member.name).into_owned(), is_changed }
}

/// Which subformula it is about from this row on, where that changes.
fn note(digest: &Digest, row: &PathRow, subject: &mut Option<u32>, starts_loop: bool) -> String {
    let last = row.places.last().map(|&place| digest.last_claim(place));
    let text = |node: Option<u32>| node.map(|node| digest.node(node).subformula.as_str());
    let mut notes: Vec<String> = Vec::new();
    let is_telling = last.is_some_and(|node| !digest.node(node).is_constant());
    if is_telling && text(last) != text(*subject) {
        notes.extend(last.map(|node| claim(digest.node(node))));
        notes.extend(said_before(digest, row));
        *subject = last;
    }
    notes.extend(starts_loop.then(|| "loop starts here".to_owned()));
    notes.join(", ")
}

/// The claims of a row at the places before its last one.
fn said_before(digest: &Digest, row: &PathRow) -> Option<String> {
    let (_, before) = row.places.split_last()?;
    let nodes: Vec<u32> = before.iter().flat_map(|&p| digest.place(p).facts.clone()).collect();
    let reported = facts(digest, &nodes);
    (!reported.is_empty()).then(|| format!("as {}", and(&reported)))
}
