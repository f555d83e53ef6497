//! The games of a property, as the page looks at them.

use super::desk::{Looked, MOST_STATES, Subject};
use crate::flags::{Questions, Semantics};
use crate::input::{self, Trouble};
use crate::load::Loaded;
use crate::questions::{self, Item, Task};
use crate::smv;
use crate::values::LOGICS;
use explicit::{Deadlock, LeftOut, NoGames, Request};
use explorer::protocol::{GameAsk, GameNodesAsk};
use explorer::views::formula::parts;
use explorer::views::game::{GameDocument, GameTable, Wanted};
use explorer::views::window::Window;
use front::EitherDocument;
use logic::Truth;
use report::FormulaText;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use support::{Monitor, SourceMap};

/// Larger games are not written down.
const MOST_NODES: u32 = MOST_STATES as u32;

pub type Question = GameAsk;

/// The games of one question.
pub struct Played {
    pub question: Question,
    /// If they are played on something else than the texts as they are.
    other: Option<Subject>,
    table: GameTable,
    task: Box<Task>,
}

impl Played {
    pub fn new(
        ask: &Question,
        subject: &mut Subject,
        files: &[PathBuf],
        sync: Option<&Path>,
        monitor: &Monitor,
    ) -> Result<Self, Trouble> {
        let given = given(ask)?;
        let semantics = semantics(ask)?;
        let deadlock = deadlock(ask)?;
        let reduces = semantics != Some(Semantics::Sis) && subject.loaded.system.has_covers();
        let is_machine_asked = subject.program.is_some() && !given.0.is_empty();
        let mut other = match reduces || is_machine_asked {
            true => Some(Subject::read(files, sync, &given, monitor)?),
            false => None,
        };
        if let Some(other) = &mut other {
            other.loaded.reduce(semantics);
        }
        let subject = other.as_mut().unwrap_or(subject);
        let task = task(ask, &given, subject, deadlock, monitor)?;
        let request =
            Request { deadlock, ..Request::new(&subject.loaded.system, &task.formula, monitor) };
        let games = explicit::games(&request, MOST_NODES).map_err(|error| match error {
            NoGames::Stopped(stopped) => stopped.into(),
            NoGames::Error(error) => Trouble::message(error.to_string()),
        })?;
        Ok(Self { question: ask.clone(), other, table: GameTable::new(games), task })
    }
}

fn given(ask: &Question) -> Result<Questions, Trouble> {
    let Some(formula) = &ask.formula else { return Ok(Questions::default()) };
    let logic = LOGICS.into_iter().find(|logic| logic.name() == formula.logic);
    let logic = logic.ok_or_else(|| Trouble::message("the logics are mu, ctl and mcf"))?;
    Ok(Questions(vec![(logic, formula.text.clone())]))
}

fn semantics(ask: &Question) -> Result<Option<Semantics>, Trouble> {
    match ask.semantics.as_deref() {
        None => Ok(None),
        Some("sis") => Ok(Some(Semantics::Sis)),
        Some("ris") => Ok(Some(Semantics::Ris)),
        Some(_) => Err(Trouble::message("the semantics are sis and ris")),
    }
}

fn deadlock(ask: &Question) -> Result<Deadlock, Trouble> {
    match ask.deadlock.as_deref() {
        None | Some("warn") => Ok(Deadlock::Warn),
        Some("stutter") => Ok(Deadlock::Stutter),
        Some("error") => Ok(Deadlock::Error),
        Some(_) => Err(Trouble::message("a deadlock can be warn, stutter or error")),
    }
}

