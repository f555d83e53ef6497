// A binary tree of arbiters: users at the leaves ask for one resource at the root.
//
// User 0 asks (`req0`), and once it is granted (`gnt0`) uses the resource for a while (`use0`), then
// gives it back. A node passes on what one of its two sides asks, and grants that side what its parent
// grants; when that is given back it is the other side's turn. The root grants (`gnt_root`) when it is
// asked (`req_root`). No component can block another, and every user is served in the end.
//
// The node above users 0 and 1 grants both of them whenever one asks, and does not ask its parent.
//
// expect: "local: nothing is used without asking" = true
// expect: "local: a request stands until it is granted" = true
// expect: "local: use ends" = true
// expect: "local: user 0 can ask" = true
// expect: "local: user 0 need never ask" = true
// expect: "local: user 0 asks again and again" = false
// expect: "local: user 0 starts without a grant" = false
// expect: "two-party: siblings never use it together" = false
// expect: "two-party: siblings are never granted together" = false
// expect: "two-party: siblings can ask together" = true
// expect: "two-party: who asks is granted at once" = true
// expect: "two-party: siblings are granted together" = true
// expect: "global: first and last never use it together" = false
// expect: "global: who asks is served in the end" = true
// expect: "global: siblings take turns" = true
// expect: "global: who uses it has it from the root" = false
// expect: "global: first and last can take turns forever" = true
// expect: "global: use without the resource" = true
// expect: "global: the resource is used again and again" = false
component Root kripke {
  props gnt_root, req_root;
  init off.0, off.1;
  off.0: {} -> off.0, off.1;
  off.1: {req_root} -> on.0, on.1;
  on.0: {gnt_root} -> off.0, off.1;
  on.1: {gnt_root, req_root} -> on.0, on.1;
}

