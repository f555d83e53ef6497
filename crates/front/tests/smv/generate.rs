//! Random SMV programs: types, cases, arrays, words, parameters, processes, inputs, constraints, fairness.
//!
//! What could go wrong for some values (divisions, indices, values out of range) is guarded, so that
//! every program is accepted by NuSMV, which looks at states that cannot be reached, too.

use std::fmt::Write;
use testkit::Rng;

#[derive(Clone, PartialEq, Debug)]
pub enum Sort {
    Bool,
    Range(i64, i64),
    Symbols(Vec<&'static str>),
    Word { signed: bool, width: u32 },
}

impl Sort {
    fn random(rng: &mut Rng) -> Sort {
        match rng.below(6) {
            0 | 1 => Sort::Bool,
            2 => {
                let low = rng.between(0, 3) as i64 - 2;
                Sort::Range(low, low + rng.between(1, 3) as i64)
            }
            3 => Sort::Symbols(["red", "green", "blue"][..rng.between(2, 3)].to_vec()),
            4 => Sort::Symbols(vec!["red", "7", "blue"]),
            _ => Sort::Word { signed: rng.chance(0.5), width: rng.between(1, 3) as u32 },
        }
    }

    fn text(&self) -> String {
        match self {
            Sort::Bool => "boolean".to_owned(),
            Sort::Range(low, high) => format!("{low}..{high}"),
            Sort::Symbols(names) => format!("{{{}}}", names.join(", ")),
            Sort::Word { signed, width } => {
                format!("{} word[{width}]", if *signed { "signed" } else { "unsigned" })
            }
        }
    }
}

#[derive(Clone)]
struct Place {
    name: String,
    sort: Sort,
}

/// The names that an expression may read.
#[derive(Clone, Default)]
struct View {
    places: Vec<Place>,
    arrays: Vec<(String, i64, i64)>,
}

impl View {
    fn of(&self, wanted: impl Fn(&Sort) -> bool) -> Vec<&Place> {
        self.places.iter().filter(|place| wanted(&place.sort)).collect()
    }
}

fn bool_expr(rng: &mut Rng, view: &View, depth: usize) -> String {
    let sub = |rng: &mut Rng| bool_expr(rng, view, depth - 1);
    if depth == 0 {
        let known = view.of(|sort| *sort == Sort::Bool);
        return match known.is_empty() || rng.chance(0.2) {
            true => (*rng.pick(&["TRUE", "FALSE"])).to_owned(),
            false => rng.pick(&known).name.clone(),
        };
    }
    match rng.below(12) {
        0 => format!("!{}", sub(rng)),
        1 => format!("({} & {})", sub(rng), sub(rng)),
        2 => format!("({} | {})", sub(rng), sub(rng)),
        3 => format!(
            "({} {} {})",
            sub(rng),
            rng.pick(&["->", "<->", "xor", "xnor"]).to_owned(),
            sub(rng)
        ),
        4 => format!("({} ? {} : {})", sub(rng), sub(rng), sub(rng)),
        5 | 6 => {
            let op = *rng.pick(&["=", "!=", "<", "<=", ">", ">="]);
            format!("({} {op} {})", int_expr(rng, view, depth - 1), int_expr(rng, view, depth - 1))
        }
        7 => {
            format!("({} in {{{}, 1, -1}})", int_expr(rng, view, depth - 1), int_expr(rng, view, 0))
        }
        8 => {
            let places = view.of(|sort| matches!(sort, Sort::Symbols(_)));
            match places.is_empty() {
                true => sub(rng),
                false => {
                    let place = rng.pick(&places);
                    let op = *rng.pick(&["=", "!=", "in"]);
                    let with_seven = place.sort.text().contains('7');
                    let values = ["red", "blue", "green", "7"];
                    let value = *rng.pick(&values[..if with_seven { 4 } else { 3 }]);
                    let right =
                        if op == "in" { format!("{{{value}, blue}}") } else { value.to_owned() };
                    format!("({} {op} {right})", place.name)
                }
            }
        }
        _ => {
            let (signed, width) = (rng.chance(0.5), rng.between(1, 3) as u32);
            let op = *rng.pick(&["=", "!=", "<", "<=", ">", ">="]);
            let side = |rng: &mut Rng| word_expr(rng, view, depth - 1, signed, width);
            format!("({} {op} {})", side(rng), side(rng))
        }
    }
}

fn int_expr(rng: &mut Rng, view: &View, depth: usize) -> String {
    let sub = |rng: &mut Rng| int_expr(rng, view, depth - 1);
    if depth == 0 {
        let known = view.of(|sort| matches!(sort, Sort::Range(..)));
        return match known.is_empty() || rng.chance(0.3) {
            true => format!("({})", rng.between(0, 6) as i64 - 3),
            false => rng.pick(&known).name.clone(),
        };
    }
    match rng.below(9) {
        0 => format!("({} + {})", sub(rng), sub(rng)),
        1 => format!("({} - {})", sub(rng), sub(rng)),
        2 => format!("({} * {})", sub(rng), sub(rng)),
        3 => format!(
            "({} {} {})",
            sub(rng),
            rng.pick(&["/", "mod"]).to_owned(),
            rng.pick(&["2", "3", "-2"]).to_owned()
        ),
        4 => format!("(- {})", sub(rng)),
        5 => format!("{}({}, {})", rng.pick(&["max", "min"]).to_owned(), sub(rng), sub(rng)),
        6 => {
            let (signed, width) = (rng.chance(0.5), rng.between(1, 3) as u32);
            format!("toint({})", word_expr(rng, view, depth - 1, signed, width))
        }
        7 => match view.arrays.is_empty() {
            true => format!(
                "count({}, {})",
                bool_expr(rng, view, depth - 1),
                bool_expr(rng, view, depth - 1)
            ),
            false => {
                let (name, low, high) = rng.pick(&view.arrays).clone();
                let size = high - low + 1;
                format!("{name}[abs({}) mod {size} + ({low})]", sub(rng))
            }
        },
        _ => format!(
            "(case {} : {}; TRUE : {}; esac)",
            bool_expr(rng, view, depth - 1),
            sub(rng),
            sub(rng)
        ),
    }
}

fn word_expr(rng: &mut Rng, view: &View, depth: usize, signed: bool, width: u32) -> String {
    let sub = |rng: &mut Rng| word_expr(rng, view, depth - 1, signed, width);
    if depth == 0 {
        let wanted = Sort::Word { signed, width };
        let known = view.of(|sort| *sort == wanted);
        if !known.is_empty() && rng.chance(0.7) {
            return rng.pick(&known).name.clone();
        }
        let value = rng.below(1 << width);
        let letter = if signed { "s" } else { "u" };
        return format!("0{letter}b{width}_{value:0digits$b}", digits = width as usize);
    }
    match rng.below(11) {
        0 => format!("({} {} {})", sub(rng), rng.pick(&["+", "-", "*"]).to_owned(), sub(rng)),
        1 => format!(
            "({} {} {})",
            sub(rng),
            rng.pick(&["&", "|", "xor", "xnor", "->", "<->"]).to_owned(),
            sub(rng)
        ),
        2 => format!("(!{})", sub(rng)),
        3 => format!("(- {})", sub(rng)),
        4 => format!(
            "({} {} {})",
            sub(rng),
            rng.pick(&["<<", ">>"]).to_owned(),
            rng.below(width as usize + 1)
        ),
        5 => {
            let zero = format!("0{}d{width}_0", if signed { "s" } else { "u" });
            let (dividend, divisor) = (sub(rng), sub(rng));
            let op = *rng.pick(&["/", "mod"]);
            format!(
                "(case {divisor} = {zero} : {dividend}; TRUE : {dividend} {op} {divisor}; esac)"
            )
        }
        6 => {
            let name = if signed { "signed" } else { "unsigned" };
            format!("{name}({})", word_expr(rng, view, depth - 1, !signed, width))
        }
        7 if width > 1 && !signed => {
            let left = rng.between(1, width as usize - 1) as u32;
            let (a, b) = (left, width - left);
            format!(
                "({} :: {})",
                word_expr(rng, view, depth - 1, signed, a),
                word_expr(rng, view, depth - 1, signed, b)
            )
        }
        8 if !signed => {
            let from = rng.between(width as usize, 4) as u32;
            let low = rng.between(0, (from - width) as usize) as u32;
            let of = rng.chance(0.5);
            let inner = word_expr(rng, view, depth - 1, of, from);
            format!("({inner})[{}:{low}]", low + width - 1)
        }
        9 => format!("resize({}, {width})", {
            // Of a signed word that is cut to one bit NuSMV makes nothing.
            let most = if signed && width == 1 { 1 } else { 4 };
            let from = rng.between(1, most) as u32;
            word_expr(rng, view, depth - 1, signed, from)
        }),
        10 if width > 1 => {
            format!("extend({}, 1)", word_expr(rng, view, depth - 1, signed, width - 1))
        }
        _ => format!("({} ? {} : {})", bool_expr(rng, view, depth - 1), sub(rng), sub(rng)),
    }
}

/// A value of the sort; a set of them if that is allowed.
fn value(rng: &mut Rng, view: &View, sort: &Sort, sets: bool) -> String {
    let depth = rng.below(3);
    let one = match sort {
        Sort::Bool => bool_expr(rng, view, depth),
        Sort::Word { signed, width } => word_expr(rng, view, depth, *signed, *width),
        Sort::Range(low, high) => {
            let size = high - low + 1;
            format!("abs({}) mod {size} + ({low})", int_expr(rng, view, depth))
        }
        Sort::Symbols(names) => {
            let same = view.of(|other| other == sort);
            match same.is_empty() || rng.chance(0.5) {
                true => (*rng.pick(names)).to_owned(),
                false => rng.pick(&same).name.clone(),
            }
        }
    };
    let is_word = matches!(sort, Sort::Word { .. });
    match rng.below(4) {
        0 if sets && !is_word => format!("{{{one}, {}}}", value(rng, view, sort, false)),
        1 if sets && !is_word && *sort == Sort::Bool => {
            format!("({one}) union ({})", bool_expr(rng, view, 1))
        }
        2 => format!(
            "case {} : {one}; {} : {}; TRUE : {}; esac",
            bool_expr(rng, view, 1),
            bool_expr(rng, view, 1),
            value(rng, view, sort, sets),
            value(rng, view, sort, false)
        ),
        _ => one,
    }
}

/// `next(x)` for every place.
fn primed(view: &View) -> View {
    let prime =
        |place: &Place| Place { name: format!("next({})", place.name), sort: place.sort.clone() };
    View { places: view.places.iter().map(prime).collect(), arrays: Vec::new() }
}

fn joined(a: &View, b: &View) -> View {
    let places = a.places.iter().chain(&b.places).cloned().collect();
    View { places, arrays: a.arrays.clone() }
}

/// Assignments to these variables, in an order in which each may read those before it.
fn assigns(rng: &mut Rng, own: &[Place], view: &View, inputs: &View, is_process: bool) -> String {
    let mut text = String::from("ASSIGN\n");
    let mut before = View::default();
    let mut known = View::default();
    for place in own {
        let Place { name, sort } = place;
        let with_inputs = joined(view, inputs);
        if rng.chance(0.12) && !is_process {
            // Every state: reads only what was assigned before, so that nothing goes in a circle.
            writeln!(text, "  {name} := {};", value(rng, &known, sort, true)).expect("a string");
        } else {
            if rng.chance(0.8) {
                writeln!(text, "  init({name}) := {};", value(rng, &known, sort, true))
                    .expect("a string");
            }
            if rng.chance(0.85) {
                let reads = if rng.chance(0.3) {
                    joined(&with_inputs, &primed(&before))
                } else {
                    with_inputs
                };
                writeln!(text, "  next({name}) := {};", value(rng, &reads, sort, true))
                    .expect("a string");
            }
        }
        before.places.push(place.clone());
        known.places.push(place.clone());
    }
    text
}

/// A whole program. Its specifications read states only.
pub fn program(rng: &mut Rng) -> String {
    program_with(rng, false)
}

/// A whole program, with an invariant about inputs and next values if that is asked for.
pub fn program_with(rng: &mut Rng, is_about_steps: bool) -> String {
    let mut view = View::default();
    let mut text = String::from("MODULE main\nCONSTANTS red, green, blue;\nVAR\n");
    let mut own: Vec<Place> = Vec::new();
    for index in 0..rng.between(1, 4) {
        let place = Place { name: format!("v{index}"), sort: Sort::random(rng) };
        writeln!(text, "  {} : {};", place.name, place.sort.text()).expect("a string");
        own.push(place);
    }
    if rng.chance(0.3) {
        let low = rng.between(0, 2) as i64 - 1;
        let sort = Sort::Range(0, rng.between(1, 2) as i64);
        writeln!(text, "  arr : array {low}..{} of {};", low + 1, sort.text()).expect("a string");
        for index in low..=low + 1 {
            own.push(Place { name: format!("arr[{index}]"), sort: sort.clone() });
        }
        view.arrays.push(("arr".to_owned(), low, low + 1));
    }
    view.places.clone_from(&own);
    let parameter = own[rng.below(own.len())].clone();
    let shape = rng.below(4);
    let has_module = shape >= 1;
    let is_process = shape == 3;
    let inner = Place { name: "w".to_owned(), sort: Sort::random(rng) };
    if has_module {
        let process = if is_process { "process " } else { "" };
        for name in ["m", "n"] {
            let argument = match is_process {
                true => parameter.name.clone(),
                false => format!("({})", value(rng, &view, &parameter.sort, false)),
            };
            writeln!(text, "  {name} : {process}sub({argument});").expect("a string");
            view.places.push(Place { name: format!("{name}.w"), sort: inner.sort.clone() });
        }
    }
    let mut inputs = View::default();
    if rng.chance(0.4) {
        let place = Place { name: "inp".to_owned(), sort: Sort::random(rng) };
        writeln!(text, "IVAR\n  inp : {};", place.sort.text()).expect("a string");
        inputs.places.push(place);
    }
    if rng.chance(0.3) {
        let place = Place { name: "frozen".to_owned(), sort: Sort::random(rng) };
        writeln!(text, "FROZENVAR\n  frozen : {};", place.sort.text()).expect("a string");
        view.places.push(place);
    }
    if rng.chance(0.4) {
        writeln!(text, "DEFINE\n  def := {};", bool_expr(rng, &view, 2)).expect("a string");
        view.places.push(Place { name: "def".to_owned(), sort: Sort::Bool });
    }
    let assigned: Vec<Place> =
        own.iter().filter(|place| !is_process || place.name != parameter.name).cloned().collect();
    let without_definitions = View {
        places: view.places.iter().filter(|place| place.name != "def").cloned().collect(),
        arrays: view.arrays.clone(),
    };
    let readable = if rng.chance(0.5) { &view } else { &without_definitions };
    if !assigned.is_empty() {
        text += &assigns(rng, &assigned, readable, &inputs, is_process);
    }
    if rng.chance(0.3) {
        writeln!(text, "INIT {}", bool_expr(rng, &view, 2)).expect("a string");
    }
    if rng.chance(0.3) {
        let both = joined(&joined(&view, &inputs), &primed(&without_definitions));
        writeln!(text, "TRANS {} | {}", bool_expr(rng, &both, 2), bool_expr(rng, &both, 1))
            .expect("a string");
    }
    if rng.chance(0.2) {
        writeln!(text, "INVAR {} | {}", bool_expr(rng, &view, 2), bool_expr(rng, &view, 1))
            .expect("a string");
    }
    while rng.chance(0.3) {
        let reads = if rng.chance(0.5) { joined(&view, &inputs) } else { view.clone() };
        writeln!(text, "FAIRNESS {}", bool_expr(rng, &reads, 2)).expect("a string");
    }
    for _ in 0..3 {
        writeln!(text, "SPEC {};", ctl(rng, &view, 3)).expect("a string");
    }
    writeln!(text, "INVARSPEC {};", bool_expr(rng, &view, 2)).expect("a string");
    if is_about_steps {
        let both = joined(&joined(&view, &inputs), &primed(&without_definitions));
        let (before, after) = (bool_expr(rng, &both, 2), bool_expr(rng, &both, 1));
        writeln!(text, "INVARSPEC {before} | next(v0) = v0 | {after};").expect("a string");
    }
    if has_module {
        text += &module(rng, &inner, &parameter.sort, is_process);
    }
    text
}

fn module(rng: &mut Rng, inner: &Place, sort: &Sort, is_process: bool) -> String {
    let mut text = format!("MODULE sub(p)\nVAR\n  w : {};\n", inner.sort.text());
    let parameter = Place { name: "p".to_owned(), sort: sort.clone() };
    let view = View { places: vec![inner.clone(), parameter.clone()], arrays: Vec::new() };
    text += &assigns(rng, std::slice::from_ref(inner), &view, &View::default(), true);
    if is_process {
        writeln!(text, "  next(p) := {};", value(rng, &view, sort, true)).expect("a string");
    }
    if is_process && rng.chance(0.6) {
        text += "FAIRNESS running\n";
    }
    writeln!(text, "SPEC {};", ctl(rng, &view, 2)).expect("a string");
    text
}

fn ctl(rng: &mut Rng, view: &View, depth: usize) -> String {
    let sub = |rng: &mut Rng| ctl(rng, view, depth - 1);
    if depth == 0 {
        return bool_expr(rng, view, 1);
    }
    let bounds = |rng: &mut Rng| {
        let from = rng.below(3);
        format!("{from}..{}", from + rng.below(3))
    };
    match rng.below(11) {
        9 => {
            let operator = rng.pick(&["ABF", "EBF", "ABG", "EBG"]).to_owned();
            format!("{operator} {} ({})", bounds(rng), sub(rng))
        }
        10 => {
            let quantifier = rng.pick(&["A", "E"]).to_owned();
            format!("{quantifier}[({}) BU {} ({})]", sub(rng), bounds(rng), sub(rng))
        }
        0 => format!("!({})", sub(rng)),
        1 => format!(
            "(({}) {} ({}))",
            sub(rng),
            rng.pick(&["&", "|", "->", "<->", "xor"]).to_owned(),
            sub(rng)
        ),
        2 => format!("{}[({}) U ({})]", rng.pick(&["A", "E"]).to_owned(), sub(rng), sub(rng)),
        3 => bool_expr(rng, view, 2),
        _ => {
            format!("{} ({})", rng.pick(&["AG", "AF", "AX", "EG", "EF", "EX"]).to_owned(), sub(rng))
        }
    }
}
