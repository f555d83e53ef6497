component M mixts {
  props p;
  init a;
  a: {p} -> a;
  b: {}  -> b;
  covers a: b;
}
property p: mu p;
