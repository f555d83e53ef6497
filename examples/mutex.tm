// Two processes share a turn. A plain Kripke structure: nothing in it is unknown, so every answer is
// true or false. `w` is waiting, `c` is in the critical section.
//
// expect: "never both" = true
// expect: "1 gets in" = false
// expect: "1 can get in" = true
component Mutex kripke {
  props w1, c1, w2, c2;
  init idle;
  idle: {}       -> want1, want2;
  want1: {w1}    -> in1, both;
  want2: {w2}    -> in2, both;
  both: {w1, w2} -> in1w, in2w;
  in1: {c1}      -> idle, in1w;
  in2: {c2}      -> idle, in2w;
  in1w: {c1, w2} -> want2;
  in2w: {w1, c2} -> want1;
}

property "never both":   ctl AG !(c1 & c2);
property "1 gets in":    ctl AG (w1 -> AF c1);
property "1 can get in": ctl AG (w1 -> EF c1);
