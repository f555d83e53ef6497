//! The sliding window protocol of A §7, in two readings: the paper's states are 192 a process with three kinds of
//! messages, which is 4 numbers in 3 phases or 6 numbers in 2.

use super::protocols::Safety;
use super::system::{Step, System, step};

/// How a protocol counts, and which phases its processes go through.
#[derive(Debug)]
pub struct Window {
    numbers: u32,
    /// It may take a message (i), transmit any that it has (t), or be told an acknowledgement (a). Without i it takes
    /// messages in t.
    sender: &'static [char],
    /// It listens (l), has heard something new (n) or something old (o). Without o that is n, too.
    receiver: &'static [char],
}

/// As few numbers as selective repeat needs.
pub const FOUR: Window =
    Window { numbers: 4, sender: &['i', 't', 'a'], receiver: &['l', 'n', 'o'] };

/// As few phases as there can be.
pub const SIX: Window = Window { numbers: 6, sender: &['t', 'a'], receiver: &['l', 'n'] };

const KINDS: [&str; 3] = ["red", "white", "blue"];

/// Nothing, or a message of a kind.
type Place = Option<u32>;

fn kind(number: u32) -> String {
    KINDS.get(number as usize).map_or_else(|| format!("kind{number}"), |&kind| kind.to_owned())
}

fn letter(place: Place) -> String {
    match place {
        None => "_".to_owned(),
        Some(kind) if kind < 3 => KINDS[kind as usize][..1].to_owned(),
        Some(kind) => format!("k{kind}"),
    }
}

fn contents(kinds: u32) -> impl Iterator<Item = [Place; 2]> + Clone {
    let place = move || [None].into_iter().chain((0..kinds).map(Some));
    place().flat_map(move |low| place().map(move |high| [low, high]))
}

/// Every state of either process.
fn states(
    kinds: u32,
    numbers: u32,
    phases: &[char],
) -> impl Iterator<Item = (u32, [Place; 2], char)> {
    (0..numbers).flat_map(move |number| {
        let all = contents(kinds);
        all.flat_map(move |places| phases.iter().map(move |&phase| (number, places, phase)))
    })
}

pub fn system(window: &'static Window, kinds: u32) -> System {
    let mut system = System::default();
    let mut steps = Vec::new();
    for (number, places, phase) in states(kinds, window.numbers, window.sender) {
        Sender { window, number, places, phase }.steps(kinds, &mut steps);
    }
    system.lts("Sender", std::mem::take(&mut steps));
    for (number, places, phase) in states(kinds, window.numbers, window.receiver) {
        Receiver { window, number, places, phase }.steps(kinds, &mut steps);
    }
    system.lts("Receiver", steps);
    system
}

#[derive(Clone, Copy)]
struct Sender {
    window: &'static Window,
    number: u32,
    /// The lower one and the upper one.
    places: [Place; 2],
    phase: char,
}

impl Sender {
    fn name(self) -> String {
        let [low, high] = self.places.map(letter);
        format!("s{}{low}{high}{}", self.number, self.phase)
    }

    /// The messages that are taken and not acknowledged, oldest first.
    fn messages(self) -> impl Iterator<Item = u32> {
        self.places.into_iter().flatten()
    }

    fn steps(self, kinds: u32, steps: &mut Vec<Step>) {
        let mut add =
            |action: String, next: Sender| steps.push(step(self.name(), action, next.name()));
        if let [None, Some(message)] = self.places {
            add("tau".to_owned(), Sender { places: [Some(message), None], ..self });
        }
        let phases = self.window.sender;
        let after = phases.iter().position(|&phase| phase == self.phase).map_or(0, |at| at + 1);
        let next = Sender { phase: phases[after % phases.len()], ..self };
        add("tau".to_owned(), next);
        // The first phase is the one for messages.
        if let (1, [low, None]) = (after, self.places) {
            for message in 0..kinds {
                let places = [low, Some(message)];
                add(format!("in_{}", kind(message)), Sender { places, ..next });
            }
        }
        let numbers = self.window.numbers;
        match self.phase {
            't' => {
                for (number, message) in (self.number..).zip(self.messages()) {
                    let frame = format!("{}_{}", number % numbers, kind(message));
                    add(format!("data{frame}"), next);
                    add(format!("lost{frame}"), next);
                }
            }
            'a' => {
                (0..numbers).for_each(|number| add(format!("ack{number}"), next.reported(number)))
            }
            _ => {}
        }
    }

    /// The receiver waits for this number.
    fn reported(self, number: u32) -> Sender {
        let numbers = self.window.numbers;
        let come = ((number + numbers - self.number) % numbers) as usize;
        let open = self.messages().count();
        if come == 0 || come > open {
            return self;
        }
        // The upper one, if any is left, still has to move down.
        let places = [None, self.places[1].filter(|_| come < open)];
        Sender { number, places, ..self }
    }
}

#[derive(Clone, Copy)]
struct Receiver {
    window: &'static Window,
    number: u32,
    /// For this number and for the next.
    places: [Place; 2],
    phase: char,
}

impl Receiver {
    fn name(self) -> String {
        let [low, high] = self.places.map(letter);
        format!("r{}{low}{high}{}", self.number, self.phase)
    }

    fn steps(self, kinds: u32, steps: &mut Vec<Step>) {
        let mut add =
            |action: String, next: Receiver| steps.push(step(self.name(), action, next.name()));
        if let [Some(message), next] = self.places {
            let number = (self.number + 1) % self.window.numbers;
            let slid = Receiver { number, places: [next, None], ..self };
            add(format!("out_{}", kind(message)), slid);
        }
        match self.phase {
            'l' => {
                for (number, message) in (0..self.window.numbers)
                    .flat_map(|number| (0..kinds).map(move |message| (number, message)))
                {
                    let frame = format!("data{number}_{}", kind(message));
                    add(frame, self.hears(number, message));
                }
            }
            _ => {
                let next = Receiver { phase: 'l', ..self };
                add(format!("ack{}", self.number), next);
                add(format!("lostack{}", self.number), next);
            }
        }
    }

    fn hears(self, number: u32, message: u32) -> Receiver {
        let numbers = self.window.numbers;
        let place = ((number + numbers - self.number) % numbers) as usize;
        let mut places = self.places;
        match places.get_mut(place) {
            Some(place) => {
                place.get_or_insert(message);
                Receiver { places, phase: 'n', ..self }
            }
            None => {
                // The last phase is the one after something old.
                let phase = self.window.receiver.last().copied().unwrap_or(self.phase);
                Receiver { phase, ..self }
            }
        }
    }
}

pub fn safeties(window: &Window, kinds: u32) -> Vec<Safety> {
    let input = vec!["in_white".to_owned()];
    let output = vec!["out_white".to_owned()];
    let network: Vec<String> = (0..window.numbers)
        .flat_map(|number| ["data", "lost"].map(|frame| format!("{frame}{number}_white")))
        .collect();
    let outputs: Vec<String> = (0..kinds).map(|message| format!("out_{}", kind(message))).collect();
    vec![
        Safety::first("A", true, &input, &output),
        Safety::first("B", true, &input, &network),
        Safety::first("C", true, &network, &output),
        Safety::never("D", outputs),
    ]
}
