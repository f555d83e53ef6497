// Written by `tertium check --emit-abstraction`: an abstraction of Receiver for the property "every comm/store".
component Receiver mts {
  actions recv, store;
  init a0;
  a0: -recv?> a1;
  a1: -store?> a0;
}

