//! Labels of transitions as multi-actions with values: `send(1, d1)|ack`.

use super::Value;

/// The actions of a label, each with its arguments; in order, since a multi-action is a bag. `tau` is the empty one.
pub(super) type MultiAction = Vec<(String, Vec<Value>)>;

/// How deep values in labels are looked into.
const MAX_NESTING: usize = 100;

/// Reads a label. One that is not written in the manner of mCRL2 is one action without arguments, and an argument that
/// is not understood a constant of its own.
pub(super) fn read_label(label: &str) -> MultiAction {
    if label == "tau" {
        return Vec::new();
    }
    let read = split(label, '|').into_iter().map(read_action).collect::<Option<MultiAction>>();
    let mut actions = read.unwrap_or_else(|| vec![(label.to_owned(), Vec::new())]);
    actions.sort();
    actions
}

fn read_action(text: &str) -> Option<(String, Vec<Value>)> {
    let text = text.trim();
    let (name, rest) = text.split_at(end_of_name(text));
    if name.is_empty() {
        return None;
    }
    let arguments = match rest.trim_start() {
        "" => Vec::new(),
        rest => split(inner(rest, '(', ')')?, ',').into_iter().map(|part| read(part, 0)).collect(),
    };
    Some((name.to_owned(), arguments))
}

fn read(text: &str, depth: usize) -> Value {
    let text = text.trim();
    understood(text, depth).unwrap_or_else(|| Value::Term(text.to_owned(), Vec::new()))
}

fn understood(text: &str, depth: usize) -> Option<Value> {
    if depth == MAX_NESTING {
        return None;
    }
    match text {
        "true" => return Some(Value::Bool(true)),
        "false" => return Some(Value::Bool(false)),
        _ => {}
    }
    if let Ok(number) = text.parse() {
        return Some(Value::number(number));
    }
    let all = |inner: &str| match inner.trim() {
        "" => Vec::new(),
        inner => split(inner, ',').into_iter().map(|part| read(part, depth + 1)).collect(),
    };
    if let Some(items) = inner(text, '[', ']') {
        return Some(Value::List(all(items)));
    }
    if let Some(items) = inner(text, '{', '}') {
        // Neither a bag nor a set that is described by a condition.
        if items.contains([':', '|']) {
            return None;
        }
        let mut items = all(items);
        items.sort();
        items.dedup();
        return Some(Value::Set(items));
    }
    let (name, rest) = text.split_at(end_of_name(text));
    match (name, rest.trim_start()) {
        ("", _) => None,
        (_, "") => Some(Value::Term(name.to_owned(), Vec::new())),
        (_, rest) => Some(Value::Term(name.to_owned(), all(inner(rest, '(', ')')?))),
    }
}

/// How many bytes of the text are an identifier of mCRL2.
fn end_of_name(text: &str) -> usize {
    if !text.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return 0;
    }
    text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '\'')).unwrap_or(text.len())
}

/// The text between these parentheses, if the first one closes at the end.
fn inner(text: &str, open: char, close: char) -> Option<&str> {
    let inner = text.strip_prefix(open)?.strip_suffix(close)?;
    let mut depth = 0_usize;
    for c in inner.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    (depth == 0).then_some(inner)
}

/// The parts of a text between separators that stand in no parentheses.
fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_i64);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ if c == separator && depth == 0 => {
                parts.push(&text[start..at]);
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::{Value, read_label};

    #[test]
    fn labels_are_multi_actions() {
        let constant = |name: &str| Value::Term(name.to_owned(), Vec::new());
        let action = |name: &str, arguments| (name.to_owned(), arguments);
        assert_eq!(read_label("tau"), []);
        assert_eq!(read_label("b|a"), [action("a", vec![]), action("b", vec![])]);
        assert_eq!(
            read_label("send(1, -2,true)"),
            [action("send", vec![Value::number(1), Value::number(-2), Value::Bool(true)])]
        );
        let pair = Value::Term("p".to_owned(), vec![constant("d1"), Value::number(0)]);
        assert_eq!(read_label("s(p(d1,0))"), [action("s", vec![pair])]);
        let list = Value::List(vec![constant("a"), Value::List(vec![])]);
        assert_eq!(read_label("s([a, []])"), [action("s", vec![list])]);
        assert_eq!(read_label("s({b, a})"), read_label("s({a,b,a})"));
        // What is not understood is itself.
        assert_eq!(read_label("s(1/2)"), [action("s", vec![constant("1/2")])]);
        for label in ["SEND !1 !true", "s(", "", "1", "s(1))", "s)("] {
            assert_eq!(read_label(label), [action(label, vec![])], "{label}");
        }
    }
}
