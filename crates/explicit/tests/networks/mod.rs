//! Networks of components that read each other's wires.

use std::fmt::Write;

/// A component whose outputs hang on its core state, while its inputs may change in any way.
pub struct Machine<'a> {
    pub name: String,
    /// The wires that it reads, and those that it drives; others may only read these.
    pub inputs: Vec<String>,
    pub outputs: Vec<String>,
    /// Core states, the first of which is initial, with what holds there.
    pub cores: Vec<(&'a str, String)>,
    /// The cores that follow one, by its number, for the values of the inputs now and then.
    pub next: &'a dyn Fn(usize, u32, u32) -> Vec<usize>,
}

impl Machine<'_> {
    /// As `.tm` text; `arrow` stands before each target.
    pub fn text(&self, kind: &str, mut arrow: impl FnMut() -> &'static str) -> String {
        let Machine { name, inputs, outputs, cores, next } = self;
        let values = 1u32 << inputs.len();
        let state = |core: usize, value: u32| format!("{}.{value}", cores[core].0);
        let props = [&outputs[..], &inputs[..]].concat().join(", ");
        let initial: Vec<String> = (0..values).map(|value| state(0, value)).collect();
        let mut text = format!("component {name} {kind} {{\n  props {props};\n");
        writeln!(text, "  init {};", initial.join(", ")).unwrap();
        for (core, (_, holds)) in cores.iter().enumerate() {
            for now in 0..values {
                let on = (0..inputs.len()).filter(|bit| now >> bit & 1 == 1);
                let on: Vec<&str> = on.map(|bit| inputs[bit].as_str()).collect();
                let literal = |name: &String| {
                    let holds =
                        holds.split_whitespace().chain(on.iter().copied()).any(|p| p == name);
                    format!("{}{name}", if holds { "" } else { "!" })
                };
                let label: Vec<String> = outputs.iter().chain(inputs).map(literal).collect();
                let targets = (0..values).flat_map(|then| {
                    next(core, now, then).into_iter().map(move |core| (core, then))
                });
                let steps =
                    targets.map(|(core, then)| format!(" {} {}", arrow(), state(core, then)));
                let steps: String = steps.collect();
                writeln!(text, "  {}: {{{}}}{steps};", state(core, now), label.join(", ")).unwrap();
            }
        }
        text + "}\n"
    }
}
