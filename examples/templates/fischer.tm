// Fischer's mutual exclusion with discrete time: who has written its number waits longer than others may take to write.
//
// A process that has seen the lock free writes within WRITE ticks, and enters after WAIT of them if its number is
// still there. With WAIT <= WRITE two of them enter.
//
// expect: "never two inside" = true
// expect: enters.1 = true
// expect: enters.2 = true
// expect: "time can pass" = true
const N = 2;
const WRITE = 1;
const WAIT = 2;

component Lock lts {
  var id : 0..N := 0;
  init s;
  s: when id = 0 -free[i in 1..N]-> s
    -write[i in 1..N]-> s do id := i
    when id = i -enter[i in 1..N]-> s
    when id != i -lose[i in 1..N]-> s
    -leave[i in 1..N]-> s do id := 0;
}

component Process(i in 1..N) lts {
  var c : 0..WAIT := 0;
  init idle;
  idle: -tick-> idle -free[i]-> ready do c := 0;
  ready: when c < WRITE -tick-> ready do c := c + 1 -write[i]-> waits do c := 0;
  waits: when c < WAIT -tick-> waits do c := c + 1 when c = WAIT -tick-> waits
    when c = WAIT -enter[i]-> inside when c = WAIT -lose[i]-> idle;
  inside: -tick-> inside -leave[i]-> idle;
}

system Lock || i in 1..N: Process(i);
property "never two inside": mcf [true*.enter[1].(!leave[1])*.enter[2]] false;
property enters(i in 1..N): mcf [true*] <true*.enter[i]> true;
property "time can pass": mcf [true*] <true*.tick> true;
