// What all refinements agree on, and what they do not.
component Coin kmts {
  props p, q;
  init s;
  s: {p?, q} ?> s, t;
  t: {p?, !q} ?> t;
}

property "both ways": mu <> p & <> !p;
property either: mu [] (p | !p);
property none: mu p & !p;
property "ends in q": ctl EF q;
property "comes back": mu nu X. mu Y. ((q & <> X) | (!q & p & <> Y) | [] false);
