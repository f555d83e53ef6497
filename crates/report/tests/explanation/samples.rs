//! Explanations made by hand, as the engine would make them.

use explicit::{Cause, Diagnosis, Reason, UncertainStep};
use logic::evidence::{
    Justification, ShownMember, ShownNode, ShownState, ShownStep, ShownSuccessor, UnfoldedEvidence,
};
use logic::{ActionSet, Truth};
use std::sync::LazyLock;

/// Puts an explanation together; all nodes have the verdict's value.
pub struct Maker(pub UnfoldedEvidence);

impl Maker {
    pub fn new(verdict: Truth, components: &[&str]) -> Self {
        Self(UnfoldedEvidence::bare(
            verdict,
            components.iter().map(|&name| name.to_owned()).collect(),
        ))
    }

    /// Members are written `s0 p q?`; a lone `_` does not matter.
    pub fn state(&mut self, members: &[&str]) -> u32 {
        let members = members.iter().map(|text| member(text)).collect();
        self.0.states.push(ShownState { members, next: None });
        self.0.states.len() as u32 - 1
    }

    pub fn node(&mut self, state: u32, subformula: &str, why: Justification) -> u32 {
        let node = ShownNode::new(state, subformula.to_owned(), None, self.0.verdict);
        self.0.nodes.push(ShownNode { why, ..node });
        self.0.nodes.len() as u32 - 1
    }

    /// A new node below another one, in the same state.
    pub fn below(&mut self, node: u32, subformula: &str, why: Justification) -> u32 {
        let below = self.node(self.0.nodes[node as usize].state, subformula, why);
        self.link(node, below);
        below
    }

    pub fn link(&mut self, from: u32, to: u32) {
        self.0.nodes[from as usize].successors.push(ShownSuccessor { node: to, step: None });
    }

    /// `go` must, `go?` may; without an action it is empty or `?`.
    pub fn step(&mut self, from: u32, action: &str, to: u32) {
        let name = action.trim_end_matches('?');
        let step = ShownStep {
            action: (!name.is_empty()).then(|| name.to_owned()),
            is_must: name == action,
            ..ShownStep::default()
        };
        let from = &mut self.0.nodes[from as usize];
        if from.why == Justification::All {
            from.asked.get_or_insert(ActionSet::any());
        }
        from.successors.push(ShownSuccessor { node: to, step: Some(step) });
    }

    /// A must hyper-transition.
    pub fn hyper(&mut self, from: u32, targets: &[u32]) {
        let step = ShownStep { is_must: true, is_hyper: true, ..ShownStep::default() };
        let successors =
            targets.iter().map(|&node| ShownSuccessor { node, step: Some(step.clone()) });
        self.0.nodes[from as usize].successors.extend(successors);
    }

    /// The modality is about these, and all such steps are shown.
    pub fn asks(&mut self, node: u32, actions: ActionSet) {
        self.0.nodes[node as usize].asked = Some(actions);
    }

    pub fn root(mut self, node: u32) -> UnfoldedEvidence {
        self.0.roots.push(node);
        self.0
    }
}

fn member(text: &str) -> Option<ShownMember> {
    let mut words = text.split(' ');
    let name = words.next().filter(|name| *name != "_")?.to_owned();
    let (unknown, sure): (Vec<&str>, Vec<&str>) = words.partition(|word| word.ends_with('?'));
    let unknown_props = unknown.iter().map(|word| word.trim_end_matches('?').to_owned()).collect();
    Some(ShownMember {
        name,
        true_props: sure.into_iter().map(str::to_owned).collect(),
        unknown_props,
        values: Vec::new(),
    })
}

