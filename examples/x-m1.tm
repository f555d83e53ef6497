// X Fig. 1, M1: x-g1.tm without the hyper-transition (GTOM, X Def. 4). The new state a5 stands for what
// a2 and a3 together stand for. A reconstruction, see x-g1.tm.
//
// Both models have the same concrete refinements, but the standard semantics finds less here (X §4.1): q is unknown
// in a5, so `q | !q` is too, and that one of a2 and a3 is always meant is not seen. The reduced semantics (X §4.2),
// which is the one for files with `covers`, asks a2 and a3 instead of a5, and finds what it finds in G1.
//
// To play with: `--semantics sis --values` beside `--values`. Without the `covers` line a5 is a state like the others,
// and nothing refines the model, since a1 must go where it may not. With `covers a5: a2, a3, ...;` the must step may lead to the
// rest of a5, of which nothing is known, and both are unknown; no may step leads there, but see x-m3.tm.
//
// expect: "a step" in a1, a2, a3, a5 = true
// expect: "a step" in a4 = unknown
// expect: "negative and odd" in a1 = true
// expect with sis: "a step" in a2, a3 = true
// expect with sis: "a step" in a1, a4, a5 = unknown
// expect with sis: "negative and odd" in a1 = unknown
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
