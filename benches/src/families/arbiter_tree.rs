//! A binary tree of arbiters with users at its leaves, and the resource at its root. A node asks its
//! parent before it grants, to its sides in turns.

use super::moore::{self, Machine};
use super::text::Text;
use super::{Instance, Logic::*, Plan, Property, p};

pub const PLAN: Plan = Plan {
    about: "\
A binary tree of arbiters: users at the leaves ask for one resource at the root.

User 0 asks (`req0`), and once it is granted (`gnt0`) uses the resource for a while (`use0`), then
gives it back. A node passes on what one of its two sides asks, and grants that side what its parent
grants; when that is given back it is the other side's turn. The root grants (`gnt_root`) when it is
asked (`req_root`). No component can block another, and every user is served in the end.",
    fault: "\
The node above users 0 and 1 grants both of them whenever one asks, and does not ask its parent.",
    properties: &PROPERTIES,
    write,
};

const PROPERTIES: [Property; 19] = [
    p("local: nothing is used without asking", Ctl, "AG (use0 -> req0)", true),
    p(
        "local: a request stands until it is granted",
        Ctl,
        "AG (req0 & !gnt0 & !use0 -> AX req0)",
        true,
    ),
    p("local: use ends", Ctl, "AG (use0 -> AF !use0)", true),
    p("local: user 0 can ask", Ctl, "EF req0", true),
    p("local: user 0 need never ask", Ctl, "EG !req0", true),
    p("local: user 0 asks again and again", Ctl, "AG AF req0", false),
    p("local: user 0 starts without a grant", Ctl, "EF (!gnt0 & !use0 & EX use0)", false),
    p("two-party: siblings never use it together", Ctl, "AG !(use0 & use1)", true).sees_the_fault(),
    p("two-party: siblings are never granted together", Ctl, "AG !(gnt0 & gnt1)", true)
        .sees_the_fault(),
    p("two-party: siblings can ask together", Ctl, "EF (req0 & req1)", true),
    p("two-party: who asks is granted at once", Ctl, "AG (req0 & req1 -> AX (gnt0 | gnt1))", false)
        .sees_the_fault(),
    p("two-party: siblings are granted together", Ctl, "EF (gnt0 & gnt1)", false).sees_the_fault(),
    p("global: first and last never use it together", Ctl, "AG !(use0 & use$)", true)
        .sees_the_fault(),
    p("global: who asks is served in the end", Ctl, "AG (req0 -> AF use0)", true),
    p("global: siblings take turns", Ctl, "AG (use0 & req1 -> AF use1)", true),
    p("global: who uses it has it from the root", Ctl, "AG (use0 -> gnt_root)", true)
        .sees_the_fault(),
    p(
        "global: first and last can take turns forever",
        Mu,
        "nu X. mu Y. <> (use0 & (mu Z. <> (use$ & X | Z)) | Y)",
        true,
    ),
    p("global: use without the resource", Ctl, "EF (use0 & !gnt_root)", false).sees_the_fault(),
    p("global: the resource is used again and again", Ctl, "AG AF gnt_root", false),
];

#[derive(Clone, Copy, PartialEq)]
enum User {
    Idle,
    Ask,
    /// Uses the resource, for so many steps now.
    Use(u32),
    /// Has given it back and waits until the grant is withdrawn.
    Back,
}

struct Leaf {
    number: u32,
    work: u32,
}

impl Machine<1> for Leaf {
    type Core = User;

    fn reads(&self) -> [String; 1] {
        [format!("gnt{}", self.number)]
    }

    fn shows(&self) -> Vec<String> {
        ["req", "use"].map(|wire| format!("{wire}{}", self.number)).into()
    }

    fn start(&self) -> User {
        User::Idle
    }

    fn name(&self, core: User) -> String {
        match core {
            User::Idle => "idle".to_owned(),
            User::Ask => "ask".to_owned(),
            User::Use(step) => format!("use{step}"),
            User::Back => "back".to_owned(),
        }
    }

    fn on(&self, core: User, _: [bool; 1]) -> Option<Vec<String>> {
        Some(match core {
            User::Idle | User::Back => Vec::new(),
            User::Ask => vec![format!("req{}", self.number)],
            User::Use(_) => self.shows(),
        })
    }

