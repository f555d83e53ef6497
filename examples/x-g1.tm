// X Fig. 1, G1: a must hyper-transition. The figure is missing: a reconstruction from §3.1 and §4.1.
// p stands for x > 0 and q for odd(x). From a1 every concrete state steps to a state with x > 0, but not
// all of them to a2 and not all of them to a3. The may steps of a1 and a4 are ours. A program that refines it:
//
//   a1: x := 1 - x div 2     a2: x := -x     a3: x := x + 1     a4: x := x - 1, or nothing any more
//
// The values are those of §4.1: a1 to a3 satisfy the first formula, and so does a1 the second; compare
// x-m1.tm, which says the same without a hyper-transition.
//
// To play with: take `!> {a2, a3}` out, and it is not even sure that a1 has a step. Make the step of a3 open
// (`?> a2`): of a1 it is still sure that x is positive next, and no more that a4 can be reached.
// `tertium convert examples/x-g1.tm m1.tm --to mixts` makes x-m1.tm of it, but for the name of a5.
//
// expect: "a step" in a1, a2, a3 = true
// expect: "a step" in a4 = unknown
// expect: "negative and odd" in a1 = true
component G1 gkmts {
  props p, q;
  init a1;
  a1: {!p, !q} ?> a2, a3 !> {a2, a3};
  a2: {p, q}   -> a4;
  a3: {p, !q}  -> a2;
  a4: {!p, q}  ?> a1;
}

property "a step":           mu <> (q | !q);
property "negative and odd": mu mu Z. ((!p & q) | <> Z);
