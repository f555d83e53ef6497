// Clients ask a server that serves one at a time and does not know them by name.
//
// Client 0 thinks (`think0`) until it wants something (`want0`), asks (`req0`), gets the reply
// (`rep0`) and uses it (`use0`). The server works for whoever asked (`work`). Synchronisation vectors
// let one client at a time take part in `req` and `rep`; while the server is busy it blocks all the
// others.
//
// One client, not client 0, takes a reply for which it never asked. Then the server takes a new
// request while client 0 still waits.
//
// expect: "local: nothing is used before a reply" = true
// expect: "local: a client can think forever" = true
// expect: "local: a client can always think" = false
// expect: "local: a client asks for nothing" = false
// expect: "two-party: a reply takes work" = true
// expect: "two-party: a request can be answered" = true
// expect: "two-party: clients can be served in turns" = true
// expect: "two-party: clients can be served in turns forever" = true
// expect: "two-party: who wants something can ask" = false
// expect: "two-party: a reply without work" = false
// expect: "global: one request at a time" = false
// expect: "global: the last does not push in" = false
// expect: "global: no deadlock" = true
// expect: "global: who wants something can get it" = true
// expect: "global: two requests at once" = true
// expect: "global: who asks gets a reply in the end" = false
component Server lts {
  init free;
  free: -req-> busy;
  busy: -work-> done;
  done: -rep-> free;
}

component Client0 lts {
  init idle;
  idle: -think0-> idle -want0-> wants;
  wants: -req-> waits;
  waits: -rep-> served1;
  served1: -use0-> served2;
  served2: -use0-> idle;
}

component Client1 lts {
  init idle;
  idle: -think1-> idle -want1-> wants;
  wants: -req-> waits;
  waits: -rep-> served1;
  served1: -use1-> served2;
  served2: -use1-> idle;
}

component Client2 lts {
  init idle;
  idle: -think2-> idle -want2-> wants -rep-> served1;
  wants: -req-> waits;
  waits: -rep-> served1;
  served1: -use2-> idle;
}

system Server || Client0 || Client1 || Client2 sync {
  Server:req | Client0:req -> req0;
  Server:rep | Client0:rep -> rep0;
  Server:req | Client1:req -> req1;
  Server:rep | Client1:rep -> rep1;
  Server:req | Client2:req -> req2;
  Server:rep | Client2:rep -> rep2;
};

property "local: nothing is used before a reply": mcf [(!rep0)*.use0] false;
property "local: a client can think forever": mu nu X. <think0> X;
property "local: a client can always think": mcf [true*] <think0> true;
property "local: a client asks for nothing": mcf <(!want0)*.req0> true;
property "two-party: a reply takes work": mcf [true*.req0.(!work)*.rep0] false;
property "two-party: a request can be answered": mcf <true*.req0.true*.rep0> true;
property "two-party: clients can be served in turns": mcf <true*.use0.true*.use1> true;
property "two-party: clients can be served in turns forever": mu nu X. mu Y. <rep0> (mu Z. <rep1> X | <true> Z) | <true> Y;
property "two-party: who wants something can ask": mcf [true*.want0] <req0> true;
property "two-party: a reply without work": mcf <true*.req0.(!work)*.rep0> true;
property "global: one request at a time": mcf [true*.req0.(!rep0)*.req1] false;
property "global: the last does not push in": mcf [true*.req0.(!rep0)*.rep2] false;
property "global: no deadlock": mcf [true*] <true> true;
property "global: who wants something can get it": mcf [true*.want0] <true*.use0> true;
property "global: two requests at once": mcf <true*.req0.(!rep0)*.req1> true;
property "global: who asks gets a reply in the end": mcf [true*.req0] mu X. (<true> true && [!rep0] X);
