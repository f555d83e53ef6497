//! Systems of many components: what it costs to decide by the components, against the whole.

use super::Bench;
use super::ask::{Growth, Member, Sample, Setup, title};
use super::peers::{Time, combine, faster_than, mcrl2};
use super::table::{NO_ANSWER, Score, Table, met, milliseconds, or, percent, ratio, row, seconds};
use crate::inputs::families::{self, Family, Question, Sort, Wish};
use crate::inputs::system::Network;
use clap::ValueEnum;
use std::io;
use std::time::Duration;

const SIZES: [u32; 7] = [4, 8, 16, 32, 64, 128, 256];
/// The last of those that the bars speak of.
const MIDDLE: u32 = 64;
const MOST_EXPONENT: f64 = 1.2;
const MOST_SECONDS: f64 = 1.0;

/// Properties of one component or two, as the others become more: the product grows exponentially,
/// the cost should be linear.
pub fn scaling(bench: &Bench) -> io::Result<Vec<Table>> {
    let mut table = Table::new("Families: one component and two, as n grows");
    let (mut score, floor) = (Score::default(), bench.floor()?);
    let sizes = bench.either(&SIZES[..], &SIZES[..4]);
    let (limit, runs) = bench.either((10, 5), (1, 1));
    let setup = Setup { method: "compositional", limit, runs };
    for &family in Family::value_variants() {
        for broken in [false, true] {
            let members: Vec<Member> = sizes
                .iter()
                .map(|&size| Member::new(bench, family, size, broken))
                .collect::<io::Result<_>>()?;
            for question in members[0].questions().iter().filter(|q| q.sort != Sort::Global) {
                let ask = |place: usize| Ok(members[place].ask(question, setup)?.definite());
                let growth = Growth::measure(sizes, ask)?;
                let exponents = [
                    growth.exponent(floor, |n| n <= MIDDLE),
                    growth.exponent(floor, |n| n >= MIDDLE),
                ];
                let failed = failed(&growth, exponents);
                score.count(failed.is_empty());
                let mut cells = row![family.name(), title(broken, question), question.kind()];
                cells.extend(SIZES.map(|size| match growth.at(size) {
                    Some(sample) => milliseconds(sample.cpu),
                    None => if growth.stuck == Some(size) { NO_ANSWER } else { "" }.to_owned(),
                }));
                let middle = growth.at(MIDDLE);
                cells.push(or(middle.map(|sample| milliseconds(sample.process)), ""));
                let nodes = |s: &Sample| s.count("component_nodes") + s.count("product_nodes");
                cells.extend([growth.at(SIZES[0]), middle].map(|sample| or(sample.map(nodes), "")));
                cells.extend(exponents.map(|exponent| ratio(exponent, "")));
                cells.push(if failed.is_empty() { "met".to_owned() } else { failed.join(", ") });
                table.row(cells);
                let is_steep = exponents[0].is_some_and(|exponent| exponent > MOST_EXPONENT);
                match family {
                    Family::ArbiterTree if middle.is_none() && question.needs_musts() => {
                        table.note_once(HIDDEN_TURNS);
                    }
                    Family::Msi if is_steep => table.note_once(CACHES_BEHIND),
                    _ => {}
                }
            }
        }
    }
    table.note(format!("Within the bars: {score}."));
    table.note(format!("A process that does nothing takes {}.", milliseconds(floor)));
    Ok(vec![table])
}

/// The bars that are not met.
fn failed(growth: &Growth, exponents: [Option<f64>; 2]) -> Vec<String> {
    let Some(middle) = growth.at(MIDDLE) else {
        let last = growth.stuck.or(growth.costs.last().map(|(size, _)| *size));
        return vec![format!("no answer at n = {}", last.unwrap_or(0))];
    };
    let slow = (middle.process >= MOST_SECONDS).then(|| seconds(middle.process));
    let steep = exponents.into_iter().flatten().filter(|&exponent| exponent > MOST_EXPONENT);
    slow.into_iter().chain(steep.map(|exponent| format!("exponent {exponent:.2}"))).collect()
}

