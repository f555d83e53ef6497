//! The sizes of automata for formulas of the literature, against those that Spot's test suite states.

use crate::accepting::accepts;
use crate::build::build;
use automata::{LtlArena, automaton};
use support::Monitor;
use testkit::Rng;
use testkit::linear::{PathBinary, PathFormula, PathUnary, PeriodicWord};

/// A parser of formulas such as those of `patterns.txt`.
struct Parser<'a> {
    rest: &'a str,
    atoms: Vec<&'a str>,
}

const LEVELS: [&[(&str, PathBinary)]; 4] = [
    &[("->", PathBinary::Implies), ("<->", PathBinary::Iff)],
    &[("|", PathBinary::Or)],
    &[("&", PathBinary::And)],
    &[
        ("U", PathBinary::U),
        ("W", PathBinary::W),
        ("R", PathBinary::R),
        ("M", PathBinary::M),
        ("S", PathBinary::S),
        ("T", PathBinary::T),
    ],
];

/// A formula, and how many atoms it has; they are numbered as they come.
pub fn parsed(text: &str) -> (PathFormula, usize) {
    let mut parser = Parser { rest: text, atoms: Vec::new() };
    let formula = parser.binary(0);
    assert_eq!(parser.rest, "", "{text}");
    (formula, parser.atoms.len())
}

impl<'a> Parser<'a> {
    fn eat(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_start();
        let rest = self.rest.strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Operators of one level associate to the right.
    fn binary(&mut self, level: usize) -> PathFormula {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let first = self.binary(level + 1);
        match operators.iter().find(|(token, _)| self.eat(token)) {
            Some((_, op)) => {
                PathFormula::Binary(*op, Box::new(first), Box::new(self.binary(level)))
            }
            None => first,
        }
    }

    fn unary(&mut self) -> PathFormula {
        let unary = [
            ("!", PathUnary::Not),
            ("X", PathUnary::X),
            ("F", PathUnary::F),
            ("G", PathUnary::G),
            ("Y", PathUnary::Y),
            ("O", PathUnary::O),
            ("H", PathUnary::H),
        ];
        if let Some((_, op)) = unary.iter().find(|(token, _)| self.eat(token)) {
            return PathFormula::Unary(*op, Box::new(self.unary()));
        }
        if self.eat("(") {
            let inner = self.binary(0);
            assert!(self.eat(")"), "`)` before {:?}", self.rest);
            return inner;
        }
        let end = self.rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        assert!(name.starts_with('p'), "an atom, not {:?}", self.rest);
        self.rest = rest;
        let place = self.atoms.iter().position(|atom| *atom == name).unwrap_or_else(|| {
            self.atoms.push(name);
            self.atoms.len() - 1
        });
        PathFormula::Atom(place as u32)
    }
}

#[test]
fn automata_are_about_as_small_as_those_of_spot() {
    let mut sums = (0, 0);
    let mut rng = Rng::new(7);
    for line in include_str!("patterns.txt").lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.splitn(3, ": ");
        let (Some(name), Some(published), Some(text)) =
            (fields.next(), fields.next(), fields.next())
        else {
            panic!("{line}");
        };
        let published: usize = published.parse().expect("a number of states");
        let (formula, atoms) = parsed(text);
        let mut arena = LtlArena::default();
        let id = build(&formula, &mut arena);
        let automaton = automaton(&mut arena, id, atoms as u32, &Monitor::new()).expect("no limit");
        println!("{name:16} {:3} states, Spot {published:3}", automaton.states());
        sums = (sums.0 + automaton.states(), sums.1 + published);
        for _ in 0..50 {
            let word = PeriodicWord::random(&mut rng, atoms);
            assert_eq!(accepts(&automaton, &word), formula.holds(&word), "{line}\n{word:?}");
        }
    }
    println!("{} states in all, Spot {}", sums.0, sums.1);
    assert!(10 * sums.0 <= 11 * sums.1, "{} states, Spot {}", sums.0, sums.1);
}
