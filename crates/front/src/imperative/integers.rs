//! While-programs over unbounded integers: locations, and guarded steps between them.

use super::assume::read_invariant;
use super::build::Compiled;
use crate::document::{Document, Form, IntegerForm};
use crate::symbols::Symbols;
use smt::LinearFormula;
use std::sync::Arc;
use support::{Diagnostic, FileId, Interner, Span};
use transition::cfg::{Assumed, CtlAtom, Program};
use transition::integers::{
    Interleaving, NotInterleaved, NotLinear, Predicate, Proposition, condition, domains,
    interleaved,
};
use transition::{Domain, FIRST_SYMBOL, SymbolId};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IntegerVariable {
    pub domain: IntegerDomain,
    /// Where it is declared.
    pub span: Span,
}

/// The domain of a variable, which no step leaves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IntegerDomain {
    Int,
    Range(i64, i64),
    /// 0 is false and 1 is true.
    Bool,
    /// Numbers that stand for constants, rising. A constant has the same number in all variables.
    Constants(Vec<(i64, String)>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IntegerStart {
    pub location: u32,
    /// Holds where the program can begin. It says that every variable is within its domain.
    pub condition: LinearFormula,
}

impl std::fmt::Display for IntegerDomain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            IntegerDomain::Int => f.write_str("int"),
            IntegerDomain::Bool => f.write_str("bool"),
            IntegerDomain::Range(low, high) => write!(f, "{low}..{high}"),
            IntegerDomain::Constants(all) => {
                let names: Vec<&str> = all.iter().map(|(_, name)| &**name).collect();
                write!(f, "{{{}}}", names.join(", "))
            }
        }
    }
}

impl IntegerDomain {
    fn new(domain: &Domain, symbols: &Interner<SymbolId>) -> Self {
        match domain {
            _ if *domain == Domain::INTEGERS => IntegerDomain::Int,
            Domain::Range(low, high) => IntegerDomain::Range(*low, *high),
            Domain::Bool | Domain::Word { .. } => IntegerDomain::Bool,
            Domain::Values(values) => {
                let named = |value: &i64| {
                    let number = value - FIRST_SYMBOL;
                    (number, symbols.name(SymbolId(number as u32)).to_owned())
                };
                let mut constants: Vec<(i64, String)> = values.iter().map(named).collect();
                constants.sort_unstable();
                IntegerDomain::Constants(constants)
            }
        }
    }

    /// A value as one would write it.
    pub fn shown(&self, value: i64) -> String {
        match self {
            IntegerDomain::Bool if value == 0 => "false".to_owned(),
            IntegerDomain::Bool if value == 1 => "true".to_owned(),
            IntegerDomain::Constants(constants) => {
                let found = constants.iter().find(|(number, _)| *number == value);
                found.map_or_else(|| value.to_string(), |(_, name)| name.clone())
            }
            _ => value.to_string(),
        }
    }
}

/// The processes of a program, interleaved.
pub(super) fn document(
    compiled: Compiled,
    file: FileId,
    text: &str,
) -> Result<Document, Vec<Diagnostic>> {
    let Compiled { program, properties, propositions, predicates, mut sink } = compiled;
    let at = properties.first().map_or(Span::new(file, 0..0), |property| property.span);
    let made = with_propositions(&program, &[], text, (&propositions.list, at));
    let made = made.and_then(|(made, meanings)| {
        let linear = |span: Span| move |why: NotLinear| not_linear(why, span);
        let data = &program.data;
        let predicates = predicates.into_iter().map(|(name, node, span)| {
            Ok(Predicate { name, condition: condition(data, node).map_err(linear(span))? })
        });
        let predicates = predicates.collect::<Result<Vec<_>, Diagnostic>>()?;
        let begins = domains(data, true).map_err(linear(at))?;
        let invariant = domains(data, false).map_err(linear(at))?;
        Ok((made, meanings, predicates, begins, invariant))
    });
    let (made, meanings, predicates, begins, invariant) = match made {
        Ok(made) => made,
        Err(error) => {
            sink.error(|| error);
            return Err(sink.into_diagnostics());
        }
    };
    let described = program.data.vars.values().map(|var| IntegerVariable {
        domain: IntegerDomain::new(&var.domain, &program.data.symbols),
        span: var.span,
    });
    let form = IntegerForm {
        variables: described.collect(),
        program: made.program,
        locations: made.locations,
        movers: made.movers,
        processes: program.processes.iter().map(|process| process.name.clone()).collect(),
        start: IntegerStart { location: made.start, condition: begins },
        invariant,
        propositions: meanings,
        predicates,
        no_error: None,
        is_total: true,
        open: program.has_holes().then(|| {
            Box::new(OpenProgram { program, atoms: propositions.list, at, text: text.into() })
        }),
        view: None,
        expansion: None,
    };
    let (form, warnings) = (Form::Integers(Box::new(form)), sink.into_diagnostics());
    Ok(Document::new(form, properties, warnings, Symbols::default()))
}

