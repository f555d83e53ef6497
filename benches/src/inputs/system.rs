//! Systems of components, as they are generated: written as `.tm`, as a network of `.aut` files, or with
//! irrelevant detail added.

use clap::ValueEnum;
use std::collections::BTreeSet;
use std::fmt::{Display, Write};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// One transition: source, action, target.
pub type Step = (String, String, String);

pub fn step(source: impl Display, action: impl Display, target: impl Display) -> Step {
    (source.to_string(), action.to_string(), target.to_string())
}

pub enum Body {
    /// An LTS that starts where its first step does.
    Lts(Vec<Step>),
    Kripke {
        props: Vec<String>,
        init: Vec<String>,
        states: Vec<State>,
    },
}

pub struct State {
    pub name: String,
    pub label: Vec<String>,
    pub targets: Vec<String>,
}

/// A joint step: an action of each component that takes part, and what it is called.
#[derive(Clone)]
pub struct Vector {
    pub parts: Vec<(String, String)>,
    pub result: String,
}

#[derive(Default)]
pub struct System {
    pub components: Vec<(String, Body)>,
    pub vectors: Vec<Vector>,
}

/// A comment of as many lines as the text has.
pub fn prose(mark: &str, text: &str) -> String {
    text.split('\n').map(|line| format!("{mark} {line}").trim_end().to_owned() + "\n").collect()
}

pub fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// The states of an LTS, as `.tm` has them.
pub fn steps_text(steps: &[Step]) -> String {
    let mut arrows: Vec<(&str, String)> = Vec::new();
    let mut places = rustc_hash::FxHashMap::default();
    for (source, action, target) in steps {
        let place = *places.entry(source).or_insert_with(|| {
            arrows.push((source, String::new()));
            arrows.len() - 1
        });
        let _ = write!(arrows[place].1, " -{action}-> {target}");
    }
    let states = arrows.iter().map(|(source, own)| format!("  {source}:{own};\n"));
    format!("  init {};\n", arrows[0].0) + &states.collect::<String>()
}

impl System {
    pub fn lts(&mut self, name: impl Into<String>, steps: impl Into<Vec<Step>>) {
        self.components.push((name.into(), Body::Lts(steps.into())));
    }

    /// A component as hardware: it drives the wires that it shows and accepts whatever it reads, so that it cannot
    /// keep the others from a step. `core` gives, by what it remembers and reads, which wires are on and what it can
    /// remember next, as words; `None` where it does not come while it reads that.
    pub fn moore<const R: usize>(
        &mut self,
        name: String,
        reads: [String; R],
        shows: &[String],
        start: &str,
        core: impl Fn(&str, [bool; R]) -> Option<(String, String)>,
    ) {
        let states_with = |cores: &[String]| -> Vec<String> {
            let all = cores.iter().flat_map(|name| valuations::<R>().map(move |v| (name, v)));
            all.filter(|(name, v)| core(name, *v).is_some())
                .map(|(n, v)| state_name(n, v))
                .collect()
        };
        let (mut cores, mut next, mut states) = (vec![start.to_owned()], 0, Vec::new());
        while next < cores.len() {
            let current = cores[next].clone();
            for values in valuations::<R>() {
                let Some((on, targets)) = core(&current, values) else { continue };
                let read = reads.iter().zip(values).filter(|(_, is_on)| *is_on);
                let label = words(&on).into_iter().chain(read.map(|(wire, _)| wire.clone()));
                let (label, targets) = (label.collect(), words(&targets));
                let name = state_name(&current, values);
                states.push(State { name, label, targets: states_with(&targets) });
                let new = targets.into_iter().filter(|target| !cores.contains(target));
                cores.extend(new.collect::<Vec<_>>());
            }
            next += 1;
        }
        let props = [shows, &reads].concat();
        let init = states_with(&[start.to_owned()]);
        self.components.push((name, Body::Kripke { props, init, states }));
    }

