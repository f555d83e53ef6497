component M mixts {
  props p;
  init u;
  a: {p}  -> a;
  b: {!p} -> b;
  u: {}   ?> a, b;
  covers u: a, b;
}
property "begins in p": mu p;
property "a step":      mu <> true;
property "stays in p":  ctl AG p;
