//! Components as hardware: wires that a component drives, wires that it reads. It accepts whatever it
//! reads, at any time, so that it cannot keep the others from a step.

use super::text::Text;

/// A component that reads `R` wires.
pub trait Machine<const R: usize> {
    /// What it remembers. With the values of the wires that it reads this makes a state.
    type Core: Copy + PartialEq;

    /// The wires that others drive.
    fn reads(&self) -> [String; R];

    /// The wires that it drives, and what only it knows.
    fn shows(&self) -> Vec<String>;

    fn start(&self) -> Self::Core;

    fn name(&self, core: Self::Core) -> String;

    /// Which of those it shows are on. `None` where it does not come to this core while it reads that:
    /// then there is another core to which it comes instead.
    fn on(&self, core: Self::Core, reads: [bool; R]) -> Option<Vec<String>>;

    /// What it can remember next. What it reads next is not its to decide.
    fn step(&self, core: Self::Core, reads: [bool; R]) -> Vec<Self::Core>;
}

pub fn write<const R: usize, M: Machine<R>>(machine: &M, name: &str, text: &mut Text) {
    let props = [machine.shows(), machine.reads().to_vec()].concat();
    text.begin_component(name, "kripke");
    text.item(&format!("props {}", props.join(", ")));
    text.item(&format!("init {}", states_with(machine, &[machine.start()]).join(", ")));
    for core in cores(machine) {
        for reads in all::<R>() {
            if let Some(on) = machine.on(core, reads) {
                let wires = machine.reads().into_iter().zip(reads);
                let read_on = wires.filter(|(_, is_on)| *is_on).map(|(wire, _)| wire);
                let label: Vec<String> = on.into_iter().chain(read_on).collect();
                let next = states_with(machine, &machine.step(core, reads)).join(", ");
                let state = state(machine, core, reads);
                text.item(&format!("{state}: {{{}}} -> {next}", label.join(", ")));
            }
        }
    }
    text.end_component();
}

/// Every combination of values.
pub fn all<const R: usize>() -> impl Iterator<Item = [bool; R]> {
    (0..1u32 << R).map(|number| std::array::from_fn(|wire| number >> (R - 1 - wire) & 1 == 1))
}

/// The cores that it can come to.
fn cores<const R: usize, M: Machine<R>>(machine: &M) -> Vec<M::Core> {
    let mut found = vec![machine.start()];
    let mut next = 0;
    while let Some(&core) = found.get(next) {
        let reads = all::<R>().filter(|&reads| machine.on(core, reads).is_some());
        for target in reads.flat_map(|reads| machine.step(core, reads)) {
            if !found.contains(&target) {
                found.push(target);
            }
        }
        next += 1;
    }
    found
}

fn state<const R: usize, M: Machine<R>>(machine: &M, core: M::Core, reads: [bool; R]) -> String {
    let bits: String = reads.map(|is_on| if is_on { '1' } else { '0' }).iter().collect();
    let dot = if R == 0 { "" } else { "." };
    format!("{}{dot}{bits}", machine.name(core))
}

/// The states with one of the given cores, whatever is read.
fn states_with<const R: usize, M: Machine<R>>(machine: &M, cores: &[M::Core]) -> Vec<String> {
    let pairs = cores.iter().flat_map(|&core| all::<R>().map(move |reads| (core, reads)));
    let real = pairs.filter(|&(core, reads)| machine.on(core, reads).is_some());
    real.map(|(core, reads)| state(machine, core, reads)).collect()
}
