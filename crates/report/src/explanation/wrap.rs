//! Text that fits a terminal.

/// How many columns a text takes that may have colours.
pub(crate) fn width(text: &str) -> usize {
    let mut in_escape = false;
    let mut counts = |character: char| {
        in_escape |= character == '\u{1b}';
        let counts = !in_escape;
        in_escape &= character != 'm';
        counts
    };
    text.chars().filter(|&character| counts(character)).count()
}

/// The text with `…` in its middle if it is too long: names often differ at their ends.
pub(crate) fn cut(text: &str, most: usize) -> String {
    let length = text.chars().count();
    if length <= most {
        return text.to_owned();
    }
    let kept = most.saturating_sub(1);
    let (left, right) = (kept - kept / 2, kept / 2);
    let start: String = text.chars().take(left).collect();
    let end: String = text.chars().skip(length - right).collect();
    format!("{start}…{end}")
}

/// Lines of at most so many columns, as far as words allow, all but the first indented.
pub(crate) fn wrap(text: &str, columns: usize, indent: usize) -> String {
    let mut lines = String::new();
    let mut used = 0;
    for (index, word) in text.split(' ').enumerate() {
        let needed = width(word);
        if index > 0 && used + 1 + needed > columns {
            lines.push('\n');
            lines.extend(std::iter::repeat_n(' ', indent));
            used = indent;
        } else if index > 0 {
            lines.push(' ');
            used += 1;
        }
        lines.push_str(word);
        used += needed;
    }
    lines
}

/// `text` and as many spaces as it needs.
pub(crate) fn pad(text: &str, columns: usize) -> String {
    let missing = columns.saturating_sub(width(text));
    format!("{text}{}", " ".repeat(missing))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_keep_both_ends() {
        assert_eq!(cut("abcdefghij", 7), "abc…hij");
        assert_eq!(cut("日本語です", 3), "日…す");
        assert_eq!(cut("short", 5), "short");
    }

    #[test]
    fn words_go_to_the_next_line_and_colours_take_no_room() {
        assert_eq!(wrap("  one two three", 9, 4), "  one two\n    three");
        assert_eq!(width("\u{1b}[1mtwo\u{1b}[0m"), 3);
        assert_eq!(pad("\u{1b}[1mtwo\u{1b}[0m", 4), "\u{1b}[1mtwo\u{1b}[0m ");
    }
}
