// X Fig. 1, K4: x-m3.tm as a KMTS (MTOK, X Def. 5). The new state a5 stands for x > 0 and odd(x), which
// is what the must-only step of a1 amounts to. A reconstruction, see x-m3.tm; a5 and its steps are as
// the text lists them.
//
// expect: "a step into x > 0" = true
// expect: "every step to odd x" = true
// expect: "a step to odd x" = true
component K4 kmts {
  props p, q, r;
  init a1;
  a1: {p, q, r}  -> a5 ?> a1, a3;
  a2: {p}        -> a4 ?> a1, a2, a3;
  a3: {p, q, !r} ?> a3;
  a4: {p, !r}    ?> a3;
  a5: {p, q}     -> a4 ?> a1, a2, a3;
}

property "a step into x > 0":   mu <> p;
property "every step to odd x": mu [] q;
property "a step to odd x":     mu <> q;