component Node0_2 kripke {
  props req_root, gnt0_1, gnt2, req0_1, req2, gnt_root;
  init free_l.000, free_l.001, free_l.010, free_l.011, free_l.100, free_l.101, free_l.110, free_l.111;
  free_l.000: {} -> free_l.000, free_l.001, free_l.010, free_l.011, free_l.100, free_l.101, free_l.110, free_l.111;
  free_l.001: {gnt_root} -> free_l.000, free_l.001, free_l.010, free_l.011, free_l.100, free_l.101, free_l.110, free_l.111;
  free_l.010: {req2} -> ask_r.000, ask_r.001, ask_r.010, ask_r.011, ask_r.100, ask_r.101, ask_r.110, ask_r.111;
  free_l.011: {req2, gnt_root} -> ask_r.000, ask_r.001, ask_r.010, ask_r.011, ask_r.100, ask_r.101, ask_r.110, ask_r.111;
  free_l.100: {req0_1} -> ask_l.000, ask_l.001, ask_l.010, ask_l.011, ask_l.100, ask_l.101, ask_l.110, ask_l.111;
  free_l.101: {req0_1, gnt_root} -> ask_l.000, ask_l.001, ask_l.010, ask_l.011, ask_l.100, ask_l.101, ask_l.110, ask_l.111;
  free_l.110: {req0_1, req2} -> ask_l.000, ask_l.001, ask_l.010, ask_l.011, ask_l.100, ask_l.101, ask_l.110, ask_l.111;
  free_l.111: {req0_1, req2, gnt_root} -> ask_l.000, ask_l.001, ask_l.010, ask_l.011, ask_l.100, ask_l.101, ask_l.110, ask_l.111;
  ask_r.000: {req_root} -> ask_r.000, ask_r.001, ask_r.010, ask_r.011, ask_r.100, ask_r.101, ask_r.110, ask_r.111;
  ask_r.001: {req_root, gnt_root} -> grant_r.000, grant_r.001, grant_r.010, grant_r.011, grant_r.100, grant_r.101, grant_r.110, grant_r.111;
  ask_r.010: {req_root, req2} -> ask_r.000, ask_r.001, ask_r.010, ask_r.011, ask_r.100, ask_r.101, ask_r.110, ask_r.111;
  ask_r.011: {req_root, req2, gnt_root} -> grant_r.000, grant_r.001, grant_r.010, grant_r.011, grant_r.100, grant_r.101, grant_r.110, grant_r.111;
  ask_r.100: {req_root, req0_1} -> ask_r.000, ask_r.001, ask_r.010, ask_r.011, ask_r.100, ask_r.101, ask_r.110, ask_r.111;
  ask_r.101: {req_root, req0_1, gnt_root} -> grant_r.000, grant_r.001, grant_r.010, grant_r.011, grant_r.100, grant_r.101, grant_r.110, grant_r.111;
  ask_r.110: {req_root, req0_1, req2} -> ask_r.000, ask_r.001, ask_r.010, ask_r.011, ask_r.100, ask_r.101, ask_r.110, ask_r.111;
  ask_r.111: {req_root, req0_1, req2, gnt_root} -> grant_r.000, grant_r.001, grant_r.010, grant_r.011, grant_r.100, grant_r.101, grant_r.110, grant_r.111;
  ask_l.000: {req_root} -> ask_l.000, ask_l.001, ask_l.010, ask_l.011, ask_l.100, ask_l.101, ask_l.110, ask_l.111;
  ask_l.001: {req_root, gnt_root} -> grant_l.000, grant_l.001, grant_l.010, grant_l.011, grant_l.100, grant_l.101, grant_l.110, grant_l.111;
  ask_l.010: {req_root, req2} -> ask_l.000, ask_l.001, ask_l.010, ask_l.011, ask_l.100, ask_l.101, ask_l.110, ask_l.111;
  ask_l.011: {req_root, req2, gnt_root} -> grant_l.000, grant_l.001, grant_l.010, grant_l.011, grant_l.100, grant_l.101, grant_l.110, grant_l.111;
  ask_l.100: {req_root, req0_1} -> ask_l.000, ask_l.001, ask_l.010, ask_l.011, ask_l.100, ask_l.101, ask_l.110, ask_l.111;
  ask_l.101: {req_root, req0_1, gnt_root} -> grant_l.000, grant_l.001, grant_l.010, grant_l.011, grant_l.100, grant_l.101, grant_l.110, grant_l.111;
  ask_l.110: {req_root, req0_1, req2} -> ask_l.000, ask_l.001, ask_l.010, ask_l.011, ask_l.100, ask_l.101, ask_l.110, ask_l.111;
  ask_l.111: {req_root, req0_1, req2, gnt_root} -> grant_l.000, grant_l.001, grant_l.010, grant_l.011, grant_l.100, grant_l.101, grant_l.110, grant_l.111;
  grant_r.000: {req_root, gnt2} -> back_l.000, back_l.001, back_l.010, back_l.011, back_l.100, back_l.101, back_l.110, back_l.111;
  grant_r.001: {req_root, gnt2, gnt_root} -> back_l.000, back_l.001, back_l.010, back_l.011, back_l.100, back_l.101, back_l.110, back_l.111;
  grant_r.010: {req_root, gnt2, req2} -> grant_r.000, grant_r.001, grant_r.010, grant_r.011, grant_r.100, grant_r.101, grant_r.110, grant_r.111;
  grant_r.011: {req_root, gnt2, req2, gnt_root} -> grant_r.000, grant_r.001, grant_r.010, grant_r.011, grant_r.100, grant_r.101, grant_r.110, grant_r.111;
  grant_r.100: {req_root, gnt2, req0_1} -> back_l.000, back_l.001, back_l.010, back_l.011, back_l.100, back_l.101, back_l.110, back_l.111;
  grant_r.101: {req_root, gnt2, req0_1, gnt_root} -> back_l.000, back_l.001, back_l.010, back_l.011, back_l.100, back_l.101, back_l.110, back_l.111;
  grant_r.110: {req_root, gnt2, req0_1, req2} -> grant_r.000, grant_r.001, grant_r.010, grant_r.011, grant_r.100, grant_r.101, grant_r.110, grant_r.111;
  grant_r.111: {req_root, gnt2, req0_1, req2, gnt_root} -> grant_r.000, grant_r.001, grant_r.010, grant_r.011, grant_r.100, grant_r.101, grant_r.110, grant_r.111;
  grant_l.000: {req_root, gnt0_1} -> back_r.000, back_r.001, back_r.010, back_r.011, back_r.100, back_r.101, back_r.110, back_r.111;
  grant_l.001: {req_root, gnt0_1, gnt_root} -> back_r.000, back_r.001, back_r.010, back_r.011, back_r.100, back_r.101, back_r.110, back_r.111;
  grant_l.010: {req_root, gnt0_1, req2} -> back_r.000, back_r.001, back_r.010, back_r.011, back_r.100, back_r.101, back_r.110, back_r.111;
  grant_l.011: {req_root, gnt0_1, req2, gnt_root} -> back_r.000, back_r.001, back_r.010, back_r.011, back_r.100, back_r.101, back_r.110, back_r.111;
  grant_l.100: {req_root, gnt0_1, req0_1} -> grant_l.000, grant_l.001, grant_l.010, grant_l.011, grant_l.100, grant_l.101, grant_l.110, grant_l.111;
  grant_l.101: {req_root, gnt0_1, req0_1, gnt_root} -> grant_l.000, grant_l.001, grant_l.010, grant_l.011, grant_l.100, grant_l.101, grant_l.110, grant_l.111;
  grant_l.110: {req_root, gnt0_1, req0_1, req2} -> grant_l.000, grant_l.001, grant_l.010, grant_l.011, grant_l.100, grant_l.101, grant_l.110, grant_l.111;
  grant_l.111: {req_root, gnt0_1, req0_1, req2, gnt_root} -> grant_l.000, grant_l.001, grant_l.010, grant_l.011, grant_l.100, grant_l.101, grant_l.110, grant_l.111;
  back_l.000: {} -> free_l.000, free_l.001, free_l.010, free_l.011, free_l.100, free_l.101, free_l.110, free_l.111;
  back_l.001: {gnt_root} -> back_l.000, back_l.001, back_l.010, back_l.011, back_l.100, back_l.101, back_l.110, back_l.111;
  back_l.010: {req2} -> free_l.000, free_l.001, free_l.010, free_l.011, free_l.100, free_l.101, free_l.110, free_l.111;
  back_l.011: {req2, gnt_root} -> back_l.000, back_l.001, back_l.010, back_l.011, back_l.100, back_l.101, back_l.110, back_l.111;
  back_l.100: {req0_1} -> free_l.000, free_l.001, free_l.010, free_l.011, free_l.100, free_l.101, free_l.110, free_l.111;
  back_l.101: {req0_1, gnt_root} -> back_l.000, back_l.001, back_l.010, back_l.011, back_l.100, back_l.101, back_l.110, back_l.111;
  back_l.110: {req0_1, req2} -> free_l.000, free_l.001, free_l.010, free_l.011, free_l.100, free_l.101, free_l.110, free_l.111;
  back_l.111: {req0_1, req2, gnt_root} -> back_l.000, back_l.001, back_l.010, back_l.011, back_l.100, back_l.101, back_l.110, back_l.111;
  back_r.000: {} -> free_r.000, free_r.001, free_r.010, free_r.011, free_r.100, free_r.101, free_r.110, free_r.111;
  back_r.001: {gnt_root} -> back_r.000, back_r.001, back_r.010, back_r.011, back_r.100, back_r.101, back_r.110, back_r.111;
  back_r.010: {req2} -> free_r.000, free_r.001, free_r.010, free_r.011, free_r.100, free_r.101, free_r.110, free_r.111;
  back_r.011: {req2, gnt_root} -> back_r.000, back_r.001, back_r.010, back_r.011, back_r.100, back_r.101, back_r.110, back_r.111;
  back_r.100: {req0_1} -> free_r.000, free_r.001, free_r.010, free_r.011, free_r.100, free_r.101, free_r.110, free_r.111;
  back_r.101: {req0_1, gnt_root} -> back_r.000, back_r.001, back_r.010, back_r.011, back_r.100, back_r.101, back_r.110, back_r.111;
  back_r.110: {req0_1, req2} -> free_r.000, free_r.001, free_r.010, free_r.011, free_r.100, free_r.101, free_r.110, free_r.111;
  back_r.111: {req0_1, req2, gnt_root} -> back_r.000, back_r.001, back_r.010, back_r.011, back_r.100, back_r.101, back_r.110, back_r.111;
  free_r.000: {} -> free_r.000, free_r.001, free_r.010, free_r.011, free_r.100, free_r.101, free_r.110, free_r.111;
  free_r.001: {gnt_root} -> free_r.000, free_r.001, free_r.010, free_r.011, free_r.100, free_r.101, free_r.110, free_r.111;
  free_r.010: {req2} -> ask_r.000, ask_r.001, ask_r.010, ask_r.011, ask_r.100, ask_r.101, ask_r.110, ask_r.111;
  free_r.011: {req2, gnt_root} -> ask_r.000, ask_r.001, ask_r.010, ask_r.011, ask_r.100, ask_r.101, ask_r.110, ask_r.111;
  free_r.100: {req0_1} -> ask_l.000, ask_l.001, ask_l.010, ask_l.011, ask_l.100, ask_l.101, ask_l.110, ask_l.111;
  free_r.101: {req0_1, gnt_root} -> ask_l.000, ask_l.001, ask_l.010, ask_l.011, ask_l.100, ask_l.101, ask_l.110, ask_l.111;
  free_r.110: {req0_1, req2} -> ask_r.000, ask_r.001, ask_r.010, ask_r.011, ask_r.100, ask_r.101, ask_r.110, ask_r.111;
  free_r.111: {req0_1, req2, gnt_root} -> ask_r.000, ask_r.001, ask_r.010, ask_r.011, ask_r.100, ask_r.101, ask_r.110, ask_r.111;
}