/// `AG !(i & o)` fails at the end of a path of two components.
pub fn path() -> UnfoldedEvidence {
    let mut maker = Maker::new(Truth::False, &["M1", "M2"]);
    let states = [["s0", "t0"], ["s1 r", "t1 r i"], ["s2 r o", "t1 r i"]];
    let states: Vec<u32> = states.iter().map(|members| maker.state(members)).collect();
    let mut last = None;
    for &state in &states {
        let always = maker.node(state, "AG !(i & o)", Justification::Unfolding);
        if let Some(next) = last {
            maker.step(next, "", always);
        }
        let both = maker.below(always, "!(i & o) & AX (AG !(i & o))", Justification::One);
        if state == states[2] {
            let not = maker.below(both, "!(i & o)", Justification::All);
            maker.below(not, "!i", Justification::Itself);
            maker.below(not, "!o", Justification::Itself);
        } else {
            last = Some(maker.below(both, "AX (AG !(i & o))", Justification::One));
        }
    }
    maker.root(0)
}

/// `EG p` holds, on a path into a loop; the loop is entered in step `back`.
pub fn lasso(states: usize, back: usize) -> UnfoldedEvidence {
    let mut maker = Maker::new(Truth::True, &["M"]);
    let mut heads = Vec::new();
    let mut last = None;
    for number in 0..states {
        let state = maker.state(&[&format!("s{number} p")]);
        let globally = maker.node(state, "EG p", Justification::Unfolding);
        if let Some(next) = last {
            maker.step(next, "", globally);
        }
        let both = maker.below(globally, "p & EX (EG p)", Justification::All);
        maker.below(both, "p", Justification::Itself);
        last = Some(maker.below(both, "EX (EG p)", Justification::One));
        heads.push(globally);
    }
    maker.step(last.expect("a state"), "", heads[back]);
    maker.root(heads[0])
}

/// `AG EF p` fails: after two steps `p` is unreachable.
pub fn branching() -> UnfoldedEvidence {
    let mut maker = Maker::new(Truth::False, &["M"]);
    let names = ["s0 p", "s1 p", "s2", "s3 q", "s4"];
    let states: Vec<u32> = names.iter().map(|name| maker.state(&[name])).collect();
    let always: Vec<u32> = states[..3]
        .iter()
        .map(|&state| maker.node(state, "AG EF p", Justification::Unfolding))
        .collect();
    for number in 0..2 {
        let both = maker.below(always[number], "(EF p) & AX (AG EF p)", Justification::One);
        let next = maker.below(both, "AX (AG EF p)", Justification::One);
        maker.step(next, "", always[number + 1]);
    }
    let both = maker.below(always[2], "(EF p) & AX (AG EF p)", Justification::One);
    let mut finally = vec![maker.below(both, "EF p", Justification::Unfolding)];
    finally.extend(
        states[3..].iter().map(|&state| maker.node(state, "EF p", Justification::Unfolding)),
    );
    for (number, successors) in [(0, vec![1, 2]), (1, vec![0, 2]), (2, vec![2])] {
        let either = maker.below(finally[number], "p | EX (EF p)", Justification::All);
        maker.below(either, "p", Justification::Itself);
        let next = maker.below(either, "EX (EF p)", Justification::All);
        for successor in successors {
            maker.step(next, "", finally[successor]);
        }
    }
    maker.root(always[0])
}

/// A path of actions through three components, one of which never matters and one never moves.
pub fn actions() -> UnfoldedEvidence {
    let mut maker = Maker::new(Truth::False, &["Sender", "Line", "Receiver", "Clock"]);
    let rows = [
        ["idle", "empty", "wait", "_"],
        ["sent", "full", "wait", "_"],
        ["sent", "lost", "wait", "_"],
        ["sent", "lost", "_", "_"],
    ];
    let formula = "[true*] <receive> true";
    let steps = ["send", "drop", "tau"];
    let mut last = None;
    for (row, members) in rows.iter().enumerate() {
        let state = maker.state(members);
        let head = maker.node(state, formula, Justification::Unfolding);
        if let Some(next) = last {
            maker.step(next, steps[row - 1], head);
        }
        let both =
            maker.below(head, "(<receive> true) & [] ([true*] <receive> true)", Justification::One);
        if row == 3 {
            let none = maker.below(both, "<receive> true", Justification::Itself);
            maker.asks(none, ActionSet::one("receive"));
        }
        last =
            (row < 3).then(|| maker.below(both, "[] ([true*] <receive> true)", Justification::One));
        if last.is_none() {
            break;
        }
    }
    maker.root(0)
}

