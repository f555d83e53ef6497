// The alternating bit protocol over two channels that lose what they carry.
//
// The sender accepts a message and repeats it with its bit until the right acknowledgement comes; the
// receiver delivers a message once and acknowledges it as often as it comes. The last property needs
// fixpoints that alternate: something happens infinitely often, something else never.
//
// expect: "delivered once" = true
// expect: "delivered before the next is accepted" = true
// expect: "no deadlock" = true
// expect: "delivery is certain" = false
// expect: "the frame may come again and again for nothing" = true
component Sender lts {
  init ready0;
  ready0: -accept-> send0;
  send0:  -put0-> wait0;
  wait0:  -ack0-> ready1 -ack1-> wait0 -timeout-> send0;
  ready1: -accept-> send1;
  send1:  -put1-> wait1;
  wait1:  -ack1-> ready0 -ack0-> wait1 -timeout-> send1;
}

component Forth lts {
  init empty;
  empty: -put0-> has0 -put1-> has1;
  has0:  -get0-> empty -lose-> empty -put0-> has0 -put1-> has1;
  has1:  -get1-> empty -lose-> empty -put0-> has0 -put1-> has1;
}

component Receiver lts {
  init want0;
  want0:  -get0-> new0 -get1-> again1;
  new0:   -deliver-> again0;
  again0: -reply0-> want1;
  want1:  -get1-> new1 -get0-> again0;
  new1:   -deliver-> again1;
  again1: -reply1-> want0;
}

component Back lts {
  init empty;
  empty: -reply0-> has0 -reply1-> has1;
  has0:  -ack0-> empty -drop-> empty -reply0-> has0 -reply1-> has1;
  has1:  -ack1-> empty -drop-> empty -reply0-> has0 -reply1-> has1;
}

system Sender || Forth || Receiver || Back;

property "delivered once": mcf [true*.deliver.(!accept)*.deliver] false;
property "delivered before the next is accepted": mcf [true*.accept.(!deliver)*.accept] false;
property "no deadlock": mcf [true*] <true> true;
property "delivery is certain": mcf [true*.accept] mu X. [!deliver] X && <true> true;
property "the frame may come again and again for nothing":
  mcf <true*> nu X. mu Y. <get0> X || <!get0 && !accept> Y;
