component M mixts {
  props p;
  init a;
  a: {} -> a;
  b: {} -> b;
  c: {} -> c;
  covers a: b, ...;
  covers a: c;
}
property p: mu p;