/// `AG (q | ack)` is unknown: the missing part may or may not acknowledge.
pub fn unknown() -> UnfoldedEvidence {
    let mut maker = Maker::new(Truth::Unknown, &["A", "Net"]);
    let (start, end) = (maker.state(&["s0 q", "{!ack}"]), maker.state(&["s1", "{ack} ack?"]));
    let first = maker.node(start, "AG (q | ack)", Justification::Unfolding);
    let both = maker.below(first, "(q | ack) & AX (AG (q | ack))", Justification::One);
    let next = maker.below(both, "AX (AG (q | ack))", Justification::One);
    let second = maker.node(end, "AG (q | ack)", Justification::Unfolding);
    maker.step(next, "?", second);
    let both = maker.below(second, "(q | ack) & AX (AG (q | ack))", Justification::One);
    let either = maker.below(both, "q | ack", Justification::One);
    maker.below(either, "ack", Justification::Missing);
    maker.root(first)
}

/// Why it is.
pub static CAUSE: LazyLock<Reason> = LazyLock::new(|| {
    Reason::Undetermined(Diagnosis {
        from: "s0,{!ack}".into(),
        path: Vec::new(),
        state: "s1,{ack}".into(),
        subformula: "ack".into(),
        is_exact: false,
        cause: Cause::Transition {
            steps: vec![UncertainStep {
                component: "Net".into(),
                from: "{!ack}".into(),
                to: "{ack}".into(),
                action: None,
                is_missing: true,
            }],
            action: None,
            target: vec!["s1".into(), "{ack}".into()],
        },
    })
});

/// `AG p` holds in a grid of so many states: everything that can be reached is there.
pub fn grid(side: usize) -> UnfoldedEvidence {
    let mut maker = Maker::new(Truth::True, &["Row", "Column"]);
    let mut heads = Vec::new();
    for row in 0..side {
        for column in 0..side {
            let state = maker.state(&[&format!("r{row} p"), &format!("c{column}")]);
            heads.push(maker.node(state, "AG p", Justification::Unfolding));
        }
    }
    for (place, &head) in heads.iter().enumerate() {
        let both = maker.below(head, "p & AX (AG p)", Justification::All);
        maker.below(both, "p", Justification::Itself);
        let next = maker.below(both, "AX (AG p)", Justification::All);
        let (row, column) = (place / side, place % side);
        maker.step(next, "", heads[(row + 1) % side * side + column]);
        maker.step(next, "", heads[row * side + (column + 1) % side]);
    }
    maker.root(heads[0])
}

/// Two positions that were not expanded.
pub fn cut() -> UnfoldedEvidence {
    let mut maker = Maker::new(Truth::True, &["M"]);
    let states: Vec<u32> = ["s0 p", "s1 p", "s2 p"].iter().map(|s| maker.state(&[s])).collect();
    let head = maker.node(states[0], "AG p", Justification::Unfolding);
    let both = maker.below(head, "p & AX (AG p)", Justification::All);
    maker.below(both, "p", Justification::Itself);
    let next = maker.below(both, "AX (AG p)", Justification::All);
    for &state in &states[1..] {
        let cut = maker.node(state, "AG p", Justification::Cut);
        maker.step(next, "", cut);
    }
    let mut explanation = maker.root(head);
    explanation.cut = 2;
    explanation
}

