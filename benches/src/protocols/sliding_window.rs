//! The sliding window protocol of A §7.

use super::Plan;
use super::safety::Safety;
use crate::families::{Step, Text, step};

pub const PLAN: Plan = Plan {
    about: "\
The sliding window protocol of paper A, section 7, whose model is not printed there: this one is ours.

A sender and a receiver with two places each, which hold messages of several kinds, over a channel that
loses what it likes: `data` reaches the receiver and `lost` does not, `ack` reaches the sender and
`lostack` does not. Selective repeat: the receiver keeps what comes out of order, so numbers run to twice
the places, 0 to 3, and `ack2` says that all before number 2 has come.

The sender (s, number of its oldest message, lower place, upper place, phase) fills the upper place
(`in_red`); what stands there moves down as soon as there is room. It goes round in phases: i, it may
take a message; t, it may transmit any that it has; a, it may be told an acknowledgement.

The receiver (r, number that it waits for, place for it, place for the next, phase) listens (l). If a
frame of its window comes it keeps it (n, for new), if another comes its acknowledgement was lost (o, for
old); in both cases it acknowledges. The user takes what is in order at any time (`out_red`).

Each has 4 numbers, 3 phases and in each of the two places nothing or a message of one of the kinds: with
three kinds 4 * 3 * 4 * 4 = 192 states, all of which it can reach by itself.

A: the protocol invents no white messages. B: the sender does not. C: the receiver does not. D: nothing
is ever delivered, which is wrong.",
    process: "Receiver",
    write,
    safeties,
};

const NUMBERS: u32 = 4;
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
fn states<P: Copy>(kinds: u32, phases: [P; 3]) -> impl Iterator<Item = (u32, [Place; 2], P)> {
    (0..NUMBERS).flat_map(move |number| {
        let all = contents(kinds);
        all.flat_map(move |places| phases.map(|phase| (number, places, phase)))
    })
}

fn write(kinds: u32, text: &mut Text) {
    let mut steps = Vec::new();
    for (number, places, phase) in states(kinds, [Turn::Input, Turn::Transmit, Turn::Acknowledged])
    {
        Sender { number, places, phase }.steps(kinds, &mut steps);
    }
    text.lts("Sender", &steps);
    let mut steps = Vec::new();
    for (number, places, phase) in states(kinds, [Ear::Listens, Ear::New, Ear::Old]) {
        Receiver { number, places, phase }.steps(kinds, &mut steps);
    }
    text.lts("Receiver", &steps);
}

#[derive(Clone, Copy)]
enum Turn {
    Input,
    Transmit,
    Acknowledged,
}

#[derive(Clone, Copy)]
struct Sender {
    number: u32,
    /// The lower one and the upper one.
    places: [Place; 2],
    phase: Turn,
}

impl Sender {
    fn name(self) -> String {
        let phase = match self.phase {
            Turn::Input => 'i',
            Turn::Transmit => 't',
            Turn::Acknowledged => 'a',
        };
        let [low, high] = self.places.map(letter);
        format!("s{}{low}{high}{phase}", self.number)
    }

    /// What has been taken and not been acknowledged, oldest first.
    fn messages(self) -> impl Iterator<Item = u32> {
        self.places.into_iter().flatten()
    }

    fn steps(self, kinds: u32, steps: &mut Vec<Step>) {
        let mut add =
            |action: String, next: Sender| steps.push(step(self.name(), action, next.name()));
        if let [None, Some(message)] = self.places {
            add("tau".to_owned(), Sender { places: [Some(message), None], ..self });
        }
        match self.phase {
            Turn::Input => {
                let next = Sender { phase: Turn::Transmit, ..self };
                add("tau".to_owned(), next);
                if let [low, None] = self.places {
                    for message in 0..kinds {
                        let places = [low, Some(message)];
                        add(format!("in_{}", kind(message)), Sender { places, ..next });
                    }
                }
            }
            Turn::Transmit => {
                let next = Sender { phase: Turn::Acknowledged, ..self };
                add("tau".to_owned(), next);
                for (number, message) in (self.number..).zip(self.messages()) {
                    let frame = format!("{}_{}", number % NUMBERS, kind(message));
                    add(format!("data{frame}"), next);
                    add(format!("lost{frame}"), next);
                }
            }
            Turn::Acknowledged => {
                let next = Sender { phase: Turn::Input, ..self };
                add("tau".to_owned(), next);
                (0..NUMBERS).for_each(|number| add(format!("ack{number}"), next.told(number)));
            }
        }
    }

    /// The receiver waits for this number.
    fn told(self, number: u32) -> Sender {
        let come = ((number + NUMBERS - self.number) % NUMBERS) as usize;
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
enum Ear {
    Listens,
    New,
    Old,
}

#[derive(Clone, Copy)]
struct Receiver {
    number: u32,
    /// For this number and for the next.
    places: [Place; 2],
    phase: Ear,
}

impl Receiver {
    fn name(self) -> String {
        let phase = match self.phase {
            Ear::Listens => 'l',
            Ear::New => 'n',
            Ear::Old => 'o',
        };
        let [low, high] = self.places.map(letter);
        format!("r{}{low}{high}{phase}", self.number)
    }

    fn steps(self, kinds: u32, steps: &mut Vec<Step>) {
        let mut add =
            |action: String, next: Receiver| steps.push(step(self.name(), action, next.name()));
        if let [Some(message), next] = self.places {
            let number = (self.number + 1) % NUMBERS;
            let slid = Receiver { number, places: [next, None], ..self };
            add(format!("out_{}", kind(message)), slid);
        }
        match self.phase {
            Ear::Listens => {
                for (number, message) in
                    (0..NUMBERS).flat_map(|number| (0..kinds).map(move |message| (number, message)))
                {
                    let frame = format!("data{number}_{}", kind(message));
                    add(frame, self.hears(number, message));
                }
            }
            Ear::New | Ear::Old => {
                let next = Receiver { phase: Ear::Listens, ..self };
                add(format!("ack{}", self.number), next);
                add(format!("lostack{}", self.number), next);
            }
        }
    }

    fn hears(self, number: u32, message: u32) -> Receiver {
        let place = ((number + NUMBERS - self.number) % NUMBERS) as usize;
        let mut places = self.places;
        match places.get_mut(place) {
            Some(place) => {
                place.get_or_insert(message);
                Receiver { places, phase: Ear::New, ..self }
            }
            None => Receiver { phase: Ear::Old, ..self },
        }
    }
}

fn safeties(kinds: u32) -> Vec<Safety> {
    let input = vec!["in_white".to_owned()];
    let output = vec!["out_white".to_owned()];
    let network: Vec<String> = (0..NUMBERS)
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
