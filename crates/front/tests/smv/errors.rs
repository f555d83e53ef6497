//! Messages about wrong texts.

use crate::support::{compact, read};

fn complaints(text: &str) -> Vec<String> {
    let diagnostics = match read(text) {
        Ok(document) => document.warnings,
        Err(errors) => errors,
    };
    compact(text, &diagnostics).lines().map(str::to_owned).collect()
}

fn assert_complaints(cases: &[(&str, &[&str])]) {
    for (text, wanted) in cases {
        assert_eq!(complaints(text), *wanted, "{text}");
    }
}

#[test]
fn syntax() {
    assert_complaints(&[
        (
            "VAR x : boolean;",
            &[
                "1:1 expected `MODULE`, found `VAR` | expected `MODULE` | put `MODULE main` before the declarations",
            ],
        ),
        (
            "MODULE main VAR x boolean; y : 0..3
ASSIGN next(y) := y + 1
  next(x) = TRUE;",
            &[
                "1:19 expected `:` and a type, found `boolean` | expected `:` and a type | write for example `x : boolean;`",
                "1:35 expected `;` after the declaration, found `ASSIGN` | a `;` is missing after this",
                "2:23 expected `;` after the assignment, found `next` | a `;` is missing after this",
                "3:11 expected `:=`, found `=` | expected `:=` | an assignment is written `:=`",
            ],
        ),
        (
            "MODULE main VAR x : 0..3; ASSIGN next(x) := case x = 0 : 1; x = 1 : 2 esac;",
            &[
                "1:71 expected an operator or `;`, found `esac` | expected an operator or `;` | every branch of a `case` ends with `;`",
            ],
        ),
        (
            "MODULE main VAR x : 0..3; LTLSPEC [] x = 1; LTLSPEC <> x = 1",
            &[
                "1:36 expected an expression, found `]` | expected an expression | `[]` and `<>` are Promela's operators; write `G` and `F`",
                "1:53 expected an expression, found `<` | expected an expression | `[]` and `<>` are Promela's operators; write `G` and `F`",
            ],
        ),
        (
            "MODULE main VAR x : 0..3; SPEC AG (x = 1 & ; SPEC AF x = 2)",
            &[
                "1:44 expected an expression, found `;` | expected an expression | something is missing after `&`",
                "1:59 expected an operator, `;` or the next part of the module, found `)` | expected an operator, `;` or the next part of the module | this parenthesis was never opened",
            ],
        ),
        (
            "MODULE main VAR x : 0..3; SPEC AG x = 1 + AF x = 2; SPEC EBF 3..1 x = 2; MUSPEC AG x = 1; MUSPEC mu Z x = 1; SPEC A x = 1; SPEC G x = 1",
            &[
                "1:62 the bounds are empty | there is no such step | write the smaller one first: `1..3`",
                "1:103 expected `.` after the variable, found `x` | expected `.` after the variable | write `mu Z. f`",
                "1:117 expected `[` and a path formula, found `x` | expected `[` and a path formula | write `A[f U g]`, or `AG f`, `AF f`, `AX f`",
                "1:131 expected an operator, `;` or the next part of the module, found `x` | expected an operator, `;` or the next part of the module | CTL has path quantifiers: write `AG f` or `EG f`",
            ],
        ),
        (
            "MODULE main VAR x : boolean; SPEC EBF x; SPEC EBF 1 x; SPEC A[x BU x]; SPEC ABG 0..2000 x; LTLSPEC EBF 0..1 x",
            &[
                "1:39 expected a number of steps, found `x` | expected a number of steps | the bounds are written for example `1..3`",
                "1:53 expected `..` between the bounds, found `x` | expected `..` between the bounds | the bounds are written for example `1..3`",
                "1:68 expected a number of steps, found `x` | expected a number of steps | the bounds are written for example `1..3`",
                "1:81 the bound is too large | so many steps | at most 1000 steps can be counted: leave the bounds away, or count in a variable",
                "1:100 expected an operator of linear time, found `EBF` | expected an operator of linear time | write the steps out by `X`, or ask in CTL",
            ],
        ),
        (
            "MODULE main VAR x : 0..3; COMPUTE [x = 0, x = 3]; COMPUTE MIN x = 0; COMPUTE MAX[x = 0]; COMPUTE MIN[x = 0, x = 3; COMPUTE NAME m = MIN[x = 0, x = 3]; COMPUTE MIN[G x = 0, x = 3]",
            &[
                "1:35 expected `MIN` or `MAX`, found `[` | expected `MIN` or `MAX` | write `COMPUTE MIN[f, g]` or `COMPUTE MAX[f, g]`: the lengths of paths from `f` to `g`",
                "1:63 expected `[` and two formulas of CTL, found `x` | expected `[` and two formulas of CTL | write `COMPUTE MIN[f, g]` or `COMPUTE MAX[f, g]`: the lengths of paths from `f` to `g`",
                "1:87 expected an operator or `,`, found `]` | expected an operator or `,`",
                "1:114 expected an operator or `]`, found `;` | expected an operator or `]`",
                "1:131 expected `:=` after the name, found `=` | expected `:=` after the name",
                "1:166 expected an operator or `,`, found `x` | expected an operator or `,` | CTL has path quantifiers: write `AG f` or `EG f`",
            ],
        ),
        (
            "MODULE main VAR y : array word[3] of boolean; z : real; t : array 0..1 of clock; i : array integer of {a};",
            &[
                "1:21 warning: an array that is indexed by words is not supported | what depends on this is not known",
                "1:51 warning: the type `real` is not supported | what depends on this is not known",
                "1:75 warning: the type `clock` is not supported | what depends on this is not known",
                "1:86 warning: an array that is indexed by integers is not supported | what depends on this is not known",
            ],
        ),
        (
            r#"MODULE main VAR x : boolean && TRUE; INIT x == TRUE; INIT x || x; INIT 1.5 > x; INIT "a" = x; INIT x § x;"#,
            &[
                r#"1:29 expected `;` after the declaration, found `&&` | expected `;` after the declaration | "and" is written `&`"#,
                "1:45 expected an operator, `;` or the next part of the module, found `==` | expected an operator, `;` or the next part of the module | equality is written `=`",
                r#"1:61 expected an operator, `;` or the next part of the module, found `||` | expected an operator, `;` or the next part of the module | "or" is written `|`"#,
                r#"1:86 expected an expression, found `"a"` | expected an expression | SMV has no strings: take the quotes away"#,
                "1:102 expected an operator, `;` or the next part of the module, found `§` | expected an operator, `;` or the next part of the module | this character has no meaning here: take it out",
            ],
        ),
        (
            "MODULE main VAR x : boolean; /-- oops",
            &[
                "1:30 expected the name of a variable, found a comment that is not closed | expected the name of a variable | close it with `--/`",
            ],
        ),
        (
            "MODULE main
VAR x : boolean;
SPECC AG x
COMPASSION (x, !x)
FAIRNESS x = 1
MIRROR x",
            &[
                "3:7 expected `:` and a type, found `AG` | expected `:` and a type | did you mean `SPEC`?",
            ],
        ),
        (
            "MODULE main VAR self : boolean; next : 0..3; DEFINE y[0] := 1; DEFINE m.z := TRUE;",
            &[
                "1:33 expected the name of a variable, found `next` | expected the name of a variable | `next` is a reserved word: choose another name",
            ],
        ),
        (
            "MODULE main VAR x : 0..2305843009213693952; INIT x * x > 1; INIT 99999999999999999999 = x; INIT 0b3_19 = 0d_3;",
            &[
                "1:97 `0b3_19` is no word | a digit does not fit the base | a word is written for example `0ud8_255`, `-0sd8_1` or `0b4_1010`",
            ],
        ),
        (
            "MODULE main VAR x : boolean; DEFINE d := x; ASSIGN next(d) := TRUE; next(TRUE) := x; next(y) := TRUE; x := TRUE; init(x) := FALSE;",
            &[
                "1:74 expected `init(…)`, `next(…)` or a variable to assign to, found `TRUE` | expected `init(…)`, `next(…)` or a variable to assign to | `TRUE` is a reserved word",
            ],
        ),
        (
            "MODULE main VAR x : boolean; SPEC G (x) & not x; SPEC x and x; SPEC A [x U]; SPEC (x; SPEC x)",
            &[
                "1:37 expected an operator, `;` or the next part of the module, found `(` | expected an operator, `;` or the next part of the module | CTL has path quantifiers: write `AG f` or `EG f`",
                r#"1:57 expected an operator, `;` or the next part of the module, found `and` | expected an operator, `;` or the next part of the module | "and" is written `&`"#,
                "1:75 expected an expression, found `]` | expected an expression | something is missing after `U`",
                "1:85 expected an operator or `)`, found `;` | expected an operator or `)` | 1:83 opened here",
                "1:93 expected an operator, `;` or the next part of the module, found `)` | expected an operator, `;` or the next part of the module | this parenthesis was never opened",
            ],
        ),
        (
            "MODULE main VAR x : 0..2305843009213693952; INIT x * x > 1; INIT x + x + x > 1",
            &[
                "1:50 warning: an integer that can get larger than 2^61 is not supported | what depends on this is not known",
                "1:66 warning: an integer that can get larger than 2^61 is not supported | what depends on this is not known",
            ],
        ),
    ]);
}

