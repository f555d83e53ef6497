// C Example 4.9, second component, lifted (C Def. 4.3). A reconstruction, see c-4.9.tm.
//
// expect: "input is answered" = unknown
// expect: "no input, or output next" in t0 = true
// expect: "no input, or output next" in t1 = unknown
component M2.lifted kmts {
  props r, i, o;
  init t0;
  t0: {!r, !i} ?> t0, t1;
  t1: {r, i}   ?> t2;
  t2: {r, !i}  ?> t0, t1;
}

property "input is answered":         mu [] (!i | <> o);
property "no input, or output next":  mu !i | <> o;