const HIDDEN_TURNS: &str = "\
Why there is no answer in the arbiter tree: a node has no choice, and what it grants next hangs on whose \
turn it is, which no wire shows. So of a user's steps, with the grant and without, one is sure to come and \
neither is certain by itself: a must transition cannot say that. It is the same with what the node asks of \
its parent and what its parent grants, until the whole tree is in the product.";

const CACHES_BEHIND: &str = "\
Why the exponent of msi up to 64 is too high: the cost is linear, with an offset. Every cache that is not \
in the product and reads the bus is asked whether it can block a step, so it grows like n - 3, and n = 4 is \
cheaper than its share.";

/// Every property by its components and on the whole system, where the whole can still be composed: how
/// much of the game is looked at, and what global properties cost.
pub fn whole(bench: &Bench) -> io::Result<Vec<Table>> {
    let mut shares = Table::new("Families: how much of the game is looked at");
    let mut times = Table::new("Families: global properties against the whole");
    let (mut small, mut fast) = (Score::default(), Score::default());
    for &family in Family::value_variants() {
        let size = Member::largest(bench, family)?;
        for &broken in bench.either(&[false, true][..], &[false]) {
            let member = Member::new(bench, family, size, broken)?;
            for question in &member.questions() {
                let is_global = question.sort == Sort::Global;
                let (limit, runs) = bench.either((10, if is_global { 3 } else { 1 }), (1, 1));
                let ask = |method, runs| member.ask(question, Setup { method, limit, runs });
                let (direct, compositional) = (ask("direct", runs)?, ask("compositional", 1)?);
                let name = row![family.name(), size, title(broken, question), question.kind()];
                let is_local = question.sort == Sort::Local;
                let mut row = name.clone();
                row.extend(share(&direct, &compositional, |is_small| {
                    if is_local { met(small.count(is_small)) } else { "" }
                }));
                shares.row(row);
                if is_global {
                    let auto = ask("auto", runs)?;
                    let mut row = name;
                    row.extend(time_cells([&direct, &auto, &compositional], &mut fast));
                    times.row(row);
                }
            }
        }
    }
    shares.note(format!("Within the bar: {small}."));
    times.note(format!("Within the bar: {fast}, those left out for which `direct` has no answer."));
    Ok(vec![shares, times])
}

fn share(direct: &Sample, own: &Sample, bar: impl FnOnce(bool) -> &'static str) -> Vec<String> {
    let (components, products) = (own.count("component_nodes"), own.count("product_nodes"));
    let game = direct.count("game_nodes");
    let shown = |nodes: u64, of: &Sample| or(of.is_definite().then_some(nodes), NO_ANSWER);
    let of_game = |nodes: u64| 100.0 * nodes as f64 / game as f64;
    let are_definite = own.is_definite() && direct.is_definite();
    let share = |nodes: u64| are_definite.then(|| of_game(nodes));
    // In per cent.
    let is_small = share(products).is_some_and(|share| share <= 1.0);
    row![
        shown(components, own),
        shown(products, own),
        shown(game, direct),
        or(share(products).map(percent), ""),
        or(share(components + products).map(percent), ""),
        bar(is_small),
    ]
}

fn time_cells([direct, auto, alone]: [&Sample; 3], score: &mut Score) -> Vec<String> {
    let time = |sample: &Sample| sample.is_definite().then_some(sample.checking);
    let shown = |sample: &Sample| or(time(sample).map(seconds), NO_ANSWER);
    let by_direct = |sample: &Sample| ratio(time(sample).zip(time(direct)).map(|(a, b)| a / b), "");
    let is_fast = |direct| score.count(time(auto).is_some_and(|auto| auto <= 1.3 * direct));
    row![
        shown(direct),
        shown(auto),
        by_direct(auto),
        if auto.is_definite() { auto.method() } else { "" },
        shown(alone),
        by_direct(alone),
        time(direct).map(is_fast).map_or("", met),
    ]
}

