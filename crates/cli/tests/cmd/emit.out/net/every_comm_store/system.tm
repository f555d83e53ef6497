// Written by `tertium check --emit-abstraction`: the abstractions of all components for the property "every comm/store".
component Sender mts {
  actions think, send, rest;
  init a0;
  a0: -think?> a0 -send?> a0 -rest?> a0;
}

component Net unknown {
  actions lose;
}

component Receiver mts {
  actions recv, store;
  init a0;
  a0: -recv?> a1;
  a1: -store?> a0;
}

system Sender || Net || Receiver sync {
  Sender:send | Receiver:recv -> comm;
} hide { think };

property "every comm/store": mcf [true*.comm.(!store)*.comm] false;
