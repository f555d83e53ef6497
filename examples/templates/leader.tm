// Leader election on a ring (Chang and Roberts): a number goes round until a larger one swallows it.
//
// Node i sends m to the next node by send[i][m].
//
// expect: small.0 = true
// expect: small.1 = true
// expect: small.2 = true
// expect: "the largest wins in the end" = true
// expect: "all is quiet in the end" = true
const N = 4;

component Node(i in 0..N-1) lts {
  var m : 0..N-1 := 0;
  init start;
  start: -send[i][i]-> idle
    when n > i -send[(i-1)%N][n in 0..N-1]-> pass do m := n
    when n < i -send[(i-1)%N][n in 0..N-1]-> start;
  idle: when n > i -send[(i-1)%N][n in 0..N-1]-> pass do m := n
    when n < i -send[(i-1)%N][n in 0..N-1]-> idle
    when n = i -send[(i-1)%N][n in 0..N-1]-> wins;
  pass: -send[i][m]-> idle do m := 0;
  wins: -elected[i]-> leader;
  leader: ;
}

system i in 0..N-1: Node(i);

property small(i in 0..N-2): mcf [true*.elected[i]] false;
property "the largest wins in the end": mcf mu X. (<true> true && [!elected[N-1]] X);
property "all is quiet in the end": mcf mu X. [true] X;