    /// The text of a `.tm` file: prose, components, the system, and what comes after it.
    pub fn tm(&self, about: &str, rest: &str) -> String {
        let component = |(name, body): &(String, Body)| match body {
            Body::Lts(steps) => format!("component {name} lts {{\n{}}}\n", steps_text(steps)),
            Body::Kripke { props, init, states } => {
                let (props, init) = (props.join(", "), init.join(", "));
                let line = |State { name, label, targets }: &State| {
                    format!("  {name}: {{{}}} -> {};\n", label.join(", "), targets.join(", "))
                };
                let states: String = states.iter().map(line).collect();
                format!(
                    "component {name} kripke {{\n  props {props};\n  init {init};\n{states}}}\n"
                )
            }
        };
        let all: Vec<String> = self.components.iter().map(component).collect();
        let names: Vec<&str> = self.components.iter().map(|(name, _)| &**name).collect();
        let line = |vector: &Vector| {
            let part = |(component, action): &(String, String)| format!("{component}:{action}");
            let parts: Vec<String> = vector.parts.iter().map(part).collect();
            format!("  {} -> {};\n", parts.join(" | "), vector.result)
        };
        let sync = match &*self.vectors {
            [] => String::new(),
            all => format!(" sync {{\n{}}}", all.iter().map(line).collect::<String>()),
        };
        let about = prose("//", about);
        format!("{about}{}\nsystem {}{sync};\n\n{rest}", all.join("\n"), names.join(" || "))
    }

    /// Every component also carries a value that no property asks about. The system is bisimilar to the one
    /// without, so every property keeps its verdict.
    pub fn with_detail(&self, detail: Detail, domain: u32) -> Self {
        let copy = |state: &str, value: u32| format!("{state}_{value}");
        let copies = |targets: &[String], value: u32| -> Vec<String> {
            let next = detail.next(value, domain);
            targets.iter().flat_map(|to| next.iter().map(move |next| copy(to, *next))).collect()
        };
        let carry = |(name, body): &(String, Body)| {
            let body = match body {
                Body::Lts(steps) => {
                    let each = |(source, action, target): &Step, value| {
                        let targets = copies(std::slice::from_ref(target), value);
                        targets
                            .into_iter()
                            .map(move |to| step(copy(source, value), action, to))
                            .collect()
                    };
                    let all = steps
                        .iter()
                        .flat_map(|s| (0..domain).flat_map(move |v| -> Vec<Step> { each(s, v) }));
                    Body::Lts(all.collect())
                }
                Body::Kripke { props, init, states } => {
                    // It also shows something of the value.
                    let high = format!("high_{name}");
                    let each = |state: &State, value: u32| State {
                        name: copy(&state.name, value),
                        label: {
                            let high = (2 * value > domain).then(|| high.clone());
                            state.label.iter().cloned().chain(high).collect()
                        },
                        targets: copies(&state.targets, value),
                    };
                    let all = states.iter().flat_map(|s| (0..domain).map(move |v| each(s, v)));
                    let init = init.iter().map(|state| copy(state, 0)).collect();
                    let states = all.collect();
                    Body::Kripke { props: [&props[..], &[high.clone()]].concat(), init, states }
                }
            };
            (name.clone(), body)
        };
        let components = self.components.iter().map(carry).collect();
        Self { components, vectors: self.vectors.clone() }
    }
}

/// Every combination of values.
pub fn valuations<const R: usize>() -> impl Iterator<Item = [bool; R]> {
    (0..1u32 << R).map(|number| std::array::from_fn(|wire| number >> (R - 1 - wire) & 1 == 1))
}

fn state_name<const R: usize>(core: &str, values: [bool; R]) -> String {
    let bits: String = values.map(|is_on| if is_on { '1' } else { '0' }).iter().collect();
    format!("{core}{}{bits}", if R == 0 { "" } else { "." })
}

#[derive(Clone, Copy, PartialEq, Debug, ValueEnum)]
pub enum Detail {
    /// A counter that every step of the component moves on
    Counter,
    /// Data that a step keeps, increments or doubles
    Data,
}

impl Detail {
    fn next(self, value: u32, domain: u32) -> BTreeSet<u32> {
        let next = match self {
            Detail::Counter => vec![value + 1],
            Detail::Data => vec![value, value + 1, 2 * value],
        };
        next.into_iter().map(|value| value % domain).collect()
    }
}

