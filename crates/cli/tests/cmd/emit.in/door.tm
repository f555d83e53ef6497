component Door kripke {
  props open, red;
  init a;
  a: {}          -> b;
  b: {red}       -> c;
  c: {open}      -> d;
  d: {open, red} -> a;
}

property shuts: ctl AG (open -> EF !open);
