// X Fig. 1, M3: must steps that are not may steps. p: x > 0, q: odd(x), r: y > 0. A reconstruction from
// §3.2; the steps of a3 and a4 are ours, after the concrete system printed there.
//
// From a1 there is a step into x > 0, and every step leads to a1 or a3, where x is odd. So there is a
// step to an odd x; the standard semantics sees both halves and not the conclusion. x-k4.tm does.
//
// expect: "a step into x > 0" = true
// expect: "every step to odd x" = true
// expect: "a step to odd x" = unknown
component M3 mixts {
  props p, q, r;
  init a1;
  a1: {p, q, r}  ?> a1, a3 !> a2;
  a2: {p}        ?> a1, a2, a3 !> a4;
  a3: {p, q, !r} ?> a3;
  a4: {p, !r}    ?> a3;
  covers a2: a1, a3, a4, ...;
  covers a4: a3, ...;
}

property "a step into x > 0":   mu <> p;
property "every step to odd x": mu [] q;
property "a step to odd x":     mu <> q;
