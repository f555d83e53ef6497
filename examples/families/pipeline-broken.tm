// Stages in a row work on data, one bit at a time, and hand it on when the next stage is ready.
//
// Stage 0 shows that it is ready (`r0`); when the source offers a datum (`vin`, whose value is `din`) it
// takes it, works (`b0`) and offers it to stage 1 (`v0`, `d0`) until that is ready (`r1`). The source
// offers and the sink is ready (`rout`) when they like. No
// stage can block another, but how long one works cannot be seen from outside.
//
// One stage, not stage 0, may offer a zero that it never took.
//
// expect: "local: stage 0 takes one datum at a time" = true
// expect: "local: work ends in an offer" = true
// expect: "local: an offer stands until it is taken" = true
// expect: "local: stage 0 can work" = true
// expect: "local: stage 0 works again and again" = false
// expect: "local: stage 0 works while it is ready" = false
// expect: "two-party: ones are handed on as ones" = true
// expect: "two-party: what is taken is worked on" = true
// expect: "two-party: stage 0 need never work" = true
// expect: "two-party: both stages can be busy at once" = true
// expect: "two-party: nothing is handed on" = false
// expect: "two-party: stage 1 loses a datum" = false
// expect: "global: nothing comes out before something goes in" = false
// expect: "global: all ones until a zero goes in" = false
// expect: "global: something comes out of nothing" = true
// expect: "global: stage 0 can always get ready" = true
// expect: "global: what goes in makes something come out" = true
// expect: "global: data can flow forever" = true
// expect: "global: what is offered is taken in the end" = false
component Source kripke {
  props vin, din, r0;
  init quiet.0, quiet.1;
  quiet.0: {} -> quiet.0, quiet.1, offer_0.0, offer_0.1, offer_1.0, offer_1.1;
  quiet.1: {r0} -> quiet.0, quiet.1, offer_0.0, offer_0.1, offer_1.0, offer_1.1;
  offer_0.0: {vin} -> offer_0.0, offer_0.1;
  offer_0.1: {vin, r0} -> quiet.0, quiet.1, offer_0.0, offer_0.1, offer_1.0, offer_1.1;
  offer_1.0: {vin, din} -> offer_1.0, offer_1.1;
  offer_1.1: {vin, din, r0} -> quiet.0, quiet.1, offer_0.0, offer_0.1, offer_1.0, offer_1.1;
}

