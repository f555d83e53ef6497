// Written by `tertium check --emit-abstraction`: an abstraction of Sender for the property "every comm/store".
component Sender mts {
  actions think, send, rest;
  init a0;
  a0: -think?> a0 -send?> a0 -rest?> a0;
}

