component M mixts {
  props p, q;
  init a;
  a: {!p, q} !> b ?> a;
  b: {p, q} -> b;
}
property "step to p": mu <> p;
