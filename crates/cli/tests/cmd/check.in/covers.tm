component M mixts {
  props p, q;
  init b;
  a1: {p, q} -> a2;
  a2: {p, !q} -> a1;
  a3: {!p} -> a3;
  b: {p} ?> a1, a2 !> b;
  covers b: a1, a2;
}
property "a step":     mu <> q | <> !q;
property "always p":   ctl AG p;
property "reaches !p": ctl EF !p;
property "begins in q": mu q;