component Stage0 kripke {
  props r0, b0, v0, d0, vin, din, r1;
  init empty.000, empty.001, empty.010, empty.011, empty.100, empty.101, empty.110, empty.111;
  empty.000: {r0} -> empty.000, empty.001, empty.010, empty.011, empty.100, empty.101, empty.110, empty.111;
  empty.001: {r0, r1} -> empty.000, empty.001, empty.010, empty.011, empty.100, empty.101, empty.110, empty.111;
  empty.010: {r0, din} -> empty.000, empty.001, empty.010, empty.011, empty.100, empty.101, empty.110, empty.111;
  empty.011: {r0, din, r1} -> empty.000, empty.001, empty.010, empty.011, empty.100, empty.101, empty.110, empty.111;
  empty.100: {r0, vin} -> work1_0.000, work1_0.001, work1_0.010, work1_0.011, work1_0.100, work1_0.101, work1_0.110, work1_0.111;
  empty.101: {r0, vin, r1} -> work1_0.000, work1_0.001, work1_0.010, work1_0.011, work1_0.100, work1_0.101, work1_0.110, work1_0.111;
  empty.110: {r0, vin, din} -> work1_1.000, work1_1.001, work1_1.010, work1_1.011, work1_1.100, work1_1.101, work1_1.110, work1_1.111;
  empty.111: {r0, vin, din, r1} -> work1_1.000, work1_1.001, work1_1.010, work1_1.011, work1_1.100, work1_1.101, work1_1.110, work1_1.111;
  work1_0.000: {b0} -> work2_0.000, work2_0.001, work2_0.010, work2_0.011, work2_0.100, work2_0.101, work2_0.110, work2_0.111;
  work1_0.001: {b0, r1} -> work2_0.000, work2_0.001, work2_0.010, work2_0.011, work2_0.100, work2_0.101, work2_0.110, work2_0.111;
  work1_0.010: {b0, din} -> work2_0.000, work2_0.001, work2_0.010, work2_0.011, work2_0.100, work2_0.101, work2_0.110, work2_0.111;
  work1_0.011: {b0, din, r1} -> work2_0.000, work2_0.001, work2_0.010, work2_0.011, work2_0.100, work2_0.101, work2_0.110, work2_0.111;
  work1_0.100: {b0, vin} -> work2_0.000, work2_0.001, work2_0.010, work2_0.011, work2_0.100, work2_0.101, work2_0.110, work2_0.111;
  work1_0.101: {b0, vin, r1} -> work2_0.000, work2_0.001, work2_0.010, work2_0.011, work2_0.100, work2_0.101, work2_0.110, work2_0.111;
  work1_0.110: {b0, vin, din} -> work2_0.000, work2_0.001, work2_0.010, work2_0.011, work2_0.100, work2_0.101, work2_0.110, work2_0.111;
  work1_0.111: {b0, vin, din, r1} -> work2_0.000, work2_0.001, work2_0.010, work2_0.011, work2_0.100, work2_0.101, work2_0.110, work2_0.111;
  work1_1.000: {b0} -> work2_1.000, work2_1.001, work2_1.010, work2_1.011, work2_1.100, work2_1.101, work2_1.110, work2_1.111;
  work1_1.001: {b0, r1} -> work2_1.000, work2_1.001, work2_1.010, work2_1.011, work2_1.100, work2_1.101, work2_1.110, work2_1.111;
  work1_1.010: {b0, din} -> work2_1.000, work2_1.001, work2_1.010, work2_1.011, work2_1.100, work2_1.101, work2_1.110, work2_1.111;
  work1_1.011: {b0, din, r1} -> work2_1.000, work2_1.001, work2_1.010, work2_1.011, work2_1.100, work2_1.101, work2_1.110, work2_1.111;
  work1_1.100: {b0, vin} -> work2_1.000, work2_1.001, work2_1.010, work2_1.011, work2_1.100, work2_1.101, work2_1.110, work2_1.111;
  work1_1.101: {b0, vin, r1} -> work2_1.000, work2_1.001, work2_1.010, work2_1.011, work2_1.100, work2_1.101, work2_1.110, work2_1.111;
  work1_1.110: {b0, vin, din} -> work2_1.000, work2_1.001, work2_1.010, work2_1.011, work2_1.100, work2_1.101, work2_1.110, work2_1.111;
  work1_1.111: {b0, vin, din, r1} -> work2_1.000, work2_1.001, work2_1.010, work2_1.011, work2_1.100, work2_1.101, work2_1.110, work2_1.111;
  work2_0.000: {b0} -> offer_0.000, offer_0.001, offer_0.010, offer_0.011, offer_0.100, offer_0.101, offer_0.110, offer_0.111;
  work2_0.001: {b0, r1} -> offer_0.000, offer_0.001, offer_0.010, offer_0.011, offer_0.100, offer_0.101, offer_0.110, offer_0.111;
  work2_0.010: {b0, din} -> offer_0.000, offer_0.001, offer_0.010, offer_0.011, offer_0.100, offer_0.101, offer_0.110, offer_0.111;
  work2_0.011: {b0, din, r1} -> offer_0.000, offer_0.001, offer_0.010, offer_0.011, offer_0.100, offer_0.101, offer_0.110, offer_0.111;
  work2_0.100: {b0, vin} -> offer_0.000, offer_0.001, offer_0.010, offer_0.011, offer_0.100, offer_0.101, offer_0.110, offer_0.111;
  work2_0.101: {b0, vin, r1} -> offer_0.000, offer_0.001, offer_0.010, offer_0.011, offer_0.100, offer_0.101, offer_0.110, offer_0.111;
  work2_0.110: {b0, vin, din} -> offer_0.000, offer_0.001, offer_0.010, offer_0.011, offer_0.100, offer_0.101, offer_0.110, offer_0.111;
  work2_0.111: {b0, vin, din, r1} -> offer_0.000, offer_0.001, offer_0.010, offer_0.011, offer_0.100, offer_0.101, offer_0.110, offer_0.111;
  work2_1.000: {b0} -> offer_1.000, offer_1.001, offer_1.010, offer_1.011, offer_1.100, offer_1.101, offer_1.110, offer_1.111;
  work2_1.001: {b0, r1} -> offer_1.000, offer_1.001, offer_1.010, offer_1.011, offer_1.100, offer_1.101, offer_1.110, offer_1.111;
  work2_1.010: {b0, din} -> offer_1.000, offer_1.001, offer_1.010, offer_1.011, offer_1.100, offer_1.101, offer_1.110, offer_1.111;
  work2_1.011: {b0, din, r1} -> offer_1.000, offer_1.001, offer_1.010, offer_1.011, offer_1.100, offer_1.101, offer_1.110, offer_1.111;
  work2_1.100: {b0, vin} -> offer_1.000, offer_1.001, offer_1.010, offer_1.011, offer_1.100, offer_1.101, offer_1.110, offer_1.111;
  work2_1.101: {b0, vin, r1} -> offer_1.000, offer_1.001, offer_1.010, offer_1.011, offer_1.100, offer_1.101, offer_1.110, offer_1.111;
  work2_1.110: {b0, vin, din} -> offer_1.000, offer_1.001, offer_1.010, offer_1.011, offer_1.100, offer_1.101, offer_1.110, offer_1.111;
  work2_1.111: {b0, vin, din, r1} -> offer_1.000, offer_1.001, offer_1.010, offer_1.011, offer_1.100, offer_1.101, offer_1.110, offer_1.111;
  offer_0.000: {v0} -> offer_0.000, offer_0.001, offer_0.010, offer_0.011, offer_0.100, offer_0.101, offer_0.110, offer_0.111;
  offer_0.001: {v0, r1} -> empty.000, empty.001, empty.010, empty.011, empty.100, empty.101, empty.110, empty.111;
  offer_0.010: {v0, din} -> offer_0.000, offer_0.001, offer_0.010, offer_0.011, offer_0.100, offer_0.101, offer_0.110, offer_0.111;
  offer_0.011: {v0, din, r1} -> empty.000, empty.001, empty.010, empty.011, empty.100, empty.101, empty.110, empty.111;
  offer_0.100: {v0, vin} -> offer_0.000, offer_0.001, offer_0.010, offer_0.011, offer_0.100, offer_0.101, offer_0.110, offer_0.111;
  offer_0.101: {v0, vin, r1} -> empty.000, empty.001, empty.010, empty.011, empty.100, empty.101, empty.110, empty.111;
  offer_0.110: {v0, vin, din} -> offer_0.000, offer_0.001, offer_0.010, offer_0.011, offer_0.100, offer_0.101, offer_0.110, offer_0.111;
  offer_0.111: {v0, vin, din, r1} -> empty.000, empty.001, empty.010, empty.011, empty.100, empty.101, empty.110, empty.111;
  offer_1.000: {v0, d0} -> offer_1.000, offer_1.001, offer_1.010, offer_1.011, offer_1.100, offer_1.101, offer_1.110, offer_1.111;
  offer_1.001: {v0, d0, r1} -> empty.000, empty.001, empty.010, empty.011, empty.100, empty.101, empty.110, empty.111;
  offer_1.010: {v0, d0, din} -> offer_1.000, offer_1.001, offer_1.010, offer_1.011, offer_1.100, offer_1.101, offer_1.110, offer_1.111;
  offer_1.011: {v0, d0, din, r1} -> empty.000, empty.001, empty.010, empty.011, empty.100, empty.101, empty.110, empty.111;
  offer_1.100: {v0, d0, vin} -> offer_1.000, offer_1.001, offer_1.010, offer_1.011, offer_1.100, offer_1.101, offer_1.110, offer_1.111;
  offer_1.101: {v0, d0, vin, r1} -> empty.000, empty.001, empty.010, empty.011, empty.100, empty.101, empty.110, empty.111;
  offer_1.110: {v0, d0, vin, din} -> offer_1.000, offer_1.001, offer_1.010, offer_1.011, offer_1.100, offer_1.101, offer_1.110, offer_1.111;
  offer_1.111: {v0, d0, vin, din, r1} -> empty.000, empty.001, empty.010, empty.011, empty.100, empty.101, empty.110, empty.111;
}

