// Bounded retransmission: an alternating bit, and a sender that gives up after MAX attempts.
//
// The channels lose what they carry (`loss[0]` a frame, `loss[1]` an acknowledgement), and the sender notices.
//
// expect: "nothing comes twice" = true
// expect: "nothing comes unasked" = true
// expect: "what is acknowledged has come" = true
// expect: "what is given up has not come" = false
// expect: "no deadlock" = true
const MAX = 2;
component Sender lts {
  var b : 0..1 := 0;
  var tries : 0..MAX := 0;
  init ready;
  ready: -in-> send do tries := 0;
  send: -frame[b]-> waits do tries := tries + 1;
  waits: -ack-> ready do b := 1 - b
    when tries < MAX -loss[c in 0..1]-> send when tries = MAX -loss[c in 0..1]-> lost;
  lost: -fail-> over;
  over: -tau-> over;
}
component Frames lts {
  init empty;
  empty: -frame[n in 0..1]-> full[n];
  full[n in 0..1]: -deliver[n]-> empty -loss[0]-> empty;
}
component Receiver lts {
  var next : 0..1 := 0;
  init waits;
  waits: when n = next -deliver[n in 0..1]-> new do next := 1 - next when n != next -deliver[n in 0..1]-> old;
  new: -out-> old;
  old: -got-> waits;
}
component Acks lts { init empty; empty: -got-> full; full: -ack-> empty -loss[1]-> empty; }
system Sender || Frames || Receiver || Acks;
property "nothing comes twice": mcf [true*.out.(!in)*.out] false;
property "nothing comes unasked": mcf [(!in)*.out] false;
property "what is acknowledged has come": mcf [true*.in.(!out)*.ack] false;
property "what is given up has not come": mcf [true*.out.(!in)*.fail] false;
property "no deadlock": mcf [true*] <true> true;
