component Light kripke {
  props red, green;
  init r;
  r: {red} -> g;
  g: {green} -> r;
}
property alternates: ctl AG (red <-> AX green);
