//! A while-program, what is asked of it, and how it is taken apart.

use crate::error::Error;
use crate::options::{Options, SetRepresentation};
use crate::source::{self, Loader, Source};
use crate::transition_system::{FiniteModel, ProgramGraph, StatedProperty};
use crate::unsupported::Unsupported;
use audit::modular::normal_form;
use explicit::{Outcome, Reason, Stats};
use logic::Truth;
use modular::{RecordKey, Representation};
use std::path::Path;
use std::sync::Arc;
use support::{Monitor, SourceMap};
use transition::Domain;
use transition::cfg::{
    Assumed, Closure, OneBlock, Partition, PartitionGraph, StageCase, Statements, Weighed,
};

/// Memory of a block without a memory limit.
const MEMORY_OF_A_BLOCK: u64 = 64 << 20;
/// Locations of a block without a loop.
const ROW: u64 = 64;

pub struct ModularQuestion {
    pub document: ProgramGraph,
    pub sources: SourceMap,
    pub closure: Closure,
    pub assumed: Vec<Assumed>,
    /// As they were given.
    pub assumptions: Vec<String>,
    pub representation: Representation,
}

/// Blocks in memory at once, unless `--threads` asks for more.
const MOST_THREADS: usize = 4;

/// How many blocks may be in memory at once.
pub fn threads(options: &Options) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    options.threads.map_or_else(|| cores().min(MOST_THREADS), usize::from)
}

/// Whether all of these properties are of CTL, which is the logic of the method.
pub fn supports(text: &FiniteModel, chosen: &[usize]) -> Result<(), Unsupported> {
    let is_ctl = |asked: &StatedProperty| {
        asked.property.as_ref().is_some_and(|own| own.surface.logic.has_path_quantifiers())
    };
    let other = chosen.iter().map(|&number| &text.all[number]).find(|asked| !is_ctl(asked));
    match other {
        Some(asked) => Err(Unsupported::Logic { method: "modular", property: asked.name.clone() }),
        None => Ok(()),
    }
}

impl ModularQuestion {
    /// The program with these of its properties.
    pub fn new(text: &FiniteModel, chosen: &[usize], options: &Options) -> Result<Self, Error> {
        let mut document = text.control_flow.clone().expect("the engine supports programs only");
        let mut numbers = 0..;
        document.properties.retain(|_| numbers.next().is_some_and(|n| chosen.contains(&n)));
        let mut sources = text.sources.clone();
        let assumed = assumptions(&options.assume, &mut document, &mut sources)?;
        let closure = closure(&document)?;
        let representation = representation(options.sets, &document)?;
        let assumptions = options.assume.clone();
        Ok(Self { document, sources, closure, assumed, assumptions, representation })
    }

    /// How the program is taken apart.
    pub fn partition(&self, options: &Options, loader: &dyn Loader) -> Result<Partition, Error> {
        self.partition_in(options, loader, 1)
    }

    /// The partition with blocks that many times smaller where their size is not given.
    pub fn partition_in(
        &self,
        options: &Options,
        loader: &dyn Loader,
        share: u64,
    ) -> Result<Partition, Error> {
        let program = &self.document.program;
        match options.partition.as_deref() {
            Some("whole") => Ok(Partition::new(program, &mut OneBlock)),
            Some("statement") => Ok(Partition::new(program, &mut Statements)),
            None | Some("auto") => {
                let most = (self.most_locations(options) / share).max(1);
                let row = (ROW / share).max(1);
                Ok(Partition::new(program, &mut Weighed::new(program, row, most)))
            }
            Some(file) => self.partition_of(Path::new(file), loader),
        }
    }

    /// How many locations a block may have: a quarter of the memory, shared by all threads, so
    /// that there is room for what is assumed and for what is being computed.
    fn most_locations(&self, options: &Options) -> u64 {
        let memory = match options.memory {
            Some(bytes) => bytes / 4,
            None => MEMORY_OF_A_BLOCK,
        };
        let temporals = self.closure.temporals.len() as u64;
        let of_a_location =
            self.representation.bytes_of_a_location(&self.document.program, temporals);
        let most = (memory / threads(options) as u64 / of_a_location).max(1);
        // Not what the memory in use at the moment gives to the byte: a resumed run needs the same blocks.
        1 << most.ilog2()
    }

    fn partition_of(&self, path: &Path, loader: &dyn Loader) -> Result<Partition, Error> {
        let name = path.display().to_string();
        let input = Source::file(path).open(loader)?;
        // M Def. A.3: a program that is nowhere taken apart is one node.
        let text: Arc<str> = source::read_any_text(&name, input, &Monitor::new())?.into();
        let mut sources = self.sources.clone();
        let file = sources.add(name, text.clone());
        let cuts = front::read_partition(file, &text, &self.document.program, &sources);
        match cuts {
            Ok(mut cuts) => Ok(Partition::new(&self.document.program, &mut cuts)),
            Err(errors) => Err(Error::of(errors, &sources)),
        }
    }

