// The stations of ../families/token-ring.tm: each reads the wire of the one before it, which is an input.
//
// expect: "station 0 can always work again" = true
// expect: "the token comes round" = false
// expect: together.0.1 = true
// expect: together.0.2 = true
// expect: together.1.2 = true
const N = 3;

component Station(i in 0..N-1) kripke {
  props w[i], c[i], t[i], t[(i-1)%N];
  input t[(i-1)%N] : bool;
  init hold when i = 0, idle when i > 0;
  hold: -> hold, work1, pass;
  work1: {c[i]} when i < N-1 -> work2 when i = N-1 -> work1, pass;
  work2: {c[i]} -> work2, pass;
  pass: {t[i]} when t[(i-1)%N] -> hold when !t[(i-1)%N] -> idle, wait;
  idle: when t[(i-1)%N] -> hold, pass when !t[(i-1)%N] -> idle, wait;
  wait: {w[i]} when t[(i-1)%N] -> work1 when !t[(i-1)%N] -> wait;
}

system i in 0..N-1: Station(i);

property "station 0 can always work again": ctl AG EF c[0];
property "the token comes round": ctl AG AF t[0];
property together(i in 0..1, j in i+1..2): ctl AG !(c[i] & c[j]);
