//! Every property by its components and on the whole system, where the whole can still be composed: how
//! much of the game is looked at, and what global properties cost.

use super::super::Bench;
use super::super::figures::Figures;
use super::super::table::{Table, seconds};
use super::{Member, Sample, Way, ask};
use crate::families::{Family, Question, Sort};
use clap::ValueEnum;
use std::io;

/// In per cent, of products in the nodes of the whole game of a local property.
const MOST_SHARE: f64 = 1.0;

/// The time of `auto` on a global property, in those of `direct`.
const MOST_RATIO: f64 = 1.3;

pub fn tables(bench: &Bench) -> io::Result<Vec<Table>> {
    let mut shares = shares();
    let mut times = times();
    for &family in Family::value_variants() {
        let size = largest(bench, family)?;
        for &broken in if is_quick(bench) { &[false][..] } else { &[false, true] } {
            let member = Member::new(bench, family, size, broken)?;
            for question in &member.questions() {
                let pair = Pair::measure(bench, &member, question)?;
                shares.row(pair.share());
                if question.sort == Sort::Global {
                    times.row(pair.times(&ask(
                        bench,
                        &member.path,
                        question,
                        timed(bench, "auto"),
                    )?));
                }
            }
        }
    }
    Ok(vec![shares, times])
}

fn shares() -> Table {
    let head = [
        "family",
        "n",
        "property",
        "kind",
        "nodes of components",
        "of products",
        "of the whole game",
        "products / game",
        "both / game",
        "bar",
    ];
    let mut table = Table::new("Families: how much of the game is looked at", &head);
    table.note(
        "`--method compositional` against `--method direct`, at the largest n that `direct` checks \
         within about a second and a half. The bar, for local properties: products have at most 1 % of \
         the nodes of the whole game. Nodes of components do not depend on n; where the whole game is \
         small too (some are decided in the first few positions), they can be more than it has.",
    );
    table
}

fn times() -> Table {
    let head = [
        "family",
        "n",
        "property",
        "kind",
        "direct",
        "auto",
        "auto / direct",
        "decided by",
        "compositional",
        "compositional / direct",
        "bar",
    ];
    let mut table = Table::new("Families: global properties against the whole", &head);
    table.note(
        "Checking time, without reading; medians of three runs for `direct` and `auto`, one run of \
         `compositional`; 10 s and 4 GB at most. The bar: `auto` takes at most 1.3 times as long as \
         `direct`.",
    );
    table
}

/// The largest size that `direct` can do in a short time.
fn largest(bench: &Bench, family: Family) -> io::Result<u32> {
    let most = if is_quick(bench) { 0.01 } else { 1.5 };
    let mut size = 2;
    loop {
        let next = Member::new(bench, family, size + 1, false)?;
        let way = Way { method: "direct", limit: 3, runs: 1 };
        let sample = ask(bench, &next.path, &next.questions()[0], way)?;
        if !sample.is_definite() || sample.figures.seconds > most {
            return Ok(size);
        }
        size += 1;
    }
}

/// Both methods on one question.
struct Pair<'a> {
    member: &'a Member,
    question: &'a Question,
    direct: Sample,
    compositional: Sample,
}

impl<'a> Pair<'a> {
    fn measure(bench: &Bench, member: &'a Member, question: &'a Question) -> io::Result<Self> {
        let once = |method| Way { runs: 1, ..timed(bench, method) };
        let is_timed = question.sort == Sort::Global;
        let way = if is_timed { timed(bench, "direct") } else { once("direct") };
        let direct = ask(bench, &member.path, question, way)?;
        let compositional = ask(bench, &member.path, question, once("compositional"))?;
        Ok(Self { member, question, direct, compositional })
    }

    fn name(&self) -> [String; 4] {
        let Self { member, question, .. } = self;
        let (family, size) = (member.family.name(), member.size.to_string());
        [family, size, member.name(question), question.kind()]
    }

    fn share(&self) -> Vec<String> {
        let mut row = self.name().to_vec();
        let Figures { component_nodes: components, product_nodes: products, .. } =
            self.compositional.figures;
        let game = self.direct.figures.game_nodes;
        let parts = self.compositional.is_definite().then_some([components, products]);
        let whole = self.direct.is_definite().then_some(game);
        let shown = |nodes: Option<u64>| nodes.map_or(NO_ANSWER.to_owned(), |n| n.to_string());
        row.extend([parts.map(|nodes| nodes[0]), parts.map(|nodes| nodes[1]), whole].map(shown));
        if parts.is_none() || whole.is_none() {
            row.extend([""; 3].map(str::to_owned));
            return row;
        }
        let share = |nodes: u64| 100.0 * nodes as f64 / game as f64;
        row.extend([products, components + products].map(|nodes| percent(share(nodes))));
        row.push(match self.question.sort {
            Sort::Local => bar(share(products) <= MOST_SHARE),
            _ => String::new(),
        });
        row
    }

    fn times(&self, auto: &Sample) -> Vec<String> {
        let [direct, auto_time, alone] = [&self.direct, auto, &self.compositional]
            .map(|sample| sample.is_definite().then_some(sample.figures.seconds));
        let shown = |time: Option<f64>| time.map_or(NO_ANSWER.to_owned(), seconds);
        let ratio = |time: Option<f64>| Some(time? / direct?);
        let times = |ratio: Option<f64>| ratio.map_or(String::new(), |ratio| format!("{ratio:.2}"));
        let mut row = self.name().to_vec();
        row.extend([shown(direct), shown(auto_time), times(ratio(auto_time))]);
        row.push(auto_time.map_or(String::new(), |_| auto.figures.method.clone()));
        row.extend([shown(alone), times(ratio(alone))]);
        row.push(match (direct, ratio(auto_time)) {
            (None, _) => String::new(),
            (_, ratio) => bar(ratio.is_some_and(|ratio| ratio <= MOST_RATIO)),
        });
        row
    }
}

const NO_ANSWER: &str = "no answer";

fn bar(is_met: bool) -> String {
    if is_met { "met" } else { "missed" }.to_owned()
}

fn is_quick(bench: &Bench) -> bool {
    bench.divisor > 1
}

/// Several runs, with a limit that is generous where `direct` takes a second or two.
fn timed<'m>(bench: &Bench, method: &'m str) -> Way<'m> {
    if is_quick(bench) {
        Way { method, limit: 1, runs: 1 }
    } else {
        Way { method, limit: 10, runs: 3 }
    }
}

fn percent(value: f64) -> String {
    if value == 0.0 || value >= 0.01 { format!("{value:.2} %") } else { "< 0.01 %".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_shares_are_not_rounded_to_nothing() {
        assert_eq!(
            [0.0, 0.001, 0.5, 250.0].map(percent),
            ["0.00 %", "< 0.01 %", "0.50 %", "250.00 %"]
        );
    }
}
