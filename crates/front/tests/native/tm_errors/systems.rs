//! Complaints about how components run together.

use super::assert_complaints;

#[test]
fn components() {
    assert_complaints(&[
        (
            "component M kripke { init s; s: -> s; }
component M kripke { init s; s: -> s; }",
            &[
                "2:11 the component `M` is declared twice | declared again here | 1:11 declared first here | take one of them out, or rename it",
            ],
        ),
        (
            "component M kripek { props p; init s; s: {p} -> s; }",
            &[
                "1:13 expected the kind of the component `M`, found `kripek` | expected the kind of the component `M` | did you mean `kripke`?",
            ],
        ),
        (
            "component M { props p; }",
            &[
                "1:13 expected the kind of the component `M`, found `{` | expected the kind of the component `M` | the kinds are `kripke`, `kmts`, `mixts`, `gkmts`, `lts`, `mts` and `unknown`",
            ],
        ),
        (
            "component 1M kripke { }",
            &[
                "1:11 expected the name of the component, found `1M` | expected the name of the component | names start with a letter or `_`: put one before the digit",
            ],
        ),
    ]);
}

#[test]
fn parts_of_a_system() {
    assert_complaints(&[
        (
            "component Mod kripke { init s; s: -> s; }
system Mode;",
            &["2:8 unknown component `Mode` | no component of this name | did you mean `Mod`?"],
        ),
        (
            "component M kripke { init s; s: -> s; }
system M || M;",
            &[
                "2:13 the component `M` stands in the system twice | again as part 2 | 2:8 here first | a second copy needs a name of its own: `M as M.2`",
            ],
        ),
        (
            "component M kripke { init s; s: -> s; }
component N lts { init s; s: -a-> s; }
system M || N;",
            &[
                "3:13 components with propositions and components with actions do not mix | `N` has actions | 3:8 `M` has propositions | `kripke`, `kmts`, `mixts` and `gkmts` run together on joint propositions, `lts` and `mts` on joint actions",
            ],
        ),
        (
            "component M kripke { init s; s: -> s; }
component N kripke { init s; s: -> s; }",
            &[
                "2:11 several components and no `system` | how does this one run together … | 1:11 … with this one? | add `system M || N;`",
            ],
        ),
        (
            "component M kripke { init s; s: -> s; }
system M;
system M;",
            &[
                "3:1 a second `system` | the second one | 2:1 the first one | a file describes one system: take one of them out",
            ],
        ),
        (
            "system A",
            &[
                "1:9 expected `;` after the system, found the end of the file | expected `;` after the system",
            ],
        ),
        (
            "component M kripke { init s; s: -> s; }
system M M;",
            &[
                "2:10 expected `;` after the system, found `M` | expected `;` after the system | join components by `||`",
            ],
        ),
        (
            "component M lts { init s; s: -a-> s; }
system M hide { a } sync { M:a -> b; };",
            &[
                "2:21 expected `;` after the system, found `sync` | expected `;` after the system | `sync { … }` stands before `hide { … }`, and each once",
            ],
        ),
        (
            "component M from \"m.aut\" property",
            &[
                "1:26 expected `;` after the name of the file, found `property` | expected `;` after the name of the file",
            ],
        ),
    ]);
}

#[test]
fn the_two_families() {
    assert_complaints(&[
        (
            "component M kripke { props p; init s; s: {p} -a-> s; }",
            &[
                "1:47 an arrow with an action in a `kripke` component | transitions carry no actions here | 1:13 a kind with propositions | write `->` or `?>`, or choose the kind `lts` or `mts`",
            ],
        ),
        (
            "component M lts { init s; s: -> s; }",
            &[
                "1:30 an arrow without an action in an `lts` component | which action? | 1:13 a kind with actions | write `-a->` for the action `a`, or `-tau->` for an unobservable step",
            ],
        ),
        (
            "component M lts { init s; s: {p} -a-> s; }",
            &[
                "1:30 labels on a state of an `lts` | states carry no propositions here | 1:13 a kind with actions | write `name: -a-> target;`, or choose the kind `kripke` or `kmts`",
            ],
        ),
        (
            "component M lts { props p; init s; s: -a-> s; }",
            &[
                "1:19 propositions declared in the `lts` component `M` | this kind has actions | 1:13 a kind with actions | declare `actions`, or choose a kind with propositions",
            ],
        ),
        (
            "component M kripke { actions p; init s; s: -> s; }",
            &[
                "1:22 actions declared in the `kripke` component `M` | this kind has propositions | 1:13 a kind with propositions | declare `props`, or choose a kind with actions",
            ],
        ),
    ]);
}