/// A system with actions as a folder of Aldebaran files, synchronised by vectors, for Tertium (`net.sync`)
/// and for mCRL2's `ltscombine` (`net.comm`, `net.allow`, and `net.mcrl2` with the actions).
///
/// `ltscombine` wants an action in one communication at most. So a component's part in a joint step is named
/// after both: `left0_Fork0` and `left0_Phil0` make `left0`; and a step that takes part in several joint
/// steps stands in the file once for each of them.
pub struct Network {
    /// One for each component, in their order.
    pub files: Vec<PathBuf>,
    pub folder: PathBuf,
}

impl Network {
    pub fn write(system: &System, folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let rules = system.rules();
        let joint = || rules.iter().filter(|rule| rule.parts.len() > 1);
        let part = |rule: &Vector, component: &str| match rule.parts.len() {
            1 => rule.result.clone(),
            _ => format!("{}_{component}", rule.result),
        };
        let parts = |rule: &Vector| -> Vec<String> {
            rule.parts.iter().map(|(component, _)| part(rule, component)).collect()
        };
        let mut files = Vec::new();
        for (name, body) in &system.components {
            let Body::Lts(steps) = body else {
                return Err(io::Error::other(format!(
                    "{name} has propositions, an .aut file has none"
                )));
            };
            let mut numbers: Vec<&str> = Vec::new();
            for state in steps.iter().flat_map(|(source, _, target)| [source, target]) {
                if !numbers.contains(&&**state) {
                    numbers.push(state);
                }
            }
            let number =
                |state: &str| numbers.iter().position(|known| *known == state).unwrap_or(0);
            let mut lines = Vec::new();
            for (source, action, target) in steps {
                let own = (name.clone(), action.clone());
                for rule in rules.iter().filter(|rule| rule.parts.contains(&own)) {
                    let (from, to, by) = (number(source), number(target), part(rule, name));
                    lines.push(format!("({from}, \"{by}\", {to})\n"));
                }
            }
            files.push(folder.join(format!("{name}.aut")));
            let head = format!("des (0, {}, {})\n", lines.len(), numbers.len());
            fs::write(&files[files.len() - 1], head + &lines.concat())?;
        }
        let results: BTreeSet<&str> = rules.iter().map(|rule| &*rule.result).collect();
        let results: Vec<&str> = results.into_iter().collect();
        let sync = joint().map(|rule| {
            let parts = rule.parts.iter().map(|(name, _)| format!("{name}:{}", part(rule, name)));
            format!("  {} -> {};\n", parts.collect::<Vec<_>>().join(" | "), rule.result)
        });
        let comm = joint().map(|rule| format!("{} -> {}", parts(rule).join("|"), rule.result));
        let mut actions: Vec<String> = joint().flat_map(parts).collect();
        actions.extend(results.iter().map(|&result| result.to_owned()));
        for (name, text) in [
            ("net.sync", format!("sync {{\n{}}}\n", sync.collect::<String>())),
            ("net.comm", format!("{{{}}}\n", comm.collect::<Vec<_>>().join(",\n"))),
            ("net.allow", format!("{{{}}}\n", results.join(", "))),
            ("net.mcrl2", format!("act {};\ninit delta;\n", actions.join(", "))),
        ] {
            fs::write(folder.join(name), text)?;
        }
        Ok(Self { files, folder: folder.to_owned() })
    }

    pub fn path(&self, name: &str) -> String {
        self.folder.join(name).to_string_lossy().into_owned()
    }
}

impl System {
    /// All steps of the whole: the vectors, and the actions that are in no vector, shared by those that have them.
    fn rules(&self) -> Vec<Vector> {
        let (mut rules, vectors) = (self.vectors.clone(), self.vectors.len());
        for (name, body) in &self.components {
            let Body::Lts(steps) = body else { continue };
            for (_, action, _) in steps {
                let own = (name.clone(), action.clone());
                if rules.iter().any(|rule| rule.parts.contains(&own)) {
                    continue;
                }
                match rules[vectors..].iter_mut().find(|rule| rule.result == *action) {
                    Some(rule) => rule.parts.push(own),
                    None => rules.push(Vector { parts: vec![own], result: action.clone() }),
                }
            }
        }
        rules
    }
}
