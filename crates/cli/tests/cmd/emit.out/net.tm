component Sender lts {
  init s0;
  s0: -think-> s0 -send-> s1;
  s1: -rest-> s2;
  s2: -rest-> s0;
}

component Net unknown { actions lose; }

component Receiver lts {
  init r0;
  r0: -recv-> r1;
  r1: -store-> r0;
}

system Sender || Net || Receiver sync { Sender:send | Receiver:recv -> comm; } hide { think };

property "no loss": mcf [true*.lose] false;
property "every comm/store": mcf [true*.comm.(!store)*.comm] false;