#[test]
fn incomposable_initial_states() {
    assert_complaints(&[
        (
            "component M kripke { props p, q, r; init s; s: {p, r} -> s; }
component N kripke { props p, q, r; init t; t: {q, r} -> t; }
system M || N;",
            &[
                "3:13 the initial states are not composable | in `t` `p` is false, `q` is true | 3:8 in `s` `p` is true, `q` is false | the components start together: give the propositions that they share the same values in their initial states",
            ],
        ),
        (
            "component M kripke { props p; init s; s: {p} -> s; }
component N kmts { props p; init t; t: {} -> t; }
system M || N;",
            &[
                "2:37 warning: the joint proposition `p` is unknown in `N` | unknown in the state `t` | unknown agrees only with unknown: this state never meets one in which another component knows `p`",
                "3:13 the initial states are not composable | in `t` `p` is unknown | 3:8 in `s` `p` is true | the components start together: give the propositions that they share the same values in their initial states",
            ],
        ),
        (
            "component A kripke { props p, q; init a, b; a: {p}; b: {q}; }
component B kripke { props q, r; init c, d; c: {q}; d: {r}; }
component C kripke { props p, r; init e, f; e: {p, r}; f: ; }
system A || B || C;",
            &[],
        ),
        (
            "component A kripke { props p, q; init a, b; a: {p, q}; b: {}; }
component B kripke { props q, r; init c, d; c: {q, r}; d: {}; }
component C kripke { props p, r; init e, f; e: {p}; f: {r}; }
system A || B || C;",
            &[
                "4:1 the initial states are not composable | no choice of initial states agrees on all joint propositions | the components start together: give the propositions that they share the same values in their initial states",
            ],
        ),
        (
            "component A kripke { props p; init a; a: {p}; }
component B kripke { props q, r; init c, d; c: {q, r}; d: {q}; }
component C kripke { props q; init e; e: ; }
system A || B || C;",
            &[
                "4:18 the initial states are not composable | in `e` `q` is false | 4:13 in `c` `q` is true | the components start together: give the propositions that they share the same values in their initial states",
            ],
        ),
    ]);
}

#[test]
fn joint_propositions_that_are_unknown() {
    assert_complaints(&[
(
        "component M kmts { props p; init s; s: {p} -> s, t; t: {p?}; }
component N kripke { props p; init t; t: {p} -> t; }
system M || N;",
        &[
            "1:57 warning: the joint proposition `p` is unknown in `M` | unknown in the state `t` | unknown agrees only with unknown: this state never meets one in which another component knows `p`",
        ],
    ),
    // `u` meets what `s` and `t` meet.
    (
        "component M mixts { props p; init u; s: {p} -> s; t: {!p}; u: {} ?> s; covers u: s, t; }
component N kripke { props p; init t; t: {p} -> t; }
system M || N;",
        &[],
    ),
    (
        "component M mixts { props p; init u; s: {p} -> s; u: {p} ?> s; covers u: s; }
component N kripke { props p; init t; t: {} -> t; }
system M || N;",
        &[
            "3:13 the initial states are not composable | in `t` `p` is false | 3:8 in `u` `p` is true | the components start together: give the propositions that they share the same values in their initial states",
        ],
    ),
]);
}

#[test]
fn vectors_and_hiding() {
    assert_complaints(&[
        (
            "component A lts { init s; s: -a-> s; }
system A sync { A:tau -> b; };",
            &["2:19 unknown action `tau` in a vector | `A` never makes it"],
        ),
        (
            "component A lts { init s; s: -send-> s; }
component B lts { init s; s: -recv-> s; }
system A || B sync { A:send | C:recv -> comm; A:sned | B:recv -> c; A:send | A:send -> d; };",
            &[
                "3:31 unknown component `C` in a vector | no part of this system | its parts are `A`, `B`",
                "3:49 unknown action `sned` in a vector | `A` never makes it | did you mean `send`?",
                "3:78 the component `A` stands in a vector twice | again here | 3:69 here first | a component makes one step at a time",
            ],
        ),
        (
            "component A lts { init s; s: -send-> s; }
component B lts { init s; s: -recv-> s; }
system A || B sync { A:send | B:recv -> comm; } hide { com };",
            &[
                "3:56 warning: the hidden action `com` never occurs | no component makes it | did you mean `comm`?",
            ],
        ),
        (
            "component M kripke { init s; s: -> s; }
system M hide { a };",
            &[
                "2:10 `hide` in a system without actions | the components have propositions | components with propositions agree on those that they share: take it out",
            ],
        ),
        (
            "component M lts { init s; s: -a-> s; }
system M sync { M -> b; };",
            &[
                "2:19 expected `:` and an action, found `->` | expected `:` and an action | a vector is written `A:send | B:recv -> comm;`",
            ],
        ),
        (
            "component M lts { init s; s: -a-> s; }
system M sync { M:a b; };",
            &[
                "2:21 expected `|` or `->`, found `b` | expected `|` or `->` | a vector is written `A:send | B:recv -> comm;`",
            ],
        ),
    ]);
}

#[test]
fn other_files() {
    assert_complaints(&[
        (
            r#"component A from "no.aut";"#,
            &["1:18 the component `A` cannot be read | there is no file `no.aut`"],
        ),
        (
            "component A from ok;",
            &[
                r#"1:18 expected the name of a file in quotes, found `ok` | expected the name of a file in quotes | write for example `from "a.aut";`"#,
            ],
        ),
    ]);
}
