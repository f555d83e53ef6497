component M mixts {
  props p;
  init u, c;
  a: {p}  -> a;
  b: {!p} -> b;
  c: {!p} -> c;
  u: {}   ?> a, b;
  covers u: a, b, ...;
}
property "begins in p":   mu p;
property "begins in !p":  mu !p;
