component M mixts {
  props p;
  init s;
  s: {p} !> b ?> t, u;
  t: {p} -> t;
  u: {!p} -> u;
  b: {} ?> t, u;
  covers b: t, u;
}
component N kmts {
  props p, q;
  init r;
  r: {p, q} -> v;
  v: {q} -> v;
}
system M || N;
property "a step": mu <> true;
property q: mu q;
