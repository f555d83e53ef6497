// X Fig. 1, K4: x-m3.tm as a KMTS (MTOK, X Def. 5). The new state a5 stands for x > 0 and odd(x), which
// is what the must-only step of a1 amounts to. A reconstruction, see x-m3.tm; a5 and its steps are as
// the text lists them. `q` is said in a5 because a1 and a3 both say it; Def. 5 takes over what a2 says, and that is p alone.
//
// A KMTS has no `covers`: what a2, a4 and a5 stand for is a remark. So less is known in a3 than in M3, and more in a1.
//
// To play with: take q out of a5, as Def. 5 has it, and "every step to odd x" is no longer sure.
//
// expect: "a step into x > 0" in a1, a2, a5 = true
// expect: "a step into x > 0" in a3, a4 = unknown
// expect: "every step to odd x" in a1 = true
// expect: "a step to odd x" in a1 = true
component K4 kmts {
  props p, q, r;
  init a1;
  a1: {p, q, r}  -> a5 ?> a1, a3;
  a2: {p}        -> a4 ?> a1, a2, a3;
  a3: {p, q, !r} ?> a3;
  a4: {p, !r}    ?> a3;
  a5: {p, q}     -> a4 ?> a1, a2, a3;
  // covers a2: a1, a3, a4, a5, ...;
  // covers a4: a3, ...;
  // covers a5: a1, a3;
}

property "a step into x > 0":   mu <> p;
property "every step to odd x": mu [] q;
property "a step to odd x":     mu <> q;
