component Left mts {
  actions go, stop;
  init l0;
  l0: -go-> l1 -go?> l0;
  l1: -stop-> l0;
}
component Right lts {
  actions go, rest;
  init r0, r1;
  r0: -go-> r1;
  r1: -rest-> r0;
}
system Left || Right;
property "can go": mu <go> true;
property "stop comes": mcf [true*.go]<true*.stop>true;
