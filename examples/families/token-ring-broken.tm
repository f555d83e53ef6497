// Stations in a ring pass one token round; who has it may work (`c0`: station 0 works).
//
// Station 0 waits (`w0`) until the token comes, works at least for a while, and hands the token to
// station 1 over the wire `t0`. It reads the wire of the station before it and takes what comes, so no
// station can block another. At first station 0 has the token.
//
// One station, not station 0, may keep the token and pass it on as well. Then two stations can work at
// the same time.
//
// expect: "local: passing takes one step" = true
// expect: "local: who works has stopped waiting" = true
// expect: "local: work ends in passing" = true
// expect: "local: station 0 can work" = true
// expect: "local: station 0 need never work" = true
// expect: "local: station 0 works again and again" = false
// expect: "local: station 0 passes while it works" = false
// expect: "two-party: who waits works when the token comes" = true
// expect: "two-party: station 1 can work after station 0" = true
// expect: "two-party: what comes is always used" = false
// expect: "two-party: the token is lost on the way" = false
// expect: "global: never two at work" = false
// expect: "global: first and last never both at work" = false
// expect: "global: two at work" = true
// expect: "global: station 0 can always work again" = true
// expect: "global: stations 0 and 1 can take turns forever" = true
// expect: "global: the token comes round" = false
component Station0 kripke {
  props w0, c0, t0, t2;
  init hold.0, hold.1;
  hold.0: {} -> hold.0, hold.1, work1.0, work1.1, pass.0, pass.1;
  hold.1: {t2} -> hold.0, hold.1, work1.0, work1.1, pass.0, pass.1;
  work1.0: {c0} -> work2.0, work2.1;
  work1.1: {c0, t2} -> work2.0, work2.1;
  pass.0: {t0} -> idle.0, idle.1, wait.0, wait.1;
  pass.1: {t0, t2} -> hold.0, hold.1;
  work2.0: {c0} -> work2.0, work2.1, pass.0, pass.1;
  work2.1: {c0, t2} -> work2.0, work2.1, pass.0, pass.1;
  idle.0: {} -> idle.0, idle.1, wait.0, wait.1;
  idle.1: {t2} -> hold.0, hold.1, pass.0, pass.1;
  wait.0: {w0} -> wait.0, wait.1;
  wait.1: {w0, t2} -> work1.0, work1.1;
}

component Station1 kripke {
  props w1, c1, t1, t0;
  init idle.0, idle.1;
  idle.0: {} -> idle.0, idle.1, wait.0, wait.1;
  idle.1: {t0} -> hold.0, hold.1, pass.0, pass.1;
  wait.0: {w1} -> wait.0, wait.1;
  wait.1: {w1, t0} -> work1.0, work1.1;
  hold.0: {} -> hold.0, hold.1, work1.0, work1.1, pass.0, pass.1;
  hold.1: {t0} -> hold.0, hold.1, work1.0, work1.1, pass.0, pass.1;
  pass.0: {t1} -> idle.0, idle.1, wait.0, wait.1;
  pass.1: {t1, t0} -> hold.0, hold.1;
  work1.0: {c1} -> work2.0, work2.1;
  work1.1: {c1, t0} -> work2.0, work2.1;
  work2.0: {c1} -> work2.0, work2.1, pass.0, pass.1;
  work2.1: {c1, t0} -> work2.0, work2.1, pass.0, pass.1;
}

component Station2 kripke {
  props w2, c2, t2, t1;
  init idle.0, idle.1;
  idle.0: {} -> idle.0, idle.1, wait.0, wait.1;
  idle.1: {t1} -> hold.0, hold.1, pass.0, pass.1;
  wait.0: {w2} -> wait.0, wait.1;
  wait.1: {w2, t1} -> work1.0, work1.1;
  hold.0: {} -> hold.0, hold.1, work1.0, work1.1, pass.0, pass.1;
  hold.1: {t1} -> hold.0, hold.1, work1.0, work1.1, pass.0, pass.1;
  pass.0: {t2} -> idle.0, idle.1, wait.0, wait.1, hold.0, hold.1;
  pass.1: {t2, t1} -> hold.0, hold.1;
  work1.0: {c2} -> work1.0, work1.1, pass.0, pass.1;
  work1.1: {c2, t1} -> work1.0, work1.1, pass.0, pass.1;
}

system Station0 || Station1 || Station2;

property "local: passing takes one step": ctl AG (t0 -> AX !t0);
property "local: who works has stopped waiting": ctl AG !(w0 & c0);
property "local: work ends in passing": ctl AG (c0 -> A[c0 W t0]);
property "local: station 0 can work": ctl EF c0;
property "local: station 0 need never work": ctl EG !c0;
property "local: station 0 works again and again": ctl AG AF c0;
property "local: station 0 passes while it works": ctl EF (t0 & c0);
property "two-party: who waits works when the token comes": ctl AG (t0 & w1 -> AX c1);
property "two-party: station 1 can work after station 0": ctl EF (c0 & EF c1);
property "two-party: what comes is always used": ctl AG (t0 -> AX c1);
property "two-party: the token is lost on the way": ctl EF (t0 & w1 & EX !c1);
property "global: never two at work": ctl AG !(c0 & c1);
property "global: first and last never both at work": ctl AG !(c0 & c2);
property "global: two at work": ctl EF (c0 & c1);
property "global: station 0 can always work again": ctl AG EF c0;
property "global: stations 0 and 1 can take turns forever": mu nu X. mu Y. <> (c0 & (mu Z. <> (c1 & X | Z)) | Y);
property "global: the token comes round": ctl AG AF t0;
