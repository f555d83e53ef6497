//! Families of systems that grow by components of the same size: a component knows its neighbours
//! only, so that the file is linear in their number and the composition exponential.
//!
//! What is said of a family, its properties and its modules in SMV are in `benches/families`. The properties are
//! about a fixed few components, the first two and the last, and come in three sorts. A local one speaks of one
//! component, which has the same verdict alone; a two-party one of neighbours and what lies between them; a
//! global one hangs on all. Their verdicts depend neither on the number of components nor on the seed, which decides
//! how the components differ in what others cannot see. A broken instance has a fault that some global safety property
//! sees.

use super::system::{Detail, System, Vector, step, valuations};
use super::{section, smv};
use crate::random::Random;
use clap::{Args, ValueEnum};
use logic::{Formula, Modality, Node, Signature};
use std::path::PathBuf;
use std::sync::Arc;
use support::{FileId, Monitor};
use testkit::TmDocument;

#[derive(Clone, Copy, PartialEq, Debug, ValueEnum)]
pub enum Family {
    /// Stations that pass one token round
    TokenRing,
    /// Dining philosophers, one of them left-handed
    Philosophers,
    /// Stages that hand data on as soon as the next one takes it
    Pipeline,
    /// Clients of one server
    ClientServer,
    /// A binary tree of fair arbiters, with users at the leaves
    ArbiterTree,
    /// Caches on a bus that keep one another's copies valid
    Msi,
}

#[derive(Args, Clone)]
pub struct Wish {
    pub family: Family,
    /// How many stations, philosophers, stages, clients, leaves or caches
    #[arg(value_parser = clap::value_parser!(u32).range(2..))]
    pub size: u32,
    /// Decides in what the components differ, and where a fault is
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// With a fault
    #[arg(long)]
    pub broken: bool,
    /// Write the components to this folder instead, as Aldebaran files with their synchronisation, for
    /// Tertium and for mCRL2 (families with actions only)
    #[arg(long, value_name = "DIR")]
    pub aut: Option<PathBuf>,
    /// In the language of NuSMV
    #[arg(long, conflicts_with = "aut")]
    pub smv: bool,
    /// With words of so many bits that no property depends on, though the components do (SMV only)
    #[arg(long, value_name = "BITS", requires = "smv", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub data: Option<u32>,
}

impl Wish {
    pub fn new(family: Family, size: u32, broken: bool) -> Self {
        Self { family, size, seed: 1, broken, aut: None, smv: false, data: None }
    }
}

/// A property of a family in both notations, where `$` stands for the number of the last component.
#[derive(Clone)]
pub struct Property {
    /// `local: …`, `two-party: …` or `global: …`.
    pub name: &'static str,
    /// As it is written and if there is a fault.
    pub holds: [bool; 2],
    /// Logic and formula.
    pub tm: (&'static str, &'static str),
    pub smv: (&'static str, &'static str),
}

/// A family as `benches/families` describes it.
pub struct Plan {
    text: &'static str,
    pub properties: Vec<Property>,
}

impl Plan {
    pub fn section(&self, name: &str) -> &'static str {
        section(self.text, name)
    }
}

impl Family {
    /// As `gen family` knows it.
    pub fn name(self) -> String {
        super::name(&self)
    }

    pub fn plan(self) -> Plan {
        let text = match self {
            Family::TokenRing => include_str!("../../families/token-ring.txt"),
            Family::Philosophers => include_str!("../../families/philosophers.txt"),
            Family::Pipeline => include_str!("../../families/pipeline.txt"),
            Family::ClientServer => include_str!("../../families/client-server.txt"),
            Family::ArbiterTree => include_str!("../../families/arbiter-tree.txt"),
            Family::Msi => include_str!("../../families/msi.txt"),
        };
        let mut plan = Plan { text, properties: Vec::new() };
        let lines: Vec<&'static str> = plan.section("properties").lines().collect();
        let formula =
            |line: &'static str| line.trim().split_once(' ').expect("a logic and a formula");
        for lines in lines.chunks(3) {
            let (signs, name) = lines[0].split_once(' ').expect("verdicts and a name");
            let holds = [0, 1].map(|sign| signs.as_bytes()[sign] == b'+');
            let (tm, smv) = (formula(lines[1]), formula(lines[2]));
            plan.properties.push(Property { name, holds, tm, smv });
        }
        plan
    }
}

/// One member of a family, while it is written.
pub struct Instance {
    pub size: u32,
    pub broken: bool,
    pub random: Random,
}

