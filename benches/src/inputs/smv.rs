//! The families as SMV: a module for each kind of part, synchronous steps, properties in CTL by the
//! same names and with the same verdicts.
//!
//! A part reads the variables of its neighbours and nobody else's, so what is combinational down a chain
//! is a variable there and no definition, which would stand for all that is before it. Those properties
//! that have no CTL formula are not in the file, which NuSMV would refuse; they are asked apart.

use super::families::{Family, Instance, Wish, last, range};
use super::system::prose;

/// The main module, while it is written.
struct SmvText {
    broken: bool,
    parts: String,
    definitions: String,
    /// Replacements in the text of modules for what depends on the size.
    replacements: Vec<(&'static str, String)>,
}

fn truth(value: bool) -> String {
    if value { "TRUE" } else { "FALSE" }.to_owned()
}

impl SmvText {
    /// An instance under `main`.
    fn part(&mut self, name: impl std::fmt::Display, module: &str, arguments: &[String]) {
        let arguments = match arguments {
            [] => String::new(),
            _ => format!("({})", arguments.join(", ")),
        };
        self.parts += &format!("  {name} : {module}{arguments};\n");
    }

    /// Adds a part that may be the faulty one: in a broken member its last argument says so.
    fn part_at_risk(
        &mut self,
        name: String,
        module: &str,
        mut arguments: Vec<String>,
        is_faulty: bool,
    ) {
        arguments.extend(self.broken.then(|| truth(is_faulty)));
        self.part(name, module, &arguments);
    }
}

/// A name as an identifier: `two_party_neighbours_can_share`.
pub fn label(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_")
}

/// The text of an `.smv` file with some of the properties, by name.
pub fn make(wish: &Wish, is_asked: impl Fn(&str) -> bool) -> String {
    let &Wish { family, size, broken, data, .. } = wish;
    let plan = family.plan();
    let mut text = String::new();
    for (section, is_included) in [("smv", true), ("data", data.is_some()), ("fault", broken)] {
        if is_included {
            text += &prose("--", &format!("{}\n", plan.section(section)));
        }
    }
    let asked = plan.properties.iter().filter(|p| p.smv.0 == "ctl" && is_asked(p.name));
    let mut specifications = String::new();
    for property in asked {
        let (label, holds) = (label(property.name), property.holds[usize::from(broken)]);
        text += &prose("--", &format!("expect: {label} = {holds}"));
        let formula = last(property.smv.1, size);
        specifications += &format!("CTLSPEC NAME {label} := {formula};\n");
    }
    let mut main = SmvText {
        broken,
        parts: String::new(),
        definitions: String::new(),
        replacements: Vec::new(),
    };
    write(family, &mut Instance::new(wish), data.is_some(), &mut main);
    let modules = choose(plan.section("modules"), broken, data);
    let replaced = |text: String, (mark, value): &(&str, String)| text.replace(mark, value);
    let modules = main.replacements.iter().fold(modules, replaced);
    let SmvText { parts, definitions, .. } = main;
    format!("{text}\nMODULE main\nVAR\n{parts}{definitions}{specifications}\n{modules}")
}

/// The lines of modules that a member has. Those that begin with `@fault` are for broken ones only, with
/// `@sound` for others; with `@data` for those that carry words of irrelevant data, where `@W` is their
/// width, with `@plain` for others.
pub fn choose(modules: &str, broken: bool, data: Option<u32>) -> String {
    let has_data = data.is_some();
    let marks =
        [("@fault ", broken), ("@sound ", !broken), ("@data ", has_data), ("@plain ", !has_data)];
    let width = data.unwrap_or_default().to_string();
    let chosen = |line: &str| {
        let mut line = line;
        while let Some((mark, is_chosen)) = marks.iter().find(|(mark, _)| line.starts_with(mark)) {
            line = is_chosen.then(|| &line[mark.len()..])?;
        }
        Some(line.replace("@W", &width) + "\n")
    };
    modules.lines().filter_map(chosen).collect()
}

/// Makes the parts.
fn write(family: Family, instance: &mut Instance, has_data: bool, text: &mut SmvText) {
    let size = instance.size;
    let each = |text: &dyn Fn(u32) -> String| (0..size).map(text).collect::<Vec<_>>();
    match family {
        Family::TokenRing => {
            let fault = instance.fault();
            for i in 0..size {
                let comes = format!("station{}.passes", instance.before(i));
                let arguments = vec![comes, truth(i == 0), truth(instance.work() > 1)];
                text.part_at_risk(format!("station{i}"), "station", arguments, fault == Some(i));
            }
        }
        Family::Philosophers => {
            let left_handed = instance.not_the_first();
            for i in 0..size {
                let (before, after) = (instance.before(i), (i + 1) % size);
                let hands =
                    [format!("phil{i}.reaches_left"), format!("phil{before}.reaches_right")];
                text.part(format!("fork{i}"), "fork", &hands);
                let takes_right_first = i == left_handed && !instance.broken;
                let [left, right] = [format!("fork{i}.is_lefts"), format!("fork{after}.is_rights")];
                let habits = [takes_right_first, instance.work() > 1].map(truth);
                text.part(format!("phil{i}"), "phil", &[&[left, right], &habits[..]].concat());
            }
            let waiting = each(&|i| format!("phil{i}.waits")).join(" & ");
            text.definitions = format!("DEFINE\n  all_wait := {waiting};\n");
        }
        Family::Pipeline => {
            let fault = instance.fault();
            text.part("source", "source", &["stage0.is_ready".to_owned()]);
            for i in 0..size {
                let before = i.checked_sub(1).map_or("source".to_owned(), |n| format!("stage{n}"));
                let after =
                    if i + 1 == size { "sink".to_owned() } else { format!("stage{}", i + 1) };
                let mut arguments = vec![format!("{before}.offers"), format!("{before}.datum")];
                arguments.extend(has_data.then(|| format!("{before}.payload")));
                arguments.extend([format!("{after}.is_ready"), truth(instance.work() > 1)]);
                text.part_at_risk(format!("stage{i}"), "stage", arguments, fault == Some(i));
            }
            text.part("sink", "sink", &[]);
        }
        Family::ClientServer => {
            let fault = instance.fault();
            text.part("server", "server", &each(&|i| format!("client{i}.meets")));
            let names = each(&|i| format!("client{i}_meets"));
            text.replacements = vec![
                ("@CLIENTS", names.join(", ")),
                ("@MEETS", names.join(" | ")),
                ("@LAST", (size - 1).to_string()),
            ];
            for i in 0..size {
                let server = ["is_free", "is_done"].map(|wire| format!("server.{wire}"));
                let turn = [format!("server.turn = {i}")];
                let arguments = [&turn, &server[..], &[truth(instance.work() > 1)]].concat();
                text.part_at_risk(format!("client{i}"), "client", arguments, fault == Some(i));
            }
        }
        Family::ArbiterTree => {
            text.part("root", "root", &[format!("{}.asks", tree_part(0, size))]);
            arbiter_tree(instance, (0, size), "root.grants", text);
        }
        Family::Msi => {
            text.part("bus", "bus", &[]);
            for i in 0..size {
                let before = i.checked_sub(1).map_or("bus".to_owned(), |n| format!("cache{n}"));
                let drops = truth(instance.random.chance(0.5));
                let mut arguments = vec![format!("{before}.taken")];
                arguments.extend(["bus.command", "bus.exclusive"].map(str::to_owned));
                arguments.push(drops);
                text.part_at_risk(format!("cache{i}"), "cache", arguments, i == 0);
            }
        }
    }
}

/// The part of the tree over some leaves, in halves, as in the other notation.
fn arbiter_tree(
    instance: &mut Instance,
    (first, count): (u32, u32),
    grant: &str,
    text: &mut SmvText,
) {
    let name = tree_part(first, count);
    if count == 1 {
        return text.part(name, "user", &[grant.to_owned(), truth(instance.work() > 1)]);
    }
    let in_left = count.div_ceil(2);
    let halves = [(first, in_left), (first + in_left, count - in_left)];
    let asks = halves.map(|(first, count)| format!("{}.asks", tree_part(first, count)));
    let arguments = [&asks[..], &[grant.to_owned()]].concat();
    text.part_at_risk(name.clone(), "node", arguments, (first, count) == (0, 2));
    for (half, side) in halves.into_iter().zip(["left", "right"]) {
        arbiter_tree(instance, half, &format!("{name}.grants_{side}"), text);
    }
}

/// The name of the part above some leaves, or of the only one.
fn tree_part(first: u32, count: u32) -> String {
    format!("{}{}", if count == 1 { "user" } else { "node" }, range(first, count))
}
