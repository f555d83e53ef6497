//! Complaints about what a component says.

use super::assert_complaints;

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
fn models_that_nothing_refines() {
    let help = "a must transition needs a may transition: add `?>` to a state with a common concretisation, or write `->`";
    let monotone =
        "what holds in a state holds in all that it covers: the labelling has to be monotone";
    assert_complaints(&[
        (
            "component M mixts { init s; s: !> t ?> s; t: ; }",
            &[&format!(
                "1:32 no may transition allows that `s` must go to `t` | every system has such a step | {help}"
            )],
        ),
        (
            "component M gkmts { init s; s: !> {t, u} ?> s; t: ; u: ; }",
            &[&format!(
                "1:32 no may transition allows that `s` must go to `t` or `u` | every system has such a step | {help}"
            )],
        ),
        (
            "component M mixts { init s; s: -> u; t: ?> t; u: ?> u; covers s: t, ...; }",
            &[&format!(
                "1:32 no may transition allows that `s` must go to `u` | this holds in all that it covers, too | 1:38 `t` may not do it | {help}"
            )],
        ),
        (
            "component M mixts { props p; init s; s: {p} -> s; t: {!p}; covers s: t, ...; }",
            &[&format!(
                "1:42 `s` and `t` say the opposite of `p` | `s` covers `t` | 1:51 here the opposite is said | {monotone}"
            )],
        ),
        (
            "component M mixts { props p; init s; s: {p} -> s; t: ; covers s: t, ...; }",
            &[&format!(
                "1:42 `s` says more of `p` than `t` does | `s` covers `t` | 1:51 this is not said here | {monotone}"
            )],
        ),
        (
            "component M mixts { init s; s: ; t: ; u: ; covers s: t; covers s: u, ...; }",
            &[
                "1:57 two lists of what `s` covers do not fit together | another list | 1:44 the first list | a list without `...` is complete: make them one list",
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
                "1:48 the state `s` covers itself | the covering state again | every state covers itself: remove it from the list",
                "1:61 unknown state `x` | `M` has no state of this name | each state needs a line of its own, even without arrows: `s: ;`",
            ],
        ),
        (
            "component M mixts { init s; s: -> s; t: ; u: ; covers s: t, ...; covers t: u; covers u: s; }",
            &[
                "1:79 the `covers` lines are cyclic: `s` covers `t` covers `u` covers `s` | this line closes the cycle | states that cover each other are equal: make them one state",
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
                "1:41 a state in the unknown component `M` | its states are not specified | 1:13 unknown | take the states out, or declare the component as `kmts` or `mts`",
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
