// C Example 4.9, first component, lifted (C Def. 4.3): every step becomes a may step, and what belongs
// to the other component (i) is unknown. A reconstruction, see c-4.9.tm.
//
// Which doubts there are is in §5.1 and Example 5.11: the step from s1 to s2, and i in s0.
//
// expect: "input is answered" = unknown
// expect: "output next" in s0 = false
// expect: "output next" in s1 = unknown
component M1.lifted kmts {
  props r, o, i;
  init s0;
  s0: {!r, !o} ?> s0, s1;
  s1: {r, !o}  ?> s2;
  s2: {r, o}   ?> s0;
}

property "input is answered": mu [] (!i | <> o);
property "output next":       mu <> o;
