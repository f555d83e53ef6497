// The stages of ../families/pipeline.tm. Stage i offers what it has to stage i+1 on the wires v[i+1], d[i+1].
// expect: "all ones until a zero goes in" = true
// expect: "what is offered is taken in the end" = false
// expect: work.0 = true
// expect: work.1 = true
const N = 2;

component Source kripke {
  props v[0], d[0], r[0];
  input r[0] : bool;
  init quiet;
  quiet: -> quiet, offer_0, offer_1;
  offer_0: {v[0]} when r[0] -> quiet, offer_0, offer_1 when !r[0] -> offer_0;
  offer_1: {v[0], d[0]} when r[0] -> quiet, offer_0, offer_1 when !r[0] -> offer_1;
}

component Stage(i in 0..N-1) kripke {
  props r[i], b[i], v[i+1], d[i+1], v[i], d[i], r[i+1];
  var datum : bool := false;
  input v[i], d[i], r[i+1] : bool;
  init empty;
  empty: {r[i]} when v[i] -> work1 do datum := d[i] when !v[i] -> empty;
  work1: {b[i]} -> work2;
  work2: {b[i]} -> offer;
  offer: {v[i+1], d[i+1] when datum} when r[i+1] -> empty when !r[i+1] -> offer;
}

component Sink kripke {
  props r[N], v[N], d[N];
  input v[N], d[N] : bool;
  init ready;
  ready: {r[N]} -> ready, slow;
  slow: -> ready, slow;
}

system Source || i in 0..N-1: Stage(i) || Sink;
property "all ones until a zero goes in": ctl A[(v[N] -> d[N]) W (v[0] & !d[0])];
property "what is offered is taken in the end": ctl AG (v[0] -> AF !v[0]);
property work(i in 0..N-1): ctl AG !(r[i] & b[i]);
