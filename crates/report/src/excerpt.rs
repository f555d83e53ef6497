//! A single line, or the part of it around a fault: for texts of which only that line is kept, and
//! for lines that are too long to be shown in full, as programs write them.

use crate::diagnostics::Place;
use crate::visible::visible;
use support::{Diagnostic, SourceMap, Span};

/// Longer lines are cut.
const LONG: usize = 500;
/// How much of a long line is shown before its fault, and in all.
const BEFORE: usize = 30;
const SHOWN: usize = 76;

pub(crate) fn is_needed(sources: &SourceMap, (file, range): &Place) -> bool {
    let source = sources.file(*file);
    let is_long = |offset| line_at(&source.text, line_start(&source.text, offset)).len() > LONG;
    source.first_line > 1 || is_long(range.start) || is_long(range.end)
}

/// The place, and the part of its line around the fault, which is underlined. It looks like what
/// ariadne draws.
pub(crate) fn render(sources: &SourceMap, place: &Place, diagnostic: &Diagnostic) -> String {
    let (file, range) = place;
    let name = visible(&sources.file(*file).name);
    let (line, column) = sources.position(Span::new(*file, range.clone()));
    let View { shown, indent, width } = view(sources, place);

    let number = line.to_string();
    let gutter = " ".repeat(number.len());
    let (before, after) = (width / 2, width - width / 2 - 1);
    let mut text = format!("{gutter}  ╭─[ {name}:{line}:{column} ]\n{gutter}  │\n");
    let mut row = |margin: &str, content: &str| {
        text.push_str(format!(" {margin} │ {content}").trim_end());
        text.push('\n');
    };
    row(&number, &shown);
    row(&gutter, &format!("{}{}┬{}", " ".repeat(indent), "─".repeat(before), "─".repeat(after)));
    let label = &diagnostic.labels[0].1;
    row(&gutter, &format!("{}╰──{} {label}", " ".repeat(indent + before), "─".repeat(after)));
    if let Some(help) = &diagnostic.help {
        row(&gutter, "");
        row(&gutter, &format!("Help: {help}"));
    }
    text + &format!("{}──╯\n", "─".repeat(number.len()))
}

struct View {
    shown: String,
    /// Where the fault begins in it, and how many characters it has.
    indent: usize,
    width: usize,
}

fn view(sources: &SourceMap, (file, range): &Place) -> View {
    let text = &*sources.file(*file).text;
    let start = line_start(text, range.start);
    let whole = line_at(text, start).trim_end_matches('\r');
    let fault = (range.start - start).min(whole.len())..(range.end - start).min(whole.len());
    let from = whole.floor_char_boundary(fault.start.saturating_sub(BEFORE));
    let to = whole.floor_char_boundary((from + SHOWN).min(whole.len())).max(fault.start);
    let (left, right) = (mark_of_cut(from > 0), mark_of_cut(to < whole.len()));
    View {
        shown: format!("{left}{}{right}", visible(&whole[from..to])).replace('\t', " "),
        indent: left.chars().count() + whole[from..fault.start].chars().count(),
        width: whole[fault.start..fault.end.clamp(fault.start, to)].chars().count().max(1),
    }
}

fn mark_of_cut(is_cut: bool) -> &'static str {
    if is_cut { "…" } else { "" }
}

fn line_start(text: &str, offset: usize) -> usize {
    text[..offset].rfind('\n').map_or(0, |newline| newline + 1)
}

fn line_at(text: &str, start: usize) -> &str {
    text[start..].split('\n').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::{Colour, render};
    use support::{Diagnostic, SourceMap, Span};

    #[test]
    fn a_long_line_is_cut_around_its_fault() {
        let mut sources = SourceMap::new();
        let text = format!("short\n{} wrong {}\n", "ä".repeat(1000), "b ".repeat(1000));
        let start = text.find("wrong").unwrap();
        let file = sources.add("<formula>", text);
        let span = Span::new(file, start..start + 5);
        let text = render(&[Diagnostic::error("bad", span, "here")], &sources, Colour::Off);
        assert!(text.contains("<formula>:2:1002"), "{text}");
        assert!(text.contains("│ …ä"), "{text}");
        assert!(text.contains(" ──┬──\n"), "{text}");
        assert!(text.contains(" ╰──── here\n"), "{text}");
        assert!(text.len() < 500, "{text}");
    }
}