/// Names that would be markup, quotes, control characters, or very long.
pub fn weird() -> UnfoldedEvidence {
    let long = "x".repeat(300);
    let names = [
        "</script><b>&amp;\"'",
        "日本語→\u{1b}[31m\u{202e}",
        long.as_str(),
        "two\nlines\ttab\u{ffff}",
    ];
    let mut maker = Maker::new(Truth::False, &["</svg>]]>\"", "<!--é"]);
    let formula = format!("[\"</script>\\n\"] ({} & <> false)", "p | ".repeat(80) + "q");
    let mut last = None;
    for name in names {
        let member = |name: &str| ShownMember {
            name: name.to_owned(),
            true_props: vec!["<p>".to_owned(), "`\"".to_owned()],
            unknown_props: vec!["&q".to_owned()],
            values: Vec::new(),
        };
        maker.0.states.push(ShownState { members: vec![Some(member(name)), None], next: None });
        let state = maker.0.states.len() as u32 - 1;
        let node = maker.node(state, &formula, Justification::One);
        if let Some(before) = last {
            maker.step(before, "--><a \"b\">\\", node);
        }
        last = Some(node);
    }
    maker.0.nodes[3].why = Justification::Itself;
    maker.asks(3, ActionSet::one("</script>\n"));
    maker.root(0)
}

/// Several initial states, each with its own reason, and leaves that say the same.
pub fn roots() -> UnfoldedEvidence {
    let mut maker = Maker::new(Truth::True, &["M"]);
    let leaves: Vec<u32> = (1..=9).map(|n| maker.state(&[&format!("t{n} p")])).collect();
    let leaves: Vec<u32> =
        leaves.iter().map(|&state| maker.node(state, "p", Justification::Itself)).collect();
    let start = maker.state(&["a q"]);
    let first = maker.node(start, "q & AX p", Justification::All);
    maker.below(first, "q", Justification::Itself);
    let next = maker.below(first, "AX p", Justification::All);
    leaves.iter().for_each(|&leaf| maker.step(next, "", leaf));
    let start = maker.state(&["b q"]);
    let second = maker.node(start, "q & AX p", Justification::All);
    maker.below(second, "q", Justification::Itself);
    let none = maker.below(second, "AX p", Justification::Itself);
    maker.asks(none, ActionSet::any());
    maker.0.roots.push(first);
    maker.root(second)
}

/// `nu X. mu Y. ...`: positions that are variables, and fixpoints within fixpoints.
pub fn alternating() -> UnfoldedEvidence {
    let mut maker = Maker::new(Truth::True, &["M"]);
    let states: Vec<u32> = ["s0", "s1 p"].iter().map(|s| maker.state(&[s])).collect();
    let outer = "nu X. mu Y. ((p & <> X) | <> Y)";
    let inner = "mu Y. ((p & <> X) | <> Y)";
    let first = maker.node(states[0], outer, Justification::Unfolding);
    let second = maker.below(first, inner, Justification::Unfolding);
    let either = maker.below(second, "(p & <> X) | <> Y", Justification::One);
    let next = maker.below(either, "<> Y", Justification::One);
    let variable = maker.node(states[1], "Y", Justification::Unfolding);
    maker.step(next, "", variable);
    let third = maker.below(variable, inner, Justification::Unfolding);
    let either = maker.below(third, "(p & <> X) | <> Y", Justification::One);
    let both = maker.below(either, "p & <> X", Justification::All);
    maker.below(both, "p", Justification::Itself);
    let next = maker.below(both, "<> X", Justification::One);
    let again = maker.node(states[0], "X", Justification::Unfolding);
    maker.step(next, "", again);
    maker.link(again, first);
    maker.root(first)
}

