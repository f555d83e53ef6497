// X Fig. 1, G2: a hyper-transition that says no more than a plain one, since a3 stands for x > 0 and so
// for all that a2 stands for. x-m2.tm has the plain one. A reconstruction from §3.1; the text says no
// more about the rest of the figure.
//
// To play with: `--to mixts` makes x-m2.tm of it, without a new state. With `covers a3: a2;`, without the dots, a3 and a2 are
// the same, a1 must go to an odd x, and "odd next" is true; a reader of a3 alone would not know.
//
// expect: "x > 0 next" in a1, a2, a3 = true
// expect: "odd next" in a2 = true
// expect: "odd next" in a1, a3 = unknown
component G2 gkmts {
  props p, q;
  init a1;
  a1: {!p, !q} ?> a2, a3 !> {a2, a3};
  a2: {p, q}   -> a2;
  a3: {p}      -> a3;
  covers a3: a2, ...;
}

property "x > 0 next": mu <> p;
property "odd next":   mu <> q;
