component Set mixts {
  props p;
  init s;
  s: {p} -> s;
}

property "always p": ctl AG p;
