//! One line `(source, label, target)` of an Aldebaran file, read quickly or carefully.

use crate::stream::{Cursor, Wrong, quick_number};

use std::ops::Range;

/// A transition of which only the label is still text.
pub(crate) struct FastEdge {
    pub source: u32,
    /// Where the label begins, and its length, both without quotes.
    pub label: (usize, usize),
    pub target: u32,
    /// Of the line, its end included.
    pub len: usize,
}

/// The line that the text begins with, if it is written as tools write it: no white space but one
/// blank after a comma, and a line end. A comma or quote in the label may give `None` as well.
///
/// The label may turn out to contain a line end; the caller must refuse labels that it does not know
/// from [`careful`].
#[inline]
pub(crate) fn quick(text: &[u8]) -> Option<FastEdge> {
    let (b'(', after) = text.split_first()? else { return None };
    let (source, len) = quick_number(after)?;
    let start = after_comma(text, 1 + len)?;
    let (label, after) = if *text.get(start)? == b'"' {
        let len = distance_to(b'"', text.get(start + 1..)?)?;
        ((start + 1, len), start + len + 2)
    } else {
        let len = distance_to(b',', text.get(start..)?)?;
        let label = text.get(start..start + len)?;
        if label.first()?.is_ascii_whitespace() || label.last()?.is_ascii_whitespace() {
            return None;
        }
        ((start, len), start + len)
    };
    let target_at = after_comma(text, after)?;
    let (target, len) = quick_number(text.get(target_at..)?)?;
    let end = match text.get(target_at + len..)? {
        [b')', b'\n', ..] => 2,
        [b')', b'\r', b'\n', ..] => 3,
        _ => return None,
    };
    Some(FastEdge { source, label, target, len: target_at + len + end })
}

/// The place after a comma at `at`, and after one blank if it follows.
#[inline]
fn after_comma(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at..)? {
        [b',', b' ', ..] => Some(at + 2),
        [b',', ..] => Some(at + 1),
        _ => None,
    }
}

/// How many bytes stand before the first `byte`; `None` also if the text is near its end.
#[inline]
fn distance_to(byte: u8, text: &[u8]) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let mut at = 0;
    loop {
        let word = u64::from_le_bytes(*text.get(at..)?.first_chunk()?);
        // The lowest top bit that is set belongs to the first byte that is zero.
        let matching = word ^ (ONES * u64::from(byte));
        let zeros = matching.wrapping_sub(ONES) & !matching & (ONES << 7);
        if zeros != 0 {
            return Some(at + zeros.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
}

/// A transition and where its parts stand in the line.
#[derive(Debug)]
pub(crate) struct EdgeLine {
    pub source: u32,
    pub source_at: Range<usize>,
    /// Without quotes.
    pub label: Range<usize>,
    pub target: u32,
    pub target_at: Range<usize>,
}

/// Reads a line, or says precisely what is wrong with it. The label is whatever stands between the
/// first comma and the last, so that it may contain commas, parentheses and quotes.
pub(crate) fn careful(line: &[u8]) -> Result<EdgeLine, Box<Wrong>> {
    let line = line.trim_ascii_end();
    let mut cursor = Cursor::new(line);
    cursor.expect(b'(', "at the beginning of a transition")?;
    let (source, source_at) = cursor.located_number("the number of the source state")?;
    cursor.expect(b',', "after the source state")?;
    cursor.skip_space();
    let label_start = cursor.at;
    let (label_end, target_at) = split_from_right(line, label_start)?;
    let label = unquoted(line, label_start..label_end)?;
    let mut cursor = Cursor::from(&line[..target_at.end], target_at.start);
    let target = cursor.number("the number of the target state")?;
    Ok(EdgeLine { source, source_at, label, target, target_at })
}

/// Where the label ends and where the target stands, found from the end of the line.
fn split_from_right(line: &[u8], from: usize) -> Result<(usize, Range<usize>), Box<Wrong>> {
    let end_of = |end: usize| from + line[from..end].trim_ascii_end().len();
    if line.get(from) == Some(&b'"') && !line[from + 1..].contains(&b'"') {
        let message = "the closing quote of the label is missing";
        return Err(Wrong::new(from..line.len(), message, "opened here"));
    }
    match line[from..].last() {
        Some(b')') => {}
        Some(_) => return Err(no_closing_parenthesis(line)),
        None => return Err(Cursor::from(line, from).unexpected("expected a label")),
    }
    let target_end = end_of(line.len() - 1);
    let digits = line[from..target_end].iter().rev().take_while(|b| b.is_ascii_digit()).count();
    let target_start = target_end - digits;
    if digits == 0 {
        return Err(no_target(line, from..target_end));
    }
    let comma_end = end_of(target_start);
    if comma_end == from {
        let message = "expected a label and a target state";
        let wrong = Wrong::new(from..target_end, message, "there is only one of them");
        return Err(wrong.with_help("a transition has the form `(source, label, target)`"));
    }
    match line[comma_end - 1] {
        b',' => Ok((end_of(comma_end - 1), target_start..target_end)),
        b'"' => {
            let message = "expected `,` before the target state";
            Err(Wrong::new(target_start..target_end, message, "no comma before this"))
        }
        _ => Err(no_target(line, from..target_end)),
    }
}

/// Complains that no number stands after the last comma.
fn no_target(line: &[u8], rest: Range<usize>) -> Box<Wrong> {
    let after_comma = line[rest.clone()].iter().rposition(|&byte| byte == b',').map(|at| at + 1);
    let start = rest.start + after_comma.unwrap_or(rest.len());
    let mut cursor = Cursor::from(line, start);
    cursor.skip_space();
    match after_comma {
        Some(_) => cursor.unexpected("expected the number of the target state"),
        None => cursor.unexpected("expected `,` and the number of the target state"),
    }
}

fn no_closing_parenthesis(line: &[u8]) -> Box<Wrong> {
    // Something after a transition that is complete is another mistake than a missing parenthesis.
    if let Some(last) = line.iter().rposition(|&byte| byte == b')')
        && last + 1 < line.len()
        && careful(&line[..=last]).is_ok()
    {
        let start = last + 1 + line[last + 1..].iter().take_while(|&&byte| byte == b' ').count();
        let message = "expected nothing more after the transition";
        return Wrong::new(start..line.len(), message, "this is too much");
    }
    Cursor::from(line, line.len()).unexpected("expected `)` at the end of the transition")
}

fn unquoted(line: &[u8], label: Range<usize>) -> Result<Range<usize>, Box<Wrong>> {
    let empty = || Wrong::new(label.clone(), "the label is empty", "expected an action here");
    if label.is_empty() {
        return Err(empty());
    }
    if line[label.start] != b'"' {
        return Ok(label);
    }
    match line[label.clone()].iter().rposition(|&byte| byte == b'"') {
        Some(last) if last + 1 < label.len() && last > 0 => {
            let at = label.start + last + 1..label.end;
            Err(Wrong::new(at, "expected `,` after the label", "found this"))
        }
        Some(1) => Err(empty()),
        Some(last) if last > 0 => Ok(label.start + 1..label.start + last),
        _ => {
            let message = "the closing quote of the label is missing";
            Err(Wrong::new(label, message, "opened here"))
        }
    }
}