impl Instance {
    pub fn new(wish: &Wish) -> Self {
        Self { size: wish.size, broken: wish.broken, random: Random::new(wish.seed) }
    }

    /// How many steps a component works.
    pub fn work(&mut self) -> u32 {
        1 + self.random.below(2)
    }

    /// One of the components other than the first.
    pub fn not_the_first(&mut self) -> u32 {
        1 + self.random.below(self.size - 1)
    }

    /// The place of the fault, if there is one: not in the first component.
    pub fn fault(&mut self) -> Option<u32> {
        let place = self.not_the_first();
        self.broken.then_some(place)
    }

    pub fn before(&self, number: u32) -> u32 {
        (number + self.size - 1) % self.size
    }
}

/// The components of a member.
pub fn system(wish: &Wish) -> System {
    let (mut instance, mut system) = (Instance::new(wish), System::default());
    match wish.family {
        Family::TokenRing => token_ring(&mut instance, &mut system),
        Family::Philosophers => philosophers(&mut instance, &mut system),
        Family::Pipeline => pipeline(&mut instance, &mut system),
        Family::ClientServer => client_server(&mut instance, &mut system),
        Family::ArbiterTree => {
            system.moore(
                "Root".to_owned(),
                wires("req_root"),
                &wires::<1>("gnt_root"),
                "off",
                |core, [asked]| {
                    let on = if core == "on" { "gnt_root" } else { "" };
                    Some(strings(on, if asked { "on" } else { "off" }))
                },
            );
            let size = instance.size;
            arbiter_tree(&mut instance, (0, size), "_root", &mut system);
        }
        Family::Msi => msi(&mut instance, &mut system),
    }
    system
}

/// The text of a file, in the language that is wished for.
pub fn make(wish: &Wish) -> String {
    if wish.smv { smv::make(wish, |_| true) } else { tm(wish, &system(wish)) }
}

/// With components that carry values along which do not matter.
pub fn make_detailed(wish: &Wish, detail: Detail, domain: u32) -> String {
    tm(wish, &system(wish).with_detail(detail, domain))
}

fn tm(wish: &Wish, system: &System) -> String {
    let plan = wish.family.plan();
    let mut about = plan.section("tm").to_owned();
    if wish.broken {
        about += &format!("\n\n{}", plan.section("fault"));
    }
    about.push('\n');
    for property in &plan.properties {
        let value = property.holds[usize::from(wish.broken)];
        about += &format!("\nexpect: \"{}\" = {value}", property.name);
    }
    let text = |Property { name, tm: (logic, formula), .. }: &Property| {
        format!("property \"{name}\": {logic} {};\n", last(formula, wish.size))
    };
    system.tm(&about, &plan.properties.iter().map(text).collect::<String>())
}

/// With the number of the last component.
pub fn last(formula: &str, size: u32) -> String {
    formula.replace('$', &(size - 1).to_string())
}

fn wires<const N: usize>(names: &str) -> [String; N] {
    std::array::from_fn(|wire| names.split(' ').nth(wire).unwrap_or_default().to_owned())
}

fn strings(on: &str, next: &str) -> (String, String) {
    (on.to_owned(), next.to_owned())
}

/// Wires that end in a number.
fn numbered(wires: &str, number: u32) -> String {
    let all = wires.split_whitespace().map(|wire| format!("{wire}{number}"));
    all.collect::<Vec<_>>().join(" ")
}

/// Station `i` drives the wire `t{i}`, which is on while the token goes to the next station.
fn token_ring(instance: &mut Instance, system: &mut System) {
    let fault = instance.fault();
    for i in 0..instance.size {
        let (before, works_twice, keeps_a_copy) =
            (instance.before(i), instance.work() == 2, fault == Some(i));
        let start = if i == 0 { "hold" } else { "idle" };
        let shows: [String; 3] = wires(&numbered("w c t", i));
        system.moore(
            format!("Station{i}"),
            [format!("t{before}")],
            &shows,
            start,
            |core, [comes]| {
                let (on, next) = match (core, comes) {
                    ("idle", true) => ("", "hold pass"),
                    ("idle", false) => ("", "idle wait"),
                    ("wait", true) => ("w", "work1"),
                    ("wait", false) => ("w", "wait"),
                    ("hold", _) => ("", "hold work1 pass"),
                    ("work1", _) if works_twice => ("c", "work2"),
                    ("work1", _) => ("c", "work1 pass"),
                    ("work2", _) => ("c", "work2 pass"),
                    // A token that comes to a station that has one is lost: it can only be a copy.
                    (_, true) => ("t", "hold"),
                    (_, false) if keeps_a_copy => ("t", "idle wait hold"),
                    (_, false) => ("t", "idle wait"),
                };
                Some((numbered(on, i), next.to_owned()))
            },
        );
    }
}

