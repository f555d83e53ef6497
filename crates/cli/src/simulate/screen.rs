//! The full-screen view: the state, the steps from it, and the walk so far.

use super::command::{Command, CommandEffect, HELP};
use super::text;
use crate::Status;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, List, ListState, Paragraph, Wrap};
use ratatui::{DefaultTerminal, Frame};
use tertium::{Error, Simulator};

const KEYS: &str =
    " ↑ ↓ choose · Enter take · u undo · r random · t trace · : command · ? help · q quit ";

/// Shows the simulation until the user ends it. The terminal is as before afterwards, whatever happens.
pub fn run(simulator: &mut Simulator) -> Result<Status, Error> {
    let ended = ratatui::try_init().and_then(|mut terminal| {
        let ended = View::new(simulator).run(&mut terminal);
        ratatui::restore();
        ended
    });
    match ended {
        Ok(()) => Ok(Status::Good),
        Err(error) => Err(Error::wrong(format!("the terminal does not answer: {error}"), "")),
    }
}

struct View<'a> {
    simulator: &'a mut Simulator,
    facts: Vec<String>,
    choices: Vec<String>,
    trace: Vec<String>,
    selected: ListState,
    /// The command that is being typed.
    typed: Option<String>,
    message: String,
    /// A text in the place of the trace.
    page: Option<String>,
}

impl<'a> View<'a> {
    fn new(simulator: &'a mut Simulator) -> Self {
        let mut view = Self {
            simulator,
            facts: Vec::new(),
            choices: Vec::new(),
            trace: Vec::new(),
            selected: ListState::default(),
            typed: None,
            message: String::new(),
            page: None,
        };
        view.look();
        view
    }

    fn run(mut self, terminal: &mut DefaultTerminal) -> std::io::Result<()> {
        loop {
            terminal.draw(|frame| self.draw(frame))?;
            if let Event::Key(key) = event::read()?
                && key.kind != KeyEventKind::Release
                && self.press(key)
            {
                return Ok(());
            }
        }
    }

    /// Takes over what the simulator shows.
    fn look(&mut self) {
        self.facts = text::facts(self.simulator);
        self.choices = text::choices(self.simulator);
        self.trace = text::trace(self.simulator).lines().map(str::to_owned).collect();
        self.selected.select(Some(0));
    }

    /// Whether to end.
    fn press(&mut self, key: KeyEvent) -> bool {
        if key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c') {
            return true;
        }
        if self.typed.is_some() {
            return self.type_in(key.code);
        }
        self.message.clear();
        match key.code {
            KeyCode::Char('q') | KeyCode::Esc => return true,
            KeyCode::Down | KeyCode::Char('j') => self.selected.select_next(),
            KeyCode::Up | KeyCode::Char('k') => self.selected.select_previous(),
            KeyCode::PageDown => self.selected.scroll_down_by(10),
            KeyCode::PageUp => self.selected.scroll_up_by(10),
            KeyCode::Enter => {
                let number = self.selected.selected().unwrap_or_default();
                return self.execute(Ok(Command::Take(number + 1, Vec::new())));
            }
            KeyCode::Char('u') | KeyCode::Backspace => return self.execute(Ok(Command::Undo(1))),
            KeyCode::Char('r') => return self.execute(Ok(Command::Random(1))),
            KeyCode::Char('t') => self.page = None,
            KeyCode::Char('?') => self.page = Some(HELP.to_owned()),
            KeyCode::Char(':') => self.typed = Some(String::new()),
            KeyCode::Char(digit) if digit.is_ascii_digit() => self.typed = Some(digit.to_string()),
            _ => {}
        }
        false
    }

    fn type_in(&mut self, key: KeyCode) -> bool {
        let typed = self.typed.get_or_insert_default();
        match key {
            KeyCode::Esc => self.typed = None,
            KeyCode::Backspace if typed.is_empty() => self.typed = None,
            KeyCode::Backspace => drop(typed.pop()),
            KeyCode::Char(letter) => typed.push(letter),
            KeyCode::Enter => {
                let line = self.typed.take().unwrap_or_default();
                return self.execute(Command::parse(&line));
            }
            _ => {}
        }
        false
    }

    fn execute(&mut self, command: Result<Command, Error>) -> bool {
        let (shows_help, shows_trace) = match &command {
            Ok(Command::Help) => (true, false),
            Ok(Command::Trace) => (false, true),
            _ => (false, false),
        };
        match command.and_then(|command| command.run(self.simulator)) {
            Ok(CommandEffect::Quit) => return true,
            Ok(CommandEffect::Say(said)) => {
                let is_state =
                    |line: &&str| line.starts_with("state ") || line.starts_with("choose ");
                let note = said.lines().next().filter(|line| !is_state(line));
                let note = note.filter(|_| !shows_help && !shows_trace);
                self.message = note.unwrap_or_default().to_owned();
            }
            Err(error) => self.message = error.to_string(),
        }
        if shows_help {
            self.page = Some(HELP.to_owned());
        } else if shows_trace {
            self.page = None;
        }
        self.look();
        false
    }

    fn draw(&mut self, frame: &mut Frame) {
        let facts = (self.facts.len() as u16 + 2).min(frame.area().height / 3 + 1).max(3);
        let rows = [
            Constraint::Length(facts),
            Constraint::Min(3),
            Constraint::Length(1),
            Constraint::Length(1),
        ];
        let [top, middle, line, keys] = Layout::vertical(rows).areas(frame.area());
        let columns = [Constraint::Percentage(55), Constraint::Percentage(45)];
        let [left, right] = Layout::horizontal(columns).areas(middle);
        let facts: Vec<Line> = self.facts.iter().map(|fact| Line::raw(&**fact)).collect();
        let facts = Paragraph::new(facts).wrap(Wrap { trim: false });
        frame.render_widget(facts.block(Block::bordered().title(" state ")), top);
        let chosen = Style::new().add_modifier(Modifier::REVERSED);
        let choices = List::new(self.choices.iter().map(|choice| Line::raw(&**choice)));
        let choices = choices.block(Block::bordered().title(" steps ")).highlight_style(chosen);
        frame.render_stateful_widget(choices, left, &mut self.selected);
        self.draw_page(frame, right);
        match &self.typed {
            Some(typed) => {
                frame.render_widget(Paragraph::new(format!("> {typed}")), line);
                let column = line.x + 2 + typed.chars().count() as u16;
                frame.set_cursor_position(Position::new(column.min(line.right()), line.y));
            }
            None => frame.render_widget(Paragraph::new(&*self.message), line),
        }
        frame.render_widget(Paragraph::new(KEYS).style(chosen), keys);
    }

    /// The end of the trace, or a text.
    fn draw_page(&self, frame: &mut Frame, area: Rect) {
        let (title, lines): (&str, Vec<Line>) = match &self.page {
            Some(page) => (" help ", page.lines().map(Line::raw).collect()),
            None => {
                let room = usize::from(area.height.saturating_sub(2));
                let skipped = self.trace.len().saturating_sub(room);
                (" trace ", self.trace[skipped..].iter().map(|line| Line::raw(&**line)).collect())
            }
        };
        frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(title)), area);
    }
}
