// X Fig. 1, M2: here a3 stands for x > 0 and so for all that a2 stands for, and more. The hyper-transition
// from a1 to {a2, a3} of G2 is an ordinary must step to a3. A reconstruction from §3.1; the text says no
// more about the rest of the figure.
//
// expect: "x > 0 next" = true
// expect: "odd next" = unknown
component M2 mixts {
  props p, q;
  init a1;
  a1: {!p, !q} -> a3 ?> a2;
  a2: {p, q}   -> a2;
  a3: {p}      -> a3;
  covers a3: a2, ...;
}

property "x > 0 next": mu <> p;
property "odd next":   mu <> q;
