//! The refinement loop from inside: what it remembers, what it prunes, and what it needs of a concretisation.

mod example_5_11;
mod limits;
mod monotone;
mod naive_pruning;
mod partners;
#[path = "../../../tests/reading/mod.rs"]
mod reading;
mod second_concretisation;

use super::*;
use logic::Formula;

/// A question and what a run of it refers to.
struct Asked {
    system: System,
    formula: Formula,
    plan: Plan,
    subformulas: Subformulas,
    interface: Interface,
    monitor: Monitor,
}

impl Asked {
    fn new(text: &str) -> Self {
        let (system, formula) = reading::read(text);
        Self::of(system, formula)
    }

    fn of(system: System, formula: Formula) -> Self {
        let plan = Plan::new(&formula);
        let subformulas = Subformulas::of_plan(&formula, &plan);
        let (interface, monitor) = (Interface::new(&system), Monitor::new());
        Self { system, formula, plan, subformulas, interface, monitor }
    }

    fn request(&self, refinement: Refinement) -> Request<'_> {
        Request { refinement, ..Request::new(&self.system, &self.formula, &self.monitor) }
    }

    fn question<'a>(&'a self, request: &Request<'a>) -> Question<'a> {
        Question::new(request, &self.plan, &self.subformulas, &self.interface)
    }

    fn run<'a>(&'a self, request: &'a Request<'a>) -> Run<'a, 'a> {
        let tuples = self.system.initial_tuples(MAX_INITIAL, &self.monitor);
        let tuples = tuples.expect("no limit").expect("few initial states");
        begin(request, self.question(request), &tuples)
    }
}

/// A node as the papers write it; the targets of a hyper-transition have no name.
fn shown(run: &Run, part: &SubsystemGame, node: u32) -> String {
    let (state, label) = part.graph.at(node);
    if part.graph.subformulas.chosen_by(label).is_some() {
        return "a choice".to_owned();
    }
    let members = part.components.iter().zip(part.tuple(state));
    let names: Vec<String> =
        members.map(|(&c, &member)| run.abstractions[c].concrete.name(member)).collect();
    let Question { formula, subformulas, .. } = run.question;
    format!("{} ⊢ {}", names.join(","), formula.show(subformulas.get(label).node))
}

/// The nodes of a part with their colours, in the order of their names.
fn named_colours(run: &Run, part: &SubsystemGame, colours: &[Truth]) -> Vec<(String, Truth)> {
    let nodes = (0..).zip(colours);
    let mut named_colours: Vec<(String, Truth)> =
        nodes.map(|(node, &colour)| (shown(run, part, node), colour)).collect();
    named_colours.sort();
    named_colours
}

fn find(run: &Run, part: &SubsystemGame, wanted: &str) -> u32 {
    let mut nodes = 0..part.graph.len() as u32;
    nodes.find(|&node| shown(run, part, node) == wanted).expect(wanted)
}