/// Fork `i` lies to the left of philosopher `i` and to the right of the one before.
fn philosophers(instance: &mut Instance, system: &mut System) {
    let left_handed = instance.not_the_first();
    for i in 0..instance.size {
        let before = instance.before(i);
        let (mut first, mut second) = ("left", "right");
        if i == left_handed && !instance.broken {
            (first, second) = (second, first);
        }
        system.lts(
            format!("Fork{i}"),
            [
                step("free", format!("left{i}"), "left"),
                step("free", format!("right{before}"), "right"),
                step("left", format!("leftdown{i}"), "free"),
                step("right", format!("rightdown{before}"), "free"),
            ],
        );
        let mut steps = vec![
            step("thinks", format!("think{i}"), "thinks"),
            step("thinks", format!("hungry{i}"), "hungry"),
            step("hungry", format!("{first}{i}"), "one"),
            step("one", format!("{second}{i}"), "both1"),
        ];
        let bites = instance.work();
        let eat =
            |bite| step(format!("both{bite}"), format!("eat{i}"), format!("both{}", bite + 1));
        steps.extend((1..bites).map(eat));
        steps.push(step(format!("both{bites}"), format!("eat{i}"), "full"));
        steps.push(step("full", format!("leftdown{i}"), "sated"));
        steps.push(step("sated", format!("rightdown{i}"), "thinks"));
        system.lts(format!("Phil{i}"), steps);
    }
}

/// A stage hands its datum on in the step in which it offers it and the next stage is ready.
fn pipeline(instance: &mut Instance, system: &mut System) {
    let (last, fault) = (instance.size - 1, instance.fault());
    let shows: [String; 2] = wires("vin din");
    system.moore("Source".to_owned(), wires("r0"), &shows, "quiet", |core, [ready]| {
        let on = match core {
            "quiet" => "",
            "offer_0" => "vin",
            _ => "vin din",
        };
        let keeps = core != "quiet" && !ready;
        Some(strings(on, if keeps { core } else { "quiet offer_0 offer_1" }))
    });
    for i in 0..=last {
        let (works_twice, invents) = (instance.work() == 2, fault == Some(i));
        let before = i.checked_sub(1).map_or("in".to_owned(), |stage| stage.to_string());
        let after = if i == last { "out".to_owned() } else { (i + 1).to_string() };
        let reads = [format!("v{before}"), format!("d{before}"), format!("r{after}")];
        let shows: [String; 4] = wires(&numbered("r b v d", i));
        system.moore(format!("Stage{i}"), reads, &shows, "empty", |core, [valid, datum, ready]| {
            let (on, next) = match core {
                "empty" if valid => ("r", if datum { "work1_1" } else { "work1_0" }),
                "empty" => ("r", if invents { "empty offer_0" } else { "empty" }),
                "work1_0" if works_twice => ("b", "work2_0"),
                "work1_1" if works_twice => ("b", "work2_1"),
                "work1_0" | "work2_0" => ("b", "offer_0"),
                "work1_1" | "work2_1" => ("b", "offer_1"),
                _ => (
                    if core == "offer_1" { "v d" } else { "v" },
                    if ready { "empty" } else { core },
                ),
            };
            Some((numbered(on, i), next.to_owned()))
        });
    }
    let reads = [format!("v{last}"), format!("d{last}")];
    system.moore("Sink".to_owned(), reads, &wires::<1>("rout"), "ready", |core, _| {
        Some(strings(if core == "ready" { "rout" } else { "" }, "ready slow"))
    });
}

