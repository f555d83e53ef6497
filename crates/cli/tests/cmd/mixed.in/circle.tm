component M mixts {
  props p;
  init a;
  a: {} -> a;
  b: {} -> b;
  c: {} -> c;
  covers a: b, ...;
  covers b: c, ...;
  covers c: a, ...;
}
property p: mu p;
