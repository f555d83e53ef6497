// C Example 5.11, first round: M2 is replaced by its coarsest abstraction over the joint r (C Def. 5.1, Fig. 6).
// The answer is unknown; one doubt is the step of M2 from t1 to itself.
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
  t1: {r}      ?> t0, t1;
}

system M1 || M2;

property "input is answered": mu [] (!i | <> o);