/// The server does not know who asks: which client takes part in a step of the server is up to the vectors.
fn client_server(instance: &mut Instance, system: &mut System) {
    let fault = instance.fault();
    let server =
        [step("free", "req", "busy"), step("busy", "work", "done"), step("done", "rep", "free")];
    system.lts("Server", server);
    for i in 0..instance.size {
        let mut steps = vec![
            step("idle", format!("think{i}"), "idle"),
            step("idle", format!("want{i}"), "wants"),
            step("wants", "req", "waits"),
            step("waits", "rep", "served1"),
        ];
        steps.extend((fault == Some(i)).then(|| step("idle", "rep", "served1")));
        let uses = instance.work();
        let using = |number| format!("served{number}");
        steps.extend(
            (1..uses).map(|number| step(using(number), format!("use{i}"), using(number + 1))),
        );
        steps.push(step(using(uses), format!("use{i}"), "idle"));
        system.lts(format!("Client{i}"), steps);
        for action in ["req", "rep"] {
            let part = |component: String| (component, action.to_owned());
            let parts = vec![part("Server".to_owned()), part(format!("Client{i}"))];
            system.vectors.push(Vector { parts, result: format!("{action}{i}") });
        }
    }
}

/// The part of the tree over some leaves, in halves; the first two leaves are siblings always. A node asks its
/// parent before it grants, to its sides in turns. Its wires end in the numbers of the leaves below it.
fn arbiter_tree(
    instance: &mut Instance,
    (first, count): (u32, u32),
    up: &str,
    system: &mut System,
) {
    if count == 1 {
        let works_twice = instance.work() == 2;
        let (reads, shows) = ([format!("gnt{first}")], wires::<2>(&numbered("req use", first)));
        return system.moore(format!("User{first}"), reads, &shows, "idle", |core, [granted]| {
            let (on, next) = match core {
                "idle" => ("", "idle ask"),
                "ask" => ("req", if granted { "use1" } else { "ask" }),
                "use1" if works_twice => ("req use", "use2"),
                "use1" | "use2" => ("req use", "back"),
                _ => ("", if granted { "back" } else { "idle" }),
            };
            Some((numbered(on, first), next.to_owned()))
        });
    }
    let in_left = count.div_ceil(2);
    let halves = [(first, in_left), (first + in_left, count - in_left)];
    let [left, right] = halves.map(|(first, count)| range(first, count));
    let is_broken = instance.broken && (first, count) == (0, 2);
    let reads = [format!("req{left}"), format!("req{right}"), format!("gnt{up}")];
    let shows = [format!("req{up}"), format!("gnt{left}"), format!("gnt{right}")];
    let name = format!("Node{}", range(first, count));
    system.moore(name, reads, &shows, "free_l", |core, [asks_left, asks_right, granted]| {
        let (at, side) = core.split_once('_').unwrap_or((core, ""));
        let (is_left, is_asked) = (side == "l", asks_left || asks_right);
        let (side_asks, other) = if is_left { (asks_left, "r") } else { (asks_right, "l") };
        let next = match at {
            "free" if is_broken && is_asked => "both".to_owned(),
            "free" if side_asks => format!("ask_{side}"),
            "free" if is_asked => format!("ask_{other}"),
            "ask" if granted => format!("grant_{side}"),
            "grant" if !side_asks => format!("back_{other}"),
            "both" if !is_asked => "back_l".to_owned(),
            "back" if !granted => format!("free_{side}"),
            _ => core.to_owned(),
        };
        let on = match at {
            "ask" => format!("req{up}"),
            "grant" => format!("req{up} gnt{}", if is_left { &left } else { &right }),
            "both" => format!("gnt{left} gnt{right}"),
            _ => String::new(),
        };
        Some((on, next))
    });
    for ((first, count), wire) in halves.into_iter().zip([&left, &right]) {
        arbiter_tree(instance, (first, count), wire, system);
    }
}

/// The leaves below a node, as they stand in names.
pub fn range(first: u32, count: u32) -> String {
    if count == 1 { first.to_string() } else { format!("{first}_{}", first + count - 1) }
}

