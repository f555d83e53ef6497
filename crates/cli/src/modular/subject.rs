//! A while-program, what is asked of it, and how it is taken apart.

use crate::console::colour_of_stderr;
use crate::flags::modular::SetsFlag;
use crate::flags::{Limits, Modular, Questions};
use crate::input::{self, Trouble};
use crate::questions::Question;
use crate::{allocator, smv};
use audit::modular::normal_form;
use explicit::{Method, Outcome, Reason, Stats};
use front::{SmvQuestion, WhileDocument};
use logic::{Logic, Truth};
use modular::{Key, Representation};
use std::path::Path;
use std::sync::Arc;
use support::{Monitor, SourceMap};
use transition::Domain;
use transition::cfg::{Assumed, Closure, Graph, Partition, Statements, Weighed, Whole};

/// As much memory a piece may take if nobody says how much there is.
const MEMORY_OF_A_PIECE: u64 = 64 << 20;
/// As many locations of a piece that has no loop.
const ROW: u64 = 64;

pub struct Subject {
    pub document: WhileDocument,
    pub sources: SourceMap,
    pub questions: Vec<Question>,
    pub closure: Closure,
    pub assumed: Vec<Assumed>,
    /// As they were given.
    pub assumptions: Vec<String>,
    pub representation: Representation,
}

/// What is wanted of a program.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    pub questions: &'a Questions,
    pub property: &'a [String],
    pub assume: &'a [String],
    pub sets: Option<SetsFlag>,
}

/// More pieces are not in memory at once unless that is asked for.
const MOST_THREADS: usize = 4;

/// How many pieces may be in memory at once.
pub fn threads(flags: &Modular) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    flags.threads.map_or_else(|| cores().min(MOST_THREADS), usize::from)
}

impl Subject {
    pub fn read(path: &Path, wanted: &Wanted, monitor: &Monitor) -> Result<Self, Trouble> {
        Self::of(read(path, wanted, monitor)?, wanted)
    }

    /// The same, or nothing if something is asked that is not CTL and that another method can answer.
    pub fn read_ctl(
        path: &Path,
        wanted: &Wanted,
        monitor: &Monitor,
    ) -> Result<Option<Self>, Trouble> {
        let text = read(path, wanted, monitor)?;
        // What was read from standard input cannot be read again.
        let has_other = !text.document.program.has_holes() && !input::is_dash(path);
        match not_ctl(&text.document) {
            Some(_) if has_other => Ok(None),
            _ => Self::of(text, wanted).map(Some),
        }
    }

    /// The same for who asks nothing: properties in other logics do not matter.
    pub fn read_unasked(path: &Path, wanted: &Wanted, monitor: &Monitor) -> Result<Self, Trouble> {
        let mut text = read(path, wanted, monitor)?;
        text.document.properties.retain(|property| property.logic == Logic::Ctl);
        Self::of(text, wanted)
    }

    fn of(text: Text, wanted: &Wanted) -> Result<Self, Trouble> {
        let Text { mut document, mut sources, .. } = text;
        let assumed = assumptions(wanted.assume, &mut document, &mut sources)?;
        let closure = closure(&document)?;
        let questions = questions(&document);
        let representation = representation(wanted.sets, &document)?;
        let assumptions = wanted.assume.to_vec();
        Ok(Self { document, sources, questions, closure, assumed, assumptions, representation })
    }

    /// What is odd about the file, unless nobody wants to know.
    pub fn warnings_for(&self, limits: &Limits) -> String {
        if limits.quiet {
            return String::new();
        }
        report::render(&self.document.warnings, &self.sources, colour_of_stderr())
    }

    /// How the program is taken apart.
    pub fn partition(&self, flags: &Modular, memory: Option<u64>) -> Result<Partition, Trouble> {
        self.partition_in(flags, memory, 1)
    }

    /// The same, with pieces that many times smaller where their size is not said.
    pub fn partition_in(
        &self,
        flags: &Modular,
        memory: Option<u64>,
        share: u64,
    ) -> Result<Partition, Trouble> {
        let program = &self.document.program;
        match flags.partition.as_deref() {
            Some("whole") => Ok(Partition::new(program, &mut Whole)),
            Some("statement") => Ok(Partition::new(program, &mut Statements)),
            None | Some("auto") => {
                let most = (self.most_locations(flags, memory) / share).max(1);
                let row = (ROW / share).max(1);
                Ok(Partition::new(program, &mut Weighed::new(program, row, most)))
            }
            Some(file) => self.partition_of(Path::new(file)),
        }
    }