#[test]
fn types() {
    assert_complaints(&[
        (
            "MODULE main VAR x : 0..3; y : boolean; SPEC AG x & y; SPEC x = y; SPEC y + 1 = 2; SPEC !x; SPEC y < y;",
            &[
                "1:48 expected a condition, found an integer | this is an integer | compare it with something: `x = 1`",
                "1:64 `=` between values of different types | this is a truth value | 1:60 this is an integer | truth values are `TRUE` and `FALSE`, not 1 and 0",
                "1:72 `+` takes integers or words, and this is a truth value | this is a truth value",
                "1:89 `!` takes a condition or a word, and this is an integer | this is an integer",
                "1:97 `<` takes integers or words, and this is a truth value | this is a truth value",
            ],
        ),
        (
            "MODULE main VAR w : word[3]; v : word[4]; s : signed word[3]; b : boolean; i : 0..3;
INIT w + v = w; INIT w = s; INIT w + 1 = w; INIT w & b; INIT w[3:0] = v; INIT w[i:0] = v; INIT w << s = w; INIT w in {w, w}; INIT bool(w);",
            &[
                "2:10 `+` between values of different types | this is an unsigned word of 4 bits | 2:6 this is an unsigned word of 3 bits | make them equally wide by `extend(…, n)` or `resize(…, n)`",
                "2:26 `=` between values of different types | this is a signed word of 3 bits | 2:22 this is an unsigned word of 3 bits | convert one of them by `signed(…)` or `unsigned(…)`",
                "2:38 `+` between values of different types | this is an integer | 2:34 this is an unsigned word of 3 bits | write the number as a word, such as `0ud8_1`, or convert the word by `toint(…)`",
                "2:54 `&` between values of different types | this is a truth value | 2:50 this is an unsigned word of 3 bits | convert by `bool(…)` or `word1(…)`",
                "2:64 expected a constant from 0 to 2 | not such a constant",
                "2:81 expected a constant from 0 to 2 | not such a constant",
                "2:101 `<<` takes an integer or an unsigned word on its right, and this is a signed word of 3 bits | this is a signed word of 3 bits",
                "2:119 words in a set | this is a word | choose by a variable: `c ? a : b` with `c` a boolean `IVAR`",
                "2:136 `bool` takes a word of 1 bit or an integer, and this is an unsigned word of 3 bits | this is an unsigned word of 3 bits",
            ],
        ),
        (
            "MODULE main VAR a : array 0..2 of boolean; i : 0..5; INIT a; INIT a[5]; INIT i[0]; ASSIGN next(a[i]) := TRUE; next(a) := TRUE;",
            &[
                "1:59 an array where a value is expected | this is an array | name one of its elements: `array[0]`",
                "1:69 the index 5 is outside of the array's bounds | the bounds are 0..2",
                "1:78 an index on what is no array | this is no array | bits of a word are written `w[3:3]`",
                "1:98 a variable index on the left of an assignment | this is no constant | assign to each element: `next(a[0]) := i = 0 ? … : a[0];`",
                "1:116 an array where a value is expected | this is an array | name one of its elements: `array[0]`",
            ],
        ),
        (
            "MODULE main VAR m : sub; INIT m; INIT m.y; INIT q.x; INIT m.x.z; MODULE sub VAR x : boolean;",
            &[
                "1:31 an instance of a module where a value is expected | this is an instance of a module | name one of its variables: `instance.variable`",
                "1:39 unknown name `y` | neither the module `sub` nor a type has this name | the names are `x`",
                "1:49 `q` is no instance of a module | there is nothing of this name",
                "1:59 `m.x` is no instance of a module | it has no parts",
            ],
        ),
        (
            "MODULE main VAR x : 0..3; INIT x = {1, 2}; INIT {1, TRUE} = x; INIT case x : 1; TRUE : FALSE; esac; INIT case x = 1 : 1; TRUE : FALSE; esac;",
            &[
                "1:36 a set where a single value is expected | this is a set | sets stand on the right of `:=` and of `in`",
                "1:53 a set of different sorts of values | this is a truth value | 1:50 this is an integer",
                "1:74 expected a condition, found an integer | this is an integer | compare it with something: `x = 1`",
                "1:129 the branches give different sorts of values | this is a truth value | 1:119 this is an integer",
            ],
        ),
        (
            "MODULE main VAR x : {red, 1}; red : boolean; INIT red; INIT x = red",
            &[
                "1:51 warning: `red` is both a name and a value | the name is meant here | rename one of them: NuSMV does not accept this",
                "1:65 warning: `red` is both a name and a value | the name is meant here | rename one of them: NuSMV does not accept this",
                "1:65 `=` between values of different types | this is a truth value | 1:61 this is a symbolic value",
            ],
        ),
        (
            "MODULE main VAR x : 0..3; SPEC AG x = (AF x = 2); MUSPEC AG x = 1; MUSPEC nu Z. Z + 1 = x; SPEC next(x) = 1; SPEC AG (x > 1 -> 3)",
            &[
                "1:35 a temporal formula where a value is expected | this operator takes values | temporal formulas are joined by `!`, `&`, `|`, `xor`, `->` and `<->`",
                "1:58 an operator of CTL in `MUSPEC` | belongs to `CTLSPEC` | write it as a fixpoint: `AG p` is `nu Z. p & [] Z`",
                "1:81 a temporal formula where a value is expected | this operator takes values | temporal formulas are joined by `!`, `&`, `|`, `xor`, `->` and `<->`",
                "1:97 `next` in a specification | this is about two states | `next` stands in `TRANS` and on the right of `next(x) := …`",
                "1:128 `->` takes conditions or words, and this is an integer | this is an integer",
            ],
        ),
        (
            "MODULE main VAR w : word[40]; INIT w :: w = w; INIT extend(w, 30) = w; INIT toint(w) > 0; INIT uwconst(9, 3) = 0ud3_1; INIT word1(w) = 0ud1_0; INIT count(w) = 1; INIT max(w, 1) = w; INIT abs(w) = w;",
            &[
                "1:96 9 does not fit an unsigned word of 3 bits | too large",
                "1:131 `word1` takes a truth value, and this is an unsigned word of 40 bits | this is an unsigned word of 40 bits",
                "1:155 expected a condition, found an unsigned word of 40 bits | this is an unsigned word of 40 bits",
                "1:175 `max` takes two integers or two words of one type, and this is an integer | this is an integer",
                "1:192 `abs` takes an integer, and this is an unsigned word of 40 bits | this is an unsigned word of 40 bits",
            ],
        ),
        (
            "MODULE main VAR x : 0..N; y : 0..x; z : word[z]; DEFINE N := M; M := N;",
            &[
                "1:34 this is no constant number | has to be known beforehand | bounds and widths are made of numbers and definitions of numbers",
                "1:46 this is no constant number | has to be known beforehand | bounds and widths are made of numbers and definitions of numbers",
                "1:70 this is no constant number | has to be known beforehand | bounds and widths are made of numbers and definitions of numbers",
            ],
        ),
    ]);
}

