//! A walk through the model, step by step.

use serde::Serialize;

/// The answer to `/api/walk`. Values are pairs of a name and a text.
#[derive(Serialize, Debug)]
pub struct WalkDocument {
    /// `None` as long as an initial state is to be chosen.
    pub state: Option<Vec<(String, String)>>,
    /// Of a program: each process with the line and the statement that come next.
    pub locations: Vec<(String, usize, String)>,
    /// The steps since the walk began.
    pub steps: Vec<WalkStep>,
    pub choices: Vec<WalkStep>,
    /// Whether there are more choices than are listed.
    pub has_more: bool,
    pub may_be_unreachable: bool,
    pub watched: Vec<WalkedFormula>,
}

#[derive(Serialize, Debug)]
pub struct WalkStep {
    /// The action, the inputs, or the process with its statement.
    pub by: String,
    #[serde(rename = "may_only")]
    pub is_may_only: bool,
    #[serde(rename = "must_only")]
    pub is_must_only: bool,
    /// The variables that get other values, or all of an initial state.
    pub changed: Vec<(String, String)>,
}

#[derive(Serialize, Debug)]
pub struct WalkedFormula {
    pub formula: String,
    pub value: String,
    pub reason: Option<String>,
}