    fn step(&self, core: User, [granted]: [bool; 1]) -> Vec<User> {
        match core {
            User::Idle => vec![User::Idle, User::Ask],
            User::Ask if granted => vec![User::Use(1)],
            User::Use(step) if step < self.work => vec![User::Use(step + 1)],
            User::Use(_) => vec![User::Back],
            User::Back if !granted => vec![User::Idle],
            User::Ask | User::Back => vec![core],
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Left,
    Right,
}

#[derive(Clone, Copy, PartialEq)]
enum Arbiter {
    /// Nobody asked; whose turn it is.
    Free(Side),
    /// Asks its parent on behalf of a side.
    Ask(Side),
    Grant(Side),
    /// Has given the grant back and waits until it is withdrawn.
    Back(Side),
    /// The fault.
    GrantBoth,
}

/// A node of the tree. Its wires end in the numbers of the leaves below it.
struct Node {
    up: String,
    left: String,
    right: String,
    is_broken: bool,
}

impl Side {
    fn other(self) -> Self {
        if self == Side::Left { Side::Right } else { Side::Left }
    }

    fn of<T>(self, left: T, right: T) -> T {
        if self == Side::Left { left } else { right }
    }
}

impl Machine<3> for Node {
    type Core = Arbiter;

    fn reads(&self) -> [String; 3] {
        [format!("req{}", self.left), format!("req{}", self.right), format!("gnt{}", self.up)]
    }

    fn shows(&self) -> Vec<String> {
        vec![format!("req{}", self.up), format!("gnt{}", self.left), format!("gnt{}", self.right)]
    }

    fn start(&self) -> Arbiter {
        Arbiter::Free(Side::Left)
    }

    fn name(&self, core: Arbiter) -> String {
        match core {
            Arbiter::Free(side) => format!("free_{}", side.of("l", "r")),
            Arbiter::Ask(side) => format!("ask_{}", side.of("l", "r")),
            Arbiter::Grant(side) => format!("grant_{}", side.of("l", "r")),
            Arbiter::Back(side) => format!("back_{}", side.of("l", "r")),
            Arbiter::GrantBoth => "both".to_owned(),
        }
    }

    fn on(&self, core: Arbiter, _: [bool; 3]) -> Option<Vec<String>> {
        let asks = format!("req{}", self.up);
        Some(match core {
            Arbiter::Free(_) | Arbiter::Back(_) => Vec::new(),
            Arbiter::Ask(_) => vec![asks],
            Arbiter::Grant(side) => vec![asks, format!("gnt{}", side.of(&self.left, &self.right))],
            Arbiter::GrantBoth => [&self.left, &self.right].map(|side| format!("gnt{side}")).into(),
        })
    }

    fn step(&self, core: Arbiter, [left, right, granted]: [bool; 3]) -> Vec<Arbiter> {
        let next = match core {
            Arbiter::Free(_) if self.is_broken && (left || right) => Arbiter::GrantBoth,
            Arbiter::Free(turn) if turn.of(left, right) => Arbiter::Ask(turn),
            Arbiter::Free(turn) if left || right => Arbiter::Ask(turn.other()),
            Arbiter::Ask(side) if granted => Arbiter::Grant(side),
            Arbiter::Grant(side) if !side.of(left, right) => Arbiter::Back(side.other()),
            Arbiter::GrantBoth if !left && !right => Arbiter::Back(Side::Left),
            Arbiter::Back(turn) if !granted => Arbiter::Free(turn),
            _ => core,
        };
        vec![next]
    }
}

/// Grants as long as it is asked.
struct Root;

impl Machine<1> for Root {
    type Core = bool;

    fn reads(&self) -> [String; 1] {
        ["req_root".to_owned()]
    }

    fn shows(&self) -> Vec<String> {
        vec!["gnt_root".to_owned()]
    }

    fn start(&self) -> bool {
        false
    }

    fn name(&self, core: bool) -> String {
        if core { "on" } else { "off" }.to_owned()
    }

    fn on(&self, core: bool, _: [bool; 1]) -> Option<Vec<String>> {
        Some(if core { self.shows() } else { Vec::new() })
    }

    fn step(&self, _: bool, [asked]: [bool; 1]) -> Vec<bool> {
        vec![asked]
    }
}

fn write(instance: &mut Instance, text: &mut Text) {
    moore::write(&Root, "Root", text);
    write_tree(instance, 0, instance.size, "_root", text);
}

/// The part of the tree over some leaves, in halves; the first two leaves are siblings always.
fn write_tree(instance: &mut Instance, first: u32, count: u32, up: &str, text: &mut Text) {
    if count == 1 {
        let leaf = Leaf { number: first, work: instance.work() };
        return moore::write(&leaf, &format!("User{first}"), text);
    }
    let in_left = count.div_ceil(2);
    let halves = [(first, in_left), (first + in_left, count - in_left)];
    let [left, right] = halves.map(|(first, count)| range(first, count));
    let is_broken = instance.broken && (first, count) == (0, 2);
    let name = format!("Node{}", range(first, count));
    let node = Node { up: up.to_owned(), left: left.clone(), right: right.clone(), is_broken };
    moore::write(&node, &name, text);
    for ((first, count), wire) in halves.into_iter().zip([left, right]) {
        write_tree(instance, first, count, &wire, text);
    }
}

/// The leaves below a node, as they stand in names.
pub fn range(first: u32, count: u32) -> String {
    if count == 1 { first.to_string() } else { format!("{first}_{}", first + count - 1) }
}
