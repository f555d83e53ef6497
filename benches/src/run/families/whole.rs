//! Every property by its components and on the whole system, where the whole can still be composed: how
//! much of the game is looked at, and what global properties cost.

use super::super::Bench;
use super::super::figures::Figures;
use super::super::table::{Table, percent, seconds};
use super::{Member, Sample, Score, Way, ask};
use crate::families::{Family, Question, Sort};
use clap::ValueEnum;
use std::io;

/// In per cent, of products in the nodes of the whole game of a local property.
const MOST_SHARE: f64 = 1.0;

/// The time of `auto` on a global property, in those of `direct`.
const MOST_RATIO: f64 = 1.3;

pub fn tables(bench: &Bench) -> io::Result<Vec<Table>> {
    let (mut shares, mut times) = (shares(), times());
    let (mut local, mut global) = (Score::default(), Score::default());
    for &family in Family::value_variants() {
        let size = largest(bench, family)?;
        for &broken in if is_quick(bench) { &[false][..] } else { &[false, true] } {
            let member = Member::new(bench, family, size, broken)?;
            for question in &member.questions() {
                let pair = Pair::measure(bench, &member, question)?;
                shares.row(pair.share());
                pair.is_small().into_iter().for_each(|is_small| local.count(is_small));
                if question.sort == Sort::Global {
                    let auto = ask(bench, &member.path, question, timed(bench, "auto"))?;
                    times.row(pair.times(&auto));
                    pair.is_fast(&auto).into_iter().for_each(|is_fast| global.count(is_fast));
                }
            }
        }
    }
    shares.note(format!("Within the bar: {local}."));
    times.note(format!(
        "Within the bar: {global}, those left out for which `direct` has no answer."
    ));
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
        "Checking time, without reading; the least of three runs for `direct` and `auto`, one run of \
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
        if !sample.is_definite() || sample.checking > most {
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

    /// Of products in the whole game, in per cent.
    fn product_share(&self) -> Option<f64> {
        let is_definite = self.compositional.is_definite() && self.direct.is_definite();
        is_definite.then(|| self.percentage(self.compositional.figures.product_nodes))
    }

    fn percentage(&self, nodes: u64) -> f64 {
        100.0 * nodes as f64 / self.direct.figures.game_nodes as f64
    }

    /// Whether a local property is within the bar.
    fn is_small(&self) -> Option<bool> {
        let share = self.product_share();
        (self.question.sort == Sort::Local).then(|| share.is_some_and(|share| share <= MOST_SHARE))
    }

    /// Whether a property is within the bar for times, if `direct` can do it.
    fn is_fast(&self, auto: &Sample) -> Option<bool> {
        let direct = self.direct.time()?;
        Some(auto.time().is_some_and(|auto| auto <= MOST_RATIO * direct))
    }

    fn share(&self) -> Vec<String> {
        let mut row = self.name().to_vec();
        let Figures { component_nodes: components, product_nodes: products, .. } =
            self.compositional.figures;
        let game = self.direct.figures.game_nodes;
        let shown = |nodes: u64, is_definite: bool| match is_definite {
            true => nodes.to_string(),
            false => NO_ANSWER.to_owned(),
        };
        row.extend([components, products].map(|n| shown(n, self.compositional.is_definite())));
        row.push(shown(game, self.direct.is_definite()));
        let shares = self.product_share().map(|own| [own, self.percentage(components + products)]);
        row.extend(shares.map_or([String::new(), String::new()], |shares| shares.map(percent)));
        row.push(bar(self.is_small()));
        row
    }

    fn times(&self, auto: &Sample) -> Vec<String> {
        let direct = self.direct.time();
        let shown = |time: Option<f64>| time.map_or(NO_ANSWER.to_owned(), seconds);
        let ratio = |time: Option<f64>| {
            let ratio = Some(time? / direct?);
            ratio.map(|ratio| format!("{ratio:.2}"))
        };
        let mut row = self.name().to_vec();
        row.extend([shown(direct), shown(auto.time()), ratio(auto.time()).unwrap_or_default()]);
        row.push(auto.time().map_or(String::new(), |_| auto.figures.method.clone()));
        let alone = self.compositional.time();
        row.extend([shown(alone), ratio(alone).unwrap_or_default()]);
        row.push(bar(self.is_fast(auto)));
        row
    }
}

const NO_ANSWER: &str = "no answer";

fn bar(is_met: Option<bool>) -> String {
    is_met.map_or("", |is_met| if is_met { "met" } else { "missed" }).to_owned()
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
