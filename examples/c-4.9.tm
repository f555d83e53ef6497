// C Example 4.9: an output answers an input. Figure 5 is missing from the text at hand: this is a
// reconstruction from the captions, Example 5.11 and §5.1. What those say, and what is so here:
// o is local to M1, i to M2, r is joint; s1 and s2 carry r, t0 does not, t1 and t2 do; s0 steps to
// itself and to s1, s1 to s2; i is false in t0; both t1 and t2 have a step to a state with r; the
// property holds of the composition and is unknown in each lifted component (c-4.9-m1.tm, c-4.9-m2.tm).
//
// expect: "input is answered" = true
component M1 kripke {
  props r, o;
  init s0;
  s0: {}     -> s0, s1;
  s1: {r}    -> s2;
  s2: {r, o} -> s0;
}

component M2 kripke {
  props r, i;
  init t0;
  t0: {}     -> t0, t1;
  t1: {r, i} -> t2;
  t2: {r}    -> t0, t1;
}

system M1 || M2;

property "input is answered": mu [] (!i | <> o);
