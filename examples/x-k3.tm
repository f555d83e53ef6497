// X Fig. 1, K3: x-m3.tm as a KMTS in the naive way, a may step beside every must step. A reconstruction,
// see x-m3.tm.
//
// It says less than M3 does: a1 may now step to a2, where x need not be odd. The system of §3.2 refines
// K3 and not M3. x-k4.tm is the right way.
//
// To play with: `tertium compare examples/x-m3.tm examples/x-k3.tm` says that K3 abstracts M3, and the other way round it does not.
//
// expect: "a step into x > 0" = true
// expect: "every step to odd x" = unknown
// expect: "a step to odd x" = unknown
component K3 kmts {
  props p, q, r;
  init a1;
  a1: {p, q, r}  -> a2 ?> a1, a3;
  a2: {p}        -> a4 ?> a1, a2, a3;
  a3: {p, q, !r} ?> a3;
  a4: {p, !r}    ?> a3;
}

property "a step into x > 0":   mu <> p;
property "every step to odd x": mu [] q;
property "a step to odd x":     mu <> q;