#[test]
fn names() {
    assert_complaints(&[
        (
            "MODULE main VAR x : bolean;",
            &[
                "1:21 unknown module `bolean` | neither a module nor a type has this name | did you mean `boolean`?",
            ],
        ),
        (
            "MODULE main VAR state : {idle, busy}; ASSIGN init(state) := idel; next(state) := {busy, done};",
            &[
                "1:61 unknown name `idel` | neither the module `main` nor a type has this name | did you mean `idle`?",
                "1:89 unknown name `done` | neither the module `main` nor a type has this name | the names are `state`, `idle`, `busy`",
            ],
        ),
        (
            "MODULE main VAR x : 0..3; ASSIGN init(x) := 5; next(x) := {1, 7}; next(x) := 2;",
            &[
                "1:45 `x` is assigned 5, which is out of range | outside of its type | 1:17 declared here",
                "1:59 `x` is assigned 7, which is out of range | outside of its type | 1:17 declared here",
            ],
        ),
        (
            "MODULE main VAR x : 0..3; SPEC AG x-1 = 2; SPEC true; SPEC AG running",
            &[
                "1:35 unknown name `x-1` | neither the module `main` nor a type has this name | `-` is a part of names: put spaces around it, `x - …`",
                "1:49 unknown name `true` | neither the module `main` nor a type has this name | write `TRUE`",
                "1:63 unknown name `running` | neither the module `main` nor a type has this name | `running` exists where there are processes",
            ],
        ),
        (
            "MODULE main VAR m : sub(1); n : sbu(1, 2); MODULE sub(a, b) VAR z : boolean;",
            &[
                "1:17 the module `sub` has 2 parameters and gets 1 | arguments: 1 | 1:51 parameters: 2",
            ],
        ),
        (
            "MODULE main VAR m : sub; MODULE sub VAR n : sub;",
            &[
                "1:45 the module `sub` contains itself | directly or through other modules | 1:33 the module",
            ],
        ),
        (
            "MODULE main DEFINE a := b; b := c & a; c := TRUE; SPEC a",
            &[
                "1:20 `a` is defined by itself | this definition never ends | the cycle is `a` → `b` → `a`",
            ],
        ),
        (
            "MODULE main VAR x : 3..1; w : word[65]; e : {a, b, a}; x : boolean;",
            &[
                "1:56 the name `x` is declared twice | declared again here | 1:17 declared first here | take one of them out, or rename it",
            ],
        ),
        (
            "MODULE main IVAR i : 0..3; VAR x : 0..3; FROZENVAR f : boolean; INIT i = 1; ASSIGN init(x) := i; next(i) := 1; next(f) := TRUE; TRANS next(i) = 2; SPEC EF i = 1",
            &[
                "1:70 the input `i` in `INIT` | inputs belong to steps, not to states | declare the variable by `VAR` instead of `IVAR`",
                "1:95 the input `i` in an assignment to a state | inputs belong to steps, not to states | declare the variable by `VAR` instead of `IVAR`",
                "1:103 `i` cannot be assigned to | an input gets any value in every step | 1:18 declared here | declare it by `VAR`",
                "1:117 `f` cannot be assigned to | a frozen variable keeps its first value | 1:52 declared here | declare it by `VAR`",
                "1:140 `next` of an input | inputs belong to steps, not to states | declare the variable by `VAR`",
            ],
        ),
        (
            "MODULE main(p) VAR x : boolean;",
            &[
                "1:13 the module `main` has parameters | it is never assigned | declare them as variables, for example by `IVAR`",
            ],
        ),
        (
            "MODULE mian VAR x : boolean;",
            &[
                "1:8 there is no module `main` | the first module | the system is what `MODULE main` describes",
            ],
        ),
        (
            "MODULE main VAR x : boolean; MODULE main VAR y : boolean;",
            &[
                "1:37 the module `main` is declared twice | declared again here | 1:8 declared first here | take one of them out, or rename it",
            ],
        ),
        (
            "",
            &[
                "1:1 there is no module `main` | the file is empty | the system is what `MODULE main` describes",
            ],
        ),
        (
            "MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := 1; next(x) := 2; x := 1; DEFINE d := x; ASSIGN next(d) := TRUE; next(y) := 1;",
            &[
                "1:34 `x` is assigned to twice | assigned again here | 1:76 assigned first here | `x := …` says all; otherwise there is one `init(x)` and one `next(x)`",
                "1:48 `x` is assigned to twice | assigned again here | 1:76 assigned first here | `x := …` says all; otherwise there is one `init(x)` and one `next(x)`",
                "1:62 `x` is assigned to twice | assigned again here | 1:48 assigned first here | `x := …` says all; otherwise there is one `init(x)` and one `next(x)`",
                "1:111 an assignment to what is no variable | this is defined elsewhere | assign to variables only; definitions are made by `DEFINE`",
                "1:128 unknown name `y` | neither the module `main` nor a type has this name | the names are `d`, `x`",
            ],
        ),
        (
            "MODULE main VAR self : boolean; DEFINE y[0] := 1;",
            &[
                "1:17 `self` cannot be declared | it has a meaning of its own | choose another name",
                "1:40 only a name can be defined | this is no name | an array is defined at once: `d := [1, 2, 3];`",
            ],
        ),
    ]);
}

#[test]
fn machines() {
    assert_complaints(&[
        (
            "MODULE main VAR x : boolean; y : boolean; ASSIGN next(x) := next(y); next(y) := next(x);",
            &[
                "1:50 the value of `x` depends on itself | assigned here | the cycle is `x` → `y` → `x`",
            ],
        ),
        (
            "MODULE main VAR x : 0..3; INIT next(x) = 1; INVAR next(x) = 1; TRANS next(next(x)) = 1; SPEC next(x) = 1",
            &[
                "1:32 `next` in `INIT` | this is about two states | `next` stands in `TRANS` and on the right of `next(x) := …`",
                "1:51 `next` in `INVAR` | this is about two states | `next` stands in `TRANS` and on the right of `next(x) := …`",
                "1:75 a `next` within a `next` | is already about the next state | one step is all that a transition sees",
            ],
        ),
        ("MODULE main ASSIGN ", &[]),
    ]);
}
