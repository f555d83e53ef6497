// Written by `tertium check --emit-abstraction`: an abstraction of Door for the property "EF open".
component Door kmts {
  props open, red;
  init a2;
  a0: {open} ?> a0, a2;
  a1: {} -> a0;
  a2: {} -> a1;
}

