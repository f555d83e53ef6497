//! Pictures of models.

use front::{read_aut, write_dot};
use logic::Truth;
use model::{Kind, Mode, ModelBuilder, PartialModel};

fn picture(model: &PartialModel) -> String {
    let mut bytes = Vec::new();
    write_dot(model, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn labels_modalities_and_hyper_transitions() {
    let mut builder = ModelBuilder::new(Kind::Gkmts, "a \"model\"");
    let (p, q) = (builder.prop("p"), builder.prop("q"));
    for name in ["s", "t\\u", "v"] {
        builder.state(name);
    }
    builder.init(0);
    builder.init(2);
    builder.label(0, p, Truth::True);
    builder.label(0, q, Truth::False);
    builder.label(1, q, Truth::True);
    builder.edge(0, None, Mode::BOTH, 1);
    builder.edge(0, None, Mode::MAY, 2);
    builder.edge(1, None, Mode::MUST, 0);
    builder.hyper(1, vec![0, 2]);
    let expected = r#"digraph "a \"model\"" {
  node [shape=ellipse];
  i0 [shape=none, label="", width=0, height=0];
  i0 -> s0;
  i1 [shape=none, label="", width=0, height=0];
  i1 -> s2;
  s0 [label="s\n{p, !q}"];
  s0 -> s1;
  s0 -> s2 [style=dashed];
  s1 [label="t\\u\n{p?, q}"];
  s1 -> s0 [arrowhead=empty];
  s2 [label="v\n{p?, q?}"];
  h0 [shape=point];
  s1 -> h0 [arrowhead=none];
  h0 -> s0;
  h0 -> s2;
}
"#;
    assert_eq!(picture(&builder.finish()), expected);
}

#[test]
fn actions_are_escaped() {
    let text = b"des (0,1,2)\n(0,\"say \\\"hi\\\"\",1)\n";
    let model = read_aut(&text[..], "m", &support::Monitor::new()).unwrap();
    assert!(picture(&model).contains(r#"s0 -> s1 [label="say \"hi\""];"#));
}

#[test]
fn a_kripke_structure_shows_what_is_true() {
    let mut builder = ModelBuilder::new(Kind::Kripke, "m");
    let p = builder.prop("p");
    builder.prop("q");
    let state = builder.state("s");
    builder.init(state);
    builder.label(state, p, Truth::True);
    assert!(picture(&builder.finish()).contains("s0 [label=\"s\\n{p}\"];"));
}
