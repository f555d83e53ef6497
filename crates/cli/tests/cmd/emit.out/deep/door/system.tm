// Written by `tertium check --emit-abstraction`: the abstractions of all components for the property "EF open".
component Door kmts {
  props open, red;
  init a2;
  a0: {open} ?> a0, a2;
  a1: {} -> a0;
  a2: {} -> a1;
}

property "EF open": ctl EF open;