    /// How many locations a piece may have in the memory that there is: a quarter of it, shared by all threads, so
    /// that there is room for what is assumed and for what is being computed.
    fn most_locations(&self, flags: &Modular, memory: Option<u64>) -> u64 {
        let memory = match memory {
            Some(bytes) => bytes.saturating_sub(allocator::bytes_in_use()) / 4,
            None => MEMORY_OF_A_PIECE,
        };
        let temporals = self.closure.temporals.len() as u64;
        let of_a_location =
            self.representation.bytes_of_a_location(&self.document.program, temporals);
        let most = (memory / threads(flags) as u64 / of_a_location).max(1);
        // Not what the memory in use at the moment gives to the byte: who goes on wants the same pieces.
        1 << most.ilog2()
    }

    fn partition_of(&self, path: &Path) -> Result<Partition, Trouble> {
        let text: Arc<str> = input::read_text(path, input::open(path)?, &Monitor::new())?.into();
        let mut sources = self.sources.clone();
        let file = sources.add(input::name_of(path), text.clone());
        let cuts = front::read_partition(file, &text, &self.document.program, &sources);
        match cuts {
            Ok(mut cuts) => Ok(Partition::new(&self.document.program, &mut cuts)),
            Err(errors) => Err(Trouble::Faults(errors, Box::new(sources))),
        }
    }

    /// What tells this question from others, for results that are kept. Expressions count by what they are, and not
    /// by their numbers, which others may have elsewhere.
    pub fn digest(&self, partition: &Partition) -> u128 {
        let program = &self.document.program;
        let assumed = self.assumed.iter().map(|assumed| {
            let Assumed { hole, inside, outside, exit, error, ends } = *assumed;
            let conditions = program.data.digests([inside, outside, exit, error]);
            (program.holes.name(hole), conditions, ends)
        });
        let question = format!(
            "{} {:?} {:?} {partition:?} {:?} {:?}",
            env!("CARGO_PKG_VERSION"),
            program.digest(),
            normal_form(program, &self.closure),
            assumed.collect::<Vec<_>>(),
            self.representation,
        );
        Key::of(question.as_bytes()).0
    }

    /// The answer to one of the questions.
    pub fn outcome(
        &self,
        found: &modular::Outcome,
        number: usize,
        partition: &Partition,
    ) -> Outcome {
        let verdict = found.verdicts[number];
        let names = || self.document.program.holes.names().map(str::to_owned).collect();
        let reason =
            (verdict == Truth::Unknown).then(|| Reason::Holes { names: names(), deciding: None });
        let figures = &found.figures;
        let pieces = partition.graphs.values().filter(|graph| matches!(graph, Graph::Piece(_)));
        let stats = Stats {
            pieces: Some(pieces.count() as u64),
            checked_pieces: Some(figures.checked),
            reused_pieces: Some(figures.reused),
            passes: Some(figures.passes),
            piece_bytes: Some(figures.largest_bytes),
            ..Stats::default()
        };
        let state = |values: &Vec<i64>| {
            let one = |(name, value): (String, String)| format!("{name}={value}");
            let state: Vec<String> = self.values(values).into_iter().map(one).collect();
            (state.join(","), Truth::False)
        };
        let initial = found.falsified_in[number].iter().map(state).collect();
        Outcome { reason, initial, stats, ..Outcome::new(verdict, Method::Modular) }
    }

    /// The variables with their values, as the program would write them.
    pub fn values(&self, values: &[i64]) -> Vec<(String, String)> {
        let data = &self.document.program.data;
        let one = |((_, var), &value): ((_, &transition::Var), &i64)| {
            let text = match var.domain {
                Domain::Bool => (value != 0).to_string(),
                _ => var.domain.text(value, &data.symbols),
            };
            (var.name.clone(), text)
        };
        data.vars.iter().zip(values).map(one).collect()
    }
}

/// A program and what is asked of it.
pub struct Text {
    pub document: WhileDocument,
    pub sources: SourceMap,
    pub text: Arc<str>,
}

fn read(path: &Path, wanted: &Wanted, monitor: &Monitor) -> Result<Text, Trouble> {
    let mut read = read_program(path, wanted.questions, monitor)?;
    choose(&mut read.document, wanted.property)?;
    Ok(read)
}

/// Reads a program with what is asked of it, in its file or on the command line.
pub fn read_program(path: &Path, given: &Questions, monitor: &Monitor) -> Result<Text, Trouble> {
    monitor.phase("reading", 0);
    let text: Arc<str> = input::read_text(path, input::open(path)?, monitor)?.into();
    let mut sources = SourceMap::new();
    let file = sources.add(input::name_of(path), text.clone());
    let asked: Vec<SmvQuestion> = smv::given(given, &mut sources)?;
    match front::read_while_asking(file, &text, &asked) {
        Ok(document) => Ok(Text { document, sources, text }),
        Err(errors) => Err(Trouble::Faults(errors, Box::new(sources))),
    }
}

