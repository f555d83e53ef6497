//! Every complaint about a `.tm` file: place, message, labels, help.

use crate::support::complaints;

fn assert_complaints(cases: &[(&str, &[&str])]) {
    for (text, expected) in cases {
        let found = complaints(text);
        assert_eq!(found.lines().collect::<Vec<_>>(), *expected, "{text}");
    }
}

#[test]
fn must_outside_of_may() {
    assert_complaints(&[
        (
            "component M kmts { props p; init s; s: {p} !> s; }",
            &[
                "1:44 the must transition from `s` to `s` is not a may transition | must only | 1:13 in `kmts` every must is also a may | write `->` for must and may, or declare the component as `mixts`",
            ],
        ),
        (
            "component M mts { init s; s: -a!> s; }",
            &[
                "1:30 the must transition from `s` to `s` is not a may transition | must only | 1:13 in `mts` every must is also a may | write `-a->` for must and may",
            ],
        ),
        (
            "component M kripke { props p; init s; s: {p} !> s; }",
            &[
                "1:46 `!>` in the `kripke` component `M` | must only: this needs a partial kind | 1:13 every transition is both may and must here | write `->`, or declare the component as `mixts`",
            ],
        ),
        (
            "component M lts { init s; s: -a!> s; }",
            &[
                "1:30 `!>` in the `lts` component `M` | must only: this needs a partial kind | 1:13 every transition is both may and must here | write `-a->`",
            ],
        ),
        ("component M kmts { props p; init s; s: {p} !> s ?> s; }", &[]),
    ]);
}

#[test]
fn may_in_complete_kinds() {
    assert_complaints(&[
        (
            "component M kripke { props p; init s; s: {p} ?> s; }",
            &[
                "1:46 `?>` in the `kripke` component `M` | may only: this needs a partial kind | 1:13 every transition is both may and must here | write `->`, or declare the component as `kmts`",
            ],
        ),
        (
            "component M lts { init s; s: -a?> s; }",
            &[
                "1:30 `?>` in the `lts` component `M` | may only: this needs a partial kind | 1:13 every transition is both may and must here | write `-a->`, or declare the component as `mts`",
            ],
        ),
        (
            "component M kripke { props p; init s; s: {p?} -> s; }",
            &[
                "1:43 `p?` in a `kripke` component | nothing is unknown in this kind | 1:13 every label is true or false here | write `p` or `!p`, or declare `M` as `kmts`",
            ],
        ),
    ]);
}

#[test]
fn contradicting_labels() {
    assert_complaints(&[
        (
            "component M kmts { props p; init s; s: {p, !p} -> s; }",
            &[
                "1:44 `p` is both true and false in one state | false here | 1:41 true here | a state gives each proposition one value: take one of the two out",
            ],
        ),
        (
            "component M kmts { props p; init s; s: {p, p?} -> s; }",
            &[
                "1:44 `p` is both true and unknown in one state | unknown here | 1:41 true here | a state gives each proposition one value: take one of the two out",
            ],
        ),
        (
            "component M kmts { props p; init s; s: {!p?} -> s; }",
            &[
                "1:41 `!p?` says both that `p` is false and that it is unknown | one of `!` and `?` | write `!p` or `p?`",
            ],
        ),
        ("component M kmts { props p; init s; s: {p, p} -> s; }", &[]),
    ]);
}

#[test]
fn states() {
    assert_complaints(&[
        (
            "component M kripke { props p; init s; s: {p} -> s; s: {} -> s; }",
            &[
                "1:52 the state `s` is described twice | described again here | 1:39 described first here | put its labels and all its arrows on one line",
            ],
        ),
        (
            "component M kripke { props p; init stat; state: {p} -> stae; }",
            &[
                "1:36 unknown state `stat` | `M` has no state of this name | did you mean `state`?",
                "1:56 unknown state `stae` | `M` has no state of this name | did you mean `state`?",
            ],
        ),
        (
            "component M kripke { props p; init x; s: {p} -> yyyyy; }",
            &[
                "1:36 unknown state `x` | `M` has no state of this name | each state needs a line of its own, even without arrows: `s: ;`",
                "1:49 unknown state `yyyyy` | `M` has no state of this name | each state needs a line of its own, even without arrows: `s: ;`",
            ],
        ),
        (
            "component M kripke { props p; s0: {p} -> s0; }",
            &[
                "1:11 the component `M` has no initial state | there is no `init` line in it | add for example `init s0;` before the states",
            ],
        ),
        (
            "component M kripke { props p; init {p}; s: {p} -> s; }",
            &[
                "1:36 labels where initial states are expected | `M` has states with names | write `init s;`; labels after `init` are for `unknown` components",
            ],
        ),
        (
            "component M kripke { props p; init s; init t; s: {p} -> s; t: ; }",
            &[
                "1:39 a second `init` line | the second one | 1:31 the first one | put all initial states on one line: `init a, b;`",
            ],
        ),
    ]);
}