component Stage1 kripke {
  props r1, b1, v1, d1, v0, d0, rout;
  init empty.000, empty.001, empty.010, empty.011, empty.100, empty.101, empty.110, empty.111;
  empty.000: {r1} -> empty.000, empty.001, empty.010, empty.011, empty.100, empty.101, empty.110, empty.111, offer_0.000, offer_0.001, offer_0.010, offer_0.011, offer_0.100, offer_0.101, offer_0.110, offer_0.111;
  empty.001: {r1, rout} -> empty.000, empty.001, empty.010, empty.011, empty.100, empty.101, empty.110, empty.111, offer_0.000, offer_0.001, offer_0.010, offer_0.011, offer_0.100, offer_0.101, offer_0.110, offer_0.111;
  empty.010: {r1, d0} -> empty.000, empty.001, empty.010, empty.011, empty.100, empty.101, empty.110, empty.111, offer_0.000, offer_0.001, offer_0.010, offer_0.011, offer_0.100, offer_0.101, offer_0.110, offer_0.111;
  empty.011: {r1, d0, rout} -> empty.000, empty.001, empty.010, empty.011, empty.100, empty.101, empty.110, empty.111, offer_0.000, offer_0.001, offer_0.010, offer_0.011, offer_0.100, offer_0.101, offer_0.110, offer_0.111;
  empty.100: {r1, v0} -> work1_0.000, work1_0.001, work1_0.010, work1_0.011, work1_0.100, work1_0.101, work1_0.110, work1_0.111;
  empty.101: {r1, v0, rout} -> work1_0.000, work1_0.001, work1_0.010, work1_0.011, work1_0.100, work1_0.101, work1_0.110, work1_0.111;
  empty.110: {r1, v0, d0} -> work1_1.000, work1_1.001, work1_1.010, work1_1.011, work1_1.100, work1_1.101, work1_1.110, work1_1.111;
  empty.111: {r1, v0, d0, rout} -> work1_1.000, work1_1.001, work1_1.010, work1_1.011, work1_1.100, work1_1.101, work1_1.110, work1_1.111;
  offer_0.000: {v1} -> offer_0.000, offer_0.001, offer_0.010, offer_0.011, offer_0.100, offer_0.101, offer_0.110, offer_0.111;
  offer_0.001: {v1, rout} -> empty.000, empty.001, empty.010, empty.011, empty.100, empty.101, empty.110, empty.111;
  offer_0.010: {v1, d0} -> offer_0.000, offer_0.001, offer_0.010, offer_0.011, offer_0.100, offer_0.101, offer_0.110, offer_0.111;
  offer_0.011: {v1, d0, rout} -> empty.000, empty.001, empty.010, empty.011, empty.100, empty.101, empty.110, empty.111;
  offer_0.100: {v1, v0} -> offer_0.000, offer_0.001, offer_0.010, offer_0.011, offer_0.100, offer_0.101, offer_0.110, offer_0.111;
  offer_0.101: {v1, v0, rout} -> empty.000, empty.001, empty.010, empty.011, empty.100, empty.101, empty.110, empty.111;
  offer_0.110: {v1, v0, d0} -> offer_0.000, offer_0.001, offer_0.010, offer_0.011, offer_0.100, offer_0.101, offer_0.110, offer_0.111;
  offer_0.111: {v1, v0, d0, rout} -> empty.000, empty.001, empty.010, empty.011, empty.100, empty.101, empty.110, empty.111;
  work1_0.000: {b1} -> work2_0.000, work2_0.001, work2_0.010, work2_0.011, work2_0.100, work2_0.101, work2_0.110, work2_0.111;
  work1_0.001: {b1, rout} -> work2_0.000, work2_0.001, work2_0.010, work2_0.011, work2_0.100, work2_0.101, work2_0.110, work2_0.111;
  work1_0.010: {b1, d0} -> work2_0.000, work2_0.001, work2_0.010, work2_0.011, work2_0.100, work2_0.101, work2_0.110, work2_0.111;
  work1_0.011: {b1, d0, rout} -> work2_0.000, work2_0.001, work2_0.010, work2_0.011, work2_0.100, work2_0.101, work2_0.110, work2_0.111;
  work1_0.100: {b1, v0} -> work2_0.000, work2_0.001, work2_0.010, work2_0.011, work2_0.100, work2_0.101, work2_0.110, work2_0.111;
  work1_0.101: {b1, v0, rout} -> work2_0.000, work2_0.001, work2_0.010, work2_0.011, work2_0.100, work2_0.101, work2_0.110, work2_0.111;
  work1_0.110: {b1, v0, d0} -> work2_0.000, work2_0.001, work2_0.010, work2_0.011, work2_0.100, work2_0.101, work2_0.110, work2_0.111;
  work1_0.111: {b1, v0, d0, rout} -> work2_0.000, work2_0.001, work2_0.010, work2_0.011, work2_0.100, work2_0.101, work2_0.110, work2_0.111;
  work1_1.000: {b1} -> work2_1.000, work2_1.001, work2_1.010, work2_1.011, work2_1.100, work2_1.101, work2_1.110, work2_1.111;
  work1_1.001: {b1, rout} -> work2_1.000, work2_1.001, work2_1.010, work2_1.011, work2_1.100, work2_1.101, work2_1.110, work2_1.111;
  work1_1.010: {b1, d0} -> work2_1.000, work2_1.001, work2_1.010, work2_1.011, work2_1.100, work2_1.101, work2_1.110, work2_1.111;
  work1_1.011: {b1, d0, rout} -> work2_1.000, work2_1.001, work2_1.010, work2_1.011, work2_1.100, work2_1.101, work2_1.110, work2_1.111;
  work1_1.100: {b1, v0} -> work2_1.000, work2_1.001, work2_1.010, work2_1.011, work2_1.100, work2_1.101, work2_1.110, work2_1.111;
  work1_1.101: {b1, v0, rout} -> work2_1.000, work2_1.001, work2_1.010, work2_1.011, work2_1.100, work2_1.101, work2_1.110, work2_1.111;
  work1_1.110: {b1, v0, d0} -> work2_1.000, work2_1.001, work2_1.010, work2_1.011, work2_1.100, work2_1.101, work2_1.110, work2_1.111;
  work1_1.111: {b1, v0, d0, rout} -> work2_1.000, work2_1.001, work2_1.010, work2_1.011, work2_1.100, work2_1.101, work2_1.110, work2_1.111;
  work2_0.000: {b1} -> offer_0.000, offer_0.001, offer_0.010, offer_0.011, offer_0.100, offer_0.101, offer_0.110, offer_0.111;
  work2_0.001: {b1, rout} -> offer_0.000, offer_0.001, offer_0.010, offer_0.011, offer_0.100, offer_0.101, offer_0.110, offer_0.111;
  work2_0.010: {b1, d0} -> offer_0.000, offer_0.001, offer_0.010, offer_0.011, offer_0.100, offer_0.101, offer_0.110, offer_0.111;
  work2_0.011: {b1, d0, rout} -> offer_0.000, offer_0.001, offer_0.010, offer_0.011, offer_0.100, offer_0.101, offer_0.110, offer_0.111;
  work2_0.100: {b1, v0} -> offer_0.000, offer_0.001, offer_0.010, offer_0.011, offer_0.100, offer_0.101, offer_0.110, offer_0.111;
  work2_0.101: {b1, v0, rout} -> offer_0.000, offer_0.001, offer_0.010, offer_0.011, offer_0.100, offer_0.101, offer_0.110, offer_0.111;
  work2_0.110: {b1, v0, d0} -> offer_0.000, offer_0.001, offer_0.010, offer_0.011, offer_0.100, offer_0.101, offer_0.110, offer_0.111;
  work2_0.111: {b1, v0, d0, rout} -> offer_0.000, offer_0.001, offer_0.010, offer_0.011, offer_0.100, offer_0.101, offer_0.110, offer_0.111;
  work2_1.000: {b1} -> offer_1.000, offer_1.001, offer_1.010, offer_1.011, offer_1.100, offer_1.101, offer_1.110, offer_1.111;
  work2_1.001: {b1, rout} -> offer_1.000, offer_1.001, offer_1.010, offer_1.011, offer_1.100, offer_1.101, offer_1.110, offer_1.111;
  work2_1.010: {b1, d0} -> offer_1.000, offer_1.001, offer_1.010, offer_1.011, offer_1.100, offer_1.101, offer_1.110, offer_1.111;
  work2_1.011: {b1, d0, rout} -> offer_1.000, offer_1.001, offer_1.010, offer_1.011, offer_1.100, offer_1.101, offer_1.110, offer_1.111;
  work2_1.100: {b1, v0} -> offer_1.000, offer_1.001, offer_1.010, offer_1.011, offer_1.100, offer_1.101, offer_1.110, offer_1.111;
  work2_1.101: {b1, v0, rout} -> offer_1.000, offer_1.001, offer_1.010, offer_1.011, offer_1.100, offer_1.101, offer_1.110, offer_1.111;
  work2_1.110: {b1, v0, d0} -> offer_1.000, offer_1.001, offer_1.010, offer_1.011, offer_1.100, offer_1.101, offer_1.110, offer_1.111;
  work2_1.111: {b1, v0, d0, rout} -> offer_1.000, offer_1.001, offer_1.010, offer_1.011, offer_1.100, offer_1.101, offer_1.110, offer_1.111;
  offer_1.000: {v1, d1} -> offer_1.000, offer_1.001, offer_1.010, offer_1.011, offer_1.100, offer_1.101, offer_1.110, offer_1.111;
  offer_1.001: {v1, d1, rout} -> empty.000, empty.001, empty.010, empty.011, empty.100, empty.101, empty.110, empty.111;
  offer_1.010: {v1, d1, d0} -> offer_1.000, offer_1.001, offer_1.010, offer_1.011, offer_1.100, offer_1.101, offer_1.110, offer_1.111;
  offer_1.011: {v1, d1, d0, rout} -> empty.000, empty.001, empty.010, empty.011, empty.100, empty.101, empty.110, empty.111;
  offer_1.100: {v1, d1, v0} -> offer_1.000, offer_1.001, offer_1.010, offer_1.011, offer_1.100, offer_1.101, offer_1.110, offer_1.111;
  offer_1.101: {v1, d1, v0, rout} -> empty.000, empty.001, empty.010, empty.011, empty.100, empty.101, empty.110, empty.111;
  offer_1.110: {v1, d1, v0, d0} -> offer_1.000, offer_1.001, offer_1.010, offer_1.011, offer_1.100, offer_1.101, offer_1.110, offer_1.111;
  offer_1.111: {v1, d1, v0, d0, rout} -> empty.000, empty.001, empty.010, empty.011, empty.100, empty.101, empty.110, empty.111;
}