fn assumptions(
    given: &[String],
    document: &mut WhileDocument,
    sources: &mut SourceMap,
) -> Result<Vec<Assumed>, Trouble> {
    let mut assumed: Vec<Assumed> = Vec::new();
    for text in given {
        let text: Arc<str> = text.as_str().into();
        let file = sources.add("<--assume>", text.clone());
        let read = front::read_assumption(file, &text, &mut document.program);
        let one = read.map_err(|errors| Trouble::Faults(errors, Box::new(sources.clone())))?;
        if assumed.iter().any(|other| other.hole == one.hole) {
            let name = document.program.holes.name(one.hole);
            return Err(Trouble::message(format!(
                "there are two assumptions on the hole `{name}`"
            ))
            .with_help("join them with `&`"));
        }
        assumed.push(one);
    }
    Ok(assumed)
}

/// Leaves those that `--property` names, in the order of the file.
fn choose(document: &mut WhileDocument, wanted: &[String]) -> Result<(), Trouble> {
    let all = questions(document);
    let meant = smv::choose(&all.iter().collect::<Vec<_>>(), wanted)?;
    let mut numbers = 0..;
    document.properties.retain(|_| numbers.next().is_some_and(|number| meant.contains(&number)));
    Ok(())
}

fn questions(document: &WhileDocument) -> Vec<Question> {
    let question = |property: &front::WhileProperty| {
        Question::new(property.title(), Some(property.logic), &property.text, Some(property.span))
    };
    document.properties.iter().map(question).collect()
}

fn not_ctl(document: &WhileDocument) -> Option<&front::WhileProperty> {
    document.properties.iter().find(|property| property.logic != Logic::Ctl)
}

fn closure(document: &WhileDocument) -> Result<Closure, Trouble> {
    if let Some(property) = not_ctl(document) {
        let name = property.title();
        return Err(Trouble::message(format!(
            "the modular method is for CTL, and `{name}` is not"
        ))
        .with_help("use `--method direct` or `symbolic`, or name the others by --property"));
    }
    let surfaces: Vec<_> =
        document.properties.iter().map(|property| property.surface.clone()).collect();
    let atoms = document.atoms();
    let atom = |name: &str| atoms.get(name).copied();
    Closure::new(&surfaces, !document.program.has_holes(), atom)
        .map_err(|_| Trouble::message("a formula speaks of what is not defined"))
}

fn representation(
    sets: Option<SetsFlag>,
    document: &WhileDocument,
) -> Result<Representation, Trouble> {
    let program = &document.program;
    let wanted = match sets {
        None => return Ok(Representation::suitable(program)),
        Some(SetsFlag::Bits) => Representation::Bits,
        Some(SetsFlag::Diagrams) => Representation::Diagrams,
    };
    if !wanted.fits(program) {
        let message = "there are too many valuations for `--sets bits`";
        return Err(Trouble::message(message).with_help("use `--sets diagrams`"));
    }
    Ok(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn digest(folder: &Path, text: &str, formula: &str, assume: &[String]) -> u128 {
        let path = folder.join("program.while");
        fs::write(&path, text).expect("it can be written");
        let questions = Questions(vec![(Logic::Ctl, formula.to_owned())]);
        let wanted = Wanted { questions: &questions, property: &[], assume, sets: None };
        let subject = Subject::read(&path, &wanted, &Monitor::new()).expect("it can be read");
        let partition = Partition::new(&subject.document.program, &mut Statements);
        subject.digest(&partition)
    }

    /// Two questions that differ in a constant have expressions with the same numbers.
    #[test]
    fn questions_have_digests_of_their_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let loops = "var x, y : 0..7 := 0; while y < 7 do x := {0, 4}; y := y + 1 od; fin";
        let holes = "var x : 0..7 := 0; hole h(x); fin";
        let of = |text: &str, formula: &str, assume: &[&str]| {
            let assume: Vec<String> = assume.iter().map(|text| (*text).to_owned()).collect();
            digest(folder.path(), text, formula, &assume)
        };
        let digests = [
            of(loops, "AG x < 5", &[]),
            of(loops, "AG x < 3", &[]),
            of(loops, "AF x < 3", &[]),
            of(&loops.replace('4', "5"), "AG x < 3", &[]),
            of(holes, "AG x < 6", &[]),
            of(holes, "AG x < 6", &["h: AG x < 4"]),
            of(holes, "AG x < 6", &["h: AG x < 7"]),
            of(holes, "AG x < 6", &["h: AG x < 7 & AF end"]),
        ];
        for (index, one) in digests.iter().enumerate() {
            assert!(!digests[..index].contains(one), "{index}");
        }
        assert_eq!(digests[0], of(&loops.replace(' ', "  "), "AG  x < 5", &[]));
    }
}
