component Sets gkmts {
  props on, up;
  init a;
  a: {!on} !> {b, c} ?> b;
  b: {on, up} -> b;
  c: {on, !up} -> c ?> a;
}
property "goes on": mu <> on;
property "goes up": mu <> up;
