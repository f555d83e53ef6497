// Written by `tertium check --emit-abstraction`: an abstraction of Sender for the property "no loss".
component Sender mts {
  actions think, send, rest;
  init a0;
  a0: -think-> a0 -send-> a2;
  a1: -rest-> a0;
  a2: -rest-> a1;
}