/// The one formula that is meant.
fn task(
    ask: &Question,
    given: &Questions,
    subject: &mut Subject,
    deadlock: Deadlock,
    monitor: &Monitor,
) -> Result<Box<Task>, Trouble> {
    let wanted: Vec<String> = ask.property.iter().cloned().collect();
    if wanted.is_empty() && given.0.is_empty() {
        return Err(Trouble::message("a game is about a property: which?"));
    }
    subject.renew();
    let Subject { program, loaded, .. } = subject;
    let mut items: Vec<Item> = match program {
        Some(program) => {
            let all: Vec<_> = program.all.iter().map(|asked| &asked.question).collect();
            program.chosen = smv::choose(&all, &wanted)?;
            loaded.look_for_unfair_states(deadlock, monitor)?;
            program.items(loaded)?
        }
        None => {
            let tasks = questions::prepare(given, &wanted, loaded)?;
            tasks.into_iter().map(|task| Item::Task(Box::new(task))).collect()
        }
    };
    match items.pop() {
        Some(Item::Task(task)) => Ok(task),
        Some(Item::Unanswered(_, why)) => Err(Trouble::message(why)),
        None => Err(Trouble::message("there is no such property")),
    }
}

impl Looked<'_> {
    fn loaded(&self) -> &Loaded {
        &self.played.other.as_ref().unwrap_or(self.subject).loaded
    }

    fn models(&self) -> Vec<&model::Model> {
        self.loaded().system.components.iter().map(|part| &part.model).collect()
    }

    pub fn document(&self) -> Result<String, Trouble> {
        let Played { table, task, .. } = self.played;
        let question = &task.question;
        let models = self.models();
        let names: Vec<&str> = models.iter().map(|model| &*model.name).collect();
        let sources = &self.loaded().sources;
        let written = FormulaText {
            formula: &task.formula,
            text: &question.formula,
            span: Some(task.property.surface.span),
            sources,
        };
        Ok(report::to_json(&GameDocument {
            property: &question.name,
            logic: question.logic.unwrap_or_default(),
            formula: &question.formula,
            verdict: table.games().verdict.to_string(),
            subformulas: parts(&table.games().subformulas, &written),
            games: table.entries(&names),
            components: names,
            notes: notes(table),
        }))
    }

    pub fn graph(&self, game: &str, window: &Window, monitor: &Monitor) -> Result<String, Trouble> {
        let view = self.played.table.view(game, self.models()).ok_or_else(|| no_game(game))?;
        Ok(report::to_json(&view.graph(window, monitor)?))
    }

    pub fn nodes(&self, ask: &GameNodesAsk, monitor: &Monitor) -> Result<String, Trouble> {
        let GameNodesAsk { game, subformula, colour, list, .. } = ask;
        let view = self.played.table.view(game, self.models()).ok_or_else(|| no_game(game))?;
        let colour = match colour {
            None => None,
            Some(name) => {
                let known = Truth::ALL.into_iter().find(|truth| truth.to_string() == *name);
                Some(known.ok_or_else(|| Trouble::message("a colour is true, false or unknown"))?)
            }
        };
        let wanted = Wanted { subformula: *subformula, colour, list };
        Ok(report::to_json(&view.nodes(&wanted, monitor)?))
    }
}

fn no_game(id: &str) -> Trouble {
    Trouble::message(format!("there is no game `{id}`")).with_help("`/api/game` lists them")
}

fn notes(table: &GameTable) -> Vec<String> {
    let note = match table.games().left_out {
        None => return Vec::new(),
        Some(LeftOut::TooLarge) => {
            format!("the whole is not shown: it has more than {MOST_NODES} nodes")
        }
        Some(LeftOut::Stopped(stopped)) => format!("the whole is not shown: {stopped}"),
    };
    vec![note]
}

/// Whether a while-program has variables without bounds. What cannot be read has not.
pub fn is_over_integers(path: &Path, monitor: &Monitor) -> Result<bool, Trouble> {
    let text: Arc<str> = input::read_text(path, input::open(path)?, monitor)?.into();
    let file = SourceMap::new().add(input::name_of(path), text.clone());
    let read = front::read_either_asking(file, &text, &[]);
    Ok(matches!(read, Ok(EitherDocument::Integers(_))))
}
