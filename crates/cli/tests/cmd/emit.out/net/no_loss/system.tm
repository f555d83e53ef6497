// Written by `tertium check --emit-abstraction`: the abstractions of all components for the property "no loss".
component Sender mts {
  actions think, send, rest;
  init a0;
  a0: -think-> a0 -send-> a2;
  a1: -rest-> a0;
  a2: -rest-> a1;
}

component Net unknown {
  actions lose;
}

component Receiver mts {
  actions recv, store;
  init a0;
  a0: -recv-> a1;
  a1: -store-> a0;
}

system Sender || Net || Receiver sync {
  Sender:send | Receiver:recv -> comm;
} hide { think };

property "no loss": mcf [true*.lose] false;
