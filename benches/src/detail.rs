//! Irrelevant detail: a system whose components each carry a value along that no property asks about.
//! It is bisimilar to the system without, so every property keeps its verdict, and an abstraction that is
//! any good does not see the value, however many there are.

use crate::families::{self, Family};
use clap::{Args, ValueEnum};
use logic::Truth;
use model::{Component, Model, ModelBuilder, System};

#[derive(Clone, Copy, PartialEq, Debug, ValueEnum)]
pub enum Detail {
    /// A counter that every step of the component moves on
    Counter,
    /// Data that a step keeps, increments or doubles
    Data,
}

impl Detail {
    /// As `gen detail` knows it.
    pub fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    fn next(self, value: u32, domain: u32) -> Vec<u32> {
        let mut next = match self {
            Detail::Counter => vec![value + 1],
            Detail::Data => vec![value, value + 1, 2 * value],
        };
        next.iter_mut().for_each(|value| *value %= domain);
        next.sort_unstable();
        next.dedup();
        next
    }
}

#[derive(Args)]
pub struct Wish {
    pub family: Family,
    /// How many stations, philosophers, stages, clients, leaves or caches
    #[arg(value_parser = clap::value_parser!(u32).range(2..))]
    pub size: u32,
    /// How many values
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub domain: u32,
    #[arg(long, value_enum, default_value = "counter")]
    pub detail: Detail,
}

/// The text of a `.tm` file.
pub fn make(wish: &Wish) -> String {
    let &Wish { family, size, domain, detail } = wish;
    let text = families::make(&families::Wish::new(family, size, false));
    let (system, properties) = families::read(&text);
    front::write_tm(&blow_up(&system, detail, domain), &[], &properties)
}

pub fn blow_up(system: &System, detail: Detail, domain: u32) -> System {
    let components = system.components.iter().map(|component| Component {
        model: carry(&component.model, detail, domain),
        is_unknown: component.is_unknown,
    });
    System { components: components.collect(), sync: system.sync.clone() }
}

fn carry(model: &Model, detail: Detail, domain: u32) -> Model {
    let mut out = ModelBuilder::new(model.kind, &*model.name);
    let props: Vec<_> = model.props().names().map(|name| out.prop(name)).collect();
    model.actions().names().for_each(|name| _ = out.action(name));
    // A component with propositions also shows something of the value.
    let high = match model.kind.family() {
        logic::Family::Props => Some(out.prop(&format!("high_{}", model.name))),
        logic::Family::Actions => None,
    };
    for state in 0..model.states() as u32 {
        for value in 0..domain {
            let copy = out.state(format!("{}_{value}", model.state_name(state)));
            for &prop in &props {
                out.label(copy, prop, model.label(state, prop));
            }
            if let Some(high) = high.filter(|_| 2 * value > domain) {
                out.label(copy, high, Truth::True);
            }
            for (target, class) in model.edges().out(state) {
                for next in detail.next(value, domain) {
                    out.edge(copy, class.action, class.mode, target * domain + next);
                }
            }
        }
    }
    model.init().iter().for_each(|&state| out.init(state * domain));
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use explicit::{Method, Request};
    use support::Monitor;

    #[test]
    fn verdicts_stay() {
        for &family in Family::value_variants() {
            for &detail in Detail::value_variants() {
                let text = make(&Wish { family, size: 2, domain: 3, detail });
                let (system, properties) = families::read(&text);
                let questions = families::questions(family, 2, false);
                for (property, question) in properties.iter().zip(questions) {
                    let formula = families::compile(&system, property);
                    let monitor = Monitor::new();
                    let plain = Request::new(&system, &formula, &monitor);
                    let request = Request { method: Method::Direct, ..plain };
                    let outcome = explicit::run(&request).expect("it can be checked");
                    let expected = if question.holds { Truth::True } else { Truth::False };
                    assert_eq!(
                        outcome.verdict, expected,
                        "{family:?} {detail:?}: {}",
                        question.name
                    );
                }
            }
        }
    }

    #[test]
    fn every_value_is_there() {
        let text = families::make(&families::Wish::new(Family::TokenRing, 2, false));
        let (system, _) = families::read(&text);
        for &detail in Detail::value_variants() {
            let large = blow_up(&system, detail, 50);
            for (before, after) in system.components.iter().zip(&large.components) {
                let [before, after] =
                    [before, after].map(|part| part.model.reachable().count_ones(..));
                assert_eq!(after, 50 * before, "{detail:?}");
            }
        }
    }
}
