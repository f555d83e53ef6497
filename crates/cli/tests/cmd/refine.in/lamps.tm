component Lamps kripke {
  props red, blue;
  init a;
  a: {} -> c;
  b: {} -> d, a;
  c: {red} -> b;
  d: {blue} -> a;
}

property lit: ctl AG (red | blue | EX (red | blue));