    /// Identifies the question among kept results. Expressions count by what they are, and not
    /// by their numbers, which others may have elsewhere.
    pub fn digest(&self, partition: &Partition) -> u128 {
        let program = &self.document.program;
        let assumed = self.assumed.iter().map(|assumed| {
            let steps = |case: &StageCase| {
                let steps: Vec<_> = std::iter::once(&case.all)
                    .chain(&case.some)
                    .map(|step| {
                        let conditions = [step.inside, step.exit, step.error];
                        (step.to, program.data.digests(conditions), step.postponed.clone())
                    })
                    .collect();
                (program.data.digests([case.guard]), steps)
            };
            let stages = assumed.stages.values();
            let stages: Vec<Vec<_>> =
                stages.map(|stage| stage.cases.iter().map(steps).collect()).collect();
            (program.holes.name(assumed.hole), stages)
        });
        let question = format!(
            "{} {:?} {:?} {:?} {:?} {:?}",
            env!("CARGO_PKG_VERSION"),
            program.digest(),
            normal_form(program, &self.closure),
            partition.digest(),
            assumed.collect::<Vec<_>>(),
            self.representation,
        );
        RecordKey::of(question.as_bytes()).0
    }

    /// The answer to one of the questions.
    pub fn outcome(
        &self,
        found: &modular::ModularOutcome,
        number: usize,
        partition: &Partition,
    ) -> Outcome {
        let verdict = found.verdicts[number];
        let names = || self.document.program.holes.names().map(str::to_owned).collect();
        let reason =
            (verdict == Truth::Unknown).then(|| Reason::Holes { names: names(), deciding: None });
        let found_stats = &found.stats;
        let blocks =
            partition.graphs.values().filter(|graph| matches!(graph, PartitionGraph::Block(_)));
        let stats = Stats {
            blocks: Some(blocks.count() as u64),
            checked_blocks: Some(found_stats.checked),
            reused_blocks: Some(found_stats.reused),
            passes: Some(found_stats.passes),
            largest_block_bytes: Some(found_stats.largest_bytes),
            ..Stats::default()
        };
        let state = |values: &Vec<i64>| {
            let one = |(name, value): (String, String)| format!("{name}={value}");
            let state: Vec<String> = self.values(values).into_iter().map(one).collect();
            (state.join(","), Truth::False)
        };
        let initial = found.falsified_in[number].iter().map(state).collect();
        Outcome { reason, initial, stats, ..Outcome::new(verdict) }
    }

    /// The variables with their values, as the program would write them.
    pub fn values(&self, values: &[i64]) -> Vec<(String, String)> {
        let data = &self.document.program.data;
        let one = |((_, var), &value): ((_, &transition::MachineVar), &i64)| {
            let text = match var.domain {
                Domain::Bool => (value != 0).to_string(),
                _ => var.domain.text(value, &data.symbols),
            };
            (var.name.clone(), text)
        };
        data.vars.iter().zip(values).map(one).collect()
    }
}

fn assumptions(
    given: &[String],
    document: &mut ProgramGraph,
    sources: &mut SourceMap,
) -> Result<Vec<Assumed>, Error> {
    let mut assumed: Vec<Assumed> = Vec::new();
    for text in given {
        let text: Arc<str> = text.as_str().into();
        let file = sources.add("<--assume>", text.clone());
        let read = front::read_assumption(file, &text, &mut document.program);
        let one = read.map_err(|errors| Error::of(errors, sources))?;
        if assumed.iter().any(|other| other.hole == one.hole) {
            let name = document.program.holes.name(one.hole);
            return Err(Error::message(format!("there are two assumptions on the hole `{name}`"))
                .with_help("join them with `&`"));
        }
        assumed.push(one);
    }
    Ok(assumed)
}

fn closure(document: &ProgramGraph) -> Result<Closure, Error> {
    let surfaces: Vec<_> =
        document.properties.iter().filter_map(|one| one.surface().cloned()).collect();
    let atoms = document.atoms();
    let atom = |name: &str| atoms.get(name).copied();
    Closure::new(&surfaces, !document.program.has_holes(), atom)
        .map_err(|_| Error::message("a formula uses an undefined name"))
}

fn representation(
    sets: Option<SetRepresentation>,
    document: &ProgramGraph,
) -> Result<Representation, Error> {
    let program = &document.program;
    let wanted = match sets {
        None => return Ok(Representation::suitable(program)),
        Some(SetRepresentation::Bits) => Representation::Bits,
        Some(SetRepresentation::Bdds) => Representation::Bdds,
    };
    if !wanted.fits(program) {
        let message = "there are too many valuations for `--sets bits`";
        return Err(Error::message(message).with_help("use `--sets bdds`"));
    }
    Ok(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;
    use crate::property::About;
    use logic::Logic;

    fn digest(text: &str, formula: &str, assume: &[String]) -> u128 {
        let model = Model::read("while", "program.while", text).expect("it can be read");
        let property = model.property(Logic::Ctl, formula).expect("a formula");
        let About::Finite(text, number) = property.about() else { panic!("a program") };
        let options = Options::default().assume(assume.to_vec());
        let subject = ModularQuestion::new(text, &[*number], &options).expect("a subject");
        let partition = Partition::new(&subject.document.program, &mut Statements);
        subject.digest(&partition)
    }

    /// Two questions that differ in a constant have expressions with the same numbers.
    #[test]
    fn questions_have_digests_of_their_own() {
        let loops = "var x, y : 0..7 := 0; while y < 7 do x := {0, 4}; y := y + 1 od; fin";
        let holes = "var x : 0..7 := 0; hole h(x); fin";
        let of = |text: &str, formula: &str, assume: &[&str]| {
            let assume: Vec<String> = assume.iter().map(|text| (*text).to_owned()).collect();
            digest(text, formula, &assume)
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
