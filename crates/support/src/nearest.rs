//! The name that the user most likely meant.

/// Longer names are not compared: that takes the square of the length.
const LONGEST: usize = 100;

/// The candidate nearest to `wanted`, if its edit distance is at most a third of the length, and
/// something of the name is left.
pub fn nearest<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = wanted.chars().take(LONGEST + 1).count();
    if length > LONGEST {
        return None;
    }
    let limit = (length / 3).max(1).min(length.saturating_sub(1));
    let similar = length.saturating_sub(limit)..=length + limit;
    candidates
        .into_iter()
        .filter(|name| similar.contains(&name.chars().take(length + limit + 1).count()))
        .map(|candidate| (distance(wanted, candidate), candidate))
        .filter(|&(distance, _)| distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

/// The name that is nearest, or else those that there are, if not too many of them.
pub fn did_you_mean<'a>(
    wanted: &str,
    there_are: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> String {
    const SHOWN: usize = 12;
    if let Some(near) = nearest(wanted, names.clone()) {
        return format!("did you mean `{near}`?");
    }
    let shown: Vec<String> = names.clone().take(SHOWN).map(|name| format!("`{name}`")).collect();
    let count = names.count();
    let rest = if count > SHOWN { format!(", … {count} in all") } else { String::new() };
    format!("{there_are} {}{rest}", shown.join(", "))
}

/// Edit distance with transpositions of neighbours, letter case at no cost.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.to_lowercase().chars().collect();
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let width = b.len() + 1;
    let mut table = vec![0; (a.len() + 1) * width];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i * width + j] = if i == 0 || j == 0 {
                i + j
            } else {
                let changed = usize::from(a[i - 1] != b[j - 1]);
                let mut best = (table[(i - 1) * width + j] + 1)
                    .min(table[i * width + j - 1] + 1)
                    .min(table[(i - 1) * width + j - 1] + changed);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(table[(i - 2) * width + j - 2] + 1);
                }
                best
            };
        }
    }
    table[a.len() * width + b.len()]
}

#[cfg(test)]
mod tests {
    use super::{did_you_mean, nearest};

    #[test]
    fn finds_typos_and_no_unrelated_names() {
        let names = ["request", "grant", "ack"];
        assert_eq!(nearest("reqeust", names), Some("request"));
        assert_eq!(nearest("GRANT", names), Some("grant"));
        assert_eq!(nearest("ak", names), Some("ack"));
        assert_eq!(nearest("idle", names), None);
        // Two letters that changed places are one slip.
        assert_eq!(nearest("akc", names), Some("ack"));
    }

    #[test]
    fn short_names_are_not_all_alike_and_long_ones_are_left_alone() {
        assert_eq!(nearest("x", ["s"]), None);
        assert_eq!(nearest("S", ["s"]), Some("s"));
        let long = "a".repeat(1_000_000);
        assert_eq!(nearest(&long, [&long[1..]]), None);
        assert_eq!(nearest("aaa", [&*long]), None);
    }

    #[test]
    fn what_is_near_or_what_there_is() {
        let names = ["request", "grant"];
        assert_eq!(did_you_mean("grnat", "there are", names.into_iter()), "did you mean `grant`?");
        let all = "there are `request`, `grant`";
        assert_eq!(did_you_mean("x", "there are", names.into_iter()), all);
        let many: Vec<String> = (100..130).map(|n| format!("signal{n}")).collect();
        let help = did_you_mean("x", "there are", many.iter().map(String::as_str));
        assert!(help.ends_with("`signal111`, … 30 in all"), "{help}");
    }
}