/// All caches see the commands on the bus; a daisy chain decides whose command it is.
fn msi(instance: &mut Instance, system: &mut System) {
    let bus = ["p0", "cmd", "x"];
    let bits =
        |values: [bool; 3]| format!("b{}", values.map(|v| u32::from(v).to_string()).concat());
    let any: Vec<String> = valuations::<3>().map(bits).collect();
    system.moore("Bus".to_owned(), [], &bus.map(str::to_owned), "b000", |core, []| {
        let on = bus.iter().zip(core[1..].chars()).filter(|(_, bit)| *bit == '1');
        Some((on.map(|(wire, _)| *wire).collect::<Vec<_>>().join(" "), any.join(" ")))
    });
    for i in 0..instance.size {
        // It gives a modified copy up when another cache reads, or shares it.
        let drops = instance.random.chance(0.5);
        let is_broken = instance.broken && i == 0;
        let reads = [format!("p{i}"), "cmd".to_owned(), "x".to_owned()];
        let chain = format!("p{}", i + 1);
        let shows: [String; 4] = wires(&format!("{} {chain}", numbered("sh mod m", i)));
        system.moore(
            format!("Cache{i}"),
            reads,
            &shows,
            "i",
            |core, [is_taken, command, excludes]| {
                let (copy, is_master) = (&core[..1], core.ends_with("_master"));
                let next = match (copy, is_master, excludes) {
                    _ if !command && copy == "i" => vec!["i"],
                    _ if !command => vec![copy, "i"],
                    (_, true, true) => vec!["m"],
                    ("i", true, false) => vec!["s"],
                    (_, false, true) => vec!["i"],
                    ("m", false, false) if is_broken => vec!["m"],
                    ("m", false, false) => vec![if drops { "i" } else { "s" }],
                    _ => vec![copy],
                };
                let next = next.into_iter().map(|copy| format!("{copy} {copy}_master"));
                let held = match copy {
                    "s" => "sh",
                    "m" => "mod",
                    _ => "",
                };
                let mut on = numbered(&format!("{held} {}", if is_master { "m" } else { "" }), i);
                if is_master || is_taken {
                    on += &format!(" {chain}");
                }
                (!(is_master && is_taken)).then(|| (on, next.collect::<Vec<_>>().join(" ")))
            },
        );
    }
}

/// A property of a member as a question: what is asked, what the answer is, and what kind of step decides it.
#[derive(Clone)]
pub struct Question {
    pub name: &'static str,
    /// For all tools that read modal formulas; empty where there are propositions.
    pub mcf: String,
    pub holds: bool,
    pub sort: Sort,
    /// Which modalities the formula has in negation normal form: `universal`, `existential` or `mixed`. A truth with
    /// boxes only, and a falsehood with diamonds only, needs no step to be certain.
    pub shape: &'static str,
    /// Whether the fault turns the verdict round.
    pub sees_the_fault: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    Local,
    TwoParty,
    Global,
}

impl Question {
    /// `existential truth`
    pub fn kind(&self) -> String {
        format!("{} {}", self.shape, if self.holds { "truth" } else { "falsehood" })
    }

    /// Whether some step has to be certain.
    pub fn needs_musts(&self) -> bool {
        self.shape == "mixed" || (self.shape == "existential") == self.holds
    }
}

fn shape(formula: &Formula) -> &'static str {
    let has = |wanted| {
        formula.nodes().any(|(_, node)| matches!(node, Node::Modal(found, ..) if found == wanted))
    };
    match (has(Modality::Box), has(Modality::Dia)) {
        (true, true) => "mixed",
        (false, true) => "existential",
        (_, false) => "universal",
    }
}

/// The properties of a family at a size.
pub fn questions(family: Family, size: u32, broken: bool) -> Vec<Question> {
    let (system, read) = read(&make(&Wish::new(family, size, broken)));
    let question = |(property, read): (Property, &front::Specification)| {
        let Property { name, holds, tm: (logic, formula), .. } = property;
        Question {
            name,
            mcf: match logic {
                "ctl" => String::new(),
                _ => last(formula, size).replace(" | ", " || "),
            },
            holds: holds[usize::from(broken)],
            sort: match name.split_once(": ") {
                Some(("local", _)) => Sort::Local,
                Some(("two-party", _)) => Sort::TwoParty,
                _ => Sort::Global,
            },
            shape: shape(&compile(&system, read)),
            sees_the_fault: holds[0] != holds[1],
        }
    };
    family.plan().properties.into_iter().zip(&read).map(question).collect()
}

/// Reads what has been generated.
pub fn document(text: &str) -> TmDocument {
    let text: Arc<str> = text.into();
    let read = testkit::read_tm(FileId(0), &text, &Monitor::new(), &mut |_| Err(String::new()));
    let document = read.unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    assert!(document.warnings.is_empty(), "{:?}", document.warnings);
    document
}

pub fn read(text: &str) -> (model::System, Vec<front::Specification>) {
    let TmDocument { system, properties, .. } = document(text);
    (system.expect("components"), properties)
}

pub fn compile(system: &model::System, property: &front::Specification) -> Formula {
    let (props, actions) = (system.props(), system.actions());
    let signature = Signature { family: system.family(), props: &props, actions: &actions };
    let surface = property.surface().expect("a formula that can be checked");
    logic::compile(surface, &signature, &mut Vec::new())
        .unwrap_or_else(|errors| panic!("{}: {errors:?}", property.title()))
}
