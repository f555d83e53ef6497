// The alternating bit protocol over two channels of one place that lose what they carry.
//
// The sender accepts a message (`in0`, `in1`, ... by what it says) and repeats it with its bit (`put0_1`: the
// bit 0, the message 1) until the acknowledgement with that bit comes (`ack0`). The receiver gets a frame
// (`get0_1`), delivers a new one (`out1`) and answers every one with its bit (`reply0`).
//
// order: what is delivered was accepted just before, and nothing is delivered twice. silence: nothing is
// delivered, which is wrong.
//
// The assumption is to stand for Receiver.
//
// expect: order = true
// expect: silence = false
component Sender lts {
  init ready0;
  ready0: -in0-> sends0_0 -in1-> sends0_1;
  sends0_0: -put0_0-> waits0_0;
  waits0_0: -timeout-> sends0_0 -ack0-> ready1 -ack1-> waits0_0;
  sends0_1: -put0_1-> waits0_1;
  waits0_1: -timeout-> sends0_1 -ack0-> ready1 -ack1-> waits0_1;
  ready1: -in0-> sends1_0 -in1-> sends1_1;
  sends1_0: -put1_0-> waits1_0;
  waits1_0: -timeout-> sends1_0 -ack1-> ready0 -ack0-> waits1_0;
  sends1_1: -put1_1-> waits1_1;
  waits1_1: -timeout-> sends1_1 -ack1-> ready0 -ack0-> waits1_1;
}

component Forth lts {
  init empty;
  empty: -put0_0-> has0_0 -put0_1-> has0_1 -put1_0-> has1_0 -put1_1-> has1_1;
  has0_0: -get0_0-> empty -drop-> empty;
  has0_1: -get0_1-> empty -drop-> empty;
  has1_0: -get1_0-> empty -drop-> empty;
  has1_1: -get1_1-> empty -drop-> empty;
}

component Back lts {
  init empty;
  empty: -reply0-> has0 -reply1-> has1;
  has0: -ack0-> empty -dropack-> empty;
  has1: -ack1-> empty -dropack-> empty;
}

component Receiver lts {
  init wants0;
  wants0: -get0_0-> has0_0 -get1_0-> repeats1 -get0_1-> has0_1 -get1_1-> repeats1;
  has0_0: -out0-> replies0;
  has0_1: -out1-> replies0;
  replies0: -reply0-> wants1;
  repeats1: -reply1-> wants0;
  wants1: -get1_0-> has1_0 -get0_0-> repeats0 -get1_1-> has1_1 -get0_1-> repeats0;
  has1_0: -out0-> replies1;
  has1_1: -out1-> replies1;
  replies1: -reply1-> wants0;
  repeats0: -reply0-> wants1;
}

system Sender || Forth || Back || Receiver;

safety order lts {
  actions in0, out0, in1, out1;
  init none;
  none: -in0-> has0 -in1-> has1;
  has0: -out0-> none;
  has1: -out1-> none;
}
property order: mcf [(!(in0 || in1))*.(out0 || out1)] false && [true*.(out0 || out1).(!(in0 || in1))*.(out0 || out1)] false && [true*.in0.(!out0)*.(in0 || in1 || out1)] false && [true*.in1.(!out1)*.(in0 || in1 || out0)] false;

safety silence lts {
  actions out0, out1;
  init start;
  start:;
}
property silence: mcf [true*.(out0 || out1)] false;
