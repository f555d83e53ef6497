// The clients of ../families/client-server.tm: one synchronisation vector for all of them.
//
// expect: "no deadlock" = true
// expect: "one request at a time" = true
// expect: served.0 = true
// expect: served.1 = true
// expect: served.2 = true
// expect: "who asks gets a reply in the end" = false
const N = 3;

component Server lts {
  init free;
  free: -req-> busy;
  busy: -work-> done;
  done: -rep-> free;
}

component Client(i in 0..N-1) lts {
  init idle;
  idle: -think[i]-> idle -want[i]-> wants;
  wants: -req-> waits;
  waits: when i < N-1 -rep-> served when i = N-1 -rep-> last;
  served: -use[i]-> last;
  last: -use[i]-> idle;
}

system Server || i in 0..N-1: Client(i)
  sync {
    i in 0..N-1: Server:req | Client(i):req -> req[i];
    i in 0..N-1: Server:rep | Client(i):rep -> rep[i];
  };

property "no deadlock": mcf [true*] <true> true;
property "one request at a time": mcf [true*.req[0].(!rep[0])*.req[1]] false;
property served(i in 0..N-1): mcf [true*.want[i]] <true*.use[i]> true;
property "who asks gets a reply in the end": mcf [true*.req[0]] mu X. (<true> true && [!rep[0]] X);
