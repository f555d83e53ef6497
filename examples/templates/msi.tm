// The caches of ../families/msi.tm: what they read from the bus and from the cache before them are inputs.
//
// expect: "cache 0 can go on writing" = true
// expect: "cache 1 can take the line over" = true
// expect: write.0 = true
// expect: write.1 = true
const N = 2;

component Bus kripke {
  props p[0], cmd, x;
  var p[0], cmd, x : bool := false;
  init b;
  b: -> b do p[0] := any, cmd := any, x := any;
}

// In the states `…_m` the cache is the master of the bus, which it is only if none before it is.
component Cache(i in 0..N-1) kripke {
  props sh[i], mod[i], m[i], p[i+1], p[i], cmd, x;
  input p[i], cmd, x : bool;
  init i;
  i: {p[i+1] when p[i]} -> i, i_m do p[i] := false;
  i_m: {m[i], p[i+1]} when !cmd -> i, i_m do p[i] := false
    when cmd & !x -> s, s_m do p[i] := false when cmd & x -> m, m_m do p[i] := false;
  s: {sh[i], p[i+1] when p[i]} when !cmd | !x -> s, s_m do p[i] := false
    when !cmd | x -> i, i_m do p[i] := false;
  s_m: {sh[i], m[i], p[i+1]} when !cmd | !x -> s, s_m do p[i] := false
    when !cmd -> i, i_m do p[i] := false when cmd & x -> m, m_m do p[i] := false;
  m: {mod[i], p[i+1] when p[i]} when !cmd -> m, m_m do p[i] := false
    when !cmd | x -> i, i_m do p[i] := false when cmd & !x -> s, s_m do p[i] := false;
  m_m: {mod[i], m[i], p[i+1]} -> m, m_m do p[i] := false when !cmd -> i, i_m do p[i] := false;
}

system Bus || i in 0..N-1: Cache(i);
property "cache 0 can go on writing": ctl EF EG mod[0];
property "cache 1 can take the line over": ctl EF (mod[0] & EX mod[1]);
property write(i in 0..N-1): ctl AG (mod[i] -> !sh[1-i] & !mod[1-i]);
