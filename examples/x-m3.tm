// X Fig. 1, M3: must steps that are not may steps. p: x > 0, q: odd(x), r: y > 0. A reconstruction from
// §3.2; the steps of a3 and a4 are ours, after the concrete system printed there.
//
// From a1 there is a step into x > 0, and every step leads to a1 or a3, where x is odd. So there is a
// step to an odd x. Neither semantics draws that conclusion: the must step alone leads to all of a2, and the may steps alone
// need not be there. In x-k4.tm, which has the same refinements, the conclusion is a state.
//
// a2 must go to a4, and what a2 must do, all that it covers must do: the reduced semantics knows of a3 and a4 too that
// they have a step, the standard one does not.
//
// To play with: `tertium convert examples/x-m3.tm k4.tm --to kmts`. Let a1 go to a2 (`?> a1, a2, a3`), and
// "every step to odd x" is in doubt.
//
// expect: "a step into x > 0" in a1, a2, a3, a4 = true
// expect: "every step to odd x" in a1 = true
// expect: "a step to odd x" in a1 = unknown
// expect with sis: "a step into x > 0" in a1, a2 = true
// expect with sis: "a step into x > 0" in a3, a4 = unknown
// expect with sis: "every step to odd x" in a1 = true
// expect with sis: "a step to odd x" in a1 = unknown
component M3 mixts {
  props p, q, r;
  init a1;
  a1: {p, q, r}  ?> a1, a3 !> a2;
  a2: {p}        ?> a1, a2, a3 !> a4;
  a3: {p, q, !r} ?> a3;
  a4: {p, !r}    ?> a3;
  covers a2: a1, a3, a4, ...;
  covers a4: a3, ...;
}

property "a step into x > 0":   mu <> p;
property "every step to odd x": mu [] q;
property "a step to odd x":     mu <> q;