component Node0_1 kripke {
  props req0_1, gnt0, gnt1, req0, req1, gnt0_1;
  init free_l.000, free_l.001, free_l.010, free_l.011, free_l.100, free_l.101, free_l.110, free_l.111;
  free_l.000: {} -> free_l.000, free_l.001, free_l.010, free_l.011, free_l.100, free_l.101, free_l.110, free_l.111;
  free_l.001: {gnt0_1} -> free_l.000, free_l.001, free_l.010, free_l.011, free_l.100, free_l.101, free_l.110, free_l.111;
  free_l.010: {req1} -> both.000, both.001, both.010, both.011, both.100, both.101, both.110, both.111;
  free_l.011: {req1, gnt0_1} -> both.000, both.001, both.010, both.011, both.100, both.101, both.110, both.111;
  free_l.100: {req0} -> both.000, both.001, both.010, both.011, both.100, both.101, both.110, both.111;
  free_l.101: {req0, gnt0_1} -> both.000, both.001, both.010, both.011, both.100, both.101, both.110, both.111;
  free_l.110: {req0, req1} -> both.000, both.001, both.010, both.011, both.100, both.101, both.110, both.111;
  free_l.111: {req0, req1, gnt0_1} -> both.000, both.001, both.010, both.011, both.100, both.101, both.110, both.111;
  both.000: {gnt0, gnt1} -> back_l.000, back_l.001, back_l.010, back_l.011, back_l.100, back_l.101, back_l.110, back_l.111;
  both.001: {gnt0, gnt1, gnt0_1} -> back_l.000, back_l.001, back_l.010, back_l.011, back_l.100, back_l.101, back_l.110, back_l.111;
  both.010: {gnt0, gnt1, req1} -> both.000, both.001, both.010, both.011, both.100, both.101, both.110, both.111;
  both.011: {gnt0, gnt1, req1, gnt0_1} -> both.000, both.001, both.010, both.011, both.100, both.101, both.110, both.111;
  both.100: {gnt0, gnt1, req0} -> both.000, both.001, both.010, both.011, both.100, both.101, both.110, both.111;
  both.101: {gnt0, gnt1, req0, gnt0_1} -> both.000, both.001, both.010, both.011, both.100, both.101, both.110, both.111;
  both.110: {gnt0, gnt1, req0, req1} -> both.000, both.001, both.010, both.011, both.100, both.101, both.110, both.111;
  both.111: {gnt0, gnt1, req0, req1, gnt0_1} -> both.000, both.001, both.010, both.011, both.100, both.101, both.110, both.111;
  back_l.000: {} -> free_l.000, free_l.001, free_l.010, free_l.011, free_l.100, free_l.101, free_l.110, free_l.111;
  back_l.001: {gnt0_1} -> back_l.000, back_l.001, back_l.010, back_l.011, back_l.100, back_l.101, back_l.110, back_l.111;
  back_l.010: {req1} -> free_l.000, free_l.001, free_l.010, free_l.011, free_l.100, free_l.101, free_l.110, free_l.111;
  back_l.011: {req1, gnt0_1} -> back_l.000, back_l.001, back_l.010, back_l.011, back_l.100, back_l.101, back_l.110, back_l.111;
  back_l.100: {req0} -> free_l.000, free_l.001, free_l.010, free_l.011, free_l.100, free_l.101, free_l.110, free_l.111;
  back_l.101: {req0, gnt0_1} -> back_l.000, back_l.001, back_l.010, back_l.011, back_l.100, back_l.101, back_l.110, back_l.111;
  back_l.110: {req0, req1} -> free_l.000, free_l.001, free_l.010, free_l.011, free_l.100, free_l.101, free_l.110, free_l.111;
  back_l.111: {req0, req1, gnt0_1} -> back_l.000, back_l.001, back_l.010, back_l.011, back_l.100, back_l.101, back_l.110, back_l.111;
}

