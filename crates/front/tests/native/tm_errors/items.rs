//! Complaints about the items of a file, and what one error hides.

use super::assert_complaints;

#[test]
fn properties() {
    assert_complaints(&[
        (
            r#"property a: mu p;
property "a": mu p;"#,
            &[
                "2:10 the property `a` is declared twice | declared again here | 1:10 declared first here | take one of them out, or rename it",
            ],
        ),
        (
            r#"property "": mu p;
property " ": ctl q q;"#,
            &[
                "1:10 the name of the property is empty | the property needs a name | write for example `property \"no collision\": …`",
                "2:10 the name of the property is empty | the property needs a name | write for example `property \"no collision\": …`",
                "2:21 expected an operator or `;`, found `q` | expected an operator or `;` | put an operator such as `&`, `|` or `->` between the two formulas",
            ],
        ),
        (
            "property a: mu p &;
property b: ctl [] p;
property c: lt p;
property d mu p;
property e: mu p
property f: mu (p;
property g: mcf forall n. true;
property 7: mu p;",
            &[
                "1:19 expected a formula, found `;` | expected a formula | write a formula after `&`, for example `true` or a proposition",
                "2:17 expected a formula, found `[` | expected a formula | modalities belong to `mu` and `mcf`; in `ctl` write `AX f` or `EX f`",
                "3:13 expected a logic: `mu`, `ctl`, `mcf`, `ltl` or `ctlstar`, found `lt` | expected a logic: `mu`, `ctl`, `mcf`, `ltl` or `ctlstar` | did you mean `ltl`?",
                "4:12 expected `:` after the name, found `mu` | expected `:` after the name | write for example `property safe: ctl AG !p;`",
                "6:1 expected an operator or `;`, found `property` | expected an operator or `;` | a property ends with `;`: is one missing on the line before?",
                "6:18 expected an operator or `)`, found `;` | expected an operator or `)` | 6:16 opened here | close the parenthesis with `)`",
                "7:25 expected `:` and a sort, found `.` | expected `:` and a sort | a variable is declared with its sort: `n: Nat`",
                "8:10 expected the name of the property, found `7` | expected the name of the property | put the name in quotes: `\"7\"`",
            ],
        ),
        (
            "property p: ctl AG p",
            &[
                "1:21 expected an operator or `;`, found the end of the file | expected an operator or `;` | end the property with `;`",
            ],
        ),
        (
            "property x: mcf true % foo
;",
            &[
                "1:22 expected an operator or `;`, found `%` | expected an operator or `;` | comments are written `// …` or `/* … */`",
            ],
        ),
    ]);
}

#[test]
fn safety_properties() {
    assert_complaints(&[
        (
            "safety S lts { actions a; init s, t; s: -a-> s, t -tau-> s; t: -b-> s; }",
            &[
                "1:52 `tau` in a safety property | this transition is unobservable | a safety property is about observable actions only",
                "1:65 unknown action `b` | `S` does not declare it | add `b` to the `actions` line",
            ],
        ),
        (
            "safety S mts { }",
            &["1:10 expected `lts`, found `mts` | expected `lts` | write `safety S lts { … }`"],
        ),
        (
            "safety S lts { init s; s: -a-> s; }
safety S lts { init s; s: -a-> s; }",
            &[
                "2:8 the safety property `S` is declared twice | declared again here | 1:8 declared first here | take one of them out, or rename it",
            ],
        ),
    ]);
}

#[test]
fn nothing_at_all() {
    assert_complaints(&[
        (
            "",
            &[
                "1:1 the file is empty | neither a component nor a property | begin with `component NAME kripke { props p; init s; s: {p} -> s; }`",
            ],
        ),
        (
            "// nothing
",
            &[
                "1:1 the file is empty | neither a component nor a property | begin with `component NAME kripke { props p; init s; s: {p} -> s; }`",
            ],
        ),
    ]);
}

#[test]
fn items() {
    assert_complaints(&[
        (
            "compnent M kripke { }",
            &[
                "1:1 expected `component`, `system`, `safety`, `fair` or `property`, found `compnent` | expected `component`, `system`, `safety`, `fair` or `property` | did you mean `component`?",
            ],
        ),
        (
            "} component",
            &[
                "1:1 expected `component`, `system`, `safety`, `fair` or `property`, found `}` | expected `component`, `system`, `safety`, `fair` or `property` | this brace was never opened",
            ],
        ),
        (
            "component M kripke { init s; s: -> s; } §",
            &[
                "1:41 expected `component`, `system`, `safety`, `fair` or `property`, found `§` | expected `component`, `system`, `safety`, `fair` or `property` | this character has no meaning here: take it out",
            ],
        ),
        (
            "x",
            &[
                "1:1 expected `component`, `system`, `safety`, `fair` or `property`, found `x` | expected `component`, `system`, `safety`, `fair` or `property` | a model begins with `component NAME KIND {`",
            ],
        ),
        (
            "component M kripke { init s; s: -> s;",
            &[
                "1:38 expected `}` at the end of the component, found the end of the file | expected `}` | 1:20 opened here | close the body of the component with `}`",
            ],
        ),
        (
            "component M kripke { init s; s: -> s;
property x: mu p;",
            &[
                "2:1 expected `}` at the end of the component, found `property` | expected `}` | 1:20 opened here | close the body of the component with `}`",
            ],
        ),
        (
            "component M kripke { init s; s: -> s; } /* open",
            &[
                "1:41 expected `component`, `system`, `safety`, `fair` or `property`, found a comment that is not closed | expected `component`, `system`, `safety`, `fair` or `property` | close it with `*/`",
            ],
        ),
        (
            "component M kripke { init s; s: -> s; };",
            &[
                "1:40 expected `component`, `system`, `safety`, `fair` or `property`, found `;` | expected `component`, `system`, `safety`, `fair` or `property` | nothing precedes this semicolon: take it out",
            ],
        ),
    ]);
}

#[test]
fn several_errors_of_one_component() {
    assert_complaints(&[(
        "component M kripke {
  props p
  init s;
  s: {p} -> s
  t: {p -> s;
  u: {} -> ;
  v {p} -> s;
  9x: -> s;
  w: -> s s;
  x: s;
  y: -a s;
  porps q;
  ?;
}",
        &[
            "2:9 expected `;` after the last proposition, found `init` | a `;` is missing after this",
            "4:13 expected `;` after the last target, found `t` | a `;` is missing after this",
            "5:9 expected `,` or `}` after a label, found `->` | expected `,` or `}` after a label",
            "6:12 expected the name of a target state, found `;` | expected the name of a target state",
            "7:5 expected `:` after the name of a state, found `{` | expected `:` after the name of a state | a state is written `name: {labels} -> targets;`",
            "8:3 expected a state or `}`, found `9x` | expected a state or `}` | names start with a letter or `_`: put one before the digit",
            "9:11 expected `;` after the last target, found `s` | expected `;` after the last target | if the list goes on, put a `,` before this",
            "10:6 expected an arrow or `;`, found `s` | expected an arrow or `;` | targets follow an arrow: `-> t`, `?> t`, `-a-> t`",
            "11:9 expected `->`, `?>` or `!>`, found `s` | expected `->`, `?>` or `!>` | an arrow with an action is written `-a->`, `-a?>` or `-a!>`",
            "12:3 expected a state or `}`, found `porps` | expected a state or `}` | did you mean `props`?",
            "13:3 expected a state or `}`, found `?` | expected a state or `}` | states, `props`, `actions`, `init` and `covers` lines stand here",
        ],
    )]);
}

/// A line that lacks only its semicolon is still looked at.
#[test]
fn a_missing_semicolon_hides_nothing() {
    assert_complaints(&[(
        "component M kripke {
  props p
  init s;
  s: {q} -> t
  t: {} -> s
}
system N
property x: mu p",
        &[
            "2:9 expected `;` after the last proposition, found `init` | a `;` is missing after this",
            "4:7 unknown proposition `q` | `M` does not declare it | add `q` to the `props` line",
            "4:13 expected `;` after the last target, found `t` | a `;` is missing after this",
            "5:12 expected `;` after the last target, found `}` | a `;` is missing after this",
            "7:8 expected `;` after the system, found `property` | a `;` is missing after this",
            "8:17 expected an operator or `;`, found the end of the file | expected an operator or `;` | end the property with `;`",
        ],
    )]);
}
