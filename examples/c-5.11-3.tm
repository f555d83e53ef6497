// C Example 5.11, third round: the only state behind t0 has no i. Now the answer is true, and M2 is still
// known only in part.
// A reconstruction, see c-4.9.tm; the rounds are played by hand here.
//
// expect: "input is answered" = true
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
  t0: {!r, !i} ?> t0, t1;
  t1: {r}      -> t1 ?> t0;
}

system M1 || M2;

property "input is answered": mu [] (!i | <> o);
