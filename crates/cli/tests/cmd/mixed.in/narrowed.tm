component M mixts {
  props p;
  init u;
  a: {p}  -> a;
  b: {!p} -> b;
  u: {}   ?> a, b;
  v: {}   ?> a;
  covers u: a, b;
  covers v: a, b;
}
property p: mu p;
