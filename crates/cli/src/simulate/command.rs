//! The commands of a simulation.

use super::text;
use tertium::{Arrival, Error, Simulator, TraceValue};

pub const HELP: &str = "\
NUMBER [INPUT=VALUE …]  take the step of this number, with other inputs where they are sampled
undo [N]                take back the last steps
random [N]              take random steps
goto NAME=VALUE …       go to the nearest state with these values
watch FORMULA           show the value of a formula or property in every state
state                   the current state and the steps from it
trace                   the walk so far
help                    this text
quit                    end
The first letter of a command will do.
";

/// More steps are not taken by one command.
const MOST_STEPS: usize = 1_000_000;

pub enum Command {
    Take(usize, Vec<(String, TraceValue)>),
    Undo(usize),
    Random(usize),
    GoTo(Vec<(String, TraceValue)>),
    Watch(String),
    State,
    Trace,
    Help,
    Quit,
    /// An empty line, or a comment of a script.
    Nothing,
}

/// The effect of a command.
pub enum CommandEffect {
    Say(String),
    Quit,
}

impl Command {
    pub fn parse(line: &str) -> Result<Self, Error> {
        let line = line.trim();
        let (word, rest) = match line.split_once(char::is_whitespace) {
            Some((word, rest)) => (word, rest.trim()),
            None => (line, ""),
        };
        if let Ok(number) = word.parse() {
            return Ok(Command::Take(number, values(rest)?));
        }
        let count = || match rest {
            "" => Ok(1),
            _ => match rest.parse() {
                Ok(count) if count <= MOST_STEPS => Ok(count),
                _ => Err(Error::wrong(format!("`{word}` takes a number, not `{rest}`"), "")),
            },
        };
        let needed = |what: &str| match rest {
            "" => Err(Error::wrong(format!("`{word}` needs {what}"), "")),
            rest => Ok(rest),
        };
        match word {
            "undo" | "u" => count().map(Command::Undo),
            "random" | "r" => count().map(Command::Random),
            "goto" | "g" => Ok(Command::GoTo(values(needed("values: `goto x=1 y=2`")?)?)),
            "watch" | "w" => Ok(Command::Watch(needed("a formula")?.to_owned())),
            "state" | "s" => Ok(Command::State),
            "trace" | "t" => Ok(Command::Trace),
            "help" | "h" | "?" => Ok(Command::Help),
            "quit" | "q" | "exit" => Ok(Command::Quit),
            _ if line.is_empty() || line.starts_with('#') => Ok(Command::Nothing),
            _ => {
                let names = ["undo", "random", "goto", "watch", "state", "trace", "help", "quit"];
                let help = tertium::did_you_mean(word, "the commands are", names.into_iter());
                Err(Error::wrong(format!("there is no command `{word}`"), &help))
            }
        }
    }

    pub fn run(self, simulator: &mut Simulator) -> Result<CommandEffect, Error> {
        let mut note = String::new();
        match self {
            Command::Take(number, inputs) => {
                let Some(choice) = number.checked_sub(1) else {
                    return Err(Error::wrong("steps are numbered from 1", ""));
                };
                simulator.take(choice, &inputs)?;
                note = text::taken(simulator);
            }
            Command::Undo(count) => {
                for _ in 0..count {
                    simulator.undo()?;
                }
            }
            Command::Random(count) => {
                for _ in 0..count {
                    if !simulator.take_random()? {
                        note.push_str("no further step can be taken\n");
                        break;
                    }
                    note.push_str(&text::taken(simulator));
                }
            }
            Command::GoTo(wanted) => match simulator.go_to(&wanted)? {
                Arrival::Walked(steps) => {
                    note = format!("{} taken\n", text::counted(steps, "step"))
                }
                Arrival::Jumped => {
                    note = "a new walk begins here: the state may not be reachable\n".to_owned();
                }
            },
            Command::Watch(expression) => simulator.watch(&expression)?,
            Command::State => {}
            Command::Trace => return Ok(CommandEffect::Say(text::trace(simulator))),
            Command::Help => return Ok(CommandEffect::Say(HELP.to_owned())),
            Command::Nothing => return Ok(CommandEffect::Say(String::new())),
            Command::Quit => return Ok(CommandEffect::Quit),
        }
        Ok(CommandEffect::Say(note + &text::state(simulator)))
    }
}

/// `x=1 y = 2`, with or without commas.
fn values(text: &str) -> Result<Vec<(String, TraceValue)>, Error> {
    let mut words = Vec::new();
    for part in text.split([',', ' ', '\t']).filter(|part| !part.is_empty()) {
        let mut sides = part.split('=').peekable();
        while let Some(side) = sides.next() {
            if !side.is_empty() {
                words.push(side);
            }
            if sides.peek().is_some() {
                words.push("=");
            }
        }
    }
    let pair = |words: &[&str]| match words {
        [name, "=", value] if *name != "=" && *value != "=" => {
            Ok(((*name).to_owned(), TraceValue::from(*value)))
        }
        _ => Err(Error::wrong(format!("expected NAME=VALUE, found `{}`", words.join(" ")), "")),
    };
    words.chunks(3).map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_with_and_without_spaces() {
        let expected = vec![
            ("x".to_owned(), TraceValue::Int(1)),
            ("p.s".to_owned(), TraceValue::Symbol("idle".to_owned())),
            ("b".to_owned(), TraceValue::Bool(true)),
        ];
        for text in ["x=1 p.s=idle b=TRUE", "x = 1, p.s = idle, b = true", "x =1,p.s= idle,b=TRUE"]
        {
            assert_eq!(values(text).ok(), Some(expected.clone()), "{text}");
        }
        for text in ["x", "x=", "=1", "x 1", "x==1", "x=1 y"] {
            assert!(values(text).is_err(), "{text}");
        }
    }
}