component User0 kripke {
  props req0, use0, gnt0;
  init idle.0, idle.1;
  idle.0: {} -> idle.0, idle.1, ask.0, ask.1;
  idle.1: {gnt0} -> idle.0, idle.1, ask.0, ask.1;
  ask.0: {req0} -> ask.0, ask.1;
  ask.1: {req0, gnt0} -> use1.0, use1.1;
  use1.0: {req0, use0} -> use2.0, use2.1;
  use1.1: {req0, use0, gnt0} -> use2.0, use2.1;
  use2.0: {req0, use0} -> back.0, back.1;
  use2.1: {req0, use0, gnt0} -> back.0, back.1;
  back.0: {} -> idle.0, idle.1;
  back.1: {gnt0} -> back.0, back.1;
}

component User1 kripke {
  props req1, use1, gnt1;
  init idle.0, idle.1;
  idle.0: {} -> idle.0, idle.1, ask.0, ask.1;
  idle.1: {gnt1} -> idle.0, idle.1, ask.0, ask.1;
  ask.0: {req1} -> ask.0, ask.1;
  ask.1: {req1, gnt1} -> use1.0, use1.1;
  use1.0: {req1, use1} -> use2.0, use2.1;
  use1.1: {req1, use1, gnt1} -> use2.0, use2.1;
  use2.0: {req1, use1} -> back.0, back.1;
  use2.1: {req1, use1, gnt1} -> back.0, back.1;
  back.0: {} -> idle.0, idle.1;
  back.1: {gnt1} -> back.0, back.1;
}

