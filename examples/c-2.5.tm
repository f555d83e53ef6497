// C Examples 2.5, 2.8 and 3.5. The figure is missing from the text at hand: this is a reconstruction.
// The text gives two states, q unknown in s0, and thirteen nodes of the game graph of which s0 |- q and
// s1 |- Z end the ?-subgraph, the latter coloured F.
//
// "In all paths, p holds until q holds" is unknown in s0: q may hold there at once, and whether the
// step to s1 exists is not known either. In s1 it is false.
//
// expect: "p until q" = unknown
// expect: "p until q" in s1 = false
// expect: "the same in CTL" = unknown
// expect: "the same in CTL" in s1 = false
component M kmts {
  props p, q;
  init s0;
  s0: {p, q?}   ?> s1;
  s1: {!p, !q}  -> s1;
}

property "p until q":       mu  mu Z. (q | (p & [] Z));
property "the same in CTL": ctl A[p U q];
