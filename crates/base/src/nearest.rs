//! The name that the user most likely meant.

/// Nobody looks for what is meant by a longer name, and comparing takes the square of the length.
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
    use super::nearest;

    #[test]
    fn finds_slips_and_refuses_strangers() {
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
}