/// Networks of Aldebaran files, by components, composed, and by mCRL2. Whole processes, reading included.
pub fn networks(bench: &Bench) -> io::Result<Vec<Table>> {
    let mut table = Table::new("Families: networks of .aut files, against mCRL2");
    let (sizes, limit): (&[u32], u32) = bench.either((&[4, 6, 64], 20), (&[3], 5));
    let (mut by_direct, mut by_mcrl2) = (Vec::new(), Vec::new());
    // Those whose components have actions.
    let members = [Family::Philosophers, Family::ClientServer];
    for (family, &size) in members.into_iter().flat_map(|f| sizes.iter().map(move |n| (f, n))) {
        let folder = bench.inputs.join(format!("{}-{size}", family.name()));
        let wish = Wish::new(family, size, false);
        let network = Network::write(&families::system(&wish), &folder)?;
        let patience = Duration::from_secs(limit.into());
        let (whole, combined) = combine(&network, patience)?;
        let mut direct = Time::NotThere;
        for question in &families::questions(family, size, false) {
            let (ours, method) = ask_network(bench, &network, question, "auto", limit)?;
            if !matches!(direct, Time::TooLong) {
                (direct, _) = ask_network(bench, &network, question, "direct", limit)?;
            }
            let (all, rest) = match combined {
                Time::Took(first) => {
                    let known = question.holds.to_string();
                    match mcrl2(bench, &whole, &question.mcf, &known, patience)?.0 {
                        Time::Took(rest) => (Time::Took(first + rest), seconds(rest)),
                        other => (other, other.shown(limit)),
                    }
                }
                other => (other, String::new()),
            };
            by_direct.push((ours, direct));
            by_mcrl2.push((ours, all));
            table.row(row![
                family.name(),
                size,
                question.name,
                question.holds,
                ours.shown(limit),
                method,
                direct.shown(limit),
                ours.compared(direct, limit),
                all.shown(limit),
                ours.compared(all, limit),
                rest,
            ]);
        }
    }
    let (direct, mcrl2) = (faster_than("`direct`", &by_direct), faster_than("mCRL2", &by_mcrl2));
    table.note(format!("Tertium is {direct}; {mcrl2}."));
    table.fill("limit", limit);
    Ok(vec![table])
}

/// The time of the process, and the method that was used.
fn ask_network(
    bench: &Bench,
    network: &Network,
    question: &Question,
    method: &str,
    limit: u32,
) -> io::Result<(Time, String)> {
    let files = network.files.iter().map(|path| path.to_string_lossy().into_owned());
    let mut input: Vec<String> = files.collect();
    let sync = ["--sync", &network.path("net.sync"), "--mcf", &question.mcf].map(str::to_owned);
    input.extend(sync);
    let input: Vec<&str> = input.iter().map(String::as_str).collect();
    let sample = bench.ask(&input, question.holds, Setup { method, limit, runs: 3 })?;
    Ok(match sample.is_definite() {
        true => (Time::Took(sample.process), sample.method().to_owned()),
        false => (Time::TooLong, String::new()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_growth_meets_the_bars() {
        let failed = |time: &dyn Fn(f64) -> f64, floor: f64| {
            let sample = |n: u32| {
                let cpu = time(f64::from(n));
                Sample { cpu, process: cpu + 0.1, ..Sample::default() }
            };
            let costs = SIZES.iter().map(|&n| (n, sample(n))).collect();
            let growth = Growth { costs, stuck: None };
            let exponents = [true, false]
                .map(|up| growth.exponent(floor, |n| (n <= MIDDLE) == up || n == MIDDLE));
            super::failed(&growth, exponents)
        };
        assert_eq!(failed(&|n| n * 1e-4, 0.0), [""; 0]);
        assert_eq!(failed(&|n| n * n * 1e-5, 0.0), ["exponent 2.00", "exponent 2.00"]);
        assert_eq!(failed(&|n| n * 0.1, 0.0), ["6.500 s"]);
        assert_eq!(failed(&|n| n * 1e-4 + 0.5, 0.5), [""; 0]);
        let stuck = Growth { stuck: Some(8), ..Growth::default() };
        assert_eq!(super::failed(&stuck, [None, None]), ["no answer at n = 8"]);
    }
}