component User2 kripke {
  props req2, use2, gnt2;
  init idle.0, idle.1;
  idle.0: {} -> idle.0, idle.1, ask.0, ask.1;
  idle.1: {gnt2} -> idle.0, idle.1, ask.0, ask.1;
  ask.0: {req2} -> ask.0, ask.1;
  ask.1: {req2, gnt2} -> use1.0, use1.1;
  use1.0: {req2, use2} -> use2.0, use2.1;
  use1.1: {req2, use2, gnt2} -> use2.0, use2.1;
  use2.0: {req2, use2} -> back.0, back.1;
  use2.1: {req2, use2, gnt2} -> back.0, back.1;
  back.0: {} -> idle.0, idle.1;
  back.1: {gnt2} -> back.0, back.1;
}

system Root || Node0_2 || Node0_1 || User0 || User1 || User2;

property "local: nothing is used without asking": ctl AG (use0 -> req0);
property "local: a request stands until it is granted": ctl AG (req0 & !gnt0 & !use0 -> AX req0);
property "local: use ends": ctl AG (use0 -> AF !use0);
property "local: user 0 can ask": ctl EF req0;
property "local: user 0 need never ask": ctl EG !req0;
property "local: user 0 asks again and again": ctl AG AF req0;
property "local: user 0 starts without a grant": ctl EF (!gnt0 & !use0 & EX use0);
property "two-party: siblings never use it together": ctl AG !(use0 & use1);
property "two-party: siblings are never granted together": ctl AG !(gnt0 & gnt1);
property "two-party: siblings can ask together": ctl EF (req0 & req1);
property "two-party: who asks is granted at once": ctl AG (req0 & req1 -> AX (gnt0 | gnt1));
property "two-party: siblings are granted together": ctl EF (gnt0 & gnt1);
property "global: first and last never use it together": ctl AG !(use0 & use2);
property "global: who asks is served in the end": ctl AG (req0 -> AF use0);
property "global: siblings take turns": ctl AG (use0 & req1 -> AF use1);
property "global: who uses it has it from the root": ctl AG (use0 -> gnt_root);
property "global: first and last can take turns forever": mu nu X. mu Y. <> (use0 & (mu Z. <> (use2 & X | Z)) | Y);
property "global: use without the resource": ctl EF (use0 & !gnt_root);
property "global: the resource is used again and again": ctl AG AF gnt_root;
