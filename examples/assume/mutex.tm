// Mutual exclusion between two processes: the running example of paper A (Figs. 1 to 6).
//
// A reconstruction: the figures are missing from the text. The text has the states a to i of M and j to
// r of N, the six actions, that m, n, o and p are in no forward label and q and r apart from k and l in
// the backward ones, and the assumption of three classes: {j}, {q, r} and {k, l, m, n, o, p}. Fig. 6
// merges {b, ..., g} and {h, i} of M, which are the same classes seen from the other side. So both
// processes are taken to be the same but for the names, and nine states to be three phases of the process
// itself by three of the other.
//
// A process asks for the resource (r), obtains it (c) and gives it up (n), which it may also do
// when it has only asked. It asks only when both are idle, and it obtains the resource only while the
// other is idle. What the other does is only watched: r, c and n in this order, whatever the
// process itself is at. Each would therefore break the rule beside a partner that does not keep
// to it: the states m to p, in which both want the resource, are those that M never lets happen.
//
// tertium assume examples/assume/mutex.tm --process N --safety exclusion
//
// expect: "mutual exclusion" = true
component M lts {
  actions r1, c1, n1, r2, c2, n2;
  init a;
  a: -r1-> h -r2-> b;                       // M idle, N idle
  b: -c2-> c -n2-> a;                       // M idle, N asking
  c: -n2-> a;                               // M idle, N in
  d: -n1-> b -c2-> e -n2-> h;               // M asking, N asking
  e: -n1-> c -n2-> h;                       // M asking, N in
  f: -n1-> b -c2-> g -n2-> i;               // M in, N asking
  g: -n1-> c -n2-> i;                       // M in, N in
  h: -c1-> i -n1-> a -r2-> d;               // M asking, N idle
  i: -n1-> a -r2-> f;                       // M in, N idle
}

component N lts {
  actions r1, c1, n1, r2, c2, n2;
  init j;
  j: -r1-> k -r2-> q;                       // N idle, M idle
  k: -c1-> l -n1-> j;                       // N idle, M asking
  l: -n1-> j;                               // N idle, M in
  m: -c1-> n -n1-> q -n2-> k;               // N asking, M asking
  n: -n1-> q -n2-> l;                       // N asking, M in
  o: -c1-> p -n1-> r -n2-> k;               // N in, M asking
  p: -n1-> r -n2-> l;                       // N in, M in
  q: -r1-> m -c2-> r -n2-> j;               // N asking, M idle
  r: -r1-> o -n2-> j;                       // N in, M idle
}

system M || N;

// Fig. 2 without its error state, to which the missing steps lead.
safety exclusion lts {
  actions c1, n1, c2, n2;
  init free;
  free: -c1-> one -c2-> two -n1-> free -n2-> free;
  one:  -c1-> one -n1-> free -n2-> one;
  two:  -c2-> two -n2-> free -n1-> two;
}

property "mutual exclusion": mcf [true*.c1.(!n1)*.c2] false && [true*.c2.(!n2)*.c1] false;
