component M mixts {
  props p;
  init i;
  i: {p}  ?> a, b !> u;
  a: {p}  -> a;
  b: {!p};
  u: {}   ?> a;
  covers u: a, b;
}
property "two steps":  mu <> <> true;
property "never ends": ctl AG EX true;
