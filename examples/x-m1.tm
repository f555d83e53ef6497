// X Fig. 1, M1: x-g1.tm without the hyper-transition (GTOM, X Def. 4). The new state a5 stands for what
// a2 and a3 together stand for. A reconstruction, see x-g1.tm.
//
// Both models have the same concrete refinements, but less comes out here (X §4.1): q is unknown in a5,
// so `q | !q` is too, and the standard semantics does not see that one of a2 and a3 is always meant.
//
// expect: "a step" in a2, a3 = true
// expect: "a step" in a1, a4, a5 = unknown
// expect: "negative and odd" in a1 = unknown
component M1 mixts {
  props p, q;
  init a1;
  a1: {!p, !q} ?> a2, a3 !> a5;
  a2: {p, q}   -> a4;
  a3: {p, !q}  -> a2;
  a4: {!p, q}  ?> a1;
  a5: {p}      ?> a2, a4;
  covers a5: a2, a3;
}

property "a step":           mu <> (q | !q);
property "negative and odd": mu mu Z. ((!p & q) | <> Z);
