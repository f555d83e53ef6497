//! A file of tables, of which some are measured again.

use super::table::Table;

/// Puts tables in the place of those with the same title, and new ones at the end.
pub fn merge(old: &str, tables: &[Table], remark: &str) -> String {
    let (head, mut sections) = split(old);
    for table in tables {
        let text = format!("{}\n{remark}\n", table.to_string().trim_end().to_owned() + "\n");
        match sections.iter_mut().find(|(title, _)| title == table.title()) {
            Some((_, section)) => *section = text,
            None => sections.push((table.title().to_owned(), text)),
        }
    }
    let sections: Vec<String> = sections.into_iter().map(|(_, text)| text).collect();
    format!("{}\n\n{}", head.trim_end(), sections.join("\n"))
}

/// What stands before the first table, and the tables by title.
fn split(text: &str) -> (&str, Vec<(String, String)>) {
    const MARK: &str = "\n## ";
    let mut pieces = text.split(MARK);
    let head = pieces.next().unwrap_or_default();
    let section = |piece: &str| {
        let title = piece.lines().next().unwrap_or_default().to_owned();
        (title, format!("## {}\n", piece.trim_end()))
    };
    (head, pieces.map(section).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(title: &str, cell: &str) -> Table {
        let mut table = Table::new(title, &["column"]);
        table.row(vec![cell.to_owned()]);
        table
    }

    #[test]
    fn what_was_not_measured_again_is_kept() {
        let first = merge("# Head\n", &[table("a", "1"), table("b", "2")], "Today.");
        let second = merge(&first, &[table("b", "3"), table("c", "4")], "Tomorrow.");
        let expected = "# Head\n\n\
            ## a\n\n| column |\n| --- |\n| 1 |\n\nToday.\n\n\
            ## b\n\n| column |\n| --- |\n| 3 |\n\nTomorrow.\n\n\
            ## c\n\n| column |\n| --- |\n| 4 |\n\nTomorrow.\n";
        assert_eq!(second, expected);
        assert_eq!(merge(&second, &[], ""), second);
    }
}
