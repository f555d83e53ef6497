// A lock that can be taken again while it is held.
component Left lts {
  actions take, give;
  init out;
  out: -take-> in;
  in:  -give-> out;
}
component Right lts {
  actions take2, give2;
  init out;
  out: -take2-> in;
  in:  -give2-> out;
}
component Lock lts {
  actions take, give, take2, give2;
  init free;
  free: -take-> held -take2-> held;
  held: -give-> free -give2-> free -take2-> held;
}
system Left || Right || Lock;
property "one at a time": mu nu Z. ([take] (nu Y. ([take2] false & [give] true & [give2] Y)) & [true] Z);
