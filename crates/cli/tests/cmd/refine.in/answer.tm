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