#[test]
fn names_of_propositions_and_actions() {
    assert_complaints(&[
        (
            "component M kripke { props ready; init s; s: {raedy} -> s; }",
            &["1:47 unknown proposition `raedy` | `M` does not declare it | did you mean `ready`?"],
        ),
        (
            "component M kripke { props p; init s; s: {quite} -> s; }",
            &[
                "1:43 unknown proposition `quite` | `M` does not declare it | add `quite` to the `props` line",
            ],
        ),
        (
            "component M kripke { init s; s: {p} -> s; }",
            &["1:34 unknown proposition `p` | `M` does not declare it | declare it: `props p;`"],
        ),
        (
            "component M kripke { props p, q, p; init s; s: {p} -> s; }",
            &[
                "1:34 the proposition `p` is declared twice | declared again here | 1:28 declared first here | take one of them out, or rename it",
            ],
        ),
        (
            "component M lts { actions a, b, a; init s; s: -a-> s; }",
            &[
                "1:33 the action `a` is declared twice | declared again here | 1:27 declared first here | take one of them out, or rename it",
            ],
        ),
        (
            "component M kripke { props true; init s; s: {} -> s; }",
            &[
                "1:28 `true` cannot be the name of a proposition | formulas use this word for something else | call it for example `true_`",
            ],
        ),
        (
            "component M lts { actions send; init s; s: -snd-> s -tau-> s; }",
            &["1:45 unknown action `snd` | `M` does not declare it | did you mean `send`?"],
        ),
    ]);
}

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
                "2:13 the component `M` stands in the system twice | again as part 2 | 2:8 here first | a second copy needs a name of its own: write the component again under it",
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
    assert_complaints(&[(
        "component M kmts { props p; init s; s: {p} -> s, t; t: {p?}; }
component N kripke { props p; init t; t: {p} -> t; }
system M || N;",
        &[
            "1:57 warning: the joint proposition `p` is unknown in `M` | unknown in the state `t` | unknown agrees only with unknown: this state never meets one in which another component knows `p`",
        ],
    )]);
}

