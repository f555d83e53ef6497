// Two processes take turns in a critical section; who asked first goes first.
//
// A Kripke structure: nothing in it is unknown, so every answer is true or false. `w1` says that
// process 1 waits, `c1` that it is in the critical section. To see a property fail, let `first1` go
// on to `in2w` as well: then process 2 may overtake again and again.
//
// expect: "never both" = true
// expect: "who waits gets in" = true
// expect: "no deadlock" = true
component Mutex kripke {
  props w1, c1, w2, c2;
  init idle;
  idle:   {}       -> want1, want2;
  want1:  {w1}     -> in1, first1;
  want2:  {w2}     -> in2, first2;
  first1: {w1, w2} -> in1w;
  first2: {w1, w2} -> in2w;
  in1:    {c1}     -> idle, in1w;
  in2:    {c2}     -> idle, in2w;
  in1w:   {c1, w2} -> want2;
  in2w:   {w1, c2} -> want1;
}

property "never both":        ctl AG !(c1 & c2);
property "who waits gets in": ctl AG ((w1 -> AF c1) & (w2 -> AF c2));
property "no deadlock":       mu  nu Z. (<> true & [] Z);
