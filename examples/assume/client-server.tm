// Clients ask a server that serves one at a time and does not know them by name.
//
// Client 0 thinks (`think0`) until it wants something (`want0`), asks (`req0`), gets the reply
// (`rep0`) and uses it (`use0`). The server works for whoever asked (`work`).
//
// one_at_a_time: clients 0 and 1 never both wait for a reply. zero_first: client 1 gets no reply before
// client 0 has got one, which is wrong.
//
// The assumption is to stand for Server.
//
// expect: one_at_a_time = true
// expect: zero_first = false
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
  idle: -think2-> idle -want2-> wants;
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

safety one_at_a_time lts {
  actions req0, rep0, req1, rep1;
  init free;
  free: -req0-> one -rep0-> free -req1-> two -rep1-> free;
  one: -req0-> one -rep0-> free -rep1-> one;
  two: -rep0-> two -req1-> two -rep1-> free;
}
property one_at_a_time: mcf [true*.req0.(!rep0)*.req1] false && [true*.req1.(!rep1)*.req0] false;

safety zero_first lts {
  actions rep0, rep1;
  init none;
  none: -rep0-> some;
  some: -rep0-> some -rep1-> some;
}
property zero_first: mcf [(!rep0)*.rep1] false;
