component M mixts {
  props p;
  init u;
  a: {p}  -> a ?> b;
  b: {!p} -> b;
  u: {}   ?> a, b;
  covers u: a, b;
}
component K kripke {
  props p, t;
  init x;
  x: {p, t} -> x;
}
system M || K;
property "begins in p": mu p;
property "stays in t": mu nu Z. (t & <> Z);
property "stops": mu [] false;
