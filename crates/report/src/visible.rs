//! Text of strangers on a terminal: nothing in it may move the cursor, paint or hide.

use std::borrow::Cow;

/// The text with a picture in place of each control character, one for one, so that places in it
/// stay what they are. Line ends and tabs remain.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| (b' '..0x7f).contains(&byte) || byte == b'\n' || byte == b'\t';
    if text.bytes().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut characters = text.chars().peekable();
    let mut shown = String::with_capacity(text.len());
    while let Some(character) = characters.next() {
        let ends_line = character == '\r' && characters.peek() == Some(&'\n');
        shown.push(if ends_line { character } else { picture(character) });
    }
    Cow::Owned(shown)
}

/// Replaces control characters, line ends and tabs by pictures.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    let breaks = |character: char| matches!(character, '\n' | '\r' | '\t');
    if !text.contains(breaks) {
        return visible(text);
    }
    let pictured = text.chars().map(|c| match c {
        '\n' => '\u{240a}',
        '\r' => '\u{240d}',
        '\t' => '\u{2409}',
        _ => c,
    });
    Cow::Owned(visible(&pictured.collect::<String>()).into_owned())
}

fn picture(character: char) -> char {
    const REPLACEMENT: char = '\u{fffd}';
    match character {
        '\n' | '\t' => character,
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(character)).unwrap_or(REPLACEMENT),
        '\x7f' => '\u{2421}',
        // Controls of Latin-1; ends of lines and paragraphs; changes of direction; the mark of UTF-8.
        '\u{80}'..='\u{9f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' => {
            REPLACEMENT
        }
        _ => character,
    }
}

#[cfg(test)]
mod tests {
    use super::{one_line, visible};

    #[test]
    fn controls_have_pictures() {
        assert_eq!(visible("a\u{1b}[31m\0\x7f"), "a\u{241b}[31m\u{2400}\u{2421}");
        assert_eq!(visible("\u{202e}x\u{85}\u{feff}"), "\u{fffd}x\u{fffd}\u{fffd}");
    }

    #[test]
    fn text_stays_as_it_is() {
        for text in ["", "plain\ttext\n", "\u{e4}\u{2192}\u{65e5}", "two\r\nlines\r\n"] {
            assert_eq!(visible(text), text);
        }
        assert_eq!(visible("old\rlines"), "old\u{240d}lines");
    }

    #[test]
    fn one_line_is_one_line() {
        assert_eq!(one_line("a\r\n\tb\u{1b}"), "a\u{240d}\u{240a}\u{2409}b\u{241b}");
        assert_eq!(one_line("plain text"), "plain text");
    }

    #[test]
    fn characters_are_replaced_one_for_one() {
        let text = "\u{1b}\u{e4}\u{9b}\r\n\u{2028}x";
        assert_eq!(visible(text).chars().count(), text.chars().count());
    }
}
