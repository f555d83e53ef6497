// The tree of ../families/arbiter-tree.tm. Node k asks on wire k and has the wires 2k+1 and 2k+2 below it.
//
// expect: "who asks is served in the end" = true
// expect: alone.2.3 = true
// expect: alone.2.4 = true
// expect: alone.3.4 = true
component Root kripke {
  props gnt[0], req[0];
  input req[0] : bool;
  init off;
  off: when req[0] -> on when !req[0] -> off;
  on: {gnt[0]} when req[0] -> on when !req[0] -> off;
}

component Node(k in 0..1) kripke {
  props req[k], gnt[2*k+1], gnt[2*k+2], req[2*k+1], req[2*k+2], gnt[k];
  input req[2*k+1], req[2*k+2], gnt[k] : bool;
  init free[1];
  free[s in 1..2]: when req[2*k+s] -> ask[s] when !req[2*k+s] & req[2*k+3-s] -> ask[3-s]
    when !req[2*k+1] & !req[2*k+2] -> free[s];
  ask[s in 1..2]: {req[k]} when gnt[k] -> grant[s] when !gnt[k] -> ask[s];
  grant[s in 1..2]: {req[k], gnt[2*k+s]} when req[2*k+s] -> grant[s] when !req[2*k+s] -> back[3-s];
  back[s in 1..2]: when gnt[k] -> back[s] when !gnt[k] -> free[s];
}

component User(w in 2..4) kripke {
  props req[w], use[w], gnt[w];
  input gnt[w] : bool;
  init idle;
  idle: -> idle, ask;
  ask: {req[w]} when gnt[w] -> use1 when !gnt[w] -> ask;
  use1: {req[w], use[w]} -> use2;
  use2: {req[w], use[w]} -> back;
  back: when gnt[w] -> back when !gnt[w] -> idle;
}

system Root || k in 0..1: Node(k) || w in 2..4: User(w);
property "who asks is served in the end": ctl AG (req[3] -> AF use[3]);
property alone(v in 2..3, w in v+1..4): ctl AG !(use[v] & use[w]);
