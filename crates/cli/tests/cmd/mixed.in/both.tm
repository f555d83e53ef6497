component M mixts {
  props p, s;
  init i;
  i: {p, s}  ?> a, b !> u;
  a: {p, s}  -> a;
  b: {!p, s} -> b;
  u: {s}     ?> a, b;
  covers u: a, b;
}
component N kripke {
  props s, t;
  init x;
  x: {s, t} -> x, y;
  y: {s}    -> x;
}
system M || N;
property "goes on": mu <> <> <> t;
property "knows p": mu <> (p | !p);