/// `AG (req -> AF ack)` fails: a request leads into a cycle without an answer.
pub fn response() -> UnfoldedEvidence {
    let mut maker = Maker::new(Truth::False, &["Client", "Server"]);
    let rows = [["idle", "ready"], ["ask req", "ready"], ["ask req", "busy"], ["wait", "busy"]];
    let states: Vec<u32> = rows.iter().map(|members| maker.state(members)).collect();
    let formula = "AG (req -> AF ack)";
    let first = maker.node(states[0], formula, Justification::Unfolding);
    let both = maker.below(first, "(req -> AF ack) & AX (AG (req -> AF ack))", Justification::One);
    let next = maker.below(both, "AX (AG (req -> AF ack))", Justification::One);
    let second = maker.node(states[1], formula, Justification::Unfolding);
    maker.step(next, "", second);
    let both = maker.below(second, "(req -> AF ack) & AX (AG (req -> AF ack))", Justification::One);
    let implies = maker.below(both, "req -> AF ack", Justification::All);
    maker.below(implies, "!req", Justification::Itself);
    let mut heads = vec![maker.below(implies, "AF ack", Justification::Unfolding)];
    heads.extend(
        states[2..].iter().map(|&state| maker.node(state, "AF ack", Justification::Unfolding)),
    );
    for (number, next) in [1, 2, 1].into_iter().enumerate() {
        let either = maker.below(heads[number], "ack | AX (AF ack)", Justification::All);
        maker.below(either, "ack", Justification::Itself);
        let step = maker.below(either, "AX (AF ack)", Justification::One);
        maker.step(step, "", heads[next]);
    }
    maker.root(first)
}

/// `mu X. (!p | [] (q & X))` fails on a loop that ends in the state where it starts, not in the position:
/// the last successor stays in the state. The loop is entered in step `back`.
pub fn inner_loop(states: usize, back: usize, action: &str) -> UnfoldedEvidence {
    let mut maker = Maker::new(Truth::False, &["K"]);
    let numbers: Vec<u32> =
        (0..states).map(|number| maker.state(&[&format!("s{number} p q")])).collect();
    let heads: Vec<u32> = numbers
        .iter()
        .map(|&state| maker.node(state, "mu X. (!p | [] (q & X))", Justification::Unfolding))
        .collect();
    for (number, &head) in heads.iter().enumerate() {
        let either = maker.below(head, "!p | [] (q & X)", Justification::All);
        maker.below(either, "!p", Justification::Itself);
        let next = maker.below(either, "[] (q & X)", Justification::One);
        let target = if number + 1 < states { number + 1 } else { back };
        let both = maker.node(numbers[target], "q & X", Justification::One);
        maker.step(next, action, both);
        maker.link(both, heads[target]);
    }
    maker.root(heads[0])
}

/// `nu Z. (p & <> Z)` holds: one step leads to one of two states, and each goes on.
pub fn hyper() -> UnfoldedEvidence {
    let mut maker = Maker::new(Truth::True, &["G"]);
    let states: Vec<u32> = ["s p q?", "t p", "u p q"].iter().map(|s| maker.state(&[s])).collect();
    let mut nexts = Vec::new();
    let mut heads = Vec::new();
    for (number, &state) in states.iter().enumerate() {
        heads.push(maker.node(state, "nu Z. (p & <> Z)", Justification::Unfolding));
        let both = maker.below(heads[number], "p & <> Z", Justification::All);
        maker.below(both, "p", Justification::Itself);
        nexts.push(maker.below(
            both,
            "<> Z",
            if number == 0 { Justification::All } else { Justification::One },
        ));
    }
    maker.hyper(nexts[0], &heads[1..]);
    maker.step(nexts[1], "", heads[0]);
    maker.step(nexts[2], "", heads[2]);
    maker.root(heads[0])
}

/// `nu X. ((<> X) & [] X)` holds: each state has steps of two modalities.
pub fn reasons() -> UnfoldedEvidence {
    let mut maker = Maker::new(Truth::True, &["K"]);
    let states: Vec<u32> = ["s", "t", "u"].iter().map(|name| maker.state(&[name])).collect();
    let formula = "nu X. ((<> X) & [] X)";
    let heads: Vec<u32> =
        states.iter().map(|&state| maker.node(state, formula, Justification::Unfolding)).collect();
    for (number, targets) in [vec![1, 2], vec![0, 1], vec![0]].into_iter().enumerate() {
        let both = maker.below(heads[number], "(<> X) & [] X", Justification::All);
        let one = maker.below(both, "<> X", Justification::One);
        maker.step(one, "", heads[targets[0]]);
        let all = maker.below(both, "[] X", Justification::All);
        targets.iter().for_each(|&target| maker.step(all, "", heads[target]));
    }
    maker.root(heads[0])
}
