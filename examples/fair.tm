// Fairness of actions: a medium that may lose messages, beside a clock.
//
// Nothing has to happen but for fairness. `fair Medium:send` says that a message is sent if it always can be (the clock
// may not tick for ever instead). Weak fairness of `deliver` would change nothing, since it is possible only now and
// then; strong fairness says that what is sent again and again is delivered again and again.
//
// expect: delivered = true
// expect: "not only lost" = true
// expect: ticks = false
component Medium lts {
  init ready;
  ready: -send-> full;
  full: -deliver-> ready -lose-> ready;
}

component Clock lts {
  init running;
  running: -tick-> running;
}

system Medium || Clock;

fair Medium:send, Medium;
strong fair Medium:deliver;

property delivered:       ltl G F deliver;
property "not only lost": ctlstar !E F G (!deliver & !send);
property ticks:           ltl G F tick;
