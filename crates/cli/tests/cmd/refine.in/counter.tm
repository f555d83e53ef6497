// A counter that the property does not need, and three ways to say yes.
component Counter kripke {
  props even, low, ready;
  init n0;
  n0: {even, low, ready} -> n1, n2;
  n1: {low, ready} -> n2, n3;
  n2: {even, ready} -> n3, n0;
  n3: {ready} -> n0, n1;
}

property "always ready": ctl AG ready;
property "low again": ctl AG EF low;
property "odd at last": ctl AF !even;
