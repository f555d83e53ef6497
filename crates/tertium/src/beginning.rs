//! Which language standard input is in, by how it begins.

/// Words that a Promela model can begin with; none of them begins a file of another kind.
const PROMELA: [&str; 23] = [
    "active", "bit", "bool", "byte", "chan", "hidden", "init", "inline", "int", "local", "ltl",
    "mtype", "never", "notrace", "pid", "proctype", "show", "short", "trace", "typedef",
    "unsigned", "xr", "xs",
];
const DIRECTIVES: [&str; 6] = ["define", "if", "ifdef", "ifndef", "include", "undef"];

pub fn is_smv(start: &[u8]) -> bool {
    let start = start.trim_ascii_start();
    start.starts_with(b"MODULE") || start.starts_with(b"--") || start.starts_with(b"/--")
}

/// A native model can begin with a comment, too, so the first word counts.
pub fn is_promela(start: &[u8]) -> bool {
    let Some(start) = without_comments(start) else { return false };
    match start.strip_prefix(b"#") {
        Some(directive) => is_one_of(&DIRECTIVES, directive.trim_ascii_start()),
        None => is_one_of(&PROMELA, start),
    }
}

/// A while-program that begins with a declaration.
pub fn is_while(start: &[u8]) -> bool {
    without_comments(start).is_some_and(|start| is_one_of(&["var", "proc"], start))
}

fn is_one_of(words: &[&str], start: &[u8]) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let end = start.iter().position(|byte| !is_letter(byte)).unwrap_or(start.len());
    words.iter().any(|word| word.as_bytes() == &start[..end])
}

/// What follows the comments; `None` if one of them has no end.
fn without_comments(mut start: &[u8]) -> Option<&[u8]> {
    loop {
        start = start.trim_ascii_start();
        let (open, close): (_, &[u8]) = match start {
            [b'/', b'*', inner @ ..] => (inner, b"*/"),
            [b'/', b'/', inner @ ..] => (inner, b"\n"),
            _ => return Some(start),
        };
        let end = open.windows(close.len()).position(|part| part == close)?;
        start = &open[end + close.len()..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn promela_begins_like_no_other_language() {
        for text in [
            "byte x;",
            "/* a\n comment */ // and another\n active proctype P() { skip }",
            "#define N 2\nbyte x;",
            "# define N 2",
            "init{ skip }",
        ] {
            assert!(is_promela(text.as_bytes()) && !is_smv(text.as_bytes()), "{text}");
        }
        for text in [
            "",
            "component M kripke {}",
            "// byte\nsystem M;",
            "des (0, 1, 1)",
            "MODULE main",
            "/-- byte --/ MODULE main",
            "/* byte",
            "bytes x",
            "#",
            "parity 3;",
        ] {
            assert!(!is_promela(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn programs_begin_with_declarations() {
        for text in ["var x : bool;", "// x\nproc p() { skip }"] {
            assert!(is_while(text.as_bytes()) && !is_promela(text.as_bytes()), "{text}");
        }
        for text in ["", "variable", "property p: ctl true;", "component M kripke {}"] {
            assert!(!is_while(text.as_bytes()), "{text}");
        }
    }
}
