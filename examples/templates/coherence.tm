// Cache coherence (MSI) by actions: a step on the bus is one of all caches, and each knows what it means for itself.
//
// share[j]: cache j fetches a copy to read; own[j]: it fetches the only copy, to write.
//
// expect: alone.0 = true
// expect: alone.1 = true
// expect: alone.2 = true
// expect: "two can read" = true
// expect: "a writer gives way" = true
// expect: writes.0 = true
// expect: writes.1 = true
// expect: writes.2 = true
const N = 3;

component Cache(i in 0..N-1) lts {
  var copy : {no, shared, modified} := no;
  init s;
  s: when copy != no -read[i]-> s
    when copy = modified -write[i]-> s
    when copy = modified -flush[i]-> s do copy := no
    when j = i & copy = no -share[j in 0..N-1]-> s do copy := shared
    when j != i & copy = no -share[j in 0..N-1]-> s
    when j != i & copy != no -share[j in 0..N-1]-> s do copy := shared
    when j = i & copy != modified -own[j in 0..N-1]-> s do copy := modified
    when j != i -own[j in 0..N-1]-> s do copy := no;
}

system i in 0..N-1: Cache(i);

property alone(i in 0..N-1): mcf [true*] (<write[i]> true => !<read[(i+1)%N]> true && !<read[(i+2)%N]> true);
property "two can read": mcf <true*> (<read[0]> true && <read[1]> true);
property "a writer gives way": mcf [true*.write[0]] <own[1]> true;
property writes(i in 0..N-1): mcf [true*] <true*.write[i]> true;
