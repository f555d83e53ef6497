// G §5: the three kinds of failure node of Lemma 2, in one small KMTS. The paper has no numbered
// examples; this one is ours.
//
// Each unknown has its own cause: a literal; a may step to where the formula is false; and, for `AF`,
// a may step back to where the value is open itself: if the loop exists, s never has to reach p.
//
// expect: "1: a literal" = unknown
// expect: "2: a may step to a false son" = unknown
// expect: "3: a may step to an unknown son" = unknown
// expect: "p can be reached" = true
component K kmts {
  props p, q;
  init s;
  s: {!p, q?} -> t ?> s;
  t: {p, q}   -> t;
}

property "1: a literal":                     ctl q;
property "2: a may step to a false son":     ctl AX p;
property "3: a may step to an unknown son":  ctl AF p;
property "p can be reached":                 ctl EF p;