#[test]
fn hyper_transitions() {
    assert_complaints(&[
        (
            "component M mixts { props p; init s; s: {p} !> {s, t}; t: ; }",
            &[
                "1:48 a hyper-transition in a `mixts` component | one transition to a set of states | 1:13 this kind has none | write `!> a, b` for a transition to each, or declare the component as `gkmts`",
            ],
        ),
        (
            "component M kripke { props p; init s; s: {p} -> {s, t}; t: ; }",
            &[
                "1:49 a hyper-transition in a `kripke` component | one transition to a set of states | 1:13 this kind has none | write `-> a, b` for a transition to each, or declare the component as `gkmts`",
            ],
        ),
        (
            "component M gkmts { props p; init s; s: {p} -> {s, t}; t: ; }",
            &[
                "1:45 a hyper-transition that is not must only | a set of targets follows this arrow | 1:48 the set | write `!> {a, b}`, and `?> a, b` for what may happen",
            ],
        ),
        (
            "component M gkmts { props p; init s; s: {p} !> {s, t, ss}; t: ; }",
            &["1:55 unknown state `ss` | `M` has no state of this name | did you mean `s`?"],
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
fn covers() {
    assert_complaints(&[
        (
            "component M kmts { init s; s: -> s; covers s: s; }",
            &[
                "1:37 `covers` in a `kmts` component | only for `mixts` and `gkmts` | 1:13 the states of this kind are disjoint | take the line out, or declare the component as `mixts`",
            ],
        ),
        (
            "component M mixts { init s; s: -> s; covers s: s; covers s: x; }",
            &[
                "1:48 the state `s` covers itself | the covering state again | every state stands for what it stands for: take it out of the list",
                "1:61 unknown state `x` | `M` has no state of this name | each state needs a line of its own, even without arrows: `s: ;`",
            ],
        ),
        (
            "component M mixts { init s; s: -> s; t: ; u: ; covers s: t, ...; covers t: u; covers u: s; }",
            &[
                "1:79 the `covers` lines go in a circle: `s` covers `t` covers `u` covers `s` | this line closes the circle | states that cover each other stand for the same: make them one state",
            ],
        ),
        (
            "component M mixts { init s; s: -> s; covers s; covers s: ; covers s: ...; covers s: t, ..., s; }",
            &[
                "1:46 expected `:` after the covering state, found `;` | expected `:` after the covering state | write `covers a: b, c;`, or `covers a: b, ...;` for those and more",
                "1:58 expected the name of a covered state, found `;` | expected the name of a covered state | write `covers a: b, c;`, or `covers a: b, ...;` for those and more",
                "1:70 expected the name of a covered state, found `.` | expected the name of a covered state | write `covers a: b, c;`, or `covers a: b, ...;` for those and more",
                "1:91 expected `;` after the covered states, found `,` | expected `;` after the covered states",
            ],
        ),
    ]);
}

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
            "property a: mu p &;
property b: ctl [] p;
property c: ltl p;
property d mu p;
property e: mu p
property f: mu (p;
property g: mcf forall n: Nat. true;
property 7: mu p;",
            &[
                "1:19 expected a formula, found `;` | expected a formula | write a formula after `&`, for example `true` or a proposition",
                "2:17 expected a formula, found `[` | expected a formula | modalities belong to `mu` and `mcf`; in `ctl` write `AX f` or `EX f`",
                "3:13 expected a logic: `mu`, `ctl` or `mcf`, found `ltl` | expected a logic: `mu`, `ctl` or `mcf` | did you mean `ctl`?",
                "4:12 expected `:` after the name, found `mu` | expected `:` after the name | write for example `property safe: ctl AG !p;`",
                "6:1 expected an operator or `;`, found `property` | expected an operator or `;` | a property ends with `;`: is one missing on the line before?",
                "6:18 expected an operator or `)`, found `;` | expected an operator or `)` | 6:16 opened here | close the parenthesis with `)`",
                "7:17 `forall` is not supported in mcf | quantification over data | only the data-free, untimed part of mCRL2's modal formulas can be checked",
                "8:10 expected the name of the property, found `7` | expected the name of the property | names start with a letter or `_`: put one before the digit",
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
fn unknown_components() {
    assert_complaints(&[
        (
            "component M unknown { props a,b,c,d,e,f,g,h,i,j,k,l; init {}; }",
            &[
                "1:51 the unknown component `M` has 12 propositions | at most 11 are possible | each one doubles its states: keep those that other components share, or write a `kmts` for what is known",
            ],
        ),
        (
            "component M unknown { props a; }",
            &[
                "1:11 the component `M` has no initial state | there is no `init` line in it | add for example `init {};`, which leaves every proposition open",
            ],
        ),
        (
            "component M unknown { }",
            &[
                "1:11 the unknown component `M` declares nothing | neither `props` nor `actions` | say what it can change: `props p; init {};` or `actions a;`",
            ],
        ),
        (
            "component M unknown { props a; actions b; init {}; }",
            &[
                "1:32 `M` has both propositions and actions | actions | 1:23 propositions | keep the `props` line or the `actions` line, not both",
            ],
        ),
        (
            "component M unknown { props a; init s; }",
            &[
                "1:37 `M` is unknown and has no named states | a state is named here | say which propositions it starts with: `init {p, !q};`",
            ],
        ),
        (
            "component M unknown { props abc; init {abd, abc, !abc}; }",
            &[
                "1:40 unknown proposition `abd` | `M` does not declare it | did you mean `abc`?",
                "1:50 `abc` is both true and false in one state | false here | 1:45 true here | a state gives each proposition one value: take one of the two out",
            ],
        ),
        (
            "component M unknown { props a; init {}; s: -> s; }",
            &[
                "1:41 a state in the unknown component `M` | nobody has written its states yet | 1:13 unknown | take the states out, or declare the component as `kmts` or `mts`",
            ],
        ),
        (
            "component M unknown { actions a; init s; }",
            &[
                "1:39 `M` is unknown and has no named states | a state is named here | take the `init` line out",
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
                "1:35 a safety property with two initial states | the second | 1:32 the first | a safety property is deterministic: it starts in one state",
                "1:49 the action `a` leads from `s` to both `s` and `t` | the second target | 1:46 the first target | a safety property is deterministic: keep one of the two",
                "1:52 `tau` in a safety property | nobody can observe this step | a safety property speaks of observable actions only",
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
                "1:1 expected `component`, `system`, `safety` or `property`, found `compnent` | expected `component`, `system`, `safety` or `property` | did you mean `component`?",
            ],
        ),
        (
            "} component",
            &[
                "1:1 expected `component`, `system`, `safety` or `property`, found `}` | expected `component`, `system`, `safety` or `property` | this brace was never opened",
            ],
        ),
        (
            "component M kripke { init s; s: -> s; } §",
            &[
                "1:41 expected `component`, `system`, `safety` or `property`, found `§` | expected `component`, `system`, `safety` or `property` | this character has no meaning here: take it out",
            ],
        ),
        (
            "x",
            &[
                "1:1 expected `component`, `system`, `safety` or `property`, found `x` | expected `component`, `system`, `safety` or `property` | a model begins with `component NAME KIND {`",
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
                "1:41 expected `component`, `system`, `safety` or `property`, found a comment that is not closed | expected `component`, `system`, `safety` or `property` | close it with `*/`",
            ],
        ),
        (
            "component M kripke { init s; s: -> s; };",
            &[
                "1:40 expected `component`, `system`, `safety` or `property`, found `;` | expected `component`, `system`, `safety` or `property` | nothing precedes this semicolon: take it out",
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
