component M gkmts {
  props p;
  init i;
  i: {p} ?> a, b !> {a, b};
  a: {p}  -> a;
  b: {!p} -> b;
  a_or_b: {} ?> i;
}
property "a step": mu <> (p | !p);
