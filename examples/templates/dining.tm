// N dining philosophers who all take the left fork first: when each has one, nobody can go on.
//
// Philosopher p takes fork i by take[p][i] and puts it down by drop[p][i].
//
// expect: "no deadlock" = false
// expect: "all can hold one fork" = true
// expect: eats.0 = true
// expect: eats.4 = true
// expect: eats.1 = true
// expect: eats.2 = true
// expect: eats.3 = true
// expect: neighbours.0 = true
// expect: neighbours.1 = true
// expect: neighbours.2 = true
// expect: neighbours.3 = true
// expect: neighbours.4 = true
const N = 5;

component Fork(i in 0..N-1) lts {
  init free;
  free: -take[i][i]-> taken[i] -take[(i-1)%N][i]-> taken[(i-1)%N];
  taken[p in 0..N-1]: -drop[p][i]-> free;
}

component Phil(i in 0..N-1) lts {
  init thinks;
  thinks: -take[i][i]-> one;
  one: -take[i][(i+1)%N]-> eats;
  eats: -eat[i]-> full;
  full: -drop[i][i]-> sated;
  sated: -drop[i][(i+1)%N]-> thinks;
}

system i in 0..N-1: Phil(i) || i in 0..N-1: Fork(i);

property "no deadlock": mcf [true*] <true> true;
property "all can hold one fork": mcf <true*> [true] false;
property eats(i in 0..N-1): mcf <true*.eat[i]> true;
property neighbours(i in 0..N-1): mcf [true*] !(<eat[i]> true && <eat[(i+1)%N]> true);
