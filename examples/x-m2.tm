// X Fig. 1, M2: here a3 stands for x > 0 and so for all that a2 stands for, and more. The hyper-transition
// from a1 to {a2, a3} of G2 is an ordinary must step to a3. A reconstruction from §3.1; the text says no
// more about the rest of the figure.
//
// To play with: `tertium explain examples/x-m2.tm --property 'odd next'` speaks of a2 and of the rest of a3, which is
// called a3 too. With `covers a3: a2;` there is no rest, and "odd next" is true.
//
// expect: "x > 0 next" in a1, a2, a3 = true
// expect: "odd next" in a2 = true
// expect: "odd next" in a1, a3 = unknown
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