component Sink kripke {
  props rout, v1, d1;
  init ready.00, ready.01, ready.10, ready.11;
  ready.00: {rout} -> ready.00, ready.01, ready.10, ready.11, slow.00, slow.01, slow.10, slow.11;
  ready.01: {rout, d1} -> ready.00, ready.01, ready.10, ready.11, slow.00, slow.01, slow.10, slow.11;
  ready.10: {rout, v1} -> ready.00, ready.01, ready.10, ready.11, slow.00, slow.01, slow.10, slow.11;
  ready.11: {rout, v1, d1} -> ready.00, ready.01, ready.10, ready.11, slow.00, slow.01, slow.10, slow.11;
  slow.00: {} -> ready.00, ready.01, ready.10, ready.11, slow.00, slow.01, slow.10, slow.11;
  slow.01: {d1} -> ready.00, ready.01, ready.10, ready.11, slow.00, slow.01, slow.10, slow.11;
  slow.10: {v1} -> ready.00, ready.01, ready.10, ready.11, slow.00, slow.01, slow.10, slow.11;
  slow.11: {v1, d1} -> ready.00, ready.01, ready.10, ready.11, slow.00, slow.01, slow.10, slow.11;
}

system Source || Stage0 || Stage1 || Sink;

property "local: stage 0 takes one datum at a time": ctl AG !(r0 & v0);
property "local: work ends in an offer": ctl AG (b0 -> AF v0);
property "local: an offer stands until it is taken": ctl AG (v0 & !r1 -> AX v0);
property "local: stage 0 can work": ctl EF b0;
property "local: stage 0 works again and again": ctl AG AF b0;
property "local: stage 0 works while it is ready": ctl EF (r0 & b0);
property "two-party: ones are handed on as ones": ctl AG (v0 & d0 & r1 -> AX A[!v1 U v1 & d1]);
property "two-party: what is taken is worked on": ctl AG (v0 & r1 -> AX b1);
property "two-party: stage 0 need never work": ctl EG !b0;
property "two-party: both stages can be busy at once": ctl EF (b0 & !r1);
property "two-party: nothing is handed on": ctl AG !(v0 & r1);
property "two-party: stage 1 loses a datum": ctl EF (v0 & r1 & EX !b1);
property "global: nothing comes out before something goes in": ctl A[!v1 W vin];
property "global: all ones until a zero goes in": ctl A[(v1 -> d1) W vin & !din];
property "global: something comes out of nothing": ctl E[!vin U v1];
property "global: stage 0 can always get ready": ctl AG EF r0;
property "global: what goes in makes something come out": ctl AG (vin & r0 -> AF v1);
property "global: data can flow forever": mu nu X. mu Y. <> (vin & r0 & (mu Z. <> (v1 & rout & X | Z)) | Y);
property "global: what is offered is taken in the end": ctl AG (v0 -> AF r1);
