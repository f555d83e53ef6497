//! The protocol between the server and its child processes.
//!
//! A child reads one line, an [`Order`]. A command then runs as from the command line, on the texts of the order; it
//! ends when its standard input does. A worker answers questions, a line ([`Query`]) with a line: the status of the
//! answer, a blank and JSON.

use crate::views::window::Window;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;

/// The word on the command line that makes a child of the program.
pub const COMMAND: &str = "answer";

/// No list is longer.
const MOST_LISTED: usize = 1000;

#[derive(Serialize, Deserialize, Debug)]
pub struct Order {
    /// All that can be read.
    pub texts: Vec<TextFile>,
    pub call: Call,
}

#[derive(Serialize, Deserialize, Debug, Hash)]
pub struct TextFile {
    pub name: String,
    /// `None` if it is to be read from the disk.
    pub text: Option<String>,
}

#[derive(Serialize, Deserialize, Debug)]
pub enum Call {
    /// The arguments of the program.
    Command(Vec<String>),
    Views(Views),
}

/// The model that requests are about.
#[derive(Serialize, Deserialize, Debug)]
pub struct Views {
    pub files: Vec<String>,
    pub sync: Option<String>,
    pub memory: u64,
}

#[derive(Serialize, Deserialize, Debug)]
pub enum Query {
    Read,
    Component(ComponentQuery),
    States(StatesQuery),
    Walk(WalkQuery),
    Game(GameQuery),
    GameGraph(GameGraphQuery),
    GameNodes(GameNodesQuery),
}

#[derive(Serialize, Deserialize, Debug)]
pub struct ComponentQuery {
    /// `None` for the composition.
    pub component: Option<String>,
    #[serde(flatten)]
    pub window: Window,
}

#[derive(Serialize, Deserialize, Debug)]
pub struct StatesQuery {
    pub component: Option<String>,
    #[serde(flatten)]
    pub list: List,
}

/// A walk from its beginning: where it begins, and which step is taken in each state.
#[derive(Serialize, Deserialize, Debug)]
pub struct WalkQuery {
    /// Values of the first state; none for an initial one.
    #[serde(default)]
    pub from: BTreeMap<String, String>,
    /// By number from 0; where there are several initial states, the first number chooses one.
    #[serde(default)]
    pub path: Vec<usize>,
    /// The property whose subformulas are evaluated.
    pub property: Option<String>,
    #[serde(default)]
    pub watch: Vec<String>,
}

/// A page of a list: the filter, the offset and the length.
#[derive(Serialize, Deserialize, Debug)]
pub struct List {
    #[serde(default)]
    pub query: String,
    #[serde(default)]
    pub offset: usize,
    #[serde(default = "fifty")]
    pub limit: usize,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct FormulaQuery {
    pub logic: String,
    pub text: String,
}

/// A property of the files, or a formula.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct GameQuery {
    pub property: Option<String>,
    pub formula: Option<FormulaQuery>,
    pub deadlock: Option<String>,
    pub semantics: Option<String>,
}

#[derive(Serialize, Deserialize, Debug)]
pub struct GameGraphQuery {
    #[serde(flatten)]
    pub question: GameQuery,
    pub game: String,
    #[serde(flatten)]
    pub window: Window,
}

#[derive(Serialize, Deserialize, Debug)]
pub struct GameNodesQuery {
    #[serde(flatten)]
    pub question: GameQuery,
    pub game: String,
    pub subformula: Option<u32>,
    pub colour: Option<String>,
    #[serde(flatten)]
    pub list: List,
}

impl List {
    /// The numbers of those that are listed.
    pub fn page(&self) -> Range<usize> {
        self.offset..self.offset.saturating_add(self.limit.min(MOST_LISTED))
    }
}

fn fifty() -> usize {
    50
}
