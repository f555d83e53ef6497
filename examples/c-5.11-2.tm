// C Example 5.11, second round: both states behind t1 have a step to a state with r, so the loop of t1
// becomes a must step. The answer is still unknown: i in t0 is.
// A reconstruction, see c-4.9.tm; the rounds are played by hand here.
//
// expect: "input is answered" = unknown
component M1 kripke {
  props r, o;
  init s0;
  s0: {}     -> s0, s1;
  s1: {r}    -> s2;
  s2: {r, o} -> s0;
}

component M2 kmts {
  props r, i;
  init t0;
  t0: {!r}     ?> t0, t1;
  t1: {r}      -> t1 ?> t0;
}

system M1 || M2;

property "input is answered": mu [] (!i | <> o);