/// A program with holes, to be interleaved once more under assumptions on them.
#[derive(Clone, Debug)]
pub struct OpenProgram {
    program: Program,
    atoms: Vec<(String, CtlAtom)>,
    /// Where the first formula is.
    at: Span,
    text: Arc<str>,
}

impl OpenProgram {
    /// The names of its holes.
    pub fn holes(&self) -> Vec<String> {
        self.program.holes.names().map(str::to_owned).collect()
    }
}

impl IntegerForm {
    /// The program under assumptions on its holes, one for each at most.
    pub fn assuming(&self, texts: &[(FileId, Arc<str>)]) -> Result<Self, Vec<Diagnostic>> {
        let Some(open) = &self.open else { return Ok(self.clone()) };
        let mut program = open.program.clone();
        let mut assumed: Vec<Assumed> = Vec::new();
        for (file, text) in texts {
            let one = read_invariant(*file, text, &mut program)?;
            if assumed.iter().any(|other| other.hole == one.hole) {
                let name = program.holes.name(one.hole);
                let message = format!("there are two assumptions on the hole `{name}`");
                let span = Span::new(*file, 0..text.len());
                let error = Diagnostic::error(message, span, "the second");
                return Err(vec![error.with_help("join them with `&`")]);
            }
            assumed.push(one);
        }
        let made = with_propositions(&program, &assumed, &open.text, (&open.atoms, open.at));
        let (made, propositions) = made.map_err(|error| vec![error])?;
        let start = IntegerStart { location: made.start, ..self.start.clone() };
        Ok(Self {
            program: made.program,
            locations: made.locations,
            movers: made.movers,
            start,
            propositions,
            ..self.clone()
        })
    }
}

type Interleaved = (Interleaving, Vec<(String, Proposition)>);

/// Interleaves the processes, and says what the atoms mean then.
fn with_propositions(
    program: &Program,
    assumed: &[Assumed],
    text: &str,
    (atoms, at): (&[(String, CtlAtom)], Span),
) -> Result<Interleaved, Diagnostic> {
    let made = interleaved(program, assumed, text).map_err(|why| refusal(program, why))?;
    let meaning = |(name, atom): &(String, CtlAtom)| {
        let meaning = made.proposition(&program.data, *atom);
        Ok((name.clone(), meaning.map_err(|why| not_linear(why, at))?))
    };
    let meanings = atoms.iter().map(meaning).collect::<Result<Vec<_>, Diagnostic>>()?;
    Ok((made, meanings))
}

fn refusal(program: &Program, why: NotInterleaved) -> Diagnostic {
    match why {
        NotInterleaved::Expression(why, span) => not_linear(why, span),
        NotInterleaved::Commands(span) => {
            let label = "with the procedures written out at every call, one too many is here";
            Diagnostic::error("the program is too large", span, label)
                .with_help("take fewer calls, or shorter procedures")
        }
        NotInterleaved::Product(places) => {
            let span = program.processes.last().map(|process| process.span);
            let span = span.unwrap_or(Span::new(FileId(0), 0..0));
            let places: Vec<String> = places.iter().map(usize::to_string).collect();
            let label = format!("{} locations in all processes", places.join(" × "));
            Diagnostic::error("the program has too many locations", span, label)
                .with_help("every statement is a location, and the product of the processes counts: write fewer or shorter processes")
        }
    }
}

fn not_linear(why: NotLinear, span: Span) -> Diagnostic {
    let label = match why {
        NotLinear::TooManyCases => "too many cases",
        _ => "too many operators, or too large numbers",
    };
    Diagnostic::error("the expression is too large", span, label)
        .with_help("compute a part of it before, into a variable")
}
